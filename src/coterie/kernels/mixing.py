"""The table V_N(k+1)/V_N(k) of a mixture of finite mixtures, for all k at once."""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

Floats = NDArray[np.float64]

# The weights are multiplied by K − k this often before they are put back on a scale of logarithms. With
# K below 1e9 the products span at most 144 orders of magnitude, which doubles hold.
BLOCK = 16
# Weights below e^-60 = 1e-26 of the largest do not change a mean.
NEGLIGIBLE = 60.0


@kernel
def fill_ratios(log_weights: Floats, first: int, ratios: Floats) -> None:
    """Fill ratios[k] = Σ_K w_k(K) (K − k) / Σ_K w_k(K), where w_k(K) = w_0(K) K (K−1) … (K−k+1).

    log_weights[i] = log w_0(first + i); it is overwritten. The ratio is zero from the k on that no K allows.
    """
    count = log_weights.size
    weights = np.zeros(count)
    for block in range(0, ratios.size, BLOCK):
        top = log_weights.max()
        if top == -np.inf:
            ratios[block:] = 0.0
            return
        low, high = count, 0  # the window of weights that matter
        for i in range(count):
            weights[i] = np.exp(log_weights[i] - top)
            if log_weights[i] > top - NEGLIGIBLE:
                low, high = min(low, i), i + 1
        # The window moves up while the block is worked through.
        while high < count and log_weights[high] + BLOCK * np.log((first + high) / (first + low)) > (
            top - NEGLIGIBLE
        ):
            high += 1
        for k in range(block, min(block + BLOCK, ratios.size)):
            total, moved = 0.0, 0.0
            for i in range(low, high):
                total += weights[i]
                weights[i] *= max(0, first + i - k)
                moved += weights[i]
            ratios[k] = moved / total if total > 0.0 else 0.0
        for i in range(count):
            product = 1.0
            for k in range(block, min(block + BLOCK, ratios.size)):
                product *= max(0, first + i - k)
            log_weights[i] = log_weights[i] + np.log(product) if product > 0.0 else -np.inf
