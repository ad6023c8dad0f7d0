"""What the infinitely exchangeable laws and the finite Dirichlet mixture share: they take N as given."""

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.partition import SizeTable
from coterie.priors.law import Law
from coterie.special import log_rising, log_rising_excess, log_rising_ratio

Floats = NDArray[np.float64]


class ExchangeableLaw(Law):
    """A law that takes N as given, so that log P(C_N) is its exchangeable partition probability (EPPF)."""

    @abstractmethod
    def _log_prob(self, table: SizeTable) -> float:
        """Return the log of the EPPF."""

    def _log_prob_given_n(self, table: SizeTable) -> float:
        return self._log_prob(table)


def log_eppf(table: SizeTable, theta: ArrayLike, delta: float, log_founders: ArrayLike) -> Floats:
    """Return log ∏_{i<k} (θ + iδ) ∏_c (1−δ)⁽ˢ⁻¹⁾ / (θ+1)⁽ᴺ⁻¹⁾, i from 1, which is the EPPF of

    the Dirichlet process (δ = 0), Pitman-Yor (0 < δ < 1) and a Dirichlet mixture of M components
    (δ = −γ, θ = Mγ). It broadcasts over θ. ``log_founders`` is log ∏_{1≤i<k} (θ + iδ)/(θ + δ).

    It is the urn's probability with the largest cluster L first, and what each element contributes is at most
    one: (1−δ)⁽ᴸ⁻¹⁾/(θ+1)⁽ᴸ⁻¹⁾ for the largest, and for each later founder (θ+δ)/(θ+L) times corrections.
    So nothing cancels where all are together or all alone, for any θ.
    """
    sizes, counts = table
    n, k, largest = float(np.dot(sizes, counts)), float(counts.sum()), float(sizes[-1])
    others = counts.copy()
    others[-1] -= 1
    theta = np.asarray(theta, dtype=np.float64)
    together = log_rising_ratio(1.0 - delta, theta + delta, largest - 1.0)
    if k == 1:
        return together
    joined = float(np.dot(others, log_rising(1.0 - delta, sizes - 1.0)))
    gap = (largest - delta) / (theta + largest)
    with np.errstate(divide="ignore"):
        founder = np.where(gap < 0.5, np.log1p(-np.minimum(gap, 0.5)), np.log((theta + delta) / (theta + largest)))
    joining = n - largest - (k - 1.0)
    return (
        together
        + (k - 1.0) * founder
        + np.asarray(log_founders)
        + (joined - joining * np.log(theta + largest))
        - log_rising_excess(theta + largest, n - largest)
    )
