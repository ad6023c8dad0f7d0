"""What two partitions of the same records have in common: the sizes of all overlaps of their clusters."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.partition import Partition

Integers = NDArray[np.int64]

# Whole numbers that lie in a range of so many times the records are looked up, others are sorted.
DENSE = 8


class Contingency(NamedTuple):
    """The contingency table of two partitions, without its zeros.

    Overlap o has ``overlap[o]`` records; they lie in a cluster of the estimate with ``estimated[o]`` records, and
    in a true one with ``true[o]``.
    """

    overlap: Integers
    estimated: Integers
    true: Integers
    estimated_sizes: Integers  # the size of each cluster of the estimate
    true_sizes: Integers

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.overlap.sum())


def contingency_of(estimated: ArrayLike | Partition, truth: ArrayLike | Partition) -> Contingency:
    """Return the overlaps of two partitions of the same records.

    Parameters
    ----------
    estimated, truth
        One label for each record, in the same order.

    Examples
    --------
    >>> contingency_of(["a", "a", "b"], [1, 1, 1]).overlap
    array([2, 1])
    """
    one, other = codes_of(estimated, "estimated"), codes_of(truth, "true")
    if one.size != other.size:
        hint = "Pass labels of the same records in the same order, or tables with ids."
        raise InputError("as many estimated labels as true ones", f"{one.size} and {other.size}", hint)
    sizes, true_sizes = np.bincount(one), np.bincount(other)
    cell, overlap = np.unique(one * true_sizes.size + other, return_counts=True)
    row, column = np.divmod(cell, true_sizes.size)
    return Contingency(overlap, sizes[row], true_sizes[column], sizes, true_sizes)


def codes_of(labels: object, which: str) -> Integers:
    """Number the distinct labels from 0 on; a missing one is refused."""
    if isinstance(labels, Partition):
        return labels.labels
    array = np.asarray(labels) if hasattr(labels, "__array__") else labels
    if isinstance(array, np.ndarray) and array.ndim == 1 and array.size and array.dtype.kind in "biufmM":
        missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(0, bool)
        missing = np.isnat(array) if array.dtype.kind in "mM" else missing
        if missing.any():
            hint = "Give a record of which nothing is known a label of its own."
            got = f"{array[missing][0]!r} for {np.count_nonzero(missing)} of {array.size} records"
            raise InputError(f"one of the {which} labels for every record", got, hint)
        return _compact(array)
    return Partition.from_labels(array).labels  # type: ignore[arg-type]


def _compact(array: NDArray[np.generic]) -> Integers:
    """Number the distinct values of an array."""
    if array.dtype.kind in "iub":
        low, high = int(array.min()), int(array.max())
        if high - low <= DENSE * array.size and high <= np.iinfo(np.int64).max:
            place = array.astype(np.int64) - low
            seen = np.zeros(high - low + 1, np.int64)
            seen[place] = 1
            return (np.cumsum(seen) - 1)[place]
    return np.unique(array, return_inverse=True)[1].astype(np.int64)
