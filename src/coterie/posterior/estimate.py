"""One partition for all draws: the one with the least posterior expected loss.

No estimate is the transitive closure of pairs: an estimate is a partition, and all pairs of its clusters count,
those that nobody proposed too.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.posterior.estimate_search import FIRST_THRESHOLD, Problem, least_binder, nearest
from coterie.posterior.losses import PairProbabilities, checked_pairs, expected_pairs, f1_of
from coterie.posterior.matching_sets import ClusterCounts, most_probable_matching_sets

Floats = NDArray[np.float64]
Int32 = NDArray[np.int32]
Loss = Literal["f1", "binder", "vi", "mpmms"]

# The first trade-offs between pairs found and pairs made; the one at the optimum is F1/2, or close to it.
FIRST_THRESHOLDS = (FIRST_THRESHOLD, FIRST_THRESHOLD / 2)


def point_estimate(
    pairs: PairProbabilities,
    n: int,
    *,
    loss: Loss = "f1",
    draws: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    pairs_per_draw: ArrayLike | None = None,
    clusters: ClusterCounts | None = None,
    false_match_cost: float = 1.0,
) -> Int32:
    """Return the partition that loses least in expectation under the posterior.

    Components of the candidate graph with up to ten records are solved exactly. In larger ones records move,
    clusters merge and split from several starts until nothing gains, and the best end is taken.

    Parameters
    ----------
    pairs
        Every pair that was together in some draw, with the share of the draws in which it was.
    n
        The number of records.
    loss
        ``"f1"``: 1 − the expected pairwise F1. ``"binder"``: the expected number of pairs wrongly together or
        apart. ``"vi"``: the expected variation of information from `draws`. ``"mpmms"``: no loss, but the most
        probable maximal matching sets that their members share (Steorts, Hall and Fienberg 2016), from `clusters`.
    draws
        Labels of some draws, one draw a row: what ``"vi"`` is measured against, and starts for the other losses.
    weights
        How much each of these draws counts; equally if not given.
    pairs_per_draw
        For ``"f1"``: how many pairs are together in each draw. If not given, their mean stands for all.
    clusters
        For ``"mpmms"``: the distinct clusters that were drawn, and how often.
    false_match_cost
        For ``"binder"``: what a pair wrongly together costs, if one wrongly apart costs 1.

    Returns
    -------
    labels
        For each record the smallest record of its cluster.

    Examples
    --------
    The middle record resembles both others, who are hardly ever together. Closure would chain all three:

    >>> pairs = PairProbabilities(i=[0, 1, 0], j=[1, 2, 2], p=[0.9, 0.8, 0.05])
    >>> point_estimate(pairs, 4, loss="binder")
    array([0, 0, 2, 3], dtype=int32)
    """
    if loss not in get_args(Loss):
        choices = ", ".join(map(repr, get_args(Loss)))
        raise InputError(f"a loss among {choices}", repr(loss), "Choose one of these.")
    if not false_match_cost > 0.0:
        got = repr(false_match_cost)
        raise InputError("a cost above 0 for 'false_match_cost'", got, "A free false match would join everybody.")
    if loss == "mpmms":
        if clusters is None:
            raise InputError("'clusters' for the loss 'mpmms'", "none", "Pass the clusters that were drawn.")
        return most_probable_matching_sets(clusters, n)
    i, j, p = checked_pairs(pairs, n)
    problem = Problem(i, j, p, n)
    labels, shares = _checked_draws(draws, weights, n)
    if loss == "vi":
        if not shares.size:
            raise InputError("'draws' for the loss 'vi'", "none", "Pass the labels of some draws.")
        return nearest(problem, labels, shares)
    if loss == "binder":
        return least_binder(problem, false_match_cost / (1.0 + false_match_cost), labels)
    totals = np.array([p.sum()]) if pairs_per_draw is None else np.asarray(pairs_per_draw, np.float64)
    return _largest_f1(problem, totals, labels)


def _checked_draws(draws: ArrayLike | None, weights: ArrayLike | None, n: int) -> tuple[Int32, Floats]:
    """Return draws as an array, and the share of each."""
    if draws is None:
        return np.zeros((0, n), np.int32), np.zeros(0)
    labels = np.asarray(draws)
    hint = "Pass one draw a row, with the smallest record of each record's cluster."
    if labels.ndim != 2 or labels.shape[1] != n or labels.shape[0] == 0 or labels.dtype.kind not in "iu":
        raise InputError(f"draws of {n} labels each", f"shape {labels.shape} of {labels.dtype}", hint)
    if labels.size and (labels.min() < 0 or labels.max() >= n):
        raise InputError(f"labels among 0, …, {n - 1}", f"{labels.min()} to {labels.max()}", hint)
    shares = np.ones(len(labels)) if weights is None else np.asarray(weights, np.float64)
    if shares.shape != (len(labels),) or not np.all(shares >= 0.0) or not 0.0 < shares.sum() < np.inf:
        got = f"shape {shares.shape}, sum {shares.sum()}"
        raise InputError(
            "a weight of 0 or more for each draw, not all 0", got, "Leave 'weights' out to count all alike."
        )
    return labels.astype(np.int32, copy=False), shares / shares.sum()


def _largest_f1(problem: Problem, totals: Floats, starts: Int32) -> Int32:
    """Return the partition with the largest expected F1.

    With S = Σ p_ij over the pairs made, Q their number and u(Q) = 1 / mean_d 1/(Q + P_d), F1 is 2 S/u(Q). From an
    estimate with S₀, Q₀, the partition with the largest Σ (p_ij − t), t = S₀ u'(Q₀)/u(Q₀), has no smaller F1, as u
    is concave (Dinkelbach 1967, where all P_d are the same: then t = F1/2, and the end is the optimum).
    """

    def value_of(labels: Int32) -> float:
        return f1_of(*expected_pairs(labels, problem.i, problem.j, problem.p), totals)

    alone = np.arange(problem.n, dtype=np.int32)
    if not np.any(totals > 0.0):
        return alone
    best = max([alone, *starts], key=value_of)
    top = value_of(best)
    # First from few starts, at several thresholds; then from all, as long as that leads further.
    for first in (*FIRST_THRESHOLDS, None):
        t, rising = _threshold(best, problem, totals) if first is None else first, True
        while rising:
            trial = least_binder(problem, t, np.vstack([best[None], starts]) if first is None else best[None])
            value = value_of(trial)
            rising = value > top + 1e-12
            if rising:
                best, top = trial, value
                t = _threshold(best, problem, totals)
    return best


def _threshold(labels: Int32, problem: Problem, totals: Floats) -> float:
    """Return t = S u'(Q)/u(Q) for an estimate; a half where it has no pairs."""
    found, made = expected_pairs(labels, problem.i, problem.j, problem.p)
    inverse = 1.0 / (made + totals) if made else np.zeros(1)
    return found * float(np.mean(inverse**2) / np.mean(inverse)) if made else FIRST_THRESHOLDS[0]
