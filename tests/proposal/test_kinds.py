"""One test for each rule of what a column is taken as."""

import datetime
from typing import Any

import pyarrow as pa
import pytest

from coterie import fields, tables
from coterie.proposal.kinds import Choice, choose, text_of
from coterie.proposal.profile import profile

SURNAMES = ["Meyer", "Schulz", "Bauer", "Koch", "Wolf", "Neumann", "Braun", "Zimmer", "Krause", "Lehmann", "Maier"]
SURNAMES += ["Walter", "Peters", "Vogel", "Frank", "Berger", "Winkler", "Roth", "Beck", "Lorenz", "Baumann"]


def chosen(values: Any) -> Choice:
    return choose(profile(tables.read(pa.table({"column": values, "other": list(range(len(values)))})), "column"))


class TestLeftOut:
    def test_without_a_value(self) -> None:
        assert chosen(pa.nulls(30)) == Choice(None, "left out: no record has a value")
        assert chosen([" ", "", None]).kind is None

    def test_with_one_value(self) -> None:
        told = "left out: always 'UK', so it tells nobody from anybody"
        assert chosen(["UK", None, "UK"]) == Choice(None, told)

    def test_hardly_filled(self) -> None:
        assert chosen(["a", "b", *[None] * 498]).why == "left out: only 2 records have a value"
        assert chosen(["a", "b", *[None] * 298]).kind is not None

    @pytest.mark.parametrize(
        "values",
        [
            [f"P-{number:05}" for number in range(40)],
            [10_000 + 7 * number for number in range(40)],
            [f"{number:08x}-1111-2222" for number in range(40)],
            [f"{number}" for number in range(30, 70)],
        ],
    )
    def test_identifiers(self, values: list[Any]) -> None:
        assert chosen(values).why == "left out: an identifier, no two records have the same"
        # One that is there twice is no identifier, and a few may differ by chance.
        assert chosen([*values, values[0]]).kind is not None
        assert chosen(values[:15]).kind is not None

    @pytest.mark.parametrize(
        "values",
        [
            [f"{first} {last}" for first in SURNAMES for last in SURNAMES],  # names
            [f"{name}{number}@example.org" for number, name in enumerate(SURNAMES)],
            [f"{name} Street {number}" for number, name in enumerate(SURNAMES)],
            [number + 0.25 for number in range(40)],
        ],
    )
    def test_what_differs_always_and_is_no_identifier(self, values: list[Any]) -> None:
        assert chosen(values).kind is not None

    def test_prose(self) -> None:
        notes = [f"{name} called about the order, and will call again on Monday or Tuesday" for name in SURNAMES]
        choice = chosen(notes)
        assert choice.kind is None
        assert choice.why == "left out: free text, 13 words and 71 letters in the mean"
        assert chosen([name * 12 for name in SURNAMES]).kind is None
        # A few long values among short ones are no prose.
        assert chosen([*SURNAMES * 5, notes[0]]).kind is not None


class TestDates:
    @pytest.mark.parametrize(
        "form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%Y/%m/%d", "%Y-%m-%d %H:%M:%S"]
    )
    def test_dates_of_all_shapes(self, form: str) -> None:
        days = [datetime.datetime(1950 + at, 1 + at % 12, 1 + at) for at in range(28)]
        choice = chosen([day.strftime(form) for day in days] * 2)
        assert choice.kind == fields.Date()
        assert choice.why.startswith("100% are dates such as ")

    def test_a_few_mistakes_do_no_harm(self) -> None:
        days = [f"19{year}-03-12" for year in range(50, 90)]
        assert chosen([*days, "unknown", "1950", "--"]).kind == fields.Date()
        assert chosen([*days, *["unknown"] * 20]).kind != fields.Date()

    def test_days_of_which_nobody_knows_whether_the_month_comes_first(self) -> None:
        choice = chosen([f"03/0{1 + at % 9}/19{50 + at}" for at in range(30)])
        assert choice.kind == fields.Text()
        assert choice.why.startswith("dates, but whether the day or the month comes first is open")

    @pytest.mark.parametrize(
        "values",
        [
            [datetime.date(1950 + at, 3, 12) for at in range(30)],
            [datetime.datetime(1950 + at, 3, 12, 8) for at in range(30)],
            pa.array([datetime.date(1950 + at, 3, 12) for at in range(30)], pa.date64()),
        ],
    )
    def test_typed_columns(self, values: Any) -> None:
        assert chosen(values) == Choice(fields.Date(), "dates")


class TestNumbers:
    def test_truth_values(self) -> None:
        assert chosen([True, False, None, True]) == Choice(fields.Category(), "yes or no")

    @pytest.mark.parametrize("values", [[1, 2, 3, 3], ["1", "2", "3", "3"], [1.0, 2.0, 3.0, None, 3.0]])
    def test_few_whole_numbers_are_codes(self, values: list[Any]) -> None:
        choice = chosen(values)
        assert choice.kind == fields.Category()
        assert choice.why.startswith("3 different codes: ")

    @pytest.mark.parametrize("make", [int, str, float])
    def test_whole_numbers_are_mistyped_digit_by_digit(self, make: Any) -> None:
        choice = chosen([make(year) for year in [*range(1950, 1990), 1950]])
        assert choice.kind == fields.Number(tolerance=0, digits=True)

    def test_long_numbers_are_text(self) -> None:
        choice = chosen([*range(20_170_000, 20_170_040), 20_170_000])
        assert choice.kind == fields.Text()
        assert "whole numbers, some long, such as '20170000'" in choice.why

    def test_leading_zeros_make_a_code(self) -> None:
        choice = chosen([f"{number:05}" for number in range(9_980, 10_020)] * 2)
        assert choice.kind == fields.Text()
        assert choice.why == "digits such as '09980', some with leading zeros: a code"

    @pytest.mark.parametrize("make", [float, str])
    def test_measurements_have_a_tolerance(self, make: Any) -> None:
        # The middle half is from 25 to 75.
        choice = chosen([make(number + 0.5) for number in range(-1, 101)])
        assert choice.kind == fields.Number(tolerance=1.0)
        assert "1 is a fiftieth of their middle half" in choice.why

    def test_measurements_most_of_which_are_equal(self) -> None:
        kind = chosen([*[1.5] * 90, *[number + 0.25 for number in range(10)]]).kind
        assert isinstance(kind, fields.Number)
        assert kind.tolerance > 0


class TestWords:
    def test_few_values(self) -> None:
        choice = chosen(["red", "green", "blue", "red"])
        assert choice == Choice(fields.Category(), "3 different values: 'red', 'blue', 'green'")

    def test_single_words(self) -> None:
        assert chosen(SURNAMES).kind == fields.Text(cutoff=0.6)
        assert chosen(SURNAMES).why.startswith("words such as ")

    def test_several_words(self) -> None:
        choice = chosen([f"{name} Street" for name in SURNAMES])
        assert choice.kind == fields.Text()
        assert choice.why.startswith("text such as ")

    def test_many_single_words_are_compared_with_care(self) -> None:
        letters = "abcdefghijklmnopqrstuv"
        words = [a + b + c + d for a in letters[:10] for b in letters for c in letters for d in "xyz"]
        assert len(words) > 10_000
        assert chosen(words).kind == fields.Text()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (fields.Text(), "Text()"),
        (fields.Text(cutoff=0.6, distortion=0.1), "Text(distortion=0.1, cutoff=0.6)"),
        (fields.Number(tolerance=2), "Number(tolerance=2.0)"),
        (fields.Date(parts=True), "Date(parts=True)"),
    ],
)
def test_kinds_are_told_by_the_call_that_makes_them(kind: Any, text: str) -> None:
    assert text_of(kind) == text
    assert eval(text, vars(fields)) == kind
