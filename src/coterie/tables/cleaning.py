"""Values as they come in, batch by batch: what means missing becomes null, and rows get their numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from coterie.tables.incoming import Incoming
from coterie.tables.names import ROW

# What means missing in a file of text. Case matters: Na and Null are names of people.
MISSING = ["NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NULL", "null", "None", "NaN", "nan", "NaT"]
MISSING += ["-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]


def cleaned(incoming: Incoming, ids: str | None, errors: list[Exception]) -> Any:
    """Return the batches of a table, cleaned and with row numbers; what goes wrong on the way is kept."""
    came = incoming.reader.schema
    schema = pa.schema([*(pa.field(field.name, _plain(field.type)) for field in came), pa.field(ROW, pa.int64())])

    def batches() -> Iterator[Any]:
        row = 0
        try:
            for batch in incoming.reader:
                columns = [
                    _clean(_cast(column, field.type), incoming.text, field.name == ids)
                    for column, field in zip(batch.columns, schema, strict=False)
                ]
                numbers = pa.array(np.arange(row, row + batch.num_rows))
                yield pa.RecordBatch.from_arrays([*columns, numbers], schema=schema)
                row += batch.num_rows
        except Exception as error:
            errors.append(error)
            raise

    return pa.RecordBatchReader.from_batches(schema, batches())


def _cast(column: Any, kind: Any) -> Any:
    """Return a column in the type as which it is stored; less than a microsecond is dropped."""
    if column.type == kind:
        return column
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    return storage.cast(kind, safe=not pa.types.is_timestamp(kind))


def _plain(kind: Any) -> Any:
    """Return the type as which values of a type are stored."""
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(kind.storage_type)
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    if pa.types.is_float16(kind):
        return pa.float32()
    text = pa.types.is_string(kind) or pa.types.is_string_view(kind) or pa.types.is_large_string(kind)
    return pa.large_string() if text or pa.types.is_decimal256(kind) or pa.types.is_null(kind) else kind


def _clean(column: Any, text: bool, is_id: bool) -> Any:
    """Return a column in which whatever means missing is null."""
    if pa.types.is_floating(column.type):
        return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    if not pa.types.is_large_string(column.type):
        return column
    trimmed = pc.utf8_trim_whitespace(column)
    missing = pc.equal(trimmed, "")
    if text and not is_id:
        missing = pc.or_(missing, pc.is_in(trimmed, pa.array(MISSING, pa.large_string())))
    return pc.if_else(missing, pa.scalar(None, column.type), trimmed if text else column)
