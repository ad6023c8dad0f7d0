"""The steps of the search for a point estimate, one by one, against slow versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.kernels import estimate_information as information
from coterie.kernels import estimate_pairs as by_pairs
from coterie.kernels.estimate_graph import Graph, components, join, make_graph, meet, restrict, smallest_members

N, T = 24, 0.4
LABELS = st.lists(st.integers(0, 5), min_size=6, max_size=6)


def smallest(labels: list | np.ndarray) -> np.ndarray:
    array = np.asarray(labels)
    return np.array([np.flatnonzero(array == one)[0] for one in array], np.int32)


def blocks(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in labels}


def random_graph(seed: int, n: int = N) -> tuple[np.ndarray, Graph]:
    """Return the matrix of p, which are near 1 within eight groups, and the graph of it."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 8, n)
    p = np.where(group[:, None] == group, rng.beta(3, 1, (n, n)), rng.beta(1, 3, (n, n)))
    p = np.triu(p * (rng.random((n, n)) < 0.6), 1)
    i, j = np.nonzero(p)
    return p + p.T, make_graph(i.astype(np.int32), j.astype(np.int32), p[i, j], n)


def score(labels: np.ndarray, p: np.ndarray) -> float:
    """Return Σ (p_ij − t) over the pairs within clusters."""
    same = np.triu(labels[:, None] == labels, 1)
    return float((p - T)[same].sum())


@given(LABELS, LABELS)
def test_meet_and_join_are_the_coarsest_and_the_finest(one: list[int], other: list[int]) -> None:
    a, b = smallest(one), np.array(other, np.int32)
    finer, coarser = meet(a, b), join(a, b)
    assert finer.tolist() == smallest([one[r] * 6 + other[r] for r in range(6)]).tolist()
    reached = np.eye(6, dtype=bool) | (a[:, None] == a) | (b[:, None] == b)
    for _ in range(3):
        reached = reached @ reached
    assert coarser.tolist() == reached.argmax(axis=1).tolist()
    assert smallest_members(b).tolist() == smallest(other).tolist()


@given(LABELS, st.sets(st.integers(0, 5), min_size=1))
def test_a_partition_of_some_records(labels: list[int], chosen: set[int]) -> None:
    record = np.array(sorted(chosen))
    restricted = restrict(np.array(labels, np.int32), record)
    assert restricted.tolist() == smallest(np.array(labels)[record]).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_components_are_what_can_be_reached(seed: int) -> None:
    p, _ = random_graph(seed)
    i, j = (end.astype(np.int32) for end in np.nonzero(np.triu(p, 1)))
    reached = (p > 0.85) | np.eye(N, dtype=bool)
    for _ in range(6):
        reached = reached @ reached
    assert components(i, j, p[i, j], 0.85, N).tolist() == reached.argmax(axis=1).tolist()


@pytest.mark.parametrize("seed", range(8))
def test_scores_of_components_are_sums_over_their_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, graph = random_graph(seed)
    component = np.where(np.arange(N) < 10, 0, 10).astype(np.int32)
    labels = meet(component, rng.integers(0, 4, N).astype(np.int32))
    scores = by_pairs.pair_scores_of_components(labels, component, graph, T)
    assert scores[0] == pytest.approx(score(labels[:10], p[:10, :10]))
    assert scores[10] == pytest.approx(score(labels[10:], p[10:, 10:]))
    assert np.count_nonzero(scores) == 2


@pytest.mark.parametrize("seed", range(8))
def test_when_records_stop_moving_no_move_gains(seed: int) -> None:
    p, graph = random_graph(seed)
    labels = smallest(np.random.default_rng(seed).integers(0, 6, N))
    before = score(labels, p)
    by_pairs.move_records(labels, graph, T)
    after = score(labels, p)
    assert after >= before
    # Those whom a move concerns without being neighbours are looked at in the next round.
    while by_pairs.move_records(labels, graph, T):
        assert score(labels, p) > after
        after = score(labels, p)
    for r in range(N):
        for place in {*labels.tolist(), N}:
            other = labels.copy()
            other[r] = place
            assert score(other, p) <= after + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_when_clusters_stop_merging_no_merging_gains(seed: int) -> None:
    p, graph = random_graph(seed)
    labels = np.arange(N, dtype=np.int32)
    assert by_pairs.merge_clusters(labels, graph, T)
    after = score(labels, p)
    assert after > 0.0
    for one in set(labels.tolist()):
        for other in set(labels.tolist()):
            assert score(np.where(labels == one, other, labels), p) <= after + 1e-9


@pytest.mark.parametrize("across", [0.0, 0.3])
def test_a_large_cluster_splits_where_it_is_thinnest(across: float) -> None:
    # The smaller part has the least company, so it is the one that leaves; nobody leaves alone without a loss.
    part = np.arange(40) % 3 == 0
    p = np.where(part[:, None] == part, 0.7, across)
    i, j = (end.astype(np.int32) for end in np.triu_indices(40, 1))
    graph = make_graph(i, j, p[i, j], 40)
    labels = np.zeros(40, np.int32)
    assert by_pairs.split_clusters(labels, graph, 0.4)
    assert blocks(labels) == blocks(smallest(part))
    assert not by_pairs.split_clusters(labels, graph, 0.4)


def test_splitting_never_loses() -> None:
    for seed in range(20):
        p, graph = random_graph(seed)
        labels = smallest(np.random.default_rng(seed).integers(0, 2, N))
        before = score(labels, p)
        if by_pairs.split_clusters(labels, graph, T):
            assert score(labels, p) > before


def some_draws(seed: int) -> information.Draws:
    rng = np.random.default_rng(seed)
    middle = rng.integers(0, 6, N)
    rows = [smallest(np.where(rng.random(N) < 0.4, rng.integers(0, 12, N), middle)) for _ in range(5)]
    size, share = np.arange(N + 2), rng.random(5)
    return information.Draws(np.array(rows).T.copy(), share / share.sum(), size * np.log2(np.maximum(size, 1)))


def closeness(labels: np.ndarray, draws: information.Draws) -> float:
    """Return 2 Σ_d w_d Σ φ(|c ∩ b|) − Σ φ(|c|), the slow way."""

    def total(names: list) -> float:
        return sum(draws.entropy[names.count(name)] for name in set(names))

    each = [total(list(zip(labels.tolist(), draws.label[:, d].tolist(), strict=True))) for d in range(5)]
    return 2.0 * float(np.dot(draws.share, each)) - total(labels.tolist())


@pytest.mark.parametrize("seed", range(8))
def test_each_step_comes_nearer_to_the_draws_until_none_does(seed: int) -> None:
    draws = some_draws(seed)
    i, j = (end.astype(np.int32) for end in np.triu_indices(N, 1))
    graph = make_graph(i, j, np.ones(i.size), N)
    labels = smallest(np.random.default_rng(seed).integers(0, 5, N))
    component, count = np.zeros(N, np.int32), np.zeros(N, np.int64)
    scores = information.information_scores(labels, component, draws, count)
    assert scores.tolist() == pytest.approx([closeness(labels, draws)] + [0.0] * (N - 1))
    for step, needed in (
        (information.move_records_by_information, (graph, draws)),
        (information.merge_clusters_by_information, (graph, draws)),
        (information.split_like_draws, (draws,)),
    ):
        before = closeness(labels, draws)
        changed = step(labels, *needed)
        labels = smallest(labels)
        after = closeness(labels, draws)
        assert after > before if changed else after == pytest.approx(before)
    labels = information.improve_by_information(labels, graph, draws)
    after = closeness(labels, draws)
    for one in range(N):
        for place in {*labels.tolist(), N}:
            other = labels.copy()
            other[one] = place
            assert closeness(other, draws) <= after + 1e-9
            assert closeness(np.where(labels == labels[one], place, labels), draws) <= after + 1e-9
