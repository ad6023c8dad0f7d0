"""What the moves of a step take as given: the law as tables, and the odds of showing the truth."""

import numpy as np

from coterie.kernels.bench import Model, Tables
from coterie.priors.law import Law
from coterie.sampler.hyperparameters import law_at
from coterie.sampler.state import State
from coterie.sampler.target import Target
from coterie.sampler.work import Work, make_work, seat


def count_steps(law: Law, k: int) -> float:
    """Return log g(k+1) − log g(k) for one k."""
    return float(law._log_count_steps(np.array([k]))[0])


def make_tables(rng: np.random.Generator, law: Law, n: int, clusters: int) -> Tables:
    """Return the tables of a law; where it has a product form, given a draw of u.

    u | C ~ Gamma(b + |C|, 1) makes g(k+1)/g(k) = (b + k) w into the constant u w: clusters no longer feel each
    other through |C|.
    """
    if law.product_form is None:
        return Tables(np.append(law.steps(n).log_count, -np.inf), law.log_sizes(n))
    b, w = law.product_form
    u = rng.gamma(b + clusters)
    return Tables(np.full(n + 1, np.log(u) + np.log(w)), law.log_sizes(n))


def make_model(rng: np.random.Generator, law: Law, state: State, target: Target, work: Work) -> Model:
    """Return what the kernels take as given; `scan.refresh` works out what the values tell."""
    clusters = int(np.count_nonzero(state.labels == np.arange(state.labels.size)))
    tables = make_tables(rng, law, target.n, clusters)
    return Model(tables, target.units, target.evidence, (1.0 - state.psi) / state.psi, work.values)


def prepare(rng: np.random.Generator, state: State, target: Target, work: Work | None) -> tuple[Work, Model]:
    """Seat the partition of a state, and return what the moves take as given."""
    work = make_work(target) if work is None else work
    seat(state.labels, target, work)
    law = law_at(target.prior, state.parameters, state.log_mu)
    return work, make_model(rng, law, state, target, work)
