"""Labels of the same records from two tables, or two mappings, matched by id."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.tables.files import from_path, from_query, is_query
from coterie.tables.incoming import from_frame
from coterie.tables.names import missing_column

Integers = NDArray[np.int64]

# So many ids are shown where some do not match.
SHOWN = 3


class Labelled(NamedTuple):
    """Ids, which may have several parts, and the label of each."""

    ids: list[Any]  # Arrow arrays
    label: Integers
    what: str


def from_mapping(labels: Mapping[Any, Any], what: str) -> Labelled:
    """Read labels by id."""
    ids, values = (
        _array(list(labels), f"ids of the {what}"),
        _array(list(labels.values()), f"labels of the {what}"),
    )
    return Labelled([ids], _codes(values, f"label of the {what}"), what)


def opened(table: Any, what: str) -> Any:
    """Return a data frame, or what a file or a query holds, as an Arrow table."""
    if isinstance(table, str) and is_query(table):
        incoming = from_query(table)
    elif isinstance(table, str | os.PathLike):
        incoming = from_path(Path(os.fsdecode(table)).expanduser())
    else:
        incoming = from_frame(table, f"the {what}")
    return incoming.reader.read_all()


def from_table(table: Any, on: Sequence[str], label: str | None, what: str) -> Labelled:
    """Read the ids and labels of a table; without a name the label is in the only column that is not an id."""
    if label is None:
        rest = [name for name in table.column_names if name not in on]
        if len(rest) != 1:
            hint = "Pass the name of the one with the labels as estimated_column or true_column."
            raise InputError(f"one column of the {what} beside the ids", f"{rest!r}"[:200], hint)
        [label] = rest
    for name in (*on, label):
        if name not in table.column_names:
            raise missing_column(name, table.column_names)
    ids = [table[name] for name in on]
    return Labelled(ids, _codes(table[label], f"label of the {what}"), what)


def matched(estimated: Labelled, truth: Labelled) -> tuple[Integers, Integers]:
    """Return the labels of both in the same order of ids; each id must be in both, once."""
    ones, others = _common_codes(estimated, truth)
    for codes, labelled in ((ones, estimated), (others, truth)):
        _check_once(codes, labelled)
    order, other_order = np.argsort(ones, kind="stable"), np.argsort(others, kind="stable")
    if not np.array_equal(ones[order], others[other_order]):
        raise _unmatched(ones, others, estimated, truth)
    return estimated.label[order], truth.label[other_order]


def _common_codes(estimated: Labelled, truth: Labelled) -> tuple[Integers, Integers]:
    """Number the ids of both together."""
    n = estimated.label.size
    codes = np.zeros(n + truth.label.size, np.int64)
    for one, other in zip(estimated.ids, truth.ids, strict=True):
        kind = _common_type(one.type, other.type)
        part = _codes(pa.chunked_array([*_chunks(one, kind), *_chunks(other, kind)], kind), "id")
        codes = codes * (int(part.max(initial=0)) + 1) + part
        codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    return codes[:n], codes[n:]


def _common_type(one: Any, other: Any) -> Any:
    """Return the type in which ids of two are compared: numbers as numbers, anything else that differs as text."""
    kinds = [_plain(kind) for kind in (one, other)]
    if all(map(pa.types.is_integer, kinds)):
        return pa.uint64() if any(kind == pa.uint64() for kind in kinds) else pa.int64()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds):
        return pa.float64()
    return kinds[0] if kinds[0] == kinds[1] else pa.large_string()


def _plain(kind: Any) -> Any:
    """Return the type of the values themselves, and one for all text."""
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    text = pa.types.is_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind)
    return pa.large_string() if text else kind


def _chunks(column: Any, kind: Any) -> list[Any]:
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    return chunked.cast(kind).chunks


def _array(values: list[Any], what: str) -> Any:
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError) as error:
        hint = "Turn them into strings first."
        raise InputError(f"values of one type as {what}", str(error)[:100], hint) from None


def _codes(column: Any, what: str) -> Integers:
    """Number the distinct values of an Arrow column; nulls, NaN and empty strings are refused."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    chunked = chunked.cast(_plain(chunked.type))
    if pa.types.is_floating(chunked.type):
        absent = pc.is_null(chunked, nan_is_null=True)
    elif pa.types.is_large_string(chunked.type):
        absent = pc.equal(pc.fill_null(chunked, ""), "")
    else:
        absent = pc.is_null(chunked)
    missing = pc.sum(absent).as_py() or 0
    if missing:
        hint = "Drop records without an id; give a record of which nothing is known a label of its own."
        raise InputError(f"a {what} for every record", f"none for {missing} of {len(chunked)}", hint)
    # In one piece, so that there is one dictionary.
    values = chunked.combine_chunks()
    values = pa.concat_arrays(values.chunks) if isinstance(values, pa.ChunkedArray) else values
    return values.dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _check_once(codes: Integers, labelled: Labelled) -> None:
    """Check that each id of a table occurs once."""
    distinct, first = np.unique(codes, return_index=True)
    if distinct.size < codes.size:
        again = np.ones(codes.size, bool)
        again[first] = False
        hint = "Name the column that says which record is meant, or the columns that together do."
        got = f"{codes.size - distinct.size} ids again, such as {_shown(labelled, again)}"
        raise InputError(f"each id once in the {labelled.what}", got, hint)


def _unmatched(ones: Integers, others: Integers, estimated: Labelled, truth: Labelled) -> InputError:
    """Return the error that counts the ids that only one of the two has, and shows some."""
    told = [
        f"{np.count_nonzero(lone)} of {lone.size} ids only in the {side.what}, such as {_shown(side, lone)}"
        for lone, side in ((~np.isin(ones, others), estimated), (~np.isin(others, ones), truth))
        if lone.any()
    ]
    hint = "Leave out records that only one of them has, if that is meant."
    return InputError("the same records in the estimate and the truth", ", and ".join(told), hint)


def _shown(labelled: Labelled, chosen: NDArray[np.bool_]) -> str:
    """Return the first ids of those that are chosen, as they came in."""
    places = pa.array(np.flatnonzero(chosen)[:SHOWN])
    parts = [column.take(places).to_pylist() for column in labelled.ids]
    return ", ".join(repr(one[0] if len(one) == 1 else one) for one in zip(*parts, strict=True))
