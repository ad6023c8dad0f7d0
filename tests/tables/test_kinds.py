"""Every kind of table comes in, and results go out in the same kind."""

import datetime
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coterie import InputError
from coterie.fields import encode
from coterie.tables import read
from tables.kinds import CONNECTION, KINDS, columns_of

PEOPLE = pa.table(
    {
        "key": [30, 10, 20, 40],
        "name": ["bob", "ann", None, " "],
        "age": [31.0, float("nan"), None, 31.0],
        "born": [datetime.date(1980, 2, 3), None, datetime.date(1979, 1, 1), datetime.date(1980, 2, 3)],
        "nothing": pa.nulls(4),
    }
)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def test_records_come_in_the_order_of_their_ids(kind: str) -> None:
    table = read(KINDS[kind][0](PEOPLE), unique_id="key")
    assert (table.n, table.names, table.id_name) == (4, ["name", "age", "born", "nothing"], "key")
    assert table.ids.to_pylist() == [10, 20, 30, 40]
    assert table.row.tolist() == [1, 2, 0, 3]
    assert table.row.dtype == np.int64
    codes, names = table.column("name")
    assert (codes.tolist(), codes.dtype, names) == ([0, -1, 1, -1], np.int32, ["ann", "bob"])
    assert table.column("age")[0].tolist() == [-1, -1, 0, 0]
    assert table.column("nothing")[0].tolist() == [-1] * 4
    codes, days = table.column("born")
    assert codes.tolist() == [-1, 0, 1, 1]
    assert [(day.year, day.month, day.day) for day in days] == [(1979, 1, 1), (1980, 2, 3)]


def test_results_are_of_the_kind_that_came_in(kind: str) -> None:
    make, expected = KINDS[kind]
    table = read(make(PEOPLE), unique_id="key")
    given = table.give({**table.shown(), "entity_id": np.arange(4), "probability": [0.5, 1.0, 1.0, 0.25]})
    assert type(given) is expected
    columns = columns_of(given)
    assert columns == {
        "key": [10, 20, 30, 40],
        "entity_id": [0, 1, 2, 3],
        "probability": [0.5, 1.0, 1.0, 0.25],
    }
    assert all(type(key) is int for key in columns["key"])


def test_pairs_name_both_records(kind: str) -> None:
    table = read(KINDS[kind][0](PEOPLE), unique_id="key")
    pairs = {**table.shown([0, 1], "_l"), **table.shown(np.array([3, 3]), "_r"), "match_probability": [0.1, 0.2]}
    assert columns_of(table.give(pairs))["key_r"] == [40, 40]


def test_the_order_of_rows_and_columns_makes_no_difference(kind: str) -> None:
    make = KINDS[kind][0]
    shuffled = PEOPLE.take([3, 1, 0, 2]).select(["born", "nothing", "age", "key", "name"])
    for unique_id in ("key", None):
        one, other = read(make(PEOPLE), unique_id=unique_id), read(make(shuffled), unique_id=unique_id)
        assert one.fingerprint() == other.fingerprint()
        for name in one.names:
            assert one.column(name)[0].tolist() == other.column(name)[0].tolist()
        rows = [PEOPLE.take(one.row)["key"].to_pylist(), shuffled.take(other.row)["key"].to_pylist()]
        assert rows[0] == rows[1]


def test_another_content_has_another_fingerprint() -> None:
    base = read(PEOPLE, unique_id="key").fingerprint()
    for name, values in (("name", ["bob", "ann", "x", " "]), ("key", [30, 10, 20, 41])):
        changed = PEOPLE.set_column(PEOPLE.column_names.index(name), name, pa.array(values))
        assert read(changed, unique_id="key").fingerprint() != base


def test_without_ids_records_are_known_by_their_rows(kind: str) -> None:
    table = read(KINDS[kind][0](pa.table({"row": ["b", "a", "b"]})))
    assert (table.id_name, table.ids.to_pylist(), table.row.tolist()) == ("row_1", [1, 0, 2], [1, 0, 2])


@pytest.mark.parametrize(
    "ids",
    [
        ["b", "a", "10"],
        [2**62, -5, 0],
        [0.5, -1.25, 2.0],
        [datetime.date(2000, 1, 2), datetime.date(1999, 1, 2), datetime.date(2001, 1, 1)],
        [b"x", b"\x00", b"a"],
    ],
)
def test_ids_of_any_type_stay_as_they_are(kind: str, ids: list[Any]) -> None:
    table = read(KINDS[kind][0](pa.table({"key": ids, "name": ["x", "y", "z"]})), unique_id="key")
    given = columns_of(table.give(table.shown()))["key"]
    assert given == sorted(ids)
    assert [table.record(value) for value in given] == [0, 1, 2]


def test_pandas_keeps_its_own_types_of_ids() -> None:
    for dtype in ("int32", "Int64", "string", "category", object, "uint8"):
        frame = pd.DataFrame({"key": pd.Series([2, 1, 3]).astype(dtype), "name": list("abc")})
        table = read(frame, unique_id="key")
        assert table.give({"key": table.ids})["key"].dtype == frame["key"].dtype
        assert table.give(table.shown([0], "_l"))["key_l"].dtype == frame["key"].dtype


def test_a_result_can_be_joined_on_the_connection_that_a_relation_came_from() -> None:
    own = duckdb.connect()
    own.execute("CREATE TABLE people AS SELECT * FROM (VALUES (1, 'ann'), (2, 'bob')) AS t(id, name)")
    table = read(own.table("people"), unique_id="id")
    given = table.give({"id": table.ids, "entity_id": [7, 8]})
    given.create("entities")
    assert own.execute("SELECT name FROM people JOIN entities USING (id) WHERE entity_id = 8").fetchall() == [
        ("bob",)
    ]


def test_a_connection_without_variables_of_python_is_served() -> None:
    own = duckdb.connect(config={"python_enable_replacements": "false"})
    table = read(own.sql("SELECT 1 AS id, 'x' AS name"), unique_id="id")
    assert columns_of(table.give({"id": table.ids})) == {"id": [1]}


def test_two_relations_of_one_connection_come_in() -> None:
    one, other = (CONNECTION.sql(f"SELECT {at} AS id, 'x' AS name") for at in (1, 2))
    assert read({"a": one, "b": other}, unique_id="id").n == 2


COLUMNS: dict[str, Any] = {
    "text": pa.array(["b", None, "", " \t", "a", "Ä", "b", "\u2003"]),
    "whole": pa.array([3, 1, None, 3, -7, 2**40, 0, 1]),
    "all whole": pa.array([3, 1, 2, 3, -7, 2**40, 0, 1]),
    "small": pa.array([3, 1, None, 3, 7, 2, 0, 1], pa.int8()),
    "float": pa.array([0.5, float("nan"), None, -0.0, 0.0, 3.0, float("inf"), 0.5]),
    "date": pa.array([datetime.date(2000, 1, day) if day else None for day in (2, 1, 0, 2, 9, 9, 1, 3)]),
    "time": pa.array([datetime.datetime(2000, 1, 1, hour) if hour else None for hour in (2, 1, 0, 2, 9, 9, 1, 3)]),
    "zone": pa.array([datetime.datetime(2000, 1, 1, 5, tzinfo=datetime.UTC), None] * 4),
    "boolean": pa.array([True, False, None, True, True, None, False, True]),
    "decimal": pa.array([None, "1.50", "2.00", "-1.25", "1.5", "2", "0", "7"]).cast(pa.decimal128(9, 2)),
    "category": pa.array(["z", "a", None, "z", "m", "a", "z", ""]).dictionary_encode(),
    "category of numbers": pa.array([3, 1, None, 3, 1, 1, 2, 2]).dictionary_encode(),
    "bytes": pa.array([b"x", b"", None, b"x", b"\xff", b"a", b"b", b"c"]),
    "clock": pa.array([datetime.time(hour) for hour in (1, 2, 3, 1, 2, 3, 4, 5)]),
    "large text": pa.array(["b", None, "a", "b", "a", "a", "b", "c"], pa.large_string()),
    "seen text": pa.array(["b", None, "a", "b", "a", "a", "b", "c"], pa.string_view()),
    "nothing": pa.nulls(8),
    "half": pa.array(np.array([1, 2, 0.5, 1, 2, 3, 4, 5], np.float16)),
    "hexadecimal": pa.array([1, 2, None, 1, 2, 3, 4, 5], pa.uint64()),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_encoded_as_fields_encode_them(name: str) -> None:
    table = read(pa.table({"key": np.arange(8), "x": COLUMNS[name]}), unique_id="key")
    codes, values = table.column("x")
    expected_codes, expected = encode(COLUMNS[name].to_pylist())
    assert codes.tolist() == expected_codes.tolist()
    assert values == expected
    assert list(map(type, values)) == list(map(type, expected))


def test_a_column_of_pandas_with_several_types_is_text() -> None:
    mixed = [1, "1", None, datetime.date(2000, 1, 1), 2.0, True, float("nan")]
    table = read(pd.DataFrame({"key": range(7), "x": pd.Series(mixed, dtype=object)}), unique_id="key")
    codes, values = table.column("x")
    assert values == ["1", "2", "2000-01-01"]
    assert codes.tolist() == [0, 0, -1, 2, 1, 0, -1]


def test_columns_of_lists_are_left_out_and_said_to_be() -> None:
    table = read(pa.table({"name": ["b", "a"], "tags": [["x"], []], "both": [{"a": 1}, {"a": 2}]}))
    assert table.names == ["name"]
    assert "Column 'tags' is left out: it holds VARCHAR[]." in table.notes
    assert len(table.notes) == 2
    with pytest.raises(InputError, match="single values in column 'tags'"):
        table.column("tags")
    with pytest.raises(InputError, match="single values in column 'tags'"):
        read(pd.DataFrame({"name": ["a", "b"], "tags": pd.Series([["x"], 3], dtype=object)}))


def test_columns_of_pandas_that_are_odd() -> None:
    frame = pd.DataFrame(
        {
            "moment": np.array(["2000-01-01T00:00:00.123456789", "NaT"], "datetime64[ns]"),
            "sparse": pd.arrays.SparseArray([1, 0]),
            "period": pd.period_range("2000-01", periods=2, freq="M"),
            "large": pd.Series([10**30, 1], dtype=object),
        }
    )
    table = read(frame)
    assert table.column("moment")[1] == [datetime.datetime(2000, 1, 1, 0, 0, 0, 123456)]
    assert table.column("sparse")[1] == [0, 1]
    assert table.column("period")[1] == ["2000-01", "2000-02"]
    assert table.column("large")[1] == ["1", str(10**30)]


def test_columns_that_hold_no_values_are_told() -> None:
    with pytest.raises(InputError, match="objects of Python"):
        read(pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}))
    with pytest.raises(InputError, match="UTF-8 can hold"):
        read(pd.DataFrame({"a": pd.Series(["\ud800", "x"], dtype=object)}))


def test_a_relation_whose_connection_is_closed_is_told() -> None:
    own = duckdb.connect()
    relation = own.sql("SELECT 1 AS a")
    own.close()
    with pytest.raises(InputError, match="a relation that DuckDB can read"):
        read(relation)


@pytest.mark.parametrize("wrong", [5, None, object(), np.zeros(3), b"people.csv", [3], {"a": [1]}, [], {}])
def test_what_is_no_table_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        read(wrong)


def test_columns_of_numpy_types_and_lists_can_be_given() -> None:
    table = read(pl.DataFrame({"name": ["a"]}))
    given = table.give({"a": np.array(["x"]), "b": [None], "c": pa.chunked_array([[1]]), "d": np.array([True])})
    assert given.to_dict(as_series=False) == {"a": ["x"], "b": [None], "c": [1], "d": [True]}
    with pytest.raises(InputError, match="one dimension"):
        table.give({"a": np.zeros((1, 2))})
