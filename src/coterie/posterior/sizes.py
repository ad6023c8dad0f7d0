"""How many entities of each size every draw has."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import cluster_sizes as kernels
from coterie.posterior.chain import Chain

Integers = NDArray[np.int64]


def size_counts(chains: Sequence[Chain]) -> dict[int, Integers]:
    """Return for each size that occurs how many clusters have it in every draw, chains one after another.

    Examples
    --------
    >>> from coterie.posterior.chain import chain_of
    >>> size_counts([chain_of([[0, 0, 2], [0, 0, 0], [0, 1, 2]])])
    {1: array([1, 0, 3]), 2: array([1, 0, 0]), 3: array([0, 1, 0])}
    """
    series = [_of_chain(chain) for chain in chains]
    sizes = sorted(set().union(*series))
    nothing = [np.zeros(chain.draws, np.int64) for chain in chains]
    return {
        size: np.concatenate([one.get(size, zero) for one, zero in zip(series, nothing, strict=True)])
        for size in sizes
    }


def _of_chain(chain: Chain) -> dict[int, Integers]:
    """Return the same for one chain."""
    state = kernels.make_sizes(chain.first)
    sizes = np.flatnonzero(state.clusters)
    written = [np.column_stack([np.zeros_like(sizes), sizes, state.clusters[sizes]])]
    for at, part in chain.chunks():
        written.append(kernels.fill_sizes(part.record, part.label, part.begin, at, state))
    rows = np.concatenate(written)
    found = {}
    for size in np.unique(rows[:, 1]).tolist():
        draw, clusters = rows[rows[:, 1] == size][:, [0, 2]].T
        if size > 0:
            change = np.zeros(chain.draws, np.int64)
            change[draw] = np.diff(clusters, prepend=0)
            found[size] = np.cumsum(change)
    return found
