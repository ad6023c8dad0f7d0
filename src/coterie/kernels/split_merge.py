"""Split–merge moves: a whole group of records leaves its cluster, or joins another, at once.

Chaperones move one child at a time, and two halves of a cluster of a hundred records hardly ever meet that way.
Here, for a pair (i, j) drawn without regard to the partition (Jain & Neal 2004, with the allocation of Dahl 2005):

    together: propose a split; i and j are the first of either side, and the others, in random order, are drawn to
              a side with weight f(s+w)/f(s) · R(c ∪ n)/R(c), as far as the sides have come
    apart:    propose to merge; the same walk, made to end at the two clusters as they are, tells the probability
              of the reverse proposal

and accept after Metropolis and Hastings. The order is fresh randomness in both directions.
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.bench import (
    BEFORE,
    MEMBERS,
    ORDER,
    RECORDS,
    SIDE,
    Bench,
    Model,
    clear,
    go_home,
    log_place,
    log_r_of_all,
    may_sit,
    seat_in_slots,
    side_log_r,
    sit,
    take_seat,
)
from coterie.kernels.chaperones import find_member, flip, probability
from coterie.kernels.clusters import Clusters
from coterie.kernels.jit import ONE, ZERO, inner
from coterie.kernels.slots import Slots

Integers = NDArray[np.int64]


@inner
def shuffle(rng: np.random.Generator, order: Integers, count: int) -> None:
    """Put the numbers 0, …, count − 1 into random order."""
    for a in range(count):
        b = int(rng.random() * (a + 1))
        order[a] = order[b]
        order[b] = a


@inner
def accept(rng: np.random.Generator, log_ratio: float) -> bool:
    """Return True with probability min(1, ratio)."""
    return log_ratio >= 0.0 or rng.random() < np.exp(log_ratio)


@inner
def allocate(rng: np.random.Generator, at_i: int, at_j: int, model: Model, bench: Bench, slots: Slots) -> float:
    """Seat everybody anew in the bench's order, i first on side 0 and j on side 1; return the log probability.

    Who sat on two sides before is led back there; else sides are drawn. −inf: somebody may sit on neither side.
    """
    split = bench.seat[BEFORE, at_i] == bench.seat[BEFORE, at_j]
    clear(bench)
    sit(at_i, ZERO, bench)
    sit(at_j, ONE, bench)
    seat_in_slots(model, bench, slots)
    log_q = 0.0
    for b in range(bench.whole[MEMBERS]):
        a = bench.seat[ORDER, b]
        if a in (at_i, at_j):
            continue
        # Neither side is empty, so that no number of clusters is asked for.
        log_zero = log_place(a, ZERO, ZERO, model, bench, slots)
        log_one = log_place(a, ONE, ZERO, model, bench, slots)
        if log_zero == -np.inf and log_one == -np.inf:
            return -np.inf
        log_odds = log_one - log_zero
        side = (1 if flip(rng, log_odds) else 0) if split else bench.seat[BEFORE, a]
        log_q += np.log(probability(log_odds if side == 1 else -log_odds))
        take_seat(a, side, bench, slots)
    return log_q


@inner
def may_merge(model: Model, bench: Bench) -> bool:
    """Tell whether no constraint keeps the sides apart."""
    if model.units.constrained:
        for a in range(bench.whole[MEMBERS]):
            if bench.seat[SIDE, a] == 0 and not may_sit(a, ONE, model, bench):
                return False
    return True


@inner
def step(
    rng: np.random.Generator, i: int, j: int, clusters: Clusters, model: Model, bench: Bench, slots: Slots
) -> bool:
    """Propose to split or merge the clusters of i and j, which sit on the bench, c_i on side 0 and c_j on side 1.

    The clusters are updated in place. Return whether the proposal is accepted.
    """
    c, d = clusters.label[i], clusters.label[j]
    shuffle(rng, bench.seat[ORDER], bench.whole[MEMBERS])
    log_q = allocate(rng, find_member(i, bench), find_member(j, bench), model, bench, slots)
    if log_q == -np.inf or (not may_merge(model, bench) and c != d):
        return False
    log_zero, log_one = side_log_r(ZERO, model, bench, slots), side_log_r(ONE, model, bench, slots)
    log_all = clusters.log_r[c] if c == d else log_r_of_all(model, bench)
    log_f, s, t = model.tables.log_f, bench.tally[RECORDS, 0], bench.tally[RECORDS, 1]
    k_merged = clusters.k[0] - (0 if c == d else 1)
    # log π(apart)/π(together): f, g and R of two clusters over those of one.
    log_prior = log_f[s] + log_f[t] - log_f[s + t] + model.tables.log_count[k_merged]
    log_apart = log_prior + log_zero + log_one - log_all
    if c == d:
        return accept(rng, log_apart - log_q) and go_home(log_zero, log_one, clusters, bench)
    if not accept(rng, log_q - log_apart):
        return False
    bench.seat[SIDE, : bench.whole[MEMBERS]] = 0
    bench.tally[RECORDS, 0], bench.tally[RECORDS, 1] = s + t, 0
    return go_home(log_all, 0.0, clusters, bench)
