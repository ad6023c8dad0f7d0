"""The pairs in doubt, and whether the chains agree on them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from coterie.posterior.chain import Chain
from coterie.posterior.figures import convergence
from coterie.posterior.pairs import PairDraws

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# A pair is in doubt between these probabilities.
DOUBT = (0.05, 0.95)
# So many pairs in doubt are looked at one by one.
MOST = 300
# A chain's Monte Carlo error is that of so many stretches of it.
STRETCHES = 8
# Chains that agree are called different for one pair in a thousand.
LEVEL = 0.001
# From this R-hat on, a pair is not settled.
UNSETTLED = 1.1


class Agreement(NamedTuple):
    """What the chains say of pairs.

    ``disagreement`` is the mean over two chains of Σ |p_a − p_b|, as a share of the expected number of pairs.
    ``differing`` is the share of the pairs in doubt on which chains differ by more than their Monte Carlo errors
    allow, and ``unsettled`` that with an R-hat above 1.1. nan where there is no such pair, or one chain only.
    """

    doubtful: int
    sampled: int
    disagreement: float
    differing: float
    unsettled: float
    worst_rhat: float
    smallest_ess: float


def agreement(pairs: PairDraws, chains: Sequence[Chain]) -> Agreement:
    """Compare the chains pair by pair."""
    chosen = doubtful_pairs(pairs)
    p = pairs.p
    count = int(np.count_nonzero((p > DOUBT[0]) & (p < DOUBT[1])))
    gap = disagreement(pairs)
    shortest = min(chain.draws for chain in chains)
    if not chosen.size:
        return Agreement(count, 0, gap, *[float("nan")] * 4)
    table = np.array([series[-shortest:] for series in indicators(pairs.i[chosen], pairs.j[chosen], chains)])
    figures = np.array([convergence(table[:, :, at].astype(np.float64)) for at in range(chosen.size)])
    rhat, ess = figures[:, 0], figures[:, 1]
    return Agreement(
        count,
        chosen.size,
        gap,
        float(np.mean(differ(table))) if len(chains) > 1 else float("nan"),
        float(np.mean(rhat > UNSETTLED)),
        float(np.nanmax(rhat)) if not np.isnan(rhat).all() else float("nan"),
        float(np.nanmin(ess)) if not np.isnan(ess).all() else float("nan"),
    )


def doubtful_pairs(pairs: PairDraws) -> Integers:
    """Return which pairs are in doubt; of very many, some drawn once and for all."""
    p = pairs.p
    found = np.flatnonzero((p > DOUBT[0]) & (p < DOUBT[1]))
    return found if found.size <= MOST else np.sort(np.random.default_rng(0).choice(found, MOST, replace=False))


def disagreement(pairs: PairDraws) -> float:
    """Return the mean over two chains of Σ |p_a − p_b|, over Σ p; nan for one chain, 0 without any pair."""
    p = pairs.p_by_chain
    chains = p.shape[1]
    if chains < 2:
        return float("nan")
    # Σ_{a<b} |p_a − p_b| of sorted p is a weighted sum.
    weight = 2.0 * np.arange(chains) - (chains - 1)
    gap = (np.sort(p, axis=1) @ weight).sum() / (chains * (chains - 1) / 2.0)
    return float(gap / pairs.p.sum()) if p.size else 0.0


def indicators(i: NDArray[np.int32], j: NDArray[np.int32], chains: Sequence[Chain]) -> list[NDArray[np.bool_]]:
    """Return for each chain, by draw and pair, whether the two are together."""
    records, at = np.unique(np.concatenate([i, j]), return_inverse=True)
    left, right = at[: i.size], at[i.size :]
    place = np.full(chains[0].n, -1, np.int32)
    place[records] = np.arange(records.size)
    found = []
    for chain in chains:
        labels = _labels_of(records, place, chain)
        found.append(labels[:, left] == labels[:, right])
    return found


def _labels_of(records: Integers, place: NDArray[np.int32], chain: Chain) -> NDArray[np.int32]:
    """Return the labels of some records in every draw."""
    labels = np.full((chain.draws, records.size), -1, np.int32)
    labels[0] = chain.first[records]
    for first, part in chain.chunks():
        kept = np.flatnonzero(place[part.record] >= 0)
        draw = first + np.searchsorted(part.begin, kept, side="right") - 1
        labels[draw, place[part.record[kept]]] = part.label[kept]
    # What does not change stays.
    last = np.maximum.accumulate(np.where(labels >= 0, np.arange(chain.draws)[:, None], 0), axis=0)
    return np.take_along_axis(labels, last, axis=0)


def differ(table: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Tell of each number, by chain, draw and number, whether the chains differ by more than chance.

    An F test of the chains' means, against the variance of the means of stretches within the chains.
    """
    chains, draws = table.shape[:2]
    stretches = min(STRETCHES, draws)
    length = draws // stretches
    cut = table[:, draws - stretches * length :].astype(np.float64)
    means = cut.reshape(chains, stretches, length, -1).mean(axis=2)
    between = means.mean(axis=1).var(axis=0, ddof=1)
    within = (means.var(axis=1, ddof=1) / stretches).mean(axis=0) if stretches > 1 else np.zeros(between.size)
    ratio = np.divide(between, within, out=np.where(between > 0, np.inf, 0.0), where=within > 0)
    limit = stats.f.isf(LEVEL, chains - 1, max(1, chains * (stretches - 1)))
    found: NDArray[np.bool_] = ratio > limit
    return found
