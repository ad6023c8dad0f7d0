"""All distinct clusters of two records or more that a chain has drawn, and in how many draws each is there.

A cluster is known by the sums of two 64-bit keys of its records, so that moving a record costs two additions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.changes import Rings, seat_all, unseat
from coterie.kernels.counting import EMPTY, Counter, add, make_counter, mixed, slot_of, with_room
from coterie.kernels.jit import inner, kernel

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]

# A key of the index is a number from 0 on.
POSITIVE = np.uint64(0x7FFFFFFFFFFFFFFF)
# Makes the second key of a record another one than the first.
OTHER = 1 << 40


class Table(NamedTuple):
    """Distinct clusters; only so many entries are in use as ``used`` says: of clusters, and of members."""

    numbers: Counter  # from the first key of a cluster to its number
    second: NDArray[np.uint64]  # its second key
    begin: Integers  # its members are those from here to where the next one begins
    member: Int32
    counts: NDArray[np.int32]  # (clusters, chains): in how many draws it is there
    used: Integers  # (2,)


class Now(NamedTuple):
    """The clusters of the draw at hand."""

    rings: Rings
    first: NDArray[np.uint64]  # by label
    second: NDArray[np.uint64]
    number: Integers  # in the table; −1 where no cluster of two records or more has the label
    seen: Integers  # the last draw in which it was looked up


@kernel
def make_table(chains: int, capacity: int) -> Table:
    """Return an empty table."""
    return Table(
        make_counter(1, 1024),
        np.empty(capacity, np.uint64),
        np.zeros(capacity + 1, np.int64),
        np.empty(capacity, np.int32),
        np.zeros((capacity, chains), np.int32),
        np.zeros(2, np.int64),
    )


@kernel
def with_space(table: Table, clusters: int, members: int) -> Table:
    """Return the table with space for so many more clusters and members."""
    used, used_members = table.used[0], table.used[1]
    index = with_room(table.numbers, clusters)
    second, begin, member, count = table.second, table.begin, table.member, table.counts
    if used + clusters > second.size:
        capacity = 2 * (used + clusters)
        second, begin = np.empty(capacity, np.uint64), np.zeros(capacity + 1, np.int64)
        count = np.zeros((capacity, table.counts.shape[1]), np.int32)
        second[:used], begin[: used + 1] = table.second[:used], table.begin[: used + 1]
        count[:used] = table.counts[:used]
    if used_members + members > member.size:
        member = np.empty(2 * (used_members + members), np.int32)
        member[:used_members] = table.member[:used_members]
    return Table(index, second, begin, member, count, table.used)


@inner
def number_of(c: int, now: Now, table: Table) -> int:
    """Return the number of the cluster labelled c in the table; it is entered if it is new, with its members."""
    key = int(now.first[c] & POSITIVE)
    while True:
        at = slot_of(key, table.numbers)
        if table.numbers.key[at] == EMPTY:
            break
        number = table.numbers.counts[at, 0]
        if table.second[number] == now.second[c]:
            return number
        key = int((np.uint64(key) + np.uint64(1)) & POSITIVE)
    number, m = table.used[0], table.used[1]
    add(key, 0, number, table.numbers)
    table.second[number] = now.second[c]
    r = c
    for _ in range(now.rings.size[c]):
        table.member[m] = r
        m += 1
        r = now.rings.after[r]
    table.begin[number + 1] = m
    table.used[0], table.used[1] = number + 1, m
    return number


@inner
def shift(r: int, c: int, sign: int, now: Now) -> None:
    """Add the keys of a record to those of a cluster, or take them away."""
    if sign > 0:
        now.first[c] += mixed(r)
        now.second[c] += mixed(int(r) + OTHER)
    else:
        now.first[c] -= mixed(r)
        now.second[c] -= mixed(int(r) + OTHER)


@inner
def look_up(c: int, column: int, remaining: int, now: Now, table: Table) -> None:
    """Take back the draws that remain from the cluster that was labelled c, and give them to the one that is."""
    if now.number[c] >= 0:
        table.counts[now.number[c], column] -= remaining
    now.number[c] = number_of(c, now, table) if now.rings.size[c] > 1 else -1
    if now.number[c] >= 0:
        table.counts[now.number[c], column] += remaining


@kernel
def enter_first(column: int, draws: int, rings: Rings, table: Table) -> tuple[Now, Table]:
    """Enter the clusters of a chain's first draw, for all draws."""
    n = rings.label.size
    now = Now(
        rings, np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.full(n, -1, np.int64), np.zeros(n, np.int64)
    )
    for r in range(n):
        shift(r, rings.label[r], 1, now)
    table = with_space(table, n // 2, n)
    for c in range(n):
        look_up(c, column, draws, now, table)
    return now, table


@kernel
def enter_changes(
    record: Int32, label: Int32, begin: Integers, first: int, draws: int, column: int, now: Now, table: Table
) -> Table:
    """Go through some draws, the first of which is numbered ``first``."""
    old = np.empty(np.max(begin[1:] - begin[:-1]), np.int32)
    for t in range(begin.size - 1):
        count = begin[t + 1] - begin[t]
        for e in range(count):
            r = record[begin[t] + e]
            old[e] = now.rings.label[r]
            shift(r, old[e], -1, now)
            shift(r, label[begin[t] + e], 1, now)
            unseat(r, now.rings)
        seat_all(record, label, begin[t], begin[t + 1], now.rings)
        members = 0
        for e in range(count):
            members += now.rings.size[old[e]] + now.rings.size[label[begin[t] + e]]
        table = with_space(table, 2 * count, members)
        for e in range(count):
            for c in (old[e], label[begin[t] + e]):
                if now.seen[c] != first + t:
                    now.seen[c] = first + t
                    look_up(c, column, draws - first - t, now, table)
    return table
