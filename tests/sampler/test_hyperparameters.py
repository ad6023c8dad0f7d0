"""The draws of what the prior leaves open keep their densities."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from coterie import Partition, priors
from coterie.priors.distributions import Beta, Continuous, Dirichlet, Gamma
from coterie.sampler.hyperparameters import draw_parameters, law_at, log_prior, scale, slice_sample
from frequencies import assert_drawn_from
from sampler import checks

KNOWN: dict[str, tuple[Callable[[float], float], Callable[[np.ndarray], np.ndarray]]] = {
    "normal": (lambda y: -0.5 * y * y, stats.norm.cdf),
    "narrow": (lambda y: -0.5 * (y / 0.05) ** 2, lambda y: stats.norm.cdf(y / 0.05)),
    "wide": (lambda y: -0.5 * (y / 8.0) ** 2, lambda y: stats.norm.cdf(y / 8.0)),
    "logistic": (lambda y: -y - 2.0 * math.log1p(math.exp(-y)) if y > -700 else y, stats.logistic.cdf),
    "exponential": (lambda y: -y if y > 0.0 else -math.inf, stats.expon.cdf),
    "two humps": (
        lambda y: float(np.logaddexp(-0.5 * (y - 1.5) ** 2, -0.5 * (y + 1.5) ** 2)),
        lambda y: 0.5 * (stats.norm.cdf(y - 1.5) + stats.norm.cdf(y + 1.5)),
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_slice_sampler_keeps_a_density(name: str) -> None:
    """One step from an exact draw leads to an exact draw: ten equally probable bins, 4000 independent steps."""
    log_density, cdf = KNOWN[name]
    rng = np.random.default_rng(1)
    starts = {
        "normal": lambda: rng.normal(),
        "narrow": lambda: 0.05 * rng.normal(),
        "wide": lambda: 8.0 * rng.normal(),
        "logistic": lambda: rng.logistic(),
        "exponential": lambda: rng.exponential(),
        "two humps": lambda: rng.normal(rng.choice([-1.5, 1.5])),
    }
    drawn = np.array([slice_sample(rng, log_density, starts[name]()) for _ in range(4000)])
    assert_drawn_from(np.minimum((cdf(drawn) * 10).astype(int), 9).tolist(), dict.fromkeys(range(10), 0.1))


@pytest.mark.parametrize("start", [-40.0, 30.0])
def test_the_slice_sampler_comes_back_from_afar(start: float) -> None:
    rng, y = np.random.default_rng(2), start
    for _ in range(30):
        y = slice_sample(rng, KNOWN["normal"][0], y)
    assert abs(y) < 5.0


@pytest.mark.parametrize("distribution", [Gamma(1, 1), Gamma(0.3, 5), Beta(2, 2), Beta(0.5, 9)], ids=repr)
def test_the_density_on_the_real_line_is_that_of_the_distribution(distribution: Continuous) -> None:
    y = np.linspace(-60.0, 60.0, 60_001)
    density = np.exp([log_prior(distribution, float(at)) for at in y])
    assert abs(np.trapezoid(density, y) - 1.0) < 1e-6
    back = scale(distribution)[1]
    mean = np.trapezoid(
        density * np.array([back(float(at)) if d > 0 else 0.0 for at, d in zip(y, density, strict=True)]), y
    )
    assert abs(mean - distribution.mean) < 1e-6


PARTITION = Partition.from_sizes({1: 4, 2: 2, 3: 1})


def chain(law: priors.Law, draws: int, seed: int, parameters: list[float], log_mu: np.ndarray) -> tuple:
    rng, at = np.random.default_rng(seed), np.array(parameters)
    kept_parameters, kept_mu = [], []
    for _ in range(draws):
        at, log_mu = draw_parameters(rng, law, PARTITION, at, log_mu)
        kept_parameters.append(at)
        kept_mu.append(log_mu)
    return np.array(kept_parameters), np.array(kept_mu)


def test_a_concentration_given_the_partition() -> None:
    checks.check_concentration()


def test_the_law_of_sizes_of_nbd_is_conjugate() -> None:
    """μ | C ~ Dirichlet(α base + counts), drawn afresh each time."""
    around = Dirichlet(3.0, priors.Probabilities([0.5, 0.3, 0.2]))
    law = priors.NBD(a=2, q=0.5, mu=around)
    _, mu = chain(law, 1200, 2, [], np.log([0.5, 0.3, 0.2]))
    weights = np.array([1.5 + 4, 0.9 + 2, 0.6 + 1])
    for s in range(3):
        uniform = stats.beta.cdf(np.exp(mu[:, s]), weights[s], weights.sum() - weights[s])
        assert_drawn_from((uniform * 10).astype(int).tolist(), dict.fromkeys(range(10), 0.1))


def test_the_law_of_sizes_of_esc_is_accepted_by_what_normalises_it() -> None:
    """μ_1 | C on three sizes, of which the last has its share fixed by integration over a grid of the simplex."""
    around = Dirichlet(4.0, priors.Probabilities([0.5, 0.3, 0.2]))
    _, mu = chain(priors.ESC(around), 2400, 3, [], np.log([0.5, 0.3, 0.2]))
    grid = (np.arange(60) + 0.5) / 60
    total = np.zeros(60)
    for a, x in enumerate(grid):
        for y in grid:
            # y is the share of the second in what the first leaves.
            point = np.array([x, (1 - x) * y, (1 - x) * (1 - y)])
            log = float(np.dot(4.0 * np.array([0.5, 0.3, 0.2]) - 1.0, np.log(point))) + math.log(1 - x)
            total[a] += math.exp(log + priors.ESC(point.tolist()).log_prob(PARTITION))
    # Six bins of ten cells each; the grid is exact to a per cent of a bin, which 400 draws cannot see.
    shares = total.reshape(6, 10).sum(axis=1)
    bins = (np.exp(mu[::6, 0]) * 6).astype(int)
    assert_drawn_from(bins.tolist(), dict(enumerate((shares / shares.sum()).tolist())))


def test_a_law_is_put_together_from_its_parameters() -> None:
    law = priors.NBNB(a=1, q=0.5, r=Gamma(1, 1), p=Beta(2, 2))
    there = law_at(law, np.array([math.log(3.0), 0.0]), np.empty(0))
    assert isinstance(there, priors.NBNB)
    assert math.isclose(there.r, 3.0)
    assert math.isclose(there.p, 0.5)
    inside = priors.NBD(a=1, q=0.5, mu=priors.ShiftedNegBin(r=Gamma(1, 1), p=0.2))
    assert law_at(inside, np.array([0.0]), np.empty(0)).mu == priors.ShiftedNegBin(r=1.0, p=0.2)
