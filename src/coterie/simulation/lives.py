"""What happens to people between one record and the next: they move house, and they change their names."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from coterie.simulation.addresses import Addresses
from coterie.simulation.columns import ADDRESS, Column, Integers


class Event(NamedTuple):
    """An error, or a change of life, in the cells of a column."""

    column: str
    error: str
    rows: Integers


class Lives(NamedTuple):
    """Records by entities: the place of each one in its entity's time."""

    rank: Integers

    def changes(self, rng: np.random.Generator, rate: float) -> tuple[Integers, Integers]:
        """Let lives change between records; return the rows after a change, and the number of their last one."""
        changed = (self.rank > 0) & (rng.random(len(self.rank)) < rate)
        begins = changed | (self.rank == 0)
        number = np.where(changed[begins], np.cumsum(changed[begins]) - 1, -1)[np.cumsum(begins) - 1]
        rows = np.flatnonzero(number >= 0)
        return rows, number[rows]


def move(
    rng: np.random.Generator, records: dict[str, Column], lives: Lives, rate: float, addresses: Addresses
) -> list[Event]:
    """Let people move between records; the whole address changes from then on."""
    rows, number = lives.changes(rng, rate)
    codes = addresses.draw(rng, int(number.max(initial=-1)) + 1)[number]
    return [_put(records, name, "moved", rows, codes[:, k]) for k, name in enumerate(ADDRESS)]


def rename(
    rng: np.random.Generator,
    records: dict[str, Column],
    lives: Lives,
    rate: float,
    draw: Callable[[np.random.Generator, int], Integers],
) -> list[Event]:
    """Let people take another last name between records, for good."""
    rows, number = lives.changes(rng, rate)
    names = draw(rng, int(number.max(initial=-1)) + 1)
    return [_put(records, "last_name", "renamed", rows, names[number])]


def _put(records: dict[str, Column], name: str, error: str, rows: Integers, codes: Integers) -> Event:
    """Put codes into a column; where they are what was there already, nothing happened."""
    changed = codes != records[name].codes[rows]
    records[name] = records[name].put(rows[changed], codes[changed])
    return Event(name, error, rows[changed])
