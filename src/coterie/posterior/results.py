"""What is known of records, as tables of the kind and in the order that came in."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields.compiled import Compiled
from coterie.posterior.canonical import Canonical, arrow, named_values
from coterie.posterior.entities import entity_ids
from coterie.posterior.pairs import PairDraws
from coterie.tables import Table
from coterie.tables.connection import arrow_column
from coterie.tables.names import RECORD, free_name, missing_column, quoted

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def row_order(table: Table) -> Integers:
    """Return the records in the order of the rows that came in."""
    return np.argsort(table.row)


def row_labels(labels: Int32, order: Integers) -> Integers:
    """Return labels in the order of the rows, numbered by first appearance.

    Examples
    --------
    >>> row_labels(np.array([0, 0, 2], np.int32), np.array([2, 0, 1]))
    array([0, 1, 1])
    """
    _, first, at = np.unique(labels[order], return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[at]


def names_of_records(table: Table) -> list[Any]:
    """Return what names each record: its id, or its source and id."""
    columns = [column.to_pylist() for column in table.shown().values()]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def entity_table(table: Table, labels: Int32, share: Floats) -> Any:
    """Return the entity of each record, and how probable exactly this entity is."""
    order = row_order(table)
    _, at = np.unique(labels, return_inverse=True)
    names = np.array(entity_ids(labels, names_of_records(table)), object)
    columns = {"entity_id": names[at[order]].tolist(), "probability": share[labels[order]]}
    return table.give({**table.shown(order), **columns})


def pair_table(table: Table, pairs: PairDraws, threshold: float) -> Any:
    """Return the pairs that are together with at least this probability, the likeliest first."""
    if not 0 <= threshold <= 1:
        raise InputError("a probability as threshold", repr(threshold), "Pass a number from 0 to 1.")
    p = pairs.p
    kept = np.flatnonzero(p >= threshold)
    kept = kept[np.argsort(-p[kept], kind="stable")]
    columns = table.shown(pairs.i[kept], "_l") | table.shown(pairs.j[kept], "_r")
    return table.give({**columns, "match_probability": p[kept]})


def canonical_table(
    table: Table, labels: Int32, fields: Sequence[Compiled], found: Canonical, parts: Sequence[Sequence[str]]
) -> Any:
    """Return one row an entity, in the order of first rows; ``parts`` names those of each field that has any."""
    _, at = np.unique(labels, return_inverse=True)
    order = np.unique(at[row_order(table)], return_index=True)[1].argsort()
    names = np.array(entity_ids(labels, names_of_records(table)), object)
    columns: dict[str, Any] = {"entity_id": names[order].tolist()}
    for f, field in enumerate(fields):
        for name, values in named_values(field, found.value[order, f], parts[f]).items():
            columns[free_name(name, columns)] = arrow(values)
        columns[free_name(f"{field.name}_probability", columns)] = arrow(found.p[order, f])
    return table.give(columns)


def columns_by_row(table: Table, names: Sequence[str]) -> dict[str, Any]:
    """Return ids and some columns, in the order of the rows."""
    if isinstance(names, str):
        raise InputError("a list of columns", repr(names), f"Pass [{names!r}].")
    order = row_order(table)
    columns, taken = table.shown(order), pa.array(order)
    for name in names:
        if name not in table.relation.columns or name == RECORD:
            raise missing_column(name, table.names)
        sql = f"SELECT {quoted(name)} FROM records ORDER BY {RECORD}"
        columns[name] = arrow_column(table.connection, sql).take(taken)
    return columns
