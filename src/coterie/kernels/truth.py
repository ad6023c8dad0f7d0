"""What is true, given who is together: the value of each cluster in each field, and which records are distorted.

    P(y | c) ∝ θ(y) B(y)ⁿ ∏_i t(x_i, y)

and a record is distorted exactly when its value is not the true one, since a distorted value is another value.
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.bench import MEMBER, Bench, Model
from coterie.kernels.clusters import Clusters, members_of
from coterie.kernels.evidence import (
    AT,
    FEW,
    HEAVY,
    VALUE,
    Evidence,
    Few,
    collect,
    field_marginal,
    heavy_term,
    next_touched,
    power,
)
from coterie.kernels.jit import ONE, ZERO, allocating, inner, kernel
from coterie.kernels.one_by_one import choose
from coterie.kernels.pointer import lend
from coterie.kernels.scan import records_of
from coterie.kernels.search import position
from coterie.kernels.slots import Slots, log_marginal_of_side, log_term, make_slots, shift

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Stands for a true value that no record of the cluster shows, nor one similar to it.
UNTOUCHED = -2
# Where the counts of `fill_truth` stand.
AS_IT_IS, DISTORTED = 0, 1
# So often a value that nobody touches is proposed before the field is gone through.
TRIES = 100


@inner
def draw_from_few(u: float, f: int, distinct: int, n: int, evidence: Evidence, few: Few) -> int:
    """Draw the truth from what `collect` has filled in, given a uniform u."""
    x = u * field_marginal(f, distinct, n, evidence, few)
    for h in range(evidence.heavy_begin[f], evidence.heavy_begin[f + 1]):
        x -= heavy_term(evidence.heavy[h], distinct, n, evidence, few)
        if x < 0.0:
            return evidence.heavy[h]
    for d in range(distinct):
        few.number[AT, d] = evidence.row[few.number[VALUE, d]]
    y, product = next_touched(distinct, evidence, few)
    while y >= 0:
        theta = evidence.value[y, 0]
        if theta < HEAVY:
            x -= theta * power(evidence.value[y, 1], n) * product
            if x < 0.0:
                return y
        y, product = next_touched(distinct, evidence, few)
    return UNTOUCHED


@inner
def draw_from_slots(u: float, f: int, slots: Slots, evidence: Evidence) -> int:
    """Draw the truth of side 0 of the slots, given a uniform u."""
    log_total = log_marginal_of_side(ZERO, f, slots, evidence)
    x = u
    for s in range(slots.begin[f], slots.begin[f + 1]):
        x -= np.exp(log_term(s, ZERO, f, slots) - log_total)
        if x < 0.0:
            return slots.y[s]
    return UNTOUCHED


@inner
def count(f: int, y: int, records: Integers, m: int, evidence: Evidence, counts: Integers) -> None:
    """Count which of the records show the truth."""
    for a in range(m):
        x = evidence.codes[records[a], f]
        if x >= 0:
            counts[f, evidence.source[records[a]], AS_IT_IS if x == y else DISTORTED] += 1


@inner
def draw_of_few(rng: np.random.Generator, f: int, m: int, model: Model, bench: Bench) -> int:
    """Draw the truth of the few records on the bench in field f; −1 if none has a value."""
    distinct, n = collect(f, bench.record, m, model.evidence, model.odds, bench.few)
    return draw_from_few(rng.random(), f, distinct, n, model.evidence, bench.few) if n > 0 else -1


@allocating
def draw_of_many(rng: np.random.Generator, m: int, model: Model, bench: Bench, drawn: Integers) -> None:
    """Fill ``drawn`` with the truths of the first m records on the bench in all fields."""
    draw_of_all(rng, make_slots(bench.record, m, model.evidence, model.odds), m, model.evidence, drawn)


@inner
def draw_of_all(rng: np.random.Generator, made: Slots, m: int, evidence: Evidence, drawn: Integers) -> None:
    """Fill ``drawn`` with the truths of all m records that slots have been made for."""
    slots = lend(made)
    for a in range(m):
        shift(slots, ZERO, a, ONE)
    for f in range(drawn.size):
        drawn[f] = draw_from_slots(rng.random(), f, slots, evidence) if slots.n[0, f] > 0 else -1


@inner
def count_of_one(rng: np.random.Generator, n: int, model: Model, counts: Integers) -> None:
    """Count which values of record n, who is alone, are distorted; the truths themselves are not drawn."""
    s = model.evidence.source[n]
    for f in range(counts.shape[0]):
        x = model.evidence.codes[n, f]
        if x >= 0:
            counts[f, s, AS_IT_IS if rng.random() < model.values.shown[x, s] else DISTORTED] += 1


@inner
def draw_of_cluster(
    rng: np.random.Generator,
    c: int,
    wanted: bool,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    counts: Integers,
    drawn: Integers,
) -> None:
    """Fill ``drawn`` with the truths of cluster c if they are wanted, and count which values are distorted."""
    m = records_of(bench.seat[MEMBER], members_of(c, clusters, bench.seat[MEMBER]), model, bench.record)
    if m == 1 and not wanted:
        count_of_one(rng, bench.record[0], model, counts)
        return
    if m > FEW:
        draw_of_many(rng, m, model, bench, drawn)
    for f in range(drawn.size):
        if m <= FEW:
            drawn[f] = draw_of_few(rng, f, m, model, bench)
        if drawn[f] != -1:
            count(f, drawn[f], bench.record, m, model.evidence, counts)


@kernel
def fill_truth(
    rng: np.random.Generator,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    counts: Integers,
    truth: NDArray[np.int32],
) -> None:
    """Draw all truths and add to counts[f, source] how many values are as they are, and how many are distorted.

    ``truth`` is (clusters in the order of their first members, F), or has no rows where nobody wants it: −1 where
    a cluster has no value in a field, UNTOUCHED where the truth is none that its values touch.
    """
    drawn, row = np.empty(counts.shape[0], np.int64), 0
    for c in range(clusters.label.size):
        if clusters.label[c] == c:
            draw_of_cluster(rng, c, truth.shape[0] > 0, clusters, model, bench, counts, drawn)
            if truth.shape[0] > 0:
                for f in range(drawn.size):
                    truth[row, f] = drawn[f]
            row += 1


@inner
def touched(y: int, f: int, records: Integers, m: int, evidence: Evidence) -> bool:
    """Tell whether a value of the records is y or similar to it."""
    for a in range(m):
        x = evidence.codes[records[a], f]
        if x >= 0:
            for e in range(evidence.row[x], evidence.row[x + 1]):
                if evidence.similar[e] == y:
                    return True
    return False


@allocating
def draw_untouched(
    rng: np.random.Generator,
    f: int,
    begin: int,
    top: float,
    cumulative: Floats,
    records: Integers,
    m: int,
    evidence: Evidence,
) -> int:
    """Draw y from those that the records do not touch, P(y) ∝ θ(y) B(y)ⁿ.

    The values of field f begin at ``begin``, and ``cumulative`` are their cumulated θ. Proposals from θ are
    accepted with probability (B(y) / B_max)ⁿ, where B_max is that of the light values; heavy ones all have been
    considered. Where no proposal is accepted, all values are gone through.
    """
    n = 0
    for a in range(m):
        if evidence.codes[records[a], f] >= 0:
            n += 1
    for _ in range(TRIES):
        y = begin + position(rng.random() * cumulative[-1], cumulative, 0, cumulative.size)
        light = evidence.value[y, 0] < HEAVY
        if light and rng.random() < (evidence.value[y, 1] / top) ** n and not touched(y, f, records, m, evidence):
            return y
    log_weights = np.empty(cumulative.size)
    for v in range(cumulative.size):
        y = begin + v
        if evidence.value[y, 0] < HEAVY and not touched(y, f, records, m, evidence):
            log_weights[v] = np.log(evidence.value[y, 0]) + n * np.log(evidence.value[y, 1])
        else:
            log_weights[v] = -np.inf
    return begin + choose(rng.random(), log_weights)


@kernel
def fill_untouched(
    rng: np.random.Generator,
    value_begin: Integers,
    cumulative: Floats,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    truth: NDArray[np.int32],
) -> None:
    """Draw the truths that `fill_truth` has left open."""
    top, row = np.zeros(truth.shape[1]), 0
    for f in range(truth.shape[1]):
        for y in range(value_begin[f], value_begin[f + 1]):
            if model.evidence.value[y, 0] < HEAVY and model.evidence.value[y, 1] > top[f]:
                top[f] = model.evidence.value[y, 1]
    for c in range(clusters.label.size):
        if clusters.label[c] != c:
            continue
        m = -1
        for f in range(truth.shape[1]):
            if truth[row, f] == UNTOUCHED:
                if m < 0:
                    units = members_of(c, clusters, bench.seat[MEMBER])
                    m = records_of(bench.seat[MEMBER], units, model, bench.record)
                begin, end = value_begin[f], value_begin[f + 1]
                truth[row, f] = draw_untouched(
                    rng, f, begin, top[f], cumulative[begin:end], bench.record, m, model.evidence
                )
        row += 1
