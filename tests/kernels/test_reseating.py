"""The seating: its invariants after any moves, and the chances of each cluster against the obvious ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from coterie.kernels import reseating
from coterie.kernels.reseating import Seating, Weights
from transitions import seat_probabilities

STRAIGHT = {
    "by-element": (1.0, 0.0),
    "by-cluster": (0.0, 1.0),
    "both": (1.0, 0.5),
    "discounted": (1.0, -0.5),
    "steep": (0.25, 1e3),
}
n_max = 12
NEW = np.array([9.0, 2.0, 0.5, 0.25, 3.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0])


def weights_of(slope: float, offset: float, *, straight: bool = True) -> Weights:
    join = np.append(1.0, slope * np.arange(1, n_max) + offset)
    return Weights(NEW, join, slope, offset) if straight else Weights(NEW, join, np.nan, np.nan)


def assert_consistent(seating: Seating) -> None:
    """Check the structure against what its labels say."""
    n = seating.labels.size
    seated = seating.labels[seating.labels >= 0]
    sizes = np.bincount(seated, minlength=n)
    assert np.array_equal(seating.sizes, sizes)
    assert np.array_equal(np.sort(seating.order), np.arange(n))
    assert np.array_equal(seating.order[seating.place], np.arange(n))
    assert np.all(np.diff(sizes[seating.order]) >= 0)
    for s in range(n + 2):
        assert seating.begin[s] == np.count_nonzero(sizes < s), s


@given(st.lists(st.integers(0, n_max - 1), min_size=1, max_size=n_max), st.data())
def test_the_seating_stays_consistent_under_any_moves(labels: list[int], data: st.DataObject) -> None:
    codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    seating, n = reseating.seat_all(codes), len(labels)
    assert np.array_equal(seating.labels, codes)
    assert_consistent(seating)
    for _ in range(20):
        element = data.draw(st.integers(0, n - 1))
        reseating.remove(element, seating)
        assert seating.labels[element] == -1
        assert_consistent(seating)
        c = data.draw(st.integers(0, n - 1))
        reseating.insert(element, c, seating)
        assert seating.labels[element] == c
        assert_consistent(seating)


@pytest.mark.parametrize(("slope", "offset"), STRAIGHT.values(), ids=STRAIGHT)
@pytest.mark.parametrize("straight", [True, False])
def test_every_cluster_has_its_chance(slope: float, offset: float, straight: bool) -> None:
    weights, n = weights_of(slope, offset, straight=straight), 5
    for labels in oracles.set_partitions(n):
        for element in (0, n - 1):
            others = [label for i, label in enumerate(labels) if i != element]
            naive: dict[tuple[int, ...], float] = {}
            there = sorted(set(others))
            shares = {c: weights.join[others.count(c)] for c in there} | {-1: NEW[len(there)]}
            for c, share in shares.items():
                seated = tuple(c if i == element else label for i, label in enumerate(labels))
                naive[renumbered(seated)] = share / sum(shares.values())
            row = seat_probabilities(element, np.array(labels), weights)
            got = {renumbered(seated): probability for seated, probability in row.items()}
            assert len(got) == len(row)
            assert got == pytest.approx({seated: p for seated, p in naive.items() if p > 0}, abs=1e-12)


def renumbered(labels: tuple[int, ...]) -> tuple[int, ...]:
    """Number labels by first appearance."""
    return tuple(list(dict.fromkeys(labels)).index(label) for label in labels)


@pytest.mark.parametrize("straight", [True, False])
@pytest.mark.parametrize(("slope", "offset"), STRAIGHT.values(), ids=STRAIGHT)
def test_sweeps_keep_the_seating_consistent(slope: float, offset: float, straight: bool) -> None:
    weights, rng = weights_of(slope, offset, straight=straight), np.random.default_rng(1)
    seating = reseating.seat_all(np.zeros(n_max, dtype=np.int64))
    for _ in range(50):
        reseating.sweep(rng, seating, weights, 1)
        assert_consistent(seating)
        # new[6] = 0: six clusters are never seven.
        assert np.count_nonzero(seating.sizes) <= 6


@pytest.mark.parametrize("u", [0.0, 0.5, float(np.nextafter(1.0, 0.0))])
@pytest.mark.parametrize("straight", [True, False])
def test_a_choice_stays_inside_at_both_ends(u: float, straight: bool) -> None:
    for slope, offset in STRAIGHT.values():
        weights = weights_of(slope, offset, straight=straight)
        for labels in oracles.set_partitions(5):
            seating = reseating.seat_all(np.array(labels))
            reseating.remove(4, seating)
            c = reseating.choose(u, 4, seating, weights)
            assert c == -1 or 0 <= c < 5
            if c >= 0 and seating.sizes[c] == 0:
                assert c == seating.order[0]


def test_pick_never_leaves_the_range() -> None:
    for weight in (1.0, 0.1, 1e-300, 3.0, 1e300):
        for count in (1, 3, 7, 10**6):
            assert reseating.pick(0.0, weight, count) == 0
            assert reseating.pick(weight, weight, count) == count - 1
            assert 0 <= reseating.pick(float(np.nextafter(weight, 0.0)), weight, count) < count


def test_one_element_always_founds_a_cluster() -> None:
    seating = reseating.seat_all(np.array([0]))
    for weights in (weights_of(1.0, 0.0), weights_of(1.0, 0.0, straight=False)):
        reseating.sweep(np.random.default_rng(1), seating, weights, 3)
        assert_consistent(seating)
        assert seating.labels.tolist() == [0]
