"""The draws of one chain, kept as changes: memory grows with what changes, not with N × draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.kernels import changes as kernels

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# So many changes are looked at at once.
CHUNK = 4_000_000


class Changes(NamedTuple):
    """The changes of some draws: those of the t-th are the entries from ``begin[t]`` to ``begin[t + 1]``."""

    begin: Integers
    record: Int32
    label: Int32


class TruthDraws(NamedTuple):
    """The sampled true values of some draws of a chain.

    Of a cluster with two records at least they are kept where they are not what its first record shows.
    """

    draw: Integers  # (K,): the draws that have truths
    begin: Integers  # (K + 1,): where the entries of each begin
    label: Int32  # the cluster
    field: Int32
    value: Int32  # a code; −1 where no record of the cluster has a value


@dataclass(frozen=True, eq=False)
class Chain:
    """The draws of one chain. A `Recorder` makes it, or `chain_of` from labels.

    Records are numbered in the canonical order of the table; a label is the smallest record of the cluster.

    Attributes
    ----------
    first
        The labels of draw 0.
    begin, record, label
        From draw t on, ``record[e]`` has ``label[e]`` for e from ``begin[t]`` to ``begin[t + 1]``.
    entities
        |C| of every draw.
    psi
        The distortion rates, by draw, field and source.
    parameters
        What is inferred of the prior, by draw.
    truths
        Sampled true values.
    """

    first: Int32
    begin: Integers
    record: Int32
    label: Int32
    entities: Integers
    psi: Floats
    parameters: Floats
    truths: TruthDraws

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.first.size)

    @property
    def draws(self) -> int:
        """The number of draws."""
        return int(self.entities.size)

    def changes(self, begin: int, end: int) -> Changes:
        """Return the changes of the draws from ``begin`` to before ``end``."""
        low, high = self.begin[begin], self.begin[end]
        return Changes(self.begin[begin : end + 1] - low, self.record[low:high], self.label[low:high])

    def chunks(self) -> Iterator[tuple[int, Changes]]:
        """Yield ranges of draws with their changes, and the draw that each range begins with; draw 0 has none."""
        at = 1
        while at < self.draws:
            end = int(np.searchsorted(self.begin, self.begin[at] + CHUNK, side="right")) - 1
            end = min(max(end, at + 1), self.draws)
            yield at, self.changes(at, end)
            at = end

    def labels(self, draw: int) -> Int32:
        """Return the labels of one draw.

        Examples
        --------
        >>> chain_of([[0, 0, 1], [0, 1, 1]]).labels(1)
        array([0, 1, 1], dtype=int32)
        """
        return next(self.labels_at([draw]))

    def labels_at(self, draws: Sequence[int] | Integers) -> Iterator[Int32]:
        """Yield the labels of some draws, ascending; each time the same array, brought up to date."""
        labels, at = self.first.copy(), 0
        for draw in draws:
            while at < draw:
                end = int(np.searchsorted(self.begin, self.begin[at + 1] + CHUNK, side="right")) - 1
                end = min(max(end, at + 2), draw + 1)
                part = self.changes(at + 1, end)
                # Of several changes of one record the last one holds.
                labels[part.record] = part.label
                at = end - 1
            yield labels


def chain_of(labels: ArrayLike, *, psi: ArrayLike | None = None, parameters: ArrayLike | None = None) -> Chain:
    """Return a chain from the labels of all its draws, however they were drawn.

    Parameters
    ----------
    labels
        By draw and record; records with the same label are together.
    psi
        Distortion rates by draw, field and source; none if left out.
    parameters
        What else was drawn, by draw.

    Examples
    --------
    >>> chain = chain_of([[5, 5, 9], [5, 9, 9]])
    >>> chain.n, chain.draws, chain.entities
    (3, 2, array([2, 2]))
    """
    array = np.asarray(labels)
    if array.ndim != 2 or not array.size or array.dtype.kind not in "iu":
        hint = "Pass one row of whole numbers for each draw."
        raise InputError("labels by draw and record", f"an array of {array.dtype}, {array.shape}", hint)
    store = Store(array.shape[1])
    rates = np.empty((len(array), 0, 1)) if psi is None else np.asarray(psi, np.float64)
    others = np.empty((len(array), 0)) if parameters is None else np.asarray(parameters, np.float64)
    for row, rate, other in zip(array, rates, others, strict=True):
        store.add(np.unique(row, return_inverse=True)[1].astype(np.int64), rate, other)
    return store.chain()


class Store:
    """Append-only arrays of draws."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._first: Int32 | None = None
        self._now, self._next, self._scratch = (np.zeros(n, np.int32) for _ in range(3))
        self._room = np.empty((2, n), np.int32)
        self._begin = [0]
        self._record, self._label = Growing(np.int32), Growing(np.int32)
        self._entities: list[int] = []
        self._psi: list[Floats] = []
        self._parameters: list[Floats] = []
        self._truth_draw: list[int] = []
        self._truth_begin = [0]
        self._truth = tuple(Growing(np.int32) for _ in range(3))

    def add(self, labels: Integers, psi: Floats, parameters: Floats) -> Int32:
        """Append a draw; return its labels, which are overwritten by the next but one."""
        kernels.fill_smallest(labels, self._scratch, self._next)
        if self._first is None:
            self._first = self._next.copy()
        else:
            record, label = self._room
            m = kernels.fill_changes(self._now, self._next, record, label)
            self._record.extend(record[:m])
            self._label.extend(label[:m])
        self._now, self._next = self._next, self._now
        self._begin.append(self._record.used)
        self._entities.append(int(np.count_nonzero(self._now == np.arange(self.n))))
        self._psi.append(np.array(psi, np.float64))
        self._parameters.append(np.array(parameters, np.float64))
        return self._now

    def add_truths(self, label: Int32, field: Int32, value: Int32) -> None:
        """Append the truths of the last draw."""
        self._truth_draw.append(len(self._entities) - 1)
        for column, entries in zip(self._truth, (label, field, value), strict=True):
            column.extend(entries)
        self._truth_begin.append(self._truth[0].used)

    def chain(self) -> Chain:
        """Return the draws so far; what is added later does not change them."""
        if self._first is None:
            raise InputError("a draw at least", "none", "Add draws first.")
        truths = TruthDraws(
            np.array(self._truth_draw, np.int64),
            np.array(self._truth_begin, np.int64),
            *(column.array() for column in self._truth),
        )
        return Chain(
            first=self._first,
            begin=np.array(self._begin, np.int64),
            record=self._record.array(),
            label=self._label.array(),
            entities=np.array(self._entities, np.int64),
            psi=np.array(self._psi),
            parameters=np.array(self._parameters),
            truths=truths,
        )


class Growing:
    """An array to whose end entries are added."""

    def __init__(self, dtype: type[np.int32]) -> None:
        self._array: Int32 = np.empty(1024, dtype)
        self.used = 0

    def extend(self, entries: Int32) -> None:
        """Add entries; the array grows by half when it is full, so that few are copied and few are empty."""
        need = self.used + entries.size
        if need > self._array.size:
            larger = np.empty(max(need, self._array.size * 3 // 2), self._array.dtype)
            larger[: self.used] = self._array[: self.used]
            self._array = larger
        self._array[self.used : need] = entries
        self.used = need

    def array(self) -> Int32:
        """Return the entries, without copying."""
        return self._array[: self.used]
