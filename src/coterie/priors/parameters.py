"""Checked parameters, and numbers close to one that keep their digits."""

import math
import operator

from coterie.errors import InputError


class OneMinus(float):
    """The number 1 − x that remembers x; made by `one_minus`."""

    complement: float

    def __new__(cls, complement: float) -> "OneMinus":
        """Make the float 1 − complement."""
        self = super().__new__(cls, 1.0 - complement)
        self.complement = complement
        return self

    def __getnewargs__(self) -> tuple[float]:
        return (self.complement,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float) and complement(other) == self.complement

    def __hash__(self) -> int:
        return super().__hash__()

    def __repr__(self) -> str:
        return f"one_minus({self.complement!r})"


def one_minus(x: float) -> float:
    """Return 1 − x as a number that remembers x to all its digits.

    A float has but four digits of 1 − q left where 1 − q = 1e-12. Where a law's parameter is that close to
    one, say so with this.

    Examples
    --------
    >>> from coterie import priors
    >>> priors.NBNB(a=102.4, q=priors.one_minus(1.396e-7), r=2.955e-5, p=0.1875)
    NBNB(a=102.4, q=one_minus(1.396e-07), r=2.955e-05, p=0.1875)
    """
    return OneMinus(float(x))


def float_or_one_minus(x: float) -> float:
    """Return x as a float, keeping what `one_minus` remembers."""
    return x if isinstance(x, OneMinus) else float(x)


def complement(x: float) -> float:
    """Return 1 − x to full precision."""
    return x.complement if isinstance(x, OneMinus) else 1.0 - x


def number(name: str, value: object, expected: str) -> float:
    """Check that a parameter is a finite number."""
    hint = f"Pass a finite number for {name!r}."
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise InputError(f"{expected} for {name!r}", repr(value), hint)
    try:
        x = float_or_one_minus(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{expected} for {name!r}", repr(value), hint) from None
    if not math.isfinite(x):
        raise InputError(f"{expected} for {name!r}", repr(value), hint)
    return x


def positive(name: str, value: object) -> float:
    """Check that a parameter is a finite number above zero."""
    x = number(name, value, "a number above 0")
    if not x > 0:
        raise InputError(f"a number above 0 for {name!r}", repr(value), f"Choose a positive {name!r}.")
    return x


def probability(name: str, value: object) -> float:
    """Check that a parameter is a number strictly between zero and one."""
    x = number(name, value, "a number strictly between 0 and 1")
    if not (x > 0 and complement(x) > 0 and x <= 1):
        hint = "0 and 1 are limits only; write one_minus(1e-9) for a number that close to 1."
        raise InputError(f"a number strictly between 0 and 1 for {name!r}", repr(value), hint)
    return x


def whole(name: str, value: object, least: int = 1) -> int:
    """Check that a parameter is a whole number, at least ``least``."""
    expected = f"a whole number from {least} on for {name!r}"
    try:
        x = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        as_float = number(name, value, f"a whole number from {least} on")
        if not as_float.is_integer():
            raise InputError(expected, repr(value), f"Round {name!r}.") from None
        x = int(as_float)
    if isinstance(value, bool) or x < least:
        raise InputError(expected, repr(value), f"Pass {least} or more.")
    return x
