"""A table of records in canonical order."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields.encoding import encode
from coterie.tables.connection import arrow_column
from coterie.tables.giving import give
from coterie.tables.incoming import Kind
from coterie.tables.load import is_nested
from coterie.tables.names import RECORD, missing_column, quoted


@dataclass(frozen=True, eq=False)
class Table:
    """Records in canonical order. Make one with `coterie.tables.read`.

    Records are sorted by their ids, or by what they hold where there are no ids, so that the order of the rows
    makes no difference to anything that is drawn.

    Attributes
    ----------
    n
        The number of records.
    names
        The columns of which fields can be made: all but the id, the source, and those that hold lists.
    id_name, ids
        What the ids are called, and the ids of all records, of the type in which they came.
    source_name
        The column that says from which source a record is, or None.
    row
        The row in which each record came in; rows of several tables are numbered one table after the other.
    relation, connection
        All columns with the number of the record, ``_record``, and the DuckDB that holds them.
    notes
        What was found out about the source, and what was left out, in plain sentences.
    kind
        The kind of table that results shall be.
    several
        Whether results show the source of a record beside its id, since there is more than one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import tables
    >>> table = tables.read(pa.table({"key": ["b", "a"], "name": ["bob", None]}), unique_id="key")
    >>> table.ids.to_pylist(), table.names, table.row
    (['a', 'b'], ['name'], array([1, 0]))
    """

    n: int
    names: list[str]
    id_name: str
    ids: Any
    source_name: str | None
    row: NDArray[np.int64]
    relation: Any
    connection: Any
    notes: tuple[str, ...]
    kind: Kind
    several: bool

    def column(self, name: str) -> tuple[NDArray[np.int32], list[Any]]:
        """Number the distinct values of a column, as `coterie.fields.encode` does.

        Returns
        -------
        codes
            One for each record, −1 where the value is missing.
        values
            The distinct values in ascending order.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from coterie import tables
        >>> tables.read(pa.table({"name": ["bob", None, "ann", "bob"]})).column("name")
        (array([ 0,  1,  1, -1], dtype=int32), ['ann', 'bob'])
        """
        if name not in self.relation.columns or name == RECORD:
            raise missing_column(name, self.names)
        kind = dict(zip(self.relation.columns, self.relation.types, strict=True))[name]
        if is_nested(kind):
            hint = "Unfold it into columns of single values first."
            raise InputError(f"single values in column {name!r}", f"values of type {kind}", hint)
        sql = f"SELECT {quoted(name)} FROM records ORDER BY {RECORD}"
        found = pc.dictionary_encode(arrow_column(self.connection, sql))
        codes, values = encode(found.dictionary.to_pylist())
        indices = pc.fill_null(found.indices, len(codes)).to_numpy(zero_copy_only=False)
        return np.append(codes, np.int32(-1))[indices], values

    def shown(self, records: Any = None, suffix: str = "") -> dict[str, Any]:
        """Return the columns by which results name records: the id, and the source where there are several.

        Parameters
        ----------
        records
            Numbers of records; None: all.
        suffix
            What to put after the names of the columns.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from coterie import tables
        >>> table = tables.read(pa.table({"key": [7, 5], "name": ["bob", "ann"]}), unique_id="key")
        >>> table.shown([1, 1, 0], suffix="_l")["key_l"].to_pylist()
        [7, 7, 5]
        """
        columns = {}
        if self.several and self.source_name is not None:
            codes, values = self.column(self.source_name)
            columns[self.source_name + suffix] = pa.array(values).take(pa.array(codes))
        columns[self.id_name + suffix] = self.ids
        if records is None:
            return columns
        taken = pa.array(np.asarray(records, np.int64))
        return {name: column.take(taken) for name, column in columns.items()}

    def record(self, which: Any) -> int:
        """Return the number of the record that has an id; with several sources, (source, id) is clear.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from coterie import tables
        >>> tables.read(pa.table({"key": [7, 5], "name": ["bob", "ann"]}), unique_id="key").record(7)
        1
        """
        source, wanted = which if isinstance(which, tuple) and len(which) == 2 else (None, which)
        try:
            there = pc.equal(self.ids, pa.scalar(wanted, self.ids.type))
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            there = pa.array(np.zeros(self.n, bool))
        found = np.flatnonzero(there.to_numpy(zero_copy_only=False))
        if source is not None and self.source_name is not None:
            codes, values = self.column(self.source_name)
            found = np.array([at for at in found if values[codes[at]] == source], np.int64)
        if found.size != 1:
            got = f"{which!r}, which {'no record has' if not found.size else f'{found.size} records have'}"
            like = self.ids[0].as_py()
            hint = f"Ids are like {like!r}" + ("; pass (source, id)." if self.several else ".")
            raise InputError(f"an id in column {self.id_name!r}", got, hint)
        return int(found[0])

    def give(self, columns: Mapping[str, Any]) -> Any:
        """Return columns as a table of the kind that came in.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from coterie import tables
        >>> table = tables.read(pa.table({"name": ["bob", "ann"]}))
        >>> table.give({"name": ["ann"], "n": [1]}).to_pylist()
        [{'name': 'ann', 'n': 1}]
        """
        return give(columns, self.kind, self.connection, self.id_name)

    def fingerprint(self) -> str:
        """Return a hash of ids and contents; neither the order of rows nor that of columns makes a difference.

        Examples
        --------
        >>> import pyarrow as pa
        >>> from coterie import tables
        >>> one = tables.read(pa.table({"a": ["x", "y"], "b": [1, 2]}))
        >>> other = tables.read(pa.table({"b": [2, 1], "a": ["y", "x"]}))
        >>> one.fingerprint() == other.fingerprint()
        True
        """
        digest = hashlib.sha256()
        columns: Sequence[str] = sorted(self.relation.columns)
        nested = {
            name for name, kind in zip(self.relation.columns, self.relation.types, strict=True) if is_nested(kind)
        }
        for name in columns:
            if name != RECORD and name not in nested:
                codes, values = self.column(name)
                digest.update(repr((name, len(codes), len(values))).encode())
                digest.update(codes.astype("<i4").tobytes())
                digest.update("\0".join(map(repr, values)).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()
