"""What must be together and what must not: hard zeros of the prior."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from coterie.errors import InputError

Integers = NDArray[np.int64]


def check_pairs(what: str, pairs: ArrayLike, n: int) -> Integers:
    """Check pairs of records, as rows of two indices."""
    hint = f"Pass rows (i, j) of record numbers from 0 to {n - 1}."
    try:
        array = np.asarray(pairs)
    except ValueError:
        raise InputError(f"{what}: two record numbers in each row", "a ragged list", hint) from None
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        got = f"shape {array.shape} of {array.dtype}"
        raise InputError(f"{what}: two record numbers in each row", got, hint)
    if array.min() < 0 or array.max() >= n:
        bad = int(array.min()) if array.min() < 0 else int(array.max())
        raise InputError(f"{what}: record numbers from 0 to {n - 1}", str(bad), hint)
    if np.any(array[:, 0] == array[:, 1]):
        twice = int(array[array[:, 0] == array[:, 1]][0, 0])
        raise InputError(f"{what}: two different records in each row", f"({twice}, {twice})", hint)
    return array.astype(np.int64)


def units_of(together: Integers, n: int) -> Integers:
    """Return the unit of each record, where records that must be together, also by others, are one unit.

    Units are numbered by their first records.
    """
    graph = coo_array((np.ones(len(together)), (together[:, 0], together[:, 1])), shape=(n, n))
    labels = connected_components(graph, directed=False)[1]
    first = np.full(labels.max() + 1, n)
    np.minimum.at(first, labels, np.arange(n))
    return np.argsort(np.argsort(first))[labels]


def holders(
    source: NDArray[np.int32], names: Sequence[object], deduplicated: Iterable[object]
) -> NDArray[np.int32]:
    """Return each record's source if that source holds nobody twice, else −1."""
    index = {name: code for code, name in enumerate(names)}
    kept = set()
    for name in deduplicated:
        if name not in index:
            hint = "Name sources that occur, and pass the source of each record."
            raise InputError(f"a source out of {list(index)[:10]} as deduplicated", repr(name), hint)
        kept.add(index[name])
    return np.where(np.isin(source, list(kept)), source, -1).astype(np.int32)


def check_agreement(unit: Integers, apart: Integers, holder: NDArray[np.int32], names: Sequence[object]) -> None:
    """Refuse constraints that contradict each other."""
    broken = np.flatnonzero(unit[apart[:, 0]] == unit[apart[:, 1]])
    if broken.size:
        i, j = apart[broken[0]]
        hint = "Drop one of the two; pairs that must be together count also through others."
        raise InputError(
            "constraints that agree", f"records {i} and {j} that must be both together and apart", hint
        )
    held = np.flatnonzero(holder >= 0)
    order = held[np.lexsort((holder[held], unit[held]))]
    same = (unit[order][1:] == unit[order][:-1]) & (holder[order][1:] == holder[order][:-1])
    if same.any():
        i, j = sorted(order[[np.flatnonzero(same)[0], np.flatnonzero(same)[0] + 1]].tolist())
        hint = "Let them be apart, or do not call the source deduplicated."
        got = (
            f"records {i} and {j} that must be together, both from {names[holder[i]]!r}, which holds nobody twice"
        )
        raise InputError("constraints that agree", got, hint)
