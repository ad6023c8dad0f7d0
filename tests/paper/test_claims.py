"""Each sentence of the paper is judged by the draws: it can come out either way."""

from itertools import combinations

import numpy as np
import pytest

from coterie.paper import judges
from coterie.paper.claims import CLAIMS, judge_all
from coterie.paper.draws import Spread
from coterie.paper.judges import CLOSE, DEPENDS, FAILS, HOLDS, PARTLY, STATISTICS, Verdict
from coterie.paper.published import MODELS, PARTITIONS

EVERY = [(p, m, s) for p in PARTITIONS for m in MODELS for s in STATISTICS]
TRUE = 1000.0


def around(centre: float) -> Spread:
    """401 draws, evenly from 10 below the centre to 10 above it."""
    return Spread.of(np.linspace(centre - 10, centre + 10, 401), TRUE)


def world(good, side=1) -> dict[tuple[str, str, str], Spread]:
    """Models that are right about everything; the others are wrong, the later in the list the more so."""
    off = {m: 0 if m in good else side * 100 * (1 + i) for i, m in enumerate(MODELS)}
    return {key: around(TRUE + off[key[1]]) for key in EVERY}


def outcomes(claim) -> set[str]:
    subsets = [good for size in range(6) for good in combinations(MODELS, size)]
    return {claim.judge(world(good, side)).outcome for good in subsets for side in (1, -1)}


@pytest.mark.parametrize("claim", CLAIMS, ids=range(len(CLAIMS)))
def test_every_claim_can_hold_and_can_fail(claim):
    assert {HOLDS, FAILS} <= outcomes(claim)


def test_a_right_model_has_all_and_a_wrong_one_nothing():
    only = world(["NBNB"])
    assert judges.best_overall(only).outcome == HOLDS
    assert judges.none_superior(only).outcome == FAILS
    assert "NBNB 4, PERPS 0, MFM 0, DP 0, PYP 0" in judges.best_overall(only).because
    assert judges.best_overall(world(["NBNB", "DP"])).outcome == FAILS


def test_nbnb_may_be_behind_on_neither_partition():
    spreads = world(["NBNB"]) | {k: s for k, s in world(["PERPS"]).items() if k[0] == "SHIW"}
    assert judges.best_overall(spreads).outcome == FAILS
    assert judges.none_superior(spreads).outcome == HOLDS


def test_the_readings_differ_where_most_draws_share_one_value():
    """Of 100 draws, 80 are 4: box and whiskers are a line, although 20 % of the draws are 3, the true value."""
    spread = Spread.of(np.repeat([3, 4], [20, 80]), 3)
    assert spread.captured
    assert not spread.within_whiskers
    spreads = world(MODELS) | {("SHIW", "DP", "largest"): spread}
    for expected in (True, False):
        verdict = judges.captures("SHIW", "largest", ["DP"], expected=expected)(spreads)
        assert verdict.outcome == DEPENDS
        assert "DP" in verdict.because


def test_overall_depends_on_the_reading_where_the_counts_do():
    discrete = Spread.of(np.repeat([3, 4], [20, 80]), 3)
    spreads = world([]) | {("SHIW", "PERPS", "largest"): discrete}
    # By the draws PERPS has one more than NBNB; by the whiskers all have nothing.
    assert judges.best_overall(spreads).outcome == FAILS
    spreads |= {("SHIW", "NBNB", "largest"): around(TRUE), ("SHIW", "PERPS", "mean"): discrete}
    # Draws: NBNB 1, PERPS 2. Whiskers: NBNB 1, the others 0.
    verdict = judges.best_overall(spreads)
    assert verdict.outcome == DEPENDS
    assert "By the draws: simulated: NBNB 0" in verdict.because
    assert "SHIW: NBNB 1, PERPS 2" in verdict.because


def test_a_lead_within_the_noise_is_no_lead():
    spreads = world(MODELS) | {("simulated", "PYP", "singletons"): around(TRUE + 0.01)}
    assert judges.closest("simulated", "singletons", ("PYP",))(spreads).outcome == CLOSE
    assert judges.second("simulated", "singletons", "NBNB")(spreads).outcome == CLOSE
    assert judges.nearer("simulated", "singletons", "NBNB", ("PYP",), least=1)(spreads).outcome == FAILS


def test_low_is_lower_than_noise():
    """A median has a standard error of about 0.5 here."""
    judge = judges.low("mean", "NBNB", ["SHIW"])
    for off, outcome in ((-3, HOLDS), (-0.1, FAILS), (0, FAILS), (3, FAILS)):
        assert judge({("SHIW", "NBNB", "mean"): around(TRUE + off)}).outcome == outcome


@pytest.mark.parametrize(("good", "outcome"), [([], HOLDS), (["DP"], PARTLY), (["DP", "MFM"], FAILS)])
def test_none_of_two_captures(good, outcome):
    assert judges.captures("SHIW", "mean", ("DP", "MFM"), expected=False)(world(good)).outcome == outcome


@pytest.mark.parametrize(
    ("parts", "together"),
    [
        ((HOLDS, HOLDS), HOLDS),
        ((FAILS, FAILS), FAILS),
        ((HOLDS, FAILS), PARTLY),
        ((HOLDS, DEPENDS), DEPENDS),
        ((HOLDS, CLOSE), CLOSE),
        ((FAILS, CLOSE), FAILS),
        ((FAILS, DEPENDS), PARTLY),
    ],
)
def test_a_sentence_that_says_several_things(parts, together):
    each = [lambda _, outcome=outcome: Verdict(outcome, outcome) for outcome in parts]
    assert judges.both(*each)({}) == (together, ". ".join(parts))


def test_the_numbers_of_a_verdict_are_those_of_the_draws(results):
    for parameters, verdicts in results.verdicts.items():
        spreads = {(p, m, s): v for (p, m, chosen, s), v in results.spreads.items() if chosen == parameters}
        assert judge_all(spreads) == verdicts
        said = verdicts[0].because
        for partition in PARTITIONS:
            for model in MODELS:
                assert f"{model} median {spreads[partition, model, 'mean'].median:.3f}" in said


def test_what_a_hundred_draws_show_already(results):
    """Nothing but singletons and pairs: no model does that."""
    verdicts = dict(zip((claim.text for claim in CLAIMS), results.verdicts["published"], strict=True))
    assert verdicts["… or the maximum cluster size …"].outcome == HOLDS
    assert verdicts["… although the NBNB and PERPS models are the closest."].outcome == HOLDS
