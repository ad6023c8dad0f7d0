"""The true values of entities, drawn on request: they are the canonical records."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import truth
from coterie.sampler.conditionals import prepare
from coterie.sampler.state import State
from coterie.sampler.target import Target
from coterie.sampler.work import Work


class Truths(NamedTuple):
    """The true value of each cluster in each field, and which records are distorted."""

    values: NDArray[np.int32]  # (|C|, F): the code of the true value; −1 where no record of the cluster has one
    cluster: NDArray[np.int64]  # (N,): the cluster of each record, as a row of ``values``
    distorted: NDArray[np.bool_]  # (N, F): whether a record shows another value than the true one


def draw_truths(rng: np.random.Generator, state: State, target: Target, work: Work | None = None) -> Truths:
    """Draw the true values, and with them the distortion flags, given the partition and ψ.

    Examples
    --------
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text(distortion=0.1).compile("name", *fields.encode(["ann", "ann", "bob", None]))
    >>> target = sampler.make_target([name])
    >>> rng = np.random.default_rng(1)
    >>> truths = sampler.draw_truths(rng, sampler.start(rng, target), target)
    >>> truths.distorted.shape, truths.values[truths.cluster[3]]
    ((4, 1), array([-1], dtype=int32))
    """
    work, model = prepare(rng, state, target, work)
    clusters, count = work.clusters, int(work.clusters.k[0])
    values = np.empty((count, len(target.fields)), np.int32)
    counts = np.zeros((*state.psi.shape, 2), np.int64)
    truth.fill_truth(rng, clusters, model, work.bench, counts, values)
    begin = np.concatenate([[0], np.cumsum([field.size for field in target.fields])])
    cumulative = np.concatenate([np.cumsum(field.theta) for field in target.fields])
    truth.fill_untouched(rng, begin, cumulative, clusters, model, work.bench, values)
    row_of_unit = np.searchsorted(np.flatnonzero(clusters.label == np.arange(clusters.label.size)), clusters.label)
    row = row_of_unit[target.unit_of]
    codes = model.evidence.codes
    distorted = (codes >= 0) & (codes != values[row])
    back = np.argsort(target.order)
    values -= np.where(values >= 0, begin[:-1], 0).astype(np.int32)
    return Truths(values, row[back], distorted[back])
