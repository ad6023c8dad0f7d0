"""The whole model forwards: parameters, partition, rates, truths, records."""

from typing import Any, NamedTuple

import numpy as np

from coterie import fields, priors, sampler
from coterie.fields import Compiled
from coterie.priors.distributions import Beta, Dirichlet, log_dirichlet
from coterie.sampler.hyperparameters import law_at, scale, split_free
from coterie.sampler.state import State
from sampler import records, scenes

RATE = Beta(2, 6)


def template(n: int) -> list[Compiled]:
    """Return two fields of n records, whose values, frequencies, similarities and gaps are given."""
    names = ["anna", "anne", "hanna", "peter", "petra", "bob", None, "anna", "eve", "rob"]
    states = ["x", "y", "x", "z", None, "x", "y", "x", "w", "x"]
    columns = {
        "name": (fields.Text(RATE, cutoff=0.5, steepness=3.0, slip=0.4), names),
        "state": (fields.Category(RATE), states),
    }
    return [c for name, (kind, column) in columns.items() for c in kind.compile(name, *fields.encode(column[:n]))]


class Drawn(NamedTuple):
    """A draw from the joint law of everything."""

    labels: tuple[int, ...]
    psi: np.ndarray  # (F, sources)
    parameters: np.ndarray
    log_mu: np.ndarray
    fields: list[Compiled]


def draw_law(rng: np.random.Generator, prior: priors.Law, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the parameters on the real line, and log μ."""
    numbers, sizes = split_free(prior)
    parameters = np.array([scale(d)[0](d.sample(rng)) for d in numbers.values()])
    around = prior.free[sizes] if sizes is not None else None
    log_mu = np.empty(0)
    if isinstance(around, Dirichlet):
        log_mu = log_dirichlet(rng, around.weights(int(min(n, around.base.last))))
    return parameters, log_mu


def draw_partition(
    rng: np.random.Generator, prior: priors.Law, n: int
) -> tuple[tuple[int, ...], np.ndarray, np.ndarray]:
    """Draw parameters and a partition; where N is random, all anew until N = n."""
    while True:
        parameters, log_mu = draw_law(rng, prior, n)
        law: Any = law_at(prior, parameters, log_mu)
        if not hasattr(law, "simulate"):
            return tuple(law.sample(n, seed=rng).labels.tolist()), parameters, log_mu
        sizes = draw_sizes(rng, law, n)
        if sizes is not None and sizes.sum() == n:
            return tuple(rng.permutation(np.repeat(np.arange(sizes.size), sizes)).tolist()), parameters, log_mu


def draw_sizes(rng: np.random.Generator, law: Any, n: int) -> np.ndarray | None:
    """Draw the sizes above 0 as NBNB and NBD have it, None where the sum is not in 1, …, n."""
    if isinstance(law, priors.NBNB):
        k = rng.negative_binomial(law.a, 1.0 - law.q)
        sizes = rng.negative_binomial(law.r, 1.0 - law.p, k)
    else:
        k = rng.negative_binomial(law.a, 1.0 - law.q)
        sizes = 1 + rng.choice(law.mu.log_values.size, k, p=np.exp(law.mu.log_values))
    return sizes[sizes > 0] if 0 < sizes.sum() <= n else None


def draw_records(
    rng: np.random.Generator, blank: list[Compiled], labels: tuple[int, ...], psi: np.ndarray, source: np.ndarray
) -> list[Compiled]:
    """Draw truths from θ, and each value from P(x | y); what is missing stays so."""
    filled = []
    for f, field in enumerate(blank):
        codes = np.full(field.codes.size, -1, np.int32)
        shown = {s: shown_given_truth(field, float(psi[f, s])) for s in set(source.tolist())}
        for members in records.clusters_of(labels):
            y = rng.choice(field.size, p=field.theta)
            for n in members:
                if field.codes[n] >= 0:
                    codes[n] = rng.choice(field.size, p=shown[int(source[n])][:, y])
        filled.append(field._replace(codes=codes))
    return filled


def shown_given_truth(field: Compiled, psi: float) -> np.ndarray:
    """Return P(x | y) as a matrix whose columns add up to one."""
    matrix = np.array([records.show(field, x, psi) for x in range(field.size)])
    assert np.allclose(matrix.sum(axis=0), 1.0, atol=1e-12)
    return matrix / matrix.sum(axis=0)


def draw_all(rng: np.random.Generator, prior: priors.Law, blank: list[Compiled], source: np.ndarray) -> Drawn:
    """Draw everything from the joint law."""
    n = blank[0].codes.size
    labels, parameters, log_mu = draw_partition(rng, prior, n)
    psi = rng.beta(RATE.a, RATE.b, (len(blank), int(source.max()) + 1))
    return Drawn(
        scenes.first_labels(labels), psi, parameters, log_mu, draw_records(rng, blank, labels, psi, source)
    )


def state_of(drawn: Drawn, target: sampler.Target) -> State:
    """Return a draw as the state of a chain."""
    labels = scenes.first_labels([drawn.labels[n] for n in target.order])
    rate = np.ones(target.i.size, np.float32)
    return State(np.array(labels, np.int32), drawn.psi, drawn.parameters, drawn.log_mu, rate)


def figures(labels: tuple[int, ...], psi: np.ndarray, parameters: np.ndarray, log_mu: np.ndarray) -> list[float]:
    """Return what is compared: the number of clusters and of pairs, rates, parameters, the share of size one."""
    sizes = [len(c) for c in records.clusters_of(labels)]
    pairs = sum(s * (s - 1) // 2 for s in sizes)
    return [len(sizes), pairs, *psi.ravel().tolist(), *parameters.tolist(), *np.exp(log_mu[:1]).tolist()]
