"""Pairs, clusters, sizes and comparisons, all counted by changes, against going through all draws."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError
from coterie.kernels import counting
from coterie.kernels.jit import kernel
from coterie.posterior import chain, chain_of, count_pairs, pairs
from coterie.posterior.against import compare
from coterie.posterior.clusters import count_clusters
from coterie.posterior.scores import expected_scores
from coterie.posterior.sizes import size_counts
from posterior.fabricate import clusters, draws_of_chains, random_labels, smallest, together


def check_pairs(drawn: list[np.ndarray]) -> None:
    found = count_pairs([chain_of(labels) for labels in drawn])
    expected = [Counter(pair for row in labels for pair in together(row)) for labels in drawn]
    names = sorted(set().union(*expected))
    assert list(zip(found.i.tolist(), found.j.tolist(), strict=True)) == names
    assert found.counts.tolist() == [[counts[pair] for counts in expected] for pair in names]
    assert [rows.tolist() for rows in found.together] == [
        [len(together(row)) for row in labels] for labels in drawn
    ]
    draws = sum(map(len, drawn))
    n = drawn[0].shape[1]
    for i in range(n):
        for j in range(n):
            if i != j:
                total = sum(counts[min(i, j), max(i, j)] for counts in expected)
                assert found.of(i, j) == pytest.approx(total / draws)


@given(draws_of_chains())
def test_pairs(drawn: list[np.ndarray]) -> None:
    check_pairs(drawn)


@pytest.mark.parametrize("share", [0.02, 0.3, 1.0])
def test_pairs_of_more_records_in_many_pieces(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "CHUNK", 50)
    rng = np.random.default_rng(1)
    check_pairs([random_labels(rng, 40, 30, k, share) for k in (3, 30)])


def check_sets(drawn: list[np.ndarray]) -> None:
    found = count_clusters([chain_of(labels) for labels in drawn])
    members = [frozenset(found.member[a:b].tolist()) for a, b in zip(found.begin, found.begin[1:], strict=False)]
    assert len(set(members)) == len(members)
    expected = [Counter(c for row in labels for c in clusters(row) if len(c) > 1) for labels in drawn]
    assert set(members) == set().union(*expected)
    assert found.counts.tolist() == [[counts[c] for counts in expected] for c in members]
    assert found.p == pytest.approx(
        [sum(counts[c] for counts in expected) / sum(map(len, drawn)) for c in members]
    )


@given(draws_of_chains())
def test_distinct_clusters(drawn: list[np.ndarray]) -> None:
    check_sets(drawn)


def test_distinct_clusters_of_more_records_in_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "CHUNK", 50)
    rng = np.random.default_rng(1)
    check_sets([random_labels(rng, 40, 60, k, 0.2) for k in (3, 30)])


@given(draws_of_chains())
def test_sizes(drawn: list[np.ndarray]) -> None:
    found = size_counts([chain_of(labels) for labels in drawn])
    for at, row in enumerate(np.concatenate(drawn)):
        sizes = Counter(map(len, clusters(row)))
        assert {size: int(counts[at]) for size, counts in found.items() if counts[at]} == sizes
    assert all(counts.any() for counts in found.values())


@given(draws_of_chains(), st.data())
def test_an_estimate_against_all_draws(drawn: list[np.ndarray], data: st.DataObject) -> None:
    n = drawn[0].shape[1]
    of_draw = data.draw(st.booleans())
    labels = drawn[0][-1] if of_draw else data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    estimate = smallest(list(labels))
    found = compare(np.array(estimate, np.int32), [chain_of(labels) for labels in drawn])
    rows = list(np.concatenate(drawn))
    assert (found.pairs, found.clusters) == (len(together(estimate)), len(clusters(estimate)))
    assert found.pairs_drawn.tolist() == [len(together(row)) for row in rows]
    assert found.pairs_both.tolist() == [len(together(row) & together(estimate)) for row in rows]
    assert found.clusters_drawn.tolist() == [len(clusters(row)) for row in rows]
    assert found.clusters_both.tolist() == [len(clusters(row) & clusters(estimate)) for row in rows]
    for members in clusters(estimate):
        share = np.mean([members in clusters(row) for row in rows])
        assert found.share[min(members)] == pytest.approx(share)


def test_expected_scores_are_means_over_draws() -> None:
    rng = np.random.default_rng(1)
    drawn = random_labels(rng, 12, 50, 8, 0.2)
    estimate = smallest(drawn[7].tolist())
    scores = expected_scores(compare(np.array(estimate, np.int32), [chain_of(drawn)]))
    both = np.array([len(together(row) & together(estimate)) for row in drawn])
    there = np.array([len(together(row)) for row in drawn])
    assert scores.precision.mean == pytest.approx(np.mean(both / len(together(estimate))))
    assert scores.recall.mean == pytest.approx(np.mean(both / there))
    f1 = 2 * both / (there + len(together(estimate)))
    assert scores.f1.mean == pytest.approx(np.mean(f1))
    assert (scores.f1.low, scores.f1.high) == pytest.approx(tuple(np.quantile(f1, [0.05, 0.95])))
    same = np.array([len(clusters(row) & clusters(estimate)) for row in drawn])
    assert scores.cluster_precision.mean == pytest.approx(np.mean(same / len(clusters(estimate))))
    assert scores.cluster_recall.mean == pytest.approx(
        np.mean([s / len(clusters(r)) for s, r in zip(same, drawn, strict=True)])
    )
    assert str(scores).splitlines()[0].startswith("precision")


def test_where_nothing_is_claimed_nothing_is_wrong() -> None:
    scores = expected_scores(compare(np.arange(3, dtype=np.int32), [chain_of([[0, 1, 2], [0, 0, 2]])]))
    assert (scores.precision.mean, scores.recall.mean, scores.f1.mean) == (1.0, 0.5, 0.5)


def test_a_large_cluster_that_loses_a_record_costs_as_many_pairs_as_it_loses() -> None:
    # Its first record leaves, and comes back: all others have another label then.
    labels = np.zeros((400, 2000), np.int64)
    labels[1::2, 0] = 1
    found = count_pairs([chain_of(labels)])
    assert found.i.size == 2000 * 1999 // 2
    first = found.i == 0
    assert np.all(found.p[first] == 0.5)
    assert np.all(found.p[~first] == 1.0)


def test_more_pairs_than_can_be_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST_PAIRS", 10)
    few, many = chain_of([[0, 1, 2, 3, 4, 5], [0] * 5 + [5]]), chain_of([[0, 1, 2, 3, 4, 5], [0] * 6])
    assert count_pairs([few]).i.size == 10
    with pytest.raises(InputError, match=r"at most 10 pairs .* got 15 in a draw, and clusters of up to 6 records"):
        count_pairs([few, many])
    with pytest.raises(InputError, match="at most 10 pairs"):
        compare(np.arange(6, dtype=np.int32), [many])


@kernel
def add_one(key: int, column: int, amount: int, counter: counting.Counter) -> counting.Counter:
    """Only kernels are called from Python."""
    counter = counting.with_room(counter, 1)
    counting.add(key, column, amount, counter)
    return counter


@given(st.lists(st.tuples(st.integers(0, 2**62), st.integers(0, 1), st.integers(-5, 5)), max_size=200))
def test_a_counter_counts(entries: list[tuple[int, int, int]]) -> None:
    counter, expected = counting.make_counter(2, 2), Counter()
    for key, column, amount in entries:
        counter = add_one(key, column, amount, counter)
        expected[key, column] += amount
    used = np.flatnonzero(counter.key != counting.EMPTY)
    found = {(int(counter.key[at]), c): int(counter.counts[at, c]) for at in used for c in range(2)}
    assert all(found[name] == amount for name, amount in expected.items())
    assert len(used) == len({key for key, *_ in entries}) == counter.used[0]
