"""Two clusters on a bench: their members, who sits on which side, and what a side gains by a member.

For few members the log R of each subset is worked out when it is first asked for, and remembered. For many there
are slots (slots.py), so that a member's move costs the same however many there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.clusters import Clusters, join_up, members_of_two
from coterie.kernels.evidence import FEW, Evidence, Few, log_marginal_of_few, make_few
from coterie.kernels.jit import ONE, ZERO, inlined, inner
from coterie.kernels.pointer import by_pointer
from coterie.kernels.slots import Slots, log_marginal_of_many, log_marginal_of_side, no_slots, shift
from coterie.kernels.values import Values, log_r_of_one, log_r_of_two, most_added_by

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# Up to this many members the subsets are remembered, at most 2^6 of them.
SMALL = 6


@by_pointer
class Tables(NamedTuple):
    """A law as a sampler knows it, P(C_N | N) ∝ g(|C_N|) ∏ f(|c|)."""

    log_count: Floats  # log g(k+1) − log g(k), for k = 0, 1, …
    log_f: Floats  # log f(s), for s = 0, 1, …


@by_pointer
class Units(NamedTuple):
    """What moves: records that must be together are one unit."""

    begin: Integers  # (U + 1,): the records of unit n are begin[n], …, begin[n + 1] − 1
    constrained: bool  # whether anything below forbids anything
    enemy_begin: Integers  # (U + 1,)
    enemy: Int32  # the units that may not be with n, ascending
    holder: Int32  # (N,): the source of a record if that source holds nobody twice, else −1


@by_pointer
class Model(NamedTuple):
    """All that a step takes as given."""

    tables: Tables
    units: Units
    evidence: Evidence
    odds: Floats  # (F, sources): (1−ψ)/ψ
    values: Values  # what follows for each value


@by_pointer
class Bench(NamedTuple):
    """Work space for a step. U units, N records, F fields."""

    seat: Integers  # (5, U + 1): the MEMBERS' units, ascending; the SIDE of each, and BEFORE the step; see below
    record: Integers  # (N,): the records of all members; those of member a begin at seat[BEGIN, a]
    tally: Integers  # (3, 2): RECORDS and members SEATED on each side; and which members, as bits of a MASK
    whole: Integers  # (3,): how many members and records; whether they are few
    memo: Floats  # log R of each subset of few members, nan until it is known
    subset: Integers  # (FEW,): the records of a subset
    trial: Floats  # (2, F): log R of a side with the member that was asked for last
    few: Few
    nobody: Slots  # stands where members are few, and slots are not looked at


# Rows of ``seat``. A side is 0 or 1, or −1 for a member who stands.
MEMBER, SIDE, BEFORE, BEGIN, ORDER = 0, 1, 2, 3, 4
# Rows of ``tally``.
RECORDS, SEATED, MASK = 0, 1, 2
# Places of ``whole``.
MEMBERS, ALL_RECORDS, IS_SMALL = 0, 1, 2


def make_bench(units: Units, fields: int) -> Bench:
    """Allocate a bench that is long enough for all units."""
    count, records = units.begin.size - 1, units.holder.size
    return Bench(
        np.zeros((5, count + 1), np.int64),
        np.zeros(records, np.int64),
        np.zeros((3, 2), np.int64),
        np.zeros(3, np.int64),
        np.zeros(1 << SMALL),
        np.zeros(FEW, np.int64),
        np.zeros((2, fields)),
        make_few(),
        no_slots(),
    )


@inner
def sit_down(c: int, d: int, clusters: Clusters, model: Model, bench: Bench) -> None:
    """Let the members of clusters c and d take their seats, c on side 0 and d on side 1; c may be d."""
    units = model.units
    m = members_of_two(c, d, clusters, bench.seat[MEMBER])
    bench.tally[:] = 0
    r = 0
    for a in range(m):
        n = bench.seat[MEMBER, a]
        side = 0 if clusters.label[n] == c else 1
        bench.seat[SIDE, a] = side
        bench.seat[BEFORE, a] = side
        bench.seat[BEGIN, a] = r
        for record in range(units.begin[n], units.begin[n + 1]):
            bench.record[r] = record
            r += 1
        bench.tally[RECORDS, side] += units.begin[n + 1] - units.begin[n]
        bench.tally[SEATED, side] += 1
        if m <= SMALL:
            bench.tally[MASK, side] |= 1 << a
    bench.seat[BEGIN, m] = r
    bench.whole[MEMBERS], bench.whole[ALL_RECORDS] = m, r
    bench.whole[IS_SMALL] = 1 if m <= SMALL and r <= FEW else 0


@inlined
def start_memo(c: int, d: int, clusters: Clusters, bench: Bench) -> None:
    """Forget the subsets of the last step, and remember those that the two clusters are."""
    bench.memo[: 1 << bench.whole[MEMBERS]] = np.nan
    bench.memo[0] = 0.0
    bench.memo[bench.tally[MASK, 0]] = clusters.log_r[c]
    if c != d:
        bench.memo[bench.tally[MASK, 1]] = clusters.log_r[d]


@inner
def seat_in_slots(model: Model, bench: Bench, slots: Slots) -> None:
    """Let the slots know of all who sit."""
    if bench.whole[IS_SMALL]:
        return
    for a in range(bench.whole[MEMBERS]):
        if bench.seat[SIDE, a] >= 0:
            shift_member(a, bench.seat[SIDE, a], ONE, bench, slots)
    for side in range(2):
        for f in range(slots.n.shape[1]):
            slots.log_r[side, f] = log_marginal_of_side(side, f, slots, model.evidence)


@inner
def clear(bench: Bench) -> None:
    """Let everybody stand up."""
    bench.seat[SIDE, : bench.whole[MEMBERS]] = -1
    bench.tally[:] = 0


@inlined
def sit(a: int, side: int, bench: Bench) -> None:
    """Seat member a, who stands."""
    bench.seat[SIDE, a] = side
    bench.tally[SEATED, side] += 1
    bench.tally[RECORDS, side] += bench.seat[BEGIN, a + 1] - bench.seat[BEGIN, a]
    if bench.whole[IS_SMALL]:
        bench.tally[MASK, side] |= 1 << a


@inner
def shift_member(a: int, side: int, sign: int, bench: Bench, slots: Slots) -> None:
    """Let all records of member a come to a side or leave it."""
    for r in range(bench.seat[BEGIN, a], bench.seat[BEGIN, a + 1]):
        shift(slots, side, r, sign)


@inner
def log_r_of_few(records: Integers, m: int, model: Model, bench: Bench) -> float:
    """Return log R of the first m ≤ FEW records."""
    if m == 1:
        return log_r_of_one(records[0], model.evidence, model.values)
    if m == 2:
        return log_r_of_two(records[0], records[1], model.evidence, model.odds, model.values)
    return log_marginal_of_few(records, m, model.evidence, model.odds, bench.few)


@inner
def work_out(mask: int, model: Model, bench: Bench) -> None:
    """Find log R of a subset of few members, and remember it."""
    m = ZERO
    for a in range(bench.whole[MEMBERS]):
        if mask & (1 << a):
            for r in range(bench.seat[BEGIN, a], bench.seat[BEGIN, a + 1]):
                bench.subset[m] = bench.record[r]
                m += 1
    bench.memo[mask] = log_r_of_few(bench.subset, m, model, bench)


@inlined
def log_r_of(mask: int, model: Model, bench: Bench) -> float:
    """Return log R of a subset of few members."""
    if np.isnan(bench.memo[mask]):
        work_out(mask, model, bench)
    return bench.memo[mask]


@inner
def most_gained(a: int, side: int, anchor: int, model: Model, bench: Bench) -> float:
    """Return what a side gains by member a at the most, given log R of a with the anchor, who sits there.

    From R(c ∪ a)/R(anchor ∪ a) ≤ ∏ max_y B(y) t(x, y) over the records of all others on the side.
    """
    mask = bench.tally[MASK, side]
    total = bench.memo[(1 << a) | (1 << anchor)] - log_r_of(mask, model, bench)
    for b in range(bench.whole[MEMBERS]):
        if mask & (1 << b) and b != anchor:
            for r in range(bench.seat[BEGIN, b], bench.seat[BEGIN, b + 1]):
                total += most_added_by(bench.record[r], model.evidence, model.values)
    return total


@inlined
def stand_up(a: int, model: Model, bench: Bench, slots: Slots) -> None:
    """Take member a from its side."""
    side = bench.seat[SIDE, a]
    bench.seat[SIDE, a] = -1
    bench.tally[SEATED, side] -= 1
    bench.tally[RECORDS, side] -= bench.seat[BEGIN, a + 1] - bench.seat[BEGIN, a]
    if bench.whole[IS_SMALL]:
        bench.tally[MASK, side] &= ~(1 << a)
    else:
        leave_slots(a, side, model, bench, slots)


@inner
def leave_slots(a: int, side: int, model: Model, bench: Bench, slots: Slots) -> None:
    """Let the slots forget member a."""
    shift_member(a, side, -ONE, bench, slots)
    for f in range(slots.n.shape[1]):
        slots.log_r[side, f] = log_marginal_of_side(side, f, slots, model.evidence)


@inner
def gain_in_slots(a: int, side: int, model: Model, bench: Bench, slots: Slots) -> float:
    """Return log R(side with a) − log R(side) for many members, and keep log R of the side with a."""
    shift_member(a, side, ONE, bench, slots)
    total = 0.0
    for f in range(slots.n.shape[1]):
        bench.trial[side, f] = log_marginal_of_side(side, f, slots, model.evidence)
        total += bench.trial[side, f] - slots.log_r[side, f]
    shift_member(a, side, -ONE, bench, slots)
    return total


@inlined
def take_seat(a: int, side: int, bench: Bench, slots: Slots) -> None:
    """Seat member a on the side of which `log_place` was asked last."""
    sit(a, side, bench)
    if not bench.whole[IS_SMALL]:
        join_slots(a, side, bench, slots)


@inner
def join_slots(a: int, side: int, bench: Bench, slots: Slots) -> None:
    """Let the slots know of member a, and bring log R of its side up to date."""
    shift_member(a, side, ONE, bench, slots)
    for f in range(slots.n.shape[1]):
        slots.log_r[side, f] = bench.trial[side, f]


@inlined
def side_log_r(side: int, model: Model, bench: Bench, slots: Slots) -> float:
    """Return log R of a side as it is."""
    if bench.whole[IS_SMALL]:
        return log_r_of(bench.tally[MASK, side], model, bench)
    total = 0.0
    for f in range(slots.n.shape[1]):
        total += slots.log_r[side, f]
    return total


@inner
def log_r_of_all(model: Model, bench: Bench) -> float:
    """Return log R of all members together."""
    if bench.whole[IS_SMALL]:
        return log_r_of((1 << bench.whole[MEMBERS]) - 1, model, bench)
    return log_marginal_of_many(bench.record, bench.whole[ALL_RECORDS], model.evidence, model.odds)


@inner
def may_sit(a: int, side: int, model: Model, bench: Bench) -> bool:
    """Tell whether no constraint keeps member a from a side."""
    n = bench.seat[MEMBER, a]
    for b in range(bench.whole[MEMBERS]):
        if bench.seat[SIDE, b] == side and b != a and in_conflict(n, bench.seat[MEMBER, b], model.units):
            return False
    return True


@inner
def in_conflict(n: int, o: int, units: Units) -> bool:
    """Tell whether units n and o must not be together."""
    for e in range(units.enemy_begin[n], units.enemy_begin[n + 1]):
        if units.enemy[e] == o:
            return True
    for x in range(units.begin[n], units.begin[n + 1]):
        if units.holder[x] >= 0:
            for y in range(units.begin[o], units.begin[o + 1]):
                if units.holder[y] == units.holder[x]:
                    return True
    return False


@inlined
def log_place(a: int, side: int, k: int, model: Model, bench: Bench, slots: Slots) -> float:
    """Return the log weight of a side for member a, who stands; −inf where it may not sit.

    For a side with s records that is log f(s+w)/f(s) · R(c ∪ a)/R(c); an empty side is a new cluster beside k
    others, with log g(k+1)/g(k) besides.
    """
    if model.units.constrained and not may_sit(a, side, model, bench):
        return -np.inf
    log_f, s = model.tables.log_f, bench.tally[RECORDS, side]
    w = bench.seat[BEGIN, a + 1] - bench.seat[BEGIN, a]
    prior = log_f[s + w] - log_f[s]
    if s == 0:
        prior += model.tables.log_count[k]
    if not bench.whole[IS_SMALL]:
        return prior + gain_in_slots(a, side, model, bench, slots)
    mask = bench.tally[MASK, side]
    return prior + log_r_of(mask | (1 << a), model, bench) - log_r_of(mask, model, bench)


@inner
def go_home(log_zero: float, log_one: float, clusters: Clusters, bench: Bench) -> bool:
    """Make the sides, with these log R, the clusters of their members; return whether anything has changed."""
    m = bench.whole[MEMBERS]
    moved, sides_before = False, 1
    for a in range(m):
        moved = moved or bench.seat[SIDE, a] != bench.seat[BEFORE, a]
        if bench.seat[BEFORE, a] != bench.seat[BEFORE, 0]:
            sides_before = 2
    if not moved:
        return False
    clusters.k[0] -= sides_before
    for side in range(2):
        first = join_up(bench.seat[MEMBER], bench.seat[SIDE], side, m, clusters)
        if first >= 0:
            clusters.size[first] = bench.tally[RECORDS, side]
            clusters.log_r[first] = log_zero if side == 0 else log_one
            clusters.k[0] += 1
    return True
