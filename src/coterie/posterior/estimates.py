"""What an estimate is made from: pairs, and some of the draws."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.posterior.chain import Chain
from coterie.posterior.clusters import count_clusters
from coterie.posterior.estimate import Loss, point_estimate
from coterie.posterior.losses import PairProbabilities
from coterie.posterior.matching_sets import ClusterCounts
from coterie.posterior.pairs import PairDraws

Int32 = NDArray[np.int32]

# So many draws of each chain are given to the search for an estimate.
DRAWS_TO_START = 5
# The variation of information is measured against so many draws of each chain, but not more than so many labels.
DRAWS_TO_COMPARE = 50
MOST_LABELS = 50_000_000


def estimate(chains: Sequence[Chain], pairs: PairDraws, loss: Loss) -> Int32:
    """Return the partition that loses least in expectation, as the smallest record of each record's cluster.

    Examples
    --------
    >>> from coterie.posterior import chain_of, count_pairs
    >>> chains = [chain_of([[0, 0, 2], [0, 0, 2], [0, 1, 1], [0, 0, 2]])]
    >>> estimate(chains, count_pairs(chains), "f1")
    array([0, 0, 2], dtype=int32)
    """
    clusters = None
    if loss == "mpmms":
        drawn = count_clusters(chains)
        times, draws = drawn.counts.sum(axis=1), int(drawn.draws.sum())
        clusters = ClusterCounts(drawn.begin, drawn.member, times, draws)
    return point_estimate(
        PairProbabilities(pairs.i, pairs.j, pairs.p),
        chains[0].n,
        loss=loss,
        draws=some_labels(chains, DRAWS_TO_COMPARE if loss == "vi" else DRAWS_TO_START),
        pairs_per_draw=np.concatenate(pairs.together),
        clusters=clusters,
    )


def some_labels(chains: Sequence[Chain], each: int) -> Int32:
    """Return the labels of some draws of each chain, evenly spread."""
    each = max(1, min(each, MOST_LABELS // (len(chains) * chains[0].n)))
    rows = []
    for chain in chains:
        chosen = np.unique(np.linspace(0, chain.draws - 1, each).astype(np.int64))
        rows += [labels.copy() for labels in chain.labels_at(chosen)]
    return np.array(rows)
