"""What happens to cells when a record is written down: swapped, left empty, taken from elsewhere, mistyped."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from coterie.simulation import dates, keyboard
from coterie.simulation.columns import MISSING, NAMES, Column, Integers
from coterie.simulation.lives import Event

# At most one of these happens to a cell.
FATES = ("missing", "replaced", "initial", "typo")
# Somebody else's value that is a different one is found at once, unless nearly everybody has the same.
TRIES = 100
Floats = NDArray[np.float64]


def swap(rng: np.random.Generator, records: dict[str, Column], rate: Floats) -> list[Event]:
    """Exchange first and last names, and the day and the month of birth, where that makes a difference."""
    hit_names, hit_births = rng.random((2, len(rate))) < rate
    first, last = (records[name] for name in NAMES)
    rows = np.flatnonzero(hit_names & (first.codes != last.codes))
    records |= {"first_name": first.put(rows, last.codes[rows]), "last_name": last.put(rows, first.codes[rows])}
    events = [Event(name, "swapped", rows) for name in NAMES]

    born = records["birth_date"]
    other = dates.swapped(born.codes)
    rows = np.flatnonzero(hit_births & (other != born.codes))
    records["birth_date"] = born.put(rows, other[rows])
    return [*events, Event("birth_date", "swapped", rows)]


def spoil(
    rng: np.random.Generator,
    name: str,
    column: Column,
    truth: Column,
    rates: Mapping[str, float],
    noise: Floats,
    keys: keyboard.Keyboard,
) -> tuple[Column, list[Event]]:
    """Let each cell of a column meet its fate, at a rate of its own times the noise of its source."""
    fate = _fates(rng, [rates[fate] for fate in FATES], noise)
    rows = {kind: np.flatnonzero(fate == k) for k, kind in enumerate(FATES)}
    rows["replaced"], codes = _somebody_elses(rng, column, truth, rows["replaced"])
    if rows["replaced"].size:
        column = column.put(rows["replaced"], codes)
    if rows["initial"].size:
        column = column.write(rows["initial"], np.char.add(column.words(rows["initial"]).astype("U1"), "."))
    if rows["typo"].size:
        column = _mistype(rng, name, column, rows["typo"], keys)
    column = column.put(rows["missing"], MISSING)
    return column, [Event(name, kind, rows[kind]) for kind in FATES]


def _fates(rng: np.random.Generator, rates: list[float], noise: Floats) -> Integers:
    """Draw for each cell the number of its fate, len(rates) for none."""
    u = rng.random(len(noise))
    scaled = np.divide(u, noise, out=np.full(len(u), np.inf), where=noise > 0)
    return np.searchsorted(np.cumsum(rates), scaled, side="right")


def _somebody_elses(
    rng: np.random.Generator, column: Column, truth: Column, rows: Integers
) -> tuple[Integers, Integers]:
    """Return the rows for which another value was found, as common as it is among people, and its codes."""
    codes = np.full(len(rows), MISSING)
    left = np.arange(len(rows))
    for _ in range(TRIES):
        found = truth.codes[rng.integers(len(truth.codes), size=len(left))]
        other = (found != column.codes[rows[left]]) & (found != truth.codes[rows[left]])
        codes[left[other]] = found[other]
        left = left[~other]
        if not len(left):
            break
    there = codes != MISSING
    return rows[there], codes[there]


def _mistype(
    rng: np.random.Generator, name: str, column: Column, rows: Integers, keys: keyboard.Keyboard
) -> Column:
    """Make a slip in some cells: the other sex, another day, another key."""
    if name == "sex":
        return column.put(rows, 1 - column.codes[rows])
    if name == "birth_date":
        return column.put(rows, dates.mistype(rng, column.codes[rows]))
    return column.write(rows, keyboard.mistype(rng, column.words(rows), keys))
