"""Results in the kind of table that came in."""

from collections.abc import Mapping
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from coterie.errors import InputError
from coterie.tables.incoming import Kind

# Ids under their own name, and those of the two records of a pair.
SUFFIXES = ("", "_l", "_r")


def give(columns: Mapping[str, Any], kind: Kind, connection: Any, id_name: str) -> Any:
    """Return columns as a table of a kind."""
    table = pa.table({name: _arrow(column) for name, column in columns.items()})
    if kind.relation is not None:
        return _on_connection_of(kind.relation, table, connection)
    if kind.implementation is None:
        return connection.from_arrow(table)
    if kind.lazy:
        return nw.from_arrow(table, backend=nw.Implementation.PYARROW).lazy(kind.implementation).to_native()
    frame = nw.from_arrow(table, backend=kind.implementation).to_native()
    types = {name + suffix: kind.dtypes[name] for name in kind.dtypes for suffix in SUFFIXES if name == id_name}
    types = {name: dtype for name, dtype in types.items() if name in columns and frame[name].dtype != dtype}
    return frame.astype(types) if types else frame


def _on_connection_of(relation: Any, result: Any, connection: Any) -> Any:
    """Return a result as a relation on the caller's connection, so that it can be joined with what is there."""
    try:
        return relation.query("came_in", "FROM result")
    except duckdb.Error:  # A connection that does not look at variables of Python.
        return connection.from_arrow(result)


def _arrow(column: Any) -> Any:
    """Return a column as Arrow, whatever holds it."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    array = np.asarray(column) if not isinstance(column, list | tuple) else column
    if isinstance(array, np.ndarray) and array.ndim != 1:
        raise InputError("columns of one dimension", f"one of shape {array.shape}", "Pass one column at a time.")
    return pa.array(array)
