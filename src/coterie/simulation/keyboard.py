"""Slips of the fingers: a letter left out, put in, replaced by its neighbour on the keyboard, or two swapped."""

import unicodedata
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coterie.simulation.columns import Flags, Integers, Words

Letters = NDArray[np.uint32]

# Letters of a row touch the next one and, shifted by half a key, two of the row below.
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Of the languages with another keyboard, what stands elsewhere.
ELSEWHERE = {"de": ("yz", "zy"), "cs": ("yz", "zy"), "hu": ("yz", "zy"), "fr": ("azqw", "qwaz")}
SPACE_BAR = "cvbnm"
# Digits touch in their own row, and one above the other on the block of numbers.
DIGITS, BLOCK = "1234567890", ("789", "456", "123")
# What a scanner or a hurried reader confuses.
ALIKE = ("17", "06", "38", "56", "49", "il", "ce", "uv", "nm", "hn", "ao", "rn", "ft", "gq")
# Shares of the slips. Replaced and swapped letters keep a word's length; together they are about half.
LEFT_OUT, PUT_IN, REPLACED, SWAPPED = range(4)
SHARES = (0.25, 0.2, 0.35, 0.2)
# A letter too many is the same one twice, or the neighbouring key.
DOUBLED = 0.5


class Keyboard:
    """Which letters are written for which."""

    def __init__(self, language: str = "en") -> None:
        near = _neighbours(language)
        self._letters = np.array(sorted(ord(letter) for letter in near), np.uint32)
        widest = max(map(len, near.values()))
        self._near = np.zeros((len(near), widest), np.uint32)
        self._count = np.zeros(len(near), np.int64)
        for row, letter in enumerate(self._letters.tolist()):
            others = sorted(ord(other) for other in near[chr(letter)])
            self._near[row, : len(others)], self._count[row] = others, len(others)

    def near(self, rng: np.random.Generator, letters: Letters, alphabet: Letters) -> Letters:
        """Return for each letter, in lower case, another one: a neighbour, without its accent, or any."""
        plain = _cased(_without_accent, letters)
        at = np.minimum(np.searchsorted(self._letters, letters), len(self._letters) - 1)
        known = self._letters[at] == letters
        u = rng.random(len(letters))
        neighbour = self._near[at, (u * self._count[at]).astype(np.int64)]
        place = (u * len(alphabet)).astype(np.int64)
        any_other = alphabet[place]
        any_other = np.where(any_other == letters, alphabet[place - 1], any_other)
        return np.where(known, neighbour, np.where(plain != letters, plain, any_other))


def mistype(rng: np.random.Generator, words: Words, keyboard: Keyboard) -> Words:
    """Return other words, each with one slip; no word is empty, before or after."""
    if not len(words):
        return words
    letters = _letters(words)
    rows, length = np.arange(len(words)), (letters > 0).sum(axis=1)
    at = (rng.random(len(words)) * length).astype(np.int64)
    here, after = letters[rows, at], letters[rows, at + 1]
    kind = _possible(rng.choice(4, size=len(words), p=SHARES), length, here, after)
    written = _written(rng, kind, here, after, keyboard, _alphabet(letters))

    result = _shifted(letters, at, kind)
    for which, place, letter in (
        (kind == LEFT_OUT, at, np.where(_upper(here) == here, _like(after, here), after)),
        (kind == PUT_IN, at + 1, written),
        (kind == REPLACED, at, written),
        (kind == SWAPPED, at, _like(after, here)),
        (kind == SWAPPED, at + 1, _like(here, after)),
    ):
        result[rows[which], place[which]] = letter[which]
    return np.char.strip(np.ascontiguousarray(result).view(f"U{result.shape[1]}").ravel())


def _written(
    rng: np.random.Generator, kind: Integers, here: Letters, after: Letters, keyboard: Keyboard, alphabet: Letters
) -> Letters:
    """Return the letter that is replaced by, or put in behind, the one that is here, in the case of its place."""
    model = np.where((kind == PUT_IN) & (_lower(after) != _upper(after)), after, here)
    doubled = (kind == PUT_IN) & (rng.random(len(here)) < DOUBLED)
    return _like(np.where(doubled, here, keyboard.near(rng, _lower(here), alphabet)), model)


def _shifted(letters: Letters, at: Integers, kind: Integers) -> Letters:
    """Close the gap where a letter is left out, and make room behind the place where one is put in."""
    column = np.arange(letters.shape[1])
    source = column + ((kind == LEFT_OUT)[:, None] & (column >= at[:, None]))
    source -= (kind == PUT_IN)[:, None] & (column > at[:, None])
    return np.take_along_axis(letters, np.minimum(source, len(column) - 1), axis=1)


def _neighbours(language: str) -> dict[str, set[str]]:
    """Return the letters that are written for each letter."""
    moved = str.maketrans(*ELSEWHERE.get(language, ("", "")))
    rows = [row.translate(moved) for row in ROWS]
    pairs = {pair for row in (*rows, DIGITS) for pair in pairwise(row)} | {(pair[0], pair[1]) for pair in ALIKE}
    for above, below in pairwise(rows):
        pairs |= {*zip(above, below, strict=False), *zip(above[1:], below, strict=False)}
    for above, below in pairwise(BLOCK):
        pairs |= set(zip(above, below, strict=True))
    pairs |= {(" ", letter) for letter in SPACE_BAR}
    near: dict[str, set[str]] = {}
    for a, b in pairs:
        near.setdefault(a, set()).add(b)
        if a != " ":  # nobody writes a space for a letter
            near.setdefault(b, set()).add(a)
    return near


def _letters(words: Words) -> Letters:
    """Return the letters of words, a row each, with room for one more and a zero behind."""
    width = words.dtype.itemsize // 4
    letters = np.zeros((len(words), width + 2), np.uint32)
    letters[:, :width] = np.ascontiguousarray(words).view(np.uint32).reshape(len(words), width)
    return letters


def _possible(kind: Integers, length: Integers, here: Letters, after: Letters) -> Integers:
    """Replace a letter where there is none to leave out, or no two different ones to swap."""
    alone: Flags = (kind == LEFT_OUT) & (length == 1)
    same: Flags = (kind == SWAPPED) & ((after == 0) | (_lower(here) == _lower(after)))
    return np.where(alone | same, REPLACED, kind)


def _alphabet(letters: Letters) -> Letters:
    """Return the letters that occur in words, in lower case; at least two."""
    found = np.unique(_lower(np.unique(letters)))
    found = found[(found > 0) & (found != ord(" "))]
    return found if len(found) > 1 else np.array([ord("a"), ord("x")], np.uint32)


def _without_accent(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter)[0]


def _lower(letters: Letters) -> Letters:
    return _cased(str.lower, letters)


def _upper(letters: Letters) -> Letters:
    return _cased(str.upper, letters)


def _cased(case: Callable[[str], str], letters: Letters) -> Letters:
    """Change the case of letters; those that would become several letters stay as they are."""
    distinct, inverse = np.unique(letters, return_inverse=True)
    changed = [case(chr(letter)) for letter in distinct.tolist()]
    single = [
        ord(new) if len(new) == 1 else letter for new, letter in zip(changed, distinct.tolist(), strict=True)
    ]
    return np.array(single, np.uint32)[inverse]


def _like(letters: Letters, model: Letters) -> Letters:
    """Return letters in the case of others, where those have one."""
    lower, upper = _lower(model), _upper(model)
    changed = np.where(model == upper, _upper(letters), _lower(letters))
    return np.where(lower == upper, letters, changed)
