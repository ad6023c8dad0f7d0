"""Every way in which chains fail is called by its name, and never satisfactory."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.posterior import Posterior, chain_of, count_pairs, diagnosis, doubtful, pairs
from coterie.posterior.figures import convergence, figure
from posterior.fabricate import posterior_of, random_labels

N, DRAWS = 30, 200
ALONE = np.arange(N)


def matched(certain: int, doubtful: float, rng: np.random.Generator, draws: int = DRAWS) -> np.ndarray:
    """Records 0 and 1, 2 and 3, …: the first pairs are certain, the others together with a probability."""
    labels = np.tile(ALONE, (draws, 1))
    for pair in range(N // 2):
        here = np.ones(draws, bool) if pair < certain else rng.random(draws) < doubtful
        labels[here, 2 * pair + 1] = 2 * pair
    return labels


def good(chains: int = 4, draws: int = DRAWS) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [matched(5, 0.5, rng, draws) for _ in range(chains)]


def codes(posterior: Posterior) -> dict[str, str]:
    return {finding.code: finding.severity for finding in posterior.diagnose().findings}


def test_chains_that_agree_are_satisfactory() -> None:
    posterior = posterior_of(good())
    found = posterior.diagnose()
    assert found.findings == ()
    assert found.satisfactory
    assert found.pairs.doubtful == found.pairs.sampled == 10
    assert (found.pairs.differing, found.pairs.unsettled) == (0.0, 0.0)
    assert "The chains agree." in posterior.verdict
    assert "10 pairs deserve a look" in posterior.verdict
    assert posterior.verdict.startswith("20 entities among 30 records (90 %: ")
    assert str(found).startswith("Satisfactory: 800 draws of 4 chains.")


def test_all_alone() -> None:
    posterior = posterior_of([[ALONE] * DRAWS] * 4)
    assert codes(posterior) == {"all alone": "caution"}
    assert not posterior.diagnose().satisfactory
    assert "All alone" in posterior.verdict
    assert "No pair is in doubt." in posterior.verdict


def test_all_together() -> None:
    posterior = posterior_of([[ALONE * 0] * DRAWS] * 4)
    assert codes(posterior)["all together"] == "problem"
    assert "Do not use this yet" in posterior.verdict
    assert "Expected precision" not in posterior.verdict


def test_one_entity_that_takes_in_most() -> None:
    rng = np.random.default_rng(1)
    chains = [np.where(rng.random((DRAWS, N)) < 0.7, 0, ALONE) for _ in range(4)]
    assert codes(posterior_of(chains))["one large entity"] == "problem"


def test_more_pairs_than_can_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST_PAIRS", 100)
    posterior = posterior_of([[ALONE * 0] * DRAWS] * 4)
    assert {"all together", "too many pairs"} <= set(codes(posterior))
    assert posterior.diagnose().pairs is None
    assert "Do not use this yet" in posterior.verdict
    assert posterior.summary()["status"] == "problem"


def test_a_stuck_chain() -> None:
    rng = np.random.default_rng(1)
    stuck = np.tile(matched(5, 0.5, rng, 1), (DRAWS, 1))
    posterior = posterior_of([*good(3), stuck])
    assert codes(posterior)["stuck chain"] == "problem"
    assert "Chain 4 is stuck" in posterior.verdict


def test_two_modes_of_the_number_of_entities() -> None:
    rng = np.random.default_rng(1)
    chains = [matched(3, 0.02, rng), matched(12, 0.02, rng), matched(3, 0.02, rng), matched(12, 0.02, rng)]
    posterior = posterior_of(chains)
    found = codes(posterior)
    assert found["two modes"] == found["not settled"] == "problem"
    assert "Two modes: chains 2 and 4 at 18 entities, chains 1 and 3 at 27." in posterior.verdict.replace(
        "Chains", "chains"
    )


def test_two_modes_with_as_many_entities() -> None:
    # The number of entities is the same, and R-hat of it is fine; who is with whom is not.
    rng = np.random.default_rng(1)

    def shifted(by: int) -> np.ndarray:
        labels = matched(10, 0.5, rng)
        out = labels.copy()
        if by:
            out[:, :20] = ALONE[:20]
            out[:, 2:20:2] = out[:, 1:19:2]
            out[:, 19] = out[:, 0]
        return out

    posterior = posterior_of([shifted(0), shifted(1), shifted(0), shifted(1)])
    found = posterior.diagnose()
    assert codes(posterior)["chains differ on pairs"] == "problem"
    assert found.pairs.worst_rhat == math.inf
    assert found.pairs.disagreement > 0.5
    assert "two modes" not in codes(posterior)


def test_constants_that_differ_between_chains() -> None:
    rows = [matched(5, 0.0, np.random.default_rng(1)), matched(9, 0.0, np.random.default_rng(1))]
    found = codes(posterior_of(rows))
    assert found["two modes"] == "problem"
    assert found["not settled"] == "problem"


def test_constants_with_as_many_entities_but_others() -> None:
    one, other = matched(1, 0.0, np.random.default_rng(1)), np.tile(ALONE, (DRAWS, 1))
    other[:, 3] = 2
    found = codes(posterior_of([one, other]))
    assert found["all stuck"] == found["chains differ on pairs"] == "problem"


def test_constants_on_which_all_chains_agree() -> None:
    posterior = posterior_of([matched(5, 0.0, np.random.default_rng(1))] * 4)
    assert codes(posterior) == {"nothing changes": "note"}
    assert posterior.diagnose().satisfactory
    assert posterior.verdict.startswith("25 entities among 30 records (in every draw).")
    assert "constant" in str(posterior.diagnose())


def test_a_constant_chain_alone_is_not_trusted() -> None:
    posterior = posterior_of([matched(5, 0.0, np.random.default_rng(1))])
    assert codes(posterior)["nothing changes"] == "problem"
    assert "one chain" in codes(posterior)


def test_a_count_that_never_changes_while_members_do() -> None:
    rng = np.random.default_rng(1)
    chains = []
    for _ in range(4):
        labels = np.tile(ALONE, (DRAWS, 1))
        labels[np.arange(DRAWS), rng.integers(1, N, DRAWS)] = 0
        chains.append(labels)
    assert codes(posterior_of(chains))["constant count"] == "caution"


@pytest.mark.parametrize(("draws", "severity"), [(10, "problem"), (60, "caution")])
def test_few_draws(draws: int, severity: str) -> None:
    assert codes(posterior_of(good(draws=draws)))["few draws"] == severity


def test_slow_chains_have_few_effective_draws() -> None:
    rng = np.random.default_rng(1)
    slow = []
    for _ in range(4):
        walk = np.clip(7 + np.cumsum(rng.choice([-1, 0, 1], DRAWS)) // 3, 1, 14)
        slow.append(np.array([matched(int(k), 0.0, rng, 1)[0] for k in walk]))
    assert {"few effective draws", "not settled"} & set(codes(posterior_of(slow)))
    assert not posterior_of(slow).diagnose().satisfactory


def test_rates_at_a_bound_and_above_a_half() -> None:
    assert codes(posterior_of(good(), psi=[1 - 1e-9] * 4))["rate at its bound"] == "problem"
    assert codes(posterior_of(good(), psi=[1e-9] * 4))["rate at its bound"] == "problem"
    assert codes(posterior_of(good(), psi=[0.7] * 4))["rate above a half"] == "caution"
    assert codes(posterior_of(good(), psi=[0.3] * 4)) == {}


def test_parameters_that_are_slow_weigh_less_than_counts() -> None:
    # Each chain has its own rate: R-hat of it is infinite, and the entities are what they are.
    posterior = posterior_of(good(), psi=[0.1, 0.2, 0.3, 0.4])
    assert codes(posterior) == {"not settled": "caution"}
    assert "ψ name" in posterior.verdict


def test_one_record() -> None:
    posterior = posterior_of([[[0]] * DRAWS] * 4)
    assert set(codes(posterior)) <= {"one record", "nothing changes"}
    assert posterior.verdict.startswith("1 entity among 1 record (in every draw).")


def test_figures_of_constants_are_not_called_good() -> None:
    assert math.isnan(figure("x", [np.ones(100)] * 4).rhat)
    assert math.isnan(figure("x", [np.ones(100)] * 4).ess_bulk)
    assert figure("x", [np.ones(100), np.zeros(100)]).rhat == math.inf
    assert math.isnan(convergence(np.zeros((4, 3)))[0])


def test_one_chain_is_compared_with_itself() -> None:
    rng = np.random.default_rng(1)
    drifting = np.concatenate([rng.normal(0, 1, 200), rng.normal(3, 1, 200)])
    assert figure("x", [drifting]).rhat > 1.5
    assert figure("x", [rng.normal(0, 1, 400)]).rhat < 1.02


def test_indicators_are_those_of_replayed_draws() -> None:
    rng = np.random.default_rng(1)
    drawn = [random_labels(rng, 12, 40, 6, 0.1) for _ in range(3)]
    i, j = np.triu_indices(12, 1)
    found = doubtful.indicators(i.astype(np.int32), j.astype(np.int32), [chain_of(rows) for rows in drawn])
    for table, rows in zip(found, drawn, strict=True):
        assert np.array_equal(table, rows[:, i] == rows[:, j])


@given(st.integers(2, 5), st.integers(0, 2**32))
def test_disagreement_is_the_mean_over_pairs_of_chains(chains: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = count_pairs([chain_of(random_labels(rng, 6, 5, 3, 0.3)) for _ in range(chains)])
    p = found.p_by_chain
    gaps = [np.abs(p[:, a] - p[:, b]).sum() for a in range(chains) for b in range(a)]
    assert doubtful.disagreement(found) == pytest.approx(np.mean(gaps) / found.p.sum() if p.size else 0.0)


def test_the_test_of_agreement_has_its_level() -> None:
    # 2,000 indicators of independent draws, p between .1 and .9: 2 alarms expected, 12 with probability 1e-6.
    rng = np.random.default_rng(1)
    table = rng.random((4, 400, 2000)) < np.linspace(0.1, 0.9, 2000)
    assert doubtful.differ(table).sum() < 12
    table[0, :, :100] = rng.random((400, 100)) < 0.6
    assert doubtful.differ(table)[:100].mean() > 0.9


def test_the_test_of_agreement_is_not_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    # At a level of one in ten 200 alarms are expected among 2,000, with a standard deviation of 13.
    monkeypatch.setattr(doubtful, "LEVEL", 0.1)
    table = np.random.default_rng(1).random((4, 400, 2000)) < np.linspace(0.2, 0.8, 2000)
    assert 130 < doubtful.differ(table).sum() < 270


def test_very_many_pairs_in_doubt_are_sampled_the_same_way_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubtful, "MOST", 4)
    found = count_pairs([chain_of(rows) for rows in good()])
    chosen = doubtful.doubtful_pairs(found)
    assert chosen.size == 4
    assert np.array_equal(chosen, doubtful.doubtful_pairs(found))


def test_findings_come_with_the_worst_first() -> None:
    posterior = posterior_of([[ALONE * 0] * 60])
    ranks = [("problem", "caution", "note").index(f.severity) for f in posterior.diagnose().findings]
    assert ranks == sorted(ranks)
    assert len(ranks) > 2
    assert isinstance(posterior.diagnose(), diagnosis.Diagnosis)
