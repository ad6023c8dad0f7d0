"""The negative binomial–Dirichlet law, with its size distribution given."""

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
from coterie.priors.counts import COUNT_LAW, CountLaw, TruncatedNegBin
from coterie.priors.law import log_arrangement
from coterie.priors.parameters import (
    POSITIVE,
    PROBABILITY,
    Domain,
    complement,
    log_of,
)
from coterie.special import log_factorial, log_negbin, log_rising


@dataclass(frozen=True)
class NBD(CompoundLaw):
    """The NegBin–Dirichlet law of Zanella et al. (2016), for a given size distribution μ.

    The number of clusters is k ~ NegBin(a, q), none of them empty, and sizes are independent draws from μ:

        P(C_N) = a⁽ᵏ⁾ qᵏ (1−q)ᵃ / N! · ∏_c |c|! μ_|c|
        P(C_N | N) ∝ a⁽ᵏ⁾ qᵏ ∏_c |c|! μ_|c|

    Choose it when you know, or want to learn, how many entities have one, two, three records: any shape of μ is
    allowed. NBNB is the special case of a zero-truncated negative binomial μ. (In the paper of 2016 μ itself is
    random, a Dirichlet around a given law.)

    Parameters
    ----------
    a, q
        Shape, above 0, and probability, strictly between 0 and 1, of the number of clusters.
    mu
        The law of a cluster's size: the vector of the probabilities of 1, 2, …, or a `CountLaw` such as
        ``priors.ShiftedNegBin(r=1, p=0.3)``.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> law = priors.NBD(a=1, q=0.5, mu=[0.6, 0.3, 0.1])
    >>> round(law.log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -4.199705
    """

    a: float
    q: float
    mu: CountLaw
    domains: ClassVar[dict[str, Domain]] = {
        "a": POSITIVE,
        "q": PROBABILITY,
        "mu": COUNT_LAW,
    }

    @property
    def _number(self) -> TruncatedNegBin:
        return TruncatedNegBin(self.a, self.q)

    @property
    def _sizes(self) -> CountLaw:
        return self.mu

    def _log_number(self, k: int) -> float:
        return float(log_negbin(k, self.a, self.q, complement(self.q)))

    def _log_prob_given_n(self, table: SizeTable) -> float:
        # Both P(C_N) and P(N) have the factor (1−q)ᵃ, which may be tiny, and is left out of both.
        k = int(table.counts.sum())
        log_number = float(log_rising(self.a, k)) + k * log_of(self.q) - float(log_factorial(k))
        log_weight = self._draws(int(np.dot(*table))).log_weight
        return log_number + log_arrangement(table) + log_prob_sizes(self.mu, table) - log_weight

    @property
    def product_form(self) -> tuple[float, float]:
        """The step is (a + k) q."""
        return self.a, float(self.q)

    def _draws(self, n: int) -> Renewal:
        return renewal_weights(float(self.q), float(self.a * self.q), self.mu, n)

    def log_sizes(self, n: int) -> Floats:
        self.check_known()
        return log_weights_of_sizes(self.mu, n)

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.log(self.a + k) + log_of(self.q)

    def _log_size_steps(self, s: Integers) -> Floats:
        return log_size_steps(self.mu, s)
