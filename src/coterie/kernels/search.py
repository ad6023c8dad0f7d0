"""Where a number stands among ascending ones."""

from typing import Any

from numpy.typing import NDArray

from coterie.kernels.jit import inner


@inner
def position(y: int, ascending: NDArray[Any], begin: int, end: int) -> int:
    """Return the first place from begin on where a number is at least y; end if there is none."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < y:
            low = middle + 1
        else:
            high = middle
    return low
