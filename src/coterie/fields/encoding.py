"""From a column of anything to codes and distinct values."""

import datetime
import operator
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError

# What pandas puts where nothing is; by name, since pandas need not be there.
MISSING_TYPES = frozenset({"NAType", "NaTType"})
# Sorted by their own order; anything else by what it is called, since `<` need not be an order there.
ORDERED = (str, datetime.datetime, datetime.date, datetime.time, Decimal)


def encode(column: Iterable[Any]) -> tuple[NDArray[np.int32], list[Any]]:
    """Number the distinct values of a column.

    None, NaN, NaT, empty strings and strings of nothing but white space are missing.

    Parameters
    ----------
    column
        A list, an array, a column of a data frame: strings, numbers, dates, or anything that can be a key of a
        dictionary.

    Returns
    -------
    codes
        One for each record, −1 where the value is missing.
    values
        The distinct values in ascending order. The order of the records does not matter to them.

    Examples
    --------
    >>> encode(["b", "a", None, " ", "b"])
    (array([ 1,  0, -1, -1,  1], dtype=int32), ['a', 'b'])
    """
    if isinstance(column, str | bytes | dict):
        hint = "Pass one value for each record."
        raise InputError("a column: a list or an array", f"a {type(column).__name__}", hint)
    if isinstance(column, np.ma.MaskedArray):
        column = [
            None if hidden else value
            for value, hidden in zip(column.data.tolist(), np.ma.getmaskarray(column), strict=True)
        ]
    array = np.asarray(column) if hasattr(column, "__array__") else None
    if array is not None:
        if array.ndim != 1:
            hint = "Pass one column at a time."
            raise InputError("a column with one dimension", f"one of shape {array.shape}", hint)
        if array.dtype.kind in "biufmM":
            return _encode_array(array)
    return _encode_objects(list(column) if array is None else array.tolist())


def _encode_array(array: NDArray[Any]) -> tuple[NDArray[np.int32], list[Any]]:
    """Encode numbers, booleans and times, as numpy holds them."""
    if array.dtype.kind == "f":
        array, there = array + 0.0, ~np.isnan(array)  # −0 is 0
    elif array.dtype.kind in "mM":
        there = ~np.isnat(array)
    else:
        there = np.ones(len(array), bool)
    distinct, inverse = np.unique(array[there], return_inverse=True)
    codes = np.full(len(array), -1, np.int32)
    codes[there] = inverse
    return codes, list(distinct) if array.dtype.kind in "mM" else distinct.tolist()


def _encode_objects(column: Sequence[Any]) -> tuple[NDArray[np.int32], list[Any]]:
    """Encode Python objects by their equality."""
    kinds = set(map(type, column)) - {type(None)}
    if kinds and kinds <= {int, float}:
        as_numbers = _as_numbers(column, kinds)
        if as_numbers is not None:
            return _encode_array(as_numbers)
    if not kinds <= {str}:
        column = list(map(_plain, column))
        kinds = set(map(type, column)) - {type(None)}
    if len(kinds & {int, float, bool}) > 1 or Decimal in kinds:
        column = list(map(_same_number, column))
    try:
        seen = set(column) - {None}
    except TypeError:
        odd = next(value for value in column if not _hashable(value))
        hint = "Turn such values into strings or tuples first."
        raise InputError("values that can be keys of a dictionary", repr(odd)[:60], hint) from None
    values = _in_order([value for value in seen if not (isinstance(value, str) and not value.strip())])
    index = {value: i for i, value in enumerate(values)}
    codes = np.fromiter((index.get(value, -1) for value in column), np.int32, len(column))
    return codes, values


def _as_numbers(column: Sequence[Any], kinds: set[type]) -> NDArray[Any] | None:
    """Return a column of whole numbers, or of floats, as an array; None where that would change a value."""
    if kinds == {int} and None not in column:
        array = np.asarray(column)
        return array if array.dtype == np.int64 else None
    return np.array([np.nan if x is None else x for x in column]) if kinds == {float} else None


def _plain(value: Any) -> Any:
    """Return numpy's scalars as Python's, and whatever stands for nothing as None."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        return None if np.isnat(value) else value
    if isinstance(value, np.generic):
        value = value.item()
    if type(value).__name__ in MISSING_TYPES:
        return None
    missing = isinstance(value, float | Decimal | datetime.datetime) and value != value
    return None if missing else value


def _same_number(value: Any) -> Any:
    """Return equal numbers as one object, whichever type they came in."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value.normalize()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _in_order(values: list[Any]) -> list[Any]:
    """Sort distinct values, by their own order where there is one."""
    kinds = set(map(type, values))
    if len(kinds) == 1 and issubclass(next(iter(kinds)), ORDERED):
        try:
            return sorted(values)
        except TypeError:  # times with and without a zone
            pass
    if kinds <= {int, float}:
        return sorted(values, key=operator.pos)
    return sorted(values, key=lambda value: (type(value).__name__, repr(value)))
