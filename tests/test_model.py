"""What a model takes, and how it tells what it does not take."""

from typing import Any

import pytest

from coterie import InputError, Model, fields, priors
from coterie.model import columns_of

NAME = {"name": fields.Text()}


def test_a_model_knows_the_columns_that_it_reads() -> None:
    home = fields.Group(street=fields.Text(), town=fields.Text())
    model = Model(fields={"first": fields.Text(), "home": home, "born": fields.Date(parts=True)})
    assert model.columns == ("first", "street", "town", "born")
    assert columns_of("home", home) == ("street", "town")


def test_a_model_keeps_what_it_was_given() -> None:
    law = priors.PERPS(alpha=10, lam=1)
    given = dict(NAME)
    model = Model(fields=given, prior=law, block_on=["name"], source="file", deduplicated=("a", "b"))
    given["other"] = fields.Text()
    assert list(model.fields) == ["name"]
    assert (model.prior, model.block_on, model.source, model.deduplicated) == (law, ["name"], "file", ("a", "b"))
    assert Model(fields=NAME).block_on is None


def test_models_of_the_same_are_the_same() -> None:
    assert Model(fields=NAME, source="file") == Model(fields={"name": fields.Text()}, source="file")
    assert Model(fields=NAME) != Model(fields={"name": fields.Text(slip=0.2)})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"fields": {}}, "a kind of field for each column"),
        ({"fields": None}, "a kind of field for each column"),
        ({"fields": ["name"]}, "a kind of field for each column"),
        ({"fields": {"name": fields.Text}}, r"Write fields.Text\(…\), with parentheses"),
        ({"fields": {"name": "text"}}, "a kind of field for 'name'"),
        ({"fields": {1: fields.Text()}}, "a kind of field for 1"),
        ({"fields": NAME, "prior": "NBNB"}, "a law of partitions as prior"),
        ({"fields": NAME, "prior": priors.PERPS}, "a law of partitions as prior"),
        ({"fields": NAME, "block_on": "name"}, r"Write block_on=\['name'\]"),
        ({"fields": NAME, "block_on": 3}, r"Write block_on=\[3\]"),
        ({"fields": NAME, "source": ["file"]}, "the name of a column as source"),
        ({"fields": NAME, "deduplicated": "census"}, r"Write deduplicated=\['census'\]"),
    ],
)
def test_what_is_no_model_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Model(**options)


def test_a_column_counts_once() -> None:
    home = fields.Group(name=fields.Text(), town=fields.Text())
    with pytest.raises(InputError, match="'name' in two"):
        Model(fields={"name": fields.Text(), "home": home})
