"""Parameters: their domains, and numbers close to one that keep their digits."""

import dataclasses
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

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

    def __ne__(self, other: object) -> bool:
        return not self == other

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
    return OneMinus(number("x", x, "a number strictly between 0 and 1"))


def complement(x: float) -> float:
    """Return 1 − x to full precision."""
    return x.complement if isinstance(x, OneMinus) else 1.0 - x


def log_of(x: float) -> float:
    """Return log x to full precision, also where x is close to one."""
    return math.log1p(-complement(x)) if x > 0.5 else math.log(x)


def log_complement(x: float) -> float:
    """Return log(1 − x) to full precision, wherever x is."""
    return math.log(complement(x)) if x > 0.5 else math.log1p(-x)


def number(name: str, value: object, expected: str) -> float:
    """Check that a parameter is a finite number."""
    hint = f"Pass a finite number for {name!r}."
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise InputError(f"{expected} for {name!r}", repr(value)[:60], hint)
    try:
        x = value if isinstance(value, OneMinus) else float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{expected} for {name!r}", repr(value)[:60], hint) from None
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
        hint = "0 and 1 are limits only; write priors.one_minus(1e-9) for a number that close to 1."
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


def discount(name: str, value: object) -> float:
    """Check that a parameter is at least zero and below one."""
    x = number(name, value, "a number from 0 to below 1")
    if not 0 <= x < 1:
        raise InputError(f"a number from 0 to below 1 for {name!r}", repr(value), "0 is the Dirichlet process.")
    return x


class Domain(NamedTuple):
    """Where a parameter lives: the check of a value, and a map to the real line and back."""

    check: Callable[[str, Any], Any]
    to_real: Callable[[Any], float]
    from_real: Callable[[float], Any]


def logit(x: float) -> float:
    """Return log x/(1−x) to full precision."""
    return log_of(x) - log_complement(x)


def from_logit(y: float) -> float:
    """Return the probability whose logit is y, with the digits of its complement."""
    return OneMinus(math.exp(-y) / (1.0 + math.exp(-y))) if y > 0 else math.exp(y) / (1.0 + math.exp(y))


def identity(value: Any) -> Any:
    """Return the value."""
    return value


POSITIVE = Domain(positive, math.log, math.exp)
REAL = Domain(lambda name, value: number(name, value, "a number"), float, float)
PROBABILITY = Domain(probability, logit, from_logit)
WHOLE = Domain(whole, math.log, lambda y: max(1, round(math.exp(y))))
DISCOUNT = Domain(discount, identity, identity)


class Inferred(ABC):
    """What stands in the place of a parameter that is not known: a distribution (see distributions.py)."""

    @abstractmethod
    def check_place(self, name: str, domain: Domain) -> None:
        """Refuse to stand for a parameter of another kind."""


class Parametrised:
    """A frozen dataclass whose parameters are checked when it is made."""

    domains: ClassVar[dict[str, Domain]]

    def __post_init__(self) -> None:
        for name, domain in self.domains.items():
            value = getattr(self, name)
            if isinstance(value, Inferred):
                value.check_place(name, domain)
            else:
                object.__setattr__(self, name, domain.check(name, value))

    @property
    def free(self) -> dict[str, Any]:
        """The distributions among the parameters, by name; those of a law inside are called ``mu.r``, say."""
        found: dict[str, Any] = {}
        for name, value in self.parameters.items():
            if isinstance(value, Inferred):
                found[name] = value
            elif isinstance(value, Parametrised):
                found |= {f"{name}.{inner}": distribution for inner, distribution in value.free.items()}
        return found

    def at(self, values: Mapping[str, Any]) -> Self:
        """Return the same with values for the parameters that are named as in ``free``."""
        changes: dict[str, Any] = {name: value for name, value in values.items() if "." not in name}
        for name, inner in self.parameters.items():
            if isinstance(inner, Parametrised):
                prefix = f"{name}."
                own = {full.removeprefix(prefix): v for full, v in values.items() if full.startswith(prefix)}
                if own:
                    changes[name] = inner.at(own)
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def check_known(self) -> None:
        """Refuse to compute with distributions in the place of parameters."""
        if self.free:
            hint = "Put numbers in their place, with law.at({...}) say; only a sampler draws parameters."
            raise InputError(
                f"a {type(self).__name__} with numbers", f"distributions for {', '.join(self.free)}", hint
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
