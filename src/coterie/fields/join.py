"""Which pairs of strings to compare, where there are too many strings to compare them all.

Two joins, both through shared keys that are sorted, so that the work grows with the number of keys and not with
the square of the number of strings.

*Errors.* If x and y differ by e errors (letters too many, too few, wrong, or two neighbours swapped), then
deleting at most e letters of each leaves the same string: every error costs each of them one letter at most. So
whoever is within e errors shares a key among the strings without e of their letters (Bocek, Hunt and Stiller 2007:
FastSS). This finds every such pair, and few others. In long strings there are too many ways to delete letters; of
these the two ends are looked at.

*Words.* Values that share words of enough information share a word among their rarest ones, or a pair of words
where one is too common to tell anything by itself (the prefix filter of Chaudhuri, Ganti and Kaushik, 2006).
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.fields.strings import ROUNDING
from coterie.kernels.similar import bags, deletions, meet, share_words, word_keys

# Ways to leave out letters that a string may have. 1,000 allow three errors up to 18 letters, two up to 45, one
# beyond that.
VARIANTS = 1000
# Longer strings are looked up by the first and the last letters, so many, which leaves them apart in all that are
# longer than 18. They find three errors; more are left to the words that such strings share.
END = 9
ENDS_ERRORS = 3
# Keys sorted at a time: 256 MB of them.
KEYS = 1 << 25
# Pairs read off at a time, 128 MB, and how many may wait before those found twice are dropped.
PAIRS = 1 << 24
WAITING = 1 << 25
# Words of one or two letters say nothing.
SHORT = 2
# Words tell as much as if there were at least so many values, so that a short list is not all too common words.
FEWEST = 1000
# Shared words are at least this part of what the longer value says.
SHARED = 0.4
# A pair of words, or an end, that more values share is left out: they have more in common, or are not alike.
CROWD = 5000

Span = tuple[NDArray[np.int64], NDArray[np.int64]]
Drain = Callable[[NDArray[np.uint64], int, NDArray[np.int64]], tuple[int, int]]


class Found:
    """The pairs found so far, each once, as i·n + j."""

    def __init__(self) -> None:
        self.waiting: list[NDArray[np.int64]] = []

    def read(self, keys: NDArray[np.uint64], drain: Drain) -> None:
        """Read all pairs off sorted keys."""
        at, room = 0, min(PAIRS, max(1024, 16 * len(keys)))
        pairs = np.empty(room, np.int64)
        while at < len(keys):
            start = at
            at, filled = drain(keys, start, pairs)
            if at == start:  # one key with more pairs than there is room for
                pairs = np.empty(2 * len(pairs), np.int64)
                continue
            self.waiting.append(distinct(pairs[:filled]))
            if sum(map(len, self.waiting)) > WAITING:
                self.waiting = [distinct(np.concatenate(self.waiting))]

    def pairs(self) -> NDArray[np.int64]:
        """Return every pair once, in order."""
        return distinct(np.concatenate([np.empty(0, np.int64), *self.waiting]))


def union(*parts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what is in any of the parts, each of which is in order."""
    some = [part for part in parts if len(part)]
    return some[0] if len(some) == 1 else distinct(np.concatenate([np.empty(0, np.int64), *some]))


def distinct(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what is there, once each and in order."""
    codes = np.sort(codes)
    new = np.append(True, codes[1:] != codes[:-1])[: len(codes)]
    return codes if new.all() else codes[new]


def errors_allowed(forms: Sequence[str], cutoff: float) -> NDArray[np.int64]:
    """Return with how many errors a pair meets the cutoff, by the length of the longer string."""
    lengths = np.arange(1 + max(map(len, forms), default=0))
    return ((1.0 - cutoff + ROUNDING) * lengths).astype(np.int64)


def reach(forms: Sequence[str], cutoff: float) -> NDArray[np.int64]:
    """Return how many of these errors are looked for by leaving out letters: as many as there is room for."""
    errors = errors_allowed(forms, cutoff)
    for length in range(len(errors)):
        while errors[length] and math.comb(length, int(errors[length])) > VARIANTS:
            errors[length] -= 1
    return errors


class Spelled(NamedTuple):
    """Strings as letters, one after another."""

    letters: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    bags: NDArray[np.uint64]
    bits: int

    @classmethod
    def of(cls, forms: Sequence[str]) -> "Spelled":
        """Spell strings."""
        lengths = np.fromiter(map(len, forms), np.int64, len(forms))
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        letters = np.frombuffer("".join(forms).encode("utf-32-le", "surrogatepass"), np.uint32)
        return cls(letters, lengths, bounds[:-1], bounds[1:], bags(letters, bounds), len(forms).bit_length())

    def keys(self, span: Span, chosen: NDArray[np.int64], left: int, part: int, parts: int) -> NDArray[np.uint64]:
        """Return every way to leave some letters of a span of the chosen strings, one part of the hashes."""
        starts, ends = span
        lengths = np.bincount((ends - starts)[chosen])
        room = sum(int(many) * math.comb(length, left) for length, many in enumerate(lengths) if many) // parts
        fill = partial(deletions, self.letters, starts, ends, chosen, left, (part, parts), self.bits)
        return filled(fill, room + room // 8 + 1024)


def within_errors(forms: Sequence[str], allowed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all pairs i·n + j with no more errors than `allowed` for the length of the longer, and some others.

    `allowed` must not grow by more than one from one length to the next.
    """
    text, found = Spelled.of(forms), Found()
    lefts: dict[int, int] = {}  # letters that are left → the longest strings that leave so many
    for length in np.unique(text.lengths):
        if allowed[length]:
            lefts[int(length - allowed[length])] = int(length)
    for left, longest in lefts.items():
        chosen = np.flatnonzero((text.lengths >= left) & (text.lengths <= longest))
        counts = np.bincount(text.lengths[chosen])
        total = sum(int(many) * math.comb(length, left) for length, many in enumerate(counts) if many)
        parts = math.ceil(total / KEYS)
        drain = partial(read_errors, text, allowed, left)
        for part in range(parts):
            found.read(text.keys((text.starts, text.ends), chosen, left, part, parts), drain)
    return found.pairs()


def with_an_end_alike(forms: Sequence[str], cutoff: float) -> NDArray[np.int64]:
    """Return the pairs i·n + j of long strings with at most three errors, and some others.

    Of three errors, no more than one is in the first nine letters, or no more than one in the last. So either the
    first eight to ten of both leave the same when at most one is deleted, or the last. Strings whose beginning and
    end both are like those of a crowd are left out.
    """
    text, found = Spelled.of(forms), Found()
    wanted, sure = errors_allowed(forms, cutoff), reach(forms, cutoff)
    allowed = np.where(wanted > sure, np.minimum(wanted, ENDS_ERRORS), 0)
    if not allowed.any():
        return found.pairs()
    chosen = np.flatnonzero(text.lengths >= np.flatnonzero(allowed)[0] - ENDS_ERRORS)
    drain = partial(read_errors, text, allowed, -1)
    for at_start in (True, False):
        for left in (END - 1, END):
            some = []
            for length in (left, left + 1):
                span = (text.starts, text.starts + length) if at_start else (text.ends - length, text.ends)
                some.append(text.keys(span, chosen, left, 0, 1))
            found.read(without_crowds(np.sort(np.concatenate(some)), text.bits), drain)
    return found.pairs()


def read_errors(
    text: Spelled,
    allowed: NDArray[np.int64],
    left: int,
    keys: NDArray[np.uint64],
    at: int,
    pairs: NDArray[np.int64],
) -> tuple[int, int]:
    """Read pairs of strings off their keys."""
    return meet(keys, text.bits, at, text.lengths, text.bags, allowed, left, pairs)


def beginning_alike(forms: Sequence[str], letters: int) -> NDArray[np.int64]:
    """Return the pairs i·n + j, i < j, of strings with the same first letters; the strings are in order."""
    n = len(forms)
    begin = np.array([form[:letters] for form in forms])
    start = np.flatnonzero(np.append(True, begin[1:] != begin[:-1]))
    rest = np.repeat(np.append(start[1:], n), np.diff(np.append(start, n))) - np.arange(n) - 1
    first = np.repeat(np.arange(n), rest)
    return first * n + first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(rest) - rest, rest)


def filled(fill: Callable[[NDArray[np.uint64]], int], room: int) -> NDArray[np.uint64]:
    """Return the keys, sorted; there may be more of them than expected."""
    keys = np.empty(room, np.uint64)
    count = fill(keys)
    if count > room:
        keys = np.empty(count, np.uint64)
        fill(keys)
    keys = keys[:count]
    keys.sort()
    return keys


def sharing_words(forms: Sequence[str]) -> NDArray[np.int64]:
    """Return the pairs i·n + j of values that share words of enough information, by the rarity of the words.

    A word in m of n values has information log(n/m). What two values share must tell more than chance would: of n
    values fewer than √n would have it, were words independent. And it must be a good part of the longer value.
    """
    n, bits = len(forms), len(forms).bit_length()
    split = [sorted(set(form.split())) for form in forms]
    vocabulary: dict[str, int] = {}
    flat = np.array([vocabulary.setdefault(word, len(vocabulary)) for words in split for word in words], np.int64)
    starts = np.concatenate([[0], np.cumsum(np.fromiter(map(len, split), np.int64, n))])
    uses = np.bincount(flat, minlength=len(vocabulary))
    information = np.log(max(n, FEWEST) / np.maximum(uses, 1))
    information[np.fromiter((len(word) <= SHORT for word in vocabulary), bool, len(vocabulary))] = 0.0
    words, information = rarest_first(flat, starts, list(vocabulary), information)
    told = np.bincount(np.repeat(np.arange(n), np.diff(starts)), information[words], minlength=n)
    enough = 0.5 * math.log(max(n, FEWEST))
    needed = np.maximum(enough, SHARED * told) - ROUNDING
    keys = filled(lambda out: word_keys(words, starts, information, needed, enough, bits, out), 16 * n + 1024)
    found = Found()

    def drain(keys: NDArray[np.uint64], at: int, pairs: NDArray[np.int64]) -> tuple[int, int]:
        return share_words(keys, bits, at, words, starts, information, needed, pairs)

    found.read(without_crowds(keys, bits), drain)
    return found.pairs()


def rarest_first(
    flat: NDArray[np.int64], starts: NDArray[np.int64], vocabulary: list[str], information: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Number the words from the rarest on, equally rare ones by the alphabet, and sort those of each value."""
    alphabetic = np.argsort(np.array(vocabulary, object), kind="stable") if vocabulary else np.empty(0, np.int64)
    order = alphabetic[np.argsort(-information[alphabetic], kind="stable")]
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    value = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    words = rank[flat]
    return words[np.lexsort((words, value))], information[order]


def without_crowds(keys: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """Drop the keys that too many values share."""
    groups = np.append(True, keys[1:] >> bits != keys[:-1] >> bits) if len(keys) else np.empty(0, bool)
    group = np.cumsum(groups) - 1
    return keys[np.bincount(group)[group] <= CROWD] if len(keys) else keys
