"""Tests of the joins once more without compilation, where every index is checked."""

import os
import subprocess
import sys
from pathlib import Path

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
    # Hashes wrap around, of which numpy warns.
    quiet = ("-p", "no:cacheprovider", "-W", "ignore:overflow encountered:RuntimeWarning")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", *quiet, *(str(HERE / test) for test in SMALL)],
        cwd=HERE.parent.parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
