"""Small tests once more without compilation, where every index is checked."""

from pathlib import Path

import uncompiled

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
    uncompiled.check(HERE, SMALL, *uncompiled.HASHES_WRAP)
