"""The permuted Poisson sizes law (appendix A)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.components import Components
from coterie.priors.compound import CompoundLaw, Floats, Integers
from coterie.priors.counts import TruncatedPoisson
from coterie.priors.law import UrnDraws
from coterie.priors.parameters import POSITIVE, Domain
from coterie.special import increasing_root, log_poisson


@dataclass(frozen=True)
class PERPS(CompoundLaw):
    """The permuted Poisson sizes law of appendix A: K ~ Poisson(α), and N_1, …, N_K | K ~ Poisson(λ).

    Eq. 16, with k = |C_N|:

        P(C_N) = λᴺ/N! · αᵏ e^{−λk} · exp(α e^{−λ} − α)
        P(C_N | N) ∝ (α e^{−λ})ᵏ

    It is the limit of NBNB for r = λ/p, a = α/q and p, q → 0. Given K = M and N it is the linkage structure prior
    with M labels, that is, every record is given one of M labels uniformly (Steorts, Hall & Fienberg 2014, 2016).

    Choose it when entities differ in their number of records by chance alone; its clusters are the most even of
    all laws here, and its maximum-likelihood fit has a closed form.

    Parameters
    ----------
    alpha
        The expected number of entities, those without a record included; above 0.
    lam
        The expected number of records of an entity; above 0.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> law = priors.PERPS(alpha=2, lam=1)
    >>> round(law.log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -3.669706
    """

    alpha: float
    lam: float
    domains: ClassVar[dict[str, Domain]] = {"alpha": POSITIVE, "lam": POSITIVE}

    @property
    def _mean_seen(self) -> float:
        """The mean α (1 − e^{−λ}) of |C_N|, which is Poisson."""
        return self.alpha * -math.expm1(-self.lam)

    @property
    def _number(self) -> TruncatedPoisson:
        return TruncatedPoisson(self._mean_seen)

    @property
    def _sizes(self) -> TruncatedPoisson:
        return TruncatedPoisson(self.lam)

    def _log_number(self, k: int) -> float:
        return float(log_poisson(k, self._mean_seen))

    def _components(self, n: int) -> Components:
        """The law of K given N: P(K | N) ∝ Poisson(K; α) · Poisson(N; K λ)."""
        return Components(lambda k: log_poisson(k, self.alpha) + log_poisson(n, k * self.lam), first=1)

    def _tilted(self, n: int) -> "PERPS":
        """Return the law with the same α e^{−λ}, hence the same P(C_N | N), under which N has the mean n.

        There P(N = n) is large, so that nothing cancels in P(C_N) / P(N).
        """
        log_seen_once = math.log(self.alpha) - self.lam
        log_ratio = math.log(n) - log_seen_once
        low, high = min(log_ratio, 0.0) - 1.0, math.log(max(log_ratio, 1.0)) + 1.0
        lam = math.exp(increasing_root(lambda y: y + math.exp(y) - log_ratio, low, high))
        return PERPS(math.exp(log_seen_once + lam), lam)

    def _log_prob_given_n(self, table: SizeTable) -> float:
        n = int(np.dot(*table))
        law = self._tilted(n)
        return law._log_prob(table) - law._components(n).log_sum()

    def _draws(self, n: int) -> UrnDraws:
        components = self._tilted(n)._components(n)

        def make_urn(rng: np.random.Generator) -> Urn:
            # Every element takes one of K labels uniformly.
            return Urn(1.0, components.draw(rng), -1.0, 1.0, 0.0)

        return UrnDraws(n, make_urn)

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.full(k.size, math.log(self.alpha) - self.lam)

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.zeros(s.size)

    @property
    def straight_join(self) -> tuple[float, float]:
        """Every cluster is joined with the same weight."""
        return 0.0, 1.0
