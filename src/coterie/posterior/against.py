"""One partition held against every draw: what they have in common, and how often each cluster is drawn."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import against as kernels
from coterie.kernels import changes
from coterie.posterior.chain import Chain
from coterie.posterior.pairs import check_together

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Comparison(NamedTuple):
    """A partition and all draws, chains one after another."""

    pairs: int  # of the partition
    clusters: int
    pairs_drawn: Integers  # (draws,)
    pairs_both: Integers
    clusters_drawn: Integers
    clusters_both: Integers
    share: Floats  # (N,): by label, the share of the draws that have exactly this cluster; 0 where none is


def compare(labels: Int32, chains: Sequence[Chain]) -> Comparison:
    """Hold a partition, labelled by smallest records, against all draws.

    Examples
    --------
    >>> from coterie.posterior.chain import chain_of
    >>> chain = chain_of([[0, 0, 2], [0, 0, 0], [0, 1, 1], [0, 0, 2]])
    >>> found = compare(np.array([0, 0, 2], np.int32), [chain])
    >>> found.pairs_both, found.clusters_both, found.share
    (array([1, 1, 0, 1]), array([2, 0, 0, 2]), array([0.5, 0. , 0.5]))
    """
    n = labels.size
    size = np.bincount(labels, minlength=n).astype(np.int32)
    exact, rows = np.zeros(n, np.int64), []
    for chain in chains:
        check_together(chain)
        out = np.empty((chain.draws, 3), np.int64)
        rings = changes.make_rings(chain.first)
        state = kernels.Against(labels, size, np.zeros(n, np.int32), np.zeros(n, np.bool_), np.zeros(n, np.int64))
        kernels.compare_first(chain.draws, rings, state, out[0])
        for at, part in chain.chunks():
            kernels.compare_changes(
                part.record,
                part.label,
                part.begin,
                chain.draws - at,
                rings,
                state,
                out[at - 1 : at + part.begin.size - 1],
            )
        exact += state.draws
        rows.append(out)
    drawn, both, same = np.concatenate(rows).T
    sizes = size.astype(np.int64)
    return Comparison(
        pairs=int((sizes * (sizes - 1) // 2).sum()),
        clusters=int(np.count_nonzero(size)),
        pairs_drawn=drawn,
        pairs_both=both,
        clusters_drawn=np.concatenate([chain.entities for chain in chains]),
        clusters_both=same,
        share=exact / len(drawn),
    )
