"""Ids, sources, several tables, and contents of which nothing can be made."""

import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from coterie import InputError
from coterie.tables import read
from tables.kinds import KINDS, columns_of, write

ANN = pa.table({"id": [1, 2], "name": ["ann", "bob"]})


@pytest.mark.parametrize(
    ("columns", "options", "told"),
    [
        ({"id": [1, 2], "name": ["a", "b"]}, {"unique_id": "ID"}, "Did you mean 'id'"),
        ({"id": [1, 2], "name": ["a", "b"]}, {"unique_id": "idd"}, "Did you mean 'id'"),
        ({"id": [1, 2], "name": ["a", "b"]}, {"source_column": "nme"}, "Did you mean 'name'"),
        (
            {"id": [1, 1, 2], "name": ["a", "b", "c"]},
            {"unique_id": "id"},
            "1 that occur more than once",
        ),
        ({"id": [1, None], "name": ["a", "b"]}, {"unique_id": "id"}, "1 rows without one"),
        ({"id": ["x", " "], "name": ["a", "b"]}, {"unique_id": "id"}, "The first one is row 1"),
        ({"id": [], "name": []}, {}, "without any row"),
        ({}, {}, "columns in the table"),
        ({"id": [1, 2]}, {"unique_id": "id"}, "columns besides ids and sources"),
        ({"tags": [["a"], ["b"]]}, {}, "columns besides ids and sources"),
        ({"name": ["a", "b"], "Name": ["a", "b"]}, {}, "differ by more than case"),
        ({"name": ["a", "b"], "_record": ["a", "b"]}, {}, "no column '_record'"),
        ({"entity_id": [1, 2], "name": ["a", "b"]}, {"unique_id": "entity_id"}, "Rename that column"),
        ({"Probability": [1, 2], "name": ["a", "b"]}, {"unique_id": "Probability"}, "Rename that column"),
        ({"from": ["x", None], "name": ["a", "b"]}, {"source_column": "from"}, "source in every row"),
        (
            {"id": [1, 1], "from": ["x", "x"], "n": ["a", "b"]},
            {"unique_id": "id", "source_column": "from"},
            "source",
        ),
    ],
)
def test_what_cannot_be_used_is_told(columns: dict[str, Any], options: dict[str, str], told: str) -> None:
    for kind in ("pandas", "pyarrow", "polars"):
        with pytest.raises(InputError, match=told):
            read(KINDS[kind][0](pa.table(columns)), **options)


def test_columns_twice_and_columns_of_columns_are_told() -> None:
    with pytest.raises(InputError, match="'a' twice"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InputError, match="hierarchy"):
        read(pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])))
    with pytest.raises(InputError, match="'a' twice"):
        read(pa.table([[1], [2]], names=["a", "a"]))


def test_one_row_and_columns_of_any_name() -> None:
    names = [
        "select",
        "it's",
        'quo"te',
        "größe",
        "first name",
        "名前",
        "match_probability",
        "id_l",
        "entity_id",
        "$1",
    ]
    table = read(pa.table({name: ["x"] for name in names}))
    assert (table.n, table.names) == (1, names)
    for name in names:
        assert table.column(name)[1] == ["x"]
    assert read(pd.DataFrame([["a", "b"]])).names == ["0", "1"]


def test_a_column_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Did you mean 'name'"):
        read(ANN).column("nam")
    with pytest.raises(InputError):
        read(ANN).column("_record")


def test_ids_that_are_no_records_are_told() -> None:
    table = read(ANN, unique_id="id")
    for wrong in (3, "1", None, 2**70):
        with pytest.raises(InputError, match="no record has"):
            table.record(wrong)


def test_uuids_are_ids() -> None:
    ids = [uuid.UUID(int=at) for at in (2, 1)]
    table = read(pd.DataFrame({"id": ids, "name": ["a", "b"]}), unique_id="id")
    assert [str(value) for value in table.ids.to_pylist()] == [str(uuid.UUID(int=at)) for at in (1, 2)]


def test_identical_rows_without_ids_stand_in_their_order() -> None:
    assert read(pa.table({"a": ["x", "w", "x", None]})).row.tolist() == [1, 0, 2, 3]


class TestSeveralTables:
    def test_columns_are_stacked_by_name_and_ids_may_repeat(self) -> None:
        other = pa.table({"zip": ["01"], "id": [1]})
        table = read({"b": ANN, "a": other}, unique_id="id")
        assert (table.names, table.source_name, table.several) == (["name", "zip"], "source", True)
        assert table.ids.to_pylist() == [1, 1, 2]
        assert [table.column("source")[1][code] for code in table.column("source")[0]] == ["a", "b", "b"]
        assert table.row.tolist() == [2, 0, 1]
        assert table.column("name")[0].tolist() == [-1, 0, 1]
        assert columns_of(table.give(table.shown([0], "_l"))) == {"source_l": ["a"], "id_l": [1]}
        assert table.record(("b", 1)) == 1
        assert table.record(2) == 2
        with pytest.raises(InputError, match="2 records have"):
            table.record(1)

    def test_results_are_of_the_kind_of_the_first(self) -> None:
        for make, expected in KINDS.values():
            table = read([make(ANN), make(ANN)], unique_id="id")
            assert type(table.give(table.shown())) is expected

    def test_files_are_named_by_themselves_and_frames_by_their_place(self, tmp_path: Path) -> None:
        one = write(tmp_path / "one.csv", "id,name\n1,ann\n")
        (tmp_path / "other").mkdir()
        again = write(tmp_path / "other" / "one.csv", "id,name\n1,ann\n")
        table = read([one, str(again), ANN, "SELECT 5 AS id"], unique_id="id")
        assert table.column("source")[1] == ["3", "4", "one", "one_1"]

    @pytest.mark.parametrize(
        ("left", "right", "together"),
        [
            (pa.array([1]), pa.array([2.5]), [1.0, 2.5]),
            (pa.array([1]), pa.array(["x"]), ["1", "x"]),
            (pa.array([1], pa.int8()), pa.array([2**40]), [1, 2**40]),
            (pa.array([0], pa.date32()), pa.array(["1970-01-01"]), ["1970-01-01"]),
            (pa.nulls(1), pa.array([3]), [3]),
        ],
    )
    def test_types_that_differ_are_made_one(self, left: pa.Array, right: pa.Array, together: list[Any]) -> None:
        table = read([pa.table({"x": left}), pa.table({"x": right})])
        assert table.column("x")[1] == together

    def test_a_source_column_of_their_own_keeps_its_name(self) -> None:
        mine = pa.table({"source": ["x"], "name": ["a"]})
        assert read([mine, mine]).source_name == "source_1"
        assert read([mine, mine], source_column="file").source_name == "file"
        with pytest.raises(InputError, match="no column of the tables as source_column"):
            read([mine, mine], source_column="Source")

    def test_one_of_them_may_be_empty_and_none_may_be_odd(self) -> None:
        assert read([ANN, ANN.slice(0, 0)], unique_id="id").n == 2
        with pytest.raises(InputError, match="differ by more than case"):
            read([pa.table({"Name": ["a"]}), pa.table({"name": ["a"]})])
        with pytest.raises(InputError, match="Did you mean 'ids'"):
            read([ANN, pa.table({"ids": [1]})], unique_id="id")

    def test_the_order_of_the_tables_makes_no_difference(self) -> None:
        other = pa.table({"id": [3, 1], "name": ["eve", "ann"]})
        for unique_id in ("id", None):
            one = read({"a": ANN, "b": other}, unique_id=unique_id)
            two = read({"b": other, "a": ANN}, unique_id=unique_id)
            assert one.fingerprint() == two.fingerprint()
            assert np.array_equal(one.column("source")[0], two.column("source")[0])


def test_ids_may_repeat_in_other_sources_of_one_table() -> None:
    rows = pa.table({"id": [1, 1, 2], "file": ["b", "a", "a"], "name": ["x", "y", "z"]})
    table = read(rows, unique_id="id", source_column="file")
    assert (table.names, table.source_name, table.row.tolist()) == (["name"], "file", [1, 0, 2])
    with pytest.raises(InputError, match="source_column"):
        read(rows, unique_id="id")


def test_a_large_table_is_read_in_time_that_grows_with_it_alone() -> None:
    rng = np.random.default_rng(1)
    n = 200_000
    frame = pd.DataFrame({"id": rng.permutation(n), "name": rng.integers(0, 999, n).astype(str)})
    table = read(frame, unique_id="id")
    codes, values = table.column("name")
    assert np.array_equal(frame["id"].to_numpy()[table.row], np.arange(n))
    assert np.array_equal(np.array(values)[codes], frame["name"].to_numpy()[table.row])


def test_importing_the_package_loads_no_tables() -> None:
    code = "import coterie, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"duckdb", "pyarrow", "narwhals", "pandas", "polars"} & set(loaded)
