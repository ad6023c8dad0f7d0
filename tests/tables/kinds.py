"""The same columns as every kind of table that can come in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa

CONNECTION = duckdb.connect()


def as_relation(table: pa.Table) -> Any:
    """Return a relation on a connection of the caller's own."""
    return CONNECTION.from_arrow(table)


# name: what makes a table of an Arrow table, and the type that results have
KINDS: dict[str, tuple[Callable[[pa.Table], Any], type]] = {
    "pandas": (lambda table: table.to_pandas(), pd.DataFrame),
    "polars": (pl.from_arrow, pl.DataFrame),
    "polars lazy": (lambda table: pl.from_arrow(table).lazy(), pl.LazyFrame),
    "pyarrow": (lambda table: table, pa.Table),
    "duckdb": (as_relation, duckdb.DuckDBPyRelation),
}


def columns_of(given: Any) -> dict[str, list[Any]]:
    """Return a table of any kind as lists."""
    if isinstance(given, pl.LazyFrame):
        given = given.collect()
    if isinstance(given, duckdb.DuckDBPyRelation):
        given = pa.table(given)
    if isinstance(given, pa.Table):
        return given.to_pydict()
    return given.to_dict(as_series=False) if isinstance(given, pl.DataFrame) else given.to_dict(orient="list")


def write(path: Path, text: str | bytes) -> Path:
    """Write a file, and return its path."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
