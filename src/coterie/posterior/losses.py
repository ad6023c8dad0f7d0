"""What a partition is expected to lose or to score, if the truth is a draw from the posterior."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.kernels.estimate_graph import Graph, make_graph

Floats = NDArray[np.float64]
Int32 = NDArray[np.int32]


class PairProbabilities(NamedTuple):
    """The pairs of records that were together in some draw, and the share of draws in which they were.

    Examples
    --------
    >>> PairProbabilities(i=[0, 1], j=[1, 2], p=[0.9, 0.2]).p
    [0.9, 0.2]
    """

    i: ArrayLike
    j: ArrayLike
    p: ArrayLike

    def graph(self, n: int) -> Graph:
        """List the pairs from both of their ends."""
        return make_graph(*checked_pairs(self, n), n)


def checked_pairs(pairs: PairProbabilities, n: int) -> tuple[Int32, Int32, Floats]:
    """Check the pairs, and return them with i < j, ascending; those with p = 0 are left out."""
    i, j, p = np.asarray(pairs.i), np.asarray(pairs.j), np.asarray(pairs.p, np.float64)
    if not i.shape == j.shape == p.shape or i.ndim != 1:
        hint = "Pass three flat arrays with one entry for each pair."
        raise InputError("i, j and p of one length", f"shapes {i.shape}, {j.shape} and {p.shape}", hint)
    if i.size == 0:
        return np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0)
    low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
    if low.min() < 0 or high.max() >= n or np.any(low == high):
        got = f"numbers from {low.min()} to {high.max()}, and {np.count_nonzero(low == high)} pairs of one record"
        raise InputError(f"pairs of two records among 0, …, {n - 1}", got, "Number the records from 0 on.")
    # A share of draws that was summed up may be above 1 by rounding; nothing else may.
    if not np.all((p >= 0.0) & (p <= 1.0 + 1e-9)):
        got = f"{p[~((p >= 0.0) & (p <= 1.0 + 1e-9))][0]!r}"
        raise InputError("probabilities from 0 to 1", got, "Divide by the number of draws.")
    key = low * n + high
    if np.any(key[1:] <= key[:-1]):
        order = np.argsort(key, kind="stable")
        key, low, high, p = key[order], low[order], high[order], p[order]
        if np.any(key[1:] == key[:-1]):
            got = f"{np.count_nonzero(key[1:] == key[:-1])} of them again"
            raise InputError("each pair once", got, "Add up what belongs to the same pair.")
    there = p > 0.0
    return low[there].astype(np.int32), high[there].astype(np.int32), np.minimum(p[there], 1.0)


def pairs_within(labels: NDArray[np.integer]) -> int:
    """Return the number of pairs of records that are together; labels are small whole numbers."""
    sizes = np.bincount(labels)
    return int(np.sum(sizes * (sizes - 1) // 2))


def expected_pairs(labels: NDArray[np.integer], i: Int32, j: Int32, p: Floats) -> tuple[float, int]:
    """Return how many pairs of an estimate are expected to be true, and how many it has."""
    together = labels[i] == labels[j]
    return float(p[together].sum()), pairs_within(labels)


def expected_f1(
    labels: ArrayLike, pairs: PairProbabilities, *, pairs_per_draw: Sequence[float] | Floats | None = None
) -> float:
    """Return the posterior expectation of the pairwise F1 of a partition.

    With Q pairs in the estimate and P_d in draw d:

        E[2 TP / (Q + P)] ≈ 2 Σ p_ij · mean_d 1/(Q + P_d),

    which takes the number of true pairs found as independent of how many there are. Where neither has any pair, F1
    is 1.

    Parameters
    ----------
    labels
        The cluster of each record.
    pairs
        The pairs with their posterior probabilities.
    pairs_per_draw
        P_d of each draw; if not given, all are taken to be Σ p_ij.

    Examples
    --------
    >>> round(expected_f1([0, 0, 1], PairProbabilities([0, 1], [1, 2], [0.9, 0.1])), 6)
    0.9
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    i, j, p = checked_pairs(pairs, codes.size)
    found, made = expected_pairs(codes, i, j, p)
    totals = np.array([p.sum()]) if pairs_per_draw is None else np.asarray(pairs_per_draw, np.float64)
    return f1_of(found, made, totals)


def f1_of(found: float, made: int, totals: Floats) -> float:
    """Return 2 · found · mean 1/(made + P_d); a draw without pairs counts 1 if none are made."""
    below = made + totals
    if made == 0:
        return float(np.mean(below == 0.0))
    return float(2.0 * found * np.mean(1.0 / below))


def expected_binder(labels: ArrayLike, pairs: PairProbabilities, *, false_match_cost: float = 1.0) -> float:
    """Return the posterior expectation of Binder's loss: missed pairs, and false ones at their cost.

    Parameters
    ----------
    labels
        The cluster of each record.
    pairs
        The pairs with their posterior probabilities.
    false_match_cost
        What a pair that is wrongly together costs, if one that is wrongly apart costs 1.

    Examples
    --------
    >>> round(expected_binder([0, 0, 1], PairProbabilities([0, 1], [1, 2], [0.9, 0.2])), 6)
    0.3
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    i, j, p = checked_pairs(pairs, codes.size)
    found, made = expected_pairs(codes, i, j, p)
    return float(p.sum() - found + false_match_cost * (made - found))


def expected_information(labels: ArrayLike, draws: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Return the mean variation of information between a partition and draws, in bits.

        VI(c, d) = H(c | d) + H(d | c) = (Σ φ(|a|) + Σ φ(|b|) − 2 Σ φ(|a ∩ b|)) / N,    φ(s) = s log₂ s

    Parameters
    ----------
    labels
        The cluster of each record.
    draws
        The labels of some draws, one draw a row.
    weights
        How much each draw counts; equally if not given.

    Examples
    --------
    >>> expected_information([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 2, 2]])
    0.25
    """
    codes = np.unique(np.asarray(labels), return_inverse=True)[1]
    rows = np.atleast_2d(np.asarray(draws))
    distances = []
    for row in rows:
        other = np.unique(row, return_inverse=True)[1]
        both = np.unique(codes * np.int64(other.max() + 1) + other, return_inverse=True)[1]
        distances.append((total_entropy(codes) + total_entropy(other) - 2.0 * total_entropy(both)) / codes.size)
    return float(np.average(distances, weights=None if weights is None else np.asarray(weights, np.float64)))


def total_entropy(labels: NDArray[np.integer]) -> float:
    """Return Σ φ(|a|) over the clusters."""
    sizes = np.bincount(labels).astype(np.float64)
    return float(np.sum(sizes[sizes > 1] * np.log2(sizes[sizes > 1])))
