"""Chains are independent streams of one seed, and the number of threads is nobody's business."""

import numpy as np
import pytest

from coterie import InputError, priors, sampler
from coterie.priors.distributions import Beta, Gamma
from sampler import records

LAW = priors.DirichletProcess(Gamma(2, 1))


def run(**how: object) -> sampler.Draws:
    target = sampler.make_target(records.compiled(8, Beta(1, 4)), LAW)
    return sampler.run(target, **({"chains": 3, "draws": 30, "tune": 5, "seed": 1} | how))


def same(one: sampler.Draws, other: sampler.Draws) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_number_of_threads_does_not_change_the_draws() -> None:
    alone = run(cores=1)
    assert same(alone, run(cores=2))
    assert same(alone, run(cores=3))
    assert same(alone, run(seed=np.random.SeedSequence(1)))


def test_a_chain_does_not_know_how_many_others_there_are() -> None:
    few, many = run(chains=1), run(chains=3)
    assert np.array_equal(few.labels[0], many.labels[0])
    assert np.array_equal(few.psi[0], many.psi[0])


def test_chains_and_seeds_differ() -> None:
    draws = run()
    first, second, third = draws.psi.reshape(3, -1)
    assert not np.intersect1d(first, second).size
    assert not np.intersect1d(second, third).size
    assert not np.intersect1d(draws.psi, run(seed=2).psi).size


def test_what_a_draw_holds() -> None:
    draws = run()
    assert draws.labels.shape == (3, 30, 8)
    assert draws.psi.shape == (3, 30, 4, 1)
    assert draws.parameters.shape == (3, 30, 1)
    counted = (draws.labels == np.arange(8)).sum(axis=2)
    assert np.array_equal(counted, draws.clusters)
    assert np.all(draws.changes <= draws.steps)


@pytest.mark.parametrize("how", [{"chains": 0}, {"draws": 0}, {"tune": -1}, {"cores": 0}, {"draws": 1.5}])
def test_numbers_are_checked(how: dict) -> None:
    with pytest.raises(InputError, match="a whole number from"):
        run(**how)
