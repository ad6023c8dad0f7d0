"""The search for a maximum that says when it lies at the edge."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from coterie.special import Floats

T = TypeVar("T")

# Positive parameters are searched from 1e-12 to 1e12, on a scale of logarithms; probabilities from 1e-12 to
# one minus that, on a scale of logits. There the laws are right to ten digits.
EDGE = float(np.log(1e12))
# A maximum inside that is not better than the edge by more than this is no maximum: e^1e-7 is no evidence.
TIE = 1e-7
# About one point a unit of the log over the widest range; hills of a likelihood are wider than that.
LINE_GRID = 57
# Points along each number before several numbers are searched together, and the best of them to climb from.
BOX_GRID, CLIMBS = 9, 3


class Found(NamedTuple):
    """Where the maximum is, how high, and at which edges: −1 the lower, 1 the upper, 0 neither."""

    at: tuple[float, ...]
    value: float
    edges: tuple[int, ...]


def maximise_line(function: Callable[[float], float], low: float = -EDGE, high: float = EDGE) -> Found:
    """Maximise a function of one number: a grid that finds the hill, then Brent's method on it."""
    return maximise_curve(lambda points: np.array([function(float(x)) for x in points]), low, high)


def maximise_curve(function: Callable[[Floats], Floats], low: float = -EDGE, high: float = EDGE) -> Found:
    """Maximise a function of one number that is given as a function of arrays."""
    from scipy.optimize import minimize_scalar

    grid = np.linspace(low, high, LINE_GRID)
    values = function(grid)
    best = int(np.argmax(values))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)])
    inner = minimize_scalar(
        lambda x: -float(function(np.array([x]))[0]), bounds=bounds, method="bounded", options={"xatol": 1e-9}
    )
    top = max(-float(inner.fun), float(values[best]))
    for edge, x, value in ((1, high, values[-1]), (-1, low, values[0])):
        if value >= top - TIE:
            return Found((x,), float(value), (edge,))
    return Found((float(inner.x),), top, (0,))


def maximise(function: Callable[[Sequence[float]], float], box: Sequence[tuple[float, float]]) -> Found:
    """Maximise a function of a few numbers in a box.

    A grid finds where to begin, quasi-Newton climbs from the best points, and Nelder–Mead polishes. Then each
    edge is tried on purpose: where holding a number there loses nothing, the maximum lies at that edge.
    """
    if len(box) == 1:
        return maximise_line(lambda x: function([x]), *box[0])
    grid = itertools.product(*(np.linspace(low, high, BOX_GRID)[1:-1].tolist() for low, high in box))
    starts = sorted(grid, key=function, reverse=True)[:CLIMBS]
    at, value = max((climb(function, start, box) for start in starts), key=lambda found: found[1])
    edges = [0] * len(box)
    for i, (low, high) in enumerate(box):
        for edge, end in ((1, high), (-1, low)):
            held, held_value = climb(function, _put(at, i, end), _put(box, i, (end, end)))
            if edges[i] == 0 and held_value >= value - TIE:
                at, value, edges[i] = held, held_value, edge
                box = _put(box, i, (end, end))
    return Found(tuple(at), value, tuple(edges))


def climb(
    function: Callable[[Sequence[float]], float], start: Sequence[float], box: Sequence[tuple[float, float]]
) -> tuple[list[float], float]:
    """Climb from start; numbers whose range is a point are held."""
    free = [i for i, (low, high) in enumerate(box) if low < high]
    if not free:
        return list(start), function(start)

    def full(x: Sequence[float] | Floats) -> list[float]:
        point = list(start)
        for i, value in zip(free, x, strict=True):
            point[i] = min(max(float(value), box[i][0]), box[i][1])
        return point

    bounds = [box[i] for i in free]
    x = np.array([start[i] for i in free])
    x = minimum(lambda x: -function(full(x)), x, bounds, "L-BFGS-B")
    x = minimum(lambda x: -function(full(x)), x, bounds, "Nelder-Mead", xatol=1e-8, fatol=1e-10)
    at = full(x)
    return at, function(at)


def minimum(
    loss: Callable[[Floats], float],
    start: Sequence[float] | Floats,
    bounds: Sequence[tuple[float, float]],
    method: str,
    **options: Any,
) -> Floats:
    """Return where one of scipy's methods ends up; an infinite loss becomes a very large one."""
    from scipy.optimize import minimize

    def finite(x: Floats) -> float:
        value = loss(x)
        return value if np.isfinite(value) else 1e300

    done: Any = minimize(finite, np.asarray(start), method=method, bounds=bounds, options=options)  # type: ignore[call-overload]
    return np.asarray(done.x, dtype=np.float64)


def _put(values: Sequence[T], i: int, value: T) -> list[T]:
    """Return the values with the i-th replaced."""
    return [value if j == i else other for j, other in enumerate(values)]
