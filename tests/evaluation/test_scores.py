"""All scores against their definitions, pair by pair and record by record."""

import itertools
import math
from collections import Counter
from dataclasses import asdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import Partition
from coterie.evaluation import contingency_of, evaluate, pair_scores, scores_of
from oracles import set_partitions

TWO = st.integers(1, 24).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n)] * 2))


def share(part: int | Fraction, whole: int) -> Fraction:
    """Return part / whole; with nothing to be right or to be found, 1."""
    return Fraction(part) / whole if whole else Fraction(1)


def entropy(labels: list) -> float:
    return -math.fsum(c / len(labels) * math.log2(c / len(labels)) for c in Counter(labels).values())


def naive(estimated: list, truth: list) -> dict[str, float]:
    """Compute all scores the slow way."""
    n = len(estimated)
    pairs = list(itertools.combinations(range(n), 2))
    made = {(i, j) for i, j in pairs if estimated[i] == estimated[j]}
    true = {(i, j) for i, j in pairs if truth[i] == truth[j]}
    one = {frozenset(i for i in range(n) if estimated[i] == label) for label in estimated}
    other = {frozenset(i for i in range(n) if truth[i] == label) for label in truth}
    company = [
        ({j for j in range(n) if estimated[j] == estimated[i]}, {j for j in range(n) if truth[j] == truth[i]})
        for i in range(n)
    ]
    bp = sum(Fraction(len(a & b), len(a)) for a, b in company) / n
    br = sum(Fraction(len(a & b), len(b)) for a, b in company) / n
    expected = share(len(made) * len(true), len(pairs)) if pairs else Fraction(0)
    most = Fraction(len(made) + len(true), 2)
    joint = entropy(list(zip(estimated, truth, strict=True)))
    return {
        "precision": share(len(made & true), len(made)),
        "recall": share(len(made & true), len(true)),
        "f1": share(2 * len(made & true), len(made) + len(true)),
        "cluster_precision": Fraction(len(one & other), len(one)),
        "cluster_recall": Fraction(len(one & other), len(other)),
        "cluster_f1": Fraction(2 * len(one & other), len(one) + len(other)),
        "bcubed_precision": bp,
        "bcubed_recall": br,
        "bcubed_f1": 2 * bp * br / (bp + br),
        "adjusted_rand": (len(made & true) - expected) / (most - expected) if most != expected else Fraction(1),
        "variation_of_information": 2 * joint - entropy(estimated) - entropy(truth),
        "wrongly_together": joint - entropy(estimated),
        "wrongly_apart": joint - entropy(truth),
        "n": n,
        "entities": len(one),
        "entities_true": len(other),
        "entities_exact": len(one & other),
        "pairs": len(made),
        "pairs_true": len(true),
        "pairs_both": len(made & true),
    }


@given(TWO)
def test_all_scores_are_what_they_are_defined_to_be(two: tuple[list, list]) -> None:
    scores, slow = asdict(evaluate(*two)), naive(*two)
    assert scores.keys() == slow.keys()
    for name, value in slow.items():
        assert scores[name] == pytest.approx(float(value), abs=1e-12), name


def test_all_pairs_of_partitions_of_four_records() -> None:
    for one, other in itertools.product(set_partitions(4), repeat=2):
        scores, slow = asdict(evaluate(one, other)), naive(list(one), list(other))
        assert scores == pytest.approx({name: float(value) for name, value in slow.items()}, abs=1e-12)


@given(TWO)
def test_truth_and_estimate_change_places(two: tuple[list, list]) -> None:
    one, other = evaluate(*two), evaluate(*reversed(two))
    assert one.precision == other.recall
    assert one.cluster_precision == other.cluster_recall
    assert one.bcubed_precision == pytest.approx(other.bcubed_recall, abs=1e-12)
    assert one.wrongly_together == pytest.approx(other.wrongly_apart, abs=1e-12)
    assert one.f1 == other.f1
    assert one.adjusted_rand == other.adjusted_rand


@given(TWO, st.permutations(range(7)))
def test_neither_names_nor_order_matter(two: tuple[list, list], names: list[int]) -> None:
    renamed = [f"entity {names[label]}" for label in two[0]]
    back = [list(reversed(renamed)), [-5 * label for label in reversed(two[1])]]
    assert asdict(evaluate(*back)) == pytest.approx(asdict(evaluate(*two)), abs=1e-12)


@given(TWO)
def test_scores_lie_between_their_ends_and_the_truth_has_the_best(two: tuple[list, list]) -> None:
    scores = asdict(evaluate(*two))
    for name in ("precision", "recall", "f1", "cluster_f1", "bcubed_precision", "bcubed_recall"):
        assert 0.0 <= scores[name] <= 1.0
    assert 0.0 <= scores["variation_of_information"] <= math.log2(len(two[0])) + 1e-12
    best = evaluate(two[1], two[1])
    for name in ("precision", "recall", "f1", "cluster_f1", "bcubed_f1", "adjusted_rand"):
        assert getattr(best, name) == 1.0
    assert best.variation_of_information == 0.0


def test_without_pairs_nothing_is_wrong_and_nothing_missed() -> None:
    nobody, all_together = [0, 1, 2], [0, 0, 0]
    alone = evaluate(nobody, nobody)
    assert (alone.precision, alone.recall, alone.f1, alone.adjusted_rand) == (1.0, 1.0, 1.0, 1.0)
    shy = evaluate(nobody, all_together)
    assert (shy.precision, shy.recall, shy.f1, shy.adjusted_rand) == (1.0, 0.0, 0.0, 0.0)
    bold = evaluate(all_together, nobody)
    assert (bold.precision, bold.recall, bold.f1, bold.adjusted_rand) == (0.0, 1.0, 0.0, 0.0)
    assert asdict(evaluate([5], ["x"])) == pytest.approx(asdict(evaluate([1], [1])))


def test_counts_beyond_32_bits_are_exact() -> None:
    n = 200_000
    scores = evaluate(np.zeros(n, np.int32), np.arange(n, dtype=np.int32) // (n // 2))
    assert scores.pairs == n * (n - 1) // 2
    assert scores.pairs_both == scores.pairs_true == 2 * (n // 2) * (n // 2 - 1) // 2
    assert scores.adjusted_rand == 0.0
    assert scores.variation_of_information == pytest.approx(1.0)
    # The Rand index multiplies numbers of pairs, whose products do not fit 64 bits.
    other = evaluate(np.r_[np.zeros(n - 1, int), 1], np.r_[1, np.zeros(n - 1, int)])
    exact = Fraction(other.pairs_both * (n * (n - 1) // 2) - other.pairs * other.pairs_true)
    exact /= Fraction((other.pairs + other.pairs_true) * (n * (n - 1) // 2), 2) - other.pairs * other.pairs_true
    assert other.adjusted_rand == float(exact)


def test_scores_from_counts_take_arrays() -> None:
    precision, recall, f1 = pair_scores([4, 0, 0], [2, 2, 0], [1, 0, 0])
    assert precision.tolist() == [0.25, 1.0, 1.0]
    assert recall.tolist() == [0.5, 0.0, 1.0]
    assert f1.tolist() == pytest.approx([1 / 3, 0.0, 1.0])


def test_partitions_are_labels_too() -> None:
    one = Partition.from_labels([0, 0, 1])
    assert scores_of(contingency_of(one, Partition.from_labels([1, 1, 1]))) == evaluate([0, 0, 1], [1, 1, 1])


def test_scores_print_as_a_table() -> None:
    text = str(evaluate([0, 0, 1, 1], [0, 0, 1, 2]))
    assert "4 records: 2 entities estimated, 3 in truth, 1 exactly alike" in text
    assert "pairs          0.5000     1.0000     0.6667" in text
