"""The fits of the paper's two partitions, to the digits that are known."""

import numpy as np
import pytest

from coterie import Partition, fit, priors
from coterie.priors import one_minus

SIMULATED = Partition.from_sizes({1: 4100, 2: 300, 3: 100})
SHIW = Partition.from_sizes({1: 385, 2: 202})
# The values of appendix D, with the digits of q that the paper does not print.
PUBLISHED_NBNB = {
    "simulated": priors.NBNB(a=102.4, q=one_minus(1.396e-7), r=2.955e-5, p=0.1875),
    "shiw": priors.NBNB(a=100.6, q=0.9267, r=1001, p=6.212e-4),
}
HUNDRED_THOUSAND = {
    "exactly": priors.Exactly(100_000),
    "around": priors.ShiftedPoisson(99_999),
}


def test_perps_has_a_closed_form() -> None:
    simulated, shiw = fit(priors.PERPS, SIMULATED), fit(priors.PERPS, SHIW)
    assert simulated.law.lam == pytest.approx(0.2146, abs=5e-5)
    assert simulated.law.alpha == pytest.approx(23_304, abs=0.5)
    assert simulated.log_prob == pytest.approx(-5498.868, abs=5e-4)
    assert shiw.law.lam == pytest.approx(0.6238, abs=5e-5)
    assert shiw.law.alpha == pytest.approx(1264.8, abs=0.05)
    assert shiw.log_prob == pytest.approx(-1611.250, abs=5e-4)
    assert simulated.boundary == shiw.boundary == ()


def test_dirichlet_process() -> None:
    simulated, shiw = fit(priors.DirichletProcess, SIMULATED), fit(priors.DirichletProcess, SHIW)
    # θ is the root of Σ_{i<N} θ/(θ+i) = |C_N|.
    for found, partition in ((simulated, SIMULATED), (shiw, SHIW)):
        expected = np.sum(found.law.theta / (found.law.theta + np.arange(partition.n)))
        assert expected == pytest.approx(partition.k, rel=1e-10)
    assert simulated.law.theta == pytest.approx(21_719.1, abs=0.05)
    assert simulated.log_prob == pytest.approx(-5459.395, abs=5e-4)
    assert shiw.law.theta == pytest.approx(1037.40, abs=5e-3)
    assert shiw.log_prob == pytest.approx(-1646.566, abs=5e-4)


def test_pitman_yor() -> None:
    simulated, shiw = fit(priors.PitmanYor, SIMULATED), fit(priors.PitmanYor, SHIW)
    assert simulated.law.theta == pytest.approx(9167, abs=0.5)
    assert simulated.law.delta == pytest.approx(0.5414, abs=5e-5)
    assert simulated.log_prob == pytest.approx(-5451.546, abs=5e-4)
    assert simulated.boundary == ()
    assert shiw.law.delta == 0.0
    assert shiw.boundary == ("delta = 0",)
    assert shiw.limit == fit(priors.DirichletProcess, SHIW).law


@pytest.mark.parametrize("components", HUNDRED_THOUSAND.values(), ids=HUNDRED_THOUSAND)
def test_mixture_of_finite_mixtures(components: priors.CountLaw) -> None:
    simulated = fit(priors.MixtureOfFiniteMixtures, SIMULATED, components=components)
    shiw = fit(priors.MixtureOfFiniteMixtures, SHIW, components=components)
    assert simulated.law.gamma == pytest.approx(0.2792, abs=5e-5)
    assert shiw.law.gamma == pytest.approx(0.01053, abs=5e-6)


def test_the_published_nbnb_values_lie_below_the_supremum() -> None:
    assert PUBLISHED_NBNB["simulated"].log_prob(SIMULATED) == pytest.approx(-5466.58, abs=5e-3)
    assert PUBLISHED_NBNB["shiw"].log_prob(SHIW) == pytest.approx(-1612.26, abs=5e-3)


def test_nbnb_has_no_interior_maximum() -> None:
    simulated, shiw = fit(priors.NBNB, SIMULATED), fit(priors.NBNB, SHIW)
    assert simulated.boundary == ("a → ∞", "r → 0")
    assert isinstance(simulated.limit, priors.CompoundPoisson)
    assert isinstance(simulated.limit.mu, priors.LogSeries)
    assert simulated.limit_log_prob == pytest.approx(-5464.68, abs=5e-3)
    assert shiw.boundary == ("a → ∞", "r → ∞")
    perps = fit(priors.PERPS, SHIW)
    assert isinstance(shiw.limit, priors.PERPS)
    assert shiw.limit.lam == pytest.approx(perps.law.lam, rel=1e-9)
    assert shiw.limit_log_prob == pytest.approx(perps.log_prob, rel=1e-12)
    assert shiw.limit_log_prob == pytest.approx(-1611.25, abs=5e-3)


@pytest.mark.parametrize("partition", [SIMULATED, SHIW], ids=["simulated", "shiw"])
def test_nelder_mead_stops_on_the_ridge_and_says_so(partition: Partition) -> None:
    simplex, profile = (fit(priors.NBNB, partition, method=method) for method in ("nelder-mead", "profile"))
    assert simplex.method == "nelder-mead"
    assert simplex.boundary == profile.boundary
    assert simplex.limit == profile.limit
    assert simplex.limit_log_prob - 1e-3 < simplex.log_prob < simplex.limit_log_prob
