"""Targets of a few records with their exact posterior, and the exact matrices of the moves on it."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest

from coterie import Partition, priors, sampler
from coterie.fields import Compiled
from coterie.kernels import bench, one_by_one, scan
from coterie.kernels.bench import Tables
from coterie.sampler.conditionals import prepare
from coterie.sampler.hyperparameters import first_parameters
from oracles import set_partitions
from sampler import records
from sampler.branches import Labels, Scene, arrivals, arrivals_of_pair
from sampler.parts import called

Posterior = dict[Labels, float]
Matrix = dict[Labels, dict[Labels, float]]


class Case(NamedTuple):
    """A scene, and the posterior that every move of it must keep."""

    scene: Scene
    posterior: Posterior

    @property
    def free_pairs(self) -> list[tuple[int, int]]:
        """All pairs of units that the sampler may choose as chaperones."""
        return [(int(i), int(j)) for i, j in itertools.combinations(self.scene.target.free, 2)]


def first_labels(labels: Iterable[int]) -> Labels:
    """Return labels as the kernels have them: the first unit of each unit's cluster."""
    first: dict[int, int] = {}
    return tuple(first.setdefault(label, unit) for unit, label in enumerate(labels))


def allowed(labels: Labels, apart: Iterable[tuple[int, int]], holder: list[Any], empty: Iterable[int]) -> bool:
    """Tell whether nobody is with an enemy, with another of a deduplicated source, or with an empty record."""
    n = len(labels)
    together = [(i, j) for i, j in itertools.combinations(range(n), 2) if labels[i] == labels[j]]
    forbidden = {tuple(sorted(pair)) for pair in apart}
    return not any(
        (i, j) in forbidden or (holder[i] is not None and holder[i] == holder[j]) or i in empty or j in empty
        for i, j in together
    )


def log_posterior(
    law: priors.Law, labels: Labels, telling: list[Compiled], psi: np.ndarray, source: np.ndarray
) -> float:
    """Return log P(C | N) + Σ log R(c), of a partition of records."""
    log_prior = law.log_prob(Partition.from_labels(labels), given_n=True)
    if log_prior == -math.inf:
        return log_prior
    return log_prior + math.fsum(records.log_r(telling, c, psi, source) for c in records.clusters_of(labels))


def scene_of(target: sampler.Target, psi: np.ndarray) -> Scene:
    """Return a target with the work space of a chain, and with what its steps take as given."""
    parameters, log_mu = first_parameters(target.prior, target.n)
    units = np.arange(target.units.begin.size - 1, dtype=np.int32)
    state = sampler.State(units, psi, parameters, log_mu, np.ones(target.i.size, np.float32))
    work, model = prepare(np.random.default_rng(1), state, target, None)
    return Scene(target, work, model)


def make_case(
    law: priors.Law,
    telling: list[Compiled],
    psi: np.ndarray,
    *,
    u: float | None = None,
    source: list[str] | None = None,
    deduplicated: tuple[str, ...] = (),
    together: list[tuple[int, int]] | None = None,
    apart: list[tuple[int, int]] | None = None,
) -> Case:
    """Make a target, and its posterior by going through all partitions of its units; with u, the one given u."""
    target = sampler.make_target(
        telling,
        law,
        source=source,
        deduplicated=deduplicated,
        together=together or [],
        apart=apart or [],
    )
    n = target.n
    if u is None:
        tables = Tables(np.append(law.steps(n).log_count, -np.inf), law.log_sizes(n))
    else:
        assert law.product_form is not None
        tables = Tables(np.full(n + 1, math.log(u * law.product_form[1])), law.log_sizes(n))
    scene = scene_of(target, psi)
    scene = scene._replace(model=scene.model._replace(tables=tables))
    code = np.zeros(n, np.int64) if source is None else np.unique(source, return_inverse=True)[1]
    holder = [s if s in deduplicated else None for s in source or [None] * n]
    empty = np.flatnonzero(np.all([field.codes < 0 for field in telling], axis=0))
    logs = {}
    for labels in set_partitions(target.units.begin.size - 1):
        of_records = tuple(target.record_labels(np.array(labels)).tolist())
        if allowed(of_records, apart or [], holder, empty):
            log = log_posterior(law, of_records, telling, psi, code)
            if u is not None and law.product_form is not None:
                # P(C, u) = P(C) Gamma(u; b + |C|, 1), from the definition of u.
                shape = law.product_form[0] + len(set(labels))
                log += (shape - 1.0) * math.log(u) - math.lgamma(shape)
            logs[first_labels(labels)] = log
    return Case(scene, normalised(logs))


def normalised(logs: Mapping[Any, float]) -> dict[Any, float]:
    """Return the probabilities of these log weights, without those that are impossible."""
    top = max(logs.values())
    total = math.fsum(math.exp(log - top) for log in logs.values())
    return {key: math.exp(log - top) / total for key, log in logs.items() if log > -math.inf}


def matrix(case: Case, move: Callable[[Labels], dict[Labels, float]]) -> Matrix:
    """Return the transition probabilities of a move from each partition."""
    return {labels: move(labels) for labels in case.posterior}


def chaperones(case: Case, i: int, j: int) -> Matrix:
    """Return the matrix of a step with these chaperones."""
    return matrix(case, lambda labels: arrivals(case.scene, False, i, j, labels))


def split_merge(case: Case, i: int, j: int, order: Callable[[int], list[int]]) -> Matrix:
    """Return the matrix of a split–merge step with this pair, where the others come in this order."""
    return matrix(case, lambda labels: arrivals(case.scene, True, i, j, labels, order))


def quick_way(case: Case, p: int) -> Matrix:
    """Return the rows of the quick way with candidate pair p, from the partitions in which it is taken."""
    i, j = int(case.scene.target.i[p]), int(case.scene.target.j[p])
    case.scene.begin(next(iter(case.posterior)))
    if math.isnan(case.scene.work.log_bayes[p]):
        return {}
    return {
        labels: arrivals_of_pair(case.scene, p, labels)
        for labels in case.posterior
        if set(np.flatnonzero(np.isin(labels, [labels[i], labels[j]]))) == {i, j}
    }


def one_record(case: Case, n: int) -> Matrix:
    """Return the matrix of the one-record Gibbs step with unit n."""
    scene = case.scene
    rings, work, free = scene.work.clusters, scene.work, scene.target.free
    remove, insert = called(one_by_one.remove), called(one_by_one.insert)
    fill_log_weights, choose = called(one_by_one.fill_log_weights), called(one_by_one.choose)

    def move(labels: Labels) -> dict[Labels, float]:
        found, log_weights = {}, np.empty(len(labels))
        scene.begin(labels)
        remove(n, work.alone, rings, scene.model, work.bench)
        fill_log_weights(n, free, work.alone, rings, scene.model, work.bench, log_weights)
        places = normalised(dict(enumerate(log_weights.tolist())))
        borders = np.concatenate([[0.0], np.cumsum(list(places.values()))])
        for c, low, high in zip(places, borders[:-1], borders[1:], strict=True):
            if high - low > 1e-12:
                assert choose(0.5 * (low + high), log_weights) == c
            scene.begin(labels)
            remove(n, work.alone, rings, scene.model, work.bench)
            fill_log_weights(n, scene.target.free, work.alone, rings, scene.model, work.bench, log_weights)
            insert(n, c, log_weights, rings, scene.model, work.bench)
            found[scene.end()] = places[c]
        return found

    return matrix(case, move)


def orders(units: int, how_many: int, seed: int) -> Iterator[Callable[[int], list[int]]]:
    """Yield functions that give m members an order: ascending, descending, and others drawn at random."""
    yield lambda m: list(range(m))
    yield lambda m: list(range(m))[::-1]
    for ranks in (np.random.default_rng((seed, a)).permutation(units) for a in range(how_many - 2)):
        yield lambda m, ranks=ranks: np.argsort(ranks[:m]).tolist()


@contextmanager
def everybody_in_slots() -> Iterator[None]:
    """Let no members count as few, so that the way of large clusters is gone."""
    sit_down = called(scan.sit_down)

    def sit(c: int, d: int, clusters: Any, model: Any, place: Any) -> None:
        sit_down(c, d, clusters, model, place)
        place.whole[bench.IS_SMALL] = 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "sit_down", sit)
        yield
