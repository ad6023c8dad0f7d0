"""Similar values: which pairs to keep, and which to compare at all."""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel


@kernel
def keep_nearest(
    first: NDArray[np.int32], second: NDArray[np.int32], room: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Keep each pair in turn while both its values have room; updates `room` in place."""
    kept = np.zeros(first.shape[0], np.bool_)
    for e in range(first.shape[0]):
        i, j = first[e], second[e]
        if room[i] > 0 and room[j] > 0:
            kept[e] = True
            room[i] -= 1
            room[j] -= 1
    return kept
