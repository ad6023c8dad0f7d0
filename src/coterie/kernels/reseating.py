"""The reseating algorithm (section 3 of the paper): every element is taken out and seated again.

An element is seated

    in a new cluster           with weight  new[k]         k clusters being there without it
    in a cluster of s others   with weight  join[s]

Where join[s] = slope · s + offset (all laws but NBD and ESC), an existing cluster is found in O(1): the
cluster of a uniformly chosen other element, or a uniformly chosen cluster. Otherwise a size is drawn
first, then one of the clusters of that size.

Clusters stand in an array sorted by size, largest last, so that those of one size are neighbours:
``order[begin[s]:begin[s + 1]]`` are the clusters of size s, and ``place`` says where each stands. An element
that comes or goes moves its cluster across one border, in O(1).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Seating(NamedTuple):
    """Who sits where. Empty clusters stay in ``order``, at the front, as clusters of size 0."""

    labels: Integers  # the cluster of each element
    sizes: Integers  # the size of each cluster; as many clusters as elements
    order: Integers  # the clusters by size
    place: Integers  # where each cluster stands in order
    begin: Integers  # begin[s]: where clusters of size s begin in order, for s = 0, …, N + 1


class Weights(NamedTuple):
    """The weights of the full conditional. slope and offset are nan where join is not a straight line."""

    new: Floats
    join: Floats
    slope: float
    offset: float


@kernel
def seat_all(labels: Integers) -> Seating:
    """Build the seating of a partition with labels 0, …, k − 1."""
    n = labels.size
    sizes = np.zeros(n, dtype=np.int64)
    for label in labels:
        sizes[label] += 1
    begin = np.zeros(n + 2, dtype=np.int64)
    for c in range(n):
        begin[sizes[c] + 1] += 1
    for s in range(n + 1):
        begin[s + 1] += begin[s]
    order, place = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    free = begin.copy()
    for c in range(n):
        place[c] = free[sizes[c]]
        order[place[c]] = c
        free[sizes[c]] += 1
    return Seating(labels.copy(), sizes, order, place, begin)


@kernel
def swap(c: int, to: int, seating: Seating) -> None:
    """Let cluster c change places with the one that stands at ``to``."""
    other, at = seating.order[to], seating.place[c]
    seating.order[at], seating.place[other] = other, at
    seating.order[to], seating.place[c] = c, to


@kernel
def remove(n: int, seating: Seating) -> None:
    """Take element n out of its cluster."""
    c = seating.labels[n]
    s = seating.sizes[c]
    swap(c, seating.begin[s], seating)
    seating.begin[s] += 1
    seating.sizes[c] = s - 1
    seating.labels[n] = -1


@kernel
def insert(n: int, c: int, seating: Seating) -> None:
    """Seat element n in cluster c."""
    s = seating.sizes[c]
    swap(c, seating.begin[s + 1] - 1, seating)
    seating.begin[s + 1] -= 1
    seating.sizes[c] = s + 1
    seating.labels[n] = c


@kernel
def pick(x: float, weight: float, count: int) -> int:
    """Return which of count equal shares of weight x falls into; rounding may not lead outside."""
    return min(int(x / weight * count), count - 1)


@kernel
def choose(u: float, n: int, seating: Seating, weights: Weights) -> int:
    """Choose a cluster for element n, which sits nowhere, given a uniform u; −1 asks for another u.

    P(c) ∝ new[k] for an empty cluster, join[s] for a cluster of s elements.
    """
    total = seating.labels.size
    empty = seating.begin[1]
    k = total - empty
    new = weights.new[k]
    if k == 0:
        return seating.order[0]
    if np.isnan(weights.slope):
        return choose_by_size(u, new, seating, weights.join)
    by_cluster = weights.offset * k
    by_element = weights.slope * (total - 1)
    x = u * (new + by_cluster + by_element)
    if x < new:
        return seating.order[0]
    x -= new
    if by_cluster < 0.0:
        return element_of(x / (by_cluster + by_element), n, seating, weights)
    if x < by_cluster or by_element == 0.0:
        return seating.order[empty + pick(x, by_cluster, k)]
    return element_of((x - by_cluster) / by_element, n, seating, weights)


@kernel
def element_of(v: float, n: int, seating: Seating, weights: Weights) -> int:
    """Return the cluster of a uniformly chosen element other than n, or −1 to refuse it, given a uniform v.

    Refused is the part −offset of a cluster's weight (Pitman-Yor). Its elements are alike, so the share that
    v has within its element decides.
    """
    others = seating.labels.size - 1
    m = pick(v, 1.0, others)
    c = seating.labels[m if m < n else m + 1]
    if weights.offset < 0.0:
        share = v * others - m
        s = seating.sizes[c]
        if share * s * weights.slope >= weights.slope * s + weights.offset:
            return -1
    return c


@kernel
def choose_by_size(u: float, new: float, seating: Seating, join: Floats) -> int:
    """Choose a new cluster, or first a size and then a cluster of that size."""
    begin, order = seating.begin, seating.order
    largest = seating.sizes[order[order.size - 1]]
    total = new
    for s in range(1, largest + 1):
        total += join[s] * (begin[s + 1] - begin[s])
    x = u * total
    if x < new:
        return order[0]
    x -= new
    last = order[0]
    for s in range(1, largest + 1):
        count = begin[s + 1] - begin[s]
        weight = join[s] * count
        if weight > 0.0:
            if x < weight:
                return order[begin[s] + pick(x, weight, count)]
            x -= weight
            last = order[begin[s + 1] - 1]
    return last  # u is within rounding of one


@kernel
def reseat(n: int, rng: np.random.Generator, seating: Seating, weights: Weights) -> None:
    """Draw the cluster of element n given those of all others."""
    remove(n, seating)
    c = choose(rng.random(), n, seating, weights)
    while c < 0:
        # An existing cluster it is; only which one is open still.
        c = element_of(rng.random(), n, seating, weights)
    insert(n, c, seating)


@kernel
def sweep(rng: np.random.Generator, seating: Seating, weights: Weights, sweeps: int) -> None:
    """Reseat every element in turn, sweeps times; the seating is updated in place."""
    for _ in range(sweeps):
        for n in range(seating.labels.size):
            reseat(n, rng, seating, weights)
