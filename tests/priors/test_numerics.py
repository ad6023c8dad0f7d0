"""Ten digits of every law at up to ten million elements, with parameters from 1e-12 to 1e12."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import mpmath as mp
import pytest

import oracles
from coterie import Partition, priors
from coterie.priors import one_minus
from oracles import agree

# Partitions as records fall on entities, as they do not, and the two ends.
TABLES: dict[str, dict[int, int]] = {
    "ten-million": {1: 4_000_000, 2: 3_000_000},
    "ten-million-with-a-tail": {1: 2_000_000, 2: 1_000_000, 3: 500_000, 50: 80_000, 500_000: 1},
    "all-alone": {1: 10_000_000},
    "all-together": {10_000_000: 1},
    "two-large": {4_999_999: 1, 5_000_001: 1},
    "simulated": {1: 4100, 2: 300, 3: 100},
    "one": {1: 1},
}
WIDE = (1e-12, 2.955e-5, 0.4, 1.0, 123.456, 1e6, 1e12)
ENDS = (1e-12, 0.3, 1e4, 1e12)
SHARES = (1e-12, 0.1875, one_minus(1.396e-7), one_minus(1e-12))


def laws() -> Iterator[priors.Law]:
    for a, r, q, p in itertools.product(ENDS, ENDS, SHARES, SHARES):
        yield priors.NBNB(a, q, r, p)
    for alpha, lam in itertools.product(WIDE, (1e-12, 1e-3, 0.6238, 1e3)):
        yield priors.PERPS(alpha, lam)
    for theta in WIDE:
        yield priors.DirichletProcess(theta)
        for delta in (0.0, 1e-12, 0.5414, 0.999):
            yield priors.PitmanYor(theta, delta)
    yield priors.PitmanYor(-0.3, 0.5)
    for m, gamma in itertools.product((1, 2, 10**7, 10**9, 10**12), WIDE):
        yield priors.FiniteDirichlet(m, gamma)
    for m in (1, 2, 4500, 7_000_000, 10**7, 10**9, 10**12):
        yield priors.LinkageStructure(m)


LAWS = list(laws())
tables = pytest.mark.parametrize("counts", TABLES.values(), ids=TABLES)


@tables
def test_log_prob_has_ten_digits_for_all_parameters(counts: dict[int, int]) -> None:
    p = Partition.from_sizes(counts)
    wrong = []
    for law in LAWS:
        got, exact = law.log_prob(p), oracles.log_prob(law, counts)
        if not agree(got, exact, oracles.rounding(law, counts)):
            wrong.append((law, got, mp.nstr(exact, 15)))
    assert not wrong, f"{len(wrong)} of {len(LAWS)}: {wrong[:5]}"


# --- given N ---


def log_sum(log_term: Any, mode: int, step: int) -> mp.mpf:
    """Return the log of the sum over K ≥ 1 of terms with one mode, K in steps, down to 25 digits below the top.

    A sum of a smooth bell over every step-th K, times step, is the whole sum to a digit for each fifth of
    exp(−2π² (deviation/step)²), which is nothing here.
    """
    top = log_term(mode)
    total = mp.mpf(1)
    for direction in (1, -1):
        k = mode + direction * step
        while k >= 1:
            term = mp.exp(log_term(k) - top)
            total += term
            if term < mp.mpf(10) ** -25:
                break
            k += direction * step
    return top + mp.log(total * step)


def log_prob_n(law: priors.NBNB | priors.PERPS, n: int) -> mp.mpf:
    """Return log P(N) as the sum over K of P(K) P(N | K), written out."""

    def log_term(k: int) -> mp.mpf:
        k = mp.mpf(k)
        if isinstance(law, priors.PERPS):
            return oracles.log_poisson(k, mp.mpf(law.alpha)) + oracles.log_poisson(n, k * mp.mpf(law.lam))
        number = oracles.log_negbin(k, mp.mpf(law.a), 1 - oracles.one_minus(law.q), oracles.one_minus(law.q))
        not_p = oracles.one_minus(law.p)
        return number + oracles.log_negbin(n, k * mp.mpf(law.r), 1 - not_p, not_p)

    mode = highest(log_term)
    curvature = 2 * log_term(mode) - log_term(mode + mode // 1000) - log_term(mode - mode // 1000)
    deviation = mode // 1000 / mp.sqrt(curvature)
    return log_sum(log_term, mode, max(1, int(deviation / 3)))


def highest(log_term: Any) -> int:
    """Return the K with the largest term, by ternary search over the logarithm and then over K."""
    low, high = 1, 10**16
    while high - low > 2:
        # The mode is found in a coarse way first: K runs over sixteen orders of magnitude.
        ratio = (high / low) ** (1 / 3)
        left, right = int(low * ratio), int(high / ratio)
        if right - left < 1 or ratio < 1.01:
            third = (high - low) // 3
            left, right = low + third, high - third
        if log_term(left) < log_term(right):
            low = left
        else:
            high = right
    return max(range(low, high + 1), key=log_term)


# K is far from 1 and its law is a bell, which the oracle needs. Some expect N; most expect far more or fewer.
GIVEN_N: list[priors.NBNB | priors.PERPS] = [
    priors.NBNB(102.4, one_minus(1.396e-7), 2.955e-5, 0.1875),
    priors.NBNB(1e6, 0.9, 2.0, 0.4),
    priors.NBNB(1e12, 0.5, 1e-3, 0.5),
    priors.NBNB(1e12, 1e-4, 1e-6, one_minus(1e-3)),
    priors.NBNB(50.0, one_minus(1e-12), 1e-4, 1e-3),
    priors.NBNB(1e5, 0.999, 1e4, 1e-12),
    priors.NBNB(1e9, 3e-3, 1e9, 1e-9),
    priors.PERPS(23_304, 0.2146),
    priors.PERPS(1e7, 1e-12),
    priors.PERPS(1e12, 1e-5),
    priors.PERPS(1e9, 3.0),
    priors.PERPS(1e12, 12.0),
]


@pytest.mark.parametrize("law", GIVEN_N, ids=repr)
@pytest.mark.parametrize("n", [5000, 10_000_000])
def test_log_prob_given_n_has_ten_digits(law: priors.NBNB | priors.PERPS, n: int) -> None:
    constant = log_prob_n(law, n)
    assert constant < 0
    for counts in ({1: n // 2, 2: n // 4}, {1: n}, {n: 1}, {1: n - 10, 5: 2}):
        got = law.log_prob(Partition.from_sizes(counts), given_n=True)
        exact = oracles.log_prob(law, counts) - constant
        assert agree(got, exact, slack=1e-9), (counts, got, mp.nstr(exact, 15))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_log_prob_given_few_elements_has_ten_digits_for_all_parameters(n: int) -> None:
    wrong = []
    for law in LAWS:
        if not isinstance(law, oracles.RANDOM_N):
            continue
        constant = oracles.log_prob_n(law, n)
        for counts in oracles.integer_partitions(n):
            got = law.log_prob(Partition.from_sizes(counts), given_n=True)
            exact = oracles.log_prob(law, counts) - constant
            if not agree(got, exact, slack=1e-10):
                wrong.append((law, counts, got, mp.nstr(exact, 15)))
    assert not wrong, wrong[:5]


RENEWALS = [
    priors.NBD(1e-12, 0.5, [0.5, 0.3, 0.2]),
    priors.NBD(1e12, 0.5, [0.5, 0.3, 0.2]),
    priors.NBD(1e12, 1e-12, [0.5, 0.3, 0.2]),
    priors.NBD(3.0, one_minus(1e-12), [0.5, 0.3, 0.2]),
    priors.CompoundPoisson(1e-12, [0.5, 0.3, 0.2]),
    priors.CompoundPoisson(1e12, [0.5, 0.3, 0.2]),
]


@pytest.mark.parametrize("law", RENEWALS, ids=repr)
def test_laws_of_any_sizes_have_ten_digits_given_n(law: priors.NBD | priors.CompoundPoisson) -> None:
    for n in (4, 40):
        constant = oracles.log_prob_n_by_number(law, n)
        for counts in ({1: n}, {1: n - 2, 2: 1}, {1: n - 3, 3: 1}):
            got = law.log_prob(Partition.from_sizes(counts), given_n=True)
            exact = oracles.log_prob(law, counts) - constant
            assert agree(got, exact, slack=1e-9), (counts, got, mp.nstr(exact, 15))


# --- mixtures of finite mixtures ---

MIXTURES = [
    (priors.Exactly(10**9), [10**9]),
    (priors.Uniform(60), range(1, 61)),
    (priors.ShiftedPoisson(99.0), range(1, 400)),
    (priors.ShiftedNegBin(2.0, 0.5), range(1, 300)),
    (priors.Probabilities([0.25] * 3 + [0.0] * 40 + [0.25]), range(1, 45)),
]


@pytest.mark.parametrize(("components", "range_"), MIXTURES, ids=[repr(c)[:30] for c, _ in MIXTURES])
@pytest.mark.parametrize("gamma", [1e-12, 0.2792, 30.0, 1e12])
def test_mixtures_have_ten_digits(components: priors.CountLaw, range_: range, gamma: float) -> None:
    law = priors.MixtureOfFiniteMixtures(gamma, components)
    for counts in ({10_000_000: 1}, {1: 3, 100_000: 30}, {5: 1, 9_999_995: 1}, {1: 1}):
        k, n = sum(counts.values()), sum(size * m for size, m in counts.items())
        terms = [oracles.log_pmf(components, m) + oracles.log_components(n, k, m, gamma) for m in range_ if m >= k]
        top = max(terms)
        log_v = top + mp.log(mp.fsum(mp.exp(term - top) for term in terms)) if top > mp.ninf else mp.ninf
        exact = log_v + mp.fsum(m * oracles.rising(mp.mpf(gamma), size) for size, m in counts.items())
        got = law.log_prob(Partition.from_sizes(counts))
        # A sum of probabilities has the digits of the probability, not of its logarithm where that is tiny.
        assert agree(got, exact, slack=1e-14), (counts, got, mp.nstr(exact, 15))


def test_the_smallest_probabilities_stay_finite() -> None:
    p = Partition.from_sizes({1: 10_000_000})
    for law in LAWS:
        value = law.log_prob(p)
        assert value <= 0.0
        assert not math.isnan(value)


@pytest.mark.parametrize("gamma", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(
    "components", [priors.Uniform(60), priors.ShiftedPoisson(30.0), priors.Exactly(60)], ids=repr
)
def test_steps_of_a_mixture_hold_where_v_falls_steeply(components: priors.CountLaw, gamma: float) -> None:
    law, n = priors.MixtureOfFiniteMixtures(gamma, components), 200
    steps = law.steps(n)
    logs = [law.log_prob(Partition.from_sizes([n - k] + [1] * k)) for k in range(50)]
    for k in range(49):
        moved = steps.log_count[k + 1] + steps.log_size[0] - steps.log_size[n - k - 1]
        assert logs[k + 1] - logs[k] == pytest.approx(moved, rel=1e-9, abs=1e-9), k
