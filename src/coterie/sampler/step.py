"""One step of a chain: partition, distortion rates, parameters of the prior, each given the others."""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels import one_by_one, scan, truth
from coterie.kernels.bench import Model
from coterie.kernels.truth import AS_IT_IS, DISTORTED
from coterie.partition import Partition
from coterie.priors.distributions import Beta
from coterie.sampler.conditionals import prepare
from coterie.sampler.hyperparameters import draw_parameters
from coterie.sampler.state import Info, State
from coterie.sampler.target import Target
from coterie.sampler.work import Work, pairs_of

Floats = NDArray[np.float64]

# Working out all evidence anew, after ψ has changed, costs as much as some scans.
SCANS = 4
# The share of split–merge steps where more than two records are concerned.
SPLITS = 0.2
# One step in so many is with a pair drawn uniformly, so that every pair can meet (appendix B).
UNIFORM_EVERY = 100
# ψ is kept inside this range, where (1−ψ)/ψ and its powers are doubles.
SMALLEST_RATE = 1e-9


def step(rng: np.random.Generator, state: State, target: Target, work: Work | None = None) -> tuple[State, Info]:
    """Draw the next state of a chain.

    The candidate pairs are gone through `SCANS` times with chaperones and split–merge steps; then come the truths,
    from them ψ, and the parameters of the prior. The same generator and state give the same next state.

    Examples
    --------
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "ann", "bob", None]))
    >>> target = sampler.make_target([name])
    >>> rng = np.random.default_rng(1)
    >>> state, info = sampler.step(rng, sampler.start(rng, target), target)
    >>> 1 <= info.clusters <= 4
    True
    """
    work, model = prepare(rng, state, target, work)
    pairs, counts = pairs_of(target, state.rate, work), np.zeros(4, np.int64)
    scan.refresh(pairs, work.alone, work.clusters, model, work.bench)
    uniform = 1 + int(state.rate.sum(dtype=np.float64)) // UNIFORM_EVERY
    plan = scan.Plan(SPLITS, uniform, target.free)
    for _ in range(SCANS):
        scan.scan(rng, pairs, plan, work.alone, work.clusters, model, work.bench, counts)
    return _finish(rng, state, target, work, model, counts)


def sweep_one_by_one(
    rng: np.random.Generator, state: State, target: Target, work: Work | None = None
) -> tuple[State, Info]:
    """Draw the next state with the paper's baseline: each unit in turn is drawn a cluster among all.

    It needs N · |C| marginals, so it is for tiny data and for comparison.
    """
    work, model = prepare(rng, state, target, work)
    scan.refresh(pairs_of(target, state.rate, work), work.alone, work.clusters, model, work.bench)
    log_weights = np.empty(state.labels.size)
    changes = one_by_one.sweep(rng, target.free, work.alone, work.clusters, model, work.bench, log_weights)
    return _finish(rng, state, target, work, model, np.array([target.free.size, changes, 0, 0]))


def _finish(
    rng: np.random.Generator,
    state: State,
    target: Target,
    work: Work,
    model: Model,
    counts: NDArray[np.int64],
) -> tuple[State, Info]:
    """Draw ψ and the parameters of the prior, given the partition that the moves have led to."""
    distorted = np.zeros((*state.psi.shape, 2), np.int64)
    truth.fill_truth(rng, work.clusters, model, work.bench, distorted, np.empty((0, 0), np.int32))
    psi = draw_psi(rng, target, state.psi, distorted)
    parameters, log_mu = state.parameters, state.log_mu
    if target.prior.free:
        partition = partition_of(work)
        parameters, log_mu = draw_parameters(rng, target.prior, partition, parameters, log_mu)
    steps, changes, proposed, accepted = (int(count) for count in counts)
    info = Info(int(work.clusters.k[0]), steps, changes, proposed, accepted, distorted)
    return State(work.clusters.label.copy(), psi, parameters, log_mu, state.rate), info


def draw_psi(rng: np.random.Generator, target: Target, psi: Floats, distorted: NDArray[np.int64]) -> Floats:
    """Draw ψ | truths ~ Beta(a + distorted, b + as they are) for each field and source; fixed rates stay."""
    psi = psi.copy()
    for f, rate in enumerate(target.distortion):
        if isinstance(rate, Beta):
            drawn = rng.beta(rate.a + distorted[f, :, DISTORTED], rate.b + distorted[f, :, AS_IT_IS])
            psi[f] = np.clip(drawn, SMALLEST_RATE, 1.0 - SMALLEST_RATE)
    return psi


def partition_of(work: Work) -> Partition:
    """Return the sizes of the clusters as a partition."""
    rings = work.clusters
    heads = rings.label == np.arange(rings.label.size)
    sizes, counts = np.unique(rings.size[heads], return_counts=True)
    return Partition.from_sizes(dict(zip(sizes.tolist(), counts.tolist(), strict=True)))
