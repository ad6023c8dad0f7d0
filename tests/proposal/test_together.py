"""Which columns are found to move together, on people made here and on made-up people with addresses."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import coterie as ct
from coterie import tables
from coterie.proposal import together as groups
from coterie.proposal.likely import Likely, likely
from coterie.proposal.profile import Profile, profile
from coterie.proposal.record_only import about_records
from coterie.proposal.together import together

ADDRESS = {"street", "house_number", "town", "postcode"}


def profiles(table: Any) -> list[Profile]:
    read = tables.read(table, unique_id="id" if "id" in table.column_names else None)
    return [profile(read, name) for name in read.names]


def found(columns: list[Profile]) -> list[set[str]]:
    return [{columns[at].name for at in members} for members, _ in together(columns)]


def people(n: int, **options: Any) -> list[Profile]:
    return profiles(ct.simulate(n, **options).records.drop_columns(["source"]))


@pytest.mark.parametrize("n", [600, 2_000])
def test_an_address_of_people_who_move(n: int) -> None:
    """With nobody in a household only those who move show it."""
    assert found(people(n, households=0, moves=0.1, seed=1)) == [ADDRESS]


@pytest.mark.parametrize("moves", [0.0, 0.1])
@pytest.mark.parametrize("households", [0.5, 0.9])
def test_a_household_shares_an_address_and_a_last_name(households: float, moves: float) -> None:
    assert found(people(1_000, households=households, moves=moves, seed=1)) == [ADDRESS | {"last_name"}]


@pytest.mark.parametrize("seed", [1, 2])
def test_of_people_who_stay_only_what_follows_is_found(seed: int) -> None:
    [group] = found(people(1_000, households=0, moves=0, seed=seed))
    assert group - {"street"} == {"town", "postcode"}


@pytest.mark.parametrize(("n", "households"), [(150, 0.0), (150, 0.5), (300, 0.0), (300, 0.9)])
def test_small_tables_never_group_who_somebody_is(n: int, households: float) -> None:
    for group in found(people(n, households=households, seed=3)):
        assert not group & {"first_name", "sex", "birth_date"}


def test_reasons_say_what_was_seen() -> None:
    columns = people(600, households=0, moves=0.1, seed=1)
    [(_, why)] = together(columns)
    assert "% of those who share postcode share town" in why or "% of those who share town share postcode" in why
    assert "where they change, house_number changes, too" in why
    assert "different people who share them often share street, too" in why


def records(rng: np.random.Generator, n: int, **columns: Any) -> list[Profile]:
    """Return a table of n people, each there twice, without errors."""
    made = {"name": rng.integers(n // 2, size=n), "born": rng.integers(10_000, size=n)}
    made |= {"place": rng.integers(n // 3, size=n), **columns}
    return profiles(pa.table({name: [f"{name} {value}" for value in np.tile(made[name], 2)] for name in made}))


def test_independent_columns_are_no_group() -> None:
    rng = np.random.default_rng(1)
    assert found(records(rng, 500, other=rng.integers(40, size=500))) == []


def test_a_column_that_follows_from_another_one_joins_it() -> None:
    rng = np.random.default_rng(1)
    district = rng.integers(60, size=500)
    columns = records(rng, 500, district=district, county=district // 6)
    assert found(columns) == [{"district", "county"}]
    # If it follows in half of the people only, it does not.
    half = np.where(rng.random(500) < 0.5, district // 6, rng.integers(10, size=500))
    assert found(records(rng, 500, district=district, county=half)) == []


def test_a_sex_does_not_join_the_name_that_it_follows_from() -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(60, size=500)
    assert found(records(rng, 500, first=first, sex=first % 2)) == []


@pytest.mark.parametrize(("share", "joins"), [(0.3, False), (0.9, True)])
def test_a_column_joins_that_changes_with_most_moves(share: float, joins: bool) -> None:
    """In 200 moves of 1,000 people a plan changes as often as asked for, and never without a move."""
    rng = np.random.default_rng(1)
    district = np.tile(rng.integers(60, size=1_000), 2)
    district[1_000:1_200] = (district[1_000:1_200] + 30) % 60
    plan = np.tile(rng.integers(40, size=1_000), 2)
    changed = 1_000 + np.flatnonzero(rng.random(200) < share)
    plan[changed] = (plan[changed] + 17) % 40
    kept = {name: np.tile(rng.integers(500, size=1_000), 2) for name in ("first", "last", "born")}
    words = _words(rng, 600)
    made = {**kept, "district": district, "county": district // 6, "plan": plan}
    columns = profiles(pa.table({name: [words[value] for value in values] for name, values in made.items()}))
    assert found(columns) == [{"district", "county"} | ({"plan"} if joins else set())]


def _words(rng: np.random.Generator, count: int) -> list[str]:
    """Return words that have little in common."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    return ["".join(rng.choice(letters, 8)) for _ in range(count)]


def test_no_pair_is_looked_at_twice() -> None:
    """A few pairs of a rare value, drawn over and over, would look like many."""
    codes = np.array([0, 0, 1, 1, 1, -1, 2], np.int32)
    pairs = groups._agreeing_pairs(codes)
    assert sorted(map(tuple, pairs.tolist())) == [(0, 1), (2, 3), (2, 4), (3, 4)]
    assert groups._agreeing_pairs(np.full(3, -1, np.int32)).shape == (0, 2)


class TestLikely:
    def test_pairs_agree_on_two_columns(self) -> None:
        rng = np.random.default_rng(2)
        table = {name: rng.integers(6, size=40).astype(str) for name in "abc"}
        columns = profiles(pa.table(table))
        seen = {tuple(pair) for pair in likely(columns).pairs.tolist()}
        rows = np.column_stack([column.codes for column in columns])
        agreeing = {(i, j) for i in range(40) for j in range(i + 1, 40) if (rows[i] == rows[j]).sum() >= 2}
        assert seen <= agreeing
        assert len(seen) > 0.9 * len(agreeing)

    def test_columns_that_do_not_count(self) -> None:
        columns = profiles(pa.table({"a": ["x", "x", "y"], "b": ["u", "u", "v"], "c": ["s", "t", "s"]}))
        assert likely(columns).pairs.tolist() == [[0, 1]]
        assert likely(columns, without=[1]).pairs.tolist() == []

    def test_evidence_by_hand(self) -> None:
        """Agreement on a value that one in 2⁷ has is seven bits; a difference takes four."""
        pairs = Likely(
            pairs=np.array([[0, 1], [2, 3]]),
            n=8,
            known=np.array([[True] * 3, [True, False, True]]),
            differs=np.array([[False, False, True], [False, False, False]]),
            bits=np.array([[7.0, 9.0, 0.0], [7.0, 0.0, 9.0]]),
        )
        # What is needed is log₂ 12 = 3.6, and by how much.
        assert pairs.sure([], bits=8.3).tolist() == [True, True]
        assert pairs.sure([], bits=8.5).tolist() == [False, True]
        assert pairs.sure([2], bits=12.3).tolist() == [True, False]
        assert pairs.sure([0, 2]).tolist() == [False, False]

    def test_bits_are_of_the_value_itself(self) -> None:
        columns = profiles(pa.table({"a": ["x"] * 6 + ["y", "y"], "b": list("mmmnnnoo")}))
        seen = likely(columns)
        of = {tuple(pair): bits for pair, bits in zip(seen.pairs.tolist(), seen.bits.tolist(), strict=True)}
        assert of[(6, 7)] == [2.0, 2.0]
        assert of[(0, 1)] == pytest.approx([np.log2(8 / 6), np.log2(8 / 3)])

    def test_a_slip_is_no_change(self) -> None:
        columns = profiles(pa.table({"a": ["Main Street", "Mian Street", "Elm Lane", None], "b": ["x"] * 4}))
        pairs = Likely(np.array([[0, 1], [0, 2], [1, 3]]), 4, *[np.zeros((3, 2))] * 3)
        seen = pairs._replace(differs=np.array([[True, False], [True, False], [False, False]]))
        order = {value: at for at, value in enumerate(columns[0].values)}
        assert list(order) == ["Elm Lane", "Main Street", "Mian Street"]
        by_row = columns[0]._replace(codes=np.array([1, 2, 0, -1], np.int32))
        assert seen.changed(by_row, 0, np.ones(3, bool)).tolist() == [False, True, False]


class TestAboutRecords:
    def test_a_source_is_seen_for_what_it_is(self) -> None:
        for deduplicated in ([], ["A", "B"]):
            table = ct.simulate(1_000, seed=1, deduplicated=deduplicated).records
            assert [column.name for column in about_records(profiles(table))] == ["source"]

    def test_little_evidence_is_none(self) -> None:
        assert about_records(profiles(ct.simulate(120, seed=1).records)) == []

    def test_what_people_keep_is_kept(self) -> None:
        columns = people(600, seed=1, typos={"sex": 0.2})
        assert about_records(columns) == []

    def test_columns_that_tell_much_are_never_asked(self) -> None:
        rng = np.random.default_rng(1)
        table = ct.simulate(600, seed=1).records.drop_columns(["source"])
        clerk = pa.array([f"clerk {number}" for number in rng.integers(50, size=600)])
        assert about_records(profiles(table.append_column("clerk", clerk))) == []
        month = pa.array([f"month {number}" for number in rng.integers(12, size=600)])
        found = about_records(profiles(table.append_column("month", month)))
        assert [column.name for column in found] == ["month"]
