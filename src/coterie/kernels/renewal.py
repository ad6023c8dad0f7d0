"""Laws whose cluster sizes are independent draws from μ: their weights given N, and exact draws.

The generating functions of the three laws over N are

    ESC                1 / (1 − μ(z))
    NBD                1 / (1 − q μ(z))ᵃ
    compound Poisson   exp(α μ(z))

and their coefficients W(n) all obey one recursion without a minus sign (from F' ∝ μ' F),

    n W(n) = Σ_s μ_s [chain · (n − s) + start · s] W(n − s),        W(0) = 1,

with (chain, start) = (1, 1), (q, a q) and (0, α). Read forwards, the terms of the sum are the
probabilities of the size of the next cluster when n elements are left: a chain of such draws from N
down to 0 has exactly the law of the cluster sizes given N.
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

Floats = NDArray[np.float64]

# W(n) may fall or grow like exp(cn) over thousands of orders of magnitude. Blocks of this many are computed
# on a scale of their own, tilted by the slope c where the block begins; over 64 steps the slope changes little.
BLOCK = 64
# Products more than e^-90 = 1e-39 below the largest cannot change a sum of up to 1e9 of them.
NEGLIGIBLE = 90.0


@kernel
def fill_log_weights(chain: float, start: float, log_mu: Floats, log_w: Floats) -> None:
    """Fill log_w[n] = log W(n) for n = 0, …, N, where log_mu[s] = log μ_s for s = 0, …, S."""
    total = log_w.size - 1
    largest = log_mu.size - 1
    tilted_mu = np.zeros(largest + 1)
    sized_mu = np.zeros(largest + 1)
    window = np.zeros(largest + BLOCK)
    log_w[0] = 0.0
    last, before = 0, 0  # the last two n that are possible
    for first in range(1, total + 1, BLOCK):
        slope = (log_w[last] - log_w[before]) / (last - before) if last > before else _first_slope(log_mu)
        top = log_w[last]
        reach = _tilt(log_mu, slope, first, top, log_w, tilted_mu)
        for s in range(1, reach + 1):
            sized_mu[s] = s * tilted_mu[s]
        # window[i] = W(first − reach + i), on the block's scale
        for i in range(reach):
            n = first - reach + i
            window[i] = np.exp(log_w[n] - top - slope * (n - last))
        for n in range(first, min(first + BLOCK, total + 1)):
            i = n - first + reach
            chained, started = 0.0, 0.0
            for s in range(1, reach + 1):
                chained += tilted_mu[s] * window[i - s] * (n - s)
                started += sized_mu[s] * window[i - s]
            w = (chain * chained + start * started) / n
            window[i] = w
            log_w[n] = np.log(w) + top + slope * (n - last) if w > 0.0 else -np.inf
        for n in range(first, min(first + BLOCK, total + 1)):
            if log_w[n] > -np.inf:
                last, before = n, last


@kernel
def _first_slope(log_mu: Floats) -> float:
    """Return the slope that makes the smallest possible size neither grow nor fall."""
    for s in range(1, log_mu.size):
        if log_mu[s] > -np.inf:
            return log_mu[s] / s
    return 0.0


@kernel
def _tilt(
    log_mu: Floats, slope: float, first: int, top: float, log_w: Floats, tilted_mu: Floats
) -> int:
    """Fill μ_s exp(−slope·s) and return the largest s that can matter in the block that starts at first."""
    reach = 1
    largest = min(log_mu.size - 1, first + BLOCK - 1)
    for s in range(1, largest + 1):
        tilted = log_mu[s] - slope * s
        tilted_mu[s] = np.exp(tilted)
    return reach
