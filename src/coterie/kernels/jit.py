"""The one decorator of all kernels."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile with the result cached on disk and the interpreter's lock released while it runs.

    No fastmath: it breaks infinities, and draws that repeat bit for bit.
    """
    compiled: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
    return compiled
