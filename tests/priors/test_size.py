"""Exact draws of a million elements: the mean number of clusters and of singletons against their exact moments."""

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from coterie import priors
from coterie.priors import one_minus

N, DRAWS = 1_000_000, 20
# Sixteen means are tested by Student's t, since sums over a million elements are normal. Together they are wrong
# about good code with probability 1e-6 when the seed changes; with the seed as it is, the verdict is always the
# same.
MEANS, FALSE_ALARM = 16, 1e-6
# No draw of K leaves this many standard deviations around its mode.
REACH = 12


def pitman_yor_moments(theta: float, delta: float) -> tuple[float, float]:
    """Return the exact means of the number of clusters and of singletons, by recursion over the elements.

    The next element founds a cluster with probability (θ + kδ)/(θ + n), and joins a singleton with probability
    (1 − δ)/(θ + n) for each; both are linear, so that the means follow.
    """
    clusters, singletons = 0.0, 0.0
    for n in range(N):
        new = (theta + delta * clusters) / (theta + n) if n else 1.0
        singletons += new - (singletons * (1.0 - delta) / (theta + n) if n else 0.0)
        clusters += new
    return clusters, singletons


def component_moments(law: priors.NBNB | priors.PERPS) -> tuple[float, float]:
    """Return the same means by a sum over K | N, of what is known given K.

    Given K each component is empty with probability P(0) and single with P(1), under the law of one component
    given that all K of them add up to N: the beta-binomial law, or the binomial.
    """

    def log_term(k: float) -> mp.mpf:
        # P(K | N) up to a constant.
        if isinstance(law, priors.PERPS):
            return k * (mp.log(law.alpha) - mp.mpf(law.lam)) - mp.loggamma(k + 1) + N * mp.log(k)
        kr, not_q, not_p = mp.mpf(k) * mp.mpf(law.r), complement(law.q), complement(law.p)
        number = mp.loggamma(law.a + mp.mpf(k)) - mp.loggamma(mp.mpf(k) + 1) + k * mp.log(1 - not_q)
        return number + mp.loggamma(kr + N) - mp.loggamma(kr) + kr * mp.log(not_p)

    def given(k: float) -> tuple[mp.mpf, mp.mpf]:
        if isinstance(law, priors.PERPS):
            empty, single = mp.mpf(1 - 1 / mp.mpf(k)) ** N, N / mp.mpf(k) * (1 - 1 / mp.mpf(k)) ** (N - 1)
        else:
            r, rest = mp.mpf(law.r), (mp.mpf(k) - 1) * mp.mpf(law.r)
            whole = mp.loggamma(rest + r + N) - mp.loggamma(rest + r)
            empty = mp.exp(mp.loggamma(rest + N) - mp.loggamma(rest) - whole)
            single = N * r * mp.exp(mp.loggamma(rest + N - 1) - mp.loggamma(rest) - whole)
        return k * (1 - empty), k * single

    with mp.workdps(40):
        mode = highest(log_term)
        step = mode * 1e-4
        deviation = step / mp.sqrt(2 * log_term(mode) - log_term(mode + step) - log_term(mode - step))
        ks = [mp.floor(mode + deviation * t / 4) for t in range(-4 * REACH, 4 * REACH + 1)]
        ks = [k for k in ks if k > 1]
        shares = [mp.exp(log_term(k) - log_term(mode)) for k in ks]
        means = [given(k) for k in ks]
        clusters = mp.fsum(s * m[0] for s, m in zip(shares, means, strict=True)) / mp.fsum(shares)
        singletons = mp.fsum(s * m[1] for s, m in zip(shares, means, strict=True)) / mp.fsum(shares)
    return float(clusters), float(singletons)


def complement(x: float) -> mp.mpf:
    return mp.mpf(getattr(x, "complement", None) or 1 - mp.mpf(x))


def highest(log_term: Callable[[Any], mp.mpf]) -> mp.mpf:
    """Return the mode, by golden sections over log K."""
    low, high = mp.mpf(1), mp.log(mp.mpf(10) ** 14)
    for _ in range(120):
        left, right = low + (high - low) * mp.mpf("0.382"), low + (high - low) * mp.mpf("0.618")
        if log_term(mp.exp(left)) < log_term(mp.exp(right)):
            low = left
        else:
            high = right
    return mp.exp(low)


COMPONENTS: dict[str, priors.NBNB | priors.PERPS] = {
    # K is about 1e9 in both.
    "nbnb-fitted": priors.NBNB(a=102.4, q=one_minus(1.396e-7), r=2.955e-5, p=0.1875),
    "nbnb-sparse": priors.NBNB(a=1000.0, q=one_minus(1e-6), r=1e-6, p=0.999),
    "nbnb-common": priors.NBNB(a=1.0, q=0.9999, r=6.0, p=1 / 3),
    "perps": priors.PERPS(alpha=2e6, lam=0.6),
    "perps-many": priors.PERPS(alpha=1e9, lam=3.0),
}
EXCHANGEABLE: dict[str, tuple[priors.Law, float, float]] = {
    "dirichlet-process": (priors.DirichletProcess(1.5e6), 1.5e6, 0.0),
    "dirichlet-process-few": (priors.DirichletProcess(50.0), 50.0, 0.0),
    "pitman-yor": (priors.PitmanYor(2e5, 0.54), 2e5, 0.54),
}


def assert_means(law: priors.Law, clusters: float, singletons: float) -> None:
    draws = law.sample_sizes(N, draws=DRAWS, seed=11)
    assert all(int(sizes.sum()) == N and sizes.min() >= 1 for sizes in draws)
    for drawn, exact in (
        ([sizes.size for sizes in draws], clusters),
        ([np.count_nonzero(sizes == 1) for sizes in draws], singletons),
    ):
        deviations = (np.mean(drawn) - exact) / (np.std(drawn, ddof=1) / math.sqrt(DRAWS))
        assert 2.0 * stats.t.sf(abs(deviations), DRAWS - 1) > FALSE_ALARM / MEANS, (
            np.mean(drawn),
            exact,
            deviations,
        )


@pytest.mark.parametrize("law", COMPONENTS.values(), ids=COMPONENTS)
def test_draws_with_components_have_the_exact_means(law: priors.NBNB | priors.PERPS) -> None:
    assert_means(law, *component_moments(law))


@pytest.mark.parametrize(("law", "theta", "delta"), EXCHANGEABLE.values(), ids=EXCHANGEABLE)
def test_draws_of_an_urn_have_the_exact_means(law: priors.Law, theta: float, delta: float) -> None:
    assert_means(law, *pitman_yor_moments(theta, delta))


def test_the_moments_are_right_where_they_can_be_added() -> None:
    # θ Σ 1/(θ+i) clusters, and θ N/(θ + N − 1) singletons, under the Dirichlet process.
    theta = 50.0
    clusters, singletons = pitman_yor_moments(theta, 0.0)
    assert clusters == pytest.approx(math.fsum(theta / (theta + i) for i in range(N)), rel=1e-12)
    assert singletons == pytest.approx(theta * N / (theta + N - 1), rel=1e-9)


@pytest.mark.parametrize("law", COMPONENTS.values(), ids=COMPONENTS)
def test_partitions_of_a_million_have_canonical_labels(law: priors.Law) -> None:
    p = law.sample(N, seed=1)
    assert p.n == N
    assert p.labels[0] == 0
    first = np.unique(p.labels, return_index=True)[1]
    assert np.array_equal(np.argsort(first), np.arange(p.k))
