"""What every kind of field has in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.fields.compiled import Compiled, assemble
from coterie.fields.pairs import Pairs, nearest
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain, Parametrised, identity, number, positive, probability

# The share of slips among distortions. On labelled names nine of ten errors are slips, and with a half the chain
# takes other names for errors (RLdata10000: F1 .957 with 0.5, .973 with 0.9).
SLIP = 0.9


def _distortion(name: str, value: Any) -> Any:
    """Check a distortion rate: a probability, a law of one, or None."""
    if value is None or isinstance(value, Beta):
        return value
    try:
        return probability(name, value)
    except InputError as error:
        hint = f"{error.hint} A rate that is to be inferred is a Beta, or None for the default prior."
        raise InputError(f"{error.expected}, a Beta, or None", error.got, hint) from None


def _share(name: str, value: Any) -> float:
    """Check a share that may be nothing but not all."""
    x = number(name, value, "a number from 0 to below 1")
    if not 0 <= x < 1:
        hint = "0 is for no slips at all; some distortions must be replacements, or no value could be any other."
        raise InputError(f"a number from 0 to below 1 for {name!r}", repr(value), hint)
    return x


def _cutoff(name: str, value: Any) -> float | None:
    """Check the similarity from which on two values are similar."""
    if value is None:
        return None
    x = number(name, value, "a number above 0 and at most 1")
    if not 0 < x <= 1:
        hint = "Similarities lie between 0 and 1; leave it out for the default."
        raise InputError(f"a number above 0 and at most 1 for {name!r}", repr(value), hint)
    return x


def domain(check: Any) -> Domain:
    """Return the domain of a parameter that is not inferred."""
    return Domain(check, identity, identity)


DISTORTION = domain(_distortion)
SHARE = domain(_share)
CUTOFF = domain(_cutoff)
STEEPNESS = domain(positive)


class Field(Parametrised, ABC):
    """A kind of field: which of its values are similar, how similar, and how often records are distorted.

    Kinds are frozen dataclasses whose repr is the call that made them. `distortion` is a number strictly between 0
    and 1 (fixed), a `Beta` (inferred), or None (inferred with the default prior).
    """

    domains: ClassVar[dict[str, Domain]] = {"distortion": DISTORTION}
    distortion: float | Beta | None

    def assemble(self, name: str, codes: NDArray[np.int32], values: list[Any], pairs: Pairs) -> Compiled:
        """Compile values that all occur, with the pairs of them that are similar."""
        slip, steepness = getattr(self, "slip", 0.0), getattr(self, "steepness", 1.0)
        pairs = nearest(pairs, len(values))
        return assemble(name, codes, values, pairs, slip=slip, steepness=steepness, distortion=self.distortion)


class Single(Field):
    """A kind of field that is read from one column."""

    def compile(self, name: str, codes: ArrayLike, values: list[Any]) -> tuple[Compiled, ...]:
        """Compile a column for the sampler.

        Parameters
        ----------
        name
            What the field is called.
        codes, values
            As `coterie.fields.encode` returns them: the index of each record's value, −1 where it is missing, and
            the distinct values. A value that no record has is dropped.

        Returns
        -------
        tuple of Compiled
            One, but for the kinds that say otherwise.
        """
        records, values = self.read(name, *observed(name, codes, values))
        return (self.assemble(name, records, values, self.similar_pairs(name, values)),)

    def read(
        self,
        name: str,  # noqa: ARG002
        codes: NDArray[np.int32],
        values: list[Any],
    ) -> tuple[NDArray[np.int32], list[Any]]:
        """Return codes and values as the kind understands them, in the order of the values."""
        return codes, values

    @abstractmethod
    def similar_pairs(self, name: str, values: list[Any]) -> Pairs:
        """Return the pairs of similar values among distinct ones, with their similarities."""


def relabelled(
    codes: NDArray[np.int32], read: list[Any], order: Callable[[Any], Any]
) -> tuple[NDArray[np.int32], list[Any]]:
    """Return codes into the distinct ones of the values read, in the order of a key."""
    values = sorted(dict.fromkeys(read), key=order)
    index = {value: i for i, value in enumerate(values)}
    renumbered = np.array([*(index[value] for value in read), -1], np.int32)
    return renumbered[codes], values


def observed(name: str, codes: ArrayLike, values: list[Any]) -> tuple[NDArray[np.int32], list[Any]]:
    """Check codes and values, and drop the values that no record has."""
    array = np.asarray(codes)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        got = f"an array of {array.dtype} with shape {array.shape}"
        raise InputError(f"a whole number for each record as codes of {name!r}", got, "Use fields.encode.")
    if array.size and (array.min() < -1 or array.max() >= len(values)):
        got = f"codes from {array.min()} to {array.max()} for {len(values)} values"
        raise InputError(f"codes from -1 to {len(values) - 1} for {name!r}", got, "Use fields.encode.")
    array = array.astype(np.int32)
    there = np.bincount(array[array >= 0], minlength=len(values)) > 0
    if there.all():
        return array, list(values)
    renumbered = np.where(there, np.cumsum(there) - 1, -1).astype(np.int32)
    renumbered = np.append(renumbered, np.int32(-1))  # what −1 points at
    return renumbered[array], [value for value, kept in zip(values, there, strict=True) if kept]
