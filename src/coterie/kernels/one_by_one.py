"""The reseating algorithm of section 3 with likelihood terms: unit after unit is drawn a cluster among all.

It is the paper's baseline. A sweep costs N · |C| marginals, so it is for tiny data and for comparison.
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.bench import MEMBER, RECORDS, SEATED, SIDE, Bench, Model, go_home, in_conflict, sit_down
from coterie.kernels.clusters import Clusters, members_of
from coterie.kernels.jit import ONE, inner, kernel
from coterie.kernels.scan import log_marginal, records_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@inner
def remove(n: int, alone: Floats, clusters: Clusters, model: Model, bench: Bench) -> None:
    """Take unit n out of its cluster and put it into one of its own."""
    c = clusters.label[n]
    sit_down(c, c, clusters, model, bench)
    w, rest = model.units.begin[n + 1] - model.units.begin[n], 0
    for a in range(members_of(c, clusters, bench.seat[MEMBER])):
        if bench.seat[MEMBER, a] == n:
            bench.seat[SIDE, a] = 1
            bench.tally[RECORDS, 0] -= w
            bench.tally[RECORDS, 1] = w
        else:
            bench.subset[0] = bench.seat[MEMBER, a]
            rest += records_of(bench.subset, ONE, model, bench.record[rest:])
    if rest > 0:
        go_home(log_marginal(bench.record, rest, model, bench), alone[n], clusters, bench)


@inner
def fill_log_weights(
    n: int,
    free: NDArray[np.int32],
    alone: Floats,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    log_weights: Floats,
) -> None:
    """Fill the log weight of each place for unit n, which is alone; at n itself that of a new cluster.

    An existing cluster c has log f(s+w)/f(s) + log R(c ∪ n)/R(c), a new one log g(k+1)/g(k) + log f(w) R(n).
    A unit that is not free is joined by nobody.
    """
    log_f = model.tables.log_f
    w = model.units.begin[n + 1] - model.units.begin[n]
    log_weights[:] = -np.inf
    for c in free:
        if clusters.label[c] != c:
            continue
        if c == n:
            log_weights[c] = model.tables.log_count[clusters.k[0] - 1] + log_f[w] + alone[n]
            continue
        m = members_of(c, clusters, bench.seat[MEMBER])
        if model.units.constrained and meets_conflict(n, m, model, bench):
            continue
        bench.seat[MEMBER, m] = n
        together = log_marginal(
            bench.record, records_of(bench.seat[MEMBER], m + 1, model, bench.record), model, bench
        )
        s = clusters.size[c]
        log_weights[c] = log_f[s + w] - log_f[s] + together - clusters.log_r[c]


@inner
def meets_conflict(n: int, m: int, model: Model, bench: Bench) -> bool:
    """Tell whether unit n must not be with one of the first m members."""
    conflicts = 0
    for a in range(m):
        conflicts += in_conflict(n, bench.seat[MEMBER, a], model.units)
    return conflicts > 0


@inner
def choose(u: float, log_weights: Floats) -> int:
    """Return the place that a uniform u falls into."""
    top, total = -np.inf, 0.0
    for log_weight in log_weights:
        top = max(top, log_weight)
    for c in range(log_weights.size):
        if log_weights[c] > -np.inf:
            total += np.exp(log_weights[c] - top)
    x, last = u * total, -1
    for c in range(log_weights.size):
        if log_weights[c] > -np.inf:
            x -= np.exp(log_weights[c] - top)
            last = c
            if x < 0.0:
                break
    return last


@inner
def insert(n: int, c: int, log_weights: Floats, clusters: Clusters, model: Model, bench: Bench) -> None:
    """Let unit n, which is alone, join cluster c; log_weights are those from which c was drawn."""
    if c == n:
        return
    sit_down(c, n, clusters, model, bench)
    w, s = bench.tally[RECORDS, 1], bench.tally[RECORDS, 0]
    log_r = log_weights[c] - model.tables.log_f[s + w] + model.tables.log_f[s] + clusters.log_r[c]
    for a in range(bench.tally[SEATED, 0] + bench.tally[SEATED, 1]):
        bench.seat[SIDE, a] = 0
    bench.tally[RECORDS, 0], bench.tally[RECORDS, 1] = s + w, 0
    go_home(log_r, 0.0, clusters, bench)


@kernel
def sweep(
    rng: np.random.Generator,
    free: NDArray[np.int32],
    alone: Floats,
    clusters: Clusters,
    model: Model,
    bench: Bench,
    log_weights: Floats,
) -> int:
    """Draw the cluster of each free unit given all others; return how many have changed their company."""
    changes = 0
    for n in free:
        before, size = clusters.label[n], clusters.size[clusters.label[n]]
        remove(n, alone, clusters, model, bench)
        fill_log_weights(n, free, alone, clusters, model, bench, log_weights)
        c = choose(rng.random(), log_weights)
        insert(n, c, log_weights, clusters, model, bench)
        changes += 1 if clusters.label[n] != before or clusters.size[clusters.label[n]] != size else 0
    return changes
