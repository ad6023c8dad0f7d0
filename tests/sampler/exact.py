"""Exact posteriors over partitions of a few records, with what is inferred integrated out on a grid."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats

from coterie import Partition, priors
from coterie.fields import Compiled
from coterie.priors.distributions import Dirichlet
from oracles import set_partitions
from sampler import records
from sampler.branches import Labels
from sampler.scenes import first_labels, normalised


def given_psi(telling: Sequence[Compiled], psi: np.ndarray, source: np.ndarray, n: int) -> dict[Labels, float]:
    """Return Σ log R(c) of each partition."""
    logs = {}
    for labels in map(first_labels, set_partitions(n)):
        logs[labels] = math.fsum(records.log_r(telling, c, psi, source) for c in records.clusters_of(labels))
    return logs


def over_rates(
    telling: Sequence[Compiled], a: float, b: float, grid: np.ndarray, n: int
) -> dict[Labels, np.ndarray]:
    """Return, for each partition, the log of Beta(ψ; a, b) P(x | C, ψ) at each ψ of a grid, for one field."""
    [field] = telling
    source = np.zeros(n, np.int64)
    log_theta = math.fsum(math.log(field.theta[x]) for x in field.codes if x >= 0)
    known = int(np.sum(field.codes >= 0))
    logs = {}
    at = [given_psi(telling, np.array([[psi]]), source, n) for psi in grid]
    for labels in at[0]:
        dropped = known * np.log(grid) + log_theta
        logs[labels] = np.array([there[labels] for there in at]) + dropped + stats.beta.logpdf(grid, a, b)
    return logs


def with_prior(logs: dict[Labels, float], log_prior: Callable[[Labels], float]) -> dict[Labels, float]:
    """Return the posterior, given Σ log R(c) of each partition and the log probability that it has before."""
    return normalised({labels: log + log_prior(labels) for labels, log in logs.items()})


def of_sizes(sizes: Sequence[int]) -> Partition:
    """Return a partition with these sizes."""
    return Partition.from_sizes({s: list(sizes).count(s) for s in set(sizes)})


def log_prob_of(law: priors.Law, given_n: bool) -> Callable[[Labels], float]:
    """Return the log probability of a partition under a law."""
    return lambda labels: law.log_prob(Partition.from_labels(labels), given_n=given_n)


def log_nbd_dirichlet(a: float, q: float, around: Dirichlet) -> Callable[[Labels], float]:
    """Return log P(C_N) of NBD up to a constant, with μ ~ Dirichlet(concentration · base) integrated out.

    E ∏ μ_s^m_s is Γ(α)/Γ(α + k) ∏_s (α b_s)^(m_s): all sizes count, also those beyond N.
    """

    def log_prob(labels: Labels) -> float:
        sizes = [len(c) for c in records.clusters_of(labels)]
        k, total = len(sizes), around.concentration
        log = math.lgamma(a + k) - math.lgamma(a) + k * math.log(q) + math.lgamma(total) - math.lgamma(total + k)
        for s in set(sizes):
            weight, m = around.weights(s)[-1], sizes.count(s)
            log += m * math.lgamma(s + 1) + math.lgamma(weight + m) - math.lgamma(weight)
        return log

    return log_prob


def log_mixture(
    laws: Sequence[priors.Law], log_weights: Sequence[float], n: int, given_n: bool
) -> tuple[Callable[[Labels], float], dict[tuple[int, ...], np.ndarray]]:
    """Return the log probability under a mixture of laws, and the logs of its parts by the sizes."""
    parts: dict[tuple[int, ...], np.ndarray] = {}
    for labels in set_partitions(n):
        sizes = tuple(sorted(len(c) for c in records.clusters_of(labels)))
        if sizes not in parts:
            logs = [law.log_prob(of_sizes(sizes), given_n=given_n) for law in laws]
            parts[sizes] = np.array(logs) + np.array(log_weights)

    def log_prob(labels: Labels) -> float:
        logs = parts[tuple(sorted(len(c) for c in records.clusters_of(labels)))]
        return float(np.logaddexp.reduce(logs))

    return log_prob, parts
