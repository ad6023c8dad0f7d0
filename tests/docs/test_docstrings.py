"""What the pages make of docstrings."""

import doctest

import docstrings


def test_the_examples_of_the_rewriting_hold() -> None:
    outcome = doctest.testmod(docstrings)
    assert outcome.attempted == 2
    assert outcome.failed == 0


def test_formulas_become_literal_blocks_and_bars_stay_bars() -> None:
    lines = ["With k = |C_N|:", "", "    P(C_N) = ∏ |c|", "", "For |c|.", "", "    >>> 1 | 2", "    3", ""]
    escaped = {"With k = |C_N|:": "With k = \\|C_N\\|::", "For |c|.": "For \\|c\\|."}
    assert docstrings.rewritten(lines) == [escaped.get(line, line) for line in lines]


def test_parameters_are_no_formulas() -> None:
    lines = ["Parameters", "----------", "mu", "    The law:", "", "    more"]
    assert docstrings.rewritten(lines) == lines


def test_arrays_are_named_by_what_they_hold() -> None:
    array = "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.float64]]"
    assert docstrings.shortened(f"(x: {array}, y: {array})") == "(x: ndarray[float64], y: ndarray[float64])"
    assert docstrings.shortened(None) is None
