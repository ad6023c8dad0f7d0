"""How well a number is known from its draws: interval, R-hat, effective sample sizes, Monte Carlo error."""

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# R-hat of ranks in split chains (Vehtari et al. 2021) needs four draws in each half.
FEWEST_DRAWS = 8


class Figure(NamedTuple):
    """A number in all draws.

    R-hat and effective sizes are nan where the number never changes, since then nothing is known of how it would:
    a chain that is stuck looks the same as one that is sure. R-hat is infinite where each chain has another
    constant.
    """

    name: str
    mean: float
    sd: float
    low: float  # 5 %
    high: float  # 95 %
    rhat: float
    ess_bulk: float
    ess_tail: float
    mcse: float

    @property
    def constant(self) -> bool:
        """Whether the number is the same in all draws of all chains."""
        return self.sd == 0.0


def figure(name: str, chains: Sequence[NDArray[np.generic]]) -> Figure:
    """Return the figures of a number, given its draws by chain.

    Chains of different lengths are cut to the last draws that all have.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> figure("x", list(rng.normal(size=(4, 500)))).rhat < 1.01
    True
    >>> figure("x", [np.zeros(500), np.ones(500)]).rhat, figure("x", [np.ones(500)]).rhat
    (inf, nan)
    """
    draws = np.concatenate([np.asarray(chain, np.float64) for chain in chains])
    low, high = np.quantile(draws, [0.05, 0.95])
    mean, sd = float(draws.mean()), float(draws.std())
    shortest = min(len(chain) for chain in chains)
    table = np.array([np.asarray(chain, np.float64)[-shortest:] for chain in chains])
    return Figure(name, mean, sd if np.ptp(draws) else 0.0, float(low), float(high), *convergence(table))


def convergence(table: Floats) -> tuple[float, float, float, float]:
    """Return R-hat, bulk and tail effective size, and the Monte Carlo error of the mean, by chain and draw."""
    if table.shape[1] < FEWEST_DRAWS or np.ptp(table) == 0.0:
        return math.nan, math.nan, math.nan, math.nan
    if len(table) == 1:
        # One chain is compared with itself: its first half with its second.
        half = table.shape[1] // 2
        table = np.array([table[0, :half], table[0, -half:]])
    if not np.ptp(table, axis=1).any():
        return math.inf, math.nan, math.nan, math.nan
    # It loads half of SciPy, and is not typed.
    array_stats: Any = import_module("arviz_stats.base").array_stats
    axes = {"chain_axis": 0, "draw_axis": 1}
    # Distances from the median of yes and no, if that is a half, are all the same, and have no R-hat of their own.
    with np.errstate(divide="ignore", invalid="ignore"):
        rhat = array_stats.rhat(table, method="rank", **axes)
        bulk = array_stats.ess(table, method="bulk", **axes)
        tail = array_stats.ess(table, method="tail", prob=(0.05, 0.95), **axes)
        mcse = array_stats.mcse(table, method="mean", **axes)
    return float(rhat), float(bulk), float(tail), float(mcse)
