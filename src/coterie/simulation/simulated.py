"""What comes out of `simulate`."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from coterie.partition import Partition
from coterie.simulation.cells import FATES
from coterie.simulation.columns import MISSING, Column, Integers
from coterie.simulation.lives import Event

ERRORS = ("moved", "renamed", "swapped", *FATES)


@dataclass(frozen=True, repr=False)
class Simulated:
    """Records, and apart from them, so that nobody feeds it to a resolver by accident, the truth.

    Parameters
    ----------
    records
        ``id``, ``source``, and the columns, all of them strings. Rows are in random order.
    truth
        ``id`` and ``entity_id``: who each record is of, in the order of ``records``.
    entities
        ``entity_id``, and the columns as they were when the person was first met, before any error.
    errors
        ``id``, ``column`` and ``error``: the cells that differ from ``entities``, and why: moved, renamed,
        swapped, replaced, initial, typo or missing. A cell may be there twice, as with a typo in the new
        address; one that is missing is there once.

    Examples
    --------
    >>> import coterie as ct
    >>> people = ct.simulate(100, seed=1)
    >>> people.records.num_rows, people.truth.column_names
    (100, ['id', 'entity_id'])
    """

    records: pa.Table
    truth: pa.Table
    entities: pa.Table
    errors: pa.Table

    @property
    def partition(self) -> Partition:
        """Who is who, as a partition of the rows of ``records``."""
        return Partition.from_labels(self.truth["entity_id"].to_numpy())

    def __repr__(self) -> str:
        return (
            f"<Simulated: {self.records.num_rows} records of {self.entities.num_rows} people, "
            f"{self.errors.num_rows} changed cells>"
        )


def tabulate(
    records: dict[str, Column],
    person: Integers,
    people: dict[str, Column],
    events: list[Event],
    number: Integers,
    order: Integers,
) -> Simulated:
    """Make tables of records by people: ``number`` is each person's, ``order`` the records' in the table."""
    ids = np.arange(1, len(order) + 1)
    shuffled = {name: column.take(order).arrow() for name, column in records.items()}
    by_number = np.argsort(number)
    entities = {name: column.take(by_number).arrow() for name, column in people.items()}
    return Simulated(
        pa.table({"id": ids, **shuffled}),
        pa.table({"id": ids, "entity_id": number[person[order]] + 1}),
        pa.table({"entity_id": np.arange(1, len(number) + 1), **entities}),
        _errors(records, events, np.argsort(order)),
    )


def _errors(records: dict[str, Column], events: list[Event], place: Integers) -> pa.Table:
    """List what happened to cells, by records; of a cell that is missing in the end, only that."""
    names = list(records)
    kept = []
    for event in events:
        there = records[event.column].codes[event.rows] != MISSING
        kept.append(event if event.error == "missing" else event._replace(rows=event.rows[there]))
    lengths = [len(event.rows) for event in kept]
    rows = place[np.concatenate([event.rows for event in kept])]
    column = np.repeat([names.index(event.column) for event in kept], lengths)
    error = np.repeat([ERRORS.index(event.error) for event in kept], lengths)
    order = np.lexsort((error, column, rows))
    return pa.table(
        {
            "id": rows[order] + 1,
            "column": Column(column[order], np.array(names)).arrow(),
            "error": Column(error[order], np.array(ERRORS)).arrow(),
        }
    )
