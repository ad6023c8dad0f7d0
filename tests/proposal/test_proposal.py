"""A proposal as a whole: what is printed, what can be edited, and that it is the model of `resolve`."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest

import coterie as ct
from coterie import InputError, candidates, fields
from coterie.proposal import Proposal, Reason
from coterie.proposal.profile import Profile


@pytest.fixture(scope="module")
def people() -> pa.Table:
    return ct.simulate(1_200, households=0, seed=1).records


@pytest.fixture(scope="module")
def proposal(people: pa.Table) -> Proposal:
    return ct.propose(people, unique_id="id")


def test_every_column_has_a_reason(people: pa.Table, proposal: Proposal) -> None:
    assert [reason.column for reason in proposal.columns] == people.column_names[1:]
    assert all(isinstance(reason, Reason) and reason.why for reason in proposal.columns)
    left_out = [reason.column for reason in proposal.columns if reason.taken_as == "-"]
    assert left_out == ["source"]
    assert set(proposal.model.columns) == set(people.column_names[1:]) - {"source"}


def test_a_group_stands_where_its_first_column_stood(proposal: Proposal) -> None:
    home = "street_etc"
    assert list(proposal.model.fields) == ["first_name", "last_name", "sex", "birth_date", home]
    group = proposal.model.fields[home]
    assert isinstance(group, fields.Group)
    assert [name for name, _ in group.parts] == ["street", "house_number", "town", "postcode"]
    reasons = {reason.column: reason for reason in proposal.columns}
    assert reasons["town"].taken_as.endswith(f" in {home}")
    # What was seen is told once.
    assert [("share" in reasons[name].why) for name, _ in group.parts] == [True, False, False, False]


def test_a_group_takes_nobody_s_name() -> None:
    rng = np.random.default_rng(1)
    district, names = rng.integers(60, size=500), rng.integers(300, size=500)
    columns = {
        "name": names,
        "district": district,
        "county": district // 6,
        "district_county": rng.integers(7, size=500),
    }
    table = pa.table({name: [f"{name} {value}" for value in made] for name, made in columns.items()})
    kinds = ct.propose(table).model.fields
    assert list(kinds) == ["name", "district_county_1", "district_county"]
    assert isinstance(kinds["district_county_1"], fields.Group)


def test_it_prints_as_two_tables(proposal: Proposal) -> None:
    lines = str(proposal).splitlines()
    empty = lines.index("")
    assert empty == 1 + len(proposal.columns)
    assert lines[0].split() == ["column", "taken", "as", "why"]
    for line, reason in zip(lines[1:empty], proposal.columns, strict=True):
        assert line.startswith(reason.column)
        assert line.endswith(reason.why)
    assert lines[empty + 1].startswith("candidate pairs")
    assert len(lines) == empty + 2 + len(proposal.rules)
    assert all(line == line.rstrip() for line in lines)


def test_rules_are_those_of_the_model(proposal: Proposal) -> None:
    assert proposal.model.block_on == [rule.parts for rule in proposal.rules]
    text = " ".join(part for rule in proposal.rules for part in rule.parts)
    assert "source" not in text


def test_rules_are_chosen_knowing_the_groups(people: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[candidates.Key] = []
    monkeypatch.setattr(candidates, "choose", lambda *given: asked.extend(given[1]) or [])
    ct.propose(people, unique_id="id")
    groups = {key.columns[0]: key.group for key in asked}
    assert groups["first_name"] == groups["birth_date"] == ""
    assert len({groups[name] for name in ("street", "house_number", "town", "postcode")} - {""}) == 1
    assert "source" not in groups


def test_few_records_need_no_rules(people: pa.Table) -> None:
    few = ct.propose(people.slice(0, 300), unique_id="id")
    assert few.rules == ()
    assert few.model.block_on is None
    assert str(few).endswith("All pairs of records are candidates.")


def test_the_order_of_rows_makes_no_difference(people: pa.Table, proposal: Proposal) -> None:
    order = np.random.default_rng(1).permutation(len(people))
    assert ct.propose(people.take(order), unique_id="id") == proposal


def test_a_source_that_is_named_is_no_evidence(people: pa.Table) -> None:
    proposal = ct.propose(people.slice(0, 200), unique_id="id", source="source")
    assert proposal.model.source == "source"
    assert "source" not in {reason.column for reason in proposal.columns}
    parts = {name: people.slice(at, 100) for name, at in (("a", 0), ("b", 100))}
    assert ct.propose(parts, unique_id="id").model.source == "source_1"


def test_a_proposal_can_be_edited(people: pa.Table) -> None:
    proposal = ct.propose(people.slice(0, 200), unique_id="id")
    kinds = {name: kind for name, kind in proposal.model.fields.items() if name != "sex"}
    kinds["birth_date"] = fields.Date(parts=True)
    edited = dataclasses.replace(proposal.model, fields=kinds, block_on=["last_name"])
    assert "sex" in proposal.model.fields
    posterior = ct.resolve(
        people.slice(0, 200), edited, unique_id="id", chains=1, draws=2, tune=1, seed=1, progress=False
    )
    assert posterior.model == edited
    assert "birth_date.year" in posterior.distortion
    with pytest.raises(dataclasses.FrozenInstanceError):
        proposal.model = edited  # type: ignore[misc]


def test_resolve_takes_what_is_proposed(people: pa.Table) -> None:
    part = people.slice(0, 200)
    posterior = ct.resolve(part, unique_id="id", chains=1, draws=2, tune=1, seed=1, progress=False)
    assert posterior.model == ct.propose(part, unique_id="id").model


def test_a_table_without_evidence_is_told_with_every_reason() -> None:
    table = pa.table({"land": ["UK"] * 4, "note": pa.nulls(4)})
    with pytest.raises(InputError, match=r"land: left out: always 'UK'.*; note: left out: no record has a value"):
        ct.propose(table)


def test_a_profile_by_hand() -> None:
    column = Profile("x", np.array([0, 1, 1, -1, 0, 1], np.int32), ["ann", "bob day"], np.array([2, 3]))
    assert (column.n, column.present, column.distinct) == (6, 5, 2)
    assert column.filled == pytest.approx(5 / 6)
    # Of the 20 ordered pairs of two of the five, 2 and 6 agree.
    assert column.bits == pytest.approx(np.log2(20 / 8))
    assert column.share(lambda value: " " in value) == pytest.approx(3 / 5)
    assert column.mean(len) == pytest.approx((2 * 3 + 3 * 7) / 5)
    assert column.examples(1) == "'bob day'"
    assert Profile("x", np.array([0], np.int32), ["a"], np.array([1])).bits == 0.0
