"""Maximum likelihood for a law of cluster sizes, given independent sizes."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from coterie.fitting.search import EDGE, maximise_line
from coterie.partition import SizeTable
from coterie.priors.compound import log_prob_sizes
from coterie.priors.counts import (
    CountLaw,
    Exactly,
    LogSeries,
    Probabilities,
    ShiftedNegBin,
    ShiftedPoisson,
    TruncatedNegBin,
    TruncatedPoisson,
    Uniform,
    count_law,
)
from coterie.priors.parameters import from_logit
from coterie.special import increasing_root

# Stands for a probability or a rate of zero.
TINY = math.exp(-EDGE)
# What a maximum at −1, 0, 1 of a line of shapes means.
_SHAPE_EDGES: dict[int, tuple[str, ...]] = {-1: ("r → 0",), 0: (), 1: ("r → ∞",)}


class SizeFit(NamedTuple):
    """The best law of sizes inside the family, and where the family's edge is better, the law there."""

    law: CountLaw
    boundary: tuple[str, ...] = ()
    limit: CountLaw | None = None


def fit_sizes(family: type[CountLaw] | CountLaw | Any, table: SizeTable) -> SizeFit:
    """Fit a family of laws to cluster sizes; a law or a vector is taken as it is."""
    if not isinstance(family, type):
        return SizeFit(count_law("mu", family))
    return _RULES[family](table)


def mean_size(table: SizeTable) -> float:
    """Return N/k."""
    return float(np.dot(*table)) / float(table.counts.sum())


def fit_truncated_negbin(table: SizeTable, r: float | None = None, p: float | None = None) -> SizeFit:
    """Fit NegBin(r, p) without zero: p from the mean for each r, then the best r."""
    if table.sizes[-1] == 1 and p is None:
        return _with_limit(TruncatedNegBin(1.0 if r is None else r, TINY), ("p → 0",))
    mean = mean_size(table)

    def best(log_r: float) -> TruncatedNegBin:
        if p is not None:
            return TruncatedNegBin(math.exp(log_r), p)
        return TruncatedNegBin(math.exp(log_r), _with_mean(lambda x: TruncatedNegBin(math.exp(log_r), x), mean))

    if r is not None:
        return SizeFit(best(math.log(r)))
    found = maximise_line(lambda log_r: log_prob_sizes(best(log_r), table))
    return _with_limit(best(found.at[0]), _SHAPE_EDGES[found.edges[0]])


def fit_shifted_negbin(table: SizeTable) -> SizeFit:
    """Fit 1 + NegBin(r, p): p from the mean for each r, then the best r."""
    if table.sizes[-1] == 1:
        return _with_limit(ShiftedNegBin(1.0, TINY), ("p → 0",))
    mean = mean_size(table)

    def best(log_r: float) -> ShiftedNegBin:
        return ShiftedNegBin(math.exp(log_r), from_logit(math.log(mean - 1.0) - log_r))

    found = maximise_line(lambda log_r: log_prob_sizes(best(log_r), table))
    return _with_limit(best(found.at[0]), _SHAPE_EDGES[found.edges[0]])


def fit_shifted_poisson(table: SizeTable) -> SizeFit:
    """Fit 1 + Poisson: by the mean."""
    if table.sizes[-1] == 1:
        return _with_limit(ShiftedPoisson(TINY), ("rate → 0",))
    return SizeFit(ShiftedPoisson(mean_size(table) - 1.0))


def fit_truncated_poisson(table: SizeTable) -> SizeFit:
    """Fit Poisson without zero: λ / (1 − e^−λ) is the mean."""
    if table.sizes[-1] == 1:
        return _with_limit(TruncatedPoisson(TINY), ("rate → 0",))
    mean = mean_size(table)
    return SizeFit(TruncatedPoisson(increasing_root(lambda x: TruncatedPoisson(x).mean - mean, 1e-12, mean)))


def fit_log_series(table: SizeTable) -> SizeFit:
    """Fit the log-series: by the mean."""
    if table.sizes[-1] == 1:
        return _with_limit(LogSeries(TINY), ("p → 0",))
    return SizeFit(LogSeries(_with_mean(LogSeries, mean_size(table))))


def fit_probabilities(table: SizeTable) -> SizeFit:
    """Fit any law at all: the frequencies."""
    frequencies = np.zeros(int(table.sizes[-1]))
    frequencies[table.sizes - 1] = table.counts / table.counts.sum()
    return SizeFit(Probabilities(frequencies))


def fit_uniform(table: SizeTable) -> SizeFit:
    """Fit the uniform law: up to the largest size."""
    return SizeFit(Uniform(int(table.sizes[-1])))


def _with_mean(make: Callable[[float], CountLaw], mean: float) -> float:
    """Return the probability with which a law has this mean."""
    # Beyond the logits of 1e-300 and of 1 − 1e-300 no double is left.
    return from_logit(increasing_root(lambda y: make(from_logit(y)).mean - mean, -690.0, 690.0))


def limit_of_sizes(law: CountLaw, boundary: tuple[str, ...]) -> CountLaw | None:
    """Return the law of sizes beyond the edges that ``law`` has come close to, where there is one."""
    edges = set(boundary)
    if edges & {"p → 0", "rate → 0"}:
        return Exactly(1)
    match law:
        case TruncatedNegBin(r, p) if edges == {"r → ∞"}:
            return TruncatedPoisson(r * p)
        case TruncatedNegBin(_, p) if edges == {"r → 0"}:
            return LogSeries(p)
        case ShiftedNegBin(r, p) if edges == {"r → ∞"}:
            return ShiftedPoisson(r * p)
        case ShiftedNegBin() if edges == {"r → 0"}:
            return Exactly(1)
    return None


def _with_limit(law: CountLaw, boundary: tuple[str, ...]) -> SizeFit:
    return SizeFit(law, boundary, limit_of_sizes(law, boundary))


_RULES: dict[type[CountLaw], Callable[[SizeTable], SizeFit]] = {
    TruncatedNegBin: fit_truncated_negbin,
    ShiftedNegBin: fit_shifted_negbin,
    ShiftedPoisson: fit_shifted_poisson,
    TruncatedPoisson: fit_truncated_poisson,
    LogSeries: fit_log_series,
    Probabilities: fit_probabilities,
    Uniform: fit_uniform,
}

# The families with parameters, which can also be searched together with a law's own.
FAMILIES = [family for family in _RULES if family is not Probabilities]
