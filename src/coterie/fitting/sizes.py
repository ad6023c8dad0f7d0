"""Maximum likelihood for a law of cluster sizes, given independent sizes."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from coterie.errors import InputError
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


class SizeFit(NamedTuple):
    """The best law of sizes inside the family, and where the family's edge is better, the law there."""

    law: CountLaw
    boundary: tuple[str, ...] = ()
    limit: CountLaw | None = None


def fit_sizes(family: type[CountLaw] | CountLaw | Any, table: SizeTable) -> SizeFit:
    """Fit a family of laws to cluster sizes; a law or a vector is taken as it is."""
    if not isinstance(family, type):
        return SizeFit(count_law("mu", family))
    if family not in _RULES:
        hint = f"Choose one of {', '.join(rule.__name__ for rule in _RULES)}, or fix 'mu' to a law."
        raise InputError("a family of size distributions", family.__name__, hint)
    return _RULES[family](table)


def mean_size(table: SizeTable) -> float:
    """Return N/k."""
    return float(np.dot(*table)) / float(table.counts.sum())


def fit_truncated_negbin(table: SizeTable, r: float | None = None, p: float | None = None) -> SizeFit:
    """Fit NegBin(r, p) without zero: p from the mean for each r, then the best r."""
    if table.sizes[-1] == 1:
        law = TruncatedNegBin(1.0 if r is None else r, math.exp(-EDGE) if p is None else p)
        return SizeFit(law, ("p → 0",), Exactly(1)) if p is None else SizeFit(law)
    mean = mean_size(table)

    def best(log_r: float) -> TruncatedNegBin:
        if p is not None:
            return TruncatedNegBin(math.exp(log_r), p)
        return TruncatedNegBin(math.exp(log_r), _with_mean(lambda x: TruncatedNegBin(math.exp(log_r), x), mean))

    if r is not None:
        return SizeFit(best(math.log(r)))
    found = maximise_line(lambda log_r: log_prob_sizes(best(log_r), table))
    law, edge = best(found.at[0]), found.edges[0]
    if edge == 1 and p is None:
        return SizeFit(law, ("r → ∞",), fit_sizes(TruncatedPoisson, table).law)
    if edge == -1:
        return SizeFit(law, ("r → 0",), fit_sizes(LogSeries, table).law if p is None else LogSeries(p))
    return SizeFit(law)


def fit_shifted_negbin(table: SizeTable) -> SizeFit:
    """Fit 1 + NegBin(r, p): p from the mean for each r, then the best r."""
    if table.sizes[-1] == 1:
        return SizeFit(ShiftedNegBin(1.0, math.exp(-EDGE)), ("p → 0",), Exactly(1))
    mean = mean_size(table)

    def best(log_r: float) -> ShiftedNegBin:
        return ShiftedNegBin(math.exp(log_r), from_logit(math.log(mean - 1.0) - log_r))

    found = maximise_line(lambda log_r: log_prob_sizes(best(log_r), table))
    if found.edges[0] == 1:
        return SizeFit(best(found.at[0]), ("r → ∞",), ShiftedPoisson(mean - 1.0))
    return SizeFit(best(found.at[0]))


def fit_shifted_poisson(table: SizeTable) -> SizeFit:
    """Fit 1 + Poisson: by the mean."""
    if table.sizes[-1] == 1:
        return SizeFit(ShiftedPoisson(math.exp(-EDGE)), ("rate → 0",), Exactly(1))
    return SizeFit(ShiftedPoisson(mean_size(table) - 1.0))


def fit_truncated_poisson(table: SizeTable) -> SizeFit:
    """Fit Poisson without zero: λ / (1 − e^−λ) is the mean."""
    if table.sizes[-1] == 1:
        return SizeFit(TruncatedPoisson(math.exp(-EDGE)), ("rate → 0",), Exactly(1))
    mean = mean_size(table)
    return SizeFit(TruncatedPoisson(increasing_root(lambda x: TruncatedPoisson(x).mean - mean, 1e-12, mean)))


def fit_log_series(table: SizeTable) -> SizeFit:
    """Fit the log-series: by the mean."""
    if table.sizes[-1] == 1:
        return SizeFit(LogSeries(math.exp(-EDGE)), ("p → 0",), Exactly(1))
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
    # Beyond the logit of 1 − 1e-300 no double is left.
    return from_logit(increasing_root(lambda y: make(from_logit(y)).mean - mean, -EDGE, 690.0))


_RULES: dict[type[CountLaw], Callable[[SizeTable], SizeFit]] = {
    TruncatedNegBin: fit_truncated_negbin,
    ShiftedNegBin: fit_shifted_negbin,
    ShiftedPoisson: fit_shifted_poisson,
    TruncatedPoisson: fit_truncated_poisson,
    LogSeries: fit_log_series,
    Probabilities: fit_probabilities,
    Uniform: fit_uniform,
}
