"""The decorators of all kernels."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile with the result cached on disk and the interpreter's lock released while it runs.

    No fastmath: it breaks infinities, and draws that repeat bit for bit.
    """
    # Reference counts are asked for by name, since else a function takes the choice of the one that calls it.
    return _compile(function, counted=True)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of a kernel that neither allocates arrays nor receives new ones from what it calls.

    It carries no reference counts. They are atomic: with tuples of arrays passed around they would cost more than
    the arithmetic, and threads that share the arrays would wait for each other. What Python calls is a `kernel`.
    """
    return _compile(function, counted=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as `inner`, and into the function that calls it.

    Tuples of arrays are passed as hundreds of words, so a call costs more than a few lines of arithmetic.
    """
    return _compile(function, counted=False, forceinline=True)


def _compile(function: Callable[P, R], *, counted: bool, **more: bool) -> Callable[P, R]:
    # numba names its switch for reference counts with an underscore, and leaves it out of its types.
    options: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": counted} | more
    compiled: Callable[P, R] = numba.njit(**options)(function)
    return compiled
