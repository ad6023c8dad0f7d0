"""The kernels' tests once more without compilation, where every index is checked and overflow is seen."""

from pathlib import Path

import uncompiled

HERE = Path(__file__).parent
# The short tests of each kernel: those that touch the first and the last of everything.
SMALL = (
    "test_urn.py::test_labels_and_sizes_are_those_of_the_same_stream",
    "test_urn.py::test_place_stays_inside_at_both_ends",
    "test_renewal.py::test_the_recursion_is_that_of_the_generating_function",
    "test_renewal.py::test_the_next_size_has_its_exact_chance",
    "test_mixing.py",
    "test_reseating.py::test_the_seating_stays_consistent_under_any_moves",
    "test_reseating.py::test_sweeps_keep_the_seating_consistent",
    "test_reseating.py::test_a_choice_stays_inside_at_both_ends",
    "test_reseating.py::test_one_element_always_founds_a_cluster",
    "../sampler/test_moves.py::test_a_step_reads_nothing_but_the_partition",
    "../sampler/test_moves.py::test_constraints[everything-nbnb]",
    "../sampler/test_moves.py::test_slots_with_constraints[everything]",
    "../sampler/test_chains.py::test_what_a_draw_holds",
)


def test_no_kernel_leaves_its_arrays() -> None:
    uncompiled.check(HERE, SMALL)
