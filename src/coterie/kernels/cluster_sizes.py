"""How many clusters of each size there are in every draw of a chain."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]


class Sizes(NamedTuple):
    """The sizes of the clusters in the draw at hand."""

    label: Int32  # of each record
    size: Int32  # of each cluster by its label
    counted: Int32  # the size by which it is counted
    clusters: Integers  # (N + 1,): how many have each size
    seen: Integers  # (N + 1,): the last draw in which that was written down


@kernel
def make_sizes(labels: Int32) -> Sizes:
    """Return the sizes of a first draw."""
    n = labels.size
    sizes = Sizes(
        labels.copy(),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n + 1, np.int64),
        np.zeros(n + 1, np.int64),
    )
    for r in range(n):
        sizes.size[labels[r]] += 1
    sizes.counted[:] = sizes.size
    for c in range(n):
        sizes.clusters[sizes.size[c]] += 1
    return sizes


@inner
def recount(c: int, sizes: Sizes) -> None:
    """Count the cluster labelled c by the size that it has now."""
    sizes.clusters[sizes.counted[c]] -= 1
    sizes.clusters[sizes.size[c]] += 1
    sizes.counted[c] = sizes.size[c]


@kernel
def fill_sizes(record: Int32, label: Int32, begin: Integers, first: int, sizes: Sizes) -> Integers:
    """Return rows (draw, size, clusters) wherever a draw may have changed them; the draws begin with ``first``."""
    rows, used = np.empty((1024, 3), np.int64), 0
    touched = np.empty(4 * np.max(begin[1:] - begin[:-1]), np.int64)
    for t in range(begin.size - 1):
        m = 0
        for e in range(begin[t], begin[t + 1]):
            old = sizes.label[record[e]]
            sizes.size[old] -= 1
            sizes.size[label[e]] += 1
            sizes.label[record[e]] = label[e]
            touched[m], touched[m + 1] = old, label[e]
            m += 2
        for a in range(m):
            c = touched[a]
            touched[a] = sizes.counted[c]
            recount(c, sizes)
            touched[m + a] = sizes.size[c]
        for a in range(2 * m):
            s = touched[a]
            if sizes.seen[s] != first + t:
                sizes.seen[s] = first + t
                if used == rows.shape[0]:
                    rows = np.concatenate((rows, np.empty_like(rows)))
                rows[used] = first + t, s, sizes.clusters[s]
                used += 1
    return rows[:used]
