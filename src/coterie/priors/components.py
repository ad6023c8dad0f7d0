"""Sums over, and draws of, a number of components K that may be anything from 1 to 1e24.

NBNB, PERPS and the mixture of finite mixtures are mixtures over K, the number of labels, empty ones included.
The weight of K, such as NegBin(K; a, q) · NegBin(N; K r, p), has one mode and is smooth in K, so a sum over 10⁹
values needs no 10⁹ terms: the first few thousand are added one by one, the rest by Gauss–Legendre quadrature.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coterie.special import log_sum_exp

Floats = NDArray[np.float64]

# Terms below e^-60 = 1e-26 of the largest neither change a sum nor are ever drawn.
NEGLIGIBLE = 60.0
# Up to this many terms are simply added.
FEW = 2**14
# From this K on, a sum and an integral differ by the first correction of Euler and Maclaurin and no more.
SMOOTH_FROM = 2**12
# Panels of equal width over the range, which spans at most 22 standard deviations or 60 decays, and nodes in each.
PANELS, NODES = 64, 16
# The cells of the staircase above the weights from which K is proposed.
CELLS = 2**12
# By so much the staircase stands above the weights, whose logs carry rounding errors.
ROUNDING = 1e-6
# Whole numbers beyond this are not told apart by a double; there is none that matters.
LARGEST = 2.0**200


class Components:
    """The unnormalised law of a number K from ``first`` to ``last`` with a single mode.

    Parameters
    ----------
    log_weight
        The log of the weight for an array of K.
    first, last
        The range outside which the weight is zero.

    Examples
    --------
    >>> geometric = Components(lambda k: k * np.log(0.5), first=1)
    >>> round(math.exp(geometric.log_sum()), 12)
    1.0
    """

    def __init__(self, log_weight: Callable[[Floats], Floats], first: float, last: float = LARGEST) -> None:
        self._log_weight = log_weight
        self.log_top = -np.inf
        self.mode = self._find_mode(float(first), float(min(last, LARGEST)))
        self.low = self._edge(self.mode, float(first))
        self.high = self._edge(self.mode, float(min(last, LARGEST)))
        self._cells: tuple[Floats, Floats, Floats] | None = None

    def log_sum(self) -> float:
        """Return the log of the sum of all weights."""
        if self.high - self.low < FEW:
            return log_sum_exp(self._log_weight(np.arange(self.low, self.high + 1.0)))
        start = max(self.low, SMOOTH_FROM)
        before = self._log_weight(np.arange(self.low, start)) if start > self.low else np.empty(0)
        nodes, log_widths = self._quadrature(start - 0.5)
        integral = log_sum_exp(np.append(self._log_weight(nodes) + log_widths, before))
        if start == self.low:
            return integral
        # Σ_{K ≥ start} w(K) = ∫_{start − ½} w + w'(start − ½)/24 − …
        ends = np.exp(self._log_weight(np.array([start - 1.0, start])) - integral)
        return integral + math.log1p((ends[1] - ends[0]) / 24.0)

    def draw(self, rng: np.random.Generator) -> float:
        """Draw K, exactly, by rejection from a staircase above the weights."""
        edges, log_steps, cumulative = self._staircase()
        while True:
            cell = int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))
            width = edges[cell + 1] - edges[cell]
            k = edges[cell] + math.floor(rng.random() * width)
            if width == 1.0 or math.log(rng.random()) < self._log_weight(np.array([k]))[0] - log_steps[cell]:
                return float(k)

    def _find_mode(self, low: float, high: float) -> float:
        """Narrow the range down to the neighbours of the best of 65 points, again and again."""
        while True:
            points = _between(low, high)
            logs = self._log_weight(points)
            best = int(np.argmax(logs))
            low, high = points[max(best - 1, 0)], points[min(best + 1, points.size - 1)]
            if high - low <= max(2.0, 1e-7 * high):
                self.log_top = float(logs[best])
                return float(points[best])

    def _edge(self, inside: float, outside: float) -> float:
        """Return the last K from the mode towards ``outside`` whose weight is not negligible."""
        while True:
            points = _between(min(inside, outside), max(inside, outside))
            points = points if inside < outside else points[::-1]
            kept = int(np.count_nonzero(self._log_weight(points) > self.log_top - NEGLIGIBLE))
            if kept == points.size:
                return outside
            inside, outside = float(points[max(kept - 1, 0)]), float(points[kept])
            if abs(outside - inside) <= max(1.0, 1e-9 * inside):
                return inside

    def _grid(self, start: float, equal: int) -> Floats:
        """Return edges from start to the end: equal cells, and cells that halve towards the start.

        The weight may have a power of K as a factor, which halving cells follow.
        """
        span = self.high + 0.5 - start
        halving = start + span * 0.5 ** np.arange(1, 60)
        halving = halving[halving > start + max(1.0, 0.25 * start)]
        return np.unique(np.concatenate([np.linspace(start, start + span, equal + 1), halving]))

    def _quadrature(self, start: float) -> tuple[Floats, Floats]:
        edges = self._grid(start, PANELS)
        points, weights = np.polynomial.legendre.leggauss(NODES)
        half = 0.5 * np.diff(edges)
        nodes = 0.5 * (edges[1:] + edges[:-1])[:, None] + half[:, None] * points
        return nodes.ravel(), np.log(half[:, None] * weights).ravel()

    def _staircase(self) -> tuple[Floats, Floats, Floats]:
        """Return the cells' edges, the log of the largest weight in each, and the cumulated areas."""
        if self._cells is None:
            if self.high - self.low < FEW:
                edges = np.arange(self.low, self.high + 2.0)
            else:
                edges = np.unique(np.ceil(self._grid(self.low - 0.5, CELLS)))
            left, right = self._log_weight(edges[:-1]), self._log_weight(edges[1:] - 1.0)
            steps = np.maximum(left, right)
            around = int(np.searchsorted(edges, self.mode, side="right")) - 1
            steps[max(around - 1, 0) : around + 2] = self.log_top
            steps = np.where(np.diff(edges) > 1.0, steps + ROUNDING, left)
            self._cells = edges, steps, np.cumsum(np.exp(steps - self.log_top) * np.diff(edges))
        return self._cells


def _between(low: float, high: float) -> Floats:
    """Return up to 65 whole numbers from low to high, evenly spread on the scale that suits the range."""
    spread = np.geomspace(low, high, 65) if high > 4.0 * low else np.linspace(low, high, 65)
    return np.unique(np.concatenate([[low], np.clip(np.floor(spread), low, high), [high]]))
