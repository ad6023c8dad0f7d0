"""Many steps: the pairs of chaperones in the order of the file, each as often as its rate says.

How often a pair is visited in a scan does not depend on the partition: with one uniform u, pair p is visited
⌊u + rates up to p⌋ − ⌊u + rates before p⌋ times. So the memory is read in order. A step with fixed chaperones
keeps the posterior, hence so does a scan.

Nearly all pairs are met as two units that are alone, or together and nobody else with them. There the step comes
down to one draw, with odds that depend on the pair and on |C| only; the pair's part is kept in ``log_bayes``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import chaperones, split_merge
from coterie.kernels.bench import (
    ALL_RECORDS,
    IS_SMALL,
    MEMBER,
    Bench,
    Model,
    in_conflict,
    log_r_of_few,
    sit_down,
    start_memo,
)
from coterie.kernels.chaperones import find_member, probability
from coterie.kernels.clusters import Clusters, members_of
from coterie.kernels.evidence import FEW
from coterie.kernels.jit import ONE, allocating, inner, kernel
from coterie.kernels.pointer import by_pointer, lend
from coterie.kernels.slots import Slots, log_marginal_of_many, make_slots
from coterie.kernels.values import fill_values, log_r_of_two

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Where the counts of a scan stand.
STEPS, CHANGES, PROPOSALS, ACCEPTED = 0, 1, 2, 3


@by_pointer
class Pairs(NamedTuple):
    """Candidate pairs i < j, in order."""

    i: NDArray[np.int32]
    j: NDArray[np.int32]
    rate: NDArray[np.float32]  # the expected number of visits in a scan
    log_bayes: Floats  # log R({i, j}) − log R({i}) − log R({j}); nan until a visit, and for several records


@inner
def log_marginal(records: Integers, m: int, model: Model, bench: Bench) -> float:
    """Return log R of the first m records."""
    if m <= FEW:
        return log_r_of_few(records, m, model, bench)
    return log_marginal_of_many(records, m, model.evidence, model.odds)


@by_pointer
class Plan(NamedTuple):
    """What a scan does beside its pairs."""

    splits: float  # the share of split–merge steps where more than two units are concerned
    uniform: int  # how many steps with pairs drawn uniformly, so that every pair can meet (appendix B)
    free: NDArray[np.int32]  # the units of those pairs


@inner
def records_of(members: Integers, m: int, model: Model, records: Integers) -> int:
    """Fill ``records`` with the records of the first m units and return how many there are."""
    r = 0
    for a in range(m):
        for record in range(model.units.begin[members[a]], model.units.begin[members[a] + 1]):
            records[r] = record
            r += 1
    return r


@kernel
def refresh(pairs: Pairs, alone: Floats, clusters: Clusters, model: Model, bench: Bench) -> None:
    """Work out log R of all units and clusters, and forget that of the pairs, since ψ has changed."""
    fill_values(model.evidence, model.odds, bench.few, model.values)
    for n in range(alone.size):
        bench.seat[MEMBER, 0] = n
        r = records_of(bench.seat[MEMBER], ONE, model, bench.record)
        alone[n] = log_marginal(bench.record, r, model, bench)
    for n in range(alone.size):
        if clusters.after[n] == n:
            clusters.log_r[n] = alone[n]
        elif clusters.label[n] == n:
            m = members_of(n, clusters, bench.seat[MEMBER])
            r = records_of(bench.seat[MEMBER], m, model, bench.record)
            clusters.log_r[n] = log_marginal(bench.record, r, model, bench)
    pairs.log_bayes[:] = np.nan


@inner
def bayes_factor(i: int, j: int, alone: Floats, model: Model) -> float:
    """Return log R({i, j}) − log R({i}) − log R({j}); −inf where they may not meet, nan for several records."""
    begin = model.units.begin
    if begin[i + 1] - begin[i] > 1 or begin[j + 1] - begin[j] > 1:
        return np.nan
    if model.units.constrained and in_conflict(i, j, model.units):
        return -np.inf
    return log_r_of_two(begin[i], begin[j], model.evidence, model.odds, model.values) - alone[i] - alone[j]


@kernel
def fill_bayes(pairs: Pairs, alone: Floats, model: Model) -> None:
    """Work out the Bayes factors of all pairs, which else are worked out when a pair is first visited."""
    for p in range(pairs.i.size):
        pairs.log_bayes[p] = bayes_factor(pairs.i[p], pairs.j[p], alone, model)


@inner
def log_odds_of_pair(log_bayes: float, k: int, model: Model) -> float:
    """Return the log odds that two records with nobody else are together; k is the number of clusters if so."""
    log_f = model.tables.log_f
    return log_bayes + log_f[2] - 2.0 * log_f[1] - model.tables.log_count[k]


@inner
def tie(i: int, j: int, log_bayes: float, clusters: Clusters) -> None:
    """Let i < j, both alone, be together."""
    clusters.label[j] = i
    clusters.after[i], clusters.after[j] = j, i
    clusters.size[i] = 2
    clusters.log_r[i] += log_bayes + clusters.log_r[j]
    clusters.k[0] -= 1


@inner
def untie(i: int, j: int, alone: Floats, clusters: Clusters) -> None:
    """Let i < j, together and with nobody else, be alone."""
    clusters.label[j] = j
    clusters.after[i], clusters.after[j] = i, j
    clusters.size[i], clusters.size[j] = 1, 1
    clusters.log_r[i], clusters.log_r[j] = alone[i], alone[j]
    clusters.k[0] += 1


@inner
def step_of_pair(
    u: float, i: int, j: int, log_bayes: float, alone: Floats, clusters: Clusters, model: Model
) -> bool:
    """Do the step of chaperones i < j that are alone, or together with nobody else, given a uniform u.

    Each of them is visited, but the second visit draws anew what the first has drawn.
    """
    together = clusters.after[i] == j
    k = clusters.k[0] - (0 if together else 1)
    join = u < probability(log_odds_of_pair(log_bayes, k, model))
    if join and not together:
        tie(i, j, log_bayes, clusters)
    elif together and not join:
        untie(i, j, alone, clusters)
    return join != together


@inner
def are_two(i: int, j: int, clusters: Clusters) -> bool:
    """Tell whether i and j are alone, or together with nobody else."""
    a, b = clusters.after[i], clusters.after[j]
    return (a == i and b == j) or (a == j and b == i)


@allocating
def act_with_slots(
    rng: np.random.Generator, i: int, j: int, split: bool, clusters: Clusters, model: Model, bench: Bench
) -> bool:
    """Do a step with the many who sit on the bench."""
    made = make_slots(bench.record, bench.whole[ALL_RECORDS], model.evidence, model.odds)
    return act(rng, i, j, split, clusters, model, bench, made)


@inner
def act(
    rng: np.random.Generator,
    i: int,
    j: int,
    split: bool,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    made: Slots,
) -> bool:
    """Do a step, given slots for all who sit on the bench."""
    slots = lend(made)
    if split:
        return split_merge.step(rng, i, j, clusters, model, bench, slots)
    return chaperones.step(rng, i, j, clusters, model, bench, slots)


@inner
def visit(
    rng: np.random.Generator,
    i: int,
    j: int,
    split: bool,
    clusters: Clusters,
    log_r: float,
    model: Model,
    bench: Bench,
) -> bool:
    """Do one step with chaperones i and j; the clusters are updated in place. Return whether any changed.

    log_r is log R of i and j together, or nan if it is not known.
    """
    c, d = clusters.label[i], clusters.label[j]
    sit_down(c, d, clusters, model, bench)
    if bench.whole[IS_SMALL]:
        start_memo(c, d, clusters, bench)
        if not np.isnan(log_r):
            bench.memo[(1 << find_member(i, bench)) | (1 << find_member(j, bench))] = log_r
        if split:
            return split_merge.step(rng, i, j, clusters, model, bench, bench.nobody)
        return chaperones.step(rng, i, j, clusters, model, bench, bench.nobody)
    return act_with_slots(rng, i, j, split, clusters, model, bench)


@inner
def count(split: bool, changed: bool, counts: Integers) -> None:
    """Count a step."""
    counts[STEPS] += 1
    counts[CHANGES] += changed
    counts[PROPOSALS] += split
    counts[ACCEPTED] += split and changed


@kernel
def scan(
    rng: np.random.Generator,
    pairs: Pairs,
    plan: Plan,
    alone: Floats,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    counts: Integers,
) -> None:
    """Visit each pair as often as its rate says, and some pairs of anybody; the clusters are updated in place."""
    free = plan.free
    due = rng.random()
    for p in range(pairs.i.size):
        due += pairs.rate[p]
        while due >= 1.0:
            due -= 1.0
            i, j, log_bayes = pairs.i[p], pairs.j[p], pairs.log_bayes[p]
            if np.isnan(log_bayes):
                log_bayes = bayes_factor(i, j, alone, model)
                pairs.log_bayes[p] = log_bayes
            if are_two(i, j, clusters) and not np.isnan(log_bayes):
                count(False, step_of_pair(rng.random(), i, j, log_bayes, alone, clusters, model), counts)
            else:
                split, log_r = rng.random() < plan.splits, log_bayes + alone[i] + alone[j]
                count(split, visit(rng, i, j, split, clusters, log_r, model, bench), counts)
    for _ in range(plan.uniform if free.size > 1 else 0):
        a = int(rng.random() * free.size)
        b = int(rng.random() * (free.size - 1))
        b += 1 if b >= a else 0
        split = rng.random() < plan.splits
        count(split, visit(rng, free[a], free[b], split, clusters, np.nan, model, bench), counts)
