"""The exact law of a random step, by following every branch of the code that the sampler itself runs.

A step is run again and again with its coins scripted: `flip` and `accept` look up the next outcome in a script and
multiply the probability of the run by that of the outcome. All else is the sampler's own compiled code.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest

from coterie.kernels import chaperones, clusters, scan, split_merge
from coterie.kernels.bench import Model
from coterie.sampler import Target, Work
from coterie.sampler.work import seat
from sampler.parts import called, plain

Labels = tuple[int, ...]

UNIFORMS = (0.03, 0.3, 0.7, 0.97)


class Script:
    """Outcomes that are prescribed so far; beyond them True, and the way not taken is kept for later."""

    def __init__(self) -> None:
        self.todo: list[list[bool]] = [[]]

    def runs(self) -> Iterator["Script"]:
        """Yield once for each branch; ``probability`` is that of the branch that was just run."""
        while self.todo:
            self.prescribed, self.taken, self.probability = self.todo.pop(), [], 1.0
            yield self

    def outcome(self, probability: float) -> bool:
        """Return the next outcome of a coin that shows True with this probability."""
        assert not math.isnan(probability)
        if len(self.taken) < len(self.prescribed):
            heads = self.prescribed[len(self.taken)]
        else:
            heads = probability > 0.0
            if 0.0 < probability < 1.0:
                self.todo.append([*self.taken, False])
        self.taken.append(heads)
        self.probability *= probability if heads else 1.0 - probability
        return heads


@contextmanager
def scripted(script: Script, order: Callable[[int], list[int]] | None = None) -> Iterator[None]:
    """Let the coins of chaperones and split–merge steps be told by a script.

    Where a bound would spare the odds, they are worked out all the same, and the bound must agree with them.
    """
    draw_side, log_place, probability = map(
        called, (chaperones.draw_side, chaperones.log_place, chaperones.probability)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_merge, "flip", lambda _, log_odds: script.outcome(probability(log_odds)))

        def draw(_: float, a: int, other: int, k: int, model: Any, bench: Any, slots: Any) -> int:
            memo = bench.memo.copy()
            by_bound = []
            for u in UNIFORMS if other != a else ():
                by_bound.append(draw_side(u, a, other, k, model, bench, slots))
                bench.memo[:] = memo
            log_zero = log_place(a, 0, k, model, bench, slots)
            p = probability(log_place(a, 1, k, model, bench, slots) - log_zero)
            for u, side in zip(UNIFORMS, by_bound, strict=False):
                assert side == (1 if u < p else 0), f"u = {u} leads to side {side}, but side 1 has probability {p}"
            return int(script.outcome(p))

        patch.setattr(chaperones, "draw_side", draw)
        patch.setattr(
            split_merge, "accept", lambda _, log_ratio: script.outcome(math.exp(min(0.0, float(log_ratio))))
        )
        if order is not None:

            def put(_: Any, array: np.ndarray, count: int) -> None:
                array[:count] = order(count)

            patch.setattr(split_merge, "shuffle", put)
        # Each after those that it calls.
        for module, name in [
            (chaperones, "step"),
            (split_merge, "allocate"),
            (split_merge, "step"),
            (scan, "act"),
            (scan, "act_with_slots"),
        ]:
            patch.setattr(module, name, plain(getattr(module, name)))
        yield


class Scene(NamedTuple):
    """A target, the work space of a chain, and what a step takes as given."""

    target: Target
    work: Work
    model: Model

    def begin(self, labels: Labels) -> None:
        """Seat a partition of units, and work out its evidence."""
        seat(np.array(labels, np.int32), self.target, self.work)
        rate = np.ones(self.target.i.size, np.float32)
        pairs = scan.Pairs(self.target.i, self.target.j, rate, self.work.log_bayes)
        scan.refresh(pairs, self.work.alone, self.work.clusters, self.model, self.work.bench)
        scan.fill_bayes(pairs, self.work.alone, self.model)

    def end(self) -> Labels:
        """Return where the step has led, and check that nothing about the clusters is stale."""
        rings = self.work.clusters
        labels = tuple(int(label) for label in rings.label)
        again = clusters.Clusters(*(array.copy() for array in rings))
        clusters.tie_all(np.array(labels), self.target.units.begin, again)
        heads = sorted(set(labels))
        assert np.array_equal(rings.after, again.after)
        assert np.array_equal(rings.size[heads], again.size[heads])
        assert rings.k[0] == again.k[0] == len(heads)
        log_r = rings.log_r[heads].copy()
        pairs = scan.Pairs(
            self.target.i, self.target.j, np.ones(self.target.i.size, np.float32), self.work.log_bayes
        )
        scan.refresh(pairs, self.work.alone, rings, self.model, self.work.bench)
        assert np.allclose(log_r, rings.log_r[heads], rtol=0, atol=1e-9)
        return labels


def arrivals(scene: Scene, split: bool, i: int, j: int, labels: Labels, order: Any = None) -> dict[Labels, float]:
    """Return {where a step of chaperones, or a split–merge step, with i and j leads: how probably}.

    log R of both together is passed on as it is in a scan, where i and j are a candidate pair.
    """
    found: dict[Labels, float] = {}
    script = Script()
    with scripted(script, order):
        for run in script.runs():
            scene.begin(labels)
            log_r = np.nan
            for p in np.flatnonzero((scene.target.i == min(i, j)) & (scene.target.j == max(i, j))):
                log_r = scene.work.log_bayes[p] + scene.work.alone[i] + scene.work.alone[j]
            plain(scan.visit)(
                np.random.default_rng(0),
                i,
                j,
                split,
                scene.work.clusters,
                log_r,
                scene.model,
                scene.work.bench,
            )
            arrival = scene.end()
            found[arrival] = found.get(arrival, 0.0) + run.probability
    return found


class Coin(NamedTuple):
    """Stands for the uniform of one decision: whether it is below a probability is told by a script."""

    script: Script

    def __lt__(self, probability: Any) -> bool:
        return self.script.outcome(float(probability))


def arrivals_of_pair(scene: Scene, p: int, labels: Labels) -> dict[Labels, float]:
    """Return the same for the quick way with candidate pair p, whose members are with nobody else."""
    rings, log_bayes = scene.work.clusters, scene.work.log_bayes
    i, j = int(scene.target.i[p]), int(scene.target.j[p])
    found: dict[Labels, float] = {}
    script = Script()
    for run in script.runs():
        scene.begin(labels)
        coin: Any = Coin(script)
        plain(scan.step_of_pair)(coin, i, j, log_bayes[p], scene.work.alone, rings, scene.model)
        arrival = scene.end()
        found[arrival] = found.get(arrival, 0.0) + run.probability
    return found
