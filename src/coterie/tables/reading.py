"""Reading a table, or several, from wherever they are."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from coterie.errors import InputError
from coterie.tables.connection import arrow_column, connect
from coterie.tables.files import from_path, from_query, is_query
from coterie.tables.incoming import TABLES, Incoming, from_frame
from coterie.tables.load import common_types, is_nested, stage
from coterie.tables.names import RECORD, ROW, check_names, check_shown, free_name, missing_column, quoted
from coterie.tables.table import Table


def read(source: Any, *, unique_id: str | None = None, source_column: str | None = None) -> Table:
    """Read a table of records, or several tables.

    Parameters
    ----------
    source
        A path (CSV with any of the usual delimiters, Parquet, JSON lines; also compressed), a SQL query that reads
        files, a data frame of any library that narwhals knows (pandas, Polars, PyArrow, …) or a DuckDB relation.
        Several tables are a dict {name of the source: table} or a list; they are stacked by the names of their
        columns.
    unique_id
        The column that holds an id for each record. None: records are known by the number of their row, from 0 on.
    source_column
        The column that says from which source a record is; ids may repeat in other sources. With several tables
        the name of the column that is added: ``source``, if it is free.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import tables
    >>> clinic = pa.table({"id": [2, 1], "name": ["bob", "ann"]})
    >>> census = pa.table({"id": [1], "name": ["anne"], "zip": ["04109"]})
    >>> table = tables.read({"clinic": clinic, "census": census}, unique_id="id")
    >>> table.n, table.names, table.source_name
    (3, ['name', 'zip'], 'source')
    """
    connection = connect()
    several = isinstance(source, Mapping) or (isinstance(source, Sequence) and not isinstance(source, str | bytes))
    tables, staged = [], []
    sources = _named(source) if several else {"": source}
    for at, (name, one) in enumerate(sources.items()):
        # One after the other: a connection of the caller streams one result at a time.
        tables.append(_opened(one, f"table {name!r}" if name else "the table", unique_id))
        staged.append(stage(connection, tables[at], f"staged_{at}", unique_id))
    types = common_types(staged)
    check_names(list(types), "the tables taken together")
    notes = [note for incoming in tables for note in incoming.notes]
    if several:
        source_column = _added_source(source_column, types)
    elif source_column is not None and source_column not in types:
        raise missing_column(source_column, list(types))
    taken = [*types, *([source_column] if source_column else [])]
    id_name = free_name("row", taken) if unique_id is None else unique_id
    check_shown(id_name, "ids")
    if source_column is not None:
        check_shown(source_column, "sources")
    _stack(connection, list(sources), staged, types, source_column if several else None)
    nested = {name for kinds in staged for name, kind in kinds.items() if is_nested(kind)}
    names = [name for name in types if name not in nested | {unique_id, source_column}]
    notes += [f"Column {name!r} is left out: it holds {types[name]}." for name in types if name in nested]
    _check_contents(connection, names, unique_id, source_column)
    _sort(connection, names, unique_id, source_column)
    return Table(
        n=connection.table("records").shape[0],
        names=names,
        id_name=id_name,
        ids=_ids(connection, unique_id, tables[0], staged),
        source_name=source_column,
        row=_rows(connection),
        relation=connection.sql(f"SELECT * EXCLUDE ({ROW}) FROM records"),
        connection=connection,
        notes=tuple(notes),
        kind=tables[0].kind,
        several=source_column is not None,
    )


def _named(source: Any) -> dict[str, Any]:
    """Return several tables by the names of their sources: files by their own, frames by their place."""
    if isinstance(source, Mapping):
        named = {str(name): table for name, table in source.items()}
    else:
        named = {}
        for place, table in enumerate(source, 1):
            is_file = isinstance(table, os.PathLike) or (isinstance(table, str) and not is_query(table))
            named[free_name(Path(table).name.split(".")[0] if is_file else str(place), named)] = table
    if not named:
        raise InputError("one table at least", "none", "Pass {source: table} or a list of tables.")
    for name, table in named.items():
        if isinstance(table, list | tuple | dict | int | float | None):
            hint = "Several tables are a dict {source: table}, or a list."
            raise InputError(f"for {name!r} {TABLES}", f"a {type(table).__name__}", hint)
    return named


def _opened(source: Any, what: str, unique_id: str | None) -> Incoming:
    """Open one table, and check its columns."""
    if isinstance(source, str) and is_query(source):
        incoming = from_query(source)
    elif isinstance(source, str | os.PathLike):
        incoming = from_path(Path(os.fsdecode(source)).expanduser())
    else:
        incoming = from_frame(source, what)
    if not incoming.names:
        raise InputError(f"columns in {what}", "none", "Pass a table with a column for each thing known.")
    if unique_id is not None and unique_id not in incoming.names:
        raise missing_column(unique_id, incoming.names)
    return incoming


def _added_source(wanted: str | None, types: Mapping[str, str]) -> str:
    """Return the name of the column that says from which of several tables a record is."""
    if wanted is None:
        return free_name("source", types)
    if wanted.lower() in {name.lower() for name in types}:
        hint = "Pass another name: the column is added, and holds the names of the tables."
        raise InputError("the name of no column of the tables as source_column", repr(wanted), hint)
    return wanted


def _stack(
    connection: Any,
    sources: Sequence[str],
    staged: Sequence[Mapping[str, Any]],
    types: Mapping[str, str],
    source_column: str | None,
) -> None:
    """Put all tables into one, column under column; a column that a table does not have is null there."""
    parts, before = [], 0
    for at, (source, own) in enumerate(zip(sources, staged, strict=True)):
        columns = [
            f"CAST({quoted(name) if name in own else 'NULL'} AS {kind}) AS {quoted(name)}"
            for name, kind in types.items()
        ]
        if source_column is not None:
            literal = source.replace("'", "''")
            columns.append(f"'{literal}' AS {quoted(source_column)}")
        parts.append(f"SELECT {', '.join(columns)}, {ROW} + {before} AS {ROW} FROM staged_{at}")
        before += connection.table(f"staged_{at}").shape[0]
    if before == 0:
        raise InputError("a table with records", "one without any row", "Pass a table with one row at least.")
    connection.execute(f"CREATE VIEW stacked AS {' UNION ALL '.join(parts)}")


def _check_contents(
    connection: Any, names: Sequence[str], unique_id: str | None, source_column: str | None
) -> None:
    """Check that there is something to compare, and that ids and sources are there and say who is meant."""
    if not names:
        hint = "Pass a table with a column for each thing that is known of a record."
        raise InputError("columns besides ids and sources", "none of which a field could be made", hint)
    for name, what in ((unique_id, "an id"), (source_column, "a source")):
        if name is not None:
            where = f"FROM stacked WHERE {quoted(name)} IS NULL"
            count, row = connection.execute(f"SELECT count(*), min({ROW}) {where}").fetchone()
            if count:
                hint = f"The first one is row {row}, counted from 0. Fill it in, or leave those rows out."
                raise InputError(f"{what} in every row of column {name!r}", f"{count} rows without one", hint)
    if unique_id is not None:
        _check_unique(connection, unique_id, source_column)


def _check_unique(connection: Any, unique_id: str, source_column: str | None) -> None:
    """Check that no id occurs twice, in one source at least."""
    key = ", ".join(quoted(name) for name in (unique_id, source_column) if name is not None)
    twice = f"SELECT {key}, count(*) c, min({ROW}) r FROM stacked GROUP BY {key} HAVING c > 1"
    count, example = connection.execute(
        f"SELECT count(*), arg_min({quoted(unique_id)}, r) FROM ({twice})"
    ).fetchone()
    if count:
        hint = "Pass another column, or unique_id=None to number the rows"
        hint += "." if source_column else "; with source_column=… ids may repeat in other sources."
        where = f" and source ({source_column!r})" if source_column else ""
        got = f"{count} that occur more than once, such as {example!r}"
        raise InputError(f"a different id{where} in every row of column {unique_id!r}", got, hint)


def _sort(connection: Any, names: Sequence[str], unique_id: str | None, source_column: str | None) -> None:
    """Number the records in canonical order: by id, or by what they hold."""
    key = [unique_id] if unique_id is not None else sorted(names)
    key += [source_column] if source_column is not None else []
    order = ", ".join([*(f"{quoted(name)} ASC NULLS LAST" for name in key), ROW])
    connection.execute(
        f"CREATE TABLE records AS SELECT *, row_number() OVER (ORDER BY {order}) - 1 AS {RECORD}"
        f" FROM stacked ORDER BY {RECORD}"
    )
    connection.execute("DROP VIEW stacked")
    for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        if name.startswith("staged_"):
            connection.execute(f"DROP TABLE {name}")


def _ids(connection: Any, unique_id: str | None, first: Incoming, staged: Sequence[Mapping[str, Any]]) -> Any:
    """Return the ids in canonical order, of the type in which they came."""
    if unique_id is None:
        return pa.array(_rows(connection))
    ids = arrow_column(connection, f"SELECT {quoted(unique_id)} FROM records ORDER BY {RECORD}")
    came = first.reader.schema.field(unique_id).type
    if isinstance(came, pa.BaseExtensionType):
        return ids
    came = came.value_type if pa.types.is_dictionary(came) else came
    alike = all(str(kinds[unique_id]) == str(staged[0][unique_id]) for kinds in staged)
    return ids.cast(came) if alike and ids.type != came else ids


def _rows(connection: Any) -> Any:
    """Return the row in which each record came in."""
    rows = arrow_column(connection, f"SELECT {ROW} FROM records ORDER BY {RECORD}").to_numpy()
    return np.array(rows, np.int64)
