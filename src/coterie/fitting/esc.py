"""The size distribution of ESC under which a partition is most probable."""

from typing import TYPE_CHECKING

import numpy as np

from coterie.partition import Partition, SizeTable
from coterie.priors.counts import Probabilities
from coterie.priors.esc import ESC

if TYPE_CHECKING:
    from coterie.fitting.rules import Best

Floats = np.typing.NDArray[np.float64]


def fit_esc_frequencies(partition: Partition) -> "Best":
    """Fit the probabilities of the sizes that occur.

    They are not the frequencies: that the sizes add up to N is given, and longer sizes meet N more rarely. With
    μ_s ∝ e^{η_s} and M_s the number of clusters of size s, which is m_s here, the gradient is
    (m_s − E M_s) − μ_s Σ_t (m_t − E M_t).
    """
    from scipy.optimize import minimize

    from coterie.fitting.rules import Best

    table = partition.size_table

    def loss(eta: Floats) -> tuple[float, Floats]:
        law = _law(eta, table)
        residual = table.counts - expected_counts(law, partition.n, table)
        mu = np.exp(law.mu.log_pmf(table.sizes))
        return -law.log_prob(partition), -(residual - mu * residual.sum())

    start = np.log(table.counts / table.counts.sum())
    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    )
    return Best(_law(found.x, table))


def _law(eta: Floats, table: SizeTable) -> ESC:
    weights = np.exp(eta - eta.max())
    values = np.zeros(int(table.sizes[-1]))
    values[table.sizes - 1] = weights / weights.sum()
    return ESC(Probabilities(values))


def expected_counts(law: ESC, n: int, table: SizeTable) -> Floats:
    """Return E M_s = μ_s Σ_j W(j) W(N − s − j) / W(N) for the sizes of a table."""
    log_w = law._draws(n).log_weights
    w, log_mu = np.exp(log_w), law.mu.log_pmf(table.sizes)
    return np.array(
        [
            np.exp(log) * np.dot(w[: n - s + 1], w[n - s :: -1]) / w[n]
            for s, log in zip(table.sizes, log_mu, strict=True)
        ]
    )
