"""Sums over, and draws of, a number of components: against sums of all terms."""

import math
from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest

from coterie.priors.components import FEW, Components
from coterie.special import Floats, log_negbin, log_poisson
from frequencies import assert_drawn_from

# The weight as a function of arrays, and of a number with 60 digits; the range; whether all terms can be added.
Weight = tuple[Callable[[Floats], Floats], float, float]
SMALL: dict[str, Weight] = {
    "geometric": (lambda k: k * np.log(0.5), 1, math.inf),
    "one": (lambda k: 0.0 * k, 5, 5),
    "uniform": (lambda k: 0.0 * k, 3, 11),
    "poisson": (lambda k: log_poisson(k, 6.5), 1, math.inf),
    "increasing": (lambda k: 0.7 * k, 1, 20),
    "power": (lambda k: -8.0 * np.log(k), 1, math.inf),
    "far-away": (lambda k: -0.5 * ((k - 3e6) / 2.0) ** 2, 1, math.inf),
}
# More values than are added one by one.
LARGE: dict[str, Weight] = {
    "bell": (lambda k: -0.5 * ((k - 4e5) / 3e4) ** 2, 1, 10**6),
    "bell-at-the-edge": (lambda k: -0.5 * ((k + 2e4) / 3e4) ** 2, 1, 10**6),
    "half-a-bell": (lambda k: -0.5 * ((k - 4e5) / 3e4) ** 2, 410_000, 10**6),
    "power-and-decay": (lambda k: -0.6 * np.log(k) - k / 3e4, 1, 3 * 10**6),
    "tenth-power-and-decay": (lambda k: 10 * np.log(k) - k / 3e4, 1, 4 * 10**6),
    "log-series": (lambda k: -np.log(k) - k / 5e4, 1, 5 * 10**6),
    "negative-binomial": (lambda k: log_negbin(k, 0.5, 1 - 3e-5, 3e-5), 1, 3 * 10**6),
    "uniform": (lambda k: 0.0 * k, 1, 10**6),
    "increasing": (lambda k: k / 2e4, 1, 10**6),
}


def added(weight: Weight) -> tuple[Floats, Floats]:
    """Return K and its probabilities by adding every term that matters."""
    log_weight, first, last = weight
    k = np.arange(first, min(last, 6 * 10**6) + 1.0)
    logs = log_weight(k)
    return k, logs


@pytest.mark.parametrize(
    "weight", [*SMALL.values(), *LARGE.values()], ids=[*SMALL, *(f"large-{x}" for x in LARGE)]
)
def test_sums_are_those_of_all_terms(weight: Weight) -> None:
    _, logs = added(weight)
    top = logs.max()
    exact = top + math.log(math.fsum(np.exp(logs - top).tolist()))
    assert Components(*weight).log_sum() == pytest.approx(exact, rel=1e-10, abs=1e-10)


def test_large_sums_are_by_quadrature() -> None:
    for weight in LARGE.values():
        components = Components(*weight)
        assert components.high - components.low > FEW


def test_sums_beyond_all_counting_are_right() -> None:
    for mean in (1e9, 1e15, 1e24):
        components = Components(lambda k, mean=mean: -0.5 * ((k - mean) / (0.01 * mean)) ** 2, first=1)
        assert components.log_sum() == pytest.approx(math.log(0.01 * mean * math.sqrt(2 * math.pi)), rel=1e-12)
    # Σ e^(−K/s) = 1/(e^(1/s) − 1)
    for scale in (1e6, 1e12, 1e20):
        exact = float(-mp.log(mp.expm1(1 / mp.mpf(scale))))
        assert Components(lambda k, s=scale: -k / s, first=1).log_sum() == pytest.approx(exact, rel=1e-12)


def test_a_poisson_sum_is_one() -> None:
    for mean in (1e3, 1e5, 1e8, 1e12):
        total = Components(lambda k, mean=mean: log_poisson(k, mean), first=1).log_sum()
        assert total == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("weight", SMALL.values(), ids=SMALL)
def test_few_components_are_drawn_exactly(weight: Weight) -> None:
    k, logs = added(weight)
    shares = np.exp(logs - logs.max())
    kept = shares > 1e-26
    law = dict(zip(k[kept].tolist(), (shares[kept] / shares.sum()).tolist(), strict=True))
    components, rng = Components(*weight), np.random.default_rng(3)
    assert_drawn_from((components.draw(rng) for _ in range(20_000)), law)


@pytest.mark.parametrize("weight", LARGE.values(), ids=LARGE)
def test_many_components_are_drawn_exactly(weight: Weight) -> None:
    k, logs = added(weight)
    cumulative = np.cumsum(np.exp(logs - logs.max()))
    # A hundred cells of nearly equal probability, cut where no cell of the staircase is.
    cuts = np.unique(k[np.searchsorted(cumulative, np.linspace(0, cumulative[-1], 101)[1:-1])])
    ends = np.append(np.searchsorted(k, cuts, side="right"), k.size)
    shares = np.diff(np.append(0.0, cumulative[ends - 1])) / cumulative[-1]
    components, rng = Components(*weight), np.random.default_rng(4)
    draws = np.array([components.draw(rng) for _ in range(20_000)])
    assert np.all((draws >= weight[1]) & (draws <= weight[2]) & (draws == np.floor(draws)))
    law = {cell: share for cell, share in enumerate(shares.tolist()) if share > 0}
    assert_drawn_from(np.searchsorted(cuts, draws, side="left").tolist(), law)


def test_few_components_within_many_are_drawn_exactly() -> None:
    weight = LARGE["log-series"]
    k, logs = added(weight)
    shares = np.exp(logs) / np.exp(logs).sum()
    law: dict[float, float] = dict(zip(k[:50].tolist(), shares[:50].tolist(), strict=True))
    law[0.0] = 1.0 - math.fsum(law.values())
    components, rng = Components(*weight), np.random.default_rng(5)
    draws = (components.draw(rng) for _ in range(20_000))
    assert_drawn_from((draw if draw <= 50 else 0.0 for draw in draws), law)
