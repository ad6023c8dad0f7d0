"""Where a chain begins."""

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.kernels import scan
from coterie.partition import Partition, canonical
from coterie.priors.distributions import Beta
from coterie.priors.law import Law
from coterie.sampler.conditionals import count_steps, make_model
from coterie.sampler.hyperparameters import first_parameters, law_at
from coterie.sampler.state import State
from coterie.sampler.target import Target
from coterie.sampler.work import Work, make_work, pairs_of, seat

# A pair in doubt is visited this often in a scan ...
IN_DOUBT = 1.0
# ... and one that is certain by itself this often, since the company that it is in may change.
CERTAIN = 0.1
# Rates above this would only repeat what was just drawn.
MOST_VISITS = 4.0


def start(rng: np.random.Generator, target: Target, work: Work | None = None) -> State:
    """Make the first state: everybody alone, then each candidate pair visited once.

    Where the prior allows too few clusters for that, the partition is drawn from the prior instead.

    Examples
    --------
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "ann", "bob", None]))
    >>> state = sampler.start(np.random.default_rng(1), sampler.make_target([name]))
    >>> state.labels.size, state.psi.shape
    (4, (1, 1))
    """
    work = make_work(target) if work is None else work
    parameters, log_mu = first_parameters(target.prior, target.n)
    law = law_at(target.prior, parameters, log_mu)
    once = np.ones(target.i.size, np.float32)
    psi = np.array([np.full(len(target.sources), _first_rate(rate)) for rate in target.distortion])
    state = State(_first_labels(rng, law, target), psi, parameters, log_mu, once)
    model = make_model(rng, law, state, target, work)
    seat(state.labels, target, work)
    pairs = pairs_of(target, once, work)
    scan.refresh(pairs, work.alone, work.clusters, model, work.bench)
    rate = informed_rates(target, work, law)
    scan.scan(
        rng,
        pairs,
        scan.Plan(0.0, 0, target.free),
        work.alone,
        work.clusters,
        model,
        work.bench,
        np.zeros(4, np.int64),
    )
    return state._replace(labels=work.clusters.label.copy(), rate=rate)


def _first_rate(rate: float | Beta) -> float:
    return rate.mean if isinstance(rate, Beta) else rate


def _first_labels(rng: np.random.Generator, law: Law, target: Target) -> NDArray[np.int32]:
    """Return everybody alone if the prior allows it, else a draw from the prior that keeps the constraints."""
    units = target.units.begin.size - 1
    if law.log_prob(Partition.from_labels(target.unit_of)) > -np.inf:
        return np.arange(units, dtype=np.int32)
    if target.units.constrained or target.free.size < units or units < target.n:
        hint = "Allow as many clusters as there are records, or drop the constraints."
        got = f"{law!r} with constraints, or with records that have no value"
        raise InputError("a prior under which all records can be alone", got[:120], hint)
    labels = canonical(law.sample(target.n, seed=rng).labels)
    first = np.full(labels.max() + 1, units)
    np.minimum.at(first, labels, np.arange(units))
    return first[labels].astype(np.int32)


def informed_rates(target: Target, work: Work, law: Law) -> NDArray[np.float32]:
    """Return how often to visit each candidate pair, from the evidence for it or the caller's weights.

    A pair that is together with probability p, by its own evidence and the prior, changes in a share p (1−p) of
    its visits, so it is visited in proportion to √(p (1−p)).
    """
    if target.weight is not None:
        rate = target.weight * (IN_DOUBT * target.i.size / target.weight.sum())
        return np.minimum(rate, MOST_VISITS).astype(np.float32)
    log_f = law.log_sizes(2)
    k = max(1, target.n // 2)
    log_odds = work.log_bayes + log_f[2] - 2.0 * log_f[1] - count_steps(law, k)
    # √(p (1−p)) = 1 / (e^{x/2} + e^{−x/2}), at most a half. Pairs of units with several records have no log odds.
    half = np.abs(np.nan_to_num(log_odds, nan=0.0, posinf=1e3, neginf=-1e3)) / 2.0
    spread = np.exp(-half) / (1.0 + np.exp(-2.0 * half))
    return np.maximum(2.0 * IN_DOUBT * spread, CERTAIN).astype(np.float32)
