"""Which columns move together: the parts of an address, which a person who moves house changes at once.

Two signs are asked for. In the values: who agrees on the one column agrees on the other, too, though they are
different people (a postcode lies in one town). In the changes: among records that are surely of one entity by all
other columns, those that differ in the one differ in the other. The first makes the core of a group, the second
adds to it.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.proposal.profile import Profile

Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]

# Pairs of records that are looked at for each column.
PAIRS = 4_000
# The share of people with the same value here who have the same value there, too, if that follows from this.
FOLLOWS = 0.75
# A column that tells less than this counts for little twice: a sex, that follows from a first name.
LEAST_BITS = 1.5
# Two records that agree on more than this share of what else they tell may be of one entity.
ALIKE = 0.2
# Bits that a difference speaks against a match, and by how many a match must be likelier than not to be sure.
AGAINST, SURE = 4.0, 5.0
# In sure matches, the log odds ratio of differing there and here, by how many standard errors it must be above
# zero, and the share of matches that differ in both.
LOG_ODDS_RATIO, STANDARD_ERRORS, MOVED = 1.5, 3.0, 0.01


def together(columns: Sequence[Profile], likely_pairs: Callable[[], Integers]) -> list[tuple[list[int], str]]:
    """Return the groups, each with the numbers of its columns and why.

    Parameters
    ----------
    columns
        The columns that are evidence.
    likely_pairs
        Gives pairs of records among which those of one entity are; only asked where there is a core.
    """
    cores = _cores(columns)
    if not cores:
        return []
    differs, known = _differences(columns, likely_pairs())
    bits = np.array([column.bits for column in columns])
    groups: list[tuple[list[int], str]] = []
    taken = {at for core, _ in cores for at in core}
    for core, why in cores:
        added = [
            at
            for at in range(len(columns))
            if at not in taken and _move_together(core, at, differs, known, bits, columns[0].n)
        ]
        taken.update(added)
        if added:
            names = " and ".join(columns[at].name for at in added)
            why = f"{why}; where they change, so does {names}"
        groups.append((sorted([*core, *added]), why))
    return groups


def _cores(columns: Sequence[Profile]) -> list[tuple[list[int], str]]:
    """Return sets of columns of which one follows from another, though people differ."""
    telling = [at for at, column in enumerate(columns) if column.bits >= LEAST_BITS]
    bits = np.array([column.bits for column in columns])
    codes = np.column_stack([column.codes for column in columns])
    edges, why = [], {}
    for a in telling:
        pairs = _agreeing_pairs(columns[a].codes)
        agree = (codes[pairs[:, 0]] == codes[pairs[:, 1]]) & (codes[pairs[:, 0]] >= 0)
        both = (codes[pairs[:, 0]] >= 0) & (codes[pairs[:, 1]] >= 0)
        for b in telling:
            if a == b or bits[b] > bits[a]:
                continue
            others = np.setdiff1d(telling, [a, b])
            strangers = both[:, b]
            if others.size:
                strangers = strangers & (
                    (agree[:, others] @ bits[others]) <= ALIKE * (both[:, others] @ bits[others])
                )
            if strangers.sum() < PAIRS // 100:
                continue
            share = float(agree[strangers, b].mean())
            if share >= FOLLOWS:
                edges.append((a, b))
                why[(a, b)] = f"{share:.0%} of those who share {columns[a].name} share {columns[b].name}"
    return [(core, "; ".join(why[edge] for edge in edges if edge[0] in core)) for core in _connected(edges)]


def _agreeing_pairs(codes: NDArray[np.int32]) -> Integers:
    """Return pairs of records with the same value: random records, each with a random other one."""
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    sizes = np.bincount(codes[order])
    begin = np.cumsum(sizes) - sizes
    rng = np.random.default_rng(0)
    at = rng.integers(order.size, size=PAIRS) if order.size else np.empty(0, np.int64)
    code = codes[order[at]]
    at, code = at[sizes[code] > 1], code[sizes[code] > 1]
    other = begin[code] + (at - begin[code] + rng.integers(1, np.maximum(sizes[code], 2))) % sizes[code]
    return np.column_stack([order[at], order[other]])


def _connected(edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the connected sets of a graph."""
    sets: list[set[int]] = []
    for a, b in edges:
        touched = [each for each in sets if a in each or b in each]
        sets = [each for each in sets if each not in touched]
        sets.append({a, b}.union(*touched))
    return sorted(sorted(each) for each in sets)


def _differences(columns: Sequence[Profile], pairs: Integers) -> tuple[Bools, Bools]:
    """Return whether the records of each pair differ in each column, and whether both have a value."""
    left = np.column_stack([column.codes[pairs[:, 0]] for column in columns])
    right = np.column_stack([column.codes[pairs[:, 1]] for column in columns])
    known = (left >= 0) & (right >= 0)
    return known & (left != right), known


def _move_together(
    core: Sequence[int], at: int, differs: Bools, known: Bools, bits: NDArray[np.float64], n: int
) -> bool:
    """Tell whether a column changes where the core does, in matches that are sure without them."""
    others = np.setdiff1d(np.arange(bits.size), [*core, at])
    evidence = (known & ~differs)[:, others] @ bits[others] - AGAINST * differs[:, others].sum(axis=1)
    sure = (evidence > 2 * np.log2(n) - 1 + SURE) & known[:, at] & known[:, core].any(axis=1)
    here, there = differs[sure][:, core].any(axis=1), differs[sure][:, at]
    # Half a pair is added to each count, so that no count is zero.
    counts = np.array([[np.sum((here == x) & (there == y)) + 0.5 for y in (True, False)] for x in (True, False)])
    log_ratio = float(np.log(counts[0, 0] * counts[1, 1] / (counts[0, 1] * counts[1, 0])))
    error = float(np.sqrt((1.0 / counts).sum()))
    moved = counts[0, 0] >= max(3.0, MOVED * sure.sum())
    return moved and log_ratio > LOG_ODDS_RATIO and log_ratio > STANDARD_ERRORS * error
