"""Long runs of the whole sampler against the enumerated posterior.

Each call of `assert_drawn_from` is wrong about good code with probability 1e-6 at most, for independent draws.
Draws here are so far apart in the chain that less than a tenth of their correlation is left.
"""

import itertools
import math

import numpy as np
import pytest

from coterie import Partition, fields, priors, sampler
from coterie.priors.distributions import Beta, Dirichlet, Gamma
from frequencies import assert_drawn_from
from laws import COMMON
from sampler import checks, exact, records, scenes

N = 5
NBNB = COMMON["nbnb"]
SOURCE = ["a", "b", "a", "b", "b"]


def fixed(n: int, distortion: float = 0.2) -> list[fields.Compiled]:
    return records.compiled(n, distortion)


def exact_fixed(law: priors.Law, telling: list[fields.Compiled], **constraints: object) -> dict:
    """Return the posterior over partitions of records with the rates that the fields say."""
    psi = np.array([[field.distortion] * 2 for field in telling])
    n = telling[0].codes.size
    holder = [
        s if s in constraints.get("deduplicated", ()) else None for s in constraints.get("source", [None] * n)
    ]
    empty = np.flatnonzero(np.all([field.codes < 0 for field in telling], axis=0))
    logs = exact.given_psi(telling, psi, np.zeros(n, np.int64), n)
    together = constraints.get("together", [])
    kept = {
        labels: log
        for labels, log in logs.items()
        if scenes.allowed(labels, constraints.get("apart", []), holder, empty)
        and all(labels[i] == labels[j] for i, j in together)
    }
    return exact.with_prior(kept, exact.log_prob_of(law, given_n=True))


@pytest.mark.parametrize("name", ["nbnb", "pitman-yor", "finite-dirichlet", "finite-dirichlet-few", "esc-vector"])
def test_everything_fixed(name: str) -> None:
    telling = fixed(N)
    law = COMMON[name]
    checks.check_run(sampler.make_target(telling, law), exact_fixed(law, telling), draws=3000, thin=2, seed=1)


@pytest.mark.parametrize("name", ["nbnb", "finite-dirichlet"])
def test_one_record_after_another(name: str) -> None:
    telling = fixed(N)
    law, target = COMMON[name], sampler.make_target(telling, COMMON[name])
    how = {"step": sampler.sweep_one_by_one}
    checks.check_run(target, exact_fixed(law, telling), draws=3000, thin=4, seed=2, **how)


@pytest.mark.parametrize(
    "constraints",
    [
        {"together": [(0, 3)], "apart": [(1, 2)]},
        {"source": SOURCE, "deduplicated": ("b",)},
        {"source": SOURCE, "deduplicated": ("a", "b"), "together": [(0, 3)]},
    ],
    ids=["pairs", "deduplicated", "both"],
)
def test_constraints(constraints: dict) -> None:
    telling = fixed(N)
    target = sampler.make_target(telling, NBNB, **constraints)
    checks.check_run(target, exact_fixed(NBNB, telling, **constraints), draws=2000, thin=2, seed=3)


def test_a_record_with_nothing_stays_alone() -> None:
    telling = [
        c
        for name, column in {"a": ["x", None, "y", "x", "x"], "b": ["u", None, None, "u", "v"]}.items()
        for c in fields.Category(0.2).compile(name, *fields.encode(column))
    ]
    exactly = exact_fixed(NBNB, telling)
    assert all(labels.count(1) == 1 for labels in exactly)
    checks.check_run(sampler.make_target(telling, NBNB), exactly, draws=2000, thin=2, seed=4)


def test_few_candidates_and_weights_of_the_caller() -> None:
    """Pairs that are no candidates meet as well, now and then, and weights say how often, not what is true."""
    telling = fixed(4)
    target = sampler.make_target(telling, NBNB, pairs=[(0, 1), (2, 1), (2, 3)], weights=[1.0, 0.2, 3.0])
    checks.check_run(target, exact_fixed(NBNB, telling), draws=3000, thin=8, seed=5)


def test_the_order_of_the_rows_does_not_matter() -> None:
    telling = fixed(N)
    order = np.array([3, 0, 4, 2, 1])
    shuffled = [field._replace(codes=field.codes[order]) for field in telling]
    exactly = {}
    for labels, probability in exact_fixed(NBNB, telling).items():
        exactly[scenes.first_labels([labels[n] for n in order])] = probability
    checks.check_run(sampler.make_target(shuffled, NBNB), exactly, draws=3000, thin=2, seed=6)


GRID = (np.arange(200) + 0.5) / 200


def test_an_inferred_rate() -> None:
    """Partition and ψ together, against numerical integration over ψ."""
    column = ["anna", "anne", "hanna", "peter", "anna"]
    telling = fields.Text(Beta(2, 5), cutoff=0.5, slip=0.4).compile("name", *fields.encode(column))
    logs = exact.over_rates(telling, 2, 5, GRID, N)
    law = exact.log_prob_of(NBNB, given_n=True)
    joint = {labels: log + law(labels) for labels, log in logs.items()}
    drawn = checks.check_run(
        sampler.make_target(telling, NBNB),
        scenes.normalised({labels: float(np.logaddexp.reduce(log)) for labels, log in joint.items()}),
        draws=3000,
        thin=4,
        seed=7,
    )
    of_psi = np.exp(np.array(list(joint.values())) - max(log.max() for log in joint.values())).sum(axis=0)
    check_bins(drawn.psi[:, ::4, 0, 0].ravel(), of_psi)


def check_bins(drawn: np.ndarray, density: np.ndarray) -> None:
    """Check draws from [0, 1] against a density on the grid, in ten bins."""
    shares = density.reshape(10, -1).sum(axis=1)
    assert_drawn_from((drawn * 10).astype(int).tolist(), dict(enumerate((shares / shares.sum()).tolist())))


def test_an_inferred_parameter_of_a_law_that_takes_n_as_given() -> None:
    telling, around = fixed(N), Gamma(2, 1)
    theta = GRID / (1.0 - GRID)
    log_weights = [around.log_density(x) - 2.0 * math.log(1.0 - y) for x, y in zip(theta, GRID, strict=True)]
    laws = [priors.DirichletProcess(float(x)) for x in theta]
    log_prior, parts = exact.log_mixture(laws, log_weights, N, given_n=True)
    exactly = exact.with_prior(given_rates(telling), log_prior)
    drawn = checks.check_run(
        sampler.make_target(telling, priors.DirichletProcess(around)), exactly, draws=600, thin=5, seed=8
    )
    x = np.exp(drawn.parameters[:, ::5, 0].ravel())
    check_bins(x / (1.0 + x), density_of_parameter(exactly, parts))


def given_rates(telling: list[fields.Compiled]) -> dict:
    """Return Σ log R(c) of each partition with the rates that the fields say."""
    psi = np.array([[field.distortion] for field in telling])
    return exact.given_psi(telling, psi, np.zeros(N, np.int64), N)


def density_of_parameter(exactly: dict, parts: dict) -> np.ndarray:
    """Return Σ_C P(C | x) P(parameter | C) on the grid."""
    total = np.zeros(GRID.size)
    for labels, probability in exactly.items():
        logs = parts[tuple(sorted(len(c) for c in records.clusters_of(labels)))]
        total += probability * np.exp(logs - np.logaddexp.reduce(logs))
    return total


def test_inferred_parameters_of_a_law_with_a_random_n() -> None:
    """r and p of NBNB, where N is data: log P(C_N), not given N, on a grid of both."""
    telling, r_around, p_around = fixed(N), Gamma(2, 2), Beta(2, 3)
    grid = (np.arange(30) + 0.5) / 30
    laws, log_weights = [], []
    for y, p in itertools.product(grid, grid):
        r = float(y / (1.0 - y))
        laws.append(priors.NBNB(a=2, q=0.7, r=r, p=float(p)))
        log_weights.append(r_around.log_density(r) - 2 * math.log(1 - y) + p_around.log_density(float(p)))
    log_prior, parts = exact.log_mixture(laws, log_weights, N, given_n=False)
    exactly = exact.with_prior(given_rates(telling), log_prior)
    target = sampler.make_target(telling, priors.NBNB(a=2, q=0.7, r=r_around, p=p_around))
    drawn = checks.check_run(target, exactly, draws=300, thin=4, seed=9)
    both = np.zeros((30, 30))
    for labels, probability in exactly.items():
        logs = parts[tuple(sorted(len(c) for c in records.clusters_of(labels)))]
        both += probability * np.exp(logs - np.logaddexp.reduce(logs)).reshape(30, 30)
    r = np.exp(drawn.parameters[:, ::4, 0].ravel())
    check_bins(r / (1.0 + r), both.sum(axis=1))
    check_bins(1.0 / (1.0 + np.exp(-drawn.parameters[:, ::4, 1].ravel())), both.sum(axis=0))


def test_an_inferred_law_of_sizes() -> None:
    """NBD with μ ~ Dirichlet, which integrates out; its base leaves a good share to sizes beyond N."""
    telling, around = fixed(4), Dirichlet(3.0, priors.ShiftedNegBin(r=1, p=0.9))
    psi = np.array([[field.distortion] for field in telling])
    logs = exact.given_psi(telling, psi, np.zeros(4, np.int64), 4)
    exactly = exact.with_prior(logs, exact.log_nbd_dirichlet(1.5, 0.6, around))
    target = sampler.make_target(telling, priors.NBD(a=1.5, q=0.6, mu=around))
    checks.check_run(target, exactly, draws=600, thin=4, seed=10)


def test_an_inferred_law_of_sizes_that_takes_n_as_given() -> None:
    """ESC with μ ~ Dirichlet on two sizes, against integration over μ_1."""
    telling, around = fixed(N), Dirichlet(3.0, priors.Probabilities([0.6, 0.4]))
    laws = [priors.ESC([float(x), float(1.0 - x)]) for x in GRID]
    log_weights = [0.8 * math.log(x) + 0.2 * math.log(1.0 - x) for x in GRID]
    log_prior, _ = exact.log_mixture(laws, log_weights, N, given_n=True)
    exactly = exact.with_prior(given_rates(telling), log_prior)
    drawn = checks.check_run(sampler.make_target(telling, priors.ESC(around)), exactly, draws=300, thin=8, seed=11)
    assert drawn.labels.shape == (2, 1200, N)
    assert Partition.from_labels(drawn.labels[0, 0]).n == N
