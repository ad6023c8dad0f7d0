"""Codes and values of columns of all kinds."""

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError
from coterie.fields import encode

VALUES = st.one_of(
    st.none(),
    st.text(max_size=3),
    st.integers(-3, 3),
    st.floats(-2, 2, width=16),
    st.booleans(),
    st.just(float("nan")),
    st.decimals(-2, 2, places=1),
    st.dates(datetime.date(2000, 1, 1), datetime.date(2000, 1, 4)),
    st.tuples(st.integers(0, 2)),
)


def missing(value: Any) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())


@given(st.lists(VALUES, max_size=30), st.randoms(use_true_random=False))
def test_values_come_back_and_the_order_of_records_does_not_matter(column: list[Any], random: Any) -> None:
    codes, values = encode(column)
    assert codes.dtype == np.int32
    assert len(set(values)) == len(values)
    for code, value in zip(codes.tolist(), column, strict=True):
        assert (code == -1) == missing(value)
        assert code == -1 or values[code] == value
    shuffled = list(column)
    random.shuffle(shuffled)
    again = encode(shuffled)[1]
    assert again == values
    assert list(map(repr, again)) == list(map(repr, values))


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ([b"x", b"y"], [b"x", b"y"]),
        (np.array([3, 1, 3]), [1, 3]),
        (np.array([3, 1, 3], np.uint8), [1, 3]),
        (np.array([2.5, np.nan, -0.0, 0.0]), [0.0, 2.5]),
        (np.array([True, False]), [False, True]),
        (np.array(["b", "", "a"]), ["a", "b"]),
        (np.array(["b", None, np.nan, "a"], object), ["a", "b"]),
        (np.array([np.float64(1.5), np.int8(2)], object), [1.5, 2]),
        ([1, 1.0, True, Decimal("1.00")], [1]),
        ([10, 9, None], [9, 10]),
        ([0.5, None, 0.25], [0.25, 0.5]),
        ([10**30, 5], [5, 10**30]),
        (np.array(["2000-01-02", "NaT"], "datetime64[D]"), [np.datetime64("2000-01-02")]),
        ([np.datetime64("NaT"), np.datetime64("2000-01-02")], [np.datetime64("2000-01-02")]),
        (np.ma.MaskedArray([1, 2, 3], [False, True, False]), [1, 3]),
        (pd.Series(["b", None, "a", pd.NA]), ["a", "b"]),
        (pd.Series([1, None, 3], dtype="Int64"), [1, 3]),
        (pd.Series(["x", None], dtype="category"), ["x"]),
        (pd.Series(["x", None], dtype="string"), ["x"]),
        ([pd.NaT, pd.NA, None, float("nan"), "", "\t ", Decimal("nan")], []),
        (pl.Series(["b", None, "a"]), ["a", "b"]),
        (pl.Series([1, None, 3]), [1, 3]),
        ((value for value in "ba"), ["a", "b"]),
        ([], []),
    ],
)
def test_columns_of_all_kinds(column: Any, values: list[Any]) -> None:
    assert encode(column)[1] == values


@pytest.mark.parametrize(
    "column", ["text", b"text", {"a": 1}, np.zeros((2, 2)), np.array(5), [[1], [2]], [{"a": 1}]]
)
def test_what_is_no_column_is_refused(column: Any) -> None:
    with pytest.raises(InputError):
        encode(column)


def test_times_with_and_without_a_zone_have_an_order() -> None:
    times = [datetime.datetime(2000, 1, 1), datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)]
    assert encode(times)[1] == encode(times[::-1])[1]


@pytest.mark.parametrize(
    ("column", "zero"),
    [
        ([-0.0, 0.0, 1.5], "0.0"),
        ([0.0, -0.0, 1.5], "0.0"),
        (np.array([-0.0, 1.5]), "0.0"),
        ([None, -0.0, 1.5], "0.0"),
        ([-0.0, 0, 1.5], "0"),
        ([0, -0.0, 1.5], "0"),
    ],
)
def test_zero_has_no_sign(column: Any, zero: str) -> None:
    assert list(map(repr, encode(column)[1])) == [zero, "1.5"]
