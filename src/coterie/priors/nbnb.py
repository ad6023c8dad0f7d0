"""The NegBin–NegBin law, the paper's own."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.components import Components
from coterie.priors.compound import CompoundLaw, Floats, Integers
from coterie.priors.counts import TruncatedNegBin
from coterie.priors.law import UrnDraws
from coterie.priors.parameters import (
    POSITIVE,
    PROBABILITY,
    Domain,
    complement,
    log_complement,
    log_of,
    one_minus,
)
from coterie.special import increasing_root, log_negbin

# The shares of log q and log(1−p) in L are at least e^−300, so that neither q nor 1 − p underflows.
FURTHEST = 300.0


@dataclass(frozen=True)
class NBNB(CompoundLaw):
    """The NegBin–NegBin law of section 3: K ~ NegBin(a, q), and N_1, …, N_K | K ~ NegBin(r, p), some of them 0.

    Eq. 3, with k = |C_N| and L = log q + r log(1−p):

        P(C_N) = pᴺ/N! · a⁽ᵏ⁾ (1−q)ᵃ e^{kL} / (1 − e^L)^{a+k} · ∏_c r⁽|c|⁾
        P(C_N | N) ∝ a⁽ᵏ⁾ βᵏ ∏_c r⁽|c|⁾,      β = e^L / (1 − e^L)       (eq. 4)

    Here NegBin(a, q) has P(K) = a⁽ᴷ⁾/K! (1−q)ᵃ qᴷ, and its mean is aq/(1−q).

    Choose it for entity resolution, when clusters stay small however large the file: a and q say how many
    entities to expect and how sure that is, r and p how many records an entity has. It fits the data of the
    paper better than its rivals, and it takes in PERPS as its limit for r, a → ∞.

    Parameters
    ----------
    a, q
        Shape, above 0, and probability, strictly between 0 and 1, of the number of entities.
    r, p
        Shape, above 0, and probability, strictly between 0 and 1, of the number of records of an entity.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> law = priors.NBNB(a=1, q=0.9, r=6, p=1/3)
    >>> round(law.log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -5.996982
    """

    a: float
    q: float
    r: float
    p: float
    domains: ClassVar[dict[str, Domain]] = {"a": POSITIVE, "q": PROBABILITY, "r": POSITIVE, "p": PROBABILITY}

    @property
    def _log_zero(self) -> float:
        """Log (1−p)^r, the log probability that an entity has no record."""
        return self.r * log_complement(self.p)

    @property
    def _log_l(self) -> float:
        """L = log q + r log(1−p)."""
        return log_of(self.q) + self._log_zero

    @property
    def q_seen(self) -> float:
        """The probability q' of |C_N| ~ NegBin(a, q'), the number of entities that have a record."""
        below = -math.expm1(self._log_l)
        if self.q * -math.expm1(self._log_zero) < 0.5 * below:
            return self.q * -math.expm1(self._log_zero) / below
        return one_minus(complement(self.q) / below)

    @property
    def _number(self) -> TruncatedNegBin:
        return TruncatedNegBin(self.a, self.q_seen)

    @property
    def _sizes(self) -> TruncatedNegBin:
        return TruncatedNegBin(self.r, self.p)

    def _log_number(self, k: int) -> float:
        return float(log_negbin(k, self.a, self.q_seen, complement(self.q_seen)))

    @property
    def product_form(self) -> tuple[float, float]:
        """The step is (a + k) β."""
        return self.a, math.exp(self._log_l) / -math.expm1(self._log_l)

    def _components(self, n: int) -> Components:
        """The law of K given N: P(K | N) ∝ NegBin(K; a, q) · NegBin(N; K r, p)."""

        def log_weight(k: Floats) -> Floats:
            number = log_negbin(k, self.a, self.q, complement(self.q))
            return number + log_negbin(n, k * self.r, self.p, complement(self.p))

        return Components(log_weight, first=1)

    def _tilted(self, n: int) -> "NBNB":
        """Return the law with the same a, r and L, hence the same P(C_N | N), under which N has the mean n.

        There P(N = n) is large, so that nothing cancels in P(C_N) / P(N). −L is shared out between −log q and
        −r log(1−p), in the proportion 1 : e^y.
        """

        def shares(y: float) -> tuple[float, float]:
            return -self._log_l / (1.0 + math.exp(y)), -self._log_l / (1.0 + math.exp(-y)) / self.r

        def log_mean(y: float) -> float:
            of_q, of_p = shares(y)
            return math.log(self.a) - _log_expm1(of_q) + math.log(self.r) + _log_expm1(of_p)

        of_q, of_p = shares(increasing_root(lambda y: log_mean(y) - math.log(n), -FURTHEST, FURTHEST))
        q = math.exp(-of_q) if of_q > 0.5 else one_minus(-math.expm1(-of_q))
        p = -math.expm1(-of_p) if of_p < 0.5 else one_minus(math.exp(-of_p))
        return NBNB(self.a, q, self.r, p)

    def _log_prob_given_n(self, table: SizeTable) -> float:
        n = int(np.dot(*table))
        law = self._tilted(n)
        return law._log_prob(table) - law._components(n).log_sum()

    def _draws(self, n: int) -> UrnDraws:
        components = self._tilted(n)._components(n)

        def make_urn(rng: np.random.Generator) -> Urn:
            # Dirichlet-multinomial sizes over K components: r (K − k) for a new one, r + s for one of s elements.
            return Urn(self.r, components.draw(rng), -1.0, self.r + 1.0, 1.0)

        return UrnDraws(n, make_urn)

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.log(self.a + k) + self._log_l - math.log(-math.expm1(self._log_l))

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.log(self.r + s)

    @property
    def straight_join(self) -> tuple[float, float]:
        """A cluster of s elements is joined with weight s + r."""
        return 1.0, self.r


def _log_expm1(x: float) -> float:
    """Return log(e^x − 1) for x > 0, however large or small."""
    return x + math.log(-math.expm1(-x))
