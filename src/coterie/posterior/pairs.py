"""Posterior match probabilities of all pairs of records that any draw has together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.kernels import changes, counting
from coterie.kernels import pairs_together as kernels
from coterie.posterior.chain import Chain
from coterie.posterior.sizes import size_counts

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# So many pairs can be held at a time in a draw: beyond, the table of counts takes gigabytes, and a cluster of ten
# thousand records is not what a microclustering prior is for.
MOST_PAIRS = 50_000_000


class PairDraws(NamedTuple):
    """The pairs i < j that are together in some draw, ascending, and in how many draws of each chain."""

    i: Int32
    j: Int32
    counts: NDArray[np.int32]  # (pairs, chains)
    draws: Integers  # (chains,)
    together: tuple[Integers, ...]  # for each chain, how many pairs are together in each draw

    @property
    def p(self) -> Floats:
        """The share of all draws in which each pair is together."""
        return self.counts.sum(axis=1) / self.draws.sum()

    @property
    def p_by_chain(self) -> Floats:
        """The same by chain."""
        return self.counts / self.draws

    def of(self, left: int, right: int) -> float:
        """Return the share of all draws in which two records are together."""
        return float(self.of_many(np.array([min(left, right)]), np.array([max(left, right)]))[0])

    def of_many(self, i: Int32 | Integers, j: Int32 | Integers) -> Floats:
        """Return the same for many pairs i < j, most of which no draw may have together."""
        if not self.i.size:
            return np.zeros(len(i))
        # One number a pair, ascending as the pairs are.
        base = int(max(self.j.max(), np.max(j, initial=0))) + 1
        known, wanted = self.i.astype(np.int64) * base + self.j, i.astype(np.int64) * base + j
        at = np.minimum(np.searchsorted(known, wanted), known.size - 1)
        return np.where(known[at] == wanted, self.p[at], 0.0)


def count_pairs(chains: Sequence[Chain]) -> PairDraws:
    """Go through the changes of all chains, and count for each pair the draws in which it is together.

    Examples
    --------
    >>> from coterie.posterior.chain import chain_of
    >>> pairs = count_pairs([chain_of([[0, 0, 2], [0, 0, 0], [0, 1, 1], [0, 0, 2]])])
    >>> [(int(i), int(j), float(p)) for i, j, p in zip(pairs.i, pairs.j, pairs.p)]
    [(0, 1, 0.75), (0, 2, 0.25), (1, 2, 0.5)]
    """
    counter = counting.make_counter(len(chains), 1024)
    together = []
    for column, chain in enumerate(chains):
        check_together(chain)
        pairs = np.empty(chain.draws, np.int64)
        rings = changes.make_rings(chain.first)
        pairs[0], counter = kernels.count_first(column, chain.draws, rings, counter)
        for at, part in chain.chunks():
            counter = kernels.count_changes(
                part.record,
                part.label,
                part.begin,
                chain.draws - at,
                column,
                pairs[at - 1 : at + part.begin.size - 1],
                rings,
                counter,
            )
        together.append(pairs)
    draws = np.array([chain.draws for chain in chains], np.int64)
    used = np.flatnonzero((counter.key != counting.EMPTY) & counter.counts.any(axis=1))
    used = used[np.argsort(counter.key[used])]
    i, j = np.divmod(counter.key[used], chains[0].n)
    return PairDraws(i.astype(np.int32), j.astype(np.int32), counter.counts[used], draws, tuple(together))


def check_together(chain: Chain) -> None:
    """Refuse a chain with more pairs together in a draw than can be listed."""
    counts = size_counts([chain])
    pairs = sum(counts[size].astype(np.float64) * (size * (size - 1) / 2) for size in counts)
    most = float(np.max(pairs))
    if most > MOST_PAIRS:
        got = f"{most:,.0f} in a draw, and clusters of up to {max(counts):,} records"
        hint = "Clusters this large mean that the model sees no difference between records: see diagnose()."
        raise InputError(f"at most {MOST_PAIRS:,} pairs of records together", got, hint)
