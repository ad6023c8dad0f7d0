"""The chaperones algorithm (appendix B of the paper), exactly.

For a pair of chaperones (i, j), drawn without regard to the partition, each n ∈ c_i ∪ c_j is visited once, in
ascending order, and its place is drawn anew given that the set c_i ∪ c_j stays and that n ends with a chaperone:

    a child            moves between the two clusters while the chaperones are apart, and has no choice else
    a chaperone        may leave the other's cluster for one of its own;
                       may join the other if it is alone; stays with its children if it has any

Each place has the weight g(k+1)/g(k) f(s+w)/f(s) · R(c ∪ n)/R(c): only the law's two tables are known here.
"""

import numpy as np

from coterie.kernels.bench import (
    BEGIN,
    MEMBER,
    MEMBERS,
    ONE,
    RECORDS,
    SEATED,
    SIDE,
    ZERO,
    Bench,
    Model,
    gain,
    go_home,
    may_sit,
    seat_in_slots,
    side_log_r,
    stand_up,
    take_seat,
)
from coterie.kernels.clusters import Clusters
from coterie.kernels.jit import inner
from coterie.kernels.slots import Slots


@inner
def probability(log_odds: float) -> float:
    """Return 1 / (1 + e^−log_odds)."""
    # Beyond 700 the exponential is no double any more, and the probability zero.
    return 1.0 / (1.0 + np.exp(-log_odds)) if log_odds > -700.0 else 0.0


@inner
def flip(rng: np.random.Generator, log_odds: float) -> bool:
    """Return True with the probability that has these log odds."""
    return rng.random() < probability(log_odds)


@inner
def find_member(n: int, bench: Bench) -> int:
    """Return where unit n sits on the bench."""
    return int(np.searchsorted(bench.seat[MEMBER, : bench.whole[MEMBERS]], n))


@inner
def log_join(a: int, side: int, model: Model, bench: Bench, slots: Slots) -> float:
    """Return log f(s+w)/f(s) · R(c ∪ n)/R(c) for member a and a side with s records; −inf where it may not sit."""
    if not may_sit(a, side, model, bench):
        return -np.inf
    log_f = model.tables.log_f
    w = bench.seat[BEGIN, a + 1] - bench.seat[BEGIN, a]
    s = bench.tally[RECORDS, side]
    return log_f[s + w] - log_f[s] + gain(a, side, model, bench, slots)


@inner
def visit_child(rng: np.random.Generator, a: int, model: Model, bench: Bench, slots: Slots) -> None:
    """Draw the side of a child of two chaperones that are apart."""
    stand_up(a, model, bench, slots)
    log_zero = log_join(a, ZERO, model, bench, slots)
    log_one = log_join(a, ONE, model, bench, slots)
    side = 1 if flip(rng, log_one - log_zero) else 0
    take_seat(a, side, bench, slots)


@inner
def visit_chaperone(
    rng: np.random.Generator, a: int, other: int, k: int, model: Model, bench: Bench, slots: Slots
) -> None:
    """Draw whether chaperone a, which leaves nobody behind, is with the other one or alone.

    k is the number of clusters without a.
    """
    stand_up(a, model, bench, slots)
    there = bench.seat[SIDE, other]
    alone = 1 - there
    log_with = log_join(a, there, model, bench, slots)
    log_alone = model.tables.log_count[k] + log_join(a, alone, model, bench, slots)
    side = there if flip(rng, log_with - log_alone) else alone
    take_seat(a, side, bench, slots)


@inner
def walk(
    rng: np.random.Generator, i: int, j: int, k_others: int, model: Model, bench: Bench, slots: Slots
) -> None:
    """Visit each member once; k_others is the number of clusters of all who are not on the bench."""
    at_i, at_j = find_member(i, bench), find_member(j, bench)
    for a in range(bench.whole[MEMBERS]):
        apart = bench.seat[SIDE, at_i] != bench.seat[SIDE, at_j]
        if a in (at_i, at_j):
            leaves_children = apart and bench.tally[SEATED, bench.seat[SIDE, a]] > 1
            if not leaves_children:
                visit_chaperone(rng, a, at_j if a == at_i else at_i, k_others + 1, model, bench, slots)
        elif apart:
            visit_child(rng, a, model, bench, slots)


@inner
def step(
    rng: np.random.Generator, i: int, j: int, clusters: Clusters, model: Model, bench: Bench, slots: Slots
) -> bool:
    """Do one step with the chaperones i and j, whose clusters sit on the bench, c_i on side 0 and c_j on side 1.

    The clusters are updated in place. Return whether any changed.
    """
    seat_in_slots(model, bench, slots)
    together = clusters.label[i] == clusters.label[j]
    walk(rng, i, j, clusters.k[0] - (1 if together else 2), model, bench, slots)
    return go_home(side_log_r(ZERO, model, bench, slots), side_log_r(ONE, model, bench, slots), clusters, bench)
