"""Who is together: clusters as rings.

``after`` leads from each unit to the next member of its cluster, ascending, and from the last back to the first.
A cluster is called by its first member. So the arrays are a function of the partition alone, whatever moves led to
it: nothing that reads them can depend on history.

A unit is a record, or several that must be together. Units are what moves; records are what counts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel
from coterie.kernels.pointer import by_pointer

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]


@by_pointer
class Clusters(NamedTuple):
    """A partition of units. ``size`` and ``log_r`` stand at a cluster's first member."""

    label: Int32  # the first member of each unit's cluster
    after: Int32  # the next member of its cluster
    size: Int32  # how many records the cluster has
    log_r: Floats  # log R of the cluster
    k: Integers  # (1,): the number of clusters, |C|


@inner
def members_of(c: int, clusters: Clusters, members: Integers) -> int:
    """Fill ``members`` with the units of cluster c, ascending, and return how many there are."""
    m, n = 0, c
    while True:
        members[m] = n
        m += 1
        n = clusters.after[n]
        if n == c:
            return m


@inner
def members_of_two(c: int, d: int, clusters: Clusters, members: Integers) -> int:
    """Fill ``members`` with the units of both clusters, ascending; c may be d."""
    if c == d:
        return members_of(c, clusters, members)
    m, a, b = 0, c, d
    a_left, b_left = True, True
    while a_left or b_left:
        if a_left and (not b_left or a < b):
            members[m] = a
            a = clusters.after[a]
            a_left = a != c
        else:
            members[m] = b
            b = clusters.after[b]
            b_left = b != d
        m += 1
    return m


@inner
def join_up(members: Integers, side_of: Integers, side: int, m: int, clusters: Clusters) -> int:
    """Tie the members of one side into a ring and return its first, or −1 if there is none."""
    first, last = -1, -1
    for a in range(m):
        if side_of[a] == side:
            n = members[a]
            if first < 0:
                first = n
            else:
                clusters.after[last] = n
            clusters.label[n] = first
            last = n
    if first >= 0:
        clusters.after[last] = first
    return first


@kernel
def tie_all(labels: Integers, begin: Integers, clusters: Clusters) -> None:
    """Build the clusters of a partition from any labels 0, …, N − 1; ``log_r`` is left alone.

    begin[n]:begin[n + 1] are the records of unit n.
    """
    first, last = np.empty(labels.size, np.int64), np.empty(labels.size, np.int64)
    first[:] = -1
    clusters.k[0] = 0
    for n in range(labels.size):
        c = labels[n]
        if first[c] < 0:
            first[c] = n
            clusters.size[n] = 0
            clusters.k[0] += 1
        else:
            clusters.after[last[c]] = n
        clusters.label[n] = first[c]
        clusters.after[n] = first[c]
        clusters.size[first[c]] += begin[n + 1] - begin[n]
        last[c] = n
