"""Days of birth, and the mistakes that are made in writing them: what comes out always is a date."""

import numpy as np

from coterie.simulation.columns import Flags, Integers, Words

# A form that takes a date of birth takes these years.
FIRST_YEAR, LAST_YEAR = 1850, 2049
_FIRST = np.datetime64(f"{FIRST_YEAR}-01-01")
_LAST = np.datetime64(f"{LAST_YEAR}-12-31")
# The number of a day is its place here, so that numbers serve as codes.
_days = np.arange(_FIRST, _LAST + 1)
DAYS: Words = _days.astype("U10")
# The year, month and day of every number, and the number of every day, −1 where a month has no such day.
_months = _days.astype("datetime64[M]")
_year = _months.astype(np.int64) // 12 + 1970
_PARTS = np.column_stack([_year, _months.astype(np.int64) % 12 + 1, (_days - _months).astype(np.int64) + 1])
_NUMBERS = np.full((LAST_YEAR + 1, 13, 32), -1, np.int64)
_NUMBERS[tuple(_PARTS.T)] = np.arange(len(DAYS))
# A slip is a wrong digit, two neighbours swapped, or a year, a decade or a century too many or too few.
WRONG_DIGIT, SWAPPED_DIGITS, MISCOUNTED = 0.5, 0.25, 0.25
YEARS_OFF = (-1, 1, -10, 10, -100, 100)
PLACES = 10 ** np.arange(8)[::-1]
# First of two neighbours among the eight digits that stand in one part of the date.
NEIGHBOURS = np.array([0, 1, 2, 4, 6])


def day_number(day: np.datetime64) -> int:
    """Return the number of a day."""
    return int((day - _FIRST).astype(int))


def swapped(numbers: Integers) -> Integers:
    """Return the days with day and month the other way about, the same ones where that is no other date."""
    year, month, day = _PARTS[numbers].T
    return np.where(day <= 12, _number(year, day, month), numbers)


def mistype(rng: np.random.Generator, numbers: Integers) -> Integers:
    """Return other days, each with one slip of the pen."""
    result, left = numbers.copy(), np.arange(len(numbers))
    # Any last digit of a day or a month has another one that makes a date, so this ends.
    while len(left):
        tried = _slip(rng, numbers[left])
        good = (tried >= 0) & (tried != numbers[left])
        result[left[good]] = tried[good]
        left = left[~good]
    return result


def _slip(rng: np.random.Generator, numbers: Integers) -> Integers:
    """Return days with one slip each; some are none, −1, and some are what they were."""
    kind = rng.choice(3, size=len(numbers), p=[WRONG_DIGIT, SWAPPED_DIGITS, MISCOUNTED])
    result = np.empty_like(numbers)
    for k, make in enumerate((_wrong_digit, _swapped_digits, _miscounted)):
        result[kind == k] = make(rng, numbers[kind == k])
    return result


def _wrong_digit(rng: np.random.Generator, numbers: Integers) -> Integers:
    digits = _digits(numbers)
    rows = np.arange(len(digits))
    digits[rows, rng.integers(8, size=len(digits))] = rng.integers(10, size=len(digits))
    return _of_digits(digits)


def _swapped_digits(rng: np.random.Generator, numbers: Integers) -> Integers:
    digits = _digits(numbers)
    rows, at = np.arange(len(digits)), rng.choice(NEIGHBOURS, size=len(digits))
    digits[rows, at], digits[rows, at + 1] = digits[rows, at + 1], digits[rows, at]
    return _of_digits(digits)


def _miscounted(rng: np.random.Generator, numbers: Integers) -> Integers:
    year, month, day = _PARTS[numbers].T
    return _number(year + rng.choice(YEARS_OFF, size=len(numbers)), month, day)


def _digits(numbers: Integers) -> Integers:
    """Return the digits of YYYYMMDD, a row each."""
    whole = _PARTS[numbers] @ np.array([10_000, 100, 1])
    return whole[:, None] // PLACES % 10


def _of_digits(digits: Integers) -> Integers:
    """Return the number of the days with these digits, −1 where there is none."""
    whole = digits @ PLACES
    return _number(whole // 10_000, whole // 100 % 100, whole % 100)


def _number(year: Integers, month: Integers, day: Integers) -> Integers:
    """Return the numbers of days, −1 where there is none."""
    there: Flags = (year >= FIRST_YEAR) & (year <= LAST_YEAR) & (month <= 12) & (day <= 31)
    return np.where(there, _NUMBERS[year * there, month * there, day * there], -1)
