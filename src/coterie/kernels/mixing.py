"""The table log V_N(k+1)/V_N(k) of a mixture of finite mixtures, for all k at once."""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

Floats = NDArray[np.float64]

# The weights are multiplied by K − k this often before they are put back on a scale of logarithms. With
# K below 1e9 the products span at most 144 orders of magnitude, which doubles hold.
BLOCK = 16
# Weights below e^-60 = 1e-26 of the largest do not change a mean.
NEGLIGIBLE = 60.0
# Where the largest weight at the end of a block begins lower than e^-200, with as much to go, the block is cut.
DEEP = 200.0


@kernel
def fill_log_ratios(log_weights: Floats, first: int, log_ratios: Floats) -> None:
    """Fill log Σ_K w_k(K) (K − k) / Σ_K w_k(K), where w_k(K) = w_0(K) K (K−1) … (K−k+1), for k = 0, 1, …

    log_weights[i] = log w_0(first + i); it is overwritten. The ratio is zero from the k on that no K allows.

    A larger K gains on a smaller one with each k. So only these K count anywhere in a block: up from the first
    that counts at its beginning, and down from the last that counts at its end.
    """
    n, count = log_ratios.size, log_weights.size
    weights, after = np.zeros(count), np.empty(count)
    k = 0
    while k < n:
        top = log_weights.max()
        last = count - 1
        while last >= 0 and log_weights[last] == -np.inf:
            last -= 1
        if last < 0 or first + last <= k:
            log_ratios[k:] = -np.inf
            return
        end = min(k + BLOCK, n, first + last)
        multiply(log_weights, first, k, end, after)
        while end > k + 1 and log_weights[np.argmax(after)] < top - DEEP:
            end = k + (end - k) // 2
            multiply(log_weights, first, k, end, after)
        top_after = after.max()
        low = 0
        while log_weights[low] < top - NEGLIGIBLE:
            low += 1
        while after[last] < top_after - NEGLIGIBLE:
            last -= 1
        if end == k + 1:
            # Each sum on the scale of its own largest term, however far apart they are.
            total, moved = 0.0, 0.0
            for i in range(low, last + 1):
                total += np.exp(log_weights[i] - top)
                moved += np.exp(after[i] - top_after)
            log_ratios[k] = top_after - top + np.log(moved / total)
        else:
            for i in range(low, last + 1):
                weights[i] = np.exp(log_weights[i] - top)
            for j in range(k, end):
                total, moved = 0.0, 0.0
                for i in range(low, last + 1):
                    total += weights[i]
                    weights[i] *= max(0, first + i - j)
                    moved += weights[i]
                log_ratios[j] = np.log(moved / total)
        log_weights[:] = after
        k = end


@kernel
def multiply(log_weights: Floats, first: int, begin: int, end: int, after: Floats) -> None:
    """Fill after[i] = log_weights[i] + log ∏_{begin ≤ j < end} (K − j) for K = first + i."""
    for i in range(log_weights.size):
        product = 1.0
        for j in range(begin, end):
            product *= max(0, first + i - j)
        after[i] = log_weights[i] + np.log(product) if product > 0.0 else -np.inf
