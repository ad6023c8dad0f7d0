"""A field of numbers, which are similar when they are close."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields import join, strings
from coterie.fields.field import DISTORTION, SHARE, SLIP, STEEPNESS, Single, domain, relabelled
from coterie.fields.pairs import LONGEST_ROW, NO_PAIRS, Pairs, most_similar
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain, number

# The nearest slip is twenty times as likely as one at the tolerance.
STEEPNESS_OF_DISTANCE = 3.0
# A wrong digit is as likely as half the tolerance.
WRONG_DIGIT = 0.5
# A difference that exceeds the tolerance by a few units in the last place is within it: 1.1 − 1 is, of 0.1.
LAST_PLACES = 4


def _tolerance(name: str, value: Any) -> float:
    """Check a tolerance: a number that is not negative."""
    x = number(name, value, "a number from 0 on")
    if x < 0:
        raise InputError(f"a number from 0 on for {name!r}", repr(value), "0 is for equal numbers only.")
    return x


def _flag(name: str, value: Any) -> bool:
    """Check that a parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"True or False for {name!r}", repr(value)[:60], "Pass one of the two.")
    return bool(value)


TOLERANCE = domain(_tolerance)
FLAG = domain(_flag)


@dataclass(frozen=True)
class Number(Single):
    """Numbers: age, height, a price. Whole numbers and strings of numbers count as the numbers that they are.

    Parameters
    ----------
    tolerance
        Numbers are similar that differ by no more; closer ones more so. In the units of the column.
    distortion
        The rate at which a record shows another value than the true one: a number (fixed), a `Beta` (inferred) or
        None (inferred with the default prior).
    digits
        Whether whole numbers of two digits or more are also similar when one digit differs, or two neighbouring
        ones are swapped.
    steepness
        How much likelier the closer slip is: T(x|y) ∝ e^{steepness·similarity(x, y)} with similarity
        1 − |x − y|/tolerance.
    slip
        τ, the share of slips among distortions.

    Examples
    --------
    >>> from coterie import fields
    >>> [age] = fields.Number(tolerance=2).compile("age", *fields.encode([31, 32, 34, 70, None]))
    >>> age.values
    [31, 32, 34, 70]
    >>> age.similar[age.indptr[1]:age.indptr[2]]
    array([0, 2], dtype=int32)
    """

    tolerance: float
    distortion: float | Beta | None = None
    digits: bool = False
    steepness: float = STEEPNESS_OF_DISTANCE
    slip: float = SLIP
    domains: ClassVar[dict[str, Domain]] = {
        "tolerance": TOLERANCE,
        "distortion": DISTORTION,
        "digits": FLAG,
        "steepness": STEEPNESS,
        "slip": SHARE,
    }

    def read(self, name: str, codes: NDArray[np.int32], values: list[Any]) -> tuple[NDArray[np.int32], list[Any]]:
        return relabelled(codes, [_number(name, value) for value in values], lambda x: x)

    def similar_pairs(self, name: str, values: list[Any]) -> Pairs:  # noqa: ARG002
        x = np.array(values, np.float64)
        parts = [within(x, self.tolerance, self.tolerance)]
        if self.digits:
            parts.append(_digits(values))
        return most_similar(parts, len(values))


def _number(name: str, value: Any) -> int | float:
    """Return a number, or a string of one, as a number; whole ones as int, so that they keep their digits."""
    try:
        if isinstance(value, str):
            try:
                value = int(value)
            except ValueError:
                value = float(value)
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        x = np.nan
    if not np.isfinite(x):
        hint = "Turn such values into None, or make the column a Text or a Category."
        raise InputError(f"numbers in {name!r}", f"{value!r:.60}", hint)
    return int(value) if x.is_integer() else x


def within(x: NDArray[np.float64], tolerance: float, farthest: float) -> Pairs:
    """Return the pairs of ascending numbers no farther apart than the tolerance; similarity 1 − |x − y|/farthest.

    A number is paired with no more than so many to either side as a row may have.
    """
    parts = [NO_PAIRS]
    slack = LAST_PLACES * np.spacing(np.abs(x).max(initial=0.0))
    for shift in range(1, min(LONGEST_ROW, len(x) - 1) + 1):
        difference = x[shift:] - x[:-shift]
        first = np.flatnonzero(difference <= tolerance + slack)
        if not len(first) or tolerance == 0:
            break
        closeness = np.maximum(0.0, 1.0 - difference[first] / farthest)
        parts.append(Pairs.of(first, first + shift, closeness))
    return Pairs.joined(parts)


def _digits(values: list[Any]) -> Pairs:
    """Return the pairs of whole numbers with one digit wrong, or two neighbours swapped."""
    whole = np.flatnonzero([isinstance(value, int) for value in values])
    pairs = one_wrong([str(values[i]) for i in whole])
    return Pairs.of(whole[pairs.first], whole[pairs.second], np.full(len(pairs.first), WRONG_DIGIT))


def one_wrong(forms: list[str]) -> Pairs:
    """Return the pairs of equally long strings with one character wrong, or two neighbours swapped."""
    lengths = np.fromiter(map(len, forms), np.int64, len(forms))
    allowed = (np.arange(lengths.max(initial=0) + 1) > 1).astype(np.int64)
    pairs = strings.compare(forms, join.within_errors(forms, allowed), strings.EDIT, strings.ROUNDING)
    length = lengths[pairs.first]
    alike = (length == lengths[pairs.second]) & ((1.0 - pairs.similarity) * length < 1.5)
    return pairs.take(alike)
