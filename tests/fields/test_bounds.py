"""Tests of the joins once more without compilation, where every index is checked."""

from pathlib import Path

import uncompiled

HERE = Path(__file__).parent
SMALL = (
    "test_join.py::test_every_pair_within_reach_is_found_among_few_letters",
    "test_join.py::test_any_three_errors_in_a_long_string_are_found",
    "test_join.py::test_pairs_that_share_telling_words_are_found_among_few_words",
    "test_join.py::test_the_smallest_lists",
    "test_group.py::test_two_parts_of_few_values",
    "test_pairs.py",
)


def test_no_kernel_leaves_its_arrays() -> None:
    uncompiled.check(HERE, SMALL, *uncompiled.HASHES_WRAP)
