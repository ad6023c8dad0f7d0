"""Pairs of similar values: where the kinds of field differ, and all that they differ in."""

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
        """Make pairs with a symmetric similarity, in the order of their indices."""
        order = np.lexsort((second, first))
        score = similarity[order].astype(np.float64)
        return cls(first[order].astype(np.int32), second[order].astype(np.int32), score, score)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.integer]) -> "Pairs":
        """Keep some of the pairs."""
        similarity = self.similarity[chosen]
        back = similarity if self.back is self.similarity else self.back[chosen]
        return Pairs(self.first[chosen], self.second[chosen], similarity, back)


NOTHING = np.empty(0, np.int32)
NO_PAIRS = Pairs(NOTHING, NOTHING, np.empty(0), np.empty(0))


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
    contested = contested[np.argsort(-score, kind="stable")]
    kept = ~crowded
    room = (
        longest - np.bincount(pairs.first[kept], minlength=size) - np.bincount(pairs.second[kept], minlength=size)
    )
    kept[contested] = keep_nearest(pairs.first[contested], pairs.second[contested], room)
    return pairs.take(kept)
