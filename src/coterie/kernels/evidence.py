"""What the values of a cluster tell: R(c), the marginal likelihood of its records over that of their values alone.

A field has values y with frequencies θ(y). A true value shows itself with probability 1 − ψ; else another value
x is shown with probability G(x|y) = (1−τ_y) θ(x)/(1−θ(y)) + τ_y T(x|y). With B(y) = (1−τ_y)/(1−θ(y)), the n
values x_1, …, x_n that a cluster has in the field, and the factor ∏ ψθ(x_i) dropped, which no move changes,

    R(c) = Σ_y θ(y) B(y)ⁿ ∏_i t(x_i, y)

    t(x, y) = (1−ψ) / (ψ θ(y) B(y))              if x = y
              1 + τ_y T(x|y) / (B(y) θ(x))       if x may be a slip of y
              1                                  otherwise.

Only the y that are equal or similar to some x_i are touched; all others together are H_n = Σ θ(y) B(y)ⁿ less
those that are touched. A value as common as `HEAVY` is kept out of H_n and always added by itself: where θ(y) + ψ
exceeds one, t(y, y) is below one, and the small term would drown in the difference of two large ones.

Values of all fields are numbered through, so that one table serves them all. A missing value is −1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import ONE, inner, kernel
from coterie.kernels.pointer import by_pointer
from coterie.kernels.search import position

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# A value with this frequency is never part of H_n; a field has ten of them at most. Where values are rarer,
# the terms of H_n cannot drown t(y, y) unless ψ is above 0.9.
HEAVY = 0.1
# Up to this many records are multiplied out: factors are below 1e18, and eighth powers of them fit into a double.
FEW = 8
# H_n is kept for n up to this; beyond, it is summed anew.
LONGEST = 1024


@by_pointer
class Evidence(NamedTuple):
    """The values of all records and all that is known of the values. V values in all, F fields, N records."""

    codes: Int32  # (N, F): the value of each record in each field, −1 where missing
    source: Int32  # (N,): the source of each record
    begin: Integers  # (F + 1,): where the values of a field begin
    value: Floats  # (V, 2): θ(y) and B(y)
    row: Integers  # (V + 1,): where the row of x begins in ``similar`` and ``factor``
    similar: Int32  # the y that are touched by x, ascending, x itself among them
    factor: Floats  # t(x, y) for those; nan for x itself, whose factor depends on ψ
    slips: Floats  # (V,): Σ θ(y) B(y)² (t(x, y) − 1) over the light y that are similar to x
    peak: Floats  # (V,): the largest B(y) t(x, y) over the y ≠ x
    heavy_begin: Integers  # (F + 1,): where the heavy values of a field begin in ``heavy``
    heavy: Int32
    group_begin: Integers  # (F + 1,): where the groups of a field's light values begin
    group_theta: Floats  # the sum of θ over light values with the same B
    group_log_base: Floats  # their log B
    light: Floats  # (F, FEW + 1): H_n over the light values
    log_light: Floats  # (F, up to LONGEST + 1): its logarithm


@by_pointer
class Few(NamedTuple):
    """Work space for the distinct values that a few records have in one field."""

    number: (
        Integers  # (4, FEW): VALUE; COUNT, how many records have it; where the merge of rows is AT, and its END
    )
    odds: Floats  # ∏ (1−ψ)/ψ over the records that have it


VALUE, COUNT, AT, END = 0, 1, 2, 3


def make_few() -> Few:
    """Allocate the work space."""
    return Few(np.zeros((4, FEW), np.int64), np.zeros(FEW))


@inner
def power(x: float, n: int) -> float:
    """Return xⁿ for a small n."""
    product = 1.0
    for _ in range(n):
        product *= x
    return product


@inner
def collect(f: int, records: Integers, m: int, evidence: Evidence, odds: Floats, few: Few) -> tuple[int, int]:
    """Fill ``few`` with the distinct values of the first m records in field f; return how many, and n."""
    distinct, n = 0, 0
    for a in range(m):
        x = evidence.codes[records[a], f]
        if x < 0:
            continue
        n += 1
        ratio = odds[f, evidence.source[records[a]]]
        d = 0
        while d < distinct and few.number[VALUE, d] != x:
            d += 1
        if d == distinct:
            few.number[VALUE, d], few.number[COUNT, d], few.odds[d] = x, 1, ratio
            few.number[AT, d], few.number[END, d] = evidence.row[x], evidence.row[x + 1]
            distinct += 1
        else:
            few.number[COUNT, d] += 1
            few.odds[d] *= ratio
    return distinct, n


@inner
def factor_at(d: int, e: int, y: int, evidence: Evidence, few: Few) -> float:
    """Return ∏ t(x, y) over the records with the d-th distinct value x; e is the entry of y in the row of x."""
    if few.number[VALUE, d] == y:
        return few.odds[d] / power(evidence.value[y, 0] * evidence.value[y, 1], few.number[COUNT, d])
    return power(evidence.factor[e], few.number[COUNT, d])


@inner
def entry(x: int, y: int, evidence: Evidence) -> int:
    """Return where y stands in the row of x, or −1."""
    end = evidence.row[x + 1]
    at = position(y, evidence.similar, evidence.row[x], end)
    return at if at < end and evidence.similar[at] == y else -1


@inner
def heavy_term(y: int, distinct: int, n: int, evidence: Evidence, few: Few) -> float:
    """Return θ(y) B(y)ⁿ ∏ t(x_i, y) for one y."""
    term = evidence.value[y, 0] * power(evidence.value[y, 1], n)
    for d in range(distinct):
        e = entry(few.number[VALUE, d], y, evidence)
        if e >= 0:
            term *= factor_at(d, e, y, evidence, few)
    return term


@inner
def next_touched(distinct: int, evidence: Evidence, few: Few) -> tuple[int, float]:
    """Return the next y that is touched, ascending, and ∏ t(x_i, y); −1 after the last."""
    y = -ONE
    for d in range(distinct):
        if few.number[AT, d] < few.number[END, d] and (y < 0 or evidence.similar[few.number[AT, d]] < y):
            y = evidence.similar[few.number[AT, d]]
    product = 1.0
    if y >= 0:
        for d in range(distinct):
            if few.number[AT, d] < few.number[END, d] and evidence.similar[few.number[AT, d]] == y:
                product *= factor_at(d, few.number[AT, d], y, evidence, few)
                few.number[AT, d] += 1
    return y, product


@inner
def field_marginal(f: int, distinct: int, n: int, evidence: Evidence, few: Few) -> float:
    """Return R of one field, from what `collect` has filled in."""
    total = evidence.light[f, n]
    for h in range(evidence.heavy_begin[f], evidence.heavy_begin[f + 1]):
        total += heavy_term(evidence.heavy[h], distinct, n, evidence, few)
    y, product = next_touched(distinct, evidence, few)
    while y >= 0:
        theta = evidence.value[y, 0]
        if theta < HEAVY:
            total += theta * power(evidence.value[y, 1], n) * (product - 1.0)
        y, product = next_touched(distinct, evidence, few)
    return total


@inner
def log_marginal_of_few(records: Integers, m: int, evidence: Evidence, odds: Floats, few: Few) -> float:
    """Return log R(c), summed over the fields, of the first m ≤ FEW records; odds[f, source] = (1−ψ)/ψ."""
    total = 0.0
    for f in range(evidence.codes.shape[1]):
        distinct, n = collect(f, records, m, evidence, odds, few)
        if n > 0:
            total += np.log(field_marginal(f, distinct, n, evidence, few))
    return total


@inner
def log_light_sum(f: int, n: int, evidence: Evidence) -> float:
    """Return log H_n over the light values of field f."""
    if n < evidence.log_light.shape[1]:
        return evidence.log_light[f, n]
    return log_of_powers(n, evidence.group_begin[f], evidence.group_begin[f + 1], evidence)


@inner
def log_of_powers(n: int, begin: int, end: int, evidence: Evidence) -> float:
    """Return log Σ θ Bⁿ over the groups from begin to end."""
    top = -np.inf
    for g in range(begin, end):
        top = max(top, n * evidence.group_log_base[g])
    if top == -np.inf:
        return -np.inf
    total = 0.0
    for g in range(begin, end):
        total += evidence.group_theta[g] * np.exp(n * evidence.group_log_base[g] - top)
    return np.log(total) + top


@kernel
def fill_light(evidence: Evidence) -> None:
    """Fill the tables of H_n."""
    for f in range(evidence.codes.shape[1]):
        begin, end = evidence.group_begin[f], evidence.group_begin[f + 1]
        for n in range(evidence.log_light.shape[1]):
            evidence.log_light[f, n] = log_of_powers(n, begin, end, evidence)
        for n in range(FEW + 1):
            evidence.light[f, n] = np.exp(log_of_powers(n, begin, end, evidence))
