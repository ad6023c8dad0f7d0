"""The same table gives the same draws, whatever kind of table it is, and gets results of its kind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
import pytest

import coterie as ct
from coterie import InputError, fields
from coterie.posterior import Posterior
from resolution.people import MODEL, entity_of, records, resolve, same_draws
from tables.kinds import KINDS, columns_of


@pytest.fixture(scope="module")
def expected() -> Posterior:
    return resolve(records())


def as_csv(folder: Path) -> Any:
    pyarrow.csv.write_csv(records(), folder / "people.csv")
    return folder / "people.csv"


def as_parquet(folder: Path) -> Any:
    pyarrow.parquet.write_table(records(), folder / "people.parquet")
    return str(folder / "people.parquet")


def as_json_lines(folder: Path) -> Any:
    (folder / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records().to_pylist()))
    return folder / "people.jsonl"


def as_query(folder: Path) -> Any:
    return f"SELECT * FROM read_parquet('{as_parquet(folder)}') ORDER BY birth_date"


FILES = [as_csv, as_parquet, as_json_lines, as_query]


@pytest.mark.parametrize("kind", KINDS)
def test_frames_of_all_kinds(kind: str, expected: Posterior) -> None:
    make, given = KINDS[kind]
    posterior = resolve(make(records()))
    assert same_draws(posterior, expected)
    results = [posterior.entities(), posterior.pairs(), posterior.canonical()]
    assert [type(result) for result in results] == [given] * 3
    assert columns_of(results[0]) == columns_of(expected.entities())
    assert columns_of(results[1]) == columns_of(expected.pairs())
    assert _told(results[2]) == _told(expected.canonical())


def _told(given: Any) -> dict[str, list[Any]]:
    """Return a table of any kind as lists; what is missing in pandas is not a number."""
    columns = columns_of(given)
    return {name: [None if value != value else value for value in column] for name, column in columns.items()}


@pytest.mark.parametrize("make", FILES)
def test_files_and_queries(make: Callable[[Path], Any], expected: Posterior, tmp_path: Path) -> None:
    posterior = resolve(make(tmp_path))
    assert same_draws(posterior, expected)
    assert isinstance(posterior.entities(), duckdb.DuckDBPyRelation)
    assert entity_of(posterior) == entity_of(expected)


def test_results_are_in_the_order_of_the_rows(expected: Posterior) -> None:
    assert expected.entities()["id"].to_pylist() == records()["id"].to_pylist()


def test_the_order_of_rows_and_columns_makes_no_difference(expected: Posterior) -> None:
    order = np.random.default_rng(3).permutation(len(records()))
    shuffled = records().take(order).select(list(reversed(records().column_names)))
    posterior = resolve(shuffled)
    assert same_draws(posterior, expected)
    assert posterior.entities()["id"].to_pylist() == shuffled["id"].to_pylist()
    assert entity_of(posterior) == entity_of(expected)
    assert posterior.pairs().equals(expected.pairs())
    # A draw is labelled in the order of the rows, which is another one here.
    back = np.argsort(order)
    one, other = expected.labels(7), posterior.labels(7)[back]
    assert np.array_equal(one[:, None] == one, other[:, None] == other)


@pytest.mark.parametrize("unique_id", ["id", None])
def test_the_order_of_rows_makes_no_difference_without_a_model_either(unique_id: str | None) -> None:
    table = records() if unique_id else records().drop_columns(["id"])
    order = np.random.default_rng(4).permutation(len(table))
    one, other = (resolve(rows, None, unique_id=unique_id) for rows in (table, table.take(order)))
    assert same_draws(one, other)
    assert one.model == other.model


@pytest.mark.parametrize("several", [dict, list])
def test_several_tables(several: type, expected: Posterior) -> None:
    """They are one table with a source column, and each source has rates of distortion of its own."""
    parts = {
        name: records().filter(pc.equal(records()["source"], name)).drop_columns(["source"])
        for name in ("census", "survey")
    }
    posterior = resolve(parts if several is dict else list(parts.values()))
    stacked = resolve(records(), ct.Model(fields=MODEL.fields, source="source"))
    assert same_draws(posterior, stacked)
    assert not same_draws(posterior, expected)
    assert posterior.distortion["last_name"].shape == (40, 2)
    assert posterior.entities().column_names == ["source", "id", "entity_id", "probability"]
    assert posterior.pairs().column_names[:4] == ["source_l", "id_l", "source_r", "id_r"]


def test_ids_may_repeat_in_another_table() -> None:
    parts = {}
    for number, name in enumerate(("census", "survey")):
        part = records().filter(pc.equal(records()["source"], name)).drop_columns(["source", "id"])
        parts[name] = part.append_column("id", pa.array(range(len(part)))).slice(number)
    posterior = resolve(parts, ct.Model(fields=MODEL.fields, deduplicated=["census"], source="file"))
    best = posterior.pairs(0.5).to_pylist()[0]
    left, right = (best["file_l"], best["id_l"]), (best["file_r"], best["id_r"])
    assert posterior.explain(left, right).probability == best["match_probability"]
    with pytest.raises(InputError, match="which 2 records have"):
        posterior.explain(5, 7)


@pytest.mark.parametrize(
    ("ids", "dtype"),
    [
        (pd.array([7, 5, 9, 11], "Int32"), "Int32"),
        (pd.array(["x", "w", "y", "z"], "string"), "string"),
        (pd.to_datetime(["2001-01-01", "2000-01-01", "2003-01-01", "2004-01-01"]), "datetime64"),
    ],
)
def test_ids_stay_what_they_are(ids: Any, dtype: str) -> None:
    frame = pd.DataFrame({"key": ids, "name": ["ann may", "ann may", "bob day", "eve lee"]})
    posterior = resolve(frame, ct.Model(fields={"name": fields.Text()}), unique_id="key")
    entities = posterior.entities()
    assert list(entities["key"]) == list(frame["key"])
    assert str(entities["key"].dtype).startswith(dtype)
    assert str(posterior.pairs(0.0)["key_l"].dtype).startswith(dtype)


def test_a_table_that_was_read_can_be_resolved_again() -> None:
    posterior = resolve(pl.from_arrow(records()))
    again = resolve(posterior.table)
    assert same_draws(posterior, again)
