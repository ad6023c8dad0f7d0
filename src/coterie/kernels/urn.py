"""Exact draws from every law that is an urn given its number of components.

Elements arrive one by one. With k clusters so far, an arriving element

    founds a new cluster           with weight  unit · (base + slope · k)
    joins a cluster of s elements  with weight  per_cluster + per_element · (s − 1)

The second is a uniformly chosen cluster, or the cluster of a uniformly chosen element that is not its
cluster's first: O(1) work an element, whatever the number of clusters.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel


class Urn(NamedTuple):
    """The weights of an urn."""

    unit: float
    base: float
    slope: float
    per_cluster: float
    per_element: float


@kernel
def place(u: float, t: int, k: int, urn: Urn) -> tuple[int, int]:
    """Place the element that comes after t others in k clusters, given a uniform u.

    Returns (k, −1) for a new cluster, (c, −1) for cluster c, (−1, m) for the cluster of the m-th repeat,
    a repeat being an element that was not the first of its cluster.
    """
    new = urn.unit * (urn.base + urn.slope * k)
    clusters = k * urn.per_cluster
    x = u * (new + clusters + (t - k) * urn.per_element)
    if t == 0 or x < new:
        return k, -1
    x -= new
    # The quotient may round up to the number itself.
    if x < clusters or t == k:
        return min(int(x / urn.per_cluster), k - 1), -1
    return -1, min(int((x - clusters) / urn.per_element), t - k - 1)


@kernel
def fill_labels(rng: np.random.Generator, urn: Urn, labels: NDArray[np.int64], repeats: NDArray[np.int64]) -> None:
    """Fill labels with a draw, numbered by first appearance; repeats is work space as long as labels."""
    k = 0
    for t in range(labels.size):
        c, m = place(rng.random(), t, k, urn)
        if c < 0:
            c = repeats[m]
        labels[t] = c
        if c == k:
            k += 1
        else:
            repeats[t - k] = c


@kernel
def fill_sizes(rng: np.random.Generator, urn: Urn, sizes: NDArray[np.int64], repeats: NDArray[np.int64]) -> int:
    """Fill sizes[:k] with the cluster sizes of a draw of sizes.size elements and return k."""
    k = 0
    for t in range(sizes.size):
        c, m = place(rng.random(), t, k, urn)
        if c < 0:
            c = repeats[m]
        if c == k:
            sizes[k] = 1
            k += 1
        else:
            sizes[c] += 1
            repeats[t - k] = c
    return k
