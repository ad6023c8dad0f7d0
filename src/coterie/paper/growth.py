"""Figure 3: the share M_N/N of the largest cluster against N (appendix C)."""

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie import priors
from coterie.paper.effort import Effort
from coterie.paper.published import MICROCLUSTERING
from coterie.paper.track import Track
from coterie.partition import Partition
from coterie.priors.law import Law
from coterie.reseating import reseat
from coterie.special import log_negbin

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# The NBNB law of appendix C, and for contrast two exchangeable laws with few and with more clusters.
LAWS: MappingProxyType[str, Law] = MappingProxyType(
    {
        "NBNB": priors.NBNB(MICROCLUSTERING.a, MICROCLUSTERING.q, MICROCLUSTERING.r, MICROCLUSTERING.p),
        "DP": priors.DirichletProcess(theta=1.0),
        "PYP": priors.PitmanYor(theta=1.0, delta=0.5),
    }
)
# Slopes are fitted from this N on: below it every law is far from its limit.
SLOPE_FROM = 100


class Growth(NamedTuple):
    """Sizes of the largest cluster in draws."""

    exact: dict[tuple[str, int], Integers]  # by law and N
    reseated: dict[int, Integers]  # by N: the last state of each run
    burn_in: dict[int, Integers]  # by sweeps so far, at the largest N that was reseated
    longest: int  # that N


class Agreement(NamedTuple):
    """The reseating algorithm against exact draws at one N."""

    n: int
    runs: int
    median_reseated: float
    median_exact: float
    larger: float  # P(M reseated > M exact) + ½ P(equal): one half where both have the same law
    p_value: float  # Mann–Whitney, two-sided, with ties
    holm: float  # the same, allowing for all N that are tested


class Slope(NamedTuple):
    """The slope of log median M_N/N against log N, with a 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """What the slope says: "falls", "levels off" or "undecided"."""
        # A slope of 0.05 changes the share by a ninth over a decade, which counts as level here.
        if self.high < -0.05:
            return "falls"
        return "levels off" if self.low > -0.05 and self.high < 0.05 else "undecided"


def grow(effort: Effort, seed: np.random.SeedSequence, track: Track) -> Growth:
    """Make all draws of figure 3."""
    for_exact, for_reseating = seed.spawn(2)
    keys = [(name, n) for name in LAWS for n in effort.sizes]
    jobs = list(zip(keys, for_exact.spawn(len(keys)), strict=True))
    exact = {}
    for (name, n), child in track(jobs, len(jobs), "Drawing exactly for figure 3"):
        draws = LAWS[name].sample_sizes(n, effort.growth_draws, child)
        exact[name, n] = np.array([sizes.max() for sizes in draws])

    # The longest runs first, so that no core is left alone with one of them at the end.
    runs = [n for n in sorted(effort.reseated_sizes, reverse=True) for _ in range(effort.replicates(n))]
    longest = max(effort.reseated_sizes)
    every = checkpoints(effort.sweeps)
    states = np.array(list(_reseat_all(runs, every, for_reseating, track)))
    reseated = {n: states[np.equal(runs, n), -1] for n in effort.reseated_sizes}
    burn_in = {sweeps: states[np.equal(runs, longest), i] for i, sweeps in enumerate(every)}
    return Growth(exact, reseated, burn_in, longest)


def checkpoints(sweeps: int) -> list[int]:
    """Return the numbers of sweeps after which a run is looked at: 1, 3, 10, 30, … and the last.

    Examples
    --------
    >>> checkpoints(100)
    [1, 3, 10, 30, 100]
    """
    marks = sorted(m * 10**power for power in range(9) for m in (1, 3))
    return [mark for mark in marks if mark < sweeps] + [sweeps]


def _reseat_all(
    runs: list[int], every: list[int], seed: np.random.SeedSequence, track: Track
) -> Iterator[list[int]]:
    """Run the reseating algorithm at each N of the list, on all cores; each run has its own random stream."""
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        states = pool.map(lambda n, child: reseat_from_one_cluster(n, every, child), runs, seed.spawn(len(runs)))
        yield from track(states, len(runs), "Reseating for figure 3")
    finally:
        pool.shutdown(cancel_futures=True)


def reseat_from_one_cluster(n: int, every: list[int], seed: np.random.SeedSequence) -> list[int]:
    """Return the size of the largest cluster after each of these numbers of sweeps from one cluster."""
    rng = np.random.default_rng(seed)
    partition, done, largest = Partition.from_sizes([n]), 0, []
    for sweeps in every:
        partition = reseat(LAWS["NBNB"], partition, sweeps - done, rng)
        done = sweeps
        largest.append(int(partition.sizes.max()))
    return largest


def agreements(growth: Growth) -> list[Agreement]:
    """Compare the reseating algorithm with exact draws at each N by the test of Mann and Whitney."""
    rows = [compare(n, reseated, growth.exact["NBNB", n]) for n, reseated in growth.reseated.items()]
    return [row._replace(holm=p) for row, p in zip(rows, holm([row.p_value for row in rows]), strict=True)]


def compare(n: int, reseated: Integers, exact: Integers) -> Agreement:
    """Test whether two samples of the largest cluster have the same law."""
    from scipy.stats import mannwhitneyu

    medians = float(np.median(reseated)), float(np.median(exact))
    if np.unique(np.concatenate([reseated, exact])).size == 1:
        return Agreement(n, reseated.size, *medians, 0.5, 1.0, 1.0)
    test = mannwhitneyu(reseated, exact, alternative="two-sided", method="asymptotic")
    p_value = float(test.pvalue)
    return Agreement(
        n, reseated.size, *medians, float(test.statistic) / reseated.size / exact.size, p_value, p_value
    )


def holm(p_values: list[float]) -> list[float]:
    """Return p-values that allow for their number (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.5, 0.04])
    [0.03, 0.5, 0.08]
    """
    order = np.argsort(p_values, kind="stable")
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def slopes(growth: Growth, resamples: int, seed: np.random.SeedSequence) -> dict[str, Slope]:
    """Fit the slope for each law's exact draws, and for the reseating algorithm."""
    samples = {name: {n: m for (law, n), m in growth.exact.items() if law == name} for name in LAWS}
    samples["NBNB, reseating"] = growth.reseated
    children = seed.spawn(len(samples))
    return {
        name: slope(sample, resamples, np.random.default_rng(child))
        for (name, sample), child in zip(samples.items(), children, strict=True)
    }


def slope(samples: dict[int, Integers], resamples: int, rng: np.random.Generator) -> Slope:
    """Fit the slope by least squares to the medians at N ≥ 100; resample the draws at each N for the interval."""
    ns = [n for n in samples if n >= SLOPE_FROM]

    def fitted(draws: list[Integers]) -> float:
        shares = [np.median(m) / n for n, m in zip(ns, draws, strict=True)]
        return float(np.polyfit(np.log(ns), np.log(shares), 1)[0])

    draws = [samples[n] for n in ns]
    again = [fitted([rng.choice(m, m.size) for m in draws]) for _ in range(resamples)]
    low, high = np.quantile(again, [0.025, 0.975])
    return Slope(fitted(draws), float(low), float(high))


def predicted_median(n: int) -> int:
    """Return the median of M_N that independent cluster sizes would have under the law of appendix C.

    Given a large N the sizes are nearly independent draws from NegBin(r, z) without zero, z = 1 − q^{1/r} (1−p),
    the tilt at which β((1−z)^{−r} − 1) = 1. Its tail is geometric, so M_N grows like log N / log(1/z).
    """
    law = LAWS["NBNB"].parameters
    r = law["r"]
    z = tilt()
    zero = (1 - z) ** r
    clusters = n * (1 - zero) * (1 - z) / (r * z)
    up_to = (np.cumsum(np.exp(log_negbin(np.arange(10_000), r, z, 1 - z))) - zero) / (1 - zero)
    return int(np.argmax(clusters * np.log(np.maximum(up_to, 1e-300)) >= math.log(0.5)))


def tilt() -> float:
    """Return z = 1 − q^{1/r} (1−p) of the law of appendix C."""
    law = LAWS["NBNB"].parameters
    return 1.0 - law["q"] ** (1.0 / law["r"]) * (1.0 - law["p"])
