"""Draws go into changes and come back, whatever the draws and however they are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, priors, sampler
from coterie.posterior import Recorder, chain, chain_of, natural_parameters, parameter_names, truths_every
from coterie.priors.distributions import Beta, Dirichlet, Gamma
from posterior.fabricate import draws_of_chains, random_labels, smallest
from sampler import records


@given(draws_of_chains())
def test_labels_come_back(drawn: list[np.ndarray]) -> None:
    for labels in drawn:
        made = chain_of(labels)
        assert [made.labels(t).tolist() for t in range(made.draws)] == [smallest(row) for row in labels]
        assert made.entities.tolist() == [len(set(row)) for row in labels.tolist()]


@given(draws_of_chains(), st.integers(1, 4))
def test_how_changes_are_cut_makes_no_difference(drawn: list[np.ndarray], size: int) -> None:
    for labels in drawn:
        made = chain_of(labels)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chain, "CHUNK", size)
            replayed = [made.first.copy()]
            for first, part in made.chunks():
                assert first == len(replayed)
                for t in range(part.begin.size - 1):
                    row = replayed[-1].copy()
                    row[part.record[part.begin[t] : part.begin[t + 1]]] = part.label[
                        part.begin[t] : part.begin[t + 1]
                    ]
                    replayed.append(row)
            some = list(range(0, made.draws, 2))
            at = [row.tolist() for row in made.labels_at(some)]
        assert np.array(replayed).tolist() == [smallest(row) for row in labels]
        assert at == [smallest(labels[t]) for t in some]


def test_what_does_not_change_costs_nothing() -> None:
    labels = np.tile(np.arange(1000), (50, 1))
    labels[25:, 7] = 3
    made = chain_of(labels)
    assert made.record.tolist() == [7]
    assert made.label.tolist() == [3]


def test_many_changes_outgrow_the_first_room() -> None:
    labels = random_labels(np.random.default_rng(1), 200, 100, 150, 0.5)
    made = chain_of(labels)
    assert made.record.size > 5000
    assert made.labels(99).tolist() == smallest(labels[99].tolist())


def test_draws_that_are_added_later_do_not_change_a_chain() -> None:
    store = chain.Store(3)
    for row in ([0, 0, 2], [0, 1, 2]):
        store.add(np.array(row), np.zeros((1, 1)), np.zeros(0))
    made = store.chain()
    for _ in range(2000):
        store.add(np.array([0, 0, 0]), np.zeros((1, 1)), np.zeros(0))
        store.add(np.array([0, 1, 2]), np.zeros((1, 1)), np.zeros(0))
    assert made.draws == 2
    assert made.labels(1).tolist() == [0, 1, 2]
    assert store.chain().labels(4001).tolist() == [0, 1, 2]


@pytest.mark.parametrize("labels", [[0, 1], [], [[0.5, 1.0]], np.zeros((0, 3), int)])
def test_what_is_no_table_of_labels_is_refused(labels: object) -> None:
    with pytest.raises(InputError, match="labels by draw and record"):
        chain_of(labels)


def test_a_chain_without_draws_is_refused() -> None:
    with pytest.raises(InputError, match="a draw at least"):
        chain.Store(3).chain()


@pytest.mark.parametrize("draws", [1, 99, 100, 101, 250, 5000])
def test_at_most_a_hundred_draws_have_truths(draws: int) -> None:
    kept = len(range(0, draws, truths_every(draws)))
    assert min(draws, 50) <= kept <= 100


LAW = priors.NBNB(a=1, q=0.9, r=Gamma(2, 1), p=Beta(2, 2))


def recorded(law: priors.Law, draws: int) -> tuple[Recorder, list[sampler.State], list[sampler.Truths]]:
    target = sampler.make_target(records.compiled(8, Beta(1, 4)), law, together=[(0, 1)])
    rng = np.random.default_rng(1)
    state, recorder = sampler.start(rng, target), Recorder(target)
    states, truths = [], []
    for _ in range(draws):
        state, _ = sampler.step(rng, state, target)
        truths.append(sampler.draw_truths(rng, state, target))
        states.append(state)
        recorder.add(state, truths[-1])
    return recorder, states, truths


def test_a_recorder_keeps_what_the_states_hold() -> None:
    recorder, states, _ = recorded(LAW, 40)
    made = recorder.chain()
    for t, state in enumerate(states):
        labels = recorder.target.record_labels(state.labels)
        assert made.labels(t).tolist() == smallest(labels.tolist())
        assert np.array_equal(made.psi[t], state.psi)
        r, p = made.parameters[t]
        assert np.log(r) == pytest.approx(state.parameters[0])
        assert np.log(p / (1 - p)) == pytest.approx(state.parameters[1])
    assert parameter_names(LAW, 8) == ("r", "p")


def test_truths_of_shared_clusters_come_back() -> None:
    recorder, _, truths = recorded(LAW, 30)
    made, codes = recorder.chain(), np.column_stack([field.codes for field in recorder.target.fields])
    kept = made.truths
    assert kept.draw.tolist() == list(range(30))
    seen = 0
    for k in range(30):
        labels = made.labels(k)
        shown = {int(c): codes[c].tolist() for c in labels if np.sum(labels == c) > 1}
        for e in range(kept.begin[k], kept.begin[k + 1]):
            assert shown[int(kept.label[e])][kept.field[e]] != kept.value[e]
            shown[int(kept.label[e])][kept.field[e]] = int(kept.value[e])
            seen += 1
        for c, values in shown.items():
            assert truths[k].values[truths[k].cluster[c]].tolist() == values
    assert seen > 30


def test_of_an_inferred_law_of_sizes_the_first_shares_are_kept() -> None:
    law = priors.ESC(mu=Dirichlet(3.0, priors.ShiftedPoisson(0.5)))
    recorder, states, _ = recorded(law, 3)
    names = parameter_names(law, 8)
    assert names[0] == "mu[1]"
    assert names[-1] == "mu[8]"
    assert len(parameter_names(law, 1000)) == natural_parameters(law, states[0]).size + 2
    assert recorder.chain().parameters[2] == pytest.approx(np.exp(states[2].log_mu))
