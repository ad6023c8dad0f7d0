"""Draws of a chain as changes: which records have another label than in the draw before.

A record's label is the smallest record of its cluster, so a cluster that stays as it is costs nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]

GONE = -1


class Rings(NamedTuple):
    """A partition whose clusters can be walked through: the members of each form a ring, the label among them."""

    label: Int32  # (N,)
    after: Int32
    before: Int32
    size: Int32  # of the cluster with this label; 0 where no cluster has it


@kernel
def fill_smallest(labels: Integers, first: Int32, out: Int32) -> None:
    """Fill ``out`` with the smallest record of each record's cluster; ``labels`` are any from 0 to N − 1."""
    first[:] = GONE
    for r in range(labels.size):
        c = labels[r]
        if first[c] == GONE:
            first[c] = r
        out[r] = first[c]


@kernel
def fill_changes(old: Int32, new: Int32, record: Int32, label: Int32) -> int:
    """Fill in which records have another label, and which; return how many."""
    m = 0
    for r in range(old.size):
        if old[r] != new[r]:
            record[m], label[m] = r, new[r]
            m += 1
    return m


@kernel
def make_rings(labels: Int32) -> Rings:
    """Return the partition of these labels."""
    n = labels.size
    rings = Rings(labels.copy(), np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.int32))
    for r in range(n):
        seat(r, labels[r], rings)
    return rings


@inner
def seat(r: int, c: int, rings: Rings) -> None:
    """Put record r into the cluster labelled c; its first record is c itself."""
    rings.label[r] = c
    rings.size[c] += 1
    if r == c:
        rings.after[r] = rings.before[r] = r
    else:
        last = rings.before[c]
        rings.after[last], rings.before[r] = r, last
        rings.after[r], rings.before[c] = c, r


@inner
def unseat(r: int, rings: Rings) -> None:
    """Take record r out of its ring."""
    rings.size[rings.label[r]] -= 1
    rings.label[r] = GONE
    rings.after[rings.before[r]] = rings.after[r]
    rings.before[rings.after[r]] = rings.before[r]


@inner
def seat_all(record: Int32, label: Int32, begin: int, end: int, rings: Rings) -> None:
    """Put the records of these changes into their new clusters, the first of each before all others."""
    for e in range(begin, end):
        if record[e] == label[e]:
            seat(record[e], label[e], rings)
    for e in range(begin, end):
        if record[e] != label[e]:
            seat(record[e], label[e], rings)


@inner
def apply(record: Int32, label: Int32, begin: int, end: int, labels: Int32) -> None:
    """Bring labels from one draw to the next."""
    for e in range(begin, end):
        labels[record[e]] = label[e]
