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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

Floats = NDArray[np.float64]

# W(n) may fall or grow like exp(cn) over thousands of orders of magnitude. Blocks of this many are computed
# on a scale of their own, tilted by the slope c where the block begins; over 64 steps the slope changes little.
BLOCK = 64
# Sizes are left out that add less than e^-90 of what the largest would, unless W(n) is on this scale further than
# e^25 from where it was: then up to 10⁶ such sizes might add e^-26 of a sum, and the block is done in logarithms.
NEGLIGIBLE, MARGIN = 90.0, 25.0
# Beyond e^300 the products on this scale come near to the ends of what a double holds.
WIDEST = 300.0


class Scale(NamedTuple):
    """Room for what a block has on its own scale: μ_s tilted, s μ_s tilted, and the sums n W(n)."""

    mu: Floats
    sized_mu: Floats
    sums: Floats


@kernel
def fill_log_weights(chain: float, start: float, log_mu: Floats, log_w: Floats) -> None:
    """Fill log_w[n] = log W(n) for n = 0, …, N, where log_mu[s] = log μ_s for s = 0, …, S."""
    scale = Scale(np.zeros(log_mu.size), np.zeros(log_mu.size), np.zeros(BLOCK))
    log_w[0] = 0.0
    last, before = 0, 0  # the last two n that are possible
    for first in range(1, log_w.size, BLOCK):
        length = min(BLOCK, log_w.size - first)
        tilted = False
        if last > before:
            slope = (log_w[last] - log_w[before]) / (last - before)
            tilted = _fill_tilted(chain, start, log_mu, log_w, first, last, slope, scale)
        if not tilted:
            _fill_in_logs(chain, start, log_mu, log_w, first, length)
        for n in range(first, first + length):
            if log_w[n] > -np.inf:
                last, before = n, last


@kernel
def _fill_in_logs(chain: float, start: float, log_mu: Floats, log_w: Floats, first: int, length: int) -> None:
    """Fill the block first, …, first + length − 1, whatever its scale, with an exponential for each term."""
    for n in range(first, first + length):
        largest = min(n, log_mu.size - 1)
        top = -np.inf
        for s in range(1, largest + 1):
            top = max(top, log_mu[s] + log_w[n - s])
        log_w[n] = -np.inf
        if top > -np.inf:
            # [chain (n − s) + start s] / n varies too, yet by no more than a double can hold.
            top += np.log(max(chain, start))
            total = 0.0
            for s in range(1, largest + 1):
                log_term = log_mu[s] + log_w[n - s]
                if log_term > -np.inf:
                    total += np.exp(log_term - top) * (chain * (n - s) + start * s) / n
            log_w[n] = np.log(total) + top


@kernel
def _fill_tilted(
    chain: float,
    start: float,
    log_mu: Floats,
    log_w: Floats,
    first: int,
    last: int,
    slope: float,
    scale: Scale,
) -> bool:
    """Fill the block on the scale W(last) exp(slope (n − last)); return False where that is too narrow."""
    mu, sized_mu, sums = scale
    length = min(BLOCK, log_w.size - first)
    at_last = np.log(chain * last / first + start)
    spread = 0.0  # how far the earlier terms stand above the last, in logarithms
    for j in range(max(0, first - log_mu.size + 1), first):
        if log_w[j] > -np.inf:
            spread = max(
                spread, log_w[j] - log_w[last] - slope * (j - last) + np.log(chain * j / first + start) - at_last
            )
    if not spread < WIDEST:
        return False
    top, reach = _tilt(log_mu, slope, first + length - 1, NEGLIGIBLE + spread, mu, sized_mu)
    if reach == 0:
        return False
    sums[:] = 0.0
    for j in range(max(0, first - reach), first):
        w = np.exp(log_w[j] - log_w[last] - slope * (j - last))
        if w > 0.0:
            _add(chain * w * j, start * w, mu, sized_mu, j, first, length, reach, sums)
    for i in range(length):
        n = first + i
        w = sums[i] / n
        if w == 0.0 or not top + at_last - MARGIN < np.log(w) < spread + MARGIN:
            return False
        _add(chain * w * n, start * w, mu, sized_mu, n, first, length, reach, sums)
        log_w[n] = np.log(w) + log_w[last] + slope * (n - last)
    return True


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
def _tilt(
    log_mu: Floats, slope: float, furthest: int, negligible: float, mu: Floats, sized_mu: Floats
) -> tuple[float, int]:
    """Fill μ_s exp(−slope·s) and s times it; return the log of the largest, and the last s that counts, or 0."""
    largest = min(log_mu.size - 1, furthest)
    top = -np.inf
    for s in range(1, largest + 1):
        top = max(top, log_mu[s] - slope * s)
    if abs(top) > WIDEST:
        return top, 0
    reach = 0
    for s in range(1, largest + 1):
        tilted = log_mu[s] - slope * s
        mu[s] = np.exp(tilted)
        sized_mu[s] = s * mu[s]
        if tilted > top - negligible:
            reach = s
    return top, reach


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
