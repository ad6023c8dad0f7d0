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
    IS_SMALL,
    MEMBER,
    MEMBERS,
    RECORDS,
    SEATED,
    SIDE,
    Bench,
    Model,
    go_home,
    log_place,
    most_gained,
    seat_in_slots,
    side_log_r,
    stand_up,
    take_seat,
)
from coterie.kernels.clusters import Clusters
from coterie.kernels.jit import ONE, ZERO, inlined, inner
from coterie.kernels.search import position
from coterie.kernels.slots import Slots

# A bound is not relied upon in its last digits.
ROUNDING = 1e-9


@inlined
def probability(log_odds: float) -> float:
    """Return 1 / (1 + e^−log_odds)."""
    # Beyond 700 the exponential is no double any more, and the probability zero.
    return 1.0 / (1.0 + np.exp(-log_odds)) if log_odds > -700.0 else 0.0


@inlined
def flip(rng: np.random.Generator, log_odds: float) -> bool:
    """Return True with the probability that has these log odds."""
    return rng.random() < probability(log_odds)


@inlined
def find_member(n: int, bench: Bench) -> int:
    """Return where unit n sits on the bench."""
    return position(n, bench.seat[MEMBER], 0, bench.whole[MEMBERS])


@inner
def stays_alone(u: float, a: int, other: int, k: int, model: Model, bench: Bench, slots: Slots) -> bool:
    """Tell whether chaperone a stays alone for a uniform u, as far as a bound can tell; False leaves it open.

    The bound needs log R of both chaperones together, which candidate pairs come with, and saves the marginal of
    a with the other's whole company, which is hardly ever needed.
    """
    there = bench.seat[SIDE, other]
    if not bench.whole[IS_SMALL] or there < 0 or bench.tally[SEATED, there] < 2:
        return False
    if np.isnan(bench.memo[(1 << a) | (1 << other)]) or bench.tally[SEATED, 1 - there] > 0:
        return False
    log_f, s = model.tables.log_f, bench.tally[RECORDS, there]
    w = bench.seat[BEGIN, a + 1] - bench.seat[BEGIN, a]
    most = log_f[s + w] - log_f[s] + most_gained(a, there, other, model, bench)
    log_odds = most - log_place(a, 1 - there, k, model, bench, slots) + ROUNDING
    # Side 1 is drawn for u below its probability.
    return u >= probability(log_odds) if there == 1 else u < 1.0 - probability(log_odds)


@inlined
def draw_side(u: float, a: int, other: int, k: int, model: Model, bench: Bench, slots: Slots) -> int:
    """Return the side of member a, who stands, given a uniform u; k is |C| without a where a side is empty.

    ``other`` is the other chaperone where a is one, and a itself where it is a child.
    """
    if other != a and stays_alone(u, a, other, k, model, bench, slots):
        return 1 - bench.seat[SIDE, other]
    log_zero = log_place(a, ZERO, k, model, bench, slots)
    log_one = log_place(a, ONE, k, model, bench, slots)
    return 1 if u < probability(log_one - log_zero) else 0


@inlined
def may_choose(a: int, at_i: int, at_j: int, bench: Bench) -> bool:
    """Tell whether member a has a choice.

    A child has one while the chaperones are apart. A chaperone has one if it is alone, or leaves the children that
    it is with to the other one.
    """
    apart = bench.seat[SIDE, at_i] != bench.seat[SIDE, at_j]
    if a == at_i or a == at_j:  # noqa: SIM109 (a tuple would be searched)
        return not apart or bench.tally[SEATED, bench.seat[SIDE, a]] == 1
    return apart


@inner
def step(
    rng: np.random.Generator, i: int, j: int, clusters: Clusters, model: Model, bench: Bench, slots: Slots
) -> bool:
    """Do one step with the chaperones i and j, whose clusters sit on the bench, c_i on side 0 and c_j on side 1.

    The clusters are updated in place. Return whether any changed.
    """
    seat_in_slots(model, bench, slots)
    at_i, at_j = find_member(i, bench), find_member(j, bench)
    # The clusters of all who are not on the bench, and the one with the other chaperone in it.
    k = clusters.k[0] - (1 if clusters.label[i] == clusters.label[j] else 2) + 1
    for a in range(bench.whole[MEMBERS]):
        if may_choose(a, at_i, at_j, bench):
            other = at_j if a == at_i else at_i if a == at_j else a
            stand_up(a, model, bench, slots)
            take_seat(a, draw_side(rng.random(), a, other, k, model, bench, slots), bench, slots)
    return go_home(side_log_r(ZERO, model, bench, slots), side_log_r(ONE, model, bench, slots), clusters, bench)
