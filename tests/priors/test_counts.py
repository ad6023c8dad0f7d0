"""Laws of counts: probabilities, means and draws, each against the definition."""

import itertools
import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import oracles
from coterie import InputError, priors
from coterie.priors import one_minus
from frequencies import assert_drawn_from
from oracles import agree

LAWS: dict[str, priors.CountLaw] = {
    "exactly": priors.Exactly(3),
    "uniform": priors.Uniform(7),
    "shifted-negbin": priors.ShiftedNegBin(r=2.5, p=0.4),
    "geometric": priors.ShiftedNegBin(r=1, p=0.75),
    "shifted-poisson": priors.ShiftedPoisson(3.2),
    "truncated-negbin": priors.TruncatedNegBin(r=2, p=0.5),
    "truncated-negbin-mostly-zero": priors.TruncatedNegBin(r=1e-3, p=0.6),
    "truncated-negbin-long": priors.TruncatedNegBin(r=0.02, p=0.95),
    "truncated-poisson": priors.TruncatedPoisson(2.5),
    "truncated-poisson-mostly-one": priors.TruncatedPoisson(1e-3),
    "log-series": priors.LogSeries(0.7),
    "probabilities": priors.Probabilities([0.5, 0.0, 0.3, 0.2]),
}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
# By here the longest of them has less than 1e-12 left.
ENOUGH = 800

TINY = [1e-12, 1e-6, 0.3, 1.0, 50.0, 1e6, 1e12]
SHARES = [1e-12, 1e-3, 0.5, 0.999, one_minus(1e-6), one_minus(1e-12)]
EXTREME: list[priors.CountLaw] = [
    *(
        law(r, p)
        for law in (priors.ShiftedNegBin, priors.TruncatedNegBin)
        for r, p in itertools.product(TINY, SHARES)
    ),
    *(law(rate) for law in (priors.ShiftedPoisson, priors.TruncatedPoisson) for rate in TINY),
    *(priors.LogSeries(p) for p in SHARES),
    priors.Uniform(10**12),
    priors.Exactly(10**9),
]


def test_every_law_of_counts_is_tested_here() -> None:
    public = {v for v in vars(priors).values() if isinstance(v, type) and issubclass(v, priors.CountLaw)}
    assert {type(law) for law in LAWS.values()} == public - {priors.CountLaw}


@each_law
def test_probabilities_sum_to_one_and_give_the_mean(law: priors.CountLaw) -> None:
    count = np.arange(1, ENOUGH)
    pmf = np.exp(law.log_pmf(count))
    assert math.fsum(pmf) == pytest.approx(1.0, abs=1e-11)
    assert math.fsum(pmf * count) == pytest.approx(law.mean, rel=1e-9)
    assert law.last >= count[pmf > 0].max()


@each_law
def test_log_pmf_is_that_of_the_definition(law: priors.CountLaw) -> None:
    together = law.log_pmf(np.arange(1, 60))
    for s, got in enumerate(together.tolist(), start=1):
        assert agree(got, oracles.log_pmf(law, s)), s
        assert float(law.log_pmf(s)) == got


@pytest.mark.parametrize("law", EXTREME, ids=repr)
def test_log_pmf_has_ten_digits_for_all_parameters(law: priors.CountLaw) -> None:
    for s in (1, 2, 3, 17, 1000, 10**7):
        got, exact = float(law.log_pmf(s)), oracles.log_pmf(law, s)
        # Where P(s) is next to one a double has the digits of P.
        assert agree(got, exact, slack=1e-13), (s, got, mp.nstr(exact, 15))


@pytest.mark.parametrize("law", EXTREME, ids=repr)
def test_means_have_ten_digits_for_all_parameters(law: priors.CountLaw) -> None:
    exact = mean(law)
    assert abs(mp.mpf(law.mean) - exact) <= mp.mpf(10) ** -10 * exact


def mean(law: priors.CountLaw) -> mp.mpf:
    """Return the mean in closed form, to 60 digits."""
    match law:
        case priors.ShiftedNegBin(r, p):
            return 1 + mp.mpf(r) * (1 - oracles.one_minus(p)) / oracles.one_minus(p)
        case priors.TruncatedNegBin(r, p):
            none = -mp.expm1(mp.mpf(r) * mp.log(oracles.one_minus(p)))
            return mp.mpf(r) * (1 - oracles.one_minus(p)) / oracles.one_minus(p) / none
        case priors.ShiftedPoisson(rate):
            return 1 + mp.mpf(rate)
        case priors.TruncatedPoisson(rate):
            return mp.mpf(rate) / -mp.expm1(-mp.mpf(rate))
        case priors.LogSeries(p):
            not_p = oracles.one_minus(p)
            return (1 - not_p) / not_p / -mp.log(not_p)
        case priors.Uniform(m):
            return (mp.mpf(m) + 1) / 2
        case priors.Exactly(m):
            return mp.mpf(m)
    raise NotImplementedError(law)


@each_law
def test_counts_are_drawn_from_the_law(law: priors.CountLaw) -> None:
    pmf = {s: float(p) for s, p in enumerate(np.exp(law.log_pmf(np.arange(1, 60))), start=1)}
    pmf["more"] = max(0.0, 1.0 - math.fsum(pmf.values()))
    if pmf["more"] < 1e-12:
        del pmf["more"]
    draws = law.sample(np.random.default_rng(7), 40_000)
    assert draws.shape == (40_000,)
    assert draws.dtype == np.int64
    assert_drawn_from((s if s < 60 else "more" for s in draws.tolist()), pmf)


# Laws whose counts run over many orders of magnitude, by the decade that a count is in.
LONG = [
    priors.TruncatedNegBin(1e-3, one_minus(1e-4)),
    priors.TruncatedNegBin(0.02, 0.999),
    priors.LogSeries(0.9999),
]


@pytest.mark.parametrize("law", LONG, ids=repr)
def test_long_laws_are_drawn_right_in_every_octave(law: priors.CountLaw) -> None:
    count = np.arange(1, 2**19)
    shares = np.bincount(np.frexp(count)[1], np.exp(law.log_pmf(count)))
    pmf = {octave: share for octave, share in enumerate(shares.tolist()) if share > 0}
    draws = law.sample(np.random.default_rng(8), 40_000)
    assert math.fsum(pmf.values()) == pytest.approx(1.0, abs=1e-10)
    assert_drawn_from(np.frexp(draws)[1].tolist(), pmf)


@each_law
def test_no_draws_are_an_empty_array(law: priors.CountLaw) -> None:
    assert law.sample(np.random.default_rng(1), 0).size == 0


def test_a_vector_keeps_what_it_says() -> None:
    law = priors.Probabilities([0.25, 0.75, 0.0, 0.0])
    assert (law.last, law.mean) == (2, 1.75)
    assert law == priors.Probabilities(np.array([0.25, 0.75]))
    assert hash(law) == hash(priors.Probabilities((0.25, 0.75)))
    assert law != priors.Probabilities([0.75, 0.25])
    assert law.log_pmf([1, 2, 3, 10**9]).tolist() == pytest.approx(
        [math.log(0.25), math.log(0.75), -math.inf, -math.inf]
    )
    for values in ([0.6, 0.3, 0.1], [0.1] * 10, [1 / 7] * 7):
        law = priors.Probabilities(values)
        assert eval(repr(law), {"Probabilities": priors.Probabilities}) == law
    with pytest.raises(ValueError, match="read-only"):
        law.values[0] = 1.0


BAD_VECTORS: dict[str, tuple[Any, str]] = {
    "empty": ([], "flat vector"),
    "table": ([[0.5, 0.5]], "flat vector"),
    "ragged": ([[0.5], 0.5], "flat vector"),
    "strings": (["a"], "flat vector"),
    "negative": ([1.5, -0.5], "from 0 to 1"),
    "nan": ([0.5, math.nan], "from 0 to 1"),
    "infinite": ([0.5, math.inf], "from 0 to 1"),
    "weights": ([3, 1], "sum to 1, got a sum of 4"),
    "zeros": ([0.0, 0.0], "sum to 1, got a sum of 0"),
    "nearly": ([0.5, 0.5 + 1e-7], "sum to 1"),
}


@pytest.mark.parametrize(("values", "message"), BAD_VECTORS.values(), ids=BAD_VECTORS)
def test_bad_vectors_are_refused(values: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        priors.Probabilities(values)
    with pytest.raises(InputError, match=message):
        priors.ESC(mu=values)


@pytest.mark.parametrize("bad", [0, 1, "poisson", None, 0.5, {1: 0.5}, priors.ESC, True])
def test_what_is_no_law_of_counts_is_refused_by_name(bad: Any) -> None:
    for make, name in (
        (lambda: priors.ESC(mu=bad), "'mu'"),
        (lambda: priors.NBD(1, 0.5, mu=bad), "'mu'"),
        (lambda: priors.CompoundPoisson(1, mu=bad), "'mu'"),
        (lambda: priors.MixtureOfFiniteMixtures(1, components=bad), "'components'"),
    ):
        with pytest.raises(InputError, match=name):
            make()
