"""Labels, mappings and tables of all libraries as input of `evaluate`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coterie.errors import InputError
from coterie.evaluation import evaluate

IDS = ["d", "a", "c", "b"]
FOUND = {"id": IDS, "entity_id": ["x", "y", "x", "y"], "probability": [1.0, 0.5, 1.0, 0.5]}
KNOWN = {"id": ["a", "b", "c", "d"], "person": [1, 1, 1, 2]}
EXPECTED = evaluate(["x", "y", "x", "y"], [2, 1, 1, 1])

LIBRARIES: dict[str, Callable[[dict[str, list]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas with Arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas categories": lambda columns: pd.DataFrame(columns).astype({"id": "category"}),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("known", LIBRARIES.values(), ids=LIBRARIES.keys())
@pytest.mark.parametrize("found", LIBRARIES.values(), ids=LIBRARIES.keys())
def test_tables_of_any_library_are_matched_by_id(found: Callable, known: Callable) -> None:
    assert evaluate(found(FOUND), known(KNOWN), on="id") == EXPECTED
    assert evaluate(found(FOUND), known(KNOWN)) == EXPECTED


def test_files_and_queries_are_tables(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    pd.DataFrame(KNOWN).to_csv(path, index=False)
    table = pd.DataFrame(FOUND)
    assert evaluate(table, path, on="id", true_column="person") == EXPECTED
    assert evaluate(table, str(path)) == EXPECTED
    assert evaluate(table, f"SELECT id, person FROM '{path}'") == EXPECTED


def test_numbers_in_a_text_file_are_those_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    pd.DataFrame({"id": [1, 2, 3, 4], "person": [1, 1, 1, 2]}).to_csv(path, index=False)
    assert evaluate(pl.DataFrame(FOUND | {"id": [4, 1, 3, 2]}), path) == EXPECTED


def test_the_columns_can_be_named() -> None:
    found = pd.DataFrame({"key": IDS, "entity_id": 0, "guess": FOUND["entity_id"]})
    known = pd.DataFrame({"key": KNOWN["id"], "entity_id": KNOWN["person"], "town": "X"})
    scores = evaluate(found, known, on="key", estimated_column="guess", true_column="entity_id")
    assert scores == EXPECTED


def test_an_id_may_have_two_parts() -> None:
    found = pl.DataFrame({"file": ["A", "A", "B", "B"], "id": [1, 2, 1, 2], "entity_id": [0, 1, 0, 1]})
    known = pl.DataFrame({"id": [2, 2, 1, 1], "file": ["A", "B", "B", "A"], "person": [1, 2, 3, 3]})
    assert evaluate(found, known, on=["file", "id"]) == evaluate([0, 1, 0, 1], [3, 1, 3, 2])
    with pytest.raises(InputError, match=r"each id once in the estimate, got 2 ids again, such as 1, 2"):
        evaluate(found, known.filter(pl.col("file") == "A"), on="id", true_column="person")


def test_mappings_are_matched_by_id() -> None:
    found = dict(zip(IDS, FOUND["entity_id"], strict=True))
    known = dict(zip(KNOWN["id"], KNOWN["person"], strict=True))
    assert evaluate(found, known) == EXPECTED
    assert evaluate(found, pd.DataFrame(KNOWN), on="id") == EXPECTED
    assert evaluate(pl.DataFrame(FOUND), known, on="id") == EXPECTED


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series, pa.array])
def test_labels_may_be_of_any_kind(kind: Callable) -> None:
    for labels in (FOUND["entity_id"], [5, 7, 5, 7], [1.5, 2.0, 1.5, 2.0], [True, False, True, False]):
        assert evaluate(kind(labels), kind([2, 1, 1, 1])) == EXPECTED
    wide = [0, 2**62, 0, 2**62]
    assert evaluate(kind(wide), [2, 1, 1, 1]) == EXPECTED


@pytest.mark.parametrize(
    "labels",
    [
        [1, None, 2],
        [1.0, float("nan"), 2.0],
        np.array([1.0, np.nan, 2.0]),
        pd.Series([1, None, 2]),
        pd.Series([1, None, 2], dtype="Int64"),
        pl.Series([1, None, 2]),
        pa.array(["a", None, "b"]),
        np.array(["2020-01-01", "NaT", "2020-01-01"], "datetime64[D]"),
    ],
)
def test_missing_labels_are_refused(labels: Any) -> None:
    for arguments in ((labels, [1, 2, 3]), ([1, 2, 3], labels)):
        with pytest.raises(InputError, match=r"for every (record|element)"):
            evaluate(*arguments)


def test_missing_labels_and_ids_of_tables_are_refused() -> None:
    known = pd.DataFrame(KNOWN)
    for label in (None, float("nan"), ""):
        with pytest.raises(InputError, match="a label of the truth for every record, got none for 1 of 4"):
            evaluate(pd.DataFrame(FOUND), pd.DataFrame({"id": KNOWN["id"], "person": ["1", "1", label, "2"]}))
    with pytest.raises(InputError, match=r"an? id for every record"):
        evaluate(pd.DataFrame(FOUND | {"id": ["d", None, "c", "b"]}), known)


def test_ids_that_only_one_has_are_counted_and_shown() -> None:
    found = pd.DataFrame(FOUND | {"id": ["d", "a", "C", "B"]})
    message = (
        "got 2 of 4 ids only in the estimate, such as 'C', 'B', and 2 of 4 ids only in the truth, such as 'b'"
    )
    with pytest.raises(InputError, match=message):
        evaluate(found, pd.DataFrame(KNOWN))
    with pytest.raises(InputError, match=r"got 2 of 4 ids only in the truth, such as 'b', 'd'"):
        evaluate({"a": 1, "c": 1}, pd.DataFrame(KNOWN), on="id")


@pytest.mark.parametrize(
    ("estimated", "truth", "options", "message"),
    [
        ([], [], {}, "at least one"),
        ([1, 2], [1], {}, "as many estimated labels as true ones, got 2 and 1"),
        ([1, 2], {"a": 1}, {}, "ids for both or for none"),
        ([[1, 2]], [[1, 2]], {}, "one hashable label"),
        (
            {"a": 1},
            pd.DataFrame(KNOWN),
            {},
            "one column that both tables have, apart from the labels, got .'id', 'person'",
        ),
        (pd.DataFrame(FOUND), pd.DataFrame({"key": IDS, "person": 1}), {}, "one column that both tables have"),
        (pd.DataFrame(FOUND), pd.DataFrame(KNOWN | {"town": "X"}), {"on": "id"}, "one column of the truth beside"),
        (pd.DataFrame(FOUND), pd.DataFrame(KNOWN), {"true_column": "persn"}, "Did you mean 'person'"),
        (pd.DataFrame(FOUND), pd.DataFrame(KNOWN), {"on": "key"}, "the name of a column"),
        ({"a": 1, 2: 1}, {"a": 1, 2: 1}, {}, "values of one type"),
        ({"a": 1}, pd.DataFrame(FOUND), {"on": ["id", "probability"]}, "as many parts"),
        (pd.DataFrame(FOUND), "no such file.csv", {}, "a file at"),
    ],
)
def test_what_cannot_be_compared_is_refused(estimated: Any, truth: Any, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(estimated, truth, **options)
