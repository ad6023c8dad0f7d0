"""Small tests once more without compilation, where every index is checked."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SMALL = (
    "test_chain.py::test_labels_come_back",
    "test_counts.py::test_pairs",
    "test_counts.py::test_distinct_clusters",
    "test_counts.py::test_sizes",
    "test_counts.py::test_an_estimate_against_all_draws",
    "test_counts.py::test_a_counter_counts",
    "test_canonical.py::test_rates_of_several_sources_count",
    "test_canonical.py::test_the_table_of_canonical_records",
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
