"""From tables as they come in to one relation of DuckDB, in canonical order."""

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa

from coterie.errors import InputError
from coterie.tables.cleaning import cleaned
from coterie.tables.connection import registered
from coterie.tables.incoming import Incoming

# Types of which no column of values is made.
NESTED = ("list", "array", "struct", "map", "union", "variant", "geometry")
NUMBERS = {"bigint", "integer", "smallint", "tinyint", "ubigint", "uinteger", "usmallint", "utinyint"}
NUMBERS |= {"hugeint", "uhugeint", "double", "float", "decimal"}
WHOLE = NUMBERS - {"double", "float", "decimal", "hugeint", "uhugeint", "ubigint"}


def stage(connection: Any, incoming: Incoming, name: str, ids: str | None) -> dict[str, Any]:
    """Store a table with row numbers; return the types of its columns, None where there are no values."""
    came = incoming.reader.schema
    errors: list[Exception] = []
    with registered(connection, "incoming", cleaned(incoming, ids, errors)):
        try:
            connection.execute(f"CREATE TABLE {name} AS FROM incoming")
        except duckdb.Error as error:
            cause = errors[0] if errors else error
            if isinstance(cause, InputError):
                raise cause from None
            hint = "The file or query may be damaged."
            raise InputError("a table that can be read", " ".join(str(cause).split())[:200], hint) from cause
    types = dict(zip(incoming.names, connection.table(name).types[:-1], strict=True))
    return {field.name: None if pa.types.is_null(field.type) else types[field.name] for field in came}


def common_types(tables: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Return for each column of several tables the type in which its values can stand together."""
    kinds: dict[str, list[Any]] = {}
    for types in tables:
        for name, kind in types.items():
            kinds.setdefault(name, []).append(kind)
    return {name: _common(several) for name, several in kinds.items()}


def _common(kinds: Sequence[Any]) -> str:
    """Return one type for values of several: numbers stay numbers, times become times, anything else is text."""
    kinds = [kind for kind in kinds if kind is not None]
    if not kinds:
        return "VARCHAR"
    if len(set(map(str, kinds))) == 1:
        return str(kinds[0])
    names = {kind.id for kind in kinds}
    if names <= WHOLE:
        return "BIGINT"
    if names <= NUMBERS:
        return "DOUBLE"
    return "TIMESTAMP" if names <= {"date", "timestamp"} else "VARCHAR"


def is_nested(kind: Any) -> bool:
    """Tell whether a type is one of which no column of values is made."""
    return kind is not None and kind.id in NESTED
