"""The mixture of finite mixtures."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from coterie.errors import InputError
from coterie.kernels import mixing
from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.components import Components
from coterie.priors.counts import COUNT_LAW, CountLaw, Exactly, Probabilities
from coterie.priors.exchangeable import ExchangeableLaw
from coterie.priors.finite_dirichlet import log_left, log_prob_of_components
from coterie.priors.law import Floats, Integers, UrnDraws
from coterie.priors.parameters import POSITIVE, Domain
from coterie.special import log_rising, log_sum_exp

# More values of K than this would make the table of V_N too slow to be of use.
MOST_COMPONENTS = 2**22


@dataclass(frozen=True)
class MixtureOfFiniteMixtures(ExchangeableLaw):
    """The mixture of finite Dirichlet mixtures whose number of components K is random (Miller & Harrison 2018).

    With k = |C_N| and p_K the law of K:

        P(C_N) = V_N(k) ∏_c γ⁽|c|⁾,      V_N(k) = Σ_K p_K(K) · K!/(K−k)! / (Kγ)⁽ᴺ⁾

    Choose it when there is a fixed, unknown number of groups that more data would only fill up. The figures that
    the paper gives come out with K = 100,000, or Poisson around it (the paper does not state p_K).

    Parameters
    ----------
    gamma
        The weight of each component in the Dirichlet law, above 0.
    components
        The law of K: a `CountLaw` such as ``priors.ShiftedPoisson(99)``, ``priors.Exactly(100_000)`` or
        ``priors.ShiftedNegBin(r=1, p=0.9)``, or the vector of the probabilities of 1, 2, ….

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> law = priors.MixtureOfFiniteMixtures(gamma=1, components=[0.5, 0.5])
    >>> round(law.log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -2.484907
    """

    gamma: float
    components: CountLaw
    domains: ClassVar[dict[str, Domain]] = {
        "gamma": POSITIVE,
        "components": COUNT_LAW,
    }

    def _log_prob(self, table: SizeTable) -> float:
        k = float(table.counts.sum())

        def log_weight(m: Floats) -> Floats:
            return self.components.log_pmf(m) + log_prob_of_components(table, m, self.gamma)

        last = self.components.last
        if k > last:
            return -np.inf
        if isinstance(self.components, Exactly):
            return float(log_weight(np.array([last]))[0])
        if isinstance(self.components, Probabilities):  # which may have gaps and many modes
            return log_sum_exp(log_weight(np.arange(k, last + 1)))
        return Components(log_weight, first=k, last=last).log_sum()

    def _draws(self, n: int) -> UrnDraws:
        def make_urn(rng: np.random.Generator) -> Urn:
            # K is independent of N.
            return Urn(self.gamma, float(self.components.sample(rng, 1)[0]), -1.0, self.gamma + 1.0, 1.0)

        return UrnDraws(n, make_urn)

    def _log_count_steps(self, k: Integers) -> Floats:
        if isinstance(self.components, Exactly):
            return log_left(self.components.m, k)
        first, last = self._range(k.size)
        m = np.arange(first, last + 1.0)
        log_ratios = np.empty(k.size)
        mixing.fill_log_ratios(self._log_weight(m, k.size), int(first), log_ratios)
        return log_ratios

    def _log_weight(self, m: Floats, n: int) -> Floats:
        return self.components.log_pmf(m) - log_rising(m * self.gamma, n)

    def _range(self, n: int) -> tuple[float, float]:
        """Return a range of K that holds the weights of V_n(k) for every k from 0 to n − 1."""
        last = self.components.last
        if last <= MOST_COMPONENTS:
            return 1.0, last

        def with_all_founders(m: Floats) -> Floats:
            return self._log_weight(m, n) + gammaln(m + 1.0) - gammaln(m - n + 1.0)

        last = Components(with_all_founders, first=min(n, last), last=last).high
        first = Components(lambda m: self._log_weight(m, n), first=1).low
        if last - first > MOST_COMPONENTS:
            got = f"{self.components!r}, with K up to {last:.3g}"
            hint = "Choose a law of K with a smaller spread, or Exactly(m)."
            raise InputError(f"a law of K with at most {MOST_COMPONENTS} likely values", got, hint)
        return first, last

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.log(self.gamma + s)

    @property
    def straight_join(self) -> tuple[float, float]:
        """A cluster of s elements is joined with weight s + γ."""
        return 1.0, self.gamma
