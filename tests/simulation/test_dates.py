"""A mistake in a date makes another date, one slip away."""

import datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.simulation.dates import DAYS, FIRST_YEAR, LAST_YEAR, day_number, mistype, swapped
from frequencies import assert_drawn_from

NUMBERS = st.integers(0, len(DAYS) - 1)


def test_the_days_are_all_days_in_order() -> None:
    first, last = datetime.date(FIRST_YEAR, 1, 1), datetime.date(LAST_YEAR, 12, 31)
    assert (DAYS[0], DAYS[-1], len(DAYS)) == (first.isoformat(), last.isoformat(), (last - first).days + 1)
    assert (np.sort(DAYS) == DAYS).all()
    assert DAYS[day_number(np.datetime64("1984-02-29"))] == "1984-02-29"


@given(st.lists(NUMBERS, min_size=1, max_size=50))
def test_swapping_twice_changes_nothing(numbers: list[int]) -> None:
    once = swapped(np.array(numbers))
    for before, after in zip(DAYS[numbers].tolist(), DAYS[once].tolist(), strict=True):
        year, month, day = before.split("-")
        assert after == (f"{year}-{day}-{month}" if day <= "12" else before)
    assert swapped(once).tolist() == numbers


def one_slip(a: str, b: str) -> bool:
    """Say whether a date is one wrong digit, two neighbours in one part, or a miscounted year from another."""
    years = int(b[:4]) - int(a[:4])
    if a[4:] == b[4:] and abs(years) in (1, 10, 100):
        return True
    wrong = [i for i in range(10) if a[i] != b[i]]
    return len(wrong) == 1 or (
        len(wrong) == 2 and wrong[1] == wrong[0] + 1 and {a[wrong[0]], a[wrong[1]]} == {b[wrong[0]], b[wrong[1]]}
    )


@given(st.lists(NUMBERS, min_size=1, max_size=50), st.integers(0, 1000))
def test_a_slip_makes_another_date(numbers: list[int], seed: int) -> None:
    written = mistype(np.random.default_rng(seed), np.array(numbers))
    for before, after in zip(DAYS[numbers].tolist(), DAYS[written].tolist(), strict=True):
        assert before != after
        assert one_slip(before, after)


def test_all_kinds_of_slips_happen_as_often_as_one_counts_them() -> None:
    """Against a law that is written out slip by slip, for one date."""
    day = "1985-06-21"
    law: dict[str, float] = {}

    def may(text: str, chance: float) -> None:
        try:
            date = datetime.date.fromisoformat(text)
        except ValueError:
            return
        if text != day and FIRST_YEAR <= date.year <= LAST_YEAR:
            law[text] = law.get(text, 0.0) + chance

    digits = [i for i in range(10) if day[i] != "-"]
    for i in digits:
        for digit in "0123456789":
            may(day[:i] + digit + day[i + 1 :], 0.5 / 80)
    for i in (0, 1, 2, 5, 8):
        may(day[:i] + day[i + 1] + day[i] + day[i + 2 :], 0.25 / 5)
    for off in (-100, -10, -1, 1, 10, 100):
        may(f"{1985 + off}{day[4:]}", 0.25 / 6)
    total = sum(law.values())
    draws = mistype(np.random.default_rng(1), np.full(30_000, day_number(np.datetime64(day))))
    assert_drawn_from(DAYS[draws].tolist(), {text: chance / total for text, chance in law.items()})
