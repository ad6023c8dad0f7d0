"""How the laws are related: limits, special cases, and values that can be computed by hand."""

import itertools
import math
from collections.abc import Callable

import mpmath as mp
import pytest

import oracles
from coterie import Partition, priors
from coterie.priors import one_minus

SMALL = [Partition.from_sizes(counts) for n in (1, 2, 5) for counts in oracles.integer_partitions(n)]
LARGE = [Partition.from_sizes(counts) for counts in ({1: 4100, 2: 300, 3: 100}, {1: 385, 2: 202}, {400: 1, 30: 2})]
every_partition = pytest.mark.parametrize("p", SMALL + LARGE, ids=lambda p: f"{p.size_counts}")


def assert_converges(
    law_at: Callable[[float], priors.Law], limit: priors.Law, p: Partition, *, given_n: bool
) -> None:
    """Check that the distance to the limit falls with ε as ε does, down to what doubles resolve."""
    exact = limit.log_prob(p, given_n=given_n)
    distances = [abs(law_at(eps).log_prob(p, given_n=given_n) - exact) for eps in (1e-6, 1e-8, 1e-10)]
    for before, after in itertools.pairwise(distances):
        assert after <= 0.03 * before + 1e-10 * (1.0 + abs(exact)), distances
    assert distances[-1] <= 1e-9 * (1.0 + abs(exact)) * p.n


@every_partition
@pytest.mark.parametrize("given_n", [False, True])
@pytest.mark.parametrize(("alpha", "lam"), [(3.0, 0.7), (23_304.0, 0.2146), (1264.8, 0.6238)])
def test_nbnb_tends_to_perps(p: Partition, alpha: float, lam: float, given_n: bool) -> None:
    # Appendix A: r = λ/p and a = α/q, and p, q → 0.
    def nbnb(eps: float) -> priors.NBNB:
        return priors.NBNB(a=alpha / eps, q=eps, r=lam / eps, p=eps)

    assert_converges(nbnb, priors.PERPS(alpha, lam), p, given_n=given_n)


@every_partition
@pytest.mark.parametrize("given_n", [False, True])
def test_nbnb_tends_to_a_compound_poisson_law(p: Partition, given_n: bool) -> None:
    # |C_N| ~ NegBin(a, q_seen) tends to Poisson(α) for a q_seen = α and a → ∞.
    alpha, r, p_size = 40.0, 1.7, 0.3
    seen = -math.expm1(r * math.log1p(-p_size))

    def nbnb(eps: float) -> priors.NBNB:
        q = eps / (seen + eps * (1.0 - seen))  # so that q_seen = ε
        law = priors.NBNB(a=alpha / eps, q=q, r=r, p=p_size)
        assert law.q_seen == pytest.approx(eps, rel=1e-12)
        return law

    limit = priors.CompoundPoisson(alpha, priors.TruncatedNegBin(r, p_size))
    assert_converges(nbnb, limit, p, given_n=given_n)


@pytest.mark.parametrize("p", SMALL, ids=lambda p: f"{p.size_counts}")
@pytest.mark.parametrize("given_n", [False, True])
def test_nbd_tends_to_a_compound_poisson_law(p: Partition, given_n: bool) -> None:
    mu = [0.5, 0.2, 0.1, 0.15, 0.05]
    limit = priors.CompoundPoisson(2.5, mu)
    assert_converges(lambda eps: priors.NBD(a=2.5 / eps, q=eps, mu=mu), limit, p, given_n=given_n)


@pytest.mark.parametrize("p", SMALL, ids=lambda p: f"{p.size_counts}")
def test_nbd_tends_to_esc(p: Partition) -> None:
    mu = [0.5, 0.2, 0.1, 0.15, 0.05]
    assert_converges(lambda eps: priors.NBD(1.0, one_minus(eps), mu), priors.ESC(mu), p, given_n=True)


@every_partition
@pytest.mark.parametrize("given_n", [False, True])
def test_nbnb_is_nbd_with_truncated_sizes(p: Partition, given_n: bool) -> None:
    nbnb = priors.NBNB(a=3.5, q=0.8, r=0.4, p=0.6)
    nbd = priors.NBD(nbnb.a, nbnb.q_seen, priors.TruncatedNegBin(nbnb.r, nbnb.p))
    assert nbd.log_prob(p, given_n=given_n) == pytest.approx(nbnb.log_prob(p, given_n=given_n), rel=1e-10)


@every_partition
def test_perps_and_nbnb_given_n_know_less_than_all_their_parameters(p: Partition) -> None:
    # Given N, PERPS knows α e^−λ alone, and NBNB knows a, r and L = log q + r log(1−p).
    same = [priors.PERPS(30.0 * math.exp(lam), lam) for lam in (0.01, 1.0, 5.0)]
    values = [law.log_prob(p, given_n=True) for law in same]
    assert values == pytest.approx([values[0]] * 3, rel=1e-10)
    same_nbnb = [priors.NBNB(4.0, 0.3 * (1.0 - x) ** -0.5, 0.5, x) for x in (0.01, 0.3, 0.6)]
    values = [law.log_prob(p, given_n=True) for law in same_nbnb]
    assert values == pytest.approx([values[0]] * 3, rel=1e-10)


@every_partition
@pytest.mark.parametrize("theta", [1e-9, 0.3, 2.0, 21_719.4, 1e12])
def test_pitman_yor_without_a_discount_is_the_dirichlet_process(p: Partition, theta: float) -> None:
    exact = priors.DirichletProcess(theta).log_prob(p)
    assert priors.PitmanYor(theta, 0).log_prob(p) == exact
    assert priors.PitmanYor(theta, 1e-16 * min(theta, 1.0)).log_prob(p) == pytest.approx(
        exact, rel=1e-10, abs=1e-14
    )


@every_partition
@pytest.mark.parametrize("theta", [0.3, 2.0, 1037.38])
def test_finite_dirichlet_tends_to_the_dirichlet_process(p: Partition, theta: float) -> None:
    def finite(eps: float) -> priors.FiniteDirichlet:
        m = round(1e4 / eps)
        return priors.FiniteDirichlet(m, theta / m)

    assert_converges(finite, priors.DirichletProcess(theta), p, given_n=True)


@every_partition
@pytest.mark.parametrize("m", [1, 9, 700, 5000, 100_000])
def test_finite_dirichlet_tends_to_the_linkage_structure_prior(p: Partition, m: int) -> None:
    limit = priors.LinkageStructure(m)
    if p.k > m:
        assert limit.log_prob(p) == priors.FiniteDirichlet(m, 1e9).log_prob(p) == -math.inf
        return
    assert_converges(lambda eps: priors.FiniteDirichlet(m, 1e4 / eps), limit, p, given_n=True)


@every_partition
@pytest.mark.parametrize("m", [1, 9, 700, 100_000])
def test_a_mixture_with_a_known_number_is_the_finite_dirichlet(p: Partition, m: int) -> None:
    exact = priors.FiniteDirichlet(m, 0.4).log_prob(p)
    vector = [0.0] * (m - 1) + [1.0]
    for components in (priors.Exactly(m), vector):
        got = priors.MixtureOfFiniteMixtures(0.4, components).log_prob(p)
        assert got == pytest.approx(exact, rel=1e-12) if exact > -math.inf else got == exact


@pytest.mark.parametrize("n", [3, 5])
def test_perps_given_the_number_of_components_is_the_linkage_structure_prior(n: int) -> None:
    # P(C_N, N) = Σ_M Poisson(M; α) Poisson(N; Mλ) P(C_N | M, N), the linkage structure.
    alpha, lam = 3.0, 0.7
    for counts in oracles.integer_partitions(n):
        p = Partition.from_sizes(counts)
        terms = [
            mp.exp(
                oracles.log_poisson(m, alpha)
                + oracles.log_poisson(n, m * lam)
                + priors.LinkageStructure(m).log_prob(p)
            )
            for m in range(p.k, 80)
        ]
        assert priors.PERPS(alpha, lam).log_prob(p) == pytest.approx(float(mp.log(mp.fsum(terms))), rel=1e-12)


# --- by hand ---


def test_eq_3_by_hand() -> None:
    # C = {{1}, {2, 3}}, a = 1, q = 1/2, r = 2, p = 1/2: (1−p)^r = 1/4 and e^L = 1/8.
    # P = 1/8 / 3! · a(a+1) · (1−q) · (1/8)² / (7/8)³ · r · r(r+1) = 1/48 · 2 · 1/2 · 8/343 · 12 = 2/343.
    law = priors.NBNB(a=1, q=0.5, r=2, p=0.5)
    assert law.log_prob(Partition.from_sizes([1, 2])) == pytest.approx(math.log(2 / 343), rel=1e-14)
    # One element: P = 1/2 · a (1−q) · (1/8) / (7/8)² · r = 1/2 · 1/2 · 8/49 · 2 = 4/49.
    assert law.log_prob(Partition.from_labels([0])) == pytest.approx(math.log(4 / 49), rel=1e-14)
    # Two: together 1/8 · 1/2 · 8/49 · 6 = 3/49, apart 1/8 · 2 · 1/2 · 8/343 · 4 = 4/343, P(together | 2) = 21/25.
    together = law.log_prob(Partition.from_labels([0, 0]), given_n=True)
    assert math.exp(together) == pytest.approx(21 / 25, rel=1e-12)


def test_eq_14_by_hand() -> None:
    # C = {{1}, {2, 3}}, α = 2, λ = 1: P = 1/3! · (2/e)² · exp(2/e − 2).
    law, e = priors.PERPS(alpha=2, lam=1), math.e
    exact = math.log(1 / 6 * (2 / e) ** 2 * math.exp(2 / e - 2))
    assert law.log_prob(Partition.from_sizes([1, 2])) == pytest.approx(exact, rel=1e-14)
    # P(together | N = 2) = α' / (α' + α'²) with α' = α/e.
    together = law.log_prob(Partition.from_labels([0, 0]), given_n=True)
    assert math.exp(together) == pytest.approx(1 / (1 + 2 / e), rel=1e-12)


def test_exchangeable_laws_by_hand() -> None:
    p = Partition.from_labels([0, 1, 1])
    by_hand = {
        priors.DirichletProcess(2): 2 * 2 / (2 * 3 * 4),
        priors.PitmanYor(1, 0.5): 1.5 / (2 * 3) * 0.5,
        priors.FiniteDirichlet(2, 0.5): 2 / (1 * 2 * 3) * 0.5 * (0.5 * 1.5),
        priors.LinkageStructure(4): 4 * 3 / 4**3,
        priors.MixtureOfFiniteMixtures(0.5, [0.5, 0.5]): 0.5 * 2 / (1 * 2 * 3) * 0.5 * (0.5 * 1.5),
        # Sizes (1, 2) or (2, 1), probability 1/4 each, of 1/4 + 1/4 + 1/8 in all, over three partitions.
        priors.ESC([0.5, 0.5]): (1 / 2) / (5 / 8) / 3,
    }
    for law, exact in by_hand.items():
        assert law.log_prob(p) == pytest.approx(math.log(exact), rel=1e-13), law
