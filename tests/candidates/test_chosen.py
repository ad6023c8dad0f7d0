"""Rules chosen by the program, on people made here, and the estimate of what rules reach."""

import math

import numpy as np
import pyarrow as pa
import pytest

from coterie import InputError, candidates
from coterie.candidates import Coverage, Key, keys_of
from coterie.candidates.covering import Option, cover, keyed
from coterie.tables import Table, read

N = 3_000


def people(n: int, seed: int) -> tuple[Table, np.ndarray]:
    """Return a table in which each third person is there twice, with up to three of seven columns wrong."""
    rng = np.random.default_rng(seed)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]

    def words(count: int, size: int) -> np.ndarray:
        pool = ["".join(rng.choice(syllables, size)) for _ in range(count)]
        return rng.choice(pool, n, p=(weights := 1 / np.arange(3, count + 3)) / weights.sum())

    columns = {
        "first": words(300, 3),
        "last": words(900, 4),
        "year": rng.integers(1930, 2000, n).astype(str),
        "month": rng.integers(1, 13, n).astype(str),
        "day": rng.integers(1, 29, n).astype(str),
        "town": words(100, 3),
        "zip": rng.integers(1, 200, n).astype(str),
    }
    twins = n // 3
    for at in range(twins):
        for name in columns:
            columns[name][n - 1 - at] = columns[name][at]
        for name in rng.choice(list(columns), rng.integers(0, 4), replace=False):
            columns[name][n - 1 - at] = columns[name][rng.integers(n)]
    table = read(pa.table({"key": np.arange(n)} | columns), unique_id="key")
    return table, np.column_stack([np.arange(twins), n - 1 - np.arange(twins)])


def some_keys() -> list[Key]:
    kinds = {"first": ("text", 7.0), "last": ("text", 8.0), "year": ("number", 6.0), "month": ("category", 3.5)}
    kinds |= {"day": ("category", 4.8), "town": ("text", 5.0), "zip": ("category", 7.6)}
    return [key for name, (kind, bits) in kinds.items() for key in keys_of(name, kind, bits, "ab"[name == "zip"])]


def share_reached(pairs: np.ndarray, true: np.ndarray, n: int) -> float:
    return float(np.isin(true[:, 0] * n + true[:, 1], pairs[:, 0].astype(np.int64) * n + pairs[:, 1]).mean())


@pytest.fixture(scope="module")
def table_and_truth() -> tuple[Table, np.ndarray]:
    return people(N, 1)


def test_chosen_rules_find_nearly_all_within_their_budget(table_and_truth: tuple[Table, np.ndarray]) -> None:
    table, true = table_and_truth
    reached = []
    for budget in (N // 2, 5 * N, 20 * N):
        rules = candidates.choose(table, some_keys(), budget)
        pairs = candidates.make(table, rules, max_pairs=10**9)
        # All records were counted, so that the budget holds exactly.
        assert len(pairs) <= budget
        assert all(rule.reason and rule.name for rule in rules)
        reached.append(share_reached(pairs, true, N))
    # Two pairs in three must be true ones for that.
    assert reached[0] > 0.7
    assert reached[2] > 0.995
    assert reached == sorted(reached)


def test_any_two_columns_may_be_wrong(table_and_truth: tuple[Table, np.ndarray]) -> None:
    table, _ = table_and_truth
    rules = candidates.choose(table, some_keys())
    read_by = [
        {name for key in some_keys() if key.expression in rule.parts for name in key.columns} for rule in rules
    ]
    names = sorted(set().union(*read_by))
    assert len(names) == 7
    for one in names:
        for other in names:
            assert any(not used & {one, other} for used in read_by)


def test_the_choice_depends_on_records_and_not_on_chance(table_and_truth: tuple[Table, np.ndarray]) -> None:
    table, _ = table_and_truth
    assert candidates.choose(table, some_keys(), N) == candidates.choose(table, some_keys(), N)


def test_a_huge_block_is_dropped_and_not_the_rule() -> None:
    rng = np.random.default_rng(2)
    phone = np.where(rng.random(N) < 0.4, "000", rng.permutation(N).astype(str))
    phone[: N // 10] = phone[N // 10 : 2 * (N // 10)]
    table = read(pa.table({"phone": phone, "sex": rng.choice(["f", "m"], N)}))
    rules = candidates.choose(table, keys_of("phone", "category", 10.0) + keys_of("sex", "category", 1.0), N)
    plan = candidates.plan(table, rules)
    assert rules[0].name == "phone"
    assert rules[0].max_pairs is not None
    assert plan.rules[0].largest[0].key == ("000",)
    assert 0 < plan.rules[0].pairs <= N


def test_a_large_table_is_judged_by_a_sample() -> None:
    table, true = people(24_000, 3)
    rules = candidates.choose(table, some_keys(), 5 * table.n)
    pairs = candidates.make(table, rules, max_pairs=10**9)
    assert len(pairs) < 7 * table.n
    assert share_reached(pairs, true, table.n) > 0.98


def test_typed_columns_have_keys_too() -> None:
    born = np.array(["1980-02-03", "1980-02-13", "NaT", "1975-11-30"] * 9, "datetime64[D]")
    table = read(pa.table({"born": born, "age": pa.array([1, 2, None, 4] * 9), "on": [True, None] * 18}))
    keys = keys_of("born", "date", 8.0) + keys_of("age", "number", 3.0) + keys_of("on", "category", 1.0)
    rules = candidates.choose(table, keys)
    assert len(candidates.make(table, rules)) > 0
    assert not candidates.choose(table, keys_of("on", "text", 1.0), budget=1)


@pytest.mark.parametrize("kind", ["text", "category", "number", "date"])
def test_keys_are_sql_for_any_column(kind: str) -> None:
    for values in (["a b", None, "Ä-1"], [1, 2, None], [0.5, None, 1e300]):
        table = read(pa.table({'od"d name': values, "x": ["y", "y", "y"]}))
        keys = keys_of('od"d name', kind, 5.0)
        whole = max(keys, key=lambda key: key.bits)
        assert len(candidates.plan(table, [key.expression for key in keys]).rules) == len(keys)
        assert candidates.make(table, whole.expression).size == 0
        assert whole.bits == 5.0


def test_nothing_to_choose_from_is_told(table_and_truth: tuple[Table, np.ndarray]) -> None:
    with pytest.raises(InputError, match="keys to choose rules from"):
        candidates.choose(table_and_truth[0], [])
    with pytest.raises(InputError, match="a kind of column"):
        keys_of("first", "words", 1.0)


def test_the_greedy_choice_takes_what_finds_most_for_its_pairs() -> None:
    # Records 0 to 9 in blocks by three keys: all, halves, pairs.
    at = np.arange(10)
    codes = np.column_stack([at * 0, at // 5, at // 2])
    finds = [np.array(row, bool) for row in ([1, 1, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1])]
    options = [Option((key,), 10, None, pairs, finds[key]) for key, pairs in enumerate((45.0, 20.0, 5.0))]
    chosen = [option.keys for option, _, _ in cover(options, np.ones(4), 25.0, codes, 1.0)]
    assert chosen == [(2,), (1,)]
    assert [option.keys for option, _, _ in cover(options, np.ones(4), 7.0, codes, 1.0)] == [(2,)]
    found = [share for _, share, _ in cover(options, np.array([1.0, 1, 1, 5]), 25.0, codes, 1.0)]
    assert found[-1] == 1.0


def test_keys_are_numbered_apart() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, 4, (200, 3))
    records, key = keyed(codes, [0, 2, 1])
    assert records.tolist() == [row for row in range(200) if (codes[row] >= 0).all()]
    rows = [tuple(codes[row]) for row in records]
    assert len(set(zip(rows, key.tolist(), strict=True))) == len(set(rows)) == len(set(key.tolist()))


class TestCoverage:
    def simulated(self, hard: float, seed: int, easy: float = 0.8) -> tuple[Coverage, float]:
        """Return the estimate and the truth, for matches of which some are harder to find than others."""
        rng = np.random.default_rng(seed)
        chance = np.where(rng.random(4_000) < 0.3, hard, easy)
        found = rng.random((4_000, 6)) < chance[:, None]
        seen = found.any(axis=1)
        return candidates.coverage(found[seen], np.ones(seen.sum())), float(seen.mean())

    def test_it_is_near_the_truth_where_matches_are_alike(self) -> None:
        inside = 0
        for seed in range(20):
            told, true = self.simulated(0.5, seed, easy=0.5)
            assert told.reach == pytest.approx(true, abs=0.01)
            inside += told.low <= true <= told.high
        # At 90 % fewer than 14 of 20 have a chance below 1 %.
        assert inside >= 14

    @pytest.mark.parametrize(("hard", "off"), [(0.4, 0.02), (0.2, 0.04)])
    def test_where_matches_differ_it_says_too_much_but_not_by_much(self, hard: float, off: float) -> None:
        for seed in range(10):
            told, true = self.simulated(hard, seed)
            assert told.low <= told.reach <= told.high
            assert true - 0.01 < told.reach < true + off
            # By far better than to trust what was found.
            assert told.reach < 1 - (1 - true) / 2

    def test_pairs_that_are_no_matches_count_by_their_probability(self) -> None:
        found = np.array([[1, 1, 0]] * 50 + [[1, 0, 0]] * 10 + [[0, 0, 1]] * 500, bool)
        all_sure = candidates.coverage(found[:60], np.ones(60))
        with_rest = candidates.coverage(found, np.r_[np.ones(60), np.zeros(500)])
        assert with_rest.reach == all_sure.reach
        assert with_rest.found == 60
        assert with_rest.by_rule[:2] == (1.0, 50 / 60)

    def test_where_all_are_found_often_nothing_is_missed(self) -> None:
        told = candidates.coverage(np.ones((50, 3), bool), np.ones(50))
        assert (told.reach, told.high) == (1.0, 1.0)
        assert 0.97 < told.low < 1.0

    def test_one_rule_tells_nothing(self) -> None:
        told = candidates.coverage(np.ones((5, 1), bool), np.ones(5))
        assert math.isnan(told.reach)
        assert "One rule" in str(told)
        assert math.isnan(candidates.coverage(np.ones((5, 2), bool), np.zeros(5)).reach)
        assert math.isnan(candidates.coverage(np.ones((0, 2), bool), np.zeros(0)).reach)

    def test_what_is_no_coverage_is_told(self) -> None:
        for found, probability in (
            (np.ones((5, 2)), np.ones(5)),
            (np.ones((5, 2), bool), np.ones(4)),
            (np.ones(5, bool), np.ones(5)),
            (np.ones((5, 2), bool), np.full(5, 1.5)),
            (np.ones((5, 2), bool), np.full(5, np.nan)),
        ):
            with pytest.raises(InputError):
                candidates.coverage(found, probability)
