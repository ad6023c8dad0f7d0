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

# Where ψ is inferred, a chain that begins with a large one links too much, and takes long to let go again.
FIRST_RATE = 0.05
# A pair that is hopeless by itself is visited this often in a scan, since the company that it is in may change;
# where all pairs are candidates less often, so that each record is in two such visits in the mean.
FLOOR, FLOOR_OF_RECORD = 0.01, 2.0
# The caller's weights lead to one visit a scan in the mean; more than this would only repeat what was just drawn.
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
    scan.fill_bayes(pairs, work.alone, model)
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
    return min(rate.mean, FIRST_RATE) if isinstance(rate, Beta) else rate


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

    A pair that is together with probability p, by its own evidence and the prior, is visited √p + floor times.
    By the share p (1−p) of visits that change something, certain pairs need none; but then the chain, which starts
    with everybody alone, waits for them (measured in benchmarks/sampler.py).
    """
    if target.weight is not None:
        rate = target.weight * (target.i.size / target.weight.sum())
        return np.minimum(rate, MOST_VISITS).astype(np.float32)
    log_f = law.log_sizes(2)
    log_odds = work.log_bayes + log_f[2] - 2.0 * log_f[1] - count_steps(law, max(1, target.n // 2))
    # Pairs of units with several records have no Bayes factor; they are visited like certain ones.
    log_odds = np.nan_to_num(log_odds, nan=0.0, posinf=700.0, neginf=-700.0).clip(-700.0, 700.0)
    floor = min(FLOOR, FLOOR_OF_RECORD / 2.0 * target.n / max(1, target.i.size))
    return (1.0 / np.sqrt(1.0 + np.exp(-log_odds)) + floor).astype(np.float32)
