"""Search for the partition nearest to given draws in expected variation of information (Meilă 2007).

With φ(s) = s log₂ s and the blocks b of draw d, which has the share w_d of the weight, the part of N · E[VI] that
depends on the estimate is a sum over its clusters c,

    φ(|c|) − 2 Σ_d w_d Σ_b φ(|c ∩ b|),

so that a record that joins c changes it by −gain, gain = 2 Σ_d w_d (φ(n_d + 1) − φ(n_d)) − φ(|c| + 1) + φ(|c|),
where n_d members of c are in the block of the record.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.estimate_graph import EPSILON, Graph, meet, smallest_members, sort_by
from coterie.kernels.jit import inner, kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]


class Draws(NamedTuple):
    """The partitions to be near to."""

    label: Int32  # (n, draws): the smallest record of the cluster of each record
    share: Floats  # (draws,): sums to 1
    entropy: Floats  # φ(0), …, φ(n + 1)


class Members(NamedTuple):
    """Who is in which cluster, as lists that are linked both ways."""

    head: Int32  # (n,): a member of each cluster, −1 where there is none
    after: Int32
    before: Int32
    size: Integers


@kernel
def improve_by_information(label: Int32, graph: Graph, draws: Draws) -> Int32:
    """Move, merge and split until nothing gains; labels are smallest members before and after."""
    changed = True
    while changed:
        changed = move_records_by_information(label, graph, draws)
        label = smallest_members(label)
        merged = merge_clusters_by_information(label, graph, draws)
        label = smallest_members(label)
        split = split_like_draws(label, draws)
        label = smallest_members(label)
        changed = changed or merged or split
    return label


@kernel
def move_records_by_information(label: Int32, graph: Graph, draws: Draws) -> bool:
    """Move each record to the cluster that gains most by it, round after round."""
    n = label.size
    members = Members(
        np.full(n, -1, np.int32), np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n, np.int64)
    )
    for r in range(n - 1, -1, -1):
        enter(r, label[r], members)
    free, frees = np.empty(n, np.int32), 0
    for c in range(n):
        if members.size[c] == 0:
            free[frees] = c
            frees += 1
    seen, together = np.full(n, -1, np.int64), np.zeros(draws.share.size, np.int64)
    moved, moving, visit = False, True, 0
    while moving:
        moving = False
        for r in range(n):
            old = label[r]
            leave(r, old, members)
            if members.size[old] == 0:
                free[frees] = old
                frees += 1
            stay = join_gain(r, old, members, draws, together)
            best, new = stay, old
            if best < -EPSILON:
                best, new = 0.0, free[frees - 1]
            visit += 1
            seen[old] = visit
            for e in range(graph.begin[r], graph.begin[r + 1]):
                c = label[graph.neighbour[e]]
                if seen[c] != visit:
                    seen[c] = visit
                    gain = join_gain(r, c, members, draws, together)
                    if gain > best + EPSILON:
                        best, new = gain, c
            if members.size[new] == 0:
                # Taken from the top of the free ones, whichever it is: its own, left a moment ago, is there too.
                frees -= 1
                new = free[frees]
            enter(r, new, members)
            label[r] = new
            moving = moving or best > stay + EPSILON
        moved = moved or moving
    return moved


@inner
def enter(r: int, c: int, members: Members) -> None:
    """Put record r at the head of cluster c."""
    head = members.head[c]
    members.after[r], members.before[r] = head, -1
    if head >= 0:
        members.before[head] = r
    members.head[c] = r
    members.size[c] += 1


@inner
def leave(r: int, c: int, members: Members) -> None:
    """Take record r out of cluster c."""
    before, after = members.before[r], members.after[r]
    if before >= 0:
        members.after[before] = after
    else:
        members.head[c] = after
    if after >= 0:
        members.before[after] = before
    members.size[c] -= 1


@inner
def join_gain(r: int, c: int, members: Members, draws: Draws, together: Integers) -> float:
    """Return what is gained when record r joins cluster c."""
    together[:] = 0
    other = members.head[c]
    while other >= 0:
        for d in range(together.size):
            together[d] += draws.label[other, d] == draws.label[r, d]
        other = members.after[other]
    size, entropy = members.size[c], draws.entropy
    gain = entropy[size] - entropy[size + 1]
    for d in range(together.size):
        gain += 2.0 * draws.share[d] * (entropy[together[d] + 1] - entropy[together[d]])
    return gain


@kernel
def merge_clusters_by_information(label: Int32, graph: Graph, draws: Draws) -> bool:
    """Merge each cluster with its best partner as long as any gains."""
    n = label.size
    seen, count = np.full(n, -1, np.int64), np.zeros((2, n), np.int64)
    merged, merging, visit = False, True, 0
    while merging:
        merging = False
        begin, member = sort_by(label, n)
        gone = np.zeros(n, np.bool_)
        for c in range(n):
            if begin[c + 1] == begin[c] or gone[c]:
                continue
            visit += 1
            seen[c] = visit
            best, partner = EPSILON, np.int64(-1)
            ones = member[begin[c] : begin[c + 1]]
            for a in range(ones.size):
                for e in range(graph.begin[ones[a]], graph.begin[ones[a] + 1]):
                    d = label[graph.neighbour[e]]
                    if seen[d] != visit:
                        seen[d] = visit
                        # Those that have changed in this round wait for the next.
                        if not gone[d]:
                            others = member[begin[d] : begin[d + 1]]
                            gain = merge_gain(ones, others, draws, count)
                            if gain > best:
                                best, partner = gain, np.int64(d)
            if partner >= 0:
                gone[c], gone[partner], merging, merged = True, True, True, True
                into = c if c < partner else partner
                for cluster in (c, partner):
                    for a in range(begin[cluster], begin[cluster + 1]):
                        label[member[a]] = into
    return merged


@inner
def merge_gain(ones: Int32, others: Int32, draws: Draws, count: Integers) -> float:
    """Return what is gained when two clusters become one."""
    entropy = draws.entropy
    gain = entropy[ones.size] + entropy[others.size] - entropy[ones.size + others.size]
    for d in range(draws.share.size):
        for a in range(ones.size):
            count[0, draws.label[ones[a], d]] += 1
        for a in range(others.size):
            count[1, draws.label[others[a], d]] += 1
        for a in range(others.size):
            b = draws.label[others[a], d]
            x, y = count[0, b], count[1, b]
            gain += 2.0 * draws.share[d] * (entropy[x + y] - entropy[x] - entropy[y])
            count[1, b] = 0
            count[0, b] = 0
        for a in range(ones.size):
            count[0, draws.label[ones[a], d]] = 0
    return gain


@kernel
def split_like_draws(label: Int32, draws: Draws) -> bool:
    """Split each cluster as some draw splits it, where that gains; the best of the draws."""
    n = label.size
    count = np.zeros(n, np.int64)
    best, choice = information_scores(label, label, draws, count), np.full(n, -1, np.int64)
    for d in range(draws.share.size):
        score = information_scores(meet(label, draws.label[:, d].copy()), label, draws, count)
        for c in range(n):
            if score[c] > best[c] + EPSILON:
                best[c], choice[c] = score[c], d
    split = False
    for d in range(draws.share.size):
        if np.any(choice == d):
            finer = meet(label, draws.label[:, d].copy())
            # A finer label lies in the same cluster, so what was chosen for the cluster is still found by it.
            whole = label.copy()
            for r in range(n):
                if choice[whole[r]] == d:
                    label[r] = finer[r]
                    split = True
            for c in range(n):
                if choice[c] == d:
                    choice[c] = -1
    return split


@kernel
def information_scores(label: Int32, group: Int32, draws: Draws, count: Integers) -> Floats:
    """Return 2 Σ_d w_d Σ_b φ(|c ∩ b|) − φ(|c|), summed over the clusters c within each group of records."""
    n = label.size
    score = np.zeros(n)
    begin, member = sort_by(label, n)
    for c in range(n):
        if begin[c + 1] == begin[c]:
            continue
        g = group[member[begin[c]]]
        score[g] -= draws.entropy[begin[c + 1] - begin[c]]
        for d in range(draws.share.size):
            for a in range(begin[c], begin[c + 1]):
                count[draws.label[member[a], d]] += 1
            for a in range(begin[c], begin[c + 1]):
                b = draws.label[member[a], d]
                score[g] += 2.0 * draws.share[d] * draws.entropy[count[b]]
                count[b] = 0
    return score
