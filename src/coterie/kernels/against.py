"""One partition held against every draw of a chain: what they have in common, and which clusters are the same."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.changes import Rings
from coterie.kernels.jit import inner, kernel
from coterie.kernels.pairs_together import Pairs, all_pairs, make_pairs, move

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]


class Against(NamedTuple):
    """The partition, and what is known of it in the draw at hand. Its labels are smallest records, too.

    Two clusters that are the same have the same label, so it is enough to compare those.
    """

    label: Int32
    size: Int32  # of the partition's cluster with this label
    shared: Int32  # how many records the two clusters with this label share
    same: NDArray[np.bool_]  # whether they are the same
    draws: Integers  # in how many draws they are


@inner
def compare(c: int, remaining: int, rings: Rings, against: Against) -> int:
    """Look whether the clusters labelled c are the same now, and count the draws; return how many more are."""
    same = against.size[c] > 0 and against.size[c] == rings.size[c] and against.shared[c] == rings.size[c]
    if same == against.same[c]:
        return 0
    against.same[c] = same
    change = 1 if same else -1
    against.draws[c] += change * remaining
    return change


@inner
def count_both(begin: int, end: int, pairs: Pairs, against: Against) -> int:
    """Return how many of the pairs are together in the partition."""
    total = 0
    for e in range(begin, end):
        if against.label[pairs.i[e]] == against.label[pairs.j[e]]:
            total += 1
    return total


@kernel
def compare_first(draws: int, rings: Rings, against: Against, out: Integers) -> None:
    """Fill ``out`` with the pairs of the first draw, those in both, and the clusters that are the same."""
    for r in range(rings.label.size):
        if rings.label[r] == against.label[r]:
            against.shared[rings.label[r]] += 1
    out[:] = 0
    for c in range(rings.label.size):
        out[2] += compare(c, draws, rings, against)
    m, pairs = all_pairs(rings, make_pairs(1))
    out[0], out[1] = m, count_both(0, m, pairs, against)


@kernel
def compare_changes(
    record: Int32, label: Int32, begin: Integers, remaining: int, rings: Rings, against: Against, out: Integers
) -> None:
    """Fill a row of ``out`` for each draw; the first row is that of the draw before. See `compare_first`."""
    pairs = make_pairs(1024)
    old = np.empty(np.max(begin[1:] - begin[:-1]), np.int32)
    for t in range(begin.size - 1):
        for e in range(begin[t], begin[t + 1]):
            r = record[e]
            old[e - begin[t]] = rings.label[r]
            if against.label[r] == rings.label[r]:
                against.shared[rings.label[r]] -= 1
            if against.label[r] == label[e]:
                against.shared[label[e]] += 1
        parted, total, pairs = move(record, label, begin[t], begin[t + 1], rings, pairs)
        out[t + 1] = out[t]
        out[t + 1, 0] += total - 2 * parted
        out[t + 1, 1] += count_both(parted, total, pairs, against) - count_both(0, parted, pairs, against)
        for e in range(begin[t], begin[t + 1]):
            out[t + 1, 2] += compare(old[e - begin[t]], remaining - t, rings, against)
            out[t + 1, 2] += compare(label[e], remaining - t, rings, against)
