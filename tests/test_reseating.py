"""The reseating algorithm at its edges; what it does in between is in the contract of the laws."""

from typing import Any

import numpy as np
import pytest

from coterie import InputError, Partition, priors, reseat
from coterie.reseating import weights

LAW = priors.NBNB(a=1, q=0.9, r=6, p=1 / 3)
START = Partition.from_labels([0, 0, 1, 2, 1])


def test_no_sweeps_change_nothing() -> None:
    assert reseat(LAW, START, sweeps=0, seed=1) == START


def test_the_start_is_left_alone() -> None:
    start = Partition.from_labels(np.zeros(50, dtype=int))
    assert reseat(LAW, start, sweeps=3, seed=1) != start
    assert start.k == 1


def test_one_element_stays_where_it_is() -> None:
    for law in (LAW, priors.PitmanYor(0.5, 0.5), priors.ESC([0.5, 0.5]), priors.LinkageStructure(1)):
        assert reseat(law, Partition.from_labels([0]), sweeps=3, seed=1).labels.tolist() == [0]


@pytest.mark.parametrize("bad", [-1, 2.5, "3", None, True, float("nan")])
def test_bad_sweeps_are_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="'sweeps'"):
        reseat(LAW, START, sweeps=bad)


@pytest.mark.parametrize("bad", [-1, 0.5, "one"])
def test_bad_seeds_are_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="a seed"):
        reseat(LAW, START, sweeps=1, seed=bad)


@pytest.mark.parametrize("bad", [[0, 0, 1], None, {1: 3}, np.array([0, 1])])
def test_what_is_no_partition_is_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="a Partition"):
        reseat(LAW, bad, sweeps=1)


@pytest.mark.parametrize(
    "law",
    [
        priors.LinkageStructure(2),
        priors.FiniteDirichlet(2, 0.5),
        priors.MixtureOfFiniteMixtures(0.5, [0.5, 0.5]),
        priors.ESC([1.0]),
        priors.NBD(1, 0.5, [1.0]),
    ],
    ids=repr,
)
def test_an_impossible_start_is_refused(law: priors.Law) -> None:
    with pytest.raises(InputError, match="possible under") as caught:
        reseat(law, START, sweeps=1)
    assert caught.value.got == repr(START)
    assert "law.sample(n)" in caught.value.hint


def test_a_start_that_no_sizes_add_up_to_is_refused() -> None:
    with pytest.raises(InputError, match="add up to n = 5"):
        reseat(priors.ESC([0.0, 1.0]), START, sweeps=1)


def test_a_law_that_allows_one_partition_stays_there() -> None:
    apart = Partition.from_labels(range(6))
    assert reseat(priors.ESC([1.0]), apart, sweeps=4, seed=1) == apart
    together = Partition.from_sizes([6])
    assert reseat(priors.LinkageStructure(1), together, sweeps=4, seed=1) == together


@pytest.mark.parametrize("n", [1, 2, 9])
def test_weights_are_the_steps_up_to_a_constant(n: int) -> None:
    for law in (LAW, priors.PitmanYor(1, 0.5), priors.PERPS(3, 0.5), priors.ESC([0.5, 0.3, 0.2])):
        steps, table = law.steps(n), weights(law, n)
        assert table.new.shape == table.join.shape == (n,)
        with np.errstate(divide="ignore"):
            constant = np.log(table.new) - steps.log_count - steps.log_size[0]
        assert constant == pytest.approx(np.full(n, constant[0]), abs=1e-12)
        assert np.log(table.join[1:3]) - steps.log_size[1:3] == pytest.approx(constant[1:3], abs=1e-12)
        if law.straight_join is not None and n > 1:
            assert table.join[1:] == pytest.approx(table.slope * np.arange(1, n) + table.offset, rel=1e-12)
