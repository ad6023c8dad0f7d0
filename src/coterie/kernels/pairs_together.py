"""Which pairs of records come together and which part from one draw to the next.

Only pairs between pieces are touched: records that leave a cluster together for another one form a piece, and
stay together. So the cost of a draw is that of the pairs that begin or end with it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.changes import Rings, seat_all, unseat
from coterie.kernels.counting import Counter, add, with_room
from coterie.kernels.jit import inner, kernel

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]


class Pairs(NamedTuple):
    """Pairs of records; only so many of the entries are in use as the one who fills them says."""

    i: Int32
    j: Int32


@kernel
def make_pairs(capacity: int) -> Pairs:
    """Allocate room for pairs."""
    return Pairs(np.empty(capacity, np.int32), np.empty(capacity, np.int32))


@kernel
def larger(pairs: Pairs, used: int, more: int) -> Pairs:
    """Return the pairs with room for so many more."""
    if used + more <= pairs.i.size:
        return pairs
    bigger = make_pairs(2 * (used + more))
    bigger.i[:used], bigger.j[:used] = pairs.i[:used], pairs.j[:used]
    return bigger


@inner
def put(x: int, y: int, m: int, pairs: Pairs) -> int:
    """Write one pair, the smaller record first; return how many there are now."""
    pairs.i[m], pairs.j[m] = min(x, y), max(x, y)
    return m + 1


@kernel
def all_pairs(rings: Rings, pairs: Pairs) -> tuple[int, Pairs]:
    """Fill in all pairs that are together."""
    m = 0
    for c in range(rings.label.size):
        if rings.size[c] < 2:
            continue
        size = int(rings.size[c])
        pairs = larger(pairs, m, size * (size - 1) // 2)
        x = rings.after[c]
        while x != c:
            y = c
            while y != x:
                m = put(x, y, m, pairs)
                y = rings.after[y]
            x = rings.after[x]
    return m, pairs


@kernel
def pairs_between(
    record: Int32, whole: Integers, part: Integers, order: Integers, m: int, rings: Rings, pairs: Pairs
) -> tuple[int, Pairs]:
    """Add the pairs between the pieces of each cluster to the m that are there.

    The records of one cluster (``whole``) stand next to each other in the order, and in it the pieces (``part``).
    Those that do not move still sit in the ring, if the record that gives the cluster its label is there.
    """
    begin = 0
    while begin < order.size:
        c = whole[order[begin]]
        staying = int(rings.size[c])
        piece, end = begin, begin
        while piece < order.size and whole[order[piece]] == c:
            p = part[order[piece]]
            end = piece
            while end < order.size and whole[order[end]] == c and part[order[end]] == p:
                end += 1
            pairs = larger(pairs, m, (end - piece) * (piece - begin + staying))
            for e in range(piece, end):
                x = record[order[e]]
                for other in range(begin, piece):
                    m = put(x, record[order[other]], m, pairs)
                y = c
                for _ in range(staying):
                    m = put(x, y, m, pairs)
                    y = rings.after[y]
            piece = end
        begin = end
    return m, pairs


@kernel
def move(record: Int32, label: Int32, begin: int, end: int, rings: Rings, pairs: Pairs) -> tuple[int, int, Pairs]:
    """Bring the rings from one draw to the next; return how many pairs part, and with those that meet, all.

    The pairs that part come first.
    """
    count, n = end - begin, np.int64(rings.label.size)
    old, new = np.empty(count, np.int64), np.empty(count, np.int64)
    moved = record[begin:end]
    for e in range(count):
        old[e], new[e] = rings.label[moved[e]], label[begin + e]
    for e in range(count):
        unseat(moved[e], rings)
    parted, pairs = pairs_between(moved, old, new, np.argsort(old * n + new), 0, rings, pairs)
    total, pairs = pairs_between(moved, new, old, np.argsort(new * n + old), parted, rings, pairs)
    seat_all(record, label, begin, end, rings)
    return parted, total, pairs


@inner
def add_pairs(begin: int, end: int, n: int, column: int, amount: int, pairs: Pairs, counter: Counter) -> None:
    """Add to the counts of these pairs."""
    for e in range(begin, end):
        add(pairs.i[e] * np.int64(n) + pairs.j[e], column, amount, counter)


@kernel
def count_first(column: int, draws: int, rings: Rings, counter: Counter) -> tuple[int, Counter]:
    """Count the pairs of the first draw for all draws; return how many there are."""
    m, pairs = all_pairs(rings, make_pairs(1))
    counter = with_room(counter, m)
    add_pairs(0, m, rings.label.size, column, draws, pairs, counter)
    return m, counter


@kernel
def count_changes(
    record: Int32,
    label: Int32,
    begin: Integers,
    remaining: int,
    column: int,
    together: Integers,
    rings: Rings,
    counter: Counter,
) -> Counter:
    """Go through some draws; ``remaining`` is how many draws there are from the first of them on.

    A pair that meets is counted for all draws that remain, and one that parts is taken back. ``together`` is
    filled with the number of pairs of each draw; its first entry is that of the draw before.
    """
    pairs = make_pairs(1024)
    n = rings.label.size
    for t in range(begin.size - 1):
        parted, total, pairs = move(record, label, begin[t], begin[t + 1], rings, pairs)
        counter = with_room(counter, total - parted)
        add_pairs(0, parted, n, column, t - remaining, pairs, counter)
        add_pairs(parted, total, n, column, remaining - t, pairs, counter)
        together[t + 1] = together[t] + total - 2 * parted
    return counter
