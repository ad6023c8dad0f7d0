"""Numbers: which are similar, and how."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, fields
from fields.test_text import chances, compiled


def test_chances_follow_from_the_distance() -> None:
    got = chances(compiled(fields.Number(4, steepness=2), [10, 11, 14, 15, 40]))
    assert set(got) == {(x, y) for x in (10, 11, 14, 15) for y in (10, 11, 14, 15) if x != y and abs(x - y) <= 4}
    assert got[11, 10] / got[14, 10] == pytest.approx(np.exp(2 * (3 / 4 - 0)))
    assert got[15, 14] / got[10, 14] == pytest.approx(np.exp(2 * (3 / 4 - 0)))


@given(st.sets(st.integers(-300, 300), min_size=2, max_size=60), st.integers(0, 20))
def test_numbers_within_the_tolerance_are_similar(values: set[int], tolerance: int) -> None:
    got = chances(compiled(fields.Number(tolerance), [x / 10 for x in values]))
    assert {(round(10 * x), round(10 * y)) for x, y in got} == {
        (x, y) for x in values for y in values if x != y and abs(x - y) <= 10 * tolerance
    }


def test_a_tolerance_holds_in_spite_of_rounding() -> None:
    assert set(chances(compiled(fields.Number(0.1), [1.0, 1.1, 1.3]))) == {(1, 1.1), (1.1, 1)}


@given(st.sets(st.integers(-2000, 2000), min_size=2, max_size=40))
def test_digits(values: set[int]) -> None:
    def one_slip(a: str, b: str) -> bool:
        wrong = [i for i in range(len(a)) if len(a) == len(b) and a[i] != b[i]]
        swapped = any(a[:i] + a[i + 1] + a[i] + a[i + 2 :] == b for i in range(len(a) - 1))
        return len(a) == len(b) > 1 and (len(wrong) == 1 or swapped)

    got = chances(compiled(fields.Number(0, digits=True), list(values)))
    assert set(got) == {(x, y) for x in values for y in values if x != y and one_slip(str(x), str(y))}


def test_equal_numbers_are_one_value() -> None:
    field = compiled(fields.Number(1), ["1", " 1.0", 1, "1e0", 2.5, None])
    assert field.values == [1, 2.5]
    assert field.codes.tolist() == [0, 0, 0, 0, 1, -1]


def test_digits_of_long_whole_numbers_are_kept() -> None:
    field = compiled(fields.Number(0, digits=True), ["12345678901234567890", "12345678901234567891"])
    assert field.values == [12345678901234567890, 12345678901234567891]
    assert len(chances(field)) == 2


def test_a_crowd_is_cut_to_the_nearest() -> None:
    field = compiled(fields.Number(1000), list(range(1000)))
    assert np.diff(field.indptr).max() <= 100
    middle = field.similar[field.indptr[500] : field.indptr[501]]
    assert middle.min() >= 440
    assert middle.max() <= 560


@pytest.mark.parametrize("values", [["abc"], ["1", "inf"], [float("inf")], [(1, 2)], ["1e999"]])
def test_what_is_no_number_is_refused(values: list[Any]) -> None:
    with pytest.raises(InputError, match="numbers in 'name'"):
        compiled(fields.Number(1), values)


@pytest.mark.parametrize("wrong", [{"tolerance": -1}, {"tolerance": "2"}, {"tolerance": 1, "digits": "yes"}])
def test_bad_parameters_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        fields.Number(**wrong)
