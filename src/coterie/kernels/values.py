"""What one value tells by itself, and two values together: what nearly all marginals are made of.

Most clusters have one record or two. So for each value x and source, given ψ, these are kept:

    log R(x),   log R(x, x),   and P(y = x | x), the probability that a record alone shows the truth.

Two values x ≠ x' need no more than where their rows meet, since with t = 1 + (t − 1)

    R(x, x') = H_2 + D(x) + D(x') + Σ θ(y) B(y)² (t(x, y) − 1)(t(x', y) − 1),    D(x) = Σ θ(y) B(y)² (t(x, y) − 1),

where the sums are over the y that x, or both, touch; heavy values are added by themselves as ever.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.evidence import AT, COUNT, END, HEAVY, VALUE, Evidence, Few, entry, field_marginal
from coterie.kernels.jit import ONE, TWO, inner
from coterie.kernels.pointer import by_pointer

Floats = NDArray[np.float64]


@by_pointer
class Values(NamedTuple):
    """What is known of each value, given ψ. V values, S sources."""

    log_one: Floats  # (V, S): log R of a record alone
    log_two: Floats  # (V, S): log R of two records with the same value from the same source
    log_best: Floats  # (V, S): log max_y B(y) t(x, y), the most that a record can add to log R of any company
    shown: Floats  # (V, S): the probability that the truth of a record alone is what it shows


@inner
def fill_values(evidence: Evidence, odds: Floats, few: Few, values: Values) -> None:
    """Work out all values."""
    for f in range(odds.shape[0]):
        for x in range(evidence.begin[f], evidence.begin[f + 1]):
            for s in range(odds.shape[1]):
                few.number[VALUE, 0], few.number[COUNT, 0], few.odds[0] = x, 1, odds[f, s]
                few.number[AT, 0], few.number[END, 0] = evidence.row[x], evidence.row[x + 1]
                r = field_marginal(f, ONE, ONE, evidence, few)
                values.log_one[x, s] = np.log(r)
                # θ(x) B(x) t(x, x) = (1 − ψ)/ψ.
                values.shown[x, s] = odds[f, s] / r
                values.log_best[x, s] = np.log(max(odds[f, s] / evidence.value[x, 0], evidence.peak[x]))
                few.number[COUNT, 0], few.odds[0] = 2, odds[f, s] * odds[f, s]
                few.number[AT, 0] = evidence.row[x]
                values.log_two[x, s] = np.log(field_marginal(f, ONE, TWO, evidence, few))


@inner
def log_r_of_one(n: int, evidence: Evidence, values: Values) -> float:
    """Return log R of record n alone."""
    total, s = 0.0, evidence.source[n]
    for f in range(evidence.codes.shape[1]):
        x = evidence.codes[n, f]
        if x >= 0:
            total += values.log_one[x, s]
    return total


@inner
def most_added_by(n: int, evidence: Evidence, values: Values) -> float:
    """Return what record n adds to log R of any company at the most."""
    total, s = 0.0, evidence.source[n]
    for f in range(evidence.codes.shape[1]):
        x = evidence.codes[n, f]
        if x >= 0:
            total += values.log_best[x, s]
    return total


@inner
def excess(x: int, e: int, y: int, odds: float, evidence: Evidence) -> float:
    """Return t(x, y) − 1, where e is the entry of y in the row of x."""
    if x == y:
        return odds / (evidence.value[y, 0] * evidence.value[y, 1]) - 1.0
    return evidence.factor[e] - 1.0


@inner
def own_share(x: int, odds: float, evidence: Evidence) -> float:
    """Return D(x), the light y only."""
    theta, base = evidence.value[x, 0], evidence.value[x, 1]
    itself = base * odds - theta * base * base if theta < HEAVY else 0.0
    return evidence.slips[x] + itself


@inner
def shared_part(x: int, z: int, odds_x: float, odds_z: float, evidence: Evidence) -> float:
    """Return Σ θ(y) B(y)² (t(x, y) − 1)(t(z, y) − 1) over the light y that both touch."""
    total = 0.0
    e, d = evidence.row[x], evidence.row[z]
    e_end, d_end = evidence.row[x + 1], evidence.row[z + 1]
    while e < e_end and d < d_end:
        y, w = evidence.similar[e], evidence.similar[d]
        if y == w:
            theta, base = evidence.value[y, 0], evidence.value[y, 1]
            if theta < HEAVY:
                both = excess(x, e, y, odds_x, evidence) * excess(z, d, y, odds_z, evidence)
                total += theta * base * base * both
        e += y <= w
        d += w <= y
    return total


@inner
def heavy_part(f: int, x: int, z: int, odds_x: float, odds_z: float, evidence: Evidence) -> float:
    """Return Σ θ(y) B(y)² t(x, y) t(z, y) over the heavy y."""
    total = 0.0
    for h in range(evidence.heavy_begin[f], evidence.heavy_begin[f + 1]):
        y = evidence.heavy[h]
        term = evidence.value[y, 0] * evidence.value[y, 1] * evidence.value[y, 1]
        e, d = entry(x, y, evidence), entry(z, y, evidence)
        if e >= 0:
            term *= 1.0 + excess(x, e, y, odds_x, evidence)
        if d >= 0:
            term *= 1.0 + excess(z, d, y, odds_z, evidence)
        total += term
    return total


@inner
def log_r_of_two(n: int, o: int, evidence: Evidence, odds: Floats, values: Values) -> float:
    """Return log R of records n and o together."""
    total, s, q = 0.0, evidence.source[n], evidence.source[o]
    for f in range(evidence.codes.shape[1]):
        x, z = evidence.codes[n, f], evidence.codes[o, f]
        if z < 0:
            total += values.log_one[x, s] if x >= 0 else 0.0
        elif x < 0:
            total += values.log_one[z, q]
        elif x == z and s == q:
            total += values.log_two[x, s]
        else:
            r = evidence.light[f, 2] + own_share(x, odds[f, s], evidence) + own_share(z, odds[f, q], evidence)
            r += shared_part(x, z, odds[f, s], odds[f, q], evidence)
            total += np.log(r + heavy_part(f, x, z, odds[f, s], odds[f, q], evidence))
    return total
