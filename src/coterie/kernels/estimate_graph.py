"""The sparse graph of candidate pairs that point estimates are found on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# Gains below this are rounding: sums of weights of order 1, a few thousand of them.
EPSILON = 1e-10


class Graph(NamedTuple):
    """Pairs of n records, each from both of its ends; a pair that is not listed has p = 0."""

    begin: Integers  # (n + 1,): the pairs of record r are begin[r], …, begin[r + 1] − 1
    neighbour: Int32  # ascending within a record
    p: Floats


@kernel
def make_graph(i: Int32, j: Int32, p: Floats, n: int) -> Graph:
    """List the pairs i < j, which ascend, from both of their ends."""
    begin = np.zeros(n + 1, np.int64)
    for e in range(i.size):
        begin[i[e] + 1] += 1
        begin[j[e] + 1] += 1
    begin = np.cumsum(begin)
    place = begin[:n].copy()
    neighbour, weight = np.empty(2 * i.size, np.int32), np.empty(2 * i.size)
    for e in range(i.size):
        for r, other in ((i[e], j[e]), (j[e], i[e])):
            neighbour[place[r]], weight[place[r]] = other, p[e]
            place[r] += 1
    return Graph(begin, neighbour, weight)


@inner
def root_of(r: int, parent: Int32) -> int:
    """Return the root of r, and hang what lies on the way to it closer to it."""
    while parent[r] != r:
        parent[r] = parent[parent[r]]
        r = parent[r]
    return r


@kernel
def components(i: Int32, j: Int32, p: Floats, above: float, n: int) -> Int32:
    """Return the smallest record that each record is connected with by pairs with p > above."""
    parent = np.arange(n).astype(np.int32)
    for e in range(i.size):
        if p[e] > above:
            a, b = root_of(i[e], parent), root_of(j[e], parent)
            # The smaller record stays the root.
            parent[max(a, b)] = min(a, b)
    for r in range(n):
        parent[r] = root_of(r, parent)
    return parent


@kernel
def sort_by(label: Int32, n: int) -> tuple[Integers, Int32]:
    """Return where the members of each label 0, …, n − 1 begin, and the records in order of their labels."""
    begin = np.zeros(n + 1, np.int64)
    for r in range(label.size):
        begin[label[r] + 1] += 1
    begin = np.cumsum(begin)
    place = begin[:n].copy()
    member = np.empty(label.size, np.int32)
    for r in range(label.size):
        member[place[label[r]]] = r
        place[label[r]] += 1
    return begin, member


@kernel
def smallest_members(label: Int32) -> Int32:
    """Return the smallest record that has the label of each record; labels are 0, …, n − 1, not all need occur."""
    first = np.full(label.size, -1, np.int32)
    smallest = np.empty(label.size, np.int32)
    for r in range(label.size):
        if first[label[r]] < 0:
            first[label[r]] = r
        smallest[r] = first[label[r]]
    return smallest


@kernel
def meet(one: Int32, other: Int32) -> Int32:
    """Return the common refinement of two partitions, as smallest members; the one consists of them."""
    begin, member = sort_by(one, one.size)
    # Within a cluster of the one, the first record with each label of the other; valid where stamped.
    first, stamp = np.zeros(one.size, np.int32), np.full(one.size, -1, np.int32)
    label = np.empty(one.size, np.int32)
    for c in range(one.size):
        for at in range(begin[c], begin[c + 1]):
            r = member[at]
            if stamp[other[r]] != c:
                stamp[other[r]], first[other[r]] = c, r
            label[r] = first[other[r]]
    return label


@kernel
def join(one: Int32, other: Int32) -> Int32:
    """Return the finest partition that two others refine, as smallest members; the one consists of them."""
    parent, first = one.copy(), smallest_members(other)
    for r in range(one.size):
        a, b = root_of(r, parent), root_of(first[r], parent)
        parent[max(a, b)] = min(a, b)
    for r in range(one.size):
        parent[r] = root_of(r, parent)
    return parent


@kernel
def restrict(label: Int32, record: Integers) -> Int32:
    """Return a partition of some ascending records, by their numbers 0, 1, … among themselves."""
    first = np.full(label.size, -1, np.int32)
    restricted = np.empty(record.size, np.int32)
    for a in range(record.size):
        if first[label[record[a]]] < 0:
            first[label[record[a]]] = a
        restricted[a] = first[label[record[a]]]
    return restricted
