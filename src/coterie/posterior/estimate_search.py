"""The two problems behind the point estimates, component by component: exactly if small, else by search."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import estimate_exact as exact
from coterie.kernels.estimate_graph import (
    Graph,
    components,
    join,
    make_graph,
    meet,
    restrict,
    smallest_members,
    sort_by,
)
from coterie.kernels.estimate_information import Draws, improve_by_information, information_scores
from coterie.kernels.estimate_pairs import improve_by_pairs, merge_clusters, pair_scores_of_components

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# A search starts from so many draws, evenly spread, from what is best of all, and from some simple partitions.
STARTS = 20
# A pair by itself is together where its probability is above this.
FIRST_THRESHOLD = 0.5


class Problem(NamedTuple):
    """Pairs i < j, ascending, of n records, with p > 0."""

    i: Int32
    j: Int32
    p: Floats
    n: int


class Part(NamedTuple):
    """The records of some components, numbered anew."""

    record: Integers  # their own numbers, ascending
    component: Int32  # the smallest record of the component of each, in new numbers
    graph: Graph

    def of(self, labels: Int32) -> Int32:
        """Return a partition of all records as one of these; what it has together across components is apart."""
        return meet(self.component, restrict(labels, self.record))


def least_binder(problem: Problem, t: float, draws: Int32) -> Int32:
    """Return the partition with the largest Σ (p_ij − t) over the pairs that it makes.

    A cluster that falls apart when pairs with p ≤ t are cut does not lose by it, so the components of the others
    are solved one by one.
    """
    i, j, p, n = problem
    component = components(i, j, p, t, n)
    labels = np.arange(n, dtype=np.int32)
    for part, is_few in _parts(problem, component):
        if is_few:
            local = np.arange(part.record.size, dtype=np.int32)
            exact.solve_few_by_pairs(*_members(part), part.graph, t, local)
        else:
            local = search_by_pairs(part, t, draws)
        labels[part.record] = part.record[local]
    return labels


def search_by_pairs(part: Part, t: float, draws: Int32) -> Int32:
    """Return a partition of components of any size with Σ (p_ij − t) as large as is found."""
    merged = np.arange(part.record.size, dtype=np.int32)
    merge_clusters(merged, part.graph, t)
    return _best_end(
        [smallest_members(merged)],
        [part.of(draw) for draw in draws],
        lambda start: improve_by_pairs(start, part.graph, t),
        lambda end: pair_scores_of_components(end, part.component, part.graph, t),
        part.component,
    )


def nearest(problem: Problem, draws: Int32, shares: Floats) -> Int32:
    """Return the partition with the least expected variation of information from draws."""
    # A cluster with parts that are together in no draw does not lose by falling apart.
    n = problem.n
    component = np.arange(n, dtype=np.int32)
    for row in draws:
        component = join(component, row)
    labels = np.arange(n, dtype=np.int32)
    guess = least_binder(problem, FIRST_THRESHOLD, draws[:0])
    for part, is_few in _parts(problem, component):
        size = np.arange(part.record.size + 2, dtype=np.float64)
        entropy = size * np.log2(np.maximum(size, 1.0))
        rows = np.array([part.of(row) for row in draws])
        near = Draws(np.ascontiguousarray(rows.T), shares, entropy)
        if is_few:
            local = np.arange(part.record.size, dtype=np.int32)
            exact.solve_few_by_information(*_members(part), near.label, near.share, near.entropy, local)
        else:
            local = search_by_information(part, near, part.of(guess), list(rows))
        labels[part.record] = part.record[local]
    return labels


def search_by_information(part: Part, near: Draws, guess: Int32, rows: list[Int32]) -> Int32:
    """Return a partition of components of any size as near to the draws as is found."""
    count = np.zeros(part.record.size, np.int64)
    return _best_end(
        [guess],
        rows,
        lambda start: improve_by_information(start, part.graph, near),
        lambda end: information_scores(end, part.component, near, count),
        part.component,
    )


def _parts(problem: Problem, component: Int32) -> Iterator[tuple[Part, bool]]:
    """Yield the components with 2 up to `FEW` records, and those with more, if there are any."""
    i, j, p, n = problem
    size = np.bincount(component, minlength=n)[component]
    same = component[i] == component[j]
    for is_few, chosen in ((True, (size > 1) & (size <= exact.FEW)), (False, size > exact.FEW)):
        record = np.flatnonzero(chosen)
        if record.size:
            number = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
            there = same & chosen[i]
            graph = make_graph(number[i[there]], number[j[there]], p[there], record.size)
            yield Part(record, number[component[record]], graph), is_few


def _members(part: Part) -> tuple[Integers, Int32]:
    return sort_by(part.component, part.record.size)


def _best_end(
    guesses: list[Int32],
    draws: list[Int32],
    improve: Callable[[Int32], Int32],
    scores: Callable[[Int32], Floats],
    component: Int32,
) -> Int32:
    """Improve several starts, and take for each component the end that scores best; the first of equals.

    They are everybody alone, everybody of a component together, some guesses, some of the draws, and the draw that
    is best for each component: so the end is no worse than any of these.
    """
    starts = [np.arange(component.size, dtype=np.int32), component, *guesses]
    if draws:
        starts.append(_best_by_component(draws, scores, component))
        chosen = np.unique(np.linspace(0, len(draws) - 1, STARTS).astype(np.int64))
        starts += [draws[d] for d in chosen]
    # The kernels change what they are given.
    return _best_by_component((improve(start.copy()) for start in starts), scores, component)


def _best_by_component(partitions: Iterable[Int32], scores: Callable[[Int32], Floats], component: Int32) -> Int32:
    """Put a partition together from what is best for each component."""
    best, top = np.arange(component.size, dtype=np.int32), np.full(component.size, -np.inf)
    for labels in partitions:
        score = scores(labels)
        # By more than rounding.
        better = (score > top + 1e-9)[component]
        top = np.maximum(top, score)
        best = np.where(better, labels, best)
    return best
