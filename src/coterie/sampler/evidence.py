"""From compiled fields to the one table of values that the kernels read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.fields.compiled import Compiled
from coterie.kernels import evidence as kernels
from coterie.kernels.evidence import FEW, HEAVY, LONGEST, Evidence

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def make_evidence(fields: Sequence[Compiled], order: Integers, source: NDArray[np.int32]) -> Evidence:
    """Number the values of all fields through, and put the records into an order.

    Row x of the similar values is given x itself as well, in its place, with a factor that only ψ can tell.
    """
    begin = np.concatenate([[0], np.cumsum([field.size for field in fields])]).astype(np.int64)
    codes = np.empty((order.size, len(fields)), np.int32)
    for f, field in enumerate(fields):
        column = field.codes[order]
        codes[:, f] = np.where(column < 0, -1, column + begin[f])
    value = np.concatenate([_values(field) for field in fields])
    rows = [_rows(field, value[begin[f] : begin[f + 1], 1], int(begin[f])) for f, field in enumerate(fields)]
    lengths = np.concatenate([length for length, *_ in rows])
    light = [_light_groups(value[begin[f] : begin[f + 1]]) for f in range(len(fields))]
    heavy = [np.flatnonzero(field.theta >= HEAVY) + begin[f] for f, field in enumerate(fields)]
    longest = min(order.size, LONGEST)
    evidence = Evidence(
        codes=codes,
        source=source[order].astype(np.int32),
        begin=begin,
        value=value,
        row=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        similar=np.concatenate([similar for _, similar, *_ in rows]).astype(np.int32),
        factor=np.concatenate([factor for _, _, factor, *_ in rows]),
        slips=np.concatenate([slips for _, _, _, slips, _ in rows]),
        peak=np.concatenate([peak for *_, peak in rows]),
        heavy_begin=_begin(heavy),
        heavy=np.concatenate(heavy).astype(np.int32),
        group_begin=_begin([theta for theta, _ in light]),
        group_theta=np.concatenate([theta for theta, _ in light]),
        group_log_base=np.concatenate([log_base for _, log_base in light]),
        light=np.empty((len(fields), FEW + 1)),
        log_light=np.empty((len(fields), longest + 1)),
    )
    kernels.fill_light(evidence)
    return evidence


def _values(field: Compiled) -> Floats:
    """Return θ and B = (1−τ_y)/(1−θ) of each value."""
    slip = np.where(field.has_similar, field.slip, 0.0)
    return np.column_stack([field.theta, (1.0 - slip) / (1.0 - field.theta)])


def _rows(field: Compiled, base: Floats, begin: int) -> tuple[Integers, Integers, Floats, Floats, Floats]:
    """Return the lengths of the rows, their y, t(x, y) = 1 + τ T(x|y)/(B(y) θ(x)) with nan at x itself,

    Σ θ(y) B(y)² (t(x, y) − 1) over the light y in the row but x, and the largest B(y) t(x, y) but at x.
    """
    x = np.repeat(np.arange(field.size), np.diff(field.indptr))
    factor = 1.0 + field.slip * field.chance / (base[field.similar] * field.theta[x])
    theta, b = field.theta[field.similar], base[field.similar]
    light = np.where(theta < HEAVY, theta * b * b * (factor - 1.0), 0.0)
    slips = np.bincount(x, light, minlength=field.size).astype(np.float64)
    peak = np.full(field.size, base.max())
    np.maximum.at(peak, x, b * factor)
    itself = np.arange(field.size)
    all_x, all_y = np.concatenate([x, itself]), np.concatenate([field.similar, itself])
    order = np.lexsort((all_y, all_x))
    factors = np.concatenate([factor, np.full(field.size, np.nan)])[order]
    return np.diff(field.indptr) + 1, all_y[order] + begin, factors, slips, peak


def _light_groups(value: Floats) -> tuple[Floats, Floats]:
    """Return the sum of θ, and log B, of the light values that have the same B."""
    light = value[value[:, 0] < HEAVY]
    base, group = np.unique(light[:, 1], return_inverse=True)
    total = np.bincount(group, light[:, 0], minlength=base.size).astype(np.float64)
    return total, np.log(base)


def _begin(parts: Sequence[NDArray[np.generic]]) -> Integers:
    """Return where each part begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum([part.size for part in parts])]).astype(np.int64)
