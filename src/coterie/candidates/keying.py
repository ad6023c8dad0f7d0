"""The keys of all rules as columns of numbers, each part worked out once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from coterie.candidates.rules import Rule, said, select, width
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.connection import registered
from coterie.tables.names import RECORD


@contextmanager
def keyed(table: Table, rules: Sequence[Rule], apart_within: ArrayLike | None) -> Iterator[list[str]]:
    """Store the keys of all rules in a table `keyed`, as long as it is needed; yield each rule's columns there.

    The table has a row for each record: its number, its ``holder`` (−1, or who is apart from others of the same
    number), and a hash of each part of a key, null where the part is missing.
    """
    parts: dict[str, list[str]] = {}
    count = 0
    for rule in rules:
        for part in rule.parts:
            if part not in parts:
                values = width(table, part, rule)
                parts[part] = [f"k{at}" for at in range(count, count + values)]
                count += values
    try:
        _store(table, parts, apart_within)
    except duckdb.Error as error:
        raise _failing(table, rules, error) from None
    try:
        yield [", ".join(name for part in rule.parts for name in parts[part]) for rule in rules]
    finally:
        table.connection.execute("DROP TABLE IF EXISTS keyed")


def _store(table: Table, parts: dict[str, list[str]], apart_within: ArrayLike | None) -> None:
    """Store the hashes of all parts; 64 bits hardly ever collide, and where they do a pair more is a candidate."""
    names = [name for several in parts.values() for name in several]
    hashes = ", ".join(f"{_there(name, f'hash({name})')} AS {name}" for name in names)
    inner = f"({select(parts)}) AS worked_out({', '.join([*names, RECORD])})"
    holder, join, arrow = "-1::BIGINT", "", None
    if apart_within is not None:
        holder, join, arrow = "holder", f" JOIN apart USING ({RECORD})", _holders(table, apart_within)
    with nullcontext() if arrow is None else registered(table.connection, "apart", arrow):
        table.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE keyed AS SELECT {RECORD}, {holder} AS holder, {hashes}"
            f" FROM {inner}{join}"
        )


def _there(name: str, value: str) -> str:
    """Return the SQL of a value that is null where a part of a key is empty text or not a number."""
    return f"CASE WHEN trim(CAST({name} AS VARCHAR)) NOT IN ('', 'nan') THEN {value} END"


def _holders(table: Table, apart_within: ArrayLike) -> pa.Table:
    holder = np.asarray(apart_within)
    if holder.shape != (table.n,) or holder.dtype.kind not in "iu":
        hint = "Pass the source's code for records of sources that hold nobody twice, and -1 for others."
        got = f"shape {holder.shape} of {holder.dtype}"
        raise InputError(f"a whole number for each of {table.n} records", got, hint)
    return pa.table({RECORD: np.arange(table.n), "holder": holder.astype(np.int64)})


def _failing(table: Table, rules: Sequence[Rule], error: Exception) -> InputError:
    """Return the error for the first rule whose SQL fails for some record."""
    for rule in rules:
        try:
            table.connection.execute(f"CREATE OR REPLACE TEMP TABLE tried AS {select(rule.parts)}")
            table.connection.execute("DROP TABLE tried")
        except duckdb.Error as own:
            hint = "Use TRY_CAST, or leave such values out by a CASE."
            return InputError("a rule that holds for all records", f"{rule.name!r}: {said(own)}", hint)
    hint = "Free memory, or use fewer rules."
    return InputError("rules that DuckDB can work out", said(error), hint)


def key_texts(table: Table, rule: Rule, records: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the keys of some records as text."""
    if not records:
        return []
    count = sum(width(table, part, rule) for part in rule.parts)
    names = [f"k{at}" for at in range(count)]
    texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
    rows = table.connection.execute(
        f"SELECT {RECORD}, {texts} FROM ({select(rule.parts)}) AS worked_out({', '.join([*names, RECORD])})"
        f" WHERE {RECORD} IN ({', '.join(map(str, records))})"
    ).fetchall()
    of = {row[0]: tuple(row[1:]) for row in rows}
    return [of[record] for record in records]
