"""Rules chosen by the program: nearly all pairs that share most of their evidence, for few pairs."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from coterie.candidates.covering import Option, cover, keyed
from coterie.candidates.key import Key
from coterie.candidates.rules import Rule
from coterie.candidates.stress import agreement
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.connection import registered
from coterie.tables.names import RECORD

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Records on which pairs are counted, and those of which copies with errors are made.
COUNTED, STRESSED = 20_000, 4_000
# Pairs for each record; and for small tables, where more are no burden.
PAIRS_A_RECORD, FEWEST_PAIRS = 20, 200_000
# So many of the keys are looked at: those that tell most.
MOST_CHOICES = 60
# A rule has this many keys at most.
MOST_KEYS = 4
# Of rules that are too costly, so many of the best are made longer.
BEAM = 200
# Rules that cost less than this share of the budget gain nothing by another key.
CHEAP = 0.002
# A rule may take these shares of the budget; where it would take more, its largest blocks are dropped.
SHARES = (0.2, 0.5)
# In large tables most keys have a few huge blocks; without them rules are cheap, and there can be many.
SHARE_OF_LARGE = 0.05
# So many rules are kept for each share.
MOST_OPTIONS = 2_000


def choose(table: Table, keys: Sequence[Key], budget: int | None = None) -> list[Rule]:
    """Choose rules that find records of one entity though a few of their columns are wrong.

    Records are copied with errors in up to three columns. Out of all sets of up to four keys of different columns
    those are taken, one after the other, that find the most copies not found yet for the pairs that they cost.

    Parameters
    ----------
    table
        Records.
    keys
        What rules can be made of; `keys_of` makes them for a column.
    budget
        How many pairs all rules may give; None: 20 for each record, or 200,000 where that is more. Pairs
        that several rules give are counted once.

    Returns
    -------
    rules
        Each with the reason for it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import candidates, tables
    >>> people = pa.table({"last": ["may", "may", "day", "lee"] * 9, "born": [str(1940 + at) for at in range(36)]})
    >>> table = tables.read(people)
    >>> keys = candidates.keys_of("last", "text", bits=2) + candidates.keys_of("born", "category", bits=5)
    >>> [rule.name for rule in candidates.choose(table, keys, budget=100)]
    ['born']
    """
    if not keys:
        raise InputError("keys to choose rules from", "none", "Pass those of keys_of(column, kind, bits).")
    keys = sorted(keys, key=lambda key: -key.bits)[:MOST_CHOICES]
    budget = max(PAIRS_A_RECORD * table.n, FEWEST_PAIRS) if budget is None else budget
    rng = np.random.default_rng(table.n)
    counted = np.sort(rng.permutation(table.n)[:COUNTED])
    stressed = np.sort(rng.permutation(counted.size)[:STRESSED])
    codes = _codes(table, keys, counted)
    agree = agreement(table, keys, counted[stressed])
    weight = _weight(table.n, keys, agree)
    scale = table.n / counted.size
    options = _options(keys, codes, stressed, agree, weight, scale, budget)
    return [
        Rule(
            tuple(keys[at].expression for at in option.keys),
            ", ".join(keys[at].title for at in option.keys),
            f"finds {found:.1%} of altered copies, {gain:.1%} more than those before, for about"
            f" {option.pairs / table.n:.2g} pairs a record",
            None if option.allowed is None else int(option.allowed),
        )
        for option, found, gain in cover(options, weight, budget, codes, scale)
    ]


def _codes(table: Table, keys: Sequence[Key], records: Integers) -> Integers:
    """Return the keys of records by number, a column for each; −1 where a key is missing."""
    made = ", ".join(f"CAST({key.expression} AS VARCHAR)" for key in keys)
    with registered(table.connection, "chosen", pa.table({RECORD: records})):
        sql = f"SELECT {made} FROM records JOIN chosen USING ({RECORD}) ORDER BY {RECORD}"
        found = pa.table(table.connection.sql(sql))
    return np.column_stack([_numbers(column) for column in found.columns])


def _numbers(column: Any) -> Integers:
    """Number the values of a column; −1 where nothing is there."""
    column = pc.if_else(pc.equal(column, ""), None, column).combine_chunks()
    encoded = pc.dictionary_encode(column)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    return pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)


def _weight(n: int, keys: Sequence[Key], agree: Bools) -> Floats:
    """Return how much each copy counts: once, if what it shares with its record tells it from N others."""
    best: dict[tuple[str, ...], NDArray[np.float64]] = {}
    for at, key in enumerate(keys):
        told = agree[:, at] * key.bits
        best[key.columns] = np.maximum(best.get(key.columns, told), told)
    bits = np.sum(list(best.values()), axis=0)
    return np.exp2(np.minimum(bits - math.log2(n), 0.0))


def _options(
    keys: Sequence[Key],
    codes: Integers,
    stressed: Integers,
    agree: Bools,
    weight: Floats,
    scale: float,
    budget: int,
) -> list[Option]:
    """Return the rules to choose from; longer ones are made of those that cost more than they need."""
    columns = [set(key.columns) for key in keys]
    level: list[tuple[int, ...]] = [(at,) for at in range(len(keys))]
    shares = SHARES if scale == 1 else (SHARE_OF_LARGE, *SHARES)
    shelves: list[list[tuple[float, Option]]] = [[] for _ in shares]
    for _ in range(MOST_KEYS):
        costly = []
        for chosen in level:
            finds: Bools = np.all(agree[:, chosen], axis=1)
            own, sizes = _sizes(codes, chosen, stressed)
            for share, shelf in zip(shares, shelves, strict=True):
                option = _capped(chosen, finds, own, sizes, scale, share * budget)
                if option.largest > 1:
                    shelf.append((float(option.finds @ weight), option))
            if sizes @ (sizes - 1) / 2 * scale * scale > CHEAP * budget:
                costly.append((float(finds @ weight), chosen))
        costly.sort(key=lambda each: -each[0])
        level = [
            (*chosen, at)
            for _, chosen in costly[:BEAM]
            for at in range(chosen[-1] + 1, len(keys))
            if not any(columns[at] & columns[other] for other in chosen)
        ]
    best = {
        (option.keys, option.largest): option
        for shelf in shelves
        for _, option in sorted(shelf, key=lambda each: -each[0])[:MOST_OPTIONS]
    }
    return list(best.values())


def _sizes(codes: Integers, chosen: Sequence[int], stressed: Integers) -> tuple[Integers, Integers]:
    """Return the size of the block of each record of which there is a copy, and the sizes of all blocks."""
    records, key = keyed(codes, chosen)
    ordered = np.sort(key)
    begin = np.flatnonzero(np.concatenate([ordered[:1] >= 0, ordered[1:] != ordered[:-1]]))
    sizes = np.diff(np.append(begin, ordered.size))
    own = np.zeros(len(codes), np.int64)
    own[records] = key
    has = np.zeros(len(codes), bool)
    has[records] = True
    block = np.searchsorted(ordered[begin], own[stressed]).clip(0, max(0, sizes.size - 1))
    return np.where(has[stressed], sizes[block] if sizes.size else 0, 0), sizes


def _capped(
    chosen: tuple[int, ...], finds: Bools, own: Integers, sizes: Integers, scale: float, allowed: float
) -> Option:
    """Return a rule without its largest blocks, so that it costs no more than it may."""
    counts = np.bincount(sizes, minlength=2)
    at = np.arange(counts.size)
    pairs = np.cumsum(counts * (at * (at - 1) / 2)) * scale * scale
    largest = int(np.searchsorted(pairs, allowed, side="right")) - 1
    if largest == counts.size - 1:
        return Option(chosen, max(2, largest), None, float(pairs[-1]), finds & (own > 0))
    # What a sample leaves is filled up with blocks whose size it does not tell.
    cost = allowed if scale > 1 else float(pairs[largest])
    return Option(chosen, largest, allowed, cost, finds & (own <= largest))
