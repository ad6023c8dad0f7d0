"""Search for the partition with the largest Σ (p_ij − t) over the pairs within clusters (correlation clustering).

From a given partition: records move one by one, clusters merge, clusters split, until nothing gains. With s_c the
size of cluster c and L(a, c) = Σ p_ij over i in a and j in c,

    record r into c      L(r, c) − t s_c   (0 for a cluster of its own)
    clusters a and c     L(a, c) − t s_a s_c
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.estimate_exact import FEW, best_blocks, fill_pair_values, write_blocks
from coterie.kernels.estimate_graph import EPSILON, Graph, smallest_members, sort_by
from coterie.kernels.jit import inner, kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]
Booleans = NDArray[np.bool_]

# To look for a split takes the square of a cluster's size; records still leave larger ones, one by one.
MOST_SPLIT = 5000
# A round visits all pairs. Where many clusters wait for one, moving their records is quicker than going on.
ROUNDS = 20


@kernel
def improve_by_pairs(label: Int32, graph: Graph, t: float) -> Int32:
    """Move, merge and split until nothing gains; labels are smallest members before and after."""
    changed = True
    while changed:
        changed = move_records(label, graph, t)
        label = smallest_members(label)
        merged = merge_clusters(label, graph, t)
        label = smallest_members(label)
        split = split_clusters(label, graph, t)
        label = smallest_members(label)
        changed = changed or merged or split
    return label


@kernel
def move_records(label: Int32, graph: Graph, t: float) -> bool:
    """Move each record to the cluster that gains most by it, and look again at whom that concerns."""
    n = label.size
    size, link = np.zeros(n, np.int64), np.zeros(n)
    for r in range(n):
        size[label[r]] += 1
    free, frees = np.empty(n, np.int32), 0
    for c in range(n):
        if size[c] == 0:
            free[frees] = c
            frees += 1
    queue, waits, waiting, at = np.arange(n).astype(np.int32), np.ones(n, np.bool_), n, 0
    moved = False
    while waiting:
        r = queue[at]
        waits[r] = False
        at, waiting = (at + 1) % n, waiting - 1
        old = label[r]
        new = best_place(r, label, size, link, graph, t)
        if new == old:
            continue
        if new < 0:
            frees -= 1
            new = free[frees]
        moved = True
        label[r] = new
        size[old] -= 1
        size[new] += 1
        if size[old] == 0:
            free[frees] = old
            frees += 1
        for e in range(graph.begin[r], graph.begin[r + 1]):
            other = graph.neighbour[e]
            if not waits[other]:
                waits[other] = True
                queue[(at + waiting) % n] = other
                waiting += 1
    return moved


@inner
def best_place(r: int, label: Int32, size: Integers, link: Floats, graph: Graph, t: float) -> int:
    """Return the cluster where record r adds most, −1 for one of its own; where it is, if no other is better."""
    first, last, old = graph.begin[r], graph.begin[r + 1], label[r]
    for e in range(first, last):
        link[label[graph.neighbour[e]]] += graph.p[e]
    best, place = link[old] - t * (size[old] - 1), old
    if best < -EPSILON:
        best, place = 0.0, -1
    for e in range(first, last):
        c = label[graph.neighbour[e]]
        if c != old and link[c] - t * size[c] > best + EPSILON:
            best, place = link[c] - t * size[c], c
    for e in range(first, last):
        link[label[graph.neighbour[e]]] = 0.0
    return place


@kernel
def merge_clusters(label: Int32, graph: Graph, t: float) -> bool:
    """Merge all clusters that are each other's best partner, for some rounds."""
    n = label.size
    link, gain, partner = np.zeros(n), np.zeros(n), np.zeros(n, np.int32)
    merged, merging, rounds = False, True, 0
    while merging and rounds < ROUNDS:
        rounds += 1
        begin, member = sort_by(label, n)
        top = -1
        for c in range(n):
            gain[c], partner[c] = 0.0, -1
            if begin[c + 1] > begin[c]:
                best_partner(c, begin, member, label, link, graph, t, gain, partner)
                if partner[c] >= 0 and (top < 0 or gain[c] > gain[top]):
                    top = c
        merging = False
        if top >= 0:
            merge_mutual(top, begin, member, partner, label)
            merging, merged = True, True
    return merged


@inner
def best_partner(
    c: int,
    begin: Integers,
    member: Int32,
    label: Int32,
    link: Floats,
    graph: Graph,
    t: float,
    gain: Floats,
    partner: Int32,
) -> None:
    """Note the cluster whose merging with c gains most, if any gains."""
    size = begin[c + 1] - begin[c]
    for a in range(begin[c], begin[c + 1]):
        for e in range(graph.begin[member[a]], graph.begin[member[a] + 1]):
            link[label[graph.neighbour[e]]] += graph.p[e]
    for a in range(begin[c], begin[c + 1]):
        for e in range(graph.begin[member[a]], graph.begin[member[a] + 1]):
            d = label[graph.neighbour[e]]
            # Once a cluster has been seen its link is cleared, and says no more.
            if d != c and link[d] > 0.0:
                gained = link[d] - t * size * (begin[d + 1] - begin[d])
                if gained > max(gain[c], EPSILON) or (gained == gain[c] and partner[c] > d):
                    gain[c], partner[c] = gained, d
            link[d] = 0.0


@inner
def merge_mutual(top: int, begin: Integers, member: Int32, partner: Int32, label: Int32) -> None:
    """Merge clusters that have chosen each other; those of the best pair even if rounding hides that they have."""
    partner[partner[top]] = top
    for c in range(partner.size):
        d = partner[c]
        if d > c and partner[d] == c:
            for a in range(begin[d], begin[d + 1]):
                label[member[a]] = c


@kernel
def split_clusters(label: Int32, graph: Graph, t: float) -> bool:
    """Split each cluster that gains by it: a small one as well as can be, a large one in two."""
    n = label.size
    begin, member = sort_by(label, n)
    weight, value, best = np.empty((FEW, FEW)), np.empty(1 << FEW), np.empty(1 << FEW)
    block = np.zeros(1 << FEW, np.int64)
    inside, across, left = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    order = np.zeros(n, np.int32)
    split = False
    for c in range(n):
        m = begin[c + 1] - begin[c]
        members = member[begin[c] : begin[c + 1]]
        if 2 < m <= FEW:
            fill_pair_values(members, m, graph, t, weight, value)
            whole = (1 << m) - 1
            if best_blocks(m, value, best, block) > value[whole] + EPSILON:
                write_blocks(members, m, block, label)
                split = True
        elif FEW < m <= MOST_SPLIT:
            leaving = best_leavers(members, label, graph, t, inside, across, left, order)
            if leaving:
                name_both(members, left, label)
                split = True
    return split


@inner
def name_both(members: Int32, left: Booleans, label: Int32) -> None:
    """Label those who have left, and those who have not, by the smallest of each; forget who has left."""
    leaver, stayer = members.size, members.size
    for a in range(members.size - 1, -1, -1):
        if left[members[a]]:
            leaver = a
        else:
            stayer = a
    names = members[leaver], members[stayer]
    for a in range(members.size):
        label[members[a]] = names[0] if left[members[a]] else names[1]
        left[members[a]] = False


@inner
def best_leavers(
    members: Int32,
    label: Int32,
    graph: Graph,
    t: float,
    inside: Floats,
    across: Floats,
    left: Booleans,
    order: Int32,
) -> int:
    """Find who of a large cluster should leave together; mark them in ``left`` and return how many they are.

    One pass of Kernighan and Lin (1970): the record with the least company leaves first, then always the one that
    gains most by following, even at a loss; the best moment of all counts.
    """
    m, c = members.size, label[members[0]]
    for a in range(m):
        r = members[a]
        inside[r], across[r] = 0.0, 0.0
        for e in range(graph.begin[r], graph.begin[r + 1]):
            if label[graph.neighbour[e]] == c:
                inside[r] += graph.p[e]
    total, best, until = 0.0, EPSILON, 0
    for step in range(m - 1):
        chosen, most = -1, -np.inf
        for a in range(m):
            r = members[a]
            if not left[r]:
                gain = across[r] - t * step - inside[r] + t * (m - step - 1)
                if gain > most:
                    chosen, most = r, gain
        left[chosen] = True
        order[step] = chosen
        total += most
        if total > best:
            best, until = total, step + 1
        for e in range(graph.begin[chosen], graph.begin[chosen + 1]):
            other = graph.neighbour[e]
            if label[other] == c:
                across[other] += graph.p[e]
                inside[other] -= graph.p[e]
    for step in range(until, m - 1):
        left[order[step]] = False
    return until


@kernel
def pair_scores_of_components(label: Int32, component: Int32, graph: Graph, t: float) -> Floats:
    """Return Σ (p_ij − t) over the pairs within clusters, for each component by its smallest record."""
    n = label.size
    score, size = np.zeros(n), np.zeros(n, np.int64)
    for r in range(n):
        # One t for each of those before it in its cluster.
        score[component[r]] -= t * size[label[r]]
        size[label[r]] += 1
        for e in range(graph.begin[r], graph.begin[r + 1]):
            if graph.neighbour[e] < r and label[graph.neighbour[e]] == label[r]:
                score[component[r]] += graph.p[e]
    return score
