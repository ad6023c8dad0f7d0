"""Special functions against 60 digits: ten digits of each value, over all scales and up to ten million counts."""

import itertools
import math
from collections.abc import Callable, Iterable
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from coterie import special
from oracles import agree

# From 1e-12 to 1e12, both exact powers and numbers with all their digits.
SCALES = [*(10.0**e for e in range(-12, 13, 3)), 2.955e-5, 0.1875, 1 / 3, 0.9999, 1.5, 15.9999, 16.0, 1234.5678]
COUNTS = [0, 1, 2, 3, 15, 16, 17, 40, 1000, 10**5, 10**7]
# Probabilities with their complements; both are exact to the last bit.
PROBABILITIES = [(x, 1.0 - x) for x in (0.5, 0.1875, 0.75, 1 / 3)]
PROBABILITIES += [pair for x in (1e-12, 1.396e-7, 1e-3) for pair in ((x, 1.0 - x), (1.0 - x, x))]

scales = st.floats(-12, 12).map(lambda e: 10.0**e)
counts = st.one_of(st.integers(0, 40), st.floats(0, 7).map(lambda e: round(10**e)))
probabilities = st.floats(-12, math.log10(0.5)).map(lambda e: 10.0**e)


def check(function: Callable[..., Any], exact: Callable[..., mp.mpf], points: Iterable[tuple[float, ...]]) -> None:
    """Compare a function with its definition at many points, passed as arrays and each alone."""
    points = list(points)
    together = function(*np.array(points).T)
    assert together.shape == (len(points),)
    for point, got in zip(points, together.tolist(), strict=True):
        expected = exact(*point)
        assert agree(got, expected, digits=10), (point, got, mp.nstr(expected, 15))
    alone = float(function(*points[0]))
    assert alone == pytest.approx(together[0], rel=1e-14, abs=0.0)


def stirling_error(x: float) -> mp.mpf:
    x = mp.mpf(x)
    return mp.loggamma(x + 1) - ((x + 0.5) * mp.log(x) - x + mp.log(2 * mp.pi) / 2)


def relative_deviance(u: float) -> mp.mpf:
    u = mp.mpf(u)
    return (1 + u) * mp.log1p(u) - u if u > -1 else mp.mpf(1)


def log_rising(x: float, n: float) -> mp.mpf:
    x, n = mp.mpf(x), int(n)
    if n <= 40:
        return mp.log(mp.fprod(x + i for i in range(n)))
    return mp.loggamma(x + n) - mp.loggamma(x)


def log_rising_excess(x: float, n: float) -> mp.mpf:
    return log_rising(x, n) - int(n) * mp.log(x)


def log_rising_ratio(x: float, d: float, n: float) -> mp.mpf:
    x, d, n = mp.mpf(x), mp.mpf(d), int(n)
    if n <= 40:
        return -mp.fsum(mp.log1p(d / (x + i)) for i in range(n))
    return mp.loggamma(x + n) - mp.loggamma(x) - mp.loggamma(x + d + n) + mp.loggamma(x + d)


def log_falling_excess(m: float, k: float) -> mp.mpf:
    if k > m:
        return mp.ninf
    return mp.loggamma(mp.mpf(m) + 1) - mp.loggamma(mp.mpf(m) - int(k) + 1) - int(k) * mp.log(m)


def deviance(mean: float, difference: float) -> mp.mpf:
    return mp.mpf(mean) * relative_deviance(mp.mpf(difference) / mp.mpf(mean))


def log_poisson(x: float, mean: float) -> mp.mpf:
    return int(x) * mp.log(mean) - mp.mpf(mean) - mp.loggamma(int(x) + 1)


def log_negbin(x: float, size: float, p: float, not_p: float) -> mp.mpf:
    """p + not_p is one but for rounding, which is taken off the larger of the two."""
    p, not_p = (mp.mpf(p), 1 - mp.mpf(p)) if p < not_p else (1 - mp.mpf(not_p), mp.mpf(not_p))
    return log_rising(size, x) - mp.loggamma(int(x) + 1) + mp.mpf(size) * mp.log(not_p) + int(x) * mp.log(p)


def test_stirling_error() -> None:
    check(special.stirling_error, stirling_error, ((x,) for x in [*SCALES, 0.5, 1, 7, 15, 17, 100]))


@given(scales)
def test_stirling_error_anywhere(x: float) -> None:
    check(special.stirling_error, stirling_error, [(x,)])


def test_relative_deviance() -> None:
    near = [sign * 10.0**e for e in range(-12, 0) for sign in (1, -1)]
    edges = [0.0, -1.0, -0.2, 0.2, np.nextafter(0.2, 0), np.nextafter(-0.2, 0), -0.9999999, 1.0, 3.0, 1e6, 1e12]
    check(special.relative_deviance, relative_deviance, ((u,) for u in near + edges))


@given(st.one_of(scales, st.floats(-1, 1)))
def test_relative_deviance_anywhere(u: float) -> None:
    assume(u == 0 or abs(u) > 1e-150)  # whose square underflows
    check(special.relative_deviance, relative_deviance, [(u,)])


@pytest.mark.parametrize("name", ["log_rising", "log_rising_excess"])
def test_rising_factorials(name: str) -> None:
    check(getattr(special, name), globals()[name], itertools.product(SCALES, COUNTS))


@given(scales, counts)
def test_rising_factorials_anywhere(x: float, n: int) -> None:
    check(special.log_rising_excess, log_rising_excess, [(x, n)])
    # log x⁽ⁿ⁾ crosses zero, and there its digits are those of its terms.
    slack = 1e-14 * (n * abs(math.log(x)) + float(log_rising_excess(x, n)))
    assert agree(float(special.log_rising(x, n)), log_rising(x, n), slack)


def test_ratios_of_rising_factorials() -> None:
    fewer = [10.0**e for e in range(-12, 13, 4)] + [2.955e-5, 1 / 3, 17.0]
    check(special.log_rising_ratio, log_rising_ratio, itertools.product(fewer, [0.0, *fewer], COUNTS))


@given(scales, scales, counts)
def test_ratios_of_rising_factorials_anywhere(x: float, d: float, n: int) -> None:
    check(special.log_rising_ratio, log_rising_ratio, [(x, d, n)])


def test_falling_factorials() -> None:
    numbers = [1, 2, 3, 15, 16, 17, 18, 40, 1000, 10**5, 10**7, 10**9, 10**12]
    check(special.log_falling_excess, log_falling_excess, itertools.product(numbers, COUNTS))
    nearly_all = [(m, m - left) for m in (40, 1000, 10**7) for left in (0, 1, 2, 15, 16, 17)]
    check(special.log_falling_excess, log_falling_excess, nearly_all)


@given(st.floats(0, 12).map(lambda e: round(10**e)), counts)
def test_falling_factorials_anywhere(m: int, k: int) -> None:
    check(special.log_falling_excess, log_falling_excess, [(m, k)])


def test_factorials() -> None:
    check(special.log_factorial, lambda n: mp.loggamma(int(n) + 1), ((n,) for n in [*COUNTS, 10**12]))


def test_deviance() -> None:
    shares = [0.0, -1.0, 1e-12, -1e-9, 1e-3, -0.5, 2.0, 1e6]
    points = [(mean, mean * share) for mean in SCALES for share in shares]
    check(special.deviance, deviance, points)


def test_poisson_probabilities() -> None:
    check(special.log_poisson, log_poisson, itertools.product(COUNTS, SCALES))
    check(special.log_poisson, log_poisson, [(10**7, 1e7), (10**7, 1e7 + 1), (10**6, 1e6 + 3000.0), (3, 3.0)])


@given(counts, scales)
@example(10**7, 1e7)
def test_poisson_probabilities_anywhere(x: int, mean: float) -> None:
    # A double cannot do better than the digits of P where P is next to one.
    assert agree(float(special.log_poisson(x, mean)), log_poisson(x, mean), slack=1e-13)


def test_negative_binomial_probabilities() -> None:
    for (p, not_p), size in itertools.product(PROBABILITIES, SCALES):
        for x in COUNTS:
            got, exact = float(special.log_negbin(x, size, p, not_p)), log_negbin(x, size, p, not_p)
            assert agree(got, exact, slack=1e-13), (x, size, p, not_p, got, mp.nstr(exact, 15))


@given(counts, scales, probabilities, st.booleans())
def test_negative_binomial_probabilities_anywhere(x: int, size: float, small: float, swap: bool) -> None:
    p, not_p = (1.0 - small, small) if swap else (small, 1.0 - small)
    got, exact = float(special.log_negbin(x, size, p, not_p)), log_negbin(x, size, p, not_p)
    assert agree(got, exact, slack=1e-13)


@given(st.floats(0, 7), st.floats(-6, 6), probabilities, st.booleans(), st.floats(-30, 30))
def test_negative_binomial_probabilities_around_the_mean(
    log_n: float, log_size: float, small: float, swap: bool, deviations: float
) -> None:
    p, not_p = (1.0 - small, small) if swap else (small, 1.0 - small)
    size = 10.0**log_size
    mean = size * p / not_p
    x = round(mean + deviations * math.sqrt(mean / not_p))
    assume(0 <= x <= 10**log_n)
    got, exact = float(special.log_negbin(x, size, p, not_p)), log_negbin(x, size, p, not_p)
    assert agree(got, exact, slack=1e-13)


def test_arguments_broadcast() -> None:
    x, n = np.array([[1e-6], [2.0]]), np.array([0, 3, 50])
    assert special.log_rising(x, n).shape == special.log_falling_excess(100 * x, n).shape == (2, 3)
    assert special.log_rising_ratio(x, 0.5, n).shape == special.log_poisson(n, x).shape == (2, 3)
    assert special.log_negbin(n, x, 0.25, 0.75).shape == special.deviance(x, n).shape == (2, 3)
    assert special.log_rising(x, n)[1, 1] == pytest.approx(math.log(2 * 3 * 4))


def test_log_sum_exp() -> None:
    assert special.log_sum_exp([]) == special.log_sum_exp([-np.inf]) == -np.inf
    assert special.log_sum_exp([-1e5, -1e5]) == pytest.approx(-1e5 + math.log(2), rel=1e-15)
    assert special.log_sum_exp([3.0]) == 3.0
    assert special.log_sum_exp([700.0, 710.0, -np.inf, 705.0]) == pytest.approx(
        float(mp.log(mp.exp(700) + mp.exp(710) + mp.exp(705))), rel=1e-14
    )


def test_increasing_root() -> None:
    root = special.increasing_root(lambda x: x * x - 2.0, 0.0, 2.0)
    assert root * root <= 2.0 * (1 + 4e-16)
    assert root == pytest.approx(math.sqrt(2.0), rel=1e-15)
    assert special.increasing_root(lambda x: x, 1.0, 2.0) == 1.0
    assert special.increasing_root(lambda x: x, -2.0, -1.0) == -1.0
    assert special.increasing_root(lambda x: x, -1.0, 0.0) == 0.0
