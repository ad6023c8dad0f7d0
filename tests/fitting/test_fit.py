"""A fit is never beaten, says when it lies at an edge, and names the law beyond."""

import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie import Fit, InputError, Partition, fit, priors
from coterie.fitting.chart import Chart
from coterie.fitting.esc import expected_counts
from coterie.fitting.search import maximise, maximise_line

# Every family, with the parameters that must or may be fixed.
FAMILIES: dict[str, tuple[type[priors.Law], dict[str, Any]]] = {
    "nbnb": (priors.NBNB, {}),
    "nbnb-given-a": (priors.NBNB, {"a": 1.5}),
    "nbnb-given-r": (priors.NBNB, {"r": 2.0}),
    "nbnb-given-p": (priors.NBNB, {"p": 0.3}),
    "nbnb-given-q": (priors.NBNB, {"q": 0.5}),
    "nbnb-given-a-q": (priors.NBNB, {"a": 2.0, "q": 0.9}),
    "perps": (priors.PERPS, {}),
    "perps-given-lam": (priors.PERPS, {"lam": 0.4}),
    "dirichlet-process": (priors.DirichletProcess, {}),
    "pitman-yor": (priors.PitmanYor, {}),
    "pitman-yor-given-delta": (priors.PitmanYor, {"delta": 0.25}),
    "finite-dirichlet": (priors.FiniteDirichlet, {}),
    "finite-dirichlet-given-m": (priors.FiniteDirichlet, {"m": 200}),
    "finite-dirichlet-given-gamma": (priors.FiniteDirichlet, {"gamma": 0.7}),
    "mfm": (priors.MixtureOfFiniteMixtures, {"components": priors.Exactly(100)}),
    "mfm-poisson": (priors.MixtureOfFiniteMixtures, {"components": priors.ShiftedPoisson(50)}),
    "mfm-family": (priors.MixtureOfFiniteMixtures, {"gamma": 1.0, "components": priors.ShiftedPoisson}),
    "linkage-structure": (priors.LinkageStructure, {}),
    "nbd": (priors.NBD, {}),
    "nbd-family": (priors.NBD, {"mu": priors.ShiftedNegBin}),
    "nbd-given-q": (priors.NBD, {"q": 0.8, "mu": priors.TruncatedPoisson}),
    "esc": (priors.ESC, {}),
    "esc-poisson": (priors.ESC, {"mu": priors.ShiftedPoisson}),
    "esc-negbin": (priors.ESC, {"mu": priors.TruncatedNegBin}),
    "compound-poisson": (priors.CompoundPoisson, {}),
    "compound-poisson-log-series": (priors.CompoundPoisson, {"mu": priors.LogSeries}),
}

# Partitions with maxima inside, at edges, and at corners.
PARTITIONS = {
    "many-single": Partition.from_sizes({1: 40, 2: 5, 3: 2}),
    "all-single": Partition.from_sizes({1: 12}),
    "all-pairs": Partition.from_sizes({2: 7}),
    "all-together": Partition.from_sizes([9]),
    "a-tail": Partition.from_sizes({1: 20, 2: 4, 3: 1, 11: 1}),
    "even": Partition.from_sizes({3: 6, 4: 5}),
    "two": Partition.from_sizes([1, 1]),
}

# What a law may be better by than the fit, from rounding alone.
ROUNDING = 1e-6


def fitted(name: str, partition: Partition, **options: Any) -> Fit:
    """Fit a family of the table."""
    family, fixed = FAMILIES[name]
    return fit(family, partition, **options, **fixed)


def rivals(name: str, partition: Partition, rng: np.random.Generator) -> list[priors.Law]:
    """Return laws of the same family: anywhere, and where parameters commonly are."""
    family, fixed = FAMILIES[name]
    chart = Chart(family, fixed, partition.size_table)
    low, high = np.array(chart.box).reshape(-1, 2).T
    anywhere = rng.uniform(low, high, size=(60, low.size))
    likely = rng.uniform(np.maximum(low, -3.0), np.minimum(high, 9.0), size=(60, low.size))
    return [chart.law(point.tolist()) for point in np.concatenate([anywhere, likely])]


def log_prob(law: priors.Law, partition: Partition) -> float:
    """Return log P, or −inf where the law cannot have as many elements."""
    try:
        return law.log_prob(partition)
    except InputError:
        return -math.inf


@pytest.mark.parametrize("shape", PARTITIONS)
@pytest.mark.parametrize("name", FAMILIES)
def test_no_law_of_the_family_beats_the_fit(name: str, shape: str) -> None:
    partition = PARTITIONS[shape]
    found = fitted(name, partition)
    best = max(log_prob(law, partition) for law in rivals(name, partition, np.random.default_rng(1)))
    assert best <= found.limit_log_prob + ROUNDING
    # The law that is returned is as good as the supremum, but for what a distance of 1e-12 from the edge costs.
    assert found.log_prob == pytest.approx(found.limit_log_prob, abs=1e-5)
    assert found.log_prob == found.law.log_prob(partition)
    if found.limit is not None:
        assert found.boundary
        assert found.limit.log_prob(partition) == pytest.approx(found.limit_log_prob, abs=ROUNDING)
    if not found.boundary:
        assert found.limit is None
        assert found.limit_log_prob == found.log_prob


@pytest.mark.parametrize("shape", PARTITIONS)
@pytest.mark.parametrize("name", ["nbnb", "perps", "pitman-yor", "finite-dirichlet", "nbd", "esc"])
def test_the_simplex_never_beats_the_default(name: str, shape: str) -> None:
    partition = PARTITIONS[shape]
    simplex = fitted(name, partition, method="nelder-mead")
    assert simplex.log_prob <= simplex.limit_log_prob + ROUNDING


counts = st.dictionaries(st.integers(1, 9), st.integers(1, 60), min_size=1, max_size=4)


@given(counts=counts, log_r=st.floats(-27, 27), logit_p=st.floats(-27, 27), log_a=st.floats(-27, 27))
@settings(max_examples=60, deadline=None)
def test_nbnb_is_fitted_for_any_sizes(counts: dict[int, int], log_r: float, logit_p: float, log_a: float) -> None:
    partition = Partition.from_sizes(counts)
    if partition.n < 2:
        return
    found = fit(priors.NBNB, partition)
    p = 1 / (1 + math.exp(-logit_p))
    if p < 1.0:
        r, a = math.exp(log_r), math.exp(log_a)
        # q such that the expected number of clusters is right, where the hardest rivals are.
        sizes = priors.TruncatedNegBin(r, p)
        rival = priors.CompoundPoisson(partition.k, sizes)
        assert rival.log_prob(partition) <= found.limit_log_prob + ROUNDING
        assert priors.NBNB(a, 0.5, r, p).log_prob(partition) <= found.limit_log_prob + ROUNDING


EDGES = [
    ("nbnb", "all-single", ("a → ∞", "p → 0"), priors.CompoundPoisson(12, priors.Exactly(1))),
    ("perps", "all-single", ("alpha → ∞", "lam → 0"), priors.CompoundPoisson(12, priors.Exactly(1))),
    ("dirichlet-process", "all-single", ("theta → ∞",), None),
    ("dirichlet-process", "all-together", ("theta → 0",), None),
    ("pitman-yor", "all-single", ("theta → ∞",), None),
    ("pitman-yor", "all-together", ("theta → −delta",), None),
    ("linkage-structure", "all-single", ("m → ∞",), None),
    ("nbd", "all-pairs", ("a → ∞",), priors.CompoundPoisson(7, priors.Probabilities([0, 1]))),
    ("esc-poisson", "all-single", ("rate → 0",), priors.ESC(priors.Exactly(1))),
]


@pytest.mark.parametrize(("name", "shape", "boundary", "limit"), EDGES)
def test_edges_are_named(name: str, shape: str, boundary: tuple[str, ...], limit: priors.Law | None) -> None:
    found = fitted(name, PARTITIONS[shape])
    assert found.boundary == boundary
    assert found.limit == limit


def test_even_sizes_take_the_finite_mixture_to_uniform_labels() -> None:
    found = fitted("finite-dirichlet", PARTITIONS["even"])
    assert found.boundary == ("gamma → ∞",)
    assert found.limit == fitted("linkage-structure", PARTITIONS["even"]).law


def test_a_tail_takes_the_finite_mixture_to_the_dirichlet_process() -> None:
    found = fitted("finite-dirichlet", PARTITIONS["a-tail"])
    assert found.boundary == ("m → ∞", "gamma → 0")
    assert found.limit == fitted("dirichlet-process", PARTITIONS["a-tail"]).law


def test_a_fit_recovers_the_law_that_it_comes_from() -> None:
    true = priors.PERPS(alpha=50_000, lam=0.8)
    found = fit(priors.PERPS, true.sample(40_000, seed=1))
    # The standard error of λ is about sqrt(λ/K) = 0.004.
    assert found.law.lam == pytest.approx(true.lam, abs=0.02)


def test_expected_counts_are_those_of_all_partitions() -> None:
    law, table = priors.ESC([0.5, 0.3, 0.2]), Partition.from_sizes({1: 2, 2: 1, 3: 1}).size_table
    n = 7
    weights = np.zeros(3)
    for counts in itertools.product(range(n + 1), repeat=3):
        if np.dot(counts, [1, 2, 3]) == n:
            ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
            weight = ways * np.prod(np.power([0.5, 0.3, 0.2], counts))
            weights += weight * np.array(counts)
    total = np.exp(law._draws(n).log_weight)
    np.testing.assert_allclose(expected_counts(law, n, table), weights / total, rtol=1e-12)


def test_fixed_parameters_stay() -> None:
    found = fit(priors.NBNB, PARTITIONS["many-single"], r=2.5, a=3)
    assert (found.law.r, found.law.a) == (2.5, 3.0)
    everything = {"a": 1.0, "q": 0.5, "r": 2.0, "p": 0.1}
    assert fit(priors.NBNB, PARTITIONS["many-single"], **everything).law == priors.NBNB(**everything)


def test_a_fit_can_be_pickled() -> None:
    found = fit(priors.PERPS, PARTITIONS["many-single"])
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_line_with_its_maximum_inside_and_at_both_ends() -> None:
    inside = maximise_line(lambda x: -((x - 1.25) ** 2))
    assert inside.edges == (0,)
    assert inside.at[0] == pytest.approx(1.25, abs=1e-6)
    assert maximise_line(lambda x: x, 0.0, 1.0) == ((1.0,), 1.0, (1,))
    assert maximise_line(lambda x: -x, 0.0, 1.0) == ((0.0,), 0.0, (-1,))


def test_a_box_with_a_ridge_to_its_edge() -> None:
    found = maximise(lambda x: -((x[0] - 2.0) ** 2) - math.exp(-x[1]), [(-25.0, 25.0), (-25.0, 25.0)])
    assert found.edges == (0, 1)
    assert found.at == pytest.approx((2.0, 25.0), abs=1e-3)


SHIW = Partition.from_sizes({1: 385, 2: 202})
BAD: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("NBNB", SHIW), {}, "a class of laws"),
    ((priors.PERPS(1, 1), SHIW), {}, "a class of laws"),
    ((priors.CountLaw, SHIW), {}, "a class of laws"),
    ((priors.PERPS, [1, 2]), {}, "a Partition"),
    ((priors.PERPS, Partition.from_sizes([1])), {}, "two elements"),
    ((priors.PERPS, SHIW), {"method": "newton"}, "a method"),
    ((priors.PERPS, SHIW), {"theta": 1}, "the name of a parameter"),
    ((priors.PERPS, SHIW), {"lam": -1}, "a number above 0"),
    ((priors.PERPS, SHIW), {"lam": priors.ShiftedPoisson}, "a number"),
    ((priors.MixtureOfFiniteMixtures, SHIW), {}, "the law of K"),
    ((priors.NBD, SHIW), {"mu": priors.PERPS}, "a family of"),
    ((priors.ESC, SHIW), {"mu": priors.PERPS}, "a family of"),
    ((priors.ESC, SHIW), {"mu": [0.5, 0.4]}, "sum to 1"),
]


@pytest.mark.parametrize(("arguments", "options", "expected"), BAD)
def test_bad_input_gets_a_clear_error(arguments: tuple[Any, ...], options: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=r"^Expected .*, got .*\. .*\.$") as caught:
        fit(*arguments, **options)
    assert expected in str(caught.value)
