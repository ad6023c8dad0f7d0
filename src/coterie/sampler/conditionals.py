"""What the moves of a step take as given: the law as tables, and the odds of showing the truth."""

import numpy as np

from coterie.kernels.bench import Model, Tables
from coterie.priors.law import Law
from coterie.sampler.state import State
from coterie.sampler.target import Target


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


def make_model(rng: np.random.Generator, law: Law, state: State, target: Target) -> Model:
    """Return what the kernels take as given."""
    clusters = int(np.count_nonzero(state.labels == np.arange(state.labels.size)))
    tables = make_tables(rng, law, target.n, clusters)
    return Model(tables, target.units, target.evidence, (1.0 - state.psi) / state.psi)
