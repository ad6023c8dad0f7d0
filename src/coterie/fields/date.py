"""A field of dates, and the slips that are made with dates."""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.fields.compiled import Compiled
from coterie.fields.field import DISTORTION, SHARE, SLIP, STEEPNESS, Single, domain, observed, relabelled
from coterie.fields.number import FLAG, STEEPNESS_OF_DISTANCE, one_wrong, within
from coterie.fields.pairs import NO_PAIRS, Pairs, most_similar
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain, whole

# How similar dates are: one slip of the hand most, a year that is miscounted or of another century less.
WRONG_DIGIT = 1.0
SWAPPED = 1.0
MISCOUNTED = 0.5
# Years by which one is off where it is miscounted, or of another century.
YEARS_OFF = (1, 10, 100)
# The share of telling values that must agree that the day, or the month, comes first.
DECISIVE = 0.99

YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ].*)?")
EIGHT_DIGITS = re.compile(r"(\d{4})(\d{2})(\d{2})")
YEAR_LAST = re.compile(r"(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})(?:[T ].*)?")


class Day(NamedTuple):
    """What a date says, whether the calendar has it or not."""

    year: int
    month: int
    day: int

    @property
    def value(self) -> datetime.date | str:
        """The date, or what it would be called if there were one."""
        try:
            return datetime.date(*self)
        except ValueError:
            return f"{self.year:04}-{self.month:02}-{self.day:02}"


def _whole(name: str, value: Any) -> int:
    """Check that a parameter is a whole number from 0 on."""
    return whole(name, value, least=0)


def _format(name: str, value: Any) -> str | None:
    """Check a format of `datetime.strptime`."""
    if value is None or (isinstance(value, str) and "%" in value):
        return value
    hint = "It is read as datetime.strptime reads it."
    raise InputError(f"a format such as '%d/%m/%Y', or None, for {name!r}", repr(value)[:60], hint)


@dataclass(frozen=True)
class Date(Single):
    """Dates: of birth, of an event.

    Dates are similar when they are a few days apart; when one digit differs, or two neighbouring ones are swapped
    (of year, month and day written as eight digits); when day and month are swapped; when the year is off by one,
    by ten or by a century.

    Read are dates and times of Python, numpy and pandas, strings such as 1980-02-28 and 19800228, whole numbers
    such as 19800228, and 28/02/1980 or 02/28/1980 where the column itself tells which comes first. A date that
    the calendar does not have, such as 1980-02-31, is a value like others, and may be a slip of one that it has.
    What is no date at all is a value to which nothing is similar. Times of the day are dropped.

    Parameters
    ----------
    distortion
        The rate at which a record shows another value than the true one: a number (fixed), a `Beta` (inferred) or
        None (inferred with the default prior).
    format
        How strings are written, as for `datetime.datetime.strptime`; needed only where the column leaves it open.
    tolerance
        Days by which similar dates may be apart.
    parts
        Compile three fields instead of one: year, month and day. Only years are then similar to each other. What
        is no date is missing.
    steepness
        How much likelier the more similar slip is.
    slip
        τ, the share of slips among distortions.

    Examples
    --------
    >>> from coterie import fields
    >>> column = ["1980-02-03", "19800302", "1980-02-13", "1975-11-30"]
    >>> [born] = fields.Date().compile("born", *fields.encode(column))
    >>> [str(day) for day in born.values]
    ['1975-11-30', '1980-02-03', '1980-02-13', '1980-03-02']
    >>> born.similar[born.indptr[1]:born.indptr[2]]
    array([2, 3], dtype=int32)
    >>> [field.name for field in fields.Date(parts=True).compile("born", *fields.encode(["1980-02-03"]))]
    ['born.year', 'born.month', 'born.day']
    """

    distortion: float | Beta | None = None
    format: str | None = None
    tolerance: int = 1
    parts: bool = False
    steepness: float = STEEPNESS_OF_DISTANCE
    slip: float = SLIP
    domains: ClassVar[dict[str, Domain]] = {
        "distortion": DISTORTION,
        "format": domain(_format),
        "tolerance": domain(_whole),
        "parts": FLAG,
        "steepness": STEEPNESS,
        "slip": SHARE,
    }

    def compile(self, name: str, codes: ArrayLike, values: list[Any]) -> tuple[Compiled, ...]:
        if not self.parts:
            return super().compile(name, codes, values)
        records, values = observed(name, codes, values)
        days = self._days(name, values)
        return tuple(self._part(f"{name}.{part}", records, days, k) for k, part in enumerate(Day._fields))

    def read(self, name: str, codes: NDArray[np.int32], values: list[Any]) -> tuple[NDArray[np.int32], list[Any]]:
        days = self._days(name, values)
        read = [value if day is None else day.value for day, value in zip(days, values, strict=True)]
        return relabelled(codes, read, _order)

    def similar_pairs(self, name: str, values: list[Any]) -> Pairs:  # noqa: ARG002
        days = [_iso(value) for value in values]
        dated = np.array([i for i, day in enumerate(days) if day is not None], np.int64)
        dates = np.array([day for day in days if day is not None], np.int64).reshape(-1, 3)
        ordinals = [value.toordinal() for value in values if isinstance(value, datetime.date)]
        parts = [_one_digit(dates, "{:04}{:02}{:02}"), _day_and_month_swapped(dates), _years_off(dates)]
        close = within(np.array(ordinals, np.float64), self.tolerance, self.tolerance + 1.0)
        return most_similar(
            [*(part.between(dated[part.first], dated[part.second]) for part in parts), close], len(values)
        )

    def _days(self, name: str, values: list[Any]) -> list[Day | None]:
        """Read every value, None where it is no date; refuse a column without any."""
        order = _order_of(name, values) if self.format is None else None
        days = [_read(value, self.format, order) for value in values]
        if values and not any(days):
            hint = "Pass format= as for datetime.strptime, or make the column a Text or a Category."
            raise InputError(f"dates in {name!r}", f"{values[0]!r:.60}", hint)
        return days

    def _part(self, name: str, codes: NDArray[np.int32], days: list[Day | None], k: int) -> Compiled:
        """Compile year, month or day by itself."""
        numbers = np.array([*(-1 if day is None else day[k] for day in days), -1])[codes]
        values, inverse = np.unique(numbers[numbers >= 0], return_inverse=True)
        of_records = np.full(len(codes), -1, np.int32)
        of_records[numbers >= 0] = inverse
        pairs = NO_PAIRS
        if k == 0:
            years = values.astype(np.int64)[:, None]
            pairs = most_similar([_one_digit(years, "{:04}"), _years_off(years)], len(values))
        return self.assemble(name, of_records, values.tolist(), pairs)


# --- reading ---------------------------------------------------------------------------------------------------


def _order(value: Any) -> tuple[int, str, str]:
    """Put dates first, in their order, then dates that are none, then the rest."""
    if isinstance(value, datetime.date):
        return 0, value.isoformat(), ""
    return 1 if _iso(value) else 2, str(value), type(value).__name__


def _iso(value: Any) -> Day | None:
    """Return the day of a value as `read` leaves it."""
    if isinstance(value, datetime.date):
        return Day(value.year, value.month, value.day)
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", value) if isinstance(value, str) else None
    return Day(*map(int, found.groups())) if found else None


def _read(value: Any, written: str | None, order: Callable[[int, int, int], Day] | None) -> Day | None:
    """Return what a value says, None if it is no date."""
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[D]").item()
    if isinstance(value, datetime.date):  # and datetimes, and those of pandas
        return Day(value.year, value.month, value.day)
    if isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer():
        value = str(int(value))
    if not isinstance(value, str):
        return None
    text = value.strip()
    if written is not None:
        try:
            found = datetime.datetime.strptime(text, written)
            return Day(found.year, found.month, found.day)
        except ValueError:
            pass
    if match := YEAR_FIRST.fullmatch(text):
        return Day(int(match[1]), int(match[3]), int(match[4]))
    if match := EIGHT_DIGITS.fullmatch(text):
        return Day(int(match[1]), int(match[2]), int(match[3]))
    match = YEAR_LAST.fullmatch(text)
    return order(int(match[1]), int(match[3]), int(match[4])) if match and order else None


def _order_of(name: str, values: list[Any]) -> Callable[[int, int, int], Day] | None:
    """Find out whether the day or the month comes first where the year comes last, if that is so anywhere."""
    matches = [YEAR_LAST.fullmatch(value.strip()) for value in values if isinstance(value, str)]
    numbers = [(int(match[1]), int(match[3])) for match in matches if match]
    if not numbers:
        return None
    day_first = sum(a > 12 for a, _ in numbers)
    month_first = sum(b > 12 for _, b in numbers)
    if day_first + month_first:
        if day_first >= DECISIVE * (day_first + month_first):
            return lambda a, b, year: Day(year, b, a)
        if month_first >= DECISIVE * (day_first + month_first):
            return lambda a, b, year: Day(year, a, b)
    elif all(a == b for a, b in numbers):
        return lambda a, b, year: Day(year, a, b)
    open_to_both = next(match[0] for match in matches if match and match[1] != match[3])
    got = f"{open_to_both!r}, which may be either" if not day_first + month_first else "both"
    hint = "Say which with format='%d/%m/%Y' or format='%m/%d/%Y'."
    raise InputError(f"the day first or the month first throughout {name!r}", got, hint)


# --- similar dates ---------------------------------------------------------------------------------------------


def _one_digit(dates: NDArray[np.int64], written: str) -> Pairs:
    """Return the pairs of dates with one digit wrong, or two neighbours swapped."""
    pairs = one_wrong([written.format(*date) for date in dates.tolist()])
    return Pairs.of(pairs.first, pairs.second, np.full(len(pairs.first), WRONG_DIGIT))


def _day_and_month_swapped(dates: NDArray[np.int64]) -> Pairs:
    """Return the pairs of dates of which one has the day and the month of the other the wrong way about."""
    return _pairs_with(dates, dates[:, [0, 2, 1]], SWAPPED)


def _years_off(dates: NDArray[np.int64]) -> Pairs:
    """Return the pairs of dates whose years differ by 1, 10 or 100, and nothing else."""
    parts = [
        _pairs_with(dates, np.column_stack([dates[:, 0] + off, dates[:, 1:]]), MISCOUNTED) for off in YEARS_OFF
    ]
    return Pairs.joined(parts)


def _pairs_with(dates: NDArray[np.int64], others: NDArray[np.int64], similarity: float) -> Pairs:
    """Pair each date with another one, if that occurs."""
    places = 10 ** (2 * np.arange(dates.shape[1])[::-1])
    keys = dates @ places
    order = np.argsort(keys)
    wanted = others @ places
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)] if len(keys) else order
    first = np.flatnonzero(keys[at] == wanted)
    first = first[at[first] != first]
    return Pairs.of(np.minimum(first, at[first]), np.maximum(first, at[first]), np.full(len(first), similarity))
