"""R(c) of clusters of any size, kept up to date while records come and go.

The y that the records of two clusters touch get a slot each, and so do the heavy values. For each side s and slot,
``log_product`` is Σ log t(x_i, y) over the side's records, so that a record that comes or goes costs the length of
its row, and R costs one sum over the slots, however many records there are. All sums are of logarithms: a side may
have hundreds of records.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.evidence import HEAVY, Evidence, log_light_sum
from coterie.kernels.jit import ONE, ZERO, allocating, inner
from coterie.kernels.pointer import by_pointer, lend
from coterie.kernels.search import position

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Terms below e^-45 = 3e-20 of the largest do not change a sum of a few thousand of them in the tenth digit.
NEGLIGIBLE = 45.0


@by_pointer
class Slots(NamedTuple):
    """The slots of a set of M records, and the two sides. S slots in all, field by field."""

    begin: Integers  # (F + 1,): where the slots of a field begin
    y: Integers  # (S,)
    log_value: Floats  # (2, S): log θ(y) and log B(y)
    row: Integers  # (3, M, F): where the entries of a record's value BEGIN and END, and that of the value ITSELF
    entry: Integers  # the slot of each entry
    entry_log: Floats  # log t(x, y) of each entry, without log (1−ψ)/ψ where x = y
    log_odds: Floats  # (M, F): log (1−ψ)/ψ of the record in the field
    rest: Floats  # (F, M + 1): log of what the untouched add to R for n values; nan until it is asked for
    log_product: Floats  # (2, S)
    n: Integers  # (2, F): how many values each side has
    log_r: Floats  # (2, F): log R of each side


# Rows of ``row``.
BEGIN, END, ITSELF = 0, 1, 2


def no_slots() -> Slots:
    """Return slots for nobody."""
    i, f = np.zeros(1, np.int64), np.zeros(1)
    ii, ff = np.zeros((1, 1), np.int64), np.zeros((1, 1))
    return Slots(i, i, ff, np.zeros((1, 1, 1), np.int64), i, f, ff, ff, ff, ii, ff)


@allocating
def make_slots(records: Integers, m: int, evidence: Evidence, odds: Floats) -> Slots:
    """Give slots to all that the first m records touch; both sides are empty."""
    fields = evidence.codes.shape[1]
    begin = np.zeros(fields + 1, np.int64)
    row, log_odds = np.zeros((3, m, fields), np.int64), np.zeros((m, fields))
    entries, touched = 0, 0
    for f in range(fields):
        touched += evidence.heavy_begin[f + 1] - evidence.heavy_begin[f]
        for x in distinct_values(f, records, m, evidence):
            entries += evidence.row[x + 1] - evidence.row[x]
    touched += entries
    y, entry, entry_log = np.zeros(touched, np.int64), np.zeros(entries, np.int64), np.zeros(entries)
    entries, touched = 0, 0
    for f in range(fields):
        begin[f] = touched
        values = distinct_values(f, records, m, evidence)
        slots = slots_of(f, values, evidence)
        for s in range(slots.size):
            y[touched + s] = slots[s]
        first = np.zeros(values.size + 1, np.int64)
        itself = np.zeros(values.size, np.int64)
        for v in range(values.size):
            first[v] = entries
            for e in range(evidence.row[values[v]], evidence.row[values[v] + 1]):
                z = evidence.similar[e]
                entry[entries] = touched + position(z, slots, 0, slots.size)
                if z == values[v]:
                    itself[v] = entries
                    entry_log[entries] = -np.log(evidence.value[z, 0] * evidence.value[z, 1])
                else:
                    entry_log[entries] = np.log(evidence.factor[e])
                entries += 1
        first[values.size] = entries
        for a in range(m):
            x = evidence.codes[records[a], f]
            if x >= 0:
                v = position(x, values, 0, values.size)
                row[BEGIN, a, f], row[END, a, f], row[ITSELF, a, f] = first[v], first[v + 1], itself[v]
                log_odds[a, f] = np.log(odds[f, evidence.source[records[a]]])
        touched += slots.size
    begin[fields] = touched
    y = y[:touched].copy()
    log_value = np.zeros((2, touched))
    for s in range(touched):
        log_value[0, s], log_value[1, s] = np.log(evidence.value[y[s], 0]), np.log(evidence.value[y[s], 1])
    rest = np.empty((fields, m + 1))
    rest[:] = np.nan
    product, n, log_r = np.zeros((2, touched)), np.zeros((2, fields), np.int64), np.zeros((2, fields))
    return Slots(begin, y, log_value, row, entry, entry_log, log_odds, rest, product, n, log_r)


@inner
def insert(y: int, ascending: Integers, count: int) -> int:
    """Insert y into the first ``count`` numbers unless it is there; return how many there are then."""
    at = position(y, ascending, 0, count)
    if at < count and ascending[at] == y:
        return count
    for b in range(count, at, -1):
        ascending[b] = ascending[b - 1]
    ascending[at] = y
    return count + 1


@allocating
def distinct_values(f: int, records: Integers, m: int, evidence: Evidence) -> Integers:
    """Return the distinct values of the first m records in field f, ascending."""
    values, count = np.empty(m, np.int64), ZERO
    for a in range(m):
        x = evidence.codes[records[a], f]
        if x >= 0:
            count = insert(x, values, count)
    return values[:count]


@allocating
def slots_of(f: int, values: Integers, evidence: Evidence) -> Integers:
    """Return all y that the values touch, and the heavy ones, ascending."""
    total = evidence.heavy_begin[f + 1] - evidence.heavy_begin[f]
    for x in values:
        total += evidence.row[x + 1] - evidence.row[x]
    touched, count = np.empty(total, np.int64), ZERO
    for h in range(evidence.heavy_begin[f], evidence.heavy_begin[f + 1]):
        count = insert(evidence.heavy[h], touched, count)
    for x in values:
        for e in range(evidence.row[x], evidence.row[x + 1]):
            count = insert(evidence.similar[e], touched, count)
    return touched[:count]


@inner
def shift(slots: Slots, side: int, a: int, sign: int) -> None:
    """Let record a come to a side (sign 1) or leave it (−1); log R is not brought up to date."""
    for f in range(slots.n.shape[1]):
        if slots.row[BEGIN, a, f] < slots.row[END, a, f]:
            slots.n[side, f] += sign
            for e in range(slots.row[BEGIN, a, f], slots.row[END, a, f]):
                slots.log_product[side, slots.entry[e]] += sign * slots.entry_log[e]
            slots.log_product[side, slots.entry[slots.row[ITSELF, a, f]]] += sign * slots.log_odds[a, f]


@inner
def log_rest(f: int, n: int, slots: Slots, evidence: Evidence) -> float:
    """Return the log of Σ θ(y) B(y)ⁿ over the y without a slot."""
    if np.isnan(slots.rest[f, n]):
        log_all, seen, light = log_light_sum(f, n, evidence), 0.0, 0
        for s in range(slots.begin[f], slots.begin[f + 1]):
            if evidence.value[slots.y[s], 0] < HEAVY:
                light += 1
                seen += np.exp(slots.log_value[0, s] + n * slots.log_value[1, s] - log_all)
        heavy = evidence.heavy_begin[f + 1] - evidence.heavy_begin[f]
        # Where all light values have a slot nothing is left, and what rounding leaves must not count.
        nothing = light == evidence.begin[f + 1] - evidence.begin[f] - heavy or seen >= 1.0
        slots.rest[f, n] = -np.inf if nothing else log_all + np.log1p(-seen)
    return slots.rest[f, n]


@inner
def log_term(s: int, side: int, f: int, slots: Slots) -> float:
    """Return log θ(y) B(y)ⁿ ∏ t(x_i, y) of slot s for the records of a side."""
    return slots.log_value[0, s] + slots.n[side, f] * slots.log_value[1, s] + slots.log_product[side, s]


@inner
def log_marginal_of_side(side: int, f: int, slots: Slots, evidence: Evidence) -> float:
    """Return log R of a side in one field."""
    n = slots.n[side, f]
    if n == 0:
        return 0.0
    top = log_rest(f, n, slots, evidence)
    for s in range(slots.begin[f], slots.begin[f + 1]):
        top = max(top, log_term(s, side, f, slots))
    total = np.exp(log_rest(f, n, slots, evidence) - top)
    for s in range(slots.begin[f], slots.begin[f + 1]):
        log = log_term(s, side, f, slots) - top
        if log > -NEGLIGIBLE:
            total += np.exp(log)
    return np.log(total) + top


@allocating
def log_marginal_of_many(records: Integers, m: int, evidence: Evidence, odds: Floats) -> float:
    """Return log R(c), summed over the fields, of the first m records, however many."""
    return log_marginal_of_all(make_slots(records, m, evidence, odds), m, evidence)


@inner
def log_marginal_of_all(made: Slots, m: int, evidence: Evidence) -> float:
    """Return log R of all m records that slots have been made for."""
    slots, side = lend(made), ZERO
    for a in range(m):
        shift(slots, side, a, ONE)
    total = 0.0
    for f in range(slots.n.shape[1]):
        total += log_marginal_of_side(side, f, slots, evidence)
    return total
