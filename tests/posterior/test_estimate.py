"""The point estimates against all partitions of a few records, and against what they must not lose to."""

from collections.abc import Sequence

import numpy as np
import pytest

from coterie.errors import InputError
from coterie.kernels.estimate_information import Draws
from coterie.posterior.estimate import Loss, point_estimate
from coterie.posterior.estimate_search import Part, search_by_information, search_by_pairs
from coterie.posterior.losses import PairProbabilities, expected_binder, expected_f1, expected_information
from coterie.posterior.matching_sets import ClusterCounts, most_probable_matching_sets
from oracles import set_partitions

ALL = {n: [np.array(labels) for labels in set_partitions(n)] for n in (3, 5, 6, 7)}


def smallest(labels: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return labels as the smallest record of each cluster."""
    array = np.asarray(labels)
    return np.array([np.flatnonzero(array == one)[0] for one in array], np.int32)


def random_draws(rng: np.random.Generator, n: int, draws: int, noise: float) -> np.ndarray:
    """Return draws around one partition; the noisier, the less they agree."""
    middle = rng.integers(0, max(2, n // 3), n)
    return np.array(
        [smallest(np.where(rng.random(n) < noise, rng.integers(0, n, n), middle)) for _ in range(draws)]
    )


def pairs_of(draws: np.ndarray) -> PairProbabilities:
    i, j = np.triu_indices(draws.shape[1], 1)
    p = np.mean(draws[:, i] == draws[:, j], axis=0)
    return PairProbabilities(i[p > 0], j[p > 0], p[p > 0])


def random_pairs(rng: np.random.Generator, n: int, share: float) -> PairProbabilities:
    """Return pairs whose probabilities no draws could have: nothing goes together."""
    i, j = np.triu_indices(n, 1)
    there = rng.random(i.size) < share
    return PairProbabilities(i[there], j[there], rng.random(i.size)[there])


def pair_counts(draws: np.ndarray) -> np.ndarray:
    return np.array(
        [sum(np.count_nonzero(d == c) * (np.count_nonzero(d == c) - 1) // 2 for c in set(d)) for d in draws]
    )


def closure(pairs: PairProbabilities, n: int, threshold: float) -> np.ndarray:
    """Return the transitive closure of the pairs above a threshold, the slow way."""
    labels = np.arange(n)
    for i, j, p in zip(pairs.i, pairs.j, pairs.p, strict=True):
        if p > threshold:
            labels[labels == max(labels[i], labels[j])] = min(labels[i], labels[j])
    return labels


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("n", [5, 6, 7])
def test_few_records_get_the_best_of_all_partitions(n: int, seed: int) -> None:
    rng = np.random.default_rng([n, seed])
    draws = random_draws(rng, n, draws=7, noise=0.2 + 0.05 * seed)
    counts = pair_counts(draws)
    for pairs in (pairs_of(draws), random_pairs(rng, n, share=0.7)):
        one = expected_f1(point_estimate(pairs, n), pairs)
        assert one == pytest.approx(max(expected_f1(other, pairs) for other in ALL[n]), rel=1e-9)
        one = expected_f1(point_estimate(pairs, n, pairs_per_draw=counts), pairs, pairs_per_draw=counts)
        best = max(expected_f1(other, pairs, pairs_per_draw=counts) for other in ALL[n])
        assert one == pytest.approx(best, rel=1e-9)
        for cost in (1.0, 3.0, 0.2):
            labels = point_estimate(pairs, n, loss="binder", false_match_cost=cost)
            best = min(expected_binder(other, pairs, false_match_cost=cost) for other in ALL[n])
            assert expected_binder(labels, pairs, false_match_cost=cost) == pytest.approx(best, rel=1e-9)
    weights = rng.random(7)
    for w in (None, weights):
        labels = point_estimate(pairs_of(draws), n, loss="vi", draws=draws, weights=w)
        best = min(expected_information(other, draws, weights=w) for other in ALL[n])
        assert expected_information(labels, draws, weights=w) == pytest.approx(best, abs=1e-9)


def test_labels_are_the_smallest_records_of_their_clusters() -> None:
    pairs = PairProbabilities([5, 1, 7, 2], [3, 4, 6, 3], [0.85, 0.95, 0.1, 0.9])
    labels = point_estimate(pairs, 8, loss="binder")
    assert labels.dtype == np.int32
    # 2 and 5 were never together, so only one of them gets 3. F1 would have all three: two pairs right, one wrong.
    assert labels.tolist() == [0, 1, 2, 2, 1, 5, 6, 7]
    assert point_estimate(pairs, 8).tolist() == [0, 1, 2, 2, 1, 2, 6, 7]


@pytest.mark.parametrize("loss", ["f1", "binder", "vi"])
@pytest.mark.parametrize("noise", [0.1, 0.4, 0.7])
def test_many_records_lose_to_no_simple_estimate(loss: Loss, noise: float) -> None:
    n = 60
    rng = np.random.default_rng([n, int(10 * noise)])
    draws = random_draws(rng, n, draws=12, noise=noise)
    pairs = pairs_of(draws)

    def loses(labels: np.ndarray) -> float:
        if loss == "vi":
            return expected_information(labels, draws)
        return -expected_f1(labels, pairs) if loss == "f1" else expected_binder(labels, pairs)

    lost = loses(point_estimate(pairs, n, loss=loss, draws=draws))
    simple = [*draws, np.arange(n), np.zeros(n, int), *(closure(pairs, n, t) for t in (0.1, 0.3, 0.5, 0.7, 0.9))]
    assert lost <= min(map(loses, simple)) + 1e-9
    if loss != "vi":
        # Without the draws as starts, too.
        assert loses(point_estimate(pairs, n, loss=loss)) <= min(map(loses, simple)) + 1e-9


@pytest.mark.parametrize("loss", ["f1", "binder", "vi"])
def test_a_planted_partition_is_found_among_many_wrong_pairs(loss: Loss) -> None:
    n = 400
    rng = np.random.default_rng(n)
    truth = smallest(rng.integers(0, 12, n))
    i, j = np.triu_indices(n, 1)
    same = truth[i] == truth[j]
    there = same | (rng.random(i.size) < 0.2)
    p = np.where(same, rng.beta(5, 2, i.size), rng.beta(1, 4, i.size))[there]
    # Closure at any of these thresholds is one cluster of all.
    pairs = PairProbabilities(i[there], j[there], p)
    assert len(set(closure(pairs, n, 0.5))) == 1
    draws = np.array([smallest(np.where(rng.random(n) < 0.15, rng.integers(0, 30, n), truth)) for _ in range(15)])
    assert point_estimate(pairs, n, loss=loss, draws=draws).tolist() == truth.tolist()


@pytest.mark.parametrize("seed", range(15))
def test_the_search_for_large_components_finds_the_best_of_small_ones(seed: int) -> None:
    """The components that are searched are too large to know the best; so the search is tried on seven records."""
    n = 7
    rng = np.random.default_rng([9, seed])
    draws = random_draws(rng, n, draws=6, noise=0.35)
    pairs = pairs_of(draws)
    part = Part(np.arange(n), np.zeros(n, np.int32), pairs.graph(n))
    labels = search_by_pairs(part, 0.5, draws)
    best = min(expected_binder(other, pairs) for other in ALL[n])
    assert expected_binder(labels, pairs) == pytest.approx(best, abs=1e-9)
    size = np.arange(n + 2)
    near = Draws(np.ascontiguousarray(draws.T), np.full(6, 1 / 6), size * np.log2(np.maximum(size, 1)))
    labels = search_by_information(part, near, np.arange(n, dtype=np.int32), list(draws))
    best = min(expected_information(other, draws) for other in ALL[n])
    assert expected_information(labels, draws) == pytest.approx(best, abs=1e-9)


def test_a_large_cluster_that_joins_two_entities_is_split() -> None:
    # Two groups of 30 with certain pairs inside; the only given start has them as one.
    n, half = 60, 30
    i, j = np.triu_indices(n, 1)
    same = (i < half) == (j < half)
    pairs = PairProbabilities(i, j, np.where(same, 0.9, 0.45))
    labels = point_estimate(pairs, n, loss="binder", draws=np.zeros((1, n), int))
    assert labels.tolist() == [0] * half + [half] * half


def draw_of_chains(rng: np.random.Generator, chains: int, length: int) -> np.ndarray:
    """Cut each of some chains of records between neighbours, each place with probability one half."""
    cut = rng.random((chains, length)) < 0.5
    cut[:, 0] = True
    place = np.arange(chains * length).reshape(chains, length)
    return np.maximum.accumulate(np.where(cut, place, 0), axis=1).ravel()


def test_chains_that_closure_makes_are_cut_and_that_is_right() -> None:
    """Neighbours along a chain are together half of the time, and its ends never: closure takes it as one."""
    rng = np.random.default_rng(3)
    chains, length = 40, 12
    n = chains * length
    draws = np.array([draw_of_chains(rng, chains, length) for _ in range(150)])
    pairs, counts = pairs_of(draws), pair_counts(draws)
    estimate = point_estimate(pairs, n, pairs_per_draw=counts)
    i, j = np.triu_indices(n, 1)

    def mean_f1(labels: np.ndarray, truths: np.ndarray) -> float:
        made = labels[i] == labels[j]
        true = truths[:, i] == truths[:, j]
        return float(np.mean(2 * (made & true).sum(1) / (made.sum() + true.sum(1))))

    # What the truth is in such a posterior: draws that the estimate has not seen.
    truths = np.array([draw_of_chains(rng, chains, length) for _ in range(20)])
    for threshold in (0.1, 0.2, 0.3):
        chained = closure(pairs, n, threshold)
        assert len(set(chained)) == chains
        assert expected_f1(estimate, pairs) > expected_f1(chained, pairs) + 0.1
        assert mean_f1(estimate, truths) > mean_f1(chained, truths) + 0.1
    # Pairs found and pairs there are taken as independent, the expectation is that over the draws to half a
    # hundredth. Draws that were not seen score a little less than those that the estimate was chosen by.
    expected = expected_f1(estimate, pairs, pairs_per_draw=counts)
    assert expected == pytest.approx(mean_f1(estimate, draws), abs=0.005)
    assert expected == pytest.approx(mean_f1(estimate, truths), abs=0.04)


def test_nothing_to_join_and_nothing_to_say() -> None:
    none = PairProbabilities([], [], [])
    for loss in ("f1", "binder"):
        assert point_estimate(none, 4, loss=loss).tolist() == [0, 1, 2, 3]
        assert point_estimate(none, 1, loss=loss).tolist() == [0]
    assert point_estimate(none, 3, loss="vi", draws=[[0, 1, 2]]).tolist() == [0, 1, 2]
    assert point_estimate(none, 3, pairs_per_draw=[0, 0]).tolist() == [0, 1, 2]


def test_a_pair_in_the_balance_stays_apart() -> None:
    assert point_estimate(PairProbabilities([0], [1], [0.5]), 2, loss="binder").tolist() == [0, 1]


@pytest.mark.parametrize("loss", ["f1", "binder"])
def test_the_order_of_the_pairs_does_not_matter(loss: Loss) -> None:
    rng = np.random.default_rng(8)
    pairs = random_pairs(rng, 30, share=0.4)
    order = rng.permutation(len(pairs.i))
    turned = rng.random(order.size) < 0.5
    i, j = np.asarray(pairs.i)[order], np.asarray(pairs.j)[order]
    mixed = PairProbabilities(np.where(turned, i, j), np.where(turned, j, i), np.asarray(pairs.p)[order])
    assert point_estimate(pairs, 30, loss=loss).tolist() == point_estimate(mixed, 30, loss=loss).tolist()


def test_matching_sets_are_those_that_all_members_prefer() -> None:
    # 0 and 1 agree; 2 prefers {2, 3, 4}, as 3 does, but 4 is mostly alone; 5 and 6 as often apart.
    drawn = ClusterCounts([0, 2, 5, 7, 9, 10], [1, 0, 3, 2, 4, 2, 3, 6, 5, 4], [8, 4, 3, 5, 6], draws=10)
    assert most_probable_matching_sets(drawn, 7).tolist() == [0, 0, 2, 3, 4, 5, 6]
    none = PairProbabilities([], [], [])
    assert point_estimate(none, 7, loss="mpmms", clusters=drawn).tolist() == [0, 0, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("seed", range(20))
def test_matching_sets_against_their_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    draws = random_draws(rng, 12, draws=9, noise=0.3)
    times: dict[frozenset[int], int] = {}
    for labels in draws:
        for c in set(labels.tolist()):
            members = frozenset(np.flatnonzero(labels == c).tolist())
            times[members] = times.get(members, 0) + 1

    def favourite(r: int) -> frozenset[int]:
        return min((s for s in times if r in s), key=lambda s: (-times[s], len(s), sorted(s)))

    labels = np.arange(12)
    for members in times:
        if all(favourite(r) == members for r in members):
            labels[list(members)] = min(members)
    for sets in (list(times), [s for s in times if len(s) > 1]):
        begin = np.cumsum([0, *map(len, sets)])
        drawn = ClusterCounts(begin, [r for s in sets for r in s], [times[s] for s in sets], draws=9)
        assert most_probable_matching_sets(drawn, 12).tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        (PairProbabilities([0], [1], [0.5]), {"loss": "f2"}, "a loss among 'f1'"),
        (PairProbabilities([0], [1], [1.5]), {}, "probabilities from 0 to 1, got .*1.5"),
        (PairProbabilities([0], [1], [np.nan]), {}, "probabilities from 0 to 1"),
        (PairProbabilities([0], [3], [0.5]), {}, "among 0, …, 2"),
        (PairProbabilities([1], [1], [0.5]), {}, "1 pairs of one record"),
        (PairProbabilities([0, 1], [1, 0], [0.5, 0.2]), {}, "each pair once"),
        (PairProbabilities([0, 1], [1], [0.5]), {}, "of one length"),
        (PairProbabilities([0], [1], [0.5]), {"loss": "vi"}, "'draws' for the loss 'vi'"),
        (PairProbabilities([0], [1], [0.5]), {"loss": "mpmms"}, "'clusters' for the loss 'mpmms'"),
        (PairProbabilities([0], [1], [0.5]), {"loss": "vi", "draws": [[0, 1]]}, "draws of 3 labels"),
        (PairProbabilities([0], [1], [0.5]), {"draws": [[0, 1, 9]]}, "labels among 0, …, 2"),
        (PairProbabilities([0], [1], [0.5]), {"draws": [[0, 1, 2]], "weights": [0]}, "not all 0"),
        (PairProbabilities([0], [1], [0.5]), {"loss": "binder", "false_match_cost": 0}, "a cost above 0"),
    ],
)
def test_what_cannot_be_used_is_refused(pairs: PairProbabilities, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        point_estimate(pairs, 3, **options)


@pytest.mark.parametrize(
    "drawn", [ClusterCounts([0, 2], [0, 9], [1], 2), ClusterCounts([0, 2, 2], [0, 1], [1, 1], 2)]
)
def test_broken_tables_of_clusters_are_refused(drawn: ClusterCounts) -> None:
    with pytest.raises(InputError):
        most_probable_matching_sets(drawn, 3)
