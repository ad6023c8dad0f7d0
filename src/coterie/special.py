"""Special functions that keep their digits on the ridges where the laws are fitted.

The maximum-likelihood values of the paper have r = 3e-5 and 1 - q = 1.4e-7, and their neighbours go on to
1e-12 and 1e12. Differences of ``gammaln`` cancel there. Everything here is written around the small
quantity itself instead: rising factorials through their excess over a power, and probabilities of
counts through deviances (C. Loader, 2000, *Fast and accurate computation of binomial probabilities*).

All functions take floats or arrays and broadcast.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, polygamma

Floats = NDArray[np.float64]

HALF_LOG_2PI = 0.5 * np.log(2.0 * np.pi)
# From here on six terms of Stirling's series are right to the last bit.
STIRLING_FROM = 16.0
# Bernoulli numbers B_2j / (2j (2j - 1)), the coefficients of x^(1 - 2j) in Stirling's series.
STIRLING_SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


def stirling_error(x: ArrayLike) -> Floats:
    """Return log Γ(x+1) − [(x+½) log x − x + ½ log 2π], for x > 0."""
    x = np.asarray(x, dtype=np.float64)
    large = np.maximum(x, STIRLING_FROM)
    inverse_square = 1.0 / (large * large)
    series = np.zeros_like(large)
    for coefficient in reversed(STIRLING_SERIES):
        series = series * inverse_square + coefficient
    small = np.minimum(x, STIRLING_FROM)
    exact = gammaln(small + 1.0) - (small + 0.5) * np.log(small) + small - HALF_LOG_2PI
    return np.where(x >= STIRLING_FROM, series / large, exact)


def relative_deviance(u: ArrayLike) -> Floats:
    """Return D(u) = (1+u) log(1+u) − u, which is u²/2 near zero, to full relative precision.

    With v = u/(2+u), log(1+u) = 2 artanh v, so that near zero
    D = 2 (v² + (1+v)(v³/3 + v⁵/5 + …)) / (1−v), where nothing cancels.
    """
    u = np.asarray(u, dtype=np.float64)
    near = np.abs(u) < 0.2
    v = np.where(near, u, 0.0) / (2.0 + np.where(near, u, 0.0))
    square = v * v
    series = np.zeros_like(v)
    # |v| < 1/9, so ten terms leave a remainder below 1e-20 of v³.
    for j in range(10, 0, -1):
        series = (series + 1.0 / (2 * j + 1)) * square
    by_series = 2.0 * (square + (1.0 + v) * v * series) / (1.0 - v)
    far = np.where(near, 1.0, u)
    with np.errstate(divide="ignore"):
        logarithm = np.log1p(far)
    direct = np.where(far > -1.0, (1.0 + far) * np.where(far > -1.0, logarithm, 0.0), 0.0) - far
    return np.where(near, by_series, direct)


def log_rising_excess(x: ArrayLike, n: ArrayLike) -> Floats:
    """Return log x⁽ⁿ⁾ − n log x = Σ_{i<n} log(1 + i/x), for x > 0 and n = 0, 1, 2, …"""
    x, n = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(n, dtype=np.float64))
    total = np.zeros(x.shape)
    # Factors while the argument is below Stirling's range, and all of a short product.
    steps = np.where(n <= STIRLING_FROM, n, np.clip(np.ceil(STIRLING_FROM - x), 0.0, n))
    for i in range(1, int(steps.max(initial=0.0))):
        total += np.where(i < steps, np.log1p(i / x), 0.0)
    rest = n - steps
    start = x + steps
    large = np.where(rest > 0, start, STIRLING_FROM)
    u = rest / large
    stirling = (
        large * relative_deviance(u)
        - 0.5 * np.log1p(u)
        + stirling_error(large * (1.0 + u))
        - stirling_error(large)
        + rest * np.log1p(steps / x)
    )
    return np.where(rest > 0, total + stirling, total)


def log_rising(x: ArrayLike, n: ArrayLike) -> Floats:
    """Return log x⁽ⁿ⁾ = log x (x+1) … (x+n−1), for x > 0 and n = 0, 1, 2, …"""
    return np.asarray(n) * np.log(np.asarray(x, dtype=np.float64)) + log_rising_excess(x, n)


def _log_rising_excess_real(x: Floats, d: Floats) -> Floats:
    """Return log Γ(x+d)/Γ(x) − d log x for x > 0 and any real d ≥ 0."""
    shift = np.clip(np.ceil(STIRLING_FROM - x), 0.0, None)
    total = np.zeros(x.shape)
    for i in range(int(shift.max(initial=0.0))):
        total -= np.where(i < shift, np.log1p(d / (x + i)), 0.0)
    large = x + shift
    u = d / large
    stirling = stirling_error(large + d) - stirling_error(large)
    return total + d * np.log1p(shift / x) + large * relative_deviance(u) - 0.5 * np.log1p(u) + stirling


def _digamma_drop(x: Floats, n: Floats) -> Floats:
    """Return ψ(x) − ψ(x+n) = −Σ_{i<n} 1/(x+i), by the derivative of Stirling's series where x is large."""
    large = np.maximum(x, STIRLING_FROM)
    growth = np.log1p(n / large)
    drop = -growth - 0.5 * n / (large * (large + n))
    for j, coefficient in enumerate(STIRLING_SERIES, start=1):
        drop += (2 * j - 1) * coefficient * large ** (-2.0 * j) * np.expm1(-2.0 * j * growth)
    return np.where(x >= STIRLING_FROM, drop, polygamma(0, x) - polygamma(0, x + n))


def log_rising_ratio(x: ArrayLike, d: ArrayLike, n: ArrayLike) -> Floats:
    """Return log x⁽ⁿ⁾/(x+d)⁽ⁿ⁾ ≤ 0, for x > 0, any real d ≥ 0 and n = 0, 1, 2, …

    The same number is log x⁽ᵈ⁾/(x+n)⁽ᵈ⁾, and the shorter product loses fewer digits.
    """
    x, d, n = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (x, d, n)))
    short = np.zeros(x.shape)
    for i in range(int(np.minimum(n, STIRLING_FROM).max(initial=0.0))):
        short -= np.where(i < n, np.log1p(d / (x + i)), 0.0)
    # Samplers ask for many laws of small clusters, where all that follows is not needed.
    if np.all(n <= STIRLING_FROM):
        return short
    by_n = log_rising_excess(x, n) - log_rising_excess(x + d, n) - n * np.log1p(d / x)
    # A length below 1e-5 of x leaves its fourth power out of log Γ's series without harm.
    tiny = d < 1e-5 * np.minimum(x, 1.0)
    series = np.zeros(x.shape)
    for j in (3, 2):
        series = (series + polygamma(j - 1, x) - polygamma(j - 1, x + n)) * d / j
    series = (series + _digamma_drop(x, n)) * d
    length = np.where(d < n, d, 0.0)
    excess = _log_rising_excess_real(x, length) - _log_rising_excess_real(x + n, length)
    by_d = excess - length * np.log1p(n / x)
    long = np.where(tiny, series, np.where(d < n, by_d, by_n))
    return np.where(n <= STIRLING_FROM, short, long)


def log_falling_excess(m: ArrayLike, k: ArrayLike) -> Floats:
    """Return log m(m−1)…(m−k+1) − k log m = Σ_{i<k} log(1 − i/m); −inf where k > m."""
    m, k = np.broadcast_arrays(np.asarray(m, dtype=np.float64), np.asarray(k, dtype=np.float64))
    possible = k <= m
    k = np.where(possible, k, 0.0)
    total = np.zeros(m.shape)
    # The last factors, while m − k is below Stirling's range, and all of a short product.
    steps = np.where(k <= STIRLING_FROM, k, np.clip(np.ceil(STIRLING_FROM - (m - k)), 0.0, k))
    for i in range(1, int(steps.max(initial=0.0)) + 1):
        total += np.where(i <= steps, np.log1p(-(k - i) / m), 0.0)
    rest = k - steps
    large = np.where(rest > 0, m, 2.0 * STIRLING_FROM)
    u = rest / large
    stirling = (
        -large * relative_deviance(-u) - 0.5 * np.log1p(-u) + stirling_error(large) - stirling_error(large - rest)
    )
    return np.where(possible, total + np.where(rest > 0, stirling, 0.0), -np.inf)


def log_factorial(n: ArrayLike) -> Floats:
    """Return log n!."""
    return gammaln(np.asarray(n, dtype=np.float64) + 1.0)


def deviance(mean: ArrayLike, difference: ArrayLike) -> Floats:
    """Return x log(x/mean) − (x − mean) for x = mean + difference, exact when the difference is small."""
    mean = np.asarray(mean, dtype=np.float64)
    return mean * relative_deviance(np.asarray(difference) / mean)


def log_poisson(x: ArrayLike, mean: ArrayLike) -> Floats:
    """Return the log probability of the count x ≥ 0 under Poisson(mean)."""
    x, mean = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(mean, dtype=np.float64))
    y = np.where(x > 0, x, 1.0)
    positive = -stirling_error(y) - HALF_LOG_2PI - 0.5 * np.log(y) - deviance(mean, y - mean)
    return np.where(x > 0, positive, -mean)


def log_negbin(x: ArrayLike, size: ArrayLike, p: ArrayLike, one_minus_p: ArrayLike) -> Floats:
    """Return the log probability of the count x ≥ 0 under NegBin(size, p), ∝ size⁽ˣ⁾ pˣ / x!.

    Both p and 1 − p are passed, since each may be tiny. With n = size + x this is
    size/n times the binomial probability of ``size`` successes among n, in Loader's form.
    """
    x, size, p, one_minus_p = np.broadcast_arrays(
        *(np.asarray(value, dtype=np.float64) for value in (x, size, p, one_minus_p))
    )
    y = np.where(x > 0, x, 1.0)
    n = size + y
    difference = y * one_minus_p - size * p
    # Together, since for single numbers it is the calls that take time.
    of_n, of_y, of_size = stirling_error(np.stack([n, y, size]))
    of_counts, of_others = deviance(np.stack([n * p, n * one_minus_p]), np.stack([difference, -difference]))
    positive = (
        of_n - of_y - of_size - of_counts - of_others - HALF_LOG_2PI + 0.5 * (np.log(size) - np.log(y) - np.log(n))
    )
    # log(1 − p) from whichever of the two is small.
    log_none = size * np.where(p < 0.5, np.log1p(-np.minimum(p, 0.5)), np.log(one_minus_p))
    return np.where(x > 0, positive, log_none)


def log_sum_exp(values: ArrayLike) -> float:
    """Return log Σ exp(values); −inf for no values."""
    array = np.asarray(values, dtype=np.float64)
    top = float(array.max(initial=-np.inf))
    if top == -np.inf:
        return top
    return top + float(np.log(np.exp(array - top).sum()))


def increasing_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function crosses zero between low and high, to the last bits, by bisection.

    The ends themselves are returned when the function does not change its sign.
    """
    if function(low) >= 0:
        return low
    if function(high) <= 0:
        return high
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if function(middle) < 0:
            low = middle
        else:
            high = middle
