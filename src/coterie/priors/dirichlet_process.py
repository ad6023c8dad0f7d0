"""The Dirichlet process."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.exchangeable import ExchangeableLaw, log_eppf
from coterie.priors.law import Floats, Integers, UrnDraws
from coterie.priors.parameters import POSITIVE, Domain


@dataclass(frozen=True)
class DirichletProcess(ExchangeableLaw):
    """The partition of a Dirichlet process mixture, the Chinese restaurant process (Ewens 1972).

    With k = |C_N|:

        P(C_N) = θᵏ / θ⁽ᴺ⁾ · ∏_c (|c| − 1)!

    The number of clusters grows like θ log N, and the largest takes a share of the elements that does not vanish
    (section 2 of the paper), so for entity resolution it needs a θ that grows with N. Choose it as the yardstick
    that everybody knows, or when clusters really are a few large groups.

    Parameters
    ----------
    theta
        The concentration, above 0.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> round(priors.DirichletProcess(theta=2).log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -1.791759
    """

    theta: float
    domains: ClassVar[dict[str, Domain]] = {"theta": POSITIVE}

    def _log_prob(self, table: SizeTable) -> float:
        return float(log_eppf(table, self.theta, 0.0, 0.0))

    def _draws(self, n: int) -> UrnDraws:
        urn = Urn(1.0, self.theta, 0.0, 1.0, 1.0)
        return UrnDraws(n, lambda rng: urn)  # noqa: ARG005

    def _log_count_steps(self, k: Integers) -> Floats:
        return np.full(k.size, math.log(self.theta))

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.log(np.maximum(s, 1))

    @property
    def straight_join(self) -> tuple[float, float]:
        """A cluster of s elements is joined with weight s."""
        return 1.0, 0.0
