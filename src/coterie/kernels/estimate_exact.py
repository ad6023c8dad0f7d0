"""The best partition of a few records, by dynamic programming over their subsets.

A loss that is a sum over clusters, −Σ_c v(c), is minimised exactly: with b(S) the best partition of a set S,

    b(S) = max_{T ⊂ S, T ∋ min S} v(T) + b(S − T)

takes 3^m / 2 steps for m records, whatever v is.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.estimate_graph import EPSILON, Graph
from coterie.kernels.jit import inner, kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# 3^10 / 2 steps take 0.1 ms; there may be thousands of such components.
FEW: Any = np.int64(10)


@inner
def best_blocks(m: int, value: Floats, best: Floats, block: Integers) -> float:
    """Fill, for each subset of m records, its best partition: that partition's value, and the block of its first.

    Of partitions that are equally good, the one whose first record has less company is taken.
    """
    best[0] = 0.0
    for s in range(1, 1 << m):
        low = s & -s
        rest = s ^ low
        best[s], block[s] = value[low] + best[rest], low
        t = (0 - rest) & rest
        while t != 0:
            trial = value[t | low] + best[rest ^ t]
            if trial > best[s] + EPSILON:
                best[s], block[s] = trial, t | low
            t = (t - rest) & rest
    return best[(1 << m) - 1]


@inner
def lowest(s: int) -> int:
    """Return the place of the lowest bit of s."""
    a = 0
    while not s & (1 << a):
        a += 1
    return a


@inner
def fill_pair_values(members: Int32, m: int, graph: Graph, t: float, weight: Floats, value: Floats) -> None:
    """Fill v(S) = Σ_{i<j in S} (p_ij − t) for each subset of m ascending members."""
    weight[:m, :m] = -t
    for a in range(m):
        b = 0
        for e in range(graph.begin[members[a]], graph.begin[members[a] + 1]):
            while b < m and members[b] < graph.neighbour[e]:
                b += 1
            if b < m and members[b] == graph.neighbour[e]:
                weight[a, b] += graph.p[e]
    value[0] = 0.0
    for s in range(1, 1 << m):
        a = lowest(s)
        rest = s ^ (1 << a)
        total = value[rest]
        for b in range(a + 1, m):
            if rest & (1 << b):
                total += weight[a, b]
        value[s] = total


@inner
def fill_information_values(
    members: Int32, m: int, draws: Int32, shares: Floats, entropy: Floats, value: Floats
) -> None:
    """Fill v(S) = 2 Σ_d share_d Σ_b φ(|S ∩ b|) − φ(|S|) over the blocks b of draw d, with φ(s) = s log s.

    Minus the sum of v over clusters is the expected variation of information, up to what no estimate changes.
    """
    value[0] = 0.0
    for s in range(1, 1 << m):
        a = lowest(s)
        size = 0
        for b in range(a + 1, m):
            size += (s >> b) & 1
        total = value[s ^ (1 << a)] - (entropy[size + 1] - entropy[size])
        for d in range(draws.shape[1]):
            n = 0
            for b in range(a + 1, m):
                if s & (1 << b) and draws[members[b], d] == draws[members[a], d]:
                    n += 1
            total += 2.0 * shares[d] * (entropy[n + 1] - entropy[n])
        value[s] = total


@inner
def write_blocks(members: Int32, m: int, block: Integers, label: Int32) -> None:
    """Label m ascending members by the smallest record of their block."""
    s = (1 << m) - 1
    while s:
        first = members[lowest(s)]
        for a in range(m):
            if block[s] & (1 << a):
                label[members[a]] = first
        s ^= block[s]


@kernel
def solve_few_by_pairs(begin: Integers, member: Int32, graph: Graph, t: float, label: Int32) -> None:
    """Give the records of all components with up to `FEW` records the labels with the largest Σ (p_ij − t)."""
    weight, value, best = np.empty((FEW, FEW)), np.empty(1 << FEW), np.empty(1 << FEW)
    block = np.zeros(1 << FEW, np.int64)
    for c in range(begin.size - 1):
        m = begin[c + 1] - begin[c]
        if 1 < m <= FEW:
            members = member[begin[c] : begin[c + 1]]
            fill_pair_values(members, m, graph, t, weight, value)
            best_blocks(m, value, best, block)
            write_blocks(members, m, block, label)


@kernel
def solve_few_by_information(
    begin: Integers, member: Int32, draws: Int32, shares: Floats, entropy: Floats, label: Int32
) -> None:
    """Give the records of all components with up to `FEW` records the labels nearest to the draws."""
    value, best = np.empty(1 << FEW), np.empty(1 << FEW)
    block = np.zeros(1 << FEW, np.int64)
    for c in range(begin.size - 1):
        m = begin[c + 1] - begin[c]
        if 1 < m <= FEW:
            members = member[begin[c] : begin[c + 1]]
            fill_information_values(members, m, draws, shares, entropy, value)
            best_blocks(m, value, best, block)
            write_blocks(members, m, block, label)
