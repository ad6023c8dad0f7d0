"""Ways to judge a sentence about figures 1 and 2 by the draws.

Whether a model captures a statistic is judged by two readings: that the true value lies in the central 95 % of the
draws, and that it lies within the whiskers of the boxplot, which is what a reader of the paper's figures sees. The
two differ where the draws are so discrete that box and whiskers shrink to a line.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from coterie.paper.draws import Spread
from coterie.paper.published import MODELS, PARTITIONS
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


Judge = Callable[[Spreads], Verdict]


def told(model: str, spread: Spread) -> str:
    """Say where the true value lies in a model's draws."""
    side = "≤" if spread.below <= spread.above else "≥"
    return f"{model} median {number(spread.median, 4)}, {share(spread.tail)} {side} true value"


def captures(partition: str, statistic: str, models: Sequence[str], *, expected: bool) -> Judge:
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


def whiskers_reach(partition: str, statistic: str, models: Sequence[str]) -> Judge:
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


def closest(partition: str, statistic: str, models: Sequence[str]) -> Judge:
    """Judge that the medians of these models lie nearest to the true value, nearer than all others'."""

    def judge(spreads: Spreads) -> Verdict:
        by_model = {model: spreads[partition, model, statistic] for model in MODELS}
        furthest = max((by_model[model] for model in models), key=lambda s: s.distance)
        other = min((s for model, s in by_model.items() if model not in models), key=lambda s: s.distance)
        lead = other.distance - furthest.distance
        because = _distances(partition, statistic, by_model)
        if abs(lead) <= NOISE * math.hypot(furthest.error, other.error):
            return Verdict(CLOSE, because)
        return Verdict(HOLDS if lead > 0 else FAILS, because)

    return judge


def low(statistic: str, model: str, partitions: Sequence[str]) -> Judge:
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


def both(*judges: Judge) -> Judge:
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
        return Verdict(FAILS if outcomes <= {FAILS, CLOSE} else PARTLY, because)

    return judge


def best_overall(spreads: Spreads) -> Verdict:
    """Judge that no model captures more than NBNB on either partition, and none as many on both."""
    return _by_both_readings(spreads, lambda counts: all(_beats(counts, "NBNB", m) for m in MODELS if m != "NBNB"))


def none_superior(spreads: Spreads) -> Verdict:
    """Judge that no model captures more than all others on both partitions."""
    return _by_both_readings(spreads, lambda counts: not any(_leads(counts, model) for model in MODELS))


# How many of the four statistics a model captures, by partition and model.
Counts = Mapping[tuple[str, str], int]


def _beats(counts: Counts, model: str, other: str) -> bool:
    """Say whether a model captures at least as many statistics as another on both, and more on one."""
    leads = [counts[partition, model] - counts[partition, other] for partition in PARTITIONS]
    return min(leads) >= 0 and max(leads) > 0


def _leads(counts: Counts, model: str) -> bool:
    """Say whether a model captures more statistics than every other on both partitions."""
    return all(counts[p, model] > counts[p, other] for p in PARTITIONS for other in MODELS if other != model)


def _by_both_readings(spreads: Spreads, holds: Callable[[Counts], bool]) -> Verdict:
    """Judge a sentence on the number of captured statistics, by the draws and by the whiskers."""
    keys = [(partition, model) for partition in PARTITIONS for model in MODELS]
    by_draws = {key: sum(spreads[*key, statistic].captured for statistic in STATISTICS) for key in keys}
    by_plot = {key: sum(spreads[*key, statistic].within_whiskers for statistic in STATISTICS) for key in keys}
    because = "statistics captured, of four. " + ". ".join(
        f"By the {reading}: "
        + "; ".join(f"{p}: " + ", ".join(f"{m} {counts[p, m]}" for m in MODELS) for p in PARTITIONS)
        for reading, counts in (("draws", by_draws), ("whiskers", by_plot))
    )
    outcomes = {holds(by_draws), holds(by_plot)}
    return Verdict(DEPENDS if len(outcomes) == 2 else HOLDS if outcomes == {True} else FAILS, because)


def nearer(partition: str, statistic: str, model: str, others: Sequence[str], *, least: int) -> Judge:
    """Judge that a model's median is nearer to the true value than those of at least so many others."""

    def judge(spreads: Spreads) -> Verdict:
        mine = spreads[partition, model, statistic]
        theirs = {other: spreads[partition, other, statistic] for other in others}
        ahead = [
            m for m, s in theirs.items() if s.distance - mine.distance > NOISE * math.hypot(s.error, mine.error)
        ]
        than = f" than for {', '.join(ahead)}" if ahead else " than for none of them"
        because = (
            f"{partition}, {STATISTICS[statistic]}: off by {number(mine.distance, 3)} for {model}, less{than} ("
            + ", ".join(f"{number(s.distance, 3)} {m}" for m, s in theirs.items())
            + ")"
        )
        return Verdict(HOLDS if len(ahead) >= least else FAILS, because)

    return judge


def second(partition: str, statistic: str, model: str) -> Judge:
    """Judge that one median alone lies nearer to the true value than a model's, apart from noise."""

    def judge(spreads: Spreads) -> Verdict:
        by_model = {m: spreads[partition, m, statistic] for m in MODELS}
        mine = by_model[model]
        noise = {m: NOISE * math.hypot(s.error, mine.error) for m, s in by_model.items()}
        surely = sum(mine.distance - s.distance > noise[m] for m, s in by_model.items())
        perhaps = sum(mine.distance - s.distance >= -noise[m] for m, s in by_model.items() if m != model)
        outcome = FAILS if surely > 1 or perhaps < 1 else HOLDS if surely == perhaps == 1 else CLOSE
        return Verdict(outcome, _distances(partition, statistic, by_model))

    return judge


def _distances(partition: str, statistic: str, by_model: Mapping[str, Spread]) -> str:
    """Tell how far the medians lie from the true value, the nearest first."""
    ordered = sorted(by_model.items(), key=lambda item: item[1].distance)
    return f"{partition}, {STATISTICS[statistic]}: the medians are off by " + ", ".join(
        f"{number(s.distance, 3)} ({model})" for model, s in ordered
    )
