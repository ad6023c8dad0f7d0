"""Bugs planted on purpose: each is seen by the check that the tests of the sampler make.

The checks are the very functions that those tests call. `test_the_checks_pass_without_a_bug` shows that they do
not fail by themselves.
"""

import dataclasses
import sys
from typing import Any

import numpy as np
import pytest

from coterie import Partition, priors
from coterie.kernels import bench, chaperones, scan, split_merge
from coterie.priors.distributions import Gamma
from coterie.sampler import conditionals, hyperparameters
from laws import COMMON
from sampler import checks, records, scenes
from sampler.parts import called
from sampler.scenes import Case, make_case

NBNB = COMMON["nbnb"]
Patch = pytest.MonkeyPatch
# The package has a function of the same name in front of the module.
steps = sys.modules["coterie.sampler.step"]
fails = pytest.raises(AssertionError)


def case_of(**given: Any) -> Case:
    """Return a case of five records, whose fields have rates far apart."""
    return make_case(NBNB, records.compiled(5), np.array([[0.1], [0.4], [0.25], [0.05]]), **given)


def with_model(case: Case, **changes: Any) -> Case:
    """Return a case whose steps take something else as given."""
    return case._replace(scene=case.scene._replace(model=case.scene.model._replace(**changes)))


def test_the_checks_pass_without_a_bug() -> None:
    for case in (case_of(), case_of(apart=[(0, 1)])):
        checks.check_chaperones(case)
        checks.check_split_merge(case)
        checks.check_one_by_one(case)
        checks.check_quick_way(case)
    checks.check_concentration()
    check_long_run()
    check_rate()


def check_long_run() -> None:
    """Check a long run of the whole sampler on four records under a law that feels |C|."""
    telling, law = records.compiled(4, 0.3), priors.NBD(a=0.2, q=0.9, mu=[0.4, 0.3, 0.2, 0.1])
    psi = np.array([[field.distortion] for field in telling])
    exactly = make_case(law, telling, psi)
    target = exactly.scene.target
    of_records = {}
    for labels, probability in exactly.posterior.items():
        of_records[scenes.first_labels(target.record_labels(np.array(labels)).tolist())] = probability
    checks.check_run(target, of_records, draws=1500, thin=2, seed=1)


def test_wrong_h() -> None:
    """H for two values where that for three belongs."""
    case = case_of()
    case.scene.model.evidence.light[:, 3] = case.scene.model.evidence.light[:, 2]
    with fails:
        checks.check_chaperones(case)


def test_wrong_h_in_slots() -> None:
    case = case_of()
    case.scene.model.evidence.log_light[:, 3] += 0.01
    with scenes.everybody_in_slots(), fails:
        checks.check_chaperones(case)


def test_stale_size(monkeypatch: Patch) -> None:
    go_home = called(chaperones.go_home)

    def forget_sizes(log_zero: float, log_one: float, clusters: Any, place: Any) -> bool:
        before = clusters.size.copy()
        changed = go_home(log_zero, log_one, clusters, place)
        clusters.size[:] = before
        return changed

    monkeypatch.setattr(chaperones, "go_home", forget_sizes)
    with fails:
        checks.check_chaperones(case_of())


def test_stale_log_r(monkeypatch: Patch) -> None:
    go_home = called(chaperones.go_home)
    monkeypatch.setattr(chaperones, "go_home", lambda zero, one, *rest: go_home(one, zero, *rest))
    with fails:
        checks.check_chaperones(case_of())


def test_a_child_left_behind(monkeypatch: Patch) -> None:
    """A chaperone with children goes over to the other one, and leaves them without a chaperone."""
    monkeypatch.setattr(chaperones, "may_choose", lambda *_: True)
    with fails:
        checks.check_chaperones(case_of())


def test_visits_taken_from_the_state(monkeypatch: Patch) -> None:
    """The members of c_i are visited as they are met in its ring, and those who have moved away are not."""
    may_choose = called(chaperones.may_choose)

    def in_ring_of_i(a: int, at_i: int, at_j: int, place: Any) -> bool:
        return may_choose(a, at_i, at_j, place) and place.seat[bench.SIDE, a] == place.seat[bench.SIDE, at_i]

    monkeypatch.setattr(chaperones, "may_choose", in_ring_of_i)
    with fails:
        checks.check_chaperones(case_of())


def test_an_order_taken_from_the_state(monkeypatch: Patch) -> None:
    """Split–merge goes through the members side by side, where fresh randomness belongs."""
    case = case_of()
    seat = case.scene.work.bench.seat

    def by_side(m: int) -> list[int]:
        return np.lexsort((np.arange(m), -seat[bench.BEFORE, :m])).tolist()

    monkeypatch.setattr(scenes, "orders", lambda *_: [by_side])
    with fails:
        checks.check_split_merge(case)


def test_forgotten_weight_of_a_new_cluster() -> None:
    case = case_of()
    forgetful = case.scene.model.tables._replace(log_count=np.zeros(case.scene.target.n + 1))
    with fails:
        checks.check_chaperones(with_model(case, tables=forgetful))


def test_forgotten_weight_of_a_new_cluster_in_the_sweep() -> None:
    case = case_of()
    forgetful = case.scene.model.tables._replace(log_count=np.zeros(case.scene.target.n + 1))
    with fails:
        checks.check_one_by_one(with_model(case, tables=forgetful))


def test_rate_of_the_wrong_field() -> None:
    case = case_of()
    with fails:
        checks.check_chaperones(with_model(case, odds=case.scene.model.odds[::-1].copy()))


def test_rate_of_the_wrong_source() -> None:
    source = ["a", "b", "a", "b", "a"]
    psi = np.array([[0.1, 0.3], [0.4, 0.1], [0.2, 0.2], [0.05, 0.2]])
    case = make_case(NBNB, records.compiled(5), psi, source=source)
    checks.check_chaperones(case)
    with fails:
        checks.check_chaperones(with_model(case, odds=case.scene.model.odds[:, ::-1].copy()))


def test_constraint_seen_from_one_side_only() -> None:
    """Of an enmity the one unit knows, and the other does not."""
    case = case_of(apart=[(0, 1)])
    units = case.scene.model.units
    first = int(units.enemy[-1])
    begin = units.enemy_begin.copy()
    begin[max(first, int(units.enemy[0])) + 1 :] -= 1
    begin[: max(first, int(units.enemy[0])) + 1] = np.minimum(begin[: max(first, int(units.enemy[0])) + 1], 1)
    with fails:
        checks.check_chaperones(with_model(case, units=units._replace(enemy_begin=begin, enemy=units.enemy[:1])))


def test_constraint_ignored_by_merges(monkeypatch: Patch) -> None:
    monkeypatch.setattr(split_merge, "may_merge", lambda *_: True)
    with fails:
        checks.check_split_merge(case_of(apart=[(0, 1)]))


def test_company_for_a_record_with_nothing() -> None:
    """The one-record sweep lets others join it; a bug that the sampler had."""
    case = case_of()
    target = case.scene.target
    alone = {labels: p for labels, p in case.posterior.items() if labels.count(0) == 1}
    kept = case._replace(posterior={labels: p / sum(alone.values()) for labels, p in alone.items()})
    narrow = dataclasses.replace(target, free=target.free[target.free != 0])
    checks.check_one_by_one(kept._replace(scene=case.scene._replace(target=narrow)))
    with fails:
        checks.check_one_by_one(kept)


def test_wrong_split_merge_ratio(monkeypatch: Patch) -> None:
    """The probability of the proposal is forgotten."""
    monkeypatch.setattr(split_merge, "probability", lambda _: 1.0)
    with fails:
        checks.check_split_merge(case_of())


def test_a_bound_that_leaves_too_often(monkeypatch: Patch) -> None:
    """A chaperone is left alone though the bound cannot tell; a bug that the sampler had."""
    draw_side = called(chaperones.draw_side)

    def leave(u: float, a: int, other: int, k: int, model: Any, place: Any, slots: Any) -> int:
        if other != a and place.tally[bench.SEATED, place.seat[bench.SIDE, other]] > 1:
            return int(1 - place.seat[bench.SIDE, other])
        return draw_side(u, a, other, k, model, place, slots)

    monkeypatch.setattr(chaperones, "draw_side", leave)
    with fails:
        checks.check_chaperones(case_of())


def test_wrong_number_of_clusters_in_the_quick_way(monkeypatch: Patch) -> None:
    log_odds = called(scan.log_odds_of_pair)
    monkeypatch.setattr(scan, "log_odds_of_pair", lambda log_bayes, k, model: log_odds(log_bayes, k + 1, model))
    with fails:
        checks.check_quick_way(case_of())


def test_u_not_redrawn(monkeypatch: Patch) -> None:
    make_tables, first = conditionals.make_tables, []

    def keep(*given: Any) -> Any:
        first.append(make_tables(*given))
        return first[0]

    monkeypatch.setattr(conditionals, "make_tables", keep)
    with fails:
        check_long_run()


def test_parameters_drawn_with_the_tables(monkeypatch: Patch) -> None:
    """The tables know a law up to a constant only, and the constant depends on the parameters."""
    law_at = hyperparameters.law_at

    class Tabled:
        def __init__(self, law: priors.Law) -> None:
            self.law = law

        def log_prob(self, partition: Partition) -> float:
            log_f = self.law.log_sizes(partition.n)[partition.sizes].sum()
            return float(self.law.steps(partition.n).log_count[: partition.k].sum() + log_f)

    monkeypatch.setattr(hyperparameters, "law_at", lambda *given: Tabled(law_at(*given)))
    with fails:
        checks.check_concentration()


def check_rate() -> None:
    checks.check_joint(priors.DirichletProcess(Gamma(2, 1)), seed=5, replicates=250)


def test_distorted_taken_for_what_it_is(monkeypatch: Patch) -> None:
    draw_psi = steps.draw_psi
    monkeypatch.setattr(
        steps, "draw_psi", lambda rng, target, psi, counts: draw_psi(rng, target, psi, counts[..., ::-1])
    )
    with fails:
        check_rate()
