"""Named tuples of arrays that compiled code passes as one pointer.

Compiled code passes a tuple word by word, seven or more for an array: for what a step takes as given, hundreds at
each call, packed and unpacked. That costs time in every step, and most of all while it is compiled. A class marked
`by_pointer` is laid out in memory once, where Python calls a kernel; from there on a pointer is passed.

In the code nothing changes: members are read by their names, and an instance of the class is passed. A kernel that
makes an instance itself passes it on with `lend`.
"""
# mypy: allow-untyped-calls
# Much of numba has no types.

import functools
import hashlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from numba import typeof
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

C = TypeVar("C", bound=type)
T = TypeVar("T")

# Bytes. No number is longer, and all words of an array are as long.
WORD = 8


class Pointer(types.Type):
    """The type of a pointer to an instance of a marked class.

    A member that is an instance of a marked class lies inside, and is reached by a pointer into the middle.
    """

    def __init__(self, of: Any, members: Iterable[types.Type]) -> None:
        self.of, self.members = of, tuple(members)
        # The name tells types apart, and is part of each symbol: spelt out, all members would be kilobytes.
        spelt = f"{of.__module__}.{of.__qualname__}{self.members}"
        super().__init__(f"{of.__name__}&{hashlib.blake2s(spelt.encode(), digest_size=8).hexdigest()}")


def by_pointer(of: C) -> C:
    """Mark a class of named tuples."""
    typeof_impl.register(of)(lambda given, _: Pointer(of, map(typeof, given)))
    return of


def lend(given: T) -> T:
    """Return the same; compiled, a pointer to an instance that a kernel has made.

    The instance must be an argument of the function that lends it: then it lives until that function returns.
    """
    return given


# From here on numba is told how to compile what uses the type.
register_model(Pointer)(models.OpaqueModel)


@infer_global(lend)
class _Lend(AbstractTemplate):
    """The type of what `lend` returns."""

    key = lend

    def generic(self, args: Any, _: Any) -> Any:
        [given] = args
        return signature(Pointer(given.instance_class, given.types), given)


@infer_getattr
class _Members(AttributeTemplate):
    """The types of members."""

    key = Pointer

    def generic_resolve(self, value: Pointer, attr: str) -> Any:  # type: ignore[override]
        names = value.of._fields
        return value.members[names.index(attr)] if attr in names else None


@functools.cache
def _words(member: types.Type) -> int:
    """Return how many words of eight bytes a member takes."""
    if isinstance(member, Pointer):
        return sum(map(_words, member.members))
    context = cpu_target.target_context
    return -(-context.get_abi_sizeof(context.get_value_type(member)) // WORD)


def _place(context: Any, builder: Any, pointer: Pointer, value: Any, at: int) -> Any:
    """Return where a member is."""
    member, offset = pointer.members[at], WORD * sum(map(_words, pointer.members[:at]))
    inside = context.get_value_type(member)
    return cgutils.pointer_add(
        builder, value, offset, inside if isinstance(member, Pointer) else inside.as_pointer()
    )


def _allocate(builder: Any, pointer: Pointer) -> Any:
    """Return place for an instance on the stack, as long as the function runs that is being compiled."""
    place = cgutils.alloca_once(builder, cgutils.intp_t, size=cgutils.intp_t(_words(pointer)))
    return builder.bitcast(place, cgutils.voidptr_t)


@lower_getattr_generic(Pointer)
def _member(context: Any, builder: Any, pointer: Pointer, value: Any, name: str) -> Any:
    """Read a member."""
    at = pointer.of._fields.index(name)
    place, member = _place(context, builder, pointer, value, at), pointer.members[at]
    if isinstance(member, Pointer):
        return place
    return impl_ret_borrowed(context, builder, member, builder.load(place))


@lower_builtin(lend, types.BaseNamedTuple)
def _lend(context: Any, builder: Any, called: Any, args: Any) -> Any:
    """Lay an instance out on the stack."""
    pointer, [instance] = called.return_type, args
    value = _allocate(builder, pointer)
    for at in range(len(pointer.members)):
        builder.store(builder.extract_value(instance, at), _place(context, builder, pointer, value, at))
    return value


@unbox(Pointer)
def _unbox(pointer: Pointer, instance: Any, c: Any) -> NativeValue:
    """Lay an instance from Python out on the stack of the function that calls the kernel."""
    value = _allocate(c.builder, pointer)
    cleanups, is_error = _fill(pointer, instance, value, c)

    def cleanup() -> None:
        for each in cleanups:
            each()

    return NativeValue(value, is_error=is_error, cleanup=cleanup)


def _fill(pointer: Pointer, instance: Any, value: Any, c: Any) -> tuple[list[Callable[[], None]], Any]:
    """Put the members of an instance into their places; return how to let go of them, and whether one failed."""
    cleanups: list[Callable[[], None]] = []
    is_error = cgutils.false_bit
    for at, member in enumerate(pointer.members):
        place = _place(c.context, c.builder, pointer, value, at)
        item = c.pyapi.tuple_getitem(instance, at)
        if isinstance(member, Pointer):
            more, failed = _fill(member, item, place, c)
            cleanups += more
        else:
            native = c.unbox(member, item)
            c.builder.store(native.value, place)
            failed = native.is_error
            cleanups.append(functools.partial(c.context.nrt.decref, c.builder, member, native.value))
        is_error = c.builder.or_(is_error, failed)
    return cleanups, is_error
