"""How a run ends: by itself, by Ctrl-C, or by an error in a chain."""

import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from coterie.posterior import Posterior
from coterie.resolution import sampling
from coterie.resolution.progress import Silent
from coterie.resolution.sampling import Pace
from resolution.people import records, resolve, same_draws


class Watching(Silent):
    """Calls a function at each look at the chains, and keeps what was told."""

    def __init__(self, look: Callable[[Pace], object] = id) -> None:
        self.look, self.told = look, []
        self.stages: list[str] = []
        self.closed = 0

    def stage(self, what: str) -> None:
        self.stages.append(what)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def pace(self, pace: Pace) -> None:
        self.look(pace)

    def close(self) -> None:
        self.closed += 1


def presses(warming: bool) -> Callable[[Pace], None]:
    """Return what presses Ctrl-C as soon as all chains have made three steps of a part."""

    def look(pace: Pace) -> None:
        if pace.warming is warming and min(map(len, pace.counts)) >= 3:
            signal.raise_signal(signal.SIGINT)

    return look


@pytest.fixture(autouse=True, scope="module")
def listening() -> Iterator[None]:
    """Let Ctrl-C be heard also where the tests run behind something else, which then does not listen to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def stopped() -> Posterior:
    return resolve(records(), draws=1_000_000, progress=Watching(presses(warming=False)))


class TestCtrlC:
    def test_the_draws_so_far_are_there(self, stopped: Posterior) -> None:
        assert all(3 <= chain.draws < 1_000_000 for chain in stopped.chains)
        whole = resolve(records(), draws=3)
        for part, all_of_it in zip(stopped.chains, whole.chains, strict=True):
            assert np.array_equal(part.entities[:3], all_of_it.entities)
            assert np.array_equal(part.psi[:3], all_of_it.psi)

    def test_it_is_said(self, stopped: Posterior) -> None:
        made = min(chain.draws for chain in stopped.chains)
        assert f"It was stopped after {made:,} of 1,000,000 draws of each chain." in stopped.verdict

    def test_everything_can_be_asked(self, stopped: Posterior) -> None:
        assert len(stopped.entities()) == len(records())
        assert stopped.canonical().num_rows > 0
        assert str(stopped.diagnose())
        assert stopped.summary()
        assert stopped.expected_scores().f1.mean > 0
        assert stopped.draws == sum(chain.draws for chain in stopped.chains) == stopped.entity_count.size

    def test_before_the_first_draw_it_is_what_it_always_is(self) -> None:
        watching = Watching(presses(warming=True))
        with pytest.raises(KeyboardInterrupt):
            resolve(records(), tune=1_000_000, progress=watching)
        assert watching.closed == 1
        assert _idle()

    def test_a_second_one_does_not_wait(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing is made of chains that still run."""
        monkeypatch.setattr(sampling, "wait", _interrupted(sampling.wait))
        with pytest.raises(KeyboardInterrupt) as told:
            resolve(records(), draws=1_000_000, progress=Watching(presses(warming=False)))
        assert not isinstance(told.value, sampling.Stopped)
        assert _idle()


def _interrupted(wait: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wait that is interrupted where it has no timeout: while chains come to rest."""

    def waiting(jobs: Any, timeout: float | None = None) -> Any:
        if timeout is None:
            raise KeyboardInterrupt
        return wait(jobs, timeout=timeout)

    return waiting


def _idle() -> bool:
    """Tell whether no thread of a pool is left."""
    return not any(thread.name.startswith("ThreadPoolExecutor") for thread in threading.enumerate())


class TestErrors:
    @pytest.mark.parametrize("at", [5, 15])
    def test_an_error_in_a_chain_is_raised_and_the_others_stop(
        self, at: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, calls = sampling.step, []

        def failing(rng: Any, state: Any, target: Any, work: Any) -> Any:
            calls.append(threading.get_ident())
            if len(calls) == at:
                raise ZeroDivisionError("this chain is broken")
            return real(rng, state, target, work)

        monkeypatch.setattr(sampling, "step", failing)
        watching = Watching()
        with pytest.raises(ZeroDivisionError, match="this chain is broken"):
            resolve(records(), tune=10, draws=1_000_000, progress=watching)
        assert watching.closed == 1
        assert _idle()

    def test_an_error_of_the_display_is_raised(self) -> None:
        def look(pace: Pace) -> None:
            raise OSError(f"no screen after {pace.done} steps")

        with pytest.raises(OSError, match="no screen"):
            resolve(records(), draws=1_000_000, progress=Watching(look))
        assert _idle()


class TestWarmUp:
    def test_it_ends_when_the_chains_agree(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sampling, "ROUND", 5)
        answers = iter([False, True])
        asked = []

        def agree(courses: Any) -> bool:
            asked.append([len(course.counts) for course in courses])
            return next(answers)

        monkeypatch.setattr(sampling, "_agree", agree)
        posterior = resolve(records(), tune=None)
        assert asked == [[10, 10], [15, 15]]
        assert same_draws(posterior, resolve(records(), tune=15))
        assert "did not agree" not in posterior.verdict

    def test_it_ends_within_limits_and_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sampling, "ROUND", 4)
        monkeypatch.setattr(sampling, "MOST_ROUNDS", 3)
        monkeypatch.setattr(sampling, "_agree", lambda courses: not courses)
        posterior = resolve(records(), tune=None)
        assert same_draws(posterior, resolve(records(), tune=12))
        assert "The chains did not agree after 12 steps of warm-up" in posterior.verdict

    def test_chains_agree_or_not_by_what_they_draw(self) -> None:
        rng = np.random.default_rng(1)
        same = [_course(rng.integers(50, 60, 100), rng.random((100, 2))) for _ in range(3)]
        assert sampling._agree(same)
        far = [*same[:2], _course(rng.integers(80, 90, 100), rng.random((100, 2)))]
        assert not sampling._agree(far)
        other = [*same[:2], _course(rng.integers(50, 60, 100), rng.random((100, 2)) + np.array([0.0, 0.5]))]
        assert not sampling._agree(other)

    def test_the_first_half_and_what_is_fixed_do_not_count(self) -> None:
        rng = np.random.default_rng(2)
        start = [np.concatenate([np.full(50, at), rng.integers(50, 60, 50)]) for at in (1, 100)]
        assert sampling._agree([_course(counts, np.full((100, 1), 0.05)) for counts in start])

    def test_one_chain_agrees_with_itself(self) -> None:
        posterior = resolve(records(), chains=1, tune=None, draws=2)
        assert posterior.draws == 2


class _course:  # noqa: N801
    """What `_agree` looks at of a chain."""

    def __init__(self, counts: Any, psi: Any) -> None:
        self.counts, self.psi = counts.tolist(), list(psi)
