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
    mu = np.zeros(log_mu.size)  # μ_s, tilted
    sized_mu = np.zeros(log_mu.size)  # s μ_s, tilted
    sums = np.zeros(BLOCK)
    log_w[0] = 0.0
    last, before = 0, 0  # the last two n that are possible
    for first in range(1, total + 1, BLOCK):
        length = min(BLOCK, total + 1 - first)
        slope = (log_w[last] - log_w[before]) / (last - before) if last > before else _first_slope(log_mu)
        reach = _tilt(log_mu, slope, first + length - 1, mu, sized_mu)
        sums[:] = 0.0
        for j in range(max(0, first - reach), first):
            w = np.exp(log_w[j] - log_w[last] - slope * (j - last))
            if w > 0.0:
                _add(chain * w * j, start * w, mu, sized_mu, j, first, length, reach, sums)
        for i in range(length):
            n = first + i
            w = sums[i] / n
            if w > 0.0:
                _add(chain * w * n, start * w, mu, sized_mu, n, first, length, reach, sums)
            sums[i] = w
        anchor, at = log_w[last], last
        for i in range(length):
            n = first + i
            log_w[n] = -np.inf
            if sums[i] > 0.0:
                log_w[n] = np.log(sums[i]) + anchor + slope * (n - at)
                last, before = n, last


@kernel
def _add(
    chained: float,
    started: float,
    mu: Floats,
    sized_mu: Floats,
    j: int,
    first: int,
    length: int,
    reach: int,
    sums: Floats,
) -> None:
    """Add what W(j) gives to n W(n) for each n > j of the block first, …, first + length − 1."""
    for n in range(max(first, j + 1), min(first + length, j + reach + 1)):
        sums[n - first] += chained * mu[n - j] + started * sized_mu[n - j]


@kernel
def _first_slope(log_mu: Floats) -> float:
    """Return the slope that makes the smallest possible size neither grow nor fall."""
    for s in range(1, log_mu.size):
        if log_mu[s] > -np.inf:
            return log_mu[s] / s
    return 0.0


@kernel
def _tilt(log_mu: Floats, slope: float, furthest: int, mu: Floats, sized_mu: Floats) -> int:
    """Fill μ_s exp(−slope·s) and s times it; return the last s up to furthest that is not negligible."""
    largest = min(log_mu.size - 1, furthest)
    top = -np.inf
    for s in range(1, largest + 1):
        top = max(top, log_mu[s] - slope * s)
    reach = 0
    for s in range(1, largest + 1):
        tilted = log_mu[s] - slope * s
        mu[s] = np.exp(tilted)
        sized_mu[s] = s * mu[s]
        if tilted > top - NEGLIGIBLE:
            reach = s
    return reach


@kernel
def next_size(u: float, n: int, chain: float, start: float, log_mu: Floats, log_w: Floats) -> int:
    """Return the size of the next cluster when n elements are left, given a uniform u."""
    x = u
    size = 0
    for s in range(1, min(n, log_mu.size - 1) + 1):
        log_term = log_mu[s] + log_w[n - s]
        if log_term > -np.inf:
            size = s
            x -= np.exp(log_term - log_w[n]) * (chain * (n - s) + start * s) / n
            if x < 0.0:
                return size
    return size  # u is within rounding of one


@kernel
def fill_sizes(
    rng: np.random.Generator,
    chain: float,
    start: float,
    log_mu: Floats,
    log_w: Floats,
    sizes: NDArray[np.int64],
) -> int:
    """Fill sizes[:k] with the cluster sizes of a draw of log_w.size − 1 elements and return k."""
    left = log_w.size - 1
    k = 0
    while left > 0:
        sizes[k] = next_size(rng.random(), left, chain, start, log_mu, log_w)
        left -= sizes[k]
        k += 1
    return k
