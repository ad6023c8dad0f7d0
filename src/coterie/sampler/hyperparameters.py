"""Draws of what the prior leaves open: its parameters by slice sampling, its law of sizes by Gibbs.

They are drawn given the partition with the normalised law, ``law.log_prob``: log P(C_N) where N is random, since N
is data then, and P(C_N | N) for the others.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.partition import Partition
from coterie.priors import Law
from coterie.priors.distributions import Beta, Continuous, Dirichlet, DrawnSizes, log_dirichlet
from coterie.priors.parameters import from_logit, log_complement, log_of, logit

Floats = NDArray[np.float64]

# One unit of a logarithm or logit is about as wide as these posteriors are.
WIDTH = 1.0
# An interval is not stepped out further than this, 1e±40 on the scale of logarithms.
STEPS_OUT = 92


def scale(distribution: Continuous) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Return the maps to the real line and back: logit for a probability, log for a positive number."""
    return (logit, from_logit) if isinstance(distribution, Beta) else (math.log, math.exp)


def log_prior(distribution: Continuous, y: float) -> float:
    """Return the log density at y on the real line."""
    _, back = scale(distribution)
    x = back(y)
    if x == 0.0 or not math.isfinite(x):
        return -math.inf
    jacobian = log_of(x) + log_complement(x) if isinstance(distribution, Beta) else y
    return distribution.log_density(x) + jacobian


def split_free(prior: Law) -> tuple[dict[str, Continuous], str | None]:
    """Return the parameters that are numbers, and the name of an inferred law of sizes."""
    numbers = {name: d for name, d in prior.free.items() if not isinstance(d, Dirichlet)}
    sizes = [name for name, d in prior.free.items() if isinstance(d, Dirichlet)]
    return numbers, sizes[0] if sizes else None


def law_at(prior: Law, parameters: Floats, log_mu: Floats) -> Law:
    """Return the prior with values in the place of its distributions."""
    numbers, sizes = split_free(prior)
    values: dict[str, Any] = {
        name: scale(d)[1](y) for (name, d), y in zip(numbers.items(), parameters, strict=True)
    }
    if sizes is not None:
        values[sizes] = DrawnSizes(log_mu)
    return prior.at(values) if values else prior


def first_parameters(prior: Law, n: int) -> tuple[Floats, Floats]:
    """Return the means, on the real line, and the logs of the base of a law of sizes."""
    numbers, sizes = split_free(prior)
    parameters = np.array([scale(d)[0](d.mean) for d in numbers.values()])
    log_mu = prior.free[sizes].base.log_pmf(np.arange(1, n + 1)) if sizes is not None else np.empty(0)
    return parameters, log_mu


def draw_parameters(
    rng: np.random.Generator, prior: Law, partition: Partition, parameters: Floats, log_mu: Floats
) -> tuple[Floats, Floats]:
    """Draw the parameters, and then the law of sizes, given the partition."""
    numbers, sizes = split_free(prior)
    parameters = parameters.copy()
    for at, distribution in enumerate(numbers.values()):

        def log_density(y: float, at: int = at, distribution: Continuous = distribution) -> float:
            before = log_prior(distribution, y)
            if before == -math.inf:
                return before
            point = parameters.copy()
            point[at] = y
            return before + law_at(prior, point, log_mu).log_prob(partition)

        parameters[at] = slice_sample(rng, log_density, float(parameters[at]))
    if sizes is not None:
        log_mu = draw_sizes(rng, prior, sizes, partition, parameters, log_mu)
    return parameters, log_mu


def slice_sample(rng: np.random.Generator, log_density: Callable[[float], float], y: float) -> float:
    """Draw the next point by stepping out and shrinking (Neal 2003)."""
    level = log_density(y) + math.log1p(-rng.random())
    low = y - WIDTH * rng.random()
    high = low + WIDTH
    # The steps are shared out at random between the two ends, which is what keeps the density.
    left = int(rng.random() * STEPS_OUT)
    right = STEPS_OUT - 1 - left
    while left > 0 and log_density(low) > level:
        low, left = low - WIDTH, left - 1
    while right > 0 and log_density(high) > level:
        high, right = high + WIDTH, right - 1
    while True:
        proposed = low + (high - low) * rng.random()
        if log_density(proposed) > level or proposed == y:
            return proposed
        low, high = (proposed, high) if proposed < y else (low, proposed)


def draw_sizes(
    rng: np.random.Generator, prior: Law, name: str, partition: Partition, parameters: Floats, log_mu: Floats
) -> Floats:
    """Draw μ from the Dirichlet posterior of independent sizes; accept by what else the law says of μ.

    For NBD that is nothing, and every draw is accepted. ESC is normalised by P(E_N), which depends on μ.
    """
    around: Dirichlet = prior.free[name]
    sizes, counts = partition.size_table
    weights = around.weights(log_mu.size)
    # The sizes beyond N have a share of μ, too, which nobody has drawn from.
    beyond = max(0.0, around.concentration - float(weights.sum()))
    weights[sizes - 1] += counts
    proposed = log_dirichlet(rng, np.append(weights, beyond))[:-1]

    def rest(log_sizes: Floats) -> float:
        law = law_at(prior, parameters, log_sizes)
        return law.log_prob(partition) - float(np.dot(counts, log_sizes[sizes - 1]))

    log_ratio = rest(proposed) - rest(log_mu)
    return proposed if math.log1p(-rng.random()) < log_ratio else log_mu
