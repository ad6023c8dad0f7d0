"""Parts of kernels, called from Python: for that each needs a way in, which the sampler itself has no use for."""

import functools
import types
from collections.abc import Callable
from typing import Any

import numba
from numba.core.dispatcher import Dispatcher


def called(part: Callable[..., Any]) -> Callable[..., Any]:
    """Return a part as a function that Python can call; what is no part is that already."""
    return way_in(part) if is_part(part) else part


def is_part(thing: Any) -> bool:
    """Tell whether something is a compiled function without a way in."""
    return isinstance(thing, Dispatcher) and "no_cpython_wrapper" in thing.targetoptions


@functools.cache
def way_in(part: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled function that does nothing but call a part."""

    @numba.njit
    def call(*arguments: Any) -> Any:
        return part(*arguments)

    return call


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel, or a part of one, as Python reads it; where nothing is compiled it is that already.

    All that it calls is what stands in its module now, compiled or put there by a test.
    """
    python = getattr(function, "py_func", None)
    if python is None:
        return function
    names = {name: called(thing) for name, thing in python.__globals__.items()}
    return types.FunctionType(python.__code__, names, python.__name__, python.__defaults__)
