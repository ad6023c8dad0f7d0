"""Chains side by side: warm-up until they agree, then draws."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.posterior.chain import Chain
from coterie.posterior.figures import convergence
from coterie.posterior.recorder import Recorder, truths_every
from coterie.sampler import State, Target, Work, draw_truths, make_work, start, step

Floats = NDArray[np.float64]

# Warm-up goes on in rounds of so many steps, and ends when the chains agree, or after so many rounds.
ROUND, FEWEST_ROUNDS, MOST_ROUNDS = 50, 2, 20
# The chains agree when R-hat of the latter half of the warm-up is below this for |C| and every ψ.
AGREED = 1.05
# Seconds between two looks at the chains.
LOOK = 0.1


class Pace(NamedTuple):
    """How far the chains are, for whoever watches."""

    warming: bool
    done: int  # steps of all chains in this part
    total: int
    clusters: int  # |C|, the mean of the chains' last
    moved: float  # the share of the steps of chaperones that changed something
    steps: int  # steps of chaperones so far, of all chains
    counts: list[list[int]]  # |C| of each step in this part, chain by chain


class Watch(Protocol):
    """Is told how far the chains are."""

    def __call__(self, pace: Pace, /) -> None:
        """Take note."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, and all chains have come to rest since."""


class Course:
    """One chain on its way.

    Its partition, ψ and parameters come from one stream, the truths that are drawn along from another, so that
    how often they are asked for makes no difference to the chain.
    """

    def __init__(self, target: Target, stream: np.random.SeedSequence) -> None:
        own, aside = stream.spawn(2)
        self.target = target
        self.rng, self.aside = np.random.default_rng(own), np.random.default_rng(aside)
        self.recorder = Recorder(target)
        self.work: Work = make_work(target)
        self.state: State | None = None
        self.counts: list[int] = []
        self.psi: list[Floats] = []
        self.steps = self.changes = 0

    def advance(self, steps: int, stop: threading.Event, truths: int | None = None) -> None:
        """Do so many steps, and record them as draws if ``truths`` says how often to draw truths, too."""
        if self.state is None:
            self.state = start(self.rng, self.target, self.work)
        for draw in range(steps):
            if stop.is_set():
                return
            self.state, info = step(self.rng, self.state, self.target, self.work)
            if truths is not None:
                asked = draw % truths == 0
                drawn = draw_truths(self.aside, self.state, self.target, self.work) if asked else None
                self.recorder.add(self.state, drawn)
            self.psi.append(self.state.psi.ravel())
            self.steps += info.steps
            self.changes += info.changes
            # Last, since whoever watches counts these.
            self.counts.append(info.clusters)

    def forget(self) -> None:
        """Begin a new part."""
        self.counts, self.psi = [], []


class Sampled(NamedTuple):
    """What the chains have drawn."""

    chains: list[Chain]
    warm_up: int  # steps of each chain before its first draw
    agreed: bool  # whether the warm-up ended because the chains agreed, or was as long as it was asked to be
    stopped: bool  # whether somebody stopped it before all draws were made


def sample(
    target: Target,
    *,
    chains: int,
    draws: int,
    tune: int | None,
    cores: int | None,
    seed: np.random.SeedSequence,
    watch: Watch,
) -> Sampled:
    """Run chains and keep their draws.

    Each chain has a stream of its own, and whether the warm-up ends is decided by the draws alone, so the number
    of cores makes no difference. Ctrl-C stops the chains; the draws that there are are kept.
    """
    courses = [Course(target, stream) for stream in seed.spawn(chains)]
    stop = threading.Event()
    with ThreadPoolExecutor(min(chains, cores or available_cores())) as pool:

        def together(steps: int, total: int, truths: int | None) -> None:
            """Let every chain do so many steps."""
            jobs = [pool.submit(course.advance, steps, stop, truths) for course in courses]
            _look_on(jobs, stop, lambda: watch(_pace(courses, truths is None, total)))

        warm_up, agreed = _warm_up(courses, tune, together)
        for course in courses:
            course.forget()
        try:
            together(draws, draws * chains, truths_every(draws))
        except Stopped:
            if min(len(course.counts) for course in courses) == 0:
                raise
            return Sampled([course.recorder.chain() for course in courses], warm_up, agreed, True)
    return Sampled([course.recorder.chain() for course in courses], warm_up, agreed, False)


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _warm_up(
    courses: Sequence[Course], tune: int | None, together: Callable[[int, int, int | None], None]
) -> tuple[int, bool]:
    """Warm the chains up; return for how many steps, and whether that was enough."""
    if tune is not None:
        together(tune, tune * len(courses), None)
        return tune, True
    for done in range(1, MOST_ROUNDS + 1):
        together(ROUND, ROUND * max(done, FEWEST_ROUNDS) * len(courses), None)
        if done >= FEWEST_ROUNDS and _agree(courses):
            return ROUND * done, True
    return ROUND * MOST_ROUNDS, False


def _agree(courses: Sequence[Course]) -> bool:
    """Tell whether the chains agree on |C| and ψ in the latter half of the warm-up."""
    traces = [np.column_stack([course.counts, np.array(course.psi)]) for course in courses]
    table = np.array(traces, np.float64)[:, len(courses[0].counts) // 2 :]
    found = [convergence(table[:, :, column])[0] for column in range(table.shape[2])]
    # What never changes in any chain (a fixed ψ) is nan, and no reason to go on.
    return not any(rhat >= AGREED for rhat in found)


def _look_on(jobs: Sequence[Future[None]], stop: threading.Event, report: Callable[[], None]) -> None:
    """Wait for all jobs and report meanwhile; on Ctrl-C, or if one fails, stop the others.

    A second Ctrl-C does not wait for them, and goes on as one.
    """
    try:
        waiting = set(jobs)
        while waiting:
            done, waiting = wait(waiting, timeout=LOOK)
            for job in done:
                job.result()
            report()
    except KeyboardInterrupt:
        stop.set()
        wait(jobs)
        raise Stopped from None
    except BaseException:
        stop.set()
        wait(jobs)
        raise


def _pace(courses: Sequence[Course], warming: bool, total: int) -> Pace:
    counts = [list(course.counts) for course in courses]
    last = [each[-1] for each in counts if each]
    steps = sum(course.steps for course in courses)
    return Pace(
        warming=warming,
        done=sum(map(len, counts)),
        total=total,
        clusters=round(sum(last) / len(last)) if last else 0,
        moved=sum(course.changes for course in courses) / max(1, steps),
        steps=steps,
        counts=counts,
    )
