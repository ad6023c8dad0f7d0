"""Partitions of [N] = {1, …, N}: who is together with whom, and how large the clusters are."""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError

Integers = NDArray[np.int64]

# More elements than this are not counted by 64 bits with one to spare.
MOST = 2**62


class Statistics(NamedTuple):
    """The four statistics by which section 4 of the paper compares partitions.

    Examples
    --------
    >>> Statistics.of([1, 1, 2])
    Statistics(singletons=2, largest=2, mean=1.3333333333333333, quantile_90=1.8)
    """

    singletons: int
    largest: int
    mean: float
    quantile_90: float

    @classmethod
    def of(cls, sizes: ArrayLike) -> Self:
        """Compute them from cluster sizes; the quantile interpolates linearly, as R and numpy do."""
        array = np.asarray(sizes)
        return cls(
            singletons=int(np.count_nonzero(array == 1)),
            largest=int(array.max()),
            mean=float(array.mean()),
            quantile_90=float(np.quantile(array, 0.9)),
        )


class SizeTable(NamedTuple):
    """The distinct cluster sizes, ascending, and how many clusters have each."""

    sizes: Integers
    counts: Integers


class Partition:
    """A partition of N elements into k clusters.

    Make one with `from_labels` or `from_sizes`. Labels are canonical: clusters are numbered 0, 1, … in the
    order in which their first elements appear, so two partitions are equal exactly when they are the same
    set partition.

    Examples
    --------
    >>> p = Partition.from_labels(["ann", "bob", "ann"])
    >>> p.labels
    array([0, 1, 0])
    >>> p == Partition.from_labels([7, 3, 7])
    True
    >>> simulated = Partition.from_sizes({1: 4100, 2: 300, 3: 100})
    >>> simulated.n, simulated.k
    (5000, 4500)
    """

    def __init__(
        self, *, labels: Integers | None = None, sizes: Integers | None = None, table: SizeTable | None = None
    ) -> None:
        # Private: canonical labels, or sizes or a size table whose labels are made only when somebody asks.
        for name, array in (("labels", labels), ("sizes", sizes)):
            if array is not None:
                array.flags.writeable = False
                self.__dict__[name] = array
        if table is not None:
            self.__dict__["size_table"] = table

    @classmethod
    def from_labels(cls, labels: Iterable[Any]) -> Self:
        """Make the partition in which elements with equal labels are together.

        Parameters
        ----------
        labels
            One label for each element, of any hashable type; which labels they are does not matter.

        Examples
        --------
        >>> Partition.from_labels([5, 5, 2]).sizes
        array([2, 1])
        """
        if isinstance(labels, np.ndarray) and labels.ndim == 1 and labels.dtype.kind in "iub":
            codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        else:
            codes = _codes(labels)
        if codes.size == 0:
            raise InputError("labels of at least one element", "none", "There is no empty partition.")
        return cls(labels=canonical(codes))

    @classmethod
    def from_sizes(cls, sizes: Mapping[int, int] | ArrayLike) -> Self:
        """Make a partition with these cluster sizes; elements of a cluster stand next to each other.

        Parameters
        ----------
        sizes
            Either ``{size: how many clusters}``, or the size of each cluster.

        Examples
        --------
        >>> Partition.from_sizes({1: 2, 3: 1}) == Partition.from_sizes([1, 1, 3])
        True
        """
        if isinstance(sizes, Mapping):
            return cls(table=_size_table(sizes))
        array = _whole_numbers(sizes, "cluster sizes")
        _check_total(array, np.ones(1))
        return cls(sizes=array)

    @cached_property
    def labels(self) -> Integers:
        """The cluster of each element, numbered by first appearance; read-only."""
        labels = np.repeat(np.arange(self.k), self.sizes)
        labels.flags.writeable = False
        return labels

    @cached_property
    def size_table(self) -> SizeTable:
        """The distinct sizes and how many clusters have each."""
        sizes, counts = np.unique(self.sizes, return_counts=True)
        return SizeTable(sizes.astype(np.int64), counts.astype(np.int64))

    @cached_property
    def sizes(self) -> Integers:
        """The size of each cluster, in the order of the labels; read-only."""
        if "labels" in self.__dict__:
            sizes = np.bincount(self.labels).astype(np.int64)
        else:
            sizes = np.repeat(*self.size_table)
        sizes.flags.writeable = False
        return sizes

    @property
    def n(self) -> int:
        """The number of elements, N."""
        return int(np.dot(*self.size_table))

    @property
    def k(self) -> int:
        """The number of clusters, |C_N|."""
        return int(self.size_table.counts.sum())

    @property
    def size_counts(self) -> dict[int, int]:
        """How many clusters there are of each size."""
        return dict(zip(self.size_table.sizes.tolist(), self.size_table.counts.tolist(), strict=True))

    @property
    def largest_share(self) -> float:
        """The share of the elements that are in the largest cluster, M_N / N (section 2 of the paper)."""
        return int(self.size_table.sizes[-1]) / self.n

    @property
    def statistics(self) -> Statistics:
        """Singletons, largest, mean and 90 % quantile of the cluster sizes (section 4 of the paper)."""
        return Statistics.of(self.sizes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partition):
            return NotImplemented
        return np.array_equal(self.labels, other.labels)

    def __hash__(self) -> int:
        return hash(self.labels.tobytes())

    def __repr__(self) -> str:
        counts = self.size_counts
        # Twelve sizes fit on a line; a longer list is told by its ends.
        if len(counts) > 12:
            return f"<Partition of {self.n} elements into {self.k} clusters, the largest of {max(counts)}>"
        if self.n > 20:
            return f"<Partition of {self.n} elements with size counts {counts}>"
        return f"Partition.from_labels({self.labels.tolist()})"


def canonical(codes: Integers) -> Integers:
    """Renumber labels from 0 on, some of which may be missing, by first appearance."""
    n = codes.size
    first = np.full(int(codes.max()) + 1, n)
    # Assigned from the last element to the first, so that the first appearance is what stays.
    first[codes[::-1]] = np.arange(n - 1, -1, -1)
    rank = np.empty_like(first)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[codes]


def _codes(labels: Iterable[Any]) -> Integers:
    """Number arbitrary labels 0, 1, … in order of appearance."""
    hint = "Pass a flat list with one label for each element."
    try:
        if isinstance(labels, str | bytes | Mapping):
            raise TypeError
        each = iter(labels)
    except TypeError:
        raise InputError("a list of labels", repr(labels)[:60], hint) from None
    codes: dict[Any, int] = {}
    numbered = []
    for position, label in enumerate(each):
        try:
            numbered.append(codes.setdefault(label, len(codes)))
        except TypeError:
            got = f"{type(label).__name__} at position {position}"
            raise InputError("one hashable label for each element", got, hint) from None
        if _is_missing(label):
            raise InputError(
                "a label for every element",
                f"{label!r} at position {position}",
                "Give an element of which nothing is known a label of its own.",
            )
    return np.array(numbered, dtype=np.int64)


def _is_missing(label: Any) -> bool:
    """Tell whether a label is None, or a value such as NaN that does not equal itself."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # a missing value that does not say whether it equals anything
        return True


def _whole_numbers(values: ArrayLike, what: str) -> Integers:
    """Check that values are whole numbers from 1 on, and at least one."""
    hint = "Sizes count the elements of a cluster; leave empty clusters out."
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"a flat list of {what}", "a ragged one", hint) from None
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"a flat list of {what}, at least one", f"shape {array.shape}", hint)
    if array.dtype.kind not in "iuf" or not np.all((array >= 1) & (array < MOST) & (array == np.floor(array))):
        bad = [value for value in array.tolist() if not _is_whole(value)]
        if not bad:
            raise InputError(f"{what} below 2^62", f"{max(array.tolist()):.3g}", "Check the sizes.")
        raise InputError(f"{what} that are whole numbers from 1 on", repr(bad[0])[:60], hint)
    return array.astype(np.int64)


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 1 <= value < math.inf and value % 1 == 0


def _check_total(sizes: NDArray[Any], counts: NDArray[Any]) -> None:
    """Check that the elements can be counted."""
    total = float(np.sum(sizes.astype(float) * counts.astype(float)))
    if total >= MOST:
        raise InputError("fewer than 2^62 elements", f"about {total:.3g}", "Check the sizes.")


def _size_table(counts: Mapping[int, int]) -> SizeTable:
    sizes = _whole_numbers(list(counts), "cluster sizes")
    numbers = _whole_numbers(list(counts.values()), "numbers of clusters")
    _check_total(sizes, numbers)
    order = np.argsort(sizes)
    return SizeTable(sizes[order], numbers[order])
