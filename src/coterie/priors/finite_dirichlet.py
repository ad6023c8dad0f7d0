"""The finite mixture with Dirichlet weights."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.exchangeable import ExchangeableLaw, log_eppf
from coterie.priors.law import Floats, Integers, UrnDraws
from coterie.priors.parameters import POSITIVE, WHOLE, Domain
from coterie.special import log_falling_excess


@dataclass(frozen=True)
class FiniteDirichlet(ExchangeableLaw):
    """The partition of a mixture of M components whose weights are Dirichlet(γ, …, γ).

    With k = |C_N|:

        P(C_N) = M!/(M−k)! / (Mγ)⁽ᴺ⁾ · ∏_c γ⁽|c|⁾

    Choose it when the number of entities is known but for those without a record. γ → ∞ gives the linkage
    structure prior; M → ∞ with Mγ = θ the Dirichlet process.

    Parameters
    ----------
    m
        The number of components, a whole number from 1 on.
    gamma
        The weight of each component in the Dirichlet law, above 0.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> round(priors.FiniteDirichlet(m=2, gamma=1).log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -1.791759
    """

    m: int
    gamma: float
    domains: ClassVar[dict[str, Domain]] = {"m": WHOLE, "gamma": POSITIVE}

    def _log_prob(self, table: SizeTable) -> float:
        return float(log_prob_of_components(table, np.array(float(self.m)), self.gamma))

    def _draws(self, n: int) -> UrnDraws:
        urn = Urn(self.gamma, float(self.m), -1.0, self.gamma + 1.0, 1.0)
        return UrnDraws(n, lambda rng: urn)  # noqa: ARG005

    def _log_count_steps(self, k: Integers) -> Floats:
        return log_left(self.m, k)

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.log(self.gamma + s)

    @property
    def straight_join(self) -> tuple[float, float]:
        """A cluster of s elements is joined with weight s + γ."""
        return 1.0, self.gamma


def log_prob_of_components(table: SizeTable, m: Floats, gamma: float) -> Floats:
    """Return log P(C_N) for each number of components m."""
    k = int(table.counts.sum())
    others = np.maximum(m - 1.0, 1.0)
    founders = log_falling_excess(others, np.minimum(k - 1.0, others))
    with np.errstate(divide="ignore"):
        return np.where(m >= k, log_eppf(table, m * gamma, -gamma, founders), -np.inf)


def log_left(m: int, k: Integers) -> Floats:
    """Return log(M − k), the log of the number of labels that k clusters leave."""
    left = np.maximum(m - k.astype(np.float64), 0.0)
    return np.where(left > 0, np.log(np.maximum(left, 1.0)), -math.inf)
