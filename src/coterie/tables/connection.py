"""A DuckDB of our own, and Arrow on its way in and out."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import pyarrow as pa


def connect() -> Any:
    """Open a DuckDB in memory that spills to disk, and that knows nothing of Python's variables."""
    connection = duckdb.connect()
    spill = Path(tempfile.gettempdir()) / f"coterie-{uuid4().hex}"
    connection.execute("SET temp_directory = $1", [str(spill)])
    connection.execute("SET python_enable_replacements = false")
    # A column of text may have more than two gigabytes.
    connection.execute("SET arrow_large_buffer_size = true")
    return connection


@contextlib.contextmanager
def registered(connection: Any, name: str, table: Any) -> Iterator[None]:
    """Let SQL read an Arrow table by a name, for a while."""
    connection.register(name, table)
    try:
        yield
    finally:
        connection.unregister(name)


def arrow_column(connection: Any, sql: str) -> Any:
    """Return the single column of a query as one Arrow array."""
    column = pa.table(connection.sql(sql)).column(0)
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
