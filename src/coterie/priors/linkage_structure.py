"""The linkage structure prior."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from coterie.kernels.urn import Urn
from coterie.partition import SizeTable
from coterie.priors.exchangeable import ExchangeableLaw
from coterie.priors.finite_dirichlet import log_left
from coterie.priors.law import Floats, Integers, UrnDraws
from coterie.priors.parameters import WHOLE, Domain
from coterie.special import log_falling_excess


@dataclass(frozen=True)
class LinkageStructure(ExchangeableLaw):
    """The linkage structure prior: every record takes one of M labels uniformly (Steorts, Hall & Fienberg 2014).

    With k = |C_N|:

        P(C_N) = M!/(M−k)! / Mᴺ

    It is PERPS given that K = M, and the finite Dirichlet mixture with γ → ∞. It says much about the number of
    clusters, k = M (1 − e^{−N/M}) give or take a little: choose it to repeat work that used it, with M = N as
    blink and d-blink have it, or when the population's size M is known and records fall on it evenly.

    Parameters
    ----------
    m
        The number of labels, a whole number from 1 on.

    Examples
    --------
    >>> from coterie import Partition, priors
    >>> round(priors.LinkageStructure(m=3).log_prob(Partition.from_sizes({1: 1, 2: 1})), 6)
    -1.504077
    """

    m: int
    domains: ClassVar[dict[str, Domain]] = {"m": WHOLE}

    def _log_prob(self, table: SizeTable) -> float:
        n, k = float(np.dot(*table)), float(table.counts.sum())
        return float(log_falling_excess(self.m, k)) - (n - k) * math.log(self.m)

    def _draws(self, n: int) -> UrnDraws:
        urn = Urn(1.0, float(self.m), -1.0, 1.0, 0.0)
        return UrnDraws(n, lambda rng: urn)  # noqa: ARG005

    def _log_count_steps(self, k: Integers) -> Floats:
        return log_left(self.m, k)

    def _log_size_steps(self, s: Integers) -> Floats:
        return np.zeros(s.size)

    @property
    def straight_join(self) -> tuple[float, float]:
        """Every cluster is joined with the same weight."""
        return 0.0, 1.0
