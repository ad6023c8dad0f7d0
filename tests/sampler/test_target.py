"""What a target refuses, and what it makes of constraints."""

from typing import Any

import numpy as np
import pytest

from coterie import InputError, fields, priors, sampler
from coterie.sampler import default_prior
from sampler import records

LAW = priors.DirichletProcess(1.0)
SOURCE = ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pairs": [(0, 4)]}, "record numbers from 0 to 3, got 4"),
        ({"pairs": [(-1, 2)]}, "record numbers from 0 to 3, got -1"),
        ({"pairs": [(1, 1)]}, "two different records"),
        ({"pairs": [0, 1]}, "two record numbers in each row"),
        ({"pairs": [(0, 1, 2)]}, "two record numbers in each row"),
        ({"pairs": [(0.5, 1.0)]}, "two record numbers in each row"),
        ({"pairs": [(0, 1), (2,)]}, "a ragged list"),
        ({"together": [(0, 9)]}, "together: record numbers"),
        ({"apart": [(2, 2)]}, "apart: two different records"),
        ({"pairs": [(0, 1)], "weights": [-1.0]}, "1 weights from 0 on"),
        ({"pairs": [(0, 1)], "weights": [np.nan]}, "1 weights from 0 on"),
        ({"pairs": [(0, 1)], "weights": [0.0]}, "1 weights from 0 on"),
        ({"pairs": [(0, 1)], "weights": [1.0, 2.0]}, "1 weights from 0 on"),
        ({"source": ["a"]}, "the source of each of 4 records"),
        ({"source": SOURCE, "deduplicated": ["c"]}, "as deduplicated, got 'c'"),
        ({"deduplicated": ["a"]}, "as deduplicated, got 'a'"),
        ({"prior": "nbnb"}, "a law of partitions as prior"),
        ({"together": [(0, 1)], "apart": [(1, 0)]}, "both together and apart"),
        ({"together": [(0, 1), (1, 2)], "apart": [(0, 2)]}, "both together and apart"),
        ({"source": SOURCE, "deduplicated": ["b"], "together": [(2, 3)]}, "both from 'b'"),
        ({"source": SOURCE, "deduplicated": ["b"], "together": [(2, 0), (0, 3)]}, "both from 'b'"),
    ],
)
def test_each_mistake_is_told(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        sampler.make_target(records.compiled(4), **({"prior": LAW} | given))
    assert caught.value.hint


def test_fields_must_be_of_the_same_records() -> None:
    with pytest.raises(InputError, match="got no fields"):
        sampler.make_target([], LAW)
    with pytest.raises(InputError, match=r"fields of \[3, 4\] records"):
        sampler.make_target([*records.compiled(4), *records.compiled(3)], LAW)


def test_a_constant_field_is_left_out_and_named() -> None:
    [same] = fields.Category().compile("country", *fields.encode(["uk", "uk", None, "uk"]))
    target = sampler.make_target([*records.compiled(4), same], LAW)
    assert target.left_out == ("country",)
    assert [field.name for field in target.fields] == ["name", "state", "sex", "home"]
    with pytest.raises(InputError, match="a field with two values at least"):
        sampler.make_target([same], LAW)


def test_units_are_closed_under_being_together() -> None:
    target = sampler.make_target(records.compiled(8), LAW, together=[(0, 5), (5, 2), (7, 1)])
    labels = target.record_labels(np.arange(target.units.begin.size - 1, dtype=np.int32))
    groups = {frozenset(np.flatnonzero(labels == label).tolist()) for label in labels}
    assert groups == {frozenset(g) for g in [{0, 2, 5}, {1, 7}, {3}, {4}, {6}]}


def test_records_with_nothing_are_in_no_candidate_pair() -> None:
    [name] = fields.Text().compile("name", *fields.encode(["ann", None, "bob", None, "ann"]))
    target = sampler.make_target([name], LAW)
    free = set(target.order[target.free].tolist())
    assert free == {0, 2, 4}
    ends = {*target.order[target.i].tolist(), *target.order[target.j].tolist()}
    assert ends <= free
    # With one that has a value it may come along.
    [name] = fields.Text().compile("name", *fields.encode(["ann", None, "bob"]))
    target = sampler.make_target([name], LAW, together=[(0, 1)])
    assert target.free.size == 2


def test_candidates_count_once_and_their_weights_add_up() -> None:
    target = sampler.make_target(records.compiled(3), LAW, pairs=[(0, 1), (1, 0), (2, 1)], weights=[1.0, 2.0, 4.0])
    assert target.i.size == 2
    assert np.all(target.i < target.j)
    assert target.weight is not None
    assert sorted(target.weight.tolist()) == [3.0, 4.0]


def test_many_records_need_candidates() -> None:
    [field] = fields.Category().compile("x", *fields.encode([f"{n}" for n in range(2001)]))
    with pytest.raises(InputError, match="candidate pairs for more than 2000 records"):
        sampler.make_target([field], LAW)
    assert sampler.make_target([field], LAW, pairs=[(0, 2000)]).i.size == 1


def test_no_candidates_at_all() -> None:
    """Everybody may still meet, by pairs drawn uniformly."""
    target = sampler.make_target(records.compiled(4), LAW, pairs=[])
    draws = sampler.run(target, chains=1, draws=60, tune=0, seed=1)
    assert len(set(draws.clusters[0].tolist())) > 2


def test_a_prior_that_allows_too_few_clusters_for_its_constraints() -> None:
    target = sampler.make_target(records.compiled(4), priors.FiniteDirichlet(2, 1.0), apart=[(0, 1)])
    with pytest.raises(InputError, match="a prior under which all records can be alone"):
        sampler.start(np.random.default_rng(1), target)


def test_the_default_prior_expects_half_as_many_entities_as_records() -> None:
    law = default_prior(1000)
    drawn = law.a * law.q / (1.0 - law.q)
    assert abs(drawn / 500 - 1.0) < 1e-9
    variance = law.a * law.q / (1.0 - law.q) ** 2
    assert abs(variance**0.5 / 500 - 1.0) < 1e-2
    assert sampler.make_target(records.compiled(4)).prior == default_prior(4)
