"""Tables that are odd: a right answer, or an error that says what to do."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import coterie as ct
from coterie import InputError, fields
from resolution.people import MODEL, records, resolve

NAMES = ["ann may", "anne may", "bob day", "eve lee", "bob day", None]
NAME = ct.Model(fields={"name": fields.Text()})


def table(**columns: Any) -> pa.Table:
    return pa.table({"id": list(range(len(next(iter(columns.values()))))), **columns})


@pytest.mark.parametrize("model", [None, NAME])
def test_one_row_is_nobody_to_compare(model: ct.Model | None) -> None:
    with pytest.raises(InputError, match=r"two records at least, got one|tells records apart"):
        resolve(table(name=["ann may"], zip=["04109"]), model)


def test_two_equal_rows() -> None:
    with pytest.raises(InputError, match="always 'ann may'"):
        resolve(table(name=["ann may", "ann may"]), None)
    with pytest.raises(InputError, match="two values at least"):
        resolve(table(name=["ann may", "ann may"]), NAME)


def test_two_rows_that_differ() -> None:
    posterior = resolve(table(name=["ann may", "bob day"]), None)
    assert posterior.entities()["id"].to_pylist() == [0, 1]
    assert np.all((posterior.entity_count == 1) | (posterior.entity_count == 2))
    assert posterior.verdict


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"name": pa.array([], pa.string())}, "a table with records"),
        ({"name": pa.nulls(4), "zip": pa.nulls(4)}, "name: left out: no record has a value; zip: left out"),
        ({"name": ["", " ", "", None]}, "no record has a value"),
        ({"land": ["UK"] * 4}, "land: left out: always 'UK'"),
        ({"land": ["UK", None, "UK", None]}, "land: left out: always 'UK'"),
        ({"key": [f"k{number}" for number in range(30)]}, "key: left out: an identifier"),
    ],
)
def test_a_table_that_tells_nothing_is_told(columns: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        resolve(table(**columns), None)
    assert error.value.hint


def test_a_table_of_ids_alone_is_told() -> None:
    with pytest.raises(InputError, match="none of which a field could be made"):
        resolve(table(id=[1, 2, 3]), None)


def test_columns_that_tell_nothing_are_no_trouble_beside_others() -> None:
    frame = table(name=NAMES, nothing=pa.nulls(6), land=["UK"] * 6)
    proposed = resolve(frame, None)
    assert list(proposed.distortion) == ["name"]
    model = ct.Model(fields={"name": fields.Text(), "land": fields.Category(), "nothing": fields.Text()})
    given = resolve(frame, model)
    assert list(given.distortion) == ["name"]
    assert "'land' has one value only" in given.verdict
    assert "'nothing' has one value only" in given.verdict


def test_several_types_in_a_column() -> None:
    frame = pd.DataFrame({"id": range(5), "name": ["ann", 3, 3.0, "3", None], "other": list("abcab")})
    posterior = resolve(frame, ct.Model(fields={"name": fields.Category(), "other": fields.Category()}))
    # 3, 3.0 and "3" are one value.
    assert posterior.fields[0].values == ["3", "ann"]
    assert len(resolve(frame, None).entities()) == 5


def test_names_that_are_hard_to_write() -> None:
    names = ['the "name"', "it's; DROP TABLE records --", "größe 名", " first ", "select", "a.b", "{x}"]
    columns = {name: [f"{value}{place % 3}" for value in NAMES] for place, name in enumerate(names)}
    frame = pd.DataFrame({'the "id"': range(6), **columns})
    for model in (None, ct.Model(fields={name: fields.Text() for name in names}, block_on=[tuple(names[:2])])):
        posterior = resolve(frame, model, unique_id='the "id"')
        assert list(posterior.entities().columns) == ['the "id"', "entity_id", "probability"]
        assert set(names) <= set(posterior.canonical().columns)


def test_names_of_results_are_free_for_fields_and_not_for_ids() -> None:
    names = ["entity_id", "probability", "match_probability", "entity", "row"]
    frame = pd.DataFrame(dict.fromkeys(names, NAMES))
    posterior = resolve(frame, None, unique_id=None)
    assert list(posterior.entities().columns) == ["row_1", "entity_id", "probability"]
    canonical = posterior.canonical()
    assert len(set(canonical.columns)) == len(canonical.columns)
    for name in ("entity_id", "Probability"):
        with pytest.raises(InputError, match="another name for the column of ids"):
            resolve(pd.DataFrame({name: range(6), "name": NAMES}), None, unique_id=name)


def test_a_cell_of_ten_megabytes() -> None:
    huge = "ann " * 2_500_000
    posterior = resolve(table(name=[huge, huge[:-1], *NAMES[2:]], other=list("aabcdb")), None)
    assert len(posterior.entities()) == 6
    # A field of such texts can be asked for all the same.
    asked = resolve(table(name=[huge, *NAMES[1:]]), ct.Model(fields={"name": fields.Category()}))
    assert huge in asked.fields[0].values


def test_a_hundred_columns() -> None:
    rng = np.random.default_rng(1)
    columns = {f"column {at}": rng.choice(list("abcdefghijklmno"), 60) for at in range(100)}
    posterior = resolve(table(**columns), None, draws=5, tune=5)
    assert len(posterior.fields) == 100
    assert np.all(posterior.entity_count == 60)


def test_a_missing_id_and_an_id_twice_are_told() -> None:
    with pytest.raises(InputError, match="Did you mean 'id'"):
        resolve(table(name=NAMES), unique_id="ide")
    with pytest.raises(InputError, match="more than once"):
        resolve(pa.table({"id": [1, 1], "name": ["ann", "bob"]}), NAME)


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (ct.Model(fields={"last_nam": fields.Text()}), "Did you mean 'last_name'"),
        (
            ct.Model(fields={"home": fields.Group(stret=fields.Text(), town=fields.Text())}),
            "Did you mean 'street'",
        ),
        (ct.Model(fields={"id": fields.Text()}), "the name of a column of the table, got 'id'"),
        (ct.Model(fields=MODEL.fields, block_on=["lastname"]), "Did you mean 'last_name'"),
        (ct.Model(fields=MODEL.fields, block_on=["substr(last_name"]), "a rule that DuckDB can work out"),
        (ct.Model(fields=MODEL.fields, block_on=[("first_name", 3)]), "a rule for candidate pairs"),
        (
            ct.Model(fields=MODEL.fields, block_on=["CAST(last_name AS INTEGER)"]),
            "a rule that holds for all records",
        ),
        (ct.Model(fields=MODEL.fields, block_on=[]), "from 1 to 64 rules"),
        (ct.Model(fields={"last_name": fields.Number(tolerance=1)}), "numbers in 'last_name'"),
        (ct.Model(fields={"last_name": fields.Date()}), "dates in 'last_name'"),
        ({"last_name": fields.Text()}, r"a Model, got \{'last_name'"),
    ],
)
def test_a_model_of_another_table_is_told(model: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        resolve(records(), model)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"chains": 0}, "chains"),
        ({"draws": 2.5}, "draws"),
        ({"tune": -1}, "tune"),
        ({"cores": 0}, "cores"),
        ({"seed": -1}, "a whole number from 0 on as seed"),
        ({"seed": "one"}, "a whole number from 0 on as seed"),
        ({"seed": True}, "a whole number from 0 on as seed"),
    ],
)
def test_numbers_that_are_none_are_told_before_anything_is_read(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        resolve("no such file.csv", **options)


def test_rules_say_which_pairs_are_compared() -> None:
    """Rules that nobody meets leave everybody alone; chance pairs alone bring people together, and seldom."""
    model = ct.Model(fields=MODEL.fields, block_on=["last_name", "birth_date"])
    ruled, alone = resolve(records(), model), resolve(records(), ct.Model(fields=MODEL.fields, block_on=["id"]))
    assert ruled.entity_count.mean() < alone.entity_count.mean()
    assert "The rules reach" in ruled.verdict


def test_nothing_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resolve(records(), None)
