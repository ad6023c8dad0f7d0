"""The Poisson limit of NBNB and NBD."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.partition import SizeTable
from coterie.priors.compound import (
    CompoundLaw,
    Floats,
    Integers,
    Renewal,
    log_prob_sizes,
    log_size_steps,
    log_weights_of_sizes,
    renewal_weights,
)
from coterie.priors.counts import COUNT_LAW, CountLaw, TruncatedPoisson
from coterie.priors.law import log_arrangement
from coterie.priors.parameters import POSITIVE, Domain
from coterie.special import log_factorial, log_poisson


@dataclass(frozen=True)
class CompoundPoisson(CompoundLaw):
    """The limit of NBD, and of NBNB, for a → ∞: a Poisson number of clusters with independent sizes.

    With k = |C_N|:

        P(C_N) = αᵏ e^{−α} / N! · ∏_c |c|! μ_|c|
        P(C_N | N) ∝ αᵏ ∏_c |c|! μ_|c|

    A single partition holds one number of clusters, which cannot tell its spread, so the fit of NBNB and of NBD
    always ends here: with a log-series μ it is the Dirichlet process given N, with a truncated Poisson μ PERPS.

    Parameters
    ----------
    alpha
        The expected number of clusters, above 0.
    mu
        The law of a cluster's size, as for `NBD`.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> p = Partition.from_sizes({1: 3, 2: 1})
    >>> ewens = priors.CompoundPoisson(alpha=2 * np.log(2), mu=priors.LogSeries(0.5))
    >>> abs(ewens.log_prob(p, given_n=True) - priors.DirichletProcess(theta=2).log_prob(p)) < 1e-12
    True
    """

    alpha: float
    mu: CountLaw
    domains: ClassVar[dict[str, Domain]] = {
        "alpha": POSITIVE,
        "mu": COUNT_LAW,
    }

    @property
    def _number(self) -> CountLaw:
        return TruncatedPoisson(self.alpha)

    @property
    def _sizes(self) -> CountLaw:
        return self.mu

    def _log_number(self, k: int) -> float:
        return float(log_poisson(k, self.alpha))

    def _log_prob_given_n(self, table: SizeTable) -> float:
        # Both P(C_N) and P(N) have the factor e^−α, which may be tiny, and is left out of both.
        k = int(table.counts.sum())
        log_number = k * math.log(self.alpha) - float(log_factorial(k))
        log_weight = self._draws(int(np.dot(*table))).log_weight
        return log_number + log_arrangement(table) + log_prob_sizes(self.mu, table) - log_weight

    def _draws(self, n: int) -> Renewal:
        return renewal_weights(0.0, float(self.alpha), self.mu, n)

    def log_sizes(self, n: int) -> Floats:
        self.check_known()
        return log_weights_of_sizes(self.mu, n)

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.full(k.size, math.log(self.alpha))

    def _log_size_steps(self, s: Integers) -> Floats:
        return log_size_steps(self.mu, s)
