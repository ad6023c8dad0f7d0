"""The search for a maximum that says when it lies at the edge."""

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

T = TypeVar("T")

# Positive parameters are searched from 1e-12 to 1e12, on a scale of logarithms; probabilities from 1e-12 to
# one minus that, on a scale of logits. There the laws are right to ten digits.
EDGE = float(np.log(1e12))
# A maximum inside that is not better than the edge by more than this is no maximum: e^1e-7 is no evidence.
TIE = 1e-7


class Found(NamedTuple):
    """Where the maximum is, how high, and at which edges: −1 the lower, 1 the upper, 0 neither."""

    at: tuple[float, ...]
    value: float
    edges: tuple[int, ...]


def maximise_line(function: Callable[[float], float], low: float = -EDGE, high: float = EDGE) -> Found:
    """Maximise a function of one number: a grid that finds the hill, then Brent's method on it."""
    from scipy.optimize import minimize_scalar

    grid = np.linspace(low, high, 57)  # about one a unit of the log over the widest range
    values = np.array([function(x) for x in grid])
    best = int(np.argmax(values))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)])
    inner = minimize_scalar(lambda x: -function(x), bounds=bounds, method="bounded", options={"xatol": 1e-9})
    top = max(-float(inner.fun), float(values[best]))
    for edge, x, value in ((1, high, values[-1]), (-1, low, values[0])):
        if value >= top - TIE:
            return Found((x,), float(value), (edge,))
    return Found((float(inner.x),), top, (0,))


def maximise(function: Callable[[Sequence[float]], float], box: Sequence[tuple[float, float]]) -> Found:
    """Maximise a function of a few numbers in a box.

    Quasi-Newton climbs from corners and the middle of the inner box, polished by Nelder–Mead. Then each edge is
    tried on purpose: where holding a number there loses nothing, the maximum lies at that edge.
    """
    if len(box) == 1:
        return maximise_line(lambda x: function([x]), *box[0])
    starts = [
        [low + share * (high - low) for (low, high), share in zip(box, shares, strict=True)]
        for shares in itertools.product((0.35, 0.5, 0.65), repeat=len(box))
    ]
    at, value = max((_climb(function, start, box) for start in starts), key=lambda found: found[1])
    edges = [0] * len(box)
    for i, (low, high) in enumerate(box):
        for edge, end in ((1, high), (-1, low)):
            held, held_value = _climb(function, _put(at, i, end), _put(box, i, (end, end)))
            if edges[i] == 0 and held_value >= value - TIE:
                at, value, edges[i] = held, held_value, edge
    return Found(tuple(at), value, tuple(edges))


def _climb(
    function: Callable[[Sequence[float]], float], start: Sequence[float], box: Sequence[tuple[float, float]]
) -> tuple[list[float], float]:
    """Climb from start; numbers whose range is a point are held."""
    from scipy.optimize import minimize

    free = [i for i, (low, high) in enumerate(box) if low < high]

    def full(x: Sequence[float]) -> list[float]:
        point = list(start)
        for i, value in zip(free, x, strict=True):
            point[i] = min(max(float(value), box[i][0]), box[i][1])
        return point

    def loss(x: Sequence[float]) -> float:
        value = function(full(x))
        return -value if np.isfinite(value) else 1e300

    x = np.array([start[i] for i in free])
    bounds = [box[i] for i in free]
    x = minimize(loss, x, method="L-BFGS-B", bounds=bounds).x
    done = minimize(loss, x, method="Nelder-Mead", bounds=bounds, options={"xatol": 1e-8, "fatol": 1e-10})
    return full(done.x), -float(done.fun)


def _put(values: Sequence[T], i: int, value: T) -> list[T]:
    """Return the values with the i-th replaced."""
    return [value if j == i else other for j, other in enumerate(values)]
