"""Rules chosen by the program: nearly all pairs that share most of their evidence, for few pairs."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from coterie.candidates.covering import Option, count_pairs, cover
from coterie.candidates.key import Key
from coterie.candidates.planning import PAIRS_A_RECORD
from coterie.candidates.rules import Rule
from coterie.candidates.stress import agreement
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.connection import registered
from coterie.tables.names import RECORD

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]

# Records on which pairs are counted, and those of which copies with errors are made.
COUNTED, STRESSED = 20_000, 4_000
# For small tables more pairs than 20 a record are no burden.
FEWEST_PAIRS = 200_000
# So many of the keys are looked at: those that tell most.
MOST_CHOICES = 60
# A rule has this many keys at most.
MOST_KEYS = 4
# Of rules that are too costly, so many of the best are made longer.
BEAM = 200
# Rules that cost less than this share of the budget gain nothing by another key.
CHEAP = 0.002
# A rule alone may take this share of the budget.
MOST_SHARE = 0.4


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
    options = list(_options(keys, codes, agree, scale, budget, weight))
    return [
        Rule(
            tuple(keys[at].expression for at in option.keys),
            ", ".join(keys[at].title for at in option.keys),
            f"finds {found:.1%} of altered copies, {gain:.1%} more than those before, for about"
            f" {option.pairs / table.n:.2g} pairs a record",
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


def _weight(n: int, keys: Sequence[Key], agree: Bools) -> NDArray[np.float64]:
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
    agree: Bools,
    scale: float,
    budget: int,
    weight: NDArray[np.float64],
) -> Iterator[Option]:
    """Yield the rules that are not too costly; longer ones are made of those that cost more than they need."""
    columns = [set(key.columns) for key in keys]
    level: list[tuple[int, ...]] = [(at,) for at in range(len(keys))]
    for _ in range(MOST_KEYS):
        made = []
        for chosen in level:
            pairs = count_pairs(codes, chosen) * scale * scale
            finds: Bools = np.all(agree[:, chosen], axis=1)
            option = Option(chosen, pairs, finds)
            if pairs <= MOST_SHARE * budget:
                yield option
            if pairs > CHEAP * budget:
                made.append(option)
        made.sort(key=lambda option: -float(option.finds @ weight))
        level = [
            (*option.keys, at)
            for option in made[:BEAM]
            for at in range(option.keys[-1] + 1, len(keys))
            if not any(columns[at] & columns[other] for other in option.keys)
        ]
