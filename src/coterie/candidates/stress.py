"""Made-up pairs of one entity: records, and copies of them in which some columns are wrong."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from coterie.candidates.key import Key
from coterie.tables import Table
from coterie.tables.connection import registered
from coterie.tables.names import RECORD, quoted

# One more wrong column makes a copy this much rarer: few copies are easy, so that rules are made for hard ones.
FADE = 0.9
# A wrong value is a slip of the hand, another value altogether, or missing.
SLIP, REPLACED = 0.6, 0.25
# How often all columns of one group are wrong at once.
MOVED = 0.15
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"


def agreement(table: Table, keys: Sequence[Key], records: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether records agree with copies of theirs, in which some columns are wrong, in each key.

    The errors depend on the number of the record alone.
    """
    columns = sorted({name for key in keys for name in key.columns})
    rng = np.random.default_rng(len(records))
    chosen = ", ".join(f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" for name in columns)
    with registered(table.connection, "chosen", pa.table({RECORD: records})):
        texts = table.connection.sql(
            f"SELECT {chosen} FROM records JOIN chosen USING ({RECORD}) ORDER BY {RECORD}"
        ).fetchall()
    true = np.array(texts, object).reshape(len(records), len(columns))
    groups = _groups(keys, columns)
    wrong = _wrong(rng, true, groups)
    copy = true.copy()
    for row, at in np.argwhere(wrong):
        copy[row, at] = _distorted(rng, true, row, at)
    return _agree(table, keys, columns, true, copy)


def _groups(keys: Sequence[Key], columns: Sequence[str]) -> list[list[int]]:
    """Return the columns of each group that has two at least."""
    members: dict[str, set[int]] = {}
    for key in keys:
        if key.group:
            members.setdefault(key.group, set()).update(columns.index(name) for name in key.columns)
    return [sorted(group) for _, group in sorted(members.items()) if len(group) > 1]


def _wrong(rng: np.random.Generator, true: NDArray[Any], groups: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Draw which columns of each copy are wrong, out of those that have a value."""
    wrong = np.zeros(true.shape, bool)
    rarity = FADE ** np.arange(true.shape[1] + 1)
    counts = rng.choice(len(rarity), size=len(true), p=rarity / rarity.sum())
    for row, count in enumerate(counts):
        there = np.flatnonzero([value is not None for value in true[row]])
        wrong[row, rng.permutation(there)[:count]] = True
        if groups and rng.random() < MOVED:
            wrong[row, groups[int(rng.integers(len(groups)))]] = True
    return wrong


def _distorted(rng: np.random.Generator, true: NDArray[Any], row: int, at: int) -> str | None:
    """Return a wrong value for a column."""
    kind = rng.random()
    value: str | None = true[row, at]
    if kind < SLIP and value:
        return _slip(rng, value)
    return true[rng.integers(len(true)), at] if kind < SLIP + REPLACED else None


def _slip(rng: np.random.Generator, value: str) -> str:
    """Return a value with a letter changed, left out, put in, or swapped with the next one."""
    at = int(rng.integers(len(value)))
    alphabet = DIGITS if value[at].isdigit() else LETTERS
    other = alphabet[rng.integers(len(alphabet))]
    kind = rng.integers(4 if not value.isdigit() else 2)
    if kind == 0:
        return value[:at] + other + value[at + 1 :]
    if kind == 1:
        return value[:at] + value[at + 1 : at + 2] + value[at] + value[at + 2 :]
    return value[:at] + value[at + 1 :] if kind == 2 else value[:at] + other + value[at:]


def _agree(
    table: Table, keys: Sequence[Key], columns: Sequence[str], true: NDArray[Any], copy: NDArray[Any]
) -> NDArray[np.bool_]:
    """Work out the keys of records and copies, with the types that the columns have, and compare them."""
    types = dict(zip(table.relation.columns, table.relation.types, strict=True))
    # A copy whose value is none of the column's type has lost it.
    typed = ", ".join(f"TRY_CAST({quoted(name)} AS {types[name]}) AS {quoted(name)}" for name in columns)
    made = ", ".join(f"CAST({key.expression} AS VARCHAR)" for key in keys)
    found = []
    for values in (true, copy):
        arrow = pa.table(
            {RECORD: np.arange(len(values))}
            | {name: pa.array(values[:, at].tolist(), pa.string()) for at, name in enumerate(columns)}
        )
        with registered(table.connection, "made_up", arrow):
            sql = f"SELECT {made} FROM (SELECT {RECORD}, {typed} FROM made_up) ORDER BY {RECORD}"
            found.append(pa.table(table.connection.sql(sql)))
    same = [
        pc.fill_null(pc.and_(pc.equal(one, other), pc.not_equal(one, "")), fill_value=False).to_numpy()
        for one, other in zip(found[0].columns, found[1].columns, strict=True)
    ]
    return np.column_stack(same)
