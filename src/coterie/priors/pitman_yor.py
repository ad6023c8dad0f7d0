"""The Pitman–Yor process."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.errors import InputError
from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.exchangeable import ExchangeableLaw, log_eppf
from coterie.priors.law import Floats, Integers, UrnDraws
from coterie.priors.parameters import DISCOUNT, REAL, Domain
from coterie.special import log_rising_excess


@dataclass(frozen=True)
class PitmanYor(ExchangeableLaw):
    """The partition of a Pitman–Yor process mixture (Pitman & Yor 1997; Ishwaran & James 2003).

    With k = |C_N|:

        P(C_N) = ∏_{i=1}^{k−1} (θ + iδ) / (θ+1)⁽ᴺ⁻¹⁾ · ∏_c (1−δ)⁽|c|−1⁾

    The number of clusters grows like N^δ with a long tail of sizes. With δ = 0 it is the Dirichlet process.
    Choose it when a few clusters are very large and most are single.

    Parameters
    ----------
    theta
        The concentration, above −δ.
    delta
        The discount, from 0 to below 1.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> round(priors.PitmanYor(theta=2, delta=0.5).log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -2.261763
    """

    theta: float
    delta: float
    domains: ClassVar[dict[str, Domain]] = {"theta": REAL, "delta": DISCOUNT}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.free and not self.theta + self.delta > 0:
            got = f"theta={self.theta!r} with delta={self.delta!r}"
            raise InputError("a concentration 'theta' above -delta", got, "Choose a larger 'theta'.")

    @property
    def product_form(self) -> tuple[float, float] | None:
        """θ + kδ = (θ/δ + k) δ; with δ = 0 the step is θ whatever k is."""
        return (self.theta / self.delta, self.delta) if self.delta > 0 else None

    def _log_prob(self, table: SizeTable) -> float:
        return float(log_prob_of_concentrations(table, np.array(self.theta), self.delta))

    def _draws(self, n: int) -> UrnDraws:
        urn = Urn(1.0, self.theta, self.delta, 1.0 - self.delta, 1.0)
        return UrnDraws(n, lambda rng: urn)  # noqa: ARG005

    def _log_count_steps(self, k: Integers) -> Floats:
        # g(1)/g(0) = θ may be negative; the first cluster is there for sure, so any positive number serves.
        weights = self.theta + k * self.delta
        return np.log(np.where(k == 0, max(self.theta, self.theta + self.delta), weights))

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.log(np.where(s == 0, 1.0, s - self.delta))

    @property
    def straight_join(self) -> tuple[float, float]:
        """A cluster of s elements is joined with weight s − δ."""
        return 1.0, -self.delta


def log_prob_of_concentrations(table: SizeTable, theta: Floats, delta: float) -> Floats:
    """Return log P(C_N) for each concentration θ."""
    k = int(table.counts.sum())
    founders = log_rising_excess((theta + delta) / delta, k - 1) if delta > 0 else np.zeros(theta.shape)
    return log_eppf(table, theta, delta, founders)
