"""The distinct clusters of two records or more that were ever drawn, and in how many draws each is there."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import changes
from coterie.kernels import cluster_table as kernels
from coterie.posterior.chain import Chain

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class ClusterDraws(NamedTuple):
    """Distinct sets of records; the members of set c are ``member[begin[c]:begin[c + 1]]``, in no order."""

    begin: Integers
    member: Int32
    counts: NDArray[np.int32]  # (sets, chains): the draws that have it as a cluster
    draws: Integers  # (chains,)

    @property
    def p(self) -> Floats:
        """The share of all draws that have each set as a cluster."""
        return self.counts.sum(axis=1) / self.draws.sum()


def count_clusters(chains: Sequence[Chain]) -> ClusterDraws:
    """Go through the changes of all chains, and count for each set of two records or more the draws that have it.

    Examples
    --------
    >>> from coterie.posterior.chain import chain_of
    >>> found = count_clusters([chain_of([[0, 0, 2], [0, 0, 0], [0, 1, 1], [0, 0, 2]])])
    >>> for c, p in enumerate(found.p.tolist()):
    ...     print(found.member[found.begin[c] : found.begin[c + 1]].tolist(), p)
    [0, 1] 0.5
    [0, 1, 2] 0.25
    [1, 2] 0.25
    """
    table = kernels.make_table(len(chains), 1024)
    for column, chain in enumerate(chains):
        now, table = kernels.enter_first(column, chain.draws, changes.make_rings(chain.first), table)
        for at, part in chain.chunks():
            table = kernels.enter_changes(part.record, part.label, part.begin, at, chain.draws, column, now, table)
    used, members = (int(count) for count in table.used)
    draws = np.array([chain.draws for chain in chains], np.int64)
    return ClusterDraws(table.begin[: used + 1], table.member[:members], table.counts[:used], draws)
