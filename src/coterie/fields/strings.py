"""Similarities of strings, many pairs of them at once."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA, JaroWinkler

from coterie.errors import InputError
from coterie.fields.pairs import NO_PAIRS, Pairs

# Comparisons in one matrix, so that a block stays at 64 MB.
MATRIX = 1 << 24
# Comparisons in one list, each of which keeps two strings ready.
LIST = 1 << 20
# A similarity that misses the cutoff by less has met it: 1 − 3/10 must pass at 0.7.
ROUNDING = 1e-6


class Scorer(NamedTuple):
    """A similarity of RapidFuzz, and what it gives to equal strings."""

    function: Callable[..., float]
    top: float


# Optimal string alignment: Levenshtein's errors, and two neighbours swapped as one more. The unrestricted Damerau
# distance differs where something is inserted between the two, and RapidFuzz is many times slower at it.
EDIT = Scorer(OSA.normalized_similarity, 1.0)
JARO_WINKLER = Scorer(JaroWinkler.similarity, 1.0)
TOKENS = Scorer(fuzz.token_set_ratio, 100.0)


def normal_form(value: Any) -> str:
    """Return what is compared: without case, and with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


def all_pairs(forms: Sequence[str], scorer: Scorer, cutoff: float) -> Pairs:
    """Compare every pair of strings, in blocks of rows."""
    found = [NO_PAIRS]
    n, start = len(forms), 0
    while start < n - 1:
        stop = min(n, start + max(1, MATRIX // (n - start)))
        block = process.cdist(
            forms[start:stop],
            forms[start:],
            scorer=scorer.function,
            score_cutoff=(cutoff - ROUNDING) * scorer.top,
            workers=-1,
        )
        i, j = np.nonzero(block)
        later = j > i
        i, j = i[later], j[later]
        found.append(Pairs.of(i + start, j + start, block[i, j] / scorer.top))
        start = stop
    return Pairs.joined(found)


def compare(forms: Sequence[str], pairs: NDArray[np.int64], scorer: Scorer, cutoff: float) -> Pairs:
    """Compare the pairs i·n + j, and keep those that meet the cutoff."""
    strings, n = np.array(forms, object), max(1, len(forms))
    found = [NO_PAIRS]
    for at in range(0, len(pairs), LIST):
        i, j = np.divmod(pairs[at : at + LIST], n)
        scores = process.cpdist(
            strings[i],
            strings[j],
            scorer=scorer.function,
            score_cutoff=(cutoff - ROUNDING) * scorer.top,
            workers=-1,
        )
        met = scores > 0
        found.append(Pairs.of(i[met], j[met], scores[met] / scorer.top))
    return Pairs.joined(found)


def ask(
    name: str,
    similarity: Callable[[str, str], float],
    forms: Sequence[str],
    pairs: NDArray[np.int64] | None,
    cutoff: float,
) -> Pairs:
    """Ask a function of the user's about the pairs i·n + j, or about all, both ways about."""
    n = len(forms)
    asked: Iterable[tuple[int, int]] = combinations(range(n), 2)
    if pairs is not None:
        asked = (divmod(code, n) for code in pairs.tolist())
    kept: list[tuple[int, int, float, float]] = []
    for i, j in asked:
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
