"""The renewal recursion against 60 digits and against closed forms, and the chances of the next size."""

import math

import mpmath as mp
import numpy as np
import pytest

from coterie.kernels import renewal
from frequencies import assert_drawn_from

# (chain, start) of an exchangeable sequence, of NBD and of a compound Poisson law.
KINDS = {"esc": (1.0, 1.0), "nbd": (0.3, 0.45), "nbd-certain": (1.0 - 1e-9, 5.0), "poisson": (0.0, 2.5)}
KINDS |= {"nbd-sparse": (1e-6, 1e-12), "poisson-sparse": (0.0, 1e-9), "poisson-many": (0.0, 1e9)}
SHAPES = {
    "all": [0.4, 0.3, 0.2, 0.1],
    "one": [1.0],
    "twos": [0.0, 1.0],
    "even": [0.0, 0.7, 0.0, 0.3],
    "three-and-five": [0.0, 0.0, 0.5, 0.0, 0.5],
    "far-apart": [1e-200, *[0.0] * 99, 1.0],
    "long": [1.0 / s**2 for s in range(1, 200)],
    "steep": [math.exp(-2.0 * s) for s in range(1, 90)],
}
kinds = pytest.mark.parametrize(("chain", "start"), KINDS.values(), ids=KINDS)
shapes = pytest.mark.parametrize("mu", SHAPES.values(), ids=SHAPES)


def log_weights(chain: float, start: float, mu: list[float], n: int) -> np.ndarray:
    log_w = np.empty(n + 1)
    renewal.fill_log_weights(chain, start, logs(mu), log_w)
    return log_w


def logs(mu: list[float]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.append(-np.inf, np.log(np.array(mu)))


def naive_weights(chain: float, start: float, mu: list[float], n: int) -> list[mp.mpf]:
    """Return W(0), …, W(n), straight from the recursion."""
    chain, start = mp.mpf(chain), mp.mpf(start)
    exact = [mp.mpf(value) for value in mu]
    w = [mp.mpf(1)]
    for total in range(1, n + 1):
        terms = (
            exact[s - 1] * (chain * (total - s) + start * s) * w[total - s]
            for s in range(1, min(total, len(mu)) + 1)
            if exact[s - 1] and w[total - s]
        )
        w.append(mp.fsum(terms) / total)
    return w


@kinds
@shapes
def test_weights_are_those_of_the_recursion(chain: float, start: float, mu: list[float]) -> None:
    n = 210
    for got, exact in zip(log_weights(chain, start, mu, n), naive_weights(chain, start, mu, n), strict=True):
        if exact:
            assert abs(mp.mpf(float(got)) - mp.log(exact)) < 1e-11 * (1 + abs(mp.log(exact)))
        else:
            assert got == -np.inf


def test_the_recursion_is_that_of_the_generating_function() -> None:
    # The sum over k of P(k clusters) times the k-fold convolution of μ.
    mu = [0.4, 0.0, 0.35, 0.25]
    for chain, start, weight in (
        (1.0, 1.0, lambda k: 1.0**k),
        (0.3, 0.45, lambda k: float(mp.rf(1.5, k) / mp.factorial(k)) * 0.3**k),
        (0.0, 2.5, lambda k: 2.5**k / math.factorial(k)),
    ):
        exact, power = np.zeros(31), np.zeros(31)
        power[0] = 1.0
        for k in range(31):
            exact += weight(k) * power
            power = np.convolve(power, np.append(0.0, mu))[:31]
        assert np.exp(log_weights(chain, start, mu, 30)) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("n", [63, 64, 65, 128, 129, 4000])
def test_closed_forms_over_thousands_of_orders_of_magnitude(n: int) -> None:
    # All of size one: W(n) = αⁿ/n!, and 1, and a⁽ⁿ⁾qⁿ/n!.
    log_n = math.lgamma(n + 1)
    for alpha in (1e-12, 3.0, 1e12):
        assert log_weights(0.0, alpha, [1.0], n)[n] == pytest.approx(n * math.log(alpha) - log_n, rel=1e-12)
    assert log_weights(1.0, 1.0, [1.0], n)[n] == pytest.approx(0.0, abs=1e-9)
    exact = math.lgamma(0.5 + n) - math.lgamma(0.5) - log_n + n * math.log(0.2)
    assert log_weights(0.2, 0.1, [1.0], n)[n] == pytest.approx(exact, rel=1e-12)
    # Geometric sizes: W(n) = p (a renewal in every step), from an exchangeable sequence.
    geometric = [0.3 * 0.7**s for s in range(n)]
    if geometric[-1] > 0:
        assert log_weights(1.0, 1.0, geometric, n)[n] == pytest.approx(math.log(0.3), rel=1e-12)


def test_a_multiple_of_mu_moves_the_weights_along_a_line() -> None:
    # μ_s → μ_s cˢ changes W(n) to W(n) cⁿ, however far that is.
    mu = [0.2, 0.0, 0.5, 0.3]
    plain = log_weights(1.0, 1.0, mu, 3000)
    for log_c in (-150.0, -3.0, 60.0):
        log_mu = logs(mu) + log_c * np.arange(5)
        log_w = np.empty(3001)
        renewal.fill_log_weights(1.0, 1.0, log_mu, log_w)
        assert np.isinf(plain).tolist() == np.isinf(log_w).tolist()
        possible = plain > -np.inf
        assert (log_w - log_c * np.arange(3001))[possible] == pytest.approx(plain[possible], abs=1e-7)


@kinds
@shapes
def test_the_next_size_has_its_exact_chance(chain: float, start: float, mu: list[float]) -> None:
    n = 7
    log_mu, log_w = logs(mu), log_weights(chain, start, mu, n)
    exact = naive_weights(chain, start, mu, n)
    for left in range(1, n + 1):
        if not exact[left]:
            continue
        sizes = range(1, min(left, len(mu)) + 1)
        factor = {s: mp.mpf(chain) * (left - s) + mp.mpf(start) * s for s in sizes}
        chances = [mp.mpf(mu[s - 1]) * exact[left - s] * factor[s] / left / exact[left] for s in sizes]
        assert mp.fsum(chances) == pytest.approx(1.0, abs=1e-15)
        below = 0.0
        for s, chance in zip(sizes, map(float, chances), strict=True):
            if chance > 1e-6:
                inside = (below + 1e-3 * chance, below + 0.5 * chance, below + 0.999 * chance)
                assert [renewal.next_size(u, left, chain, start, log_mu, log_w) for u in inside] == [s] * 3
            below += chance
        last = renewal.next_size(np.nextafter(1.0, 0.0), left, chain, start, log_mu, log_w)
        assert mu[last - 1] > 0
        assert exact[left - last] > 0


def test_sizes_are_drawn_from_their_law() -> None:
    chain, start, mu, n = 0.3, 0.45, [0.5, 0.0, 0.3, 0.2], 6
    w = naive_weights(chain, start, mu, n)
    law: dict[tuple[int, ...], float] = {}

    def extend(sizes: tuple[int, ...], probability: mp.mpf) -> None:
        left = n - sum(sizes)
        if left == 0:
            law[sizes] = float(probability)
        for s in range(1, min(left, 4) + 1):
            if mu[s - 1] and w[left - s]:
                factor = mp.mpf(chain) * (left - s) + mp.mpf(start) * s
                extend((*sizes, s), probability * mp.mpf(mu[s - 1]) * w[left - s] * factor / left / w[left])

    extend((), mp.mpf(1))
    log_w, sizes, rng = log_weights(chain, start, mu, n), np.empty(n, np.int64), np.random.default_rng(2)

    def draw() -> tuple[int, ...]:
        return tuple(sizes[: renewal.fill_sizes(rng, chain, start, logs(mu), log_w, sizes)].tolist())

    assert_drawn_from((draw() for _ in range(20_000)), law)
