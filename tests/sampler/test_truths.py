"""Draws of truths and of distortion rates against exact conditional probabilities."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from coterie import fields, priors, sampler
from coterie.fields import Compiled
from coterie.priors.distributions import Beta
from coterie.sampler.step import draw_psi
from frequencies import assert_drawn_from
from sampler import records, scenes

LAW = priors.DirichletProcess(1.0)


def truth_given(field: Compiled, members: Sequence[int], psi: float) -> dict[int, float]:
    """Return P(y | the records of a cluster)."""
    logs = records.log_joint(field, [int(field.codes[n]) for n in members], [psi] * len(members))
    return scenes.normalised(dict(enumerate(logs.tolist())))


def state_of(target: sampler.Target, labels: Sequence[int], psi: np.ndarray) -> sampler.State:
    inside = scenes.first_labels([labels[n] for n in target.order])
    return sampler.State(
        np.array(inside, np.int32), psi, np.empty(0), np.empty(0), np.ones(target.i.size, np.float32)
    )


def check(telling: list[Compiled], labels: Sequence[int], psi: float, draws: int) -> None:
    target = sampler.make_target(telling, LAW)
    state = state_of(target, labels, np.full((len(telling), 1), psi))
    rng, work = np.random.default_rng(1), sampler.make_work(target)
    drawn = [sampler.draw_truths(rng, state, target, work) for _ in range(draws)]
    for members in records.clusters_of(labels):
        for f, field in enumerate(telling):
            values = [int(t.values[t.cluster[members[0]], f]) for t in drawn]
            if np.all(field.codes[members] < 0):
                assert set(values) == {-1}
            else:
                law = truth_given(field, members, psi)
                assert_drawn_from(values, {y: law.get(y, 0.0) for y in range(field.size)})
    for t in drawn[:20]:
        for n in range(len(labels)):
            for f, field in enumerate(telling):
                shown = field.codes[n]
                assert t.distorted[n, f] == (shown >= 0 and shown != t.values[t.cluster[n], f])


@pytest.mark.parametrize("psi", [0.05, 0.6])
def test_truths_of_few_records(psi: float) -> None:
    check(records.compiled(8), [0, 0, 2, 0, 4, 4, 2, 7], psi, 1500)


def test_truths_of_many_records() -> None:
    """Twelve records in one cluster, so that there are slots; their values leave some untouched."""
    column = ["a", "b", "c"] * 4 + [f"{n}" for n in range(20)]
    text = ["anna", "anne", "hanna", "annas"] * 3 + [f"name {n}" for n in range(20)]
    telling = [
        *fields.Category().compile("x", *fields.encode(column)),
        *fields.Text(cutoff=0.5, slip=0.5).compile("name", *fields.encode(text)),
    ]
    check(telling, [0] * 12 + list(range(12, 32)), 0.93, 1000)


def test_untouched_values_by_going_through_them_all() -> None:
    """Where proposals are hopeless, all values are gone through; here all are touched but one rare one."""
    column = ["a"] * 400 + ["b"] * 400 + ["c"]
    telling = fields.Category().compile("x", *fields.encode(column))
    labels = list(range(801))
    labels[400] = 0
    target = sampler.make_target(telling, LAW, pairs=[(0, 400)])
    state = state_of(target, labels, np.array([[0.95]]))
    rng, work = np.random.default_rng(1), sampler.make_work(target)
    drawn = [sampler.draw_truths(rng, state, target, work) for _ in range(1500)]
    law = truth_given(telling[0], [0, 400], 0.95)
    assert_drawn_from([int(t.values[t.cluster[0], 0]) for t in drawn], law)


def test_rates_are_drawn_from_what_the_truths_say() -> None:
    telling = records.compiled(4, Beta(2, 3))
    telling[1] = telling[1]._replace(distortion=0.25)
    target = sampler.make_target(telling, LAW, source=["a", "b", "a", "b"])
    counts = np.zeros((4, 2, 2), np.int64)
    counts[0, 1] = (5, 2)
    rng = np.random.default_rng(1)
    drawn = np.array([draw_psi(rng, target, np.full((4, 2), 0.25), counts) for _ in range(4000)])
    assert np.all(drawn[:, 1] == 0.25)
    for s, beta in enumerate([stats.beta(2, 3), stats.beta(2 + 2, 3 + 5)]):
        bins = (beta.cdf(drawn[:, 0, s]) * 10).astype(int)
        assert_drawn_from(bins.tolist(), dict.fromkeys(range(10), 0.1))


def test_a_step_counts_what_is_distorted() -> None:
    """The counts of a step, from which ψ is drawn, against the exact chance of each record; all stay apart."""
    telling = records.compiled(4, 0.3)
    together = [(0, 1), (1, 2)]
    apart = [(0, 3)]
    target = sampler.make_target(telling, LAW, together=together, apart=apart)
    rng = np.random.default_rng(2)
    state = sampler.start(rng, target)
    counted = np.array([sampler.step(rng, state, target)[1].distorted[:, 0, 1] for _ in range(2000)])
    for f, field in enumerate(telling):
        law = {0: 1.0}
        for members in ([0, 1, 2], [3]):
            of_cluster: dict[int, float] = {}
            known = [n for n in members if field.codes[n] >= 0]
            for y, p in truth_given(field, members, 0.3).items() if known else [(0, 1.0)]:
                wrong = sum(int(field.codes[n]) != y for n in known)
                of_cluster[wrong] = of_cluster.get(wrong, 0.0) + p
            law = {
                a + b: math.fsum(law[c] * of_cluster[d] for c in law for d in of_cluster if c + d == a + b)
                for a in law
                for b in of_cluster
            }
        assert_drawn_from(counted[:, f].tolist(), law)
