"""What section 4 and appendix D say in words about the figures, judged by the draws.

A claim is judged by two readings of whether a model captures a statistic: that the true value lies in the central
95 % of the draws, and that it lies within the whiskers of the boxplot, which is what a reader of the paper's
figures sees. The two differ where the draws are so discrete that box and whiskers shrink to a line.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from coterie.paper.draws import Spread
from coterie.paper.published import MODELS
from coterie.paper.tables import number, share

# Spreads by partition, model and statistic, for one set of parameters.
Spreads = Mapping[tuple[str, str, str], Spread]

STATISTICS = {
    "singletons": "number of singleton clusters",
    "largest": "maximum cluster size",
    "mean": "mean cluster size",
    "quantile_90": "90 % quantile of cluster sizes",
}

HOLDS, FAILS, PARTLY = "holds", "does not hold", "holds in part"
DEPENDS, CLOSE = "depends on the reading", "too close to call"
# A difference of medians of less than so many standard errors is put down to the draws.
NOISE = 1.96


class Verdict(NamedTuple):
    """Whether a claim holds, and the numbers that say so."""

    outcome: str
    because: str


class Claim(NamedTuple):
    """A sentence of the paper, where it stands, and how to judge it."""

    where: str
    text: str
    judge: Callable[[Spreads], Verdict]


def told(model: str, spread: Spread) -> str:
    """Say where the true value lies in a model's draws."""
    side = "≤" if spread.below <= spread.above else "≥"
    return f"{model} median {number(spread.median, 4)}, {share(spread.tail)} {side} true value"


def captures(
    partition: str, statistic: str, models: Sequence[str], *, expected: bool
) -> Callable[[Spreads], Verdict]:
    """Judge that all these models capture a statistic, or that none of them does."""

    def judge(spreads: Spreads) -> Verdict:
        chosen = {model: spreads[partition, model, statistic] for model in models}
        by_draws = [s.captured == expected for s in chosen.values()]
        by_plot = [s.within_whiskers == expected for s in chosen.values()]
        true = number(next(iter(chosen.values())).true, 4)
        because = f"{partition}, true value {true}: " + "; ".join(told(model, s) for model, s in chosen.items())
        if all(by_draws) and all(by_plot):
            return Verdict(HOLDS, because)
        if all(by_draws) or all(by_plot):
            other = [model for model, s in chosen.items() if s.captured != s.within_whiskers]
            yes = "the draws" if all(by_draws) else "the whiskers"
            no = "the whiskers" if all(by_draws) else "the draws"
            return Verdict(DEPENDS, f"by {yes} yes, by {no} no ({', '.join(other)}); {because}")
        outcome = PARTLY if any(by_draws) else FAILS
        return Verdict(outcome, because)

    return judge


def whiskers_reach(partition: str, statistic: str, models: Sequence[str]) -> Callable[[Spreads], Verdict]:
    """Judge that the true value lies within the whiskers of all these models."""

    def judge(spreads: Spreads) -> Verdict:
        chosen = {model: spreads[partition, model, statistic] for model in models}
        within = [s.within_whiskers for s in chosen.values()]
        because = "; ".join(
            f"{model}: whiskers {number(s.whiskers[0], 4)} to {number(s.whiskers[1], 4)}, "
            f"true value {number(s.true, 4)}"
            for model, s in chosen.items()
        )
        return Verdict(HOLDS if all(within) else PARTLY if any(within) else FAILS, because)

    return judge


def closest(partition: str, statistic: str, models: Sequence[str]) -> Callable[[Spreads], Verdict]:
    """Judge that the medians of these models lie nearest to the true value, nearer than all others'."""

    def judge(spreads: Spreads) -> Verdict:
        by_model = {model: spreads[partition, model, statistic] for model in MODELS}
        furthest = max((by_model[model] for model in models), key=lambda s: s.distance)
        other = min((s for model, s in by_model.items() if model not in models), key=lambda s: s.distance)
        lead = other.distance - furthest.distance
        ordered = sorted(by_model.items(), key=lambda item: item[1].distance)
        because = f"{partition}, {STATISTICS[statistic]}: the medians are off by " + ", ".join(
            f"{number(s.distance, 3)} ({model})" for model, s in ordered
        )
        if abs(lead) <= NOISE * math.hypot(furthest.error, other.error):
            return Verdict(CLOSE, because)
        return Verdict(HOLDS if lead > 0 else FAILS, because)

    return judge


def low(statistic: str, model: str, partitions: Sequence[str]) -> Callable[[Spreads], Verdict]:
    """Judge that a model's median lies below the true value, by more than the noise of the draws."""

    def judge(spreads: Spreads) -> Verdict:
        chosen = {partition: spreads[partition, model, statistic] for partition in partitions}
        below = [s.median < s.true - NOISE * s.error for s in chosen.values()]
        because = "; ".join(
            f"{partition}: median {number(s.median, 5)} ± {number(NOISE * s.error, 2)}, true {number(s.true, 5)}"
            for partition, s in chosen.items()
        )
        return Verdict(HOLDS if all(below) else PARTLY if any(below) else FAILS, because)

    return judge


def both(*judges: Callable[[Spreads], Verdict]) -> Callable[[Spreads], Verdict]:
    """Judge a sentence that says several things."""

    def judge(spreads: Spreads) -> Verdict:
        verdicts = [one(spreads) for one in judges]
        outcomes = {verdict.outcome for verdict in verdicts}
        because = ". ".join(verdict.because for verdict in verdicts)
        if len(outcomes) == 1:
            return Verdict(outcomes.pop(), because)
        for outcome in (DEPENDS, CLOSE):
            if outcomes == {HOLDS, outcome}:
                return Verdict(outcome, because)
        return Verdict(PARTLY, because)

    return judge


def number_captured(spreads: Spreads, partition: str, model: str) -> int:
    """Return how many of the four statistics a model captures, by the draws."""
    return sum(spreads[partition, model, statistic].captured for statistic in STATISTICS)


def best_overall(spreads: Spreads) -> Verdict:
    """Judge that NBNB captures more statistics than any other model on both partitions."""
    ahead, parts = [], []
    for partition in ("simulated", "SHIW"):
        captured = {model: number_captured(spreads, partition, model) for model in MODELS}
        most = max(count for model, count in captured.items() if model != "NBNB")
        ahead.append((captured["NBNB"] > most) - (captured["NBNB"] < most))
        parts.append(f"{partition}: " + ", ".join(f"{model} {count}" for model, count in captured.items()))
    because = "statistics captured, of four: " + "; ".join(parts)
    if min(ahead) > 0:
        return Verdict(HOLDS, because)
    return Verdict(PARTLY if max(ahead) > 0 and min(ahead) == 0 else FAILS, because)


_SIM, _SHIW = "simulated", "SHIW"
_FIGURES = "section 4"
# Sentences that stand in the paper's source but were left out of its print.
_UNPRINTED = "appendix D, left out of print"

CLAIMS = (
    Claim(
        _FIGURES,
        "The models are able to capture the mean cluster size for each data set …",
        both(*(captures(p, "mean", MODELS, expected=True) for p in (_SIM, _SHIW))),
    ),
    Claim(_FIGURES, "… although the NBNB model's values are slightly low.", low("mean", "NBNB", (_SIM, _SHIW))),
    Claim(
        _FIGURES,
        "For the SHIW partition, none of the models do especially well at capturing the number of singletons …",
        captures(_SHIW, "singletons", MODELS, expected=False),
    ),
    Claim(
        _FIGURES,
        "… or the maximum cluster size …",
        captures(_SHIW, "largest", MODELS, expected=False),
    ),
    Claim(
        _FIGURES,
        "… although the NBNB and PERPS models are the closest.",
        both(*(closest(_SHIW, s, ("NBNB", "PERPS")) for s in ("singletons", "largest"))),
    ),
    Claim(
        _FIGURES,
        "For the simulated partition, neither the PYP model nor the PERPS model captures the maximum cluster "
        "size.",
        both(*(captures(_SIM, "largest", (m,), expected=False) for m in ("PYP", "PERPS"))),
    ),
    Claim(
        _FIGURES,
        "The PERPS model also does poorly at capturing the 90 % quantile (simulated).",
        captures(_SIM, "quantile_90", ("PERPS",), expected=False),
    ),
    Claim(_FIGURES, "Overall, the NBNB model appears to fit both data sets better than the others.", best_overall),
    Claim(
        _UNPRINTED,
        "For the simulated partition, the median number of singletons under the PYP model is closest to the "
        "truth …",
        closest(_SIM, "singletons", ("PYP",)),
    ),
    Claim(
        _UNPRINTED,
        "… for the SHIW partition, the PERPS model is closest.",
        closest(_SHIW, "singletons", ("PERPS",)),
    ),
    Claim(
        _UNPRINTED,
        "For the simulated partition, the PERPS model has the closest median maximum cluster size …",
        closest(_SIM, "largest", ("PERPS",)),
    ),
    Claim(
        _UNPRINTED,
        "… the true maximum lies within the whiskers for the NBNB, MFM and DP models.",
        whiskers_reach(_SIM, "largest", ("NBNB", "MFM", "DP")),
    ),
)


def judge_all(spreads: Spreads) -> list[Verdict]:
    """Judge every claim."""
    return [claim.judge(spreads) for claim in CLAIMS]
