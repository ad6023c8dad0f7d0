"""The work space of a chain, so that a step allocates nothing that grows with N."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import bench, clusters, scan
from coterie.kernels.bench import Bench
from coterie.kernels.clusters import Clusters
from coterie.kernels.values import Values
from coterie.sampler.target import Target

Floats = NDArray[np.float64]


class Work(NamedTuple):
    """Arrays that a step fills anew."""

    clusters: Clusters
    bench: Bench
    values: Values  # what each value tells
    alone: Floats  # log R of each unit alone
    log_bayes: Floats  # of each candidate pair


def make_work(target: Target) -> Work:
    """Allocate the work space for one chain."""
    count = target.units.begin.size - 1
    rings = Clusters(
        label=np.zeros(count, np.int32),
        after=np.zeros(count, np.int32),
        size=np.zeros(count, np.int32),
        log_r=np.zeros(count),
        k=np.zeros(1, np.int64),
    )
    shape = (target.evidence.value.shape[0], len(target.sources))
    return Work(
        clusters=rings,
        bench=bench.make_bench(target.units, len(target.fields)),
        values=Values(*(np.zeros(shape) for _ in Values._fields)),
        alone=np.zeros(count),
        log_bayes=np.zeros(target.i.size),
    )


def pairs_of(target: Target, rate: NDArray[np.float32], work: Work) -> scan.Pairs:
    """Return the candidate pairs as the kernels read them."""
    return scan.Pairs(target.i, target.j, rate, work.log_bayes)


def seat(labels: NDArray[np.int32], target: Target, work: Work) -> None:
    """Build the clusters of a state."""
    clusters.tie_all(labels.astype(np.int64), target.units.begin, work.clusters)
