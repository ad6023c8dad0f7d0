"""Candidate pairs against a slow, obvious way to make them; plans against the pairs."""

import itertools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie import InputError, candidates
from coterie.tables import Table, read

VALUE = st.sampled_from(["a", "b", "c", "", " ", None])
ROWS = st.lists(st.tuples(VALUE, VALUE, st.sampled_from([1.0, 2.0, float("nan"), None])), min_size=1, max_size=25)
RULES = ["first", ("last", "age"), "first || '-' || last, age", "left(last, 0)", "age"]


def table_of(rows: list[tuple[Any, ...]]) -> Table:
    first, last, age = zip(*rows, strict=True)
    columns = {"key": np.arange(len(rows)), "first": pa.array(first, pa.string())}
    columns |= {"last": pa.array(last, pa.string()), "age": pa.array(age, pa.float64())}
    return read(pa.table(columns), unique_id="key")


def keys_of_rows(rows: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...] | None]]:
    """Return the key of each row by each of the rules, None where a part of it is missing."""

    def key(*parts: Any) -> tuple[Any, ...] | None:
        missing = any(part is None or part != part or not str(part).strip() for part in parts)
        return None if missing else parts

    def joined(first: str | None, last: str | None) -> str | None:
        there = first is not None and last is not None and first.strip() and last.strip()
        return f"{first}-{last}" if there else None

    return [
        [key(first), key(last, age), key(joined(first, last), age), key(last[:0] if last else None), key(age)]
        for first, last, age in rows
    ]


def slowly(rows: list[tuple[Any, ...]], largest: int, holder: list[int]) -> dict[tuple[int, int], int]:
    """Return all pairs that agree on some key, with a bit for each rule; without blocks that are too large."""
    keys = keys_of_rows(rows)
    found: dict[tuple[int, int], int] = {}
    for rule in range(len(RULES)):
        column = [row[rule] for row in keys]
        for i, j in itertools.combinations(range(len(rows)), 2):
            apart = holder[i] >= 0 and holder[i] == holder[j]
            if (
                column[i] is not None
                and column[i] == column[j]
                and not apart
                and column.count(column[i]) <= largest
            ):
                found[i, j] = found.get((i, j), 0) | 1 << rule
    return found


@given(ROWS, st.integers(2, 12), st.lists(st.integers(-1, 1), min_size=25, max_size=25), st.booleans())
@settings(max_examples=30)
def test_pairs_are_those_that_agree(
    rows: list[tuple[Any, ...]], largest: int, holder: list[int], constrained: bool
) -> None:
    holder = holder[: len(rows)] if constrained else [-1] * len(rows)
    within = np.array(holder) if constrained else None
    table = table_of(rows)
    made = candidates.make_with_rules(table, RULES, max_block=largest, apart_within=within)
    expected = slowly(rows, largest, holder)
    assert made.pairs.dtype == np.int32
    assert list(map(tuple, made.pairs.tolist())) == sorted(expected)
    assert made.rules.tolist() == [expected[pair] for pair in sorted(expected)]
    for at, each in enumerate(made.plan.rules):
        assert each.pairs == made.found[:, at].sum()
        whole = sum(bits >> at & 1 for bits in slowly(rows, len(rows), holder).values())
        assert each.pairs + each.dropped_pairs == whole
        keyed = [row[at] for row in keys_of_rows(rows) if row[at] is not None]
        assert each.keyed == len(keyed)
        sizes = sorted((keyed.count(key) for key in set(keyed)), reverse=True)
        assert [block.records for block in each.largest] == [size for size in sizes if size > 1][:3]
    assert np.array_equal(candidates.make(table, made.plan, apart_within=within), made.pairs)


@pytest.fixture(scope="module")
def people() -> Table:
    rng = np.random.default_rng(1)
    n = 3_000
    columns = {"key": np.arange(n)} | {
        name: pa.array(rng.zipf(1.6, n).clip(0, top).astype(str))
        for name, top in (("first", 60), ("last", 400), ("town", 30))
    }
    return read(pa.table(columns), unique_id="key")


@pytest.mark.parametrize("most", [1, 10, 1_000, 30_000, 10**9])
def test_pairs_stay_within_what_is_allowed(people: Table, most: int) -> None:
    rules = ["first, last", "last", ("first", "town")]
    plan = candidates.plan(people, rules, max_pairs=most)
    whole = candidates.plan(people, rules, max_pairs=10**9)
    assert plan.pairs <= most or all(each.max_block == 2 for each in plan.rules)
    assert sum(each.pairs + each.dropped_pairs for each in plan.rules) == whole.pairs
    assert candidates.make_with_rules(people, plan).found.sum() == plan.pairs
    if plan.pairs < whole.pairs:
        larger = max(each.max_block for each in plan.rules) + 1
        assert candidates.plan(people, rules, max_pairs=10**9, max_block=larger).pairs > min(most, plan.pairs)


def test_a_rule_may_be_allowed_less_than_others(people: Table) -> None:
    rules = [candidates.Rule(('"last"',), "last", max_pairs=500), "last, first"]
    plan = candidates.plan(people, rules)
    assert 0 < plan.rules[0].pairs <= 500
    assert plan.rules[1].dropped_pairs == 0
    assert candidates.make_with_rules(people, rules).found[:, 0].sum() == plan.rules[0].pairs


def test_the_number_of_threads_makes_no_difference(people: Table) -> None:
    rules = ["first, last", "last, town"]
    made = []
    for threads in (1, 2, 4):
        people.connection.execute(f"SET threads = {threads}")
        made.append(candidates.make_with_rules(people, rules))
    for other in made[1:]:
        assert np.array_equal(made[0].pairs, other.pairs)
        assert np.array_equal(made[0].rules, other.rules)


def test_pairs_are_made_out_of_core(people: Table) -> None:
    made = candidates.make(people, ["last", "first"], max_pairs=10**9)
    people.connection.execute("SET memory_limit = '60MB'")
    try:
        assert np.array_equal(candidates.make(people, ["last", "first"], max_pairs=10**9), made)
    finally:
        people.connection.execute("RESET memory_limit")


def test_a_plan_tells_what_it_drops(people: Table) -> None:
    plan = candidates.plan(people, ["first, last", "town"], max_pairs=20_000)
    text = str(plan)
    assert text.splitlines()[0].split() == ["rule", "blocks", "pairs", "dropped", "up", "to", "largest", "blocks"]
    assert "Dropped: " in text
    assert f"{plan.rules[1].dropped_pairs:,}" in text
    assert f"At most {plan.pairs:,} pairs of 3,000 records" in text
    assert plan.rules[1].largest[0].key == ("1",)
    assert "Dropped" not in str(candidates.plan(people, ["first, last"], max_pairs=10**9))
    assert plan.memory > 0
    assert plan.seconds > 0


def test_no_pair_at_all_is_no_error(people: Table) -> None:
    made = candidates.make_with_rules(people, "nullif(first, first)")
    assert made.pairs.shape == (0, 2)
    assert made.found.shape == (0, 1)
    assert "At most 0 pairs" in str(made.plan)


def test_all_pairs() -> None:
    assert candidates.all_pairs(1).shape == (0, 2)
    pairs = candidates.all_pairs(4)
    assert (pairs.dtype, list(map(tuple, pairs.tolist()))) == (np.int32, list(itertools.combinations(range(4), 2)))
    assert candidates.all_pairs(4, [0, 0, -1, -1]).tolist() == [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    with pytest.raises(InputError):
        candidates.all_pairs(4, [0])


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (["frist"], "Did you mean 'first'"),
        ([("frist", "last")], "Did you mean 'first'"),
        (["left(frist, 1)"], "Did you mean 'first'"),
        (["left(first"], "'left\\(first': Parser Error"),
        (["first, nothing_at_all"], "in the rule 'first, nothing_at_all'"),
        (["count(*)"], "a rule that DuckDB can work out"),
        (["CAST(first AS DATE)"], "'CAST\\(first AS DATE\\)': Conversion Error"),
        (["first; SELECT 1"], "first; SELECT 1"),
        ([], "from 1 to 64 rules"),
        ([f"first || '{at}'" for at in range(65)], "from 1 to 64 rules"),
        ([5], "a rule for candidate pairs, got 5"),
        ([()], "a rule for candidate pairs"),
        (("first", "last"), "a list of rules"),
    ],
)
def test_rules_that_cannot_be_used_are_told(people: Table, rules: Any, told: str) -> None:
    for function in (candidates.plan, candidates.make):
        with pytest.raises(InputError, match=told):
            function(people, rules)
    # What went wrong leaves nothing behind.
    assert len(candidates.make(people, ["first, last, town -- a comment"])) > 0


@pytest.mark.parametrize(
    "options",
    [
        {"max_pairs": 0},
        {"max_pairs": 2.5},
        {"max_block": 1},
        {"max_block": True},
        {"apart_within": [1, 2]},
        {"apart_within": np.zeros(3_000)},
    ],
)
def test_limits_that_cannot_be_are_told(people: Table, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        candidates.plan(people, ["first, last"], **options)


def test_columns_are_meant_by_their_names() -> None:
    names = ["first name", "select", 'quo"te', "ä"]
    table = read(pa.table({name: ["x", "x"] for name in names}))
    for rule in [*names, (names[0], names[2]), ("SELECT",), ('left("ä", 1)', "select")]:
        assert candidates.make(table, [rule]).tolist() == [[0, 1]]
