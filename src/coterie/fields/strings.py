"""Similarities of strings, all pairs of them at once."""

import unicodedata
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA, JaroWinkler

from coterie.errors import InputError
from coterie.fields.pairs import Pairs

# Comparisons in one call, so that the matrix of a block stays at 64 MB.
BLOCK = 1 << 24
# A similarity that differs from the cutoff by less has met it: 1 − 3/10 must pass at 0.7.
ROUNDING = 1e-6

Scorer = Callable[..., float]
# Optimal string alignment: Levenshtein's errors, and two neighbours swapped as one more. The unrestricted Damerau
# distance differs where something is inserted between the two, and RapidFuzz is many times slower at it.
edit: Scorer = OSA.normalized_similarity
jaro_winkler: Scorer = JaroWinkler.similarity


def normal_form(value: Any) -> str:
    """Return what is compared: without case, and with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


def all_pairs(forms: Sequence[str], scorer: Scorer, cutoff: float) -> Pairs:
    """Compare every pair of strings, in blocks of rows."""
    first, second, scores = [], [], []
    n, start = len(forms), 0
    while start < n - 1:
        stop = min(n, start + max(1, BLOCK // (n - start)))
        block = process.cdist(
            forms[start:stop], forms[start:], scorer=scorer, score_cutoff=cutoff - ROUNDING, workers=-1
        )
        i, j = np.nonzero(block)
        later = j > i
        i, j = i[later], j[later]
        first.append(i + start)
        second.append(j + start)
        scores.append(block[i, j])
        start = stop
    empty = np.empty(0, np.int64)
    return Pairs.of(
        np.concatenate([empty, *first]), np.concatenate([empty, *second]), np.concatenate([np.empty(0), *scores])
    )


def compare(
    forms: Sequence[str], first: NDArray[np.integer], second: NDArray[np.integer], scorer: Scorer, cutoff: float
) -> NDArray[np.float32]:
    """Return the similarity of each pair, 0 where it is below the cutoff."""
    strings = np.array(forms, object)
    scores = [
        process.cpdist(
            strings[first[at : at + BLOCK]],
            strings[second[at : at + BLOCK]],
            scorer=scorer,
            score_cutoff=cutoff - ROUNDING,
            workers=-1,
        )
        for at in range(0, len(first), BLOCK)
    ]
    return np.concatenate([np.empty(0, np.float32), *scores])


def call(
    name: str,
    similarity: Callable[[str, str], float],
    forms: Sequence[str],
    pairs: Sequence[tuple[int, int]] | None,
    cutoff: float,
) -> Pairs:
    """Ask a function of the user's about each pair, both ways about; about every pair where none are named."""
    kept: list[tuple[int, int, float, float]] = []
    for i, j in combinations(range(len(forms)), 2) if pairs is None else pairs:
        there = _score(name, similarity, forms[i], forms[j])
        back = _score(name, similarity, forms[j], forms[i])
        if max(there, back) >= cutoff - ROUNDING:
            kept.append((i, j, there, back))
    table = np.array(kept, np.float64).reshape(-1, 4)
    index = table[:, :2].astype(np.int32)
    return Pairs(index[:, 0], index[:, 1], table[:, 2], table[:, 3])


def _score(name: str, similarity: Callable[[str, str], float], a: str, b: str) -> float:
    """Ask the function about one pair, and check its answer."""
    answer = similarity(a, b)
    try:
        score = float(answer)
    except (TypeError, ValueError):
        score = np.nan
    if not 0 <= score <= 1:
        hint = "Let the similarity return 1 for the same and 0 for nothing in common."
        got = f"{answer!r} for {a!r} and {b!r}"
        raise InputError(f"a number from 0 to 1 from the similarity of {name!r}", got[:120], hint)
    return score
