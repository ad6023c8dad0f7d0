"""Which columns move together: the parts of an address, which a person who moves house changes at once.

Three signs are asked for. In the values: who agrees on the one column agrees on the other, too, though they are
different people (a postcode lies in one town). This makes the core of a group. In what different people share who
share the core: those of one household (see `households`). In the changes: of records that are surely of one entity
by all other columns, those with something else altogether in the core have something else in the other. These two
add to a group. Changes alone would not do: two of one household are sure matches by their last name and address,
and differ in first name and birth date together.
"""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.proposal.households import shared_with
from coterie.proposal.likely import Likely, likely
from coterie.proposal.profile import Profile

Integers = NDArray[np.int64]

# Pairs of records that are looked at for each column, and how many of them must be of different people. Where
# people seldom have the same value, most pairs that do are one person, who has moved perhaps.
PAIRS, STRANGERS = 4_000, 100
# The share of people with the same value here who have the same value there, too, if that follows from this.
FOLLOWS = 0.75
# A column that tells less than this counts for little twice: a sex, that follows from a first name.
LEAST_BITS = 1.5
# Two records that agree on more than this share of what else they tell may be of one entity.
ALIKE = 0.2
# Of the matches that change in a group, this share changes in a column of it; the log odds ratio of changing there
# and here, by how many standard errors it must be above zero, and in how many matches both must change: five
# at least, and this share of all.
CHANGES_TOO, LOG_ODDS_RATIO, STANDARD_ERRORS, FEWEST, MOVED = 0.5, 2.5, 3.0, 5, 0.003


def together(columns: Sequence[Profile]) -> list[tuple[list[int], str]]:
    """Return the groups of columns that are evidence: the numbers of the columns of each, and why."""
    cores = _cores(columns)
    groups: list[tuple[list[int], str]] = []
    taken = {at for core, _ in cores for at in core}
    for core, why in cores:
        pairs = likely(columns, without=core)
        added = [at for at in shared_with(columns, core, likely(columns)) if at not in taken]
        taken.update(added)
        if added:
            names = " and ".join(columns[at].name for at in added)
            why = f"{why}; different people who share them often share {names}, too"
        moving: list[int] = []
        while (at := _next(columns, pairs, [*core, *added, *moving], taken)) is not None:
            moving.append(at)
            taken.add(at)
        if moving:
            names = " and ".join(columns[at].name for at in moving)
            why = f"{why}; where they change, {names} {'changes' if len(moving) == 1 else 'change'}, too"
        added += moving
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
            if strangers.sum() < STRANGERS:
                continue
            share = float(agree[strangers, b].mean())
            if share >= FOLLOWS:
                edges.append((a, b))
                why[(a, b)] = f"{share:.0%} of those who share {columns[a].name} share {columns[b].name}"
    return [(core, "; ".join(why[edge] for edge in edges if edge[0] in core)) for core in _connected(edges)]


def _agreeing_pairs(codes: NDArray[np.int32]) -> Integers:
    """Return pairs of records with the same value: random records, each with a random other one, no pair twice."""
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    sizes = np.bincount(codes[order])
    begin = np.cumsum(sizes) - sizes
    rng = np.random.default_rng(0)
    at = rng.integers(order.size, size=PAIRS) if order.size else np.empty(0, np.int64)
    code = codes[order[at]]
    at, code = at[sizes[code] > 1], code[sizes[code] > 1]
    other = begin[code] + (at - begin[code] + rng.integers(1, np.maximum(sizes[code], 2))) % sizes[code]
    return np.unique(np.sort(np.column_stack([order[at], order[other]]), axis=1), axis=0)


def _connected(edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the connected sets of a graph."""
    sets: list[set[int]] = []
    for a, b in edges:
        touched = [each for each in sets if a in each or b in each]
        sets = [each for each in sets if each not in touched]
        sets.append({a, b}.union(*touched))
    return sorted(sorted(each) for each in sets)


def _next(columns: Sequence[Profile], pairs: Likely, group: Sequence[int], taken: Collection[int]) -> int | None:
    """Return the column that most surely changes where a group does; None if none does."""
    scores = {at: _changes_with(columns, pairs, group, at) for at in range(len(columns)) if at not in taken}
    best = max(scores, key=lambda at: scores[at], default=None)
    return best if best is not None and scores[best] > STANDARD_ERRORS else None


def _changes_with(columns: Sequence[Profile], pairs: Likely, group: Sequence[int], at: int) -> float:
    """Return by how many standard errors the log odds ratio of changing here and there is above zero.

    It is looked at in matches that are sure without these columns; 0 if they do not change together often enough.
    """
    which = pairs.sure([*group, at]) & pairs.known[:, at] & pairs.known[:, group].all(axis=1)
    here = np.any([pairs.changed(columns[member], member, which) for member in group], axis=0)
    there = pairs.changed(columns[at], at, which)
    both = int((here & there).sum())
    if both < max(FEWEST, MOVED * here.size) or both < CHANGES_TOO * here.sum():
        return 0.0
    # Half a pair is added to each count, so that no count is zero.
    counts = [[np.sum((here == x) & (there == y)) + 0.5 for y in (True, False)] for x in (True, False)]
    log_ratio = float(np.log(counts[0][0] * counts[1][1] / (counts[0][1] * counts[1][0])))
    return log_ratio / float(np.sqrt(np.sum(1.0 / np.array(counts)))) if log_ratio > LOG_ODDS_RATIO else 0.0
