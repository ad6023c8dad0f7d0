"""Names for entities that are the same in every run."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]

# 64 bits: among a million entities two share a name with probability 3e-8.
DIGITS = 16


def entity_ids(labels: Int32, shown: list[Any]) -> list[str]:
    """Return a name for the cluster of each label that occurs, ascending by label.

    The name is a hash of the sorted ids of its records, so the same set of records has the same name whatever else
    was drawn. Ids count by what they look like: 7 and "7" are the same.

    Parameters
    ----------
    labels
        For each record the smallest record of its cluster.
    shown
        What names each record: its id, or its source and id.

    Examples
    --------
    >>> entity_ids(np.array([0, 0, 2]), ["a", "b", "c"])
    ['235870420603e322', '570b83bc2a3a6c44']
    >>> entity_ids(np.array([0, 1, 0]), ["b", "c", "a"])[0]
    '235870420603e322'
    """
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order], append=-1)) + 1
    names = [_encoded(name) for name in shown]
    ordered = [names[record] for record in order.tolist()]
    found, begin = [], 0
    for end in ends.tolist():
        members = sorted(ordered[begin:end])
        found.append(hashlib.blake2b(b"".join(members), digest_size=DIGITS // 2).hexdigest())
        begin = end
    return found


def _encoded(name: Any) -> bytes:
    """Return an id as bytes whose length is told, so that no two lists of ids read the same."""
    inner = isinstance(name, tuple)
    text = b"".join(map(_encoded, name)) if inner else str(name).encode("utf-8", "surrogatepass")
    return len(text).to_bytes(8, "big") + text
