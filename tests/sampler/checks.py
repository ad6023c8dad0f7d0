"""The exact checks of the sampler, which the tests call, and which the planted bugs must fail."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from coterie import Partition, priors, sampler
from coterie.fields import Compiled
from coterie.kernels import evidence as kernels
from coterie.kernels import slots
from coterie.priors.distributions import Gamma
from coterie.sampler import hyperparameters
from coterie.sampler.chains import Step
from frequencies import FALSE_ALARM, assert_drawn_from
from sampler import records, scenes, simulate
from sampler.branches import Labels, arrivals
from sampler.parts import called
from sampler.scenes import Case, Matrix

# Sums of logarithms of hundreds of records have a few hundred roundings of numbers in the thousands.
DIGITS = 1e-10
EXACT = 1e-10


def check_evidence(
    telling: Sequence[Compiled], psi: np.ndarray, source: np.ndarray, clusters: Iterable[Sequence[int]]
) -> None:
    """Check log R of clusters, few at once and with slots, against the sum over the truth."""
    target = sampler.make_target(
        telling, priors.DirichletProcess(1.0), pairs=[(0, 1)], source=[f"{s}" for s in source]
    )
    odds = (1.0 - psi) / psi
    inside, few = np.argsort(target.order), kernels.make_few()
    for cluster in clusters:
        exact = records.log_r(telling, cluster, psi, source)
        m = len(cluster)
        at = np.concatenate([inside[list(cluster)], np.zeros(kernels.FEW, np.int64)])
        many = called(slots.log_marginal_of_many)(at, m, target.evidence, odds)
        assert abs(many - exact) <= DIGITS * max(1.0, abs(exact)), (m, many, exact)
        if m <= kernels.FEW:
            at_once = called(kernels.log_marginal_of_few)(at, m, target.evidence, odds, few)
            assert abs(at_once - exact) <= DIGITS * max(1.0, abs(exact)), (m, at_once, exact)


def check_keeps(case: Case, of_move: Matrix) -> None:
    """Check that a move keeps the posterior, π P = π, and leads nowhere else."""
    pi = case.posterior
    after = dict.fromkeys(pi, 0.0)
    for labels, row in of_move.items():
        assert abs(math.fsum(row.values()) - 1.0) < EXACT, labels
        strangers = {arrival for arrival in row if arrival not in pi}
        assert not strangers, f"{labels} leads to {strangers}, which is impossible"
        for arrival, probability in row.items():
            after[arrival] += pi[labels] * probability
    worst = max(pi, key=lambda labels: abs(after[labels] - pi[labels]))
    assert abs(after[worst] - pi[worst]) < EXACT, f"{worst} has {pi[worst]}, and {after[worst]} after the move"


def check_chaperones(case: Case) -> list[Matrix]:
    """Check the steps with each pair of chaperones."""
    matrices = [scenes.chaperones(case, i, j) for i, j in case.free_pairs]
    for of_move in matrices:
        check_keeps(case, of_move)
    return matrices


def check_split_merge(case: Case, how_many_orders: int = 1, seed: int = 1) -> list[Matrix]:
    """Check split–merge steps with each pair, each with its share of several orders of the others."""
    ways = list(scenes.orders(len(case.scene.target.unit_of), max(how_many_orders, 4), seed))
    matrices = []
    for at, (i, j) in enumerate(case.free_pairs):
        for way in (ways[(at + a) % len(ways)] for a in range(how_many_orders)):
            matrices.append(scenes.split_merge(case, i, j, way))
            check_keeps(case, matrices[-1])
    return matrices


def check_quick_way(case: Case) -> None:
    """Check that the quick way of a pair is the general step of chaperones."""
    target = case.scene.target
    for p in range(target.i.size):
        for labels, row in scenes.quick_way(case, p).items():
            general = arrivals(case.scene, False, int(target.i[p]), int(target.j[p]), labels)
            assert row.keys() == {arrival for arrival, probability in general.items() if probability > 0.0}
            assert all(abs(row[arrival] - general[arrival]) < EXACT for arrival in row), (p, labels)


def check_one_by_one(case: Case) -> None:
    """Check the one-record Gibbs step of each unit."""
    for n in case.scene.target.free:
        check_keeps(case, scenes.one_record(case, int(n)))


def check_reaches_all(case: Case, matrices: Sequence[Matrix]) -> None:
    """Check that every partition leads to every other in some steps."""
    index = {labels: a for a, labels in enumerate(case.posterior)}
    edges = [
        (index[labels], index[arrival])
        for of_move in matrices
        for labels, row in of_move.items()
        for arrival, probability in row.items()
        if probability > 0.0
    ]
    graph = coo_array((np.ones(len(edges)), np.transpose(edges)), shape=(len(index), len(index)))
    assert connected_components(graph, connection="strong")[0] == 1


def check_pairs(telling: Sequence[Compiled], psi: np.ndarray, source: np.ndarray) -> None:
    """Check log R of each record alone, and what each pair adds, as the quick way of pairs has them."""
    names = [f"{s}" for s in source]
    scene = scenes.scene_of(sampler.make_target(telling, priors.DirichletProcess(1.0), source=names), psi)
    target, work = scene.target, scene.work
    scene.begin(tuple(range(target.n)))
    for n, record in enumerate(target.order):
        assert abs(work.alone[n] - records.log_r(telling, [record], psi, source)) < DIGITS, record
    for i, j, log_bayes in zip(target.order[target.i], target.order[target.j], work.log_bayes, strict=True):
        alone = sum(records.log_r(telling, [n], psi, source) for n in (i, j))
        assert abs(log_bayes - records.log_r(telling, [i, j], psi, source) + alone) < DIGITS, (i, j)


def check_run(
    target: sampler.Target, exact: Mapping[Labels, float], *, draws: int, thin: int, seed: int, **how: Any
) -> sampler.Draws:
    """Check that a long run of the whole sampler draws partitions of records from the exact posterior.

    Draws are thinned, so that those left over are nearly independent.
    """
    drawn = sampler.run(target, chains=2, draws=draws * thin // 2, tune=20 * thin, seed=seed, **how)
    kept = drawn.labels[:, ::thin].reshape(-1, drawn.labels.shape[-1])
    names = {}
    for labels in {tuple(row) for row in kept.tolist()}:
        names[labels] = scenes.first_labels(target.record_labels(np.array(labels)).tolist())
    assert_drawn_from([names[tuple(row)] for row in kept.tolist()], exact)
    return drawn


def check_concentration() -> None:
    """Check draws of θ | C of a Dirichlet process against Gamma density times θ^k / θ^(N), on a grid."""
    law, partition = priors.DirichletProcess(Gamma(2, 0.5)), Partition.from_sizes({1: 4, 2: 2, 3: 1})
    rng, at, drawn = np.random.default_rng(1), np.zeros(1), []
    for _ in range(1600):
        at, _ = hyperparameters.draw_parameters(rng, law, partition, at, np.empty(0))
        drawn.append(float(at[0]))
    y = np.linspace(-8.0, 8.0, 1_601)
    log = [hyperparameters.log_prior(law.theta, float(z)) for z in y]
    log = [a + priors.DirichletProcess(math.exp(z)).log_prob(partition) for a, z in zip(log, y, strict=True)]
    cumulative = np.cumsum(np.exp(np.array(log) - max(log)))
    where = np.interp(drawn[::2], y, cumulative / cumulative[-1])
    assert_drawn_from(np.minimum(where * 10, 9).astype(int).tolist(), dict.fromkeys(range(10), 0.1))


# Two sources, and how often a step and new records follow each other.
SOURCE = np.array([0, 1, 0, 1, 1, 0, 0, 1])
ROUNDS = 3


def round_of(rng: np.random.Generator, drawn: simulate.Drawn, prior: priors.Law, step: Step) -> simulate.Drawn:
    """Do a step of a chain given the records, and draw new records given where it has led."""
    target = sampler.make_target(drawn.fields, prior, source=[f"{s}" for s in SOURCE])
    state, _ = step(rng, simulate.state_of(drawn, target), target, sampler.make_work(target))
    labels = tuple(target.record_labels(state.labels).tolist())
    filled = simulate.draw_records(rng, drawn.fields, labels, state.psi, SOURCE)
    return simulate.Drawn(labels, state.psi, state.parameters, state.log_mu, filled)


def check_joint(prior: priors.Law, seed: int, replicates: int = 200, step: Step | None = None) -> None:
    """Check that rounds keep the joint law."""
    rng = np.random.default_rng(seed)
    blank = simulate.template(len(SOURCE))
    exact = [simulate.figures(*draw_state(rng, prior)) for _ in range(4 * replicates)]
    ends = []
    for _ in range(replicates):
        drawn = simulate.draw_all(rng, prior, blank, SOURCE)
        for _ in range(ROUNDS):
            drawn = round_of(rng, drawn, prior, step or sampler.step)
        ends.append(simulate.figures(*drawn[:4]))
    for before, after in zip(np.transpose(exact), np.transpose(ends), strict=True):
        compare(before, after)


def draw_state(rng: np.random.Generator, prior: priors.Law) -> tuple:
    """Draw everything but the records."""
    labels, parameters, log_mu = simulate.draw_partition(rng, prior, len(SOURCE))
    return labels, rng.beta(simulate.RATE.a, simulate.RATE.b, (2, 2)), parameters, log_mu


def compare(before: np.ndarray, after: np.ndarray) -> None:
    """Check that two samples are of one law: χ² of a table of ten bins or fewer, wrong with probability 1e-6."""
    both = np.concatenate([before, after])
    borders = np.unique(np.quantile(both, np.linspace(0.1, 0.9, 9)))
    table = [np.bincount(np.digitize(x, borders), minlength=borders.size + 1) for x in (before, after)]
    filled = np.array(table)[:, np.sum(table, axis=0) > 0]
    p_value = stats.chi2_contingency(filled, correction=False).pvalue
    assert p_value > FALSE_ALARM, f"ends are off: p = {p_value:.1e}, {filled.tolist()}"
