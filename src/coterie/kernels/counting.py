"""A table that counts by keys, as many as there will be: open addressing, linear probing."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import inner, kernel

Integers = NDArray[np.int64]

EMPTY = -1


class Counter(NamedTuple):
    """Counts by key, in some columns; a key is a number from 0 on."""

    key: Integers  # (capacity,): EMPTY where nothing is; the capacity is a power of two
    counts: NDArray[np.int32]  # (capacity, columns)
    used: Integers  # (1,)


@kernel
def make_counter(columns: int, capacity: int) -> Counter:
    """Return an empty table; the capacity is a power of two."""
    return Counter(
        np.full(capacity, EMPTY, np.int64), np.zeros((capacity, columns), np.int32), np.zeros(1, np.int64)
    )


@inner
def mixed(key: int) -> np.uint64:
    """Return the bits of a number well mixed (splitmix64)."""
    x = np.uint64(key) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def slot_of(key: int, counter: Counter) -> int:
    """Return where a key stands, or where it would."""
    mask = np.uint64(counter.key.size - 1)
    at = mixed(key) & mask
    while counter.key[at] != EMPTY and counter.key[at] != key:
        at = (at + np.uint64(1)) & mask
    return int(at)


@inner
def add(key: int, column: int, amount: int, counter: Counter) -> None:
    """Add to a count; there must be room."""
    at = slot_of(key, counter)
    if counter.key[at] == EMPTY:
        counter.key[at] = key
        counter.used[0] += 1
    counter.counts[at, column] += amount


@kernel
def with_room(counter: Counter, more: int) -> Counter:
    """Return a table with the same counts and room for so many more keys; half of it stays empty."""
    capacity = counter.key.size
    while 2 * (counter.used[0] + more) > capacity:
        capacity *= 2
    if capacity == counter.key.size:
        return counter
    larger = make_counter(counter.counts.shape[1], capacity)
    for old in range(counter.key.size):
        if counter.key[old] != EMPTY:
            at = slot_of(counter.key[old], larger)
            larger.key[at] = counter.key[old]
            larger.counts[at] = counter.counts[old]
    larger.used[0] = counter.used[0]
    return larger
