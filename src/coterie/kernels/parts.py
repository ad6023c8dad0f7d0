"""How the parts of kernels are compiled: with the kernels that they are parts of, and only then.

Left to itself, numba optimises each function together with all that it calls, and emits machine code for it; and
again for each of its callers, up to the kernel. With six levels of calls that is most of the time that a first use
takes, and of all the machine code that of the kernels alone is ever run. A part is translated, and no more.
"""
# mypy: allow-untyped-calls
# Much of numba has no types. What is overridden here is not for users of numba, and may change with its versions.

import functools
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):
    """The code of a part, which is linked into that of its callers."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel."""

    def _finalize_specific(self) -> None:
        """Emit nothing."""


class PartCodegen(JITCPUCodegen):
    """Makes libraries of parts."""

    _library_class = PartLibrary

    def _add_module(self, module: Any) -> None:
        """Emit nothing."""

    def set_env(self, name: str, environment: Any) -> None:
        """Leave it: an environment is for Python's objects, which parts know nothing of."""


class PartCompiler(Compiler):
    """Compiles a part."""

    def __init__(self, typing: Any, target: Any, library: Any, *more: Any) -> None:
        super().__init__(typing, target, library or codegen().create_library("part"), *more)


@functools.cache
def codegen() -> PartCodegen:
    """Return the one that makes all libraries of parts."""
    return PartCodegen("coterie.kernels.parts")
