"""Which rules together find most for the pairs that they cost."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# How many rules there are at most: each is a join of the whole table.
MOST_RULES = 28
# A rule must find this share of the copies that no other finds.
LEAST_GAIN = 0.0003
# Below this share of the budget, cheaper is no better; and how often rules that became idle are replaced.
FLOOR, ROUNDS = 0.05, 3


class Option(NamedTuple):
    """A rule that could be chosen: its keys, the pairs that it costs, and which copies it finds.

    Of the records that are counted, no more than ``largest`` share a block of it. ``allowed`` says how many pairs
    it may cost, if that makes a difference.
    """

    keys: tuple[int, ...]
    largest: int
    allowed: float | None
    pairs: float
    finds: Bools


def cover(
    options: Sequence[Option], weight: Floats, budget: float, codes: Integers, scale: float
) -> Iterator[tuple[Option, float, float]]:
    """Yield rules that find most for their pairs, with the share found so far and what the rule adds to it."""
    chosen: list[Option] = []
    allowed = budget
    for _ in range(ROUNDS):
        chosen = _without_idle(_filled(chosen, options, weight, allowed), weight)
        spent = _distinct(codes, chosen) * scale * scale
        allowed = sum(option.pairs for option in chosen) * budget / spent if spent else budget
    while spent > budget and len(chosen) > 1:
        allowed *= 0.9
        chosen = _without_idle(_filled([], options, weight, allowed), weight)
        spent = _distinct(codes, chosen) * scale * scale
    left = weight / weight.sum()
    for option in chosen:
        gain = float(left @ option.finds)
        left = left * ~option.finds
        yield option, 1 - float(left.sum()), gain


def _filled(chosen: Sequence[Option], options: Sequence[Option], weight: Floats, budget: float) -> list[Option]:
    """Add the rules that find most for their pairs, as long as there are pairs left to spend."""
    finds = np.array([option.finds for option in options], np.float32)
    cost = np.array([option.pairs for option in options])
    left = (weight / weight.sum()).astype(np.float32)
    filled, spent = list(chosen), sum(option.pairs for option in chosen)
    for option in chosen:
        left[option.finds] = 0
    while len(filled) < MOST_RULES:
        gain = finds @ left
        gain[cost + spent > budget] = 0
        best = int(np.argmax(gain / np.maximum(cost, FLOOR * budget)))
        if gain[best] < LEAST_GAIN:
            break
        filled.append(options[best])
        spent += options[best].pairs
        left[options[best].finds] = 0
    return filled


def _without_idle(chosen: Sequence[Option], weight: Floats) -> list[Option]:
    """Leave out rules, the costly first, that find hardly anything that no other finds."""
    kept, least = list(chosen), LEAST_GAIN * weight.sum()
    count = np.sum([option.finds for option in kept], axis=0)
    for option in sorted(chosen, key=lambda option: (-option.pairs, option.keys)):
        if float(weight @ (option.finds & (count == 1))) < least:
            kept = [other for other in kept if other is not option]
            count = count - option.finds
    return kept


def _distinct(codes: Integers, chosen: Sequence[Option]) -> int:
    """Return how many pairs of records some rule gives."""
    found = [_numbered_pairs(codes, option) for option in chosen]
    return np.unique(np.concatenate(found)).size if found else 0


def _numbered_pairs(codes: Integers, option: Option) -> Integers:
    """Return the pairs of records that a rule gives, a number for each."""
    records, key = keyed(codes, option.keys)
    order = np.argsort(key, kind="stable")
    records, key = records[order], key[order]
    size = np.diff(np.searchsorted(key, [key, key + 1], side="left"), axis=0)[0]
    records, key = records[size <= option.largest], key[size <= option.largest]
    pairs, apart = [np.empty(0, np.int64)], 1
    # Neighbours in the order, then those two apart, and so on, until no block is as large.
    while (same := key[apart:] == key[:-apart]).any():
        pairs.append(records[:-apart][same] * len(codes) + records[apart:][same])
        apart += 1
    return np.concatenate(pairs)


def keyed(codes: Integers, chosen: Sequence[int]) -> tuple[Integers, Integers]:
    """Return the records that have all keys that are chosen, and one number for the keys of each."""
    records = np.flatnonzero((codes[:, chosen] >= 0).all(axis=1))
    key = codes[records, chosen[0]]
    for at in chosen[1:]:
        key = key * (codes[:, at].max() + 1) + codes[records, at]
    return records, key
