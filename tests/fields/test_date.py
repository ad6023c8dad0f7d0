"""Dates: how they are read, and which are similar."""

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, fields
from fields.test_text import chances, compiled

BORN = datetime.date(1980, 2, 3)


@pytest.mark.parametrize(
    "written",
    [
        "1980-02-03",
        "1980-2-3",
        "1980/02/03",
        "1980.02.03",
        "19800203",
        19800203,
        19800203.0,
        "1980-02-03T12:30:00",
        "1980-02-03 12:30",
        BORN,
        datetime.datetime(1980, 2, 3, 12, 30),
        np.datetime64("1980-02-03"),
        np.datetime64("1980-02-03T12:30:00"),
    ],
)
def test_dates_are_read_however_they_are_written(written: Any) -> None:
    field = compiled(fields.Date(), [written, "1999-12-31"])
    assert field.values == [BORN, datetime.date(1999, 12, 31)]


def test_dates_of_pandas_are_read() -> None:
    column = pd.Series(pd.to_datetime(["1980-02-03 10:00", None, "1999-12-31 09:00"]))
    for records in (column, list(column), column.to_numpy()):
        field = compiled(fields.Date(), records)
        assert field.values == [BORN, datetime.date(1999, 12, 31)]
        assert field.codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize(("other", "month"), [("25/12/1990", 2), ("12/25/1990", 3), ("12/25/1990 08:00", 3)])
def test_the_column_tells_whether_the_day_comes_first(other: str, month: int) -> None:
    field = compiled(fields.Date(), ["03/02/1980", other])
    assert field.values[0] == datetime.date(1980, month, 5 - month)
    assert field.values[1] == datetime.date(1990, 12, 25)


@pytest.mark.parametrize("records", [["03/02/1980"], ["03/02/1980", "05/05/1990"], ["25/12/1990", "12/25/1990"]])
def test_a_column_that_leaves_it_open_is_refused_without_a_format(records: list[str]) -> None:
    with pytest.raises(InputError, match=r"'born'.*format='%d/%m/%Y'"):
        fields.Date().compile("born", *fields.encode(records))
    [field] = fields.Date(format="%d/%m/%Y").compile("born", *fields.encode([*records, "1970-01-01"]))
    assert datetime.date(1970, 1, 1) in field.values
    assert records[0][:2] == f"{next(v for v in field.values if v != datetime.date(1970, 1, 1)).day:02}"


def test_the_same_day_and_month_leaves_nothing_open() -> None:
    assert compiled(fields.Date(), ["03/03/1980"]).values == [datetime.date(1980, 3, 3)]


def test_a_few_slips_do_not_leave_it_open() -> None:
    records = [f"{day}/02/{year}" for day in range(13, 29) for year in range(1900, 1990)]
    assert compiled(fields.Date(), [*records, "01/31/1980"]).values[-1] == "1980-31-01"


def test_a_date_that_does_not_exist_is_a_slip_of_one_that_does() -> None:
    field = compiled(fields.Date(), ["1980-02-31", "1980-02-21", "19800231", "no idea"])
    assert field.values == [datetime.date(1980, 2, 21), "1980-02-31", "no idea"]
    assert set(chances(field)) == {("1980-02-31", field.values[0]), (field.values[0], "1980-02-31")}


@pytest.mark.parametrize(
    ("other", "similar"),
    [
        ("1980-02-04", True),  # the next day
        ("1980-02-05", True),  # one digit
        ("1980-02-30", True),  # two digits swapped
        ("1980-03-02", True),  # day and month swapped
        ("1981-02-03", True),
        ("1979-02-03", True),
        ("1990-02-03", True),
        ("1970-02-03", True),
        ("1880-02-03", True),
        ("2080-02-03", True),
        ("1978-02-03", False),
        ("1980-04-14", False),
        ("1981-03-02", False),
        ("2071-02-03", False),
    ],
)
def test_which_dates_are_similar(other: str, similar: bool) -> None:
    field = compiled(fields.Date(), ["1980-02-03", other])
    assert bool(chances(field)) is similar


def test_days_over_the_end_of_a_month_are_similar_within_the_tolerance() -> None:
    days = [datetime.date(1979, 12, 28) + datetime.timedelta(k) for k in range(8)]
    got = chances(compiled(fields.Date(tolerance=3), days))
    assert got[days[4], days[3]] > got[days[5], days[3]] > 0
    assert (days[7], days[3]) not in chances(compiled(fields.Date(tolerance=0), days))
    assert (days[4], days[3]) not in chances(compiled(fields.Date(tolerance=0), days))


def one_slip(a: datetime.date, b: datetime.date) -> bool:
    """Compare two dates as the docstring of Date has it."""
    x, y = f"{a:%Y%m%d}", f"{b:%Y%m%d}"
    wrong = [i for i in range(8) if x[i] != y[i]]
    swapped = (
        len(wrong) == 2 and wrong[1] == wrong[0] + 1 and x[wrong[0]] == y[wrong[1]] and x[wrong[1]] == y[wrong[0]]
    )
    year = (a.month, a.day) == (b.month, b.day) and abs(a.year - b.year) in (1, 10, 100)
    turned = a.year == b.year and (a.month, a.day) == (b.day, b.month)
    return len(wrong) == 1 or swapped or year or turned or abs((a - b).days) <= 1


@given(st.sets(st.dates(datetime.date(1899, 1, 1), datetime.date(2002, 1, 1)), min_size=2, max_size=30), st.data())
def test_similar_dates_are_those_that_one_slip_makes(drawn: set[datetime.date], data: st.DataObject) -> None:
    dates = drawn | {data.draw(st.sampled_from(sorted(drawn))) + datetime.timedelta(k) for k in (1, 2, 365, 3653)}
    got = chances(compiled(fields.Date(), list(dates)))
    assert set(got) == {(a, b) for a in dates for b in dates if a != b and one_slip(a, b)}


def test_parts() -> None:
    year, month, day = fields.Date(parts=True).compile(
        "born", *fields.encode(["1980-02-31", "1981-2-3", "who knows", None, "19850101"])
    )
    assert (year.name, month.name, day.name) == ("born.year", "born.month", "born.day")
    assert (year.values, month.values, day.values) == ([1980, 1981, 1985], [1, 2], [1, 3, 31])
    assert year.codes.tolist() == [0, 1, -1, -1, 2]
    assert set(chances(year)) == {(x, y) for x in year.values for y in year.values if x != y}
    assert month.slip == day.slip == 0


@pytest.mark.parametrize("values", [["abc"], [1.5, 2.5], ["1980"], [True, False]])
def test_a_column_without_any_date_is_refused(values: list[Any]) -> None:
    with pytest.raises(InputError, match="dates in 'name'"):
        compiled(fields.Date(), values)


@pytest.mark.parametrize(
    "wrong", [{"format": "dmy"}, {"format": 1}, {"tolerance": 1.5}, {"tolerance": -1}, {"parts": 2}]
)
def test_bad_parameters_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        fields.Date(**wrong)
