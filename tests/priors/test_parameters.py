"""Parameters: their domains, their digits, and errors that name the parameter."""

import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, Partition, priors
from coterie.priors import one_minus
from coterie.priors.parameters import DISCOUNT, POSITIVE, PROBABILITY, WHOLE, complement, log_complement, log_of

# Every law and law of counts, with values that are fine.
GOOD: dict[Callable[..., Any], dict[str, Any]] = {
    priors.NBNB: {"a": 1.0, "q": 0.9, "r": 6.0, "p": 0.3},
    priors.PERPS: {"alpha": 3.0, "lam": 0.7},
    priors.DirichletProcess: {"theta": 2.0},
    priors.PitmanYor: {"theta": 1.0, "delta": 0.5},
    priors.FiniteDirichlet: {"m": 9, "gamma": 0.5},
    priors.MixtureOfFiniteMixtures: {"gamma": 0.5, "components": [0.5, 0.5]},
    priors.LinkageStructure: {"m": 7},
    priors.NBD: {"a": 1.5, "q": 0.4, "mu": [0.5, 0.5]},
    priors.ESC: {"mu": [0.5, 0.5]},
    priors.CompoundPoisson: {"alpha": 2.0, "mu": [0.5, 0.5]},
    priors.Exactly: {"m": 3},
    priors.Uniform: {"m": 3},
    priors.ShiftedNegBin: {"r": 1.0, "p": 0.5},
    priors.ShiftedPoisson: {"rate": 1.0},
    priors.TruncatedNegBin: {"r": 1.0, "p": 0.5},
    priors.TruncatedPoisson: {"rate": 1.0},
    priors.LogSeries: {"p": 0.5},
}
NO_NUMBERS = ["0.5", None, True, False, math.nan, math.inf, -math.inf, 1j, np.array([0.5, 0.5]), object(), b"1"]
BAD: dict[str, list[Any]] = {
    "positive": [*NO_NUMBERS, 0, -1, -1e-300, 0.0, 10**400],
    "probability": [*NO_NUMBERS, 0, 1, 1.0, -0.1, 1.1, 0.0, 2],
    "whole": [*NO_NUMBERS, 0, -3, 2.5, 0.0],
    "discount": [*NO_NUMBERS, 1, -0.1, 1.5],
    "real": NO_NUMBERS,
}
KINDS = {"a": "positive", "r": "positive", "alpha": "positive", "lam": "positive", "gamma": "positive"}
KINDS |= {"rate": "positive", "q": "probability", "p": "probability", "m": "whole", "delta": "discount"}


def kind(make: Callable[..., Any], name: str) -> str:
    return "positive" if make is priors.DirichletProcess else KINDS.get(name, "real")


CASES = [
    pytest.param(make, name, bad, id=f"{make.__name__}-{name}-{bad!r:.20}")
    for make, good in GOOD.items()
    for name in good
    if name not in ("mu", "components")
    for bad in BAD[kind(make, name)]
]


def test_every_law_is_tested_here() -> None:
    public = {
        v for v in vars(priors).values() if isinstance(v, type) and issubclass(v, priors.Law | priors.CountLaw)
    }
    assert public - {priors.Law, priors.CountLaw, priors.Probabilities} == set(GOOD)


@pytest.mark.parametrize(("make", "name", "bad"), CASES)
def test_bad_parameters_are_refused_by_name(make: Callable[..., Any], name: str, bad: Any) -> None:
    with pytest.raises(InputError) as caught:
        make(**GOOD[make] | {name: bad})
    error = caught.value
    assert f"'{name}'" in error.expected
    assert error.hint.endswith(".")
    if isinstance(bad, int | float | str):
        assert repr(bad)[:10] in error.got


@pytest.mark.parametrize(("make", "good"), GOOD.items(), ids=[make.__name__ for make in GOOD])
def test_good_parameters_are_kept(make: Callable[..., Any], good: dict[str, Any]) -> None:
    law = make(**good)
    shown = {name: value for name, value in law.parameters.items() if name not in ("mu", "components")}
    assert shown == {name: good[name] for name in shown}
    assert make(*good.values()) == law


def test_a_concentration_lies_above_minus_the_discount() -> None:
    for theta, delta in ((0, 0), (-0.5, 0.5), (-1, 0.5), (-1e-9, 0)):
        with pytest.raises(InputError, match="concentration 'theta' above -delta"):
            priors.PitmanYor(theta, delta)
    assert priors.PitmanYor(-0.4999, 0.5).theta == -0.4999


def test_whole_numbers_may_come_in_any_type() -> None:
    for m in (3, 3.0, np.int32(3), np.float64(3), np.array(3), Fraction(3)):
        law = priors.LinkageStructure(m)
        assert law == priors.LinkageStructure(3)
        assert type(law.m) is int
    for theta in (2, np.float32(2), np.int64(2), Fraction(4, 2), np.array(2.0)):
        assert repr(priors.DirichletProcess(theta)) == "DirichletProcess(theta=2.0)"


# --- numbers close to one ---


@given(st.floats(-300, -0.31).map(lambda e: 10.0**e))
def test_one_minus_remembers_all_digits(x: float) -> None:
    q = one_minus(x)
    assert complement(q) == x
    assert float(q) == 1.0 - x
    assert log_complement(q) == pytest.approx(math.log(x), rel=1e-15)
    assert log_of(q) == pytest.approx(float(mp.log1p(-mp.mpf(x))), rel=1e-15)
    assert eval(repr(q), {"one_minus": one_minus}) == pickle.loads(pickle.dumps(q)) == q
    assert q != one_minus(x / 2)
    assert priors.NBNB(1, q, 1, 0.5).q is q


@given(st.floats(1e-12, 1 - 1e-12))
def test_logarithms_of_any_probability_keep_their_digits(x: float) -> None:
    assert log_of(x) == pytest.approx(float(mp.log(mp.mpf(x))), rel=1e-15)
    assert log_complement(x) == pytest.approx(float(mp.log(1 - mp.mpf(x))), rel=1e-15)


def test_numbers_next_to_one_differ_though_their_floats_do_not() -> None:
    assert float(one_minus(1e-18)) == float(one_minus(1e-19)) == 1.0
    assert one_minus(1e-18) != one_minus(1e-19)
    assert priors.LogSeries(one_minus(1e-18)).mean > priors.LogSeries(one_minus(1e-17)).mean


@pytest.mark.parametrize("bad", [0.0, 1.0, -0.5, 2.0])
def test_one_minus_out_of_range_is_refused_by_the_law(bad: float) -> None:
    with pytest.raises(InputError, match="'q'"):
        priors.NBNB(1, one_minus(bad), 1, 0.5)


@pytest.mark.parametrize("bad", ["0.1", None, math.nan, True])
def test_one_minus_of_no_number_is_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="'x'"):
        one_minus(bad)


@given(st.floats(-25, 25))
def test_domains_map_to_the_line_and_back(y: float) -> None:
    assert POSITIVE.to_real(POSITIVE.from_real(y)) == pytest.approx(y, abs=1e-13)
    assert PROBABILITY.to_real(PROBABILITY.from_real(y)) == pytest.approx(y, rel=1e-12, abs=1e-13)
    assert PROBABILITY.check("p", PROBABILITY.from_real(y)) == PROBABILITY.from_real(y)
    assert POSITIVE.check("a", POSITIVE.from_real(y)) == POSITIVE.from_real(y)


@given(st.integers(1, 10**15))
def test_whole_numbers_map_to_the_line_and_back(m: int) -> None:
    assert WHOLE.from_real(WHOLE.to_real(m)) == pytest.approx(m, rel=1e-13, abs=0)
    assert DISCOUNT.from_real(DISCOUNT.to_real(0.25)) == 0.25


# --- n, and other numbers ---

LAW = priors.DirichletProcess(theta=1)


@pytest.mark.parametrize("bad", [0, -1, 2.5, math.nan, math.inf, "3", None, True])
def test_a_number_of_elements_is_whole_and_positive(bad: Any) -> None:
    for law in (LAW, priors.NBNB(1, 0.5, 1, 0.5), priors.ESC([0.5, 0.5])):
        for call in (law.sample, law.steps, lambda n, law=law: law.sample_sizes(n, draws=1)):
            with pytest.raises(InputError, match="'n'"):
                call(bad)


@pytest.mark.parametrize("bad", [0, -1, 2.5, "3", None, True])
def test_a_number_of_draws_is_whole_and_positive(bad: Any) -> None:
    with pytest.raises(InputError, match="'draws'"):
        LAW.sample_sizes(3, draws=bad)


def test_n_may_be_any_whole_number() -> None:
    assert LAW.sample(3.0, seed=1) == LAW.sample(np.int64(3), seed=1) == LAW.sample(3, seed=1)


@pytest.mark.parametrize("law", [priors.ESC([0, 1]), priors.NBD(1, 0.5, [0, 0.5, 0, 0.5]), priors.ESC([0, 0, 1])])
def test_an_n_that_no_sizes_add_up_to_is_refused(law: priors.ESC) -> None:
    for n in (1, 5, 1001):
        for call in (
            lambda n=n: law.sample(n),
            lambda n=n: law.sample_sizes(n, draws=1),
            lambda n=n: law.log_prob(Partition.from_sizes([n]), given_n=True),
        ):
            if n % law.mu.last or law.mu.last == 4:
                with pytest.raises(InputError, match=f"add up to n = {n}"):
                    call()


@pytest.mark.parametrize("bad", [-1, 1.5, "seed", object()])
def test_bad_seeds_are_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="a seed that is a whole number from 0 on"):
        LAW.sample(3, seed=bad)


@pytest.mark.parametrize("bad", [[0, 1], None, {1: 2}, np.array([0, 1]), "0,1"])
def test_what_is_no_partition_is_refused(bad: Any) -> None:
    with pytest.raises(InputError, match="a Partition"):
        LAW.log_prob(bad)


def test_a_law_that_expects_too_much_is_not_simulated() -> None:
    for law in (priors.PERPS(1e12, 1), priors.NBNB(1, one_minus(1e-12), 1, 0.5)):
        with pytest.raises(InputError, match="smaller mean"):
            law.simulate(seed=1)
