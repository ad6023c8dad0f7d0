"""Pairs of records that are surely of one entity, and in which columns they differ."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from coterie.proposal.profile import Profile

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Bits that a difference speaks against a match: those of an error in one cell of sixteen.
AGAINST = 4.0
# A match is sure that is 2 to this power times likelier than not. There are so many more pairs of strangers than
# matches that with less the strangers would be as many as the people who move.
SURE = 8.0
# Of tables of more records than this, about this many have a key that is looked at.
RECORDS = 50_000
# Pairs of this many columns, those that tell most, are keys: a hundred at most, however wide a table is.
KEY_COLUMNS = 15
# Each record is paired with so many others with the same key: of few records there are seldom more.
NEIGHBOURS = 5
# To take a part of all keys: multiplied by one number, modulo a prime, they are spread evenly.
SPREAD, PRIME = 40_503, 2_147_483_647
# Values that are less alike than this are other things, and not the same thing with a typing error.
SLIP = 0.55


class Likely(NamedTuple):
    """Pairs of records, among which are those of one entity: arrays by pair and column."""

    pairs: Integers
    n: int  # records
    known: Bools  # whether both have a value
    differs: Bools  # whether both have one, and not the same
    bits: Floats  # −log₂ of the frequency of the value that they agree on, else 0

    def sure(self, without: Collection[int], bits: float = SURE) -> Bools:
        """Tell which pairs are surely of one entity by all columns but these.

        A record has two matches in three records, say, and a pair of records is one of N²/2; so the odds of a
        match are 1 to 1.5 N before anything is known.
        """
        others = [at for at in range(self.known.shape[1]) if at not in without]
        evidence = self.bits[:, others].sum(axis=1) - AGAINST * self.differs[:, others].sum(axis=1)
        return evidence > np.log2(1.5 * self.n) + bits

    def changed(self, column: Profile, at: int, which: Bools) -> Bools:
        """Tell which of some pairs have altogether different values in a column, not just a typing error."""
        words = [str(value).casefold() for value in column.values]
        out = self.differs[which, at].copy()
        codes = column.codes[self.pairs[which]]
        for pair in np.flatnonzero(out):
            left, right = codes[pair]
            out[pair] = OSA.normalized_similarity(words[left], words[right]) < SLIP
        return out


def likely(columns: Sequence[Profile], without: Collection[int] = ()) -> Likely:
    """Look at pairs of records that agree on two columns at least, not counting some columns."""
    pairs = _pairs([column for at, column in enumerate(columns) if at not in without])
    known, differs, bits = [], [], []
    for column in columns:
        left, right = column.codes[pairs].T
        there = (left >= 0) & (right >= 0)
        # The last one is for −1, a missing value, which tells nothing.
        told = np.append(-np.log2(column.counts / column.present), 0.0)
        known.append(there)
        differs.append(there & (left != right))
        bits.append(np.where(there & (left == right), told[left], 0.0))
    return Likely(pairs, columns[0].n, *(np.column_stack(each) for each in (known, differs, bits)))


def _pairs(columns: Sequence[Profile]) -> Integers:
    """Return pairs of records that agree on two columns; of a large block, neighbours only.

    Of a large table a part is enough: values are taken or left, so that blocks stay whole.
    """
    found = [np.empty(0, np.int64)]
    for a, b in combinations(sorted(columns, key=lambda column: -column.bits)[:KEY_COLUMNS], 2):
        key = a.codes.astype(np.int64) * b.distinct + b.codes
        kept = np.flatnonzero((a.codes >= 0) & (b.codes >= 0))
        kept = kept[key[kept] * SPREAD % PRIME % max(1, a.n // RECORDS) == 0]
        kept = kept[np.argsort(key[kept], kind="stable")]
        for shift in range(1, min(NEIGHBOURS, kept.size - 1) + 1):
            left, right = kept[:-shift], kept[shift:]
            same = key[left] == key[right]
            found.append(left[same] * a.n + right[same])
    return np.column_stack(np.divmod(np.unique(np.concatenate(found)), columns[0].n if columns else 1))
