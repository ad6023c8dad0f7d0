"""Exchangeable sequences of clusters."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.partition import SizeTable
from coterie.priors.compound import Renewal, log_prob_sizes, log_size_steps, log_weights_of_sizes, renewal_weights
from coterie.priors.counts import COUNT_LAW, CountLaw
from coterie.priors.law import Floats, Integers, Law, log_arrangement
from coterie.priors.parameters import Domain


@dataclass(frozen=True)
class ESC(Law):
    """The exchangeable sequence of clusters of Betancourt, Zanella & Steorts (2020), for a given μ.

    Cluster sizes are independent draws from μ, given that some of the first of them add up to N (event E_N):

        P(C_N | N) = k! / N! · ∏_c |c|! μ_|c| / P(E_N),      k = |C_N|

    It takes N as given, so `log_prob` and `log_prob(given_n=True)` agree. Choose it when you know, or want to
    learn, the size distribution, but have no opinion about the number of clusters. It is NBD with a = 1 in the
    limit q → 1.

    Parameters
    ----------
    mu
        The law of a cluster's size: the vector of the probabilities of 1, 2, …, or a `CountLaw` such as
        ``priors.ShiftedNegBin(r=1, p=0.3)``.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> law = priors.ESC(mu=[0.5, 0.5])
    >>> round(law.log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -1.321756
    """

    mu: CountLaw
    domains: ClassVar[dict[str, Domain]] = {
        "mu": COUNT_LAW,
    }

    @property
    def product_form(self) -> tuple[float, float]:
        """The step is 1 + k."""
        return 1.0, 1.0

    def _log_prob(self, table: SizeTable) -> float:
        weight = self._draws(int(np.dot(*table))).log_weight
        return log_arrangement(table) + log_prob_sizes(self.mu, table) - weight

    def _log_prob_given_n(self, table: SizeTable) -> float:
        return self._log_prob(table)

    def _draws(self, n: int) -> Renewal:
        return renewal_weights(1.0, 1.0, self.mu, n)

    def log_sizes(self, n: int) -> Floats:
        self.check_known()
        return log_weights_of_sizes(self.mu, n)

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.log(k + 1.0)

    def _log_size_steps(self, s: Integers) -> Floats:
        return log_size_steps(self.mu, s)
