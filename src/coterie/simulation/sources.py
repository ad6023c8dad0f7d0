"""Which source each record comes from, where some sources hold nobody twice."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.simulation.columns import Integers


class Sources(NamedTuple):
    """The names of the sources, their shares of the records, and which of them hold nobody twice."""

    names: tuple[str, ...]
    shares: NDArray[np.float64]
    deduplicated: tuple[int, ...]

    @property
    def largest(self) -> int | None:
        """The most records that an entity can have, None if there is no limit."""
        return len(self.names) if len(self.deduplicated) == len(self.names) else None


def check_sizes(sizes: Integers, sources: Sources) -> None:
    """Refuse an entity with more records than there are sources, if each of them may have but one."""
    if sources.largest is not None and sizes.max() > sources.largest:
        raise InputError(
            f"at most {sources.largest} records of an entity, since each source is deduplicated",
            f"an entity of {sizes.max()} records",
            "Leave a source out of 'deduplicated', or take a law with smaller sizes.",
        )


def draw_sources(rng: np.random.Generator, entity: Integers, rank: Integers, sources: Sources) -> Integers:
    """Draw a source for each record; records stand by entities, and ``rank`` is a record's place in its entity.

    Each comes to a source in proportion to its share. One that comes to a deduplicated source that has its entity
    already goes on to another source.
    """
    if sources.largest is not None:
        return _one_of_each(rng, entity, rank, sources.shares)
    source = rng.choice(len(sources.names), size=len(entity), p=sources.shares)
    order = np.lexsort((rank, source, entity))
    second = (np.diff(entity[order]) == 0) & (np.diff(source[order]) == 0)
    again = order[1:][second & np.isin(source[order][1:], sources.deduplicated)]
    others = sources.shares.copy()
    others[list(sources.deduplicated)] = 0.0
    source[again] = rng.choice(len(others), size=len(again), p=others / others.sum())
    return source


def _one_of_each(
    rng: np.random.Generator, entity: Integers, rank: Integers, shares: NDArray[np.float64]
) -> Integers:
    """Draw sources without replacement: the first of independent exponential times, the next one, and so on."""
    times = rng.standard_exponential((int(entity[-1]) + 1, len(shares))) / shares
    return np.argsort(times, axis=1)[entity, rank]
