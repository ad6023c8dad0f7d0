"""Pairs of similar values: where the kinds of field differ, and all that they differ in."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.similar import keep_nearest

# No value is given more similar values than this, so that a sampler's work for a record stays bounded.
LONGEST_ROW = 100


class Pairs(NamedTuple):
    """Pairs of values, each once, with first < second.

    `similarity` is that of the first value seen where the second was meant; `back` the other way about. They are
    one array wherever the similarity is symmetric.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    similarity: NDArray[np.float64]
    back: NDArray[np.float64]

    @classmethod
    def of(
        cls, first: NDArray[np.integer], second: NDArray[np.integer], similarity: NDArray[np.floating]
    ) -> "Pairs":
        """Make pairs with a symmetric similarity."""
        score = np.asarray(similarity, np.float64)
        return cls(np.asarray(first, np.int32), np.asarray(second, np.int32), score, score)

    @classmethod
    def joined(cls, parts: Sequence["Pairs"]) -> "Pairs":
        """Put pairs after one another."""
        first, second, similarity = (np.concatenate([part[k] for part in parts]) for k in range(3))
        symmetric = all(part.back is part.similarity for part in parts)
        back = similarity if symmetric else np.concatenate([part.back for part in parts])
        return cls(first, second, similarity, back)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.integer]) -> "Pairs":
        """Keep some of the pairs."""
        similarity = self.similarity[chosen]
        back = similarity if self.back is self.similarity else self.back[chosen]
        return Pairs(self.first[chosen], self.second[chosen], similarity, back)

    def between(self, one: NDArray[np.integer], other: NDArray[np.integer]) -> "Pairs":
        """Return the same similarities for other values, of which either may be the first."""
        first, second = np.minimum(one, other).astype(np.int32), np.maximum(one, other).astype(np.int32)
        if self.back is self.similarity:
            return Pairs(first, second, self.similarity, self.similarity)
        turned = one > other
        there = np.where(turned, self.back, self.similarity)
        return Pairs(first, second, there, np.where(turned, self.similarity, self.back))

    def codes(self, size: int) -> NDArray[np.int64]:
        """Return first·size + second."""
        return self.first.astype(np.int64) * size + self.second


NOTHING = np.empty(0, np.int32)
NO_SCORES = np.empty(0)
NO_PAIRS = Pairs(NOTHING, NOTHING, NO_SCORES, NO_SCORES)


def most_similar(parts: Sequence[Pairs], size: int) -> Pairs:
    """Return every pair of any of the parts once, in order, with the greatest of its similarities."""
    pairs = Pairs.joined([NO_PAIRS, *parts])
    codes = pairs.codes(size)
    if (codes[1:] > codes[:-1]).all():
        return pairs
    order = np.lexsort((-pairs.similarity, codes))
    codes = codes[order]
    return pairs.take(order[np.append(True, codes[1:] != codes[:-1])] if len(codes) else order)


def spread(pairs: Pairs, group: NDArray[np.integer]) -> Pairs:
    """Return the pairs of values, from those of the groups that they are in; inside a group they are alike."""
    members = np.argsort(group, kind="stable")
    size = np.bincount(group)
    if size.max(initial=1) == 1:
        return pairs.between(members[pairs.first], members[pairs.second])
    start = np.cumsum(size) - size
    several = np.flatnonzero(size > 1)
    ones = np.ones(len(several))
    pairs = Pairs.joined([pairs, Pairs.of(several, several, ones)])
    times = size[pairs.first] * size[pairs.second]
    which = np.repeat(np.arange(len(times)), times)
    place = np.arange(len(which)) - np.repeat(np.cumsum(times) - times, times)
    f, g = pairs.first[which], pairs.second[which]
    one, other = members[start[f] + place // size[g]], members[start[g] + place % size[g]]
    kept = (f != g) | (one < other)
    return pairs.take(which[kept]).between(one[kept], other[kept])


def nearest(pairs: Pairs, size: int, longest: int = LONGEST_ROW) -> Pairs:
    """Shorten the rows: take the pairs from the most similar on, each while both its values have room.

    What is kept is symmetric, and depends on nothing but the values.
    """
    degree = np.bincount(pairs.first, minlength=size) + np.bincount(pairs.second, minlength=size)
    if not len(pairs.first) or degree.max() <= longest:
        return pairs
    crowded = (degree[pairs.first] > longest) | (degree[pairs.second] > longest)
    contested = np.flatnonzero(crowded)
    score = np.maximum(pairs.similarity[contested], pairs.back[contested])
    contested = contested[np.lexsort((pairs.second[contested], pairs.first[contested], -score))]
    kept = ~crowded
    taken = np.concatenate([pairs.first[kept], pairs.second[kept]])
    room = longest - np.bincount(taken, minlength=size)
    kept[contested] = keep_nearest(pairs.first[contested], pairs.second[contested], room)
    return pairs.take(kept)
