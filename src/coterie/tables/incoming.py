"""A table as it comes in: its columns, its rows as a stream of Arrow, and the kind of table it is."""

from typing import Any, NamedTuple

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from coterie.errors import InputError
from coterie.fields.encoding import encode
from coterie.tables.names import check_names, quoted

TABLES = "a path (CSV, Parquet, JSON lines), a SQL query or a data frame (pandas, Polars, PyArrow, DuckDB, …)"


class Kind(NamedTuple):
    """What kind of table results shall be.

    ``implementation`` is narwhals' name of a library, None for DuckDB; ``relation`` is the relation that came in,
    whose connection results shall be on; ``dtypes`` holds pandas' own types of the columns.
    """

    implementation: Any = None
    lazy: bool = False
    relation: Any = None
    dtypes: dict[str, Any] = {}  # noqa: RUF012  a default that nobody changes


class Incoming(NamedTuple):
    """One table that comes in. ``text`` says that all of it is text, with words that mean missing."""

    kind: Kind
    reader: Any
    text: bool = False
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.reader.schema.names)


def from_relation(relation: Any, kind: Kind | None = None) -> Incoming:
    """Read a DuckDB relation."""
    try:
        check_names(relation.columns, "the table")
    except duckdb.Error as error:
        hint = "Its connection must be open, and its tables there."
        raise InputError("a relation that DuckDB can read", " ".join(str(error).split())[:200], hint) from None
    columns = zip(relation.columns, relation.types, strict=True)
    # Text in JSON would keep its quotation marks.
    plain = [
        f"{quoted(name)} ->> '$' AS {quoted(name)}" if str(kind) == "JSON" else quoted(name)
        for name, kind in columns
    ]
    try:
        reader = pa.RecordBatchReader.from_stream(relation.project(", ".join(plain)))
    except (duckdb.Error, pa.ArrowException) as error:
        hint = "Its connection must be open, and its tables there."
        raise InputError("a relation that DuckDB can read", " ".join(str(error).split())[:200], hint) from None
    return Incoming(kind or Kind(relation=relation), reader)


def from_frame(frame: Any, what: str) -> Incoming:
    """Read a data frame of any library that narwhals knows."""
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return from_relation(frame)
    if nw.dependencies.is_pandas_like_dataframe(frame):
        if frame.columns.nlevels > 1:
            hint = "Flatten them first: frame.columns = ['_'.join(map(str, name)) for name in frame.columns]."
            raise InputError("one name for each column", "a hierarchy of names", hint)
        check_names([str(name) for name in frame.columns], what)
    if isinstance(frame, pa.Table):
        check_names(frame.column_names, what)
    try:
        known = nw.from_native(frame)
    except (TypeError, nw.exceptions.NarwhalsError):
        hint = "Several tables are a dict {source: table}, or a list."
        raise InputError(TABLES, f"a {type(frame).__name__}", hint) from None
    lazy = isinstance(known, nw.LazyFrame)
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    native = eager.to_native()
    pandas_like = eager.implementation.is_pandas_like()
    kind = Kind(
        implementation=known.implementation,
        lazy=lazy,
        dtypes={str(name): native[name].dtype for name in native.columns} if pandas_like else {},
    )
    if not pandas_like:
        _check_objects(eager)
    table = _from_pandas(native) if pandas_like else eager.to_arrow()
    check_names(table.column_names, what)
    return Incoming(kind, table.to_reader())


def _check_objects(frame: Any) -> None:
    """Check that no column holds objects of Python, of which Arrow would see addresses only."""
    for name, kind in frame.schema.items():
        if kind == nw.Object:
            hint = "Leave that column out, or turn its values into strings."
            raise InputError(f"values of a type of their own in column {name!r}", "objects of Python", hint)


def _from_pandas(frame: Any) -> Any:
    """Return a pandas frame as Arrow; a column of several types becomes text."""
    return pa.table({str(name): _array(str(name), frame[name]) for name in frame.columns})


def _array(name: str, column: Any) -> Any:
    """Return one column of pandas as Arrow."""
    try:
        array = pa.array(column, from_pandas=True)
    except UnicodeEncodeError as error:
        hint = "Repair the text: half of a pair of surrogates is no letter."
        raise InputError(f"text in column {name!r} that UTF-8 can hold", repr(error.object)[:60], hint) from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        # Sparse columns and the like turn into plain ones; what stays an object is of several types.
        plain = np.asarray(column)
        return pa.array(plain) if plain.dtype.kind in "biuf" else _as_text(name, column)
    return _as_text(name, column) if isinstance(array, pa.ExtensionArray) else array


def _as_text(name: str, column: Any) -> Any:
    """Return a column of several types as text, in which 1, 1.0 and "1" are the same."""
    try:
        codes, values = encode(column.astype(object).tolist())
    except InputError as error:
        hint = "Leave that column out, or turn its values into strings."
        raise InputError(f"single values in column {name!r}", error.got, hint) from None
    words = pa.array([value if isinstance(value, str) else str(value) for value in values], pa.string())
    return words.take(pa.array(codes, mask=codes < 0))
