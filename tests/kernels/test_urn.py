"""The urn against an obvious one, and its exact chances."""

from fractions import Fraction

import numpy as np
import pytest

import oracles
from coterie.kernels import urn
from coterie.kernels.urn import Urn
from frequencies import assert_drawn_from

URNS = {
    "dirichlet-process": Urn(1.0, 2.0, 0.0, 1.0, 1.0),
    "pitman-yor": Urn(1.0, 0.5, 0.25, 0.75, 1.0),
    "finite": Urn(0.5, 4.0, -1.0, 1.5, 1.0),
    "one-component": Urn(0.5, 1.0, -1.0, 1.5, 1.0),
    "labels": Urn(1.0, 3.0, -1.0, 1.0, 0.0),
}
each_urn = pytest.mark.parametrize("weights", URNS.values(), ids=URNS)


def chances(labels: tuple[int, ...], weights: Urn) -> list[Fraction]:
    """Return the chance of each cluster, a new one last, for the next element, from the definition."""
    unit, base, slope, per_cluster, per_element = map(Fraction, weights)
    k = len(set(labels))
    each = [per_cluster + per_element * (labels.count(c) - 1) for c in range(k)]
    each.append(unit * (base + slope * k) if k else Fraction(1))
    return [weight / sum(each) for weight in each]


@each_urn
def test_place_gives_every_cluster_its_exact_chance(weights: Urn) -> None:
    for labels in possible(weights):
        exact = chances(labels, weights)
        repeats = [c for i, c in enumerate(labels) if c in labels[:i]]
        got, k = np.zeros(len(exact)), len(exact) - 1
        # All weights are multiples of 1/8, so that the midpoints of cells of that size are never at a border.
        cells = round(8 * (weights.unit * (weights.base + weights.slope * k) + k * weights.per_cluster))
        cells += round(8 * (5 - k) * weights.per_element)
        for i in range(cells):
            c, m = urn.place((i + 0.5) / cells, 5, k, weights)
            got[repeats[m] if c < 0 else c] += 1
        assert got.tolist() == pytest.approx([float(share * cells) for share in exact], abs=1e-9), labels


def possible(weights: Urn) -> list[tuple[int, ...]]:
    """Return the partitions of five elements that an urn with so many components can make."""
    most = weights.base if weights.slope < 0 else 5
    return [labels for labels in oracles.set_partitions(5) if max(labels) < most]


@each_urn
def test_place_stays_inside_at_both_ends(weights: Urn) -> None:
    last = np.nextafter(1.0, 0.0)
    for labels in possible(weights):
        k = max(labels) + 1
        for u in (0.0, last):
            c, m = urn.place(u, 5, k, weights)
            assert (0 <= c <= k and m == -1) or (c == -1 and 0 <= m < 5 - k)
            if weights.unit * (weights.base + weights.slope * k) == 0.0:
                assert c < k


@each_urn
def test_labels_and_sizes_are_those_of_the_same_stream(weights: Urn) -> None:
    n = 200
    labels, sizes, repeats = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    urn.fill_labels(np.random.default_rng(3), weights, labels, repeats)
    k = urn.fill_sizes(np.random.default_rng(3), weights, sizes, repeats)
    assert np.array_equal(np.bincount(labels), sizes[:k])
    assert naive_labels(np.random.default_rng(3), weights, n) == labels.tolist()


def naive_labels(rng: np.random.Generator, weights: Urn, n: int) -> list[int]:
    """Return the labels that the same uniforms give: new, then clusters, then repeats in order of arrival."""
    labels: list[int] = []
    repeats: list[int] = []
    for t in range(n):
        k = len(set(labels))
        shares = [weights.unit * (weights.base + weights.slope * k)]
        shares += [weights.per_cluster] * k + [weights.per_element] * len(repeats)
        outcomes = [k, *range(k), *repeats]
        u = rng.random()
        x, at = u * sum(shares), 0
        while t and x >= shares[at]:
            x -= shares[at]
            at += 1
        labels.append(outcomes[at])
        if outcomes[at] < k:
            repeats.append(outcomes[at])
    return labels


@each_urn
def test_draws_have_the_urn_s_law(weights: Urn) -> None:
    exact: dict[tuple[int, ...], float] = {}
    for labels in possible(weights):
        probability = Fraction(1)
        for t in range(5):
            probability *= chances(labels[:t], weights)[labels[t]]
        exact[labels] = float(probability)
    rng, labels_, repeats = np.random.default_rng(4), np.empty(5, np.int64), np.empty(5, np.int64)

    def draw() -> tuple[int, ...]:
        urn.fill_labels(rng, weights, labels_, repeats)
        return tuple(labels_.tolist())

    assert_drawn_from((draw() for _ in range(10_000)), exact)
