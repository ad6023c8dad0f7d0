"""The clusters that all of their members were drawn in most often."""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel

Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]


@kernel
def shared_sets(begin: Integers, member: Int32, count: Integers, draws: int, n: int) -> Int32:
    """Return labels by which exactly the sets that are the most frequent of all of their members are together.

    Members of a set ascend. How often a record was alone is what the sets of two and more leave of the draws.
    """
    favourite, alone = np.full(n, -1, np.int64), np.full(n, draws, np.int64)
    for s in range(count.size):
        if begin[s + 1] - begin[s] > 1:
            for a in range(begin[s], begin[s + 1]):
                r = member[a]
                alone[r] -= count[s]
                if favourite[r] < 0 or comes_first(s, favourite[r], begin, member, count):
                    favourite[r] = s
    label = np.arange(n).astype(np.int32)
    for s in range(count.size):
        shared = begin[s + 1] - begin[s] > 1
        for a in range(begin[s], begin[s + 1]):
            # Who was alone as often stays alone.
            shared = shared and favourite[member[a]] == s and count[s] > alone[member[a]]
        if shared:
            for a in range(begin[s], begin[s + 1]):
                label[member[a]] = member[begin[s]]
    return label


@inner
def comes_first(s: int, t: int, begin: Integers, member: Int32, count: Integers) -> bool:
    """Tell whether set s was drawn more often than t, or as often and is smaller, or else has smaller records."""
    if count[s] != count[t]:
        return count[s] > count[t]
    size = begin[s + 1] - begin[s]
    if size != begin[t + 1] - begin[t]:
        return size < begin[t + 1] - begin[t]
    for a in range(size):
        x, y = member[begin[s] + a], member[begin[t] + a]
        if x != y:
            return x < y
    return False
