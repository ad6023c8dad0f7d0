"""The decorators of all kernels, and the numbers with a type that they pass on."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np

from coterie.kernels.parts import PartCompiler

P = ParamSpec("P")
R = TypeVar("R")

# A literal number has a type of its own, and a function that is given one would be compiled once more for it.
ZERO: Any = np.int64(0)
ONE: Any = np.int64(1)
TWO: Any = np.int64(2)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile what Python calls, with the result cached on disk and the interpreter's lock released while it runs.

    No fastmath: it breaks infinities, and draws that repeat bit for bit.
    """
    return _compile(function, counted=True, cache=True, no_cfunc_wrapper=True)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of a kernel that neither allocates arrays nor receives new ones from what it calls.

    It carries no reference counts. They are atomic: they would cost more than the arithmetic, and threads that
    share the arrays would wait for each other. Python must not call a part: there is no way in.
    """
    return _compile(function, counted=False, **PART)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as `inner`, and into the function that calls it: what a step does several times."""
    return _compile(function, counted=False, forceinline=True, **PART)


def allocating(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of a kernel that allocates arrays, or receives new ones."""
    return _compile(function, counted=True, **PART)


PART: dict[str, Any] = {"pipeline_class": PartCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _compile(function: Callable[P, R], *, counted: bool, **more: Any) -> Callable[P, R]:
    # numba names its switch for reference counts with an underscore, and leaves it out of its types. It is always
    # set, since else a function takes the choice of the one that calls it.
    options: dict[str, Any] = {"nogil": True, "_nrt": counted} | more
    compiled: Callable[P, R] = numba.njit(**options)(function)
    return compiled
