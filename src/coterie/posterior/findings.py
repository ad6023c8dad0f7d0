"""What can be wrong with draws, each by a name of its own, in words, and with what to do about it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.posterior.chain import Chain
from coterie.posterior.doubtful import Agreement
from coterie.posterior.figures import Figure
from coterie.sampler.step import SMALLEST_RATE

Severity = Literal["problem", "caution", "note"]
Integers = NDArray[np.int64]

# R-hat: above the first, chains are not one yet; above the second, they are far from it.
RHAT, BAD_RHAT = 1.05, 1.2
# Effective draws: with fewer than the first, intervals are rough; with fewer than the second, worth nothing.
ESS, BAD_ESS = 100.0, 20.0
# Draws of each chain, likewise.
DRAWS, FEWEST_DRAWS = 100, 20
# The share of pairs in doubt on which chains may differ.
DIFFERING, BAD_DIFFERING = 0.05, 0.25
# A chain that changes so much less than the others in the middle is stuck.
SLOW = 0.1
# Below so many records, one entity for all of them is nothing unusual.
FEW_RECORDS = 5
# A rate within this factor of where it is cut off, or this near to one, is at its bound.
AT_BOUND, NEAR_ONE = 2.0, 1e-6

# The figures that count entities.
COUNTS = ("entities", "singletons")

MORE_DRAWS = "Draw more, with a longer warm-up (tune=…)."
FIELDS = "See that the fields tell records apart, and that no column is all but constant."


class Finding(NamedTuple):
    """Something about the draws that the reader should know."""

    code: str
    severity: Severity
    words: str
    advice: str


class Evidence(NamedTuple):
    """What findings are made from."""

    n: int
    chains: Sequence[Chain]
    largest: Integers  # the size of the largest entity in every draw
    figures: Sequence[Figure]  # |C| first
    rates: Sequence[Figure]  # ψ by field and source
    pairs: Agreement | None  # None where there are too many to count


def find(evidence: Evidence) -> tuple[Finding, ...]:
    """Return what there is to say, the worst first."""
    looks = (degenerate, short, stuck, modes, unsettled, disagreeing, bounds, still)
    found = [finding for look in looks for finding in look(evidence)]
    return tuple(sorted(found, key=lambda finding: ("problem", "caution", "note").index(finding.severity)))


def degenerate(evidence: Evidence) -> Iterator[Finding]:
    """All alone, all together, or one entity that takes in most."""
    n, largest = evidence.n, evidence.largest
    if n == 1:
        yield Finding("one record", "note", "There is one record only.", "Pass more records.")
    elif np.all(largest == 1):
        words = "All alone: no two records are together in any draw of any chain."
        advice = (
            "Either nobody is there twice, or the model cannot see it: look at the candidate pairs, and at "
            "explain() of two records that you know to be one."
        )
        yield Finding("all alone", "caution", words, advice)
    elif np.all(largest == n) and n >= FEW_RECORDS:
        words = "All together: every draw takes all records for one entity."
        yield Finding("all together", "problem", words, FIELDS)
    elif n >= 2 * FEW_RECORDS and np.mean(2 * largest > n) > 0.5:
        words = f"One entity takes in most records: {np.median(largest):,.0f} of {n:,}."
        yield Finding("one large entity", "problem", words, FIELDS)


def short(evidence: Evidence) -> Iterator[Finding]:
    """Too few draws, or one chain."""
    draws = min(chain.draws for chain in evidence.chains)
    if draws < DRAWS:
        severity: Severity = "problem" if draws < FEWEST_DRAWS else "caution"
        yield Finding("few draws", severity, f"There are {draws} draws of a chain: too few to judge.", MORE_DRAWS)
    if len(evidence.chains) == 1:
        words = "There is one chain, so nothing shows whether another one would end up elsewhere."
        yield Finding("one chain", "caution", words, "Draw four chains.")


def stuck(evidence: Evidence) -> Iterator[Finding]:
    """Chains that hardly move while others do."""
    moves = np.array([chain.begin[-1] / max(1, chain.draws - 1) for chain in evidence.chains])
    slow = np.flatnonzero(moves < SLOW * np.median(moves))
    if slow.size:
        which, verb = _chains(slow), "is" if slow.size == 1 else "are"
        words = (
            f"{which} {verb} stuck: {moves[slow].mean():.1f} records change their entity from draw to draw, and "
            f"{np.median(moves):.1f} in the chains in the middle."
        )
        yield Finding("stuck chain", "problem", words, MORE_DRAWS)


def modes(evidence: Evidence) -> Iterator[Finding]:
    """Chains that have settled at different numbers of entities."""
    if len(evidence.chains) < 2:
        return
    means = np.array([chain.entities.mean() for chain in evidence.chains])
    spread = np.sqrt(np.mean([chain.entities.var() for chain in evidence.chains]))
    order = np.argsort(means)
    gaps = np.diff(means[order])
    at = int(np.argmax(gaps))
    if gaps[at] > max(3.0 * spread, 0.5):
        low, high = np.sort(order[: at + 1]), np.sort(order[at + 1 :])
        words = (
            f"Two modes: {_chains(low)} at {means[low].mean():,.0f} entities, {_chains(high)} at "
            f"{means[high].mean():,.0f}."
        )
        yield Finding("two modes", "problem", words, MORE_DRAWS)


def unsettled(evidence: Evidence) -> Iterator[Finding]:
    """Numbers whose R-hat is too large, or that have too few effective draws.

    What matters is how many entities there are; rates and parameters may mix slowly and yet change little else.
    """
    figures = [*evidence.figures, *evidence.rates]
    high = sorted((f for f in figures if f.rhat > RHAT), key=lambda f: (f.name not in COUNTS, -f.rhat))
    if high:
        severity = _severity((f.name, f.rhat > BAD_RHAT) for f in high)
        words = f"R-hat is above {RHAT} for {_named([(f.name, f.rhat) for f in high], '.2f')}."
        yield Finding("not settled", severity, words, MORE_DRAWS)
    least = [(f.name, float(np.fmin(f.ess_bulk, f.ess_tail))) for f in figures]
    least = [(name, ess) for name, ess in least if ess < ESS]
    least.sort(key=lambda found: (found[0] not in COUNTS, found[1]))
    if least:
        severity = _severity((name, ess < BAD_ESS) for name, ess in least)
        words = f"Fewer than {ESS:.0f} effective draws for {_named(least, '.0f')}."
        yield Finding("few effective draws", severity, words, "Draw more.")


def disagreeing(evidence: Evidence) -> Iterator[Finding]:
    """Pairs on which the chains differ."""
    pairs = evidence.pairs
    if pairs is None:
        words = "Pairs were not counted, since there are too many together in a draw."
        yield Finding("too many pairs", "problem", words, FIELDS)
        return
    if pairs.differing > DIFFERING and pairs.differing * pairs.sampled > 1:
        severity: Severity = "problem" if pairs.differing > BAD_DIFFERING else "caution"
        words = f"The chains differ on {pairs.differing:.0%} of the {pairs.doubtful:,} pairs in doubt."
        yield Finding("chains differ on pairs", severity, words, MORE_DRAWS)


def bounds(evidence: Evidence) -> Iterator[Finding]:
    """Distortion rates that are at a bound, or above a half."""
    for rate in evidence.rates:
        if rate.mean >= 1.0 - NEAR_ONE or rate.mean <= AT_BOUND * SMALLEST_RATE:
            words = f"{rate.name} is at its bound, {rate.mean:.2g}."
            advice = "Leave the field out, or give it another kind."
            yield Finding("rate at its bound", "problem", words, advice)
        elif rate.mean > 0.5:
            words = (
                f"{rate.name} is {rate.mean:.2f}: most records of an entity show something else than the truth."
            )
            advice = "Leave the field out, or give it a kind that knows which of its values are similar."
            yield Finding("rate above a half", "caution", words, advice)


def still(evidence: Evidence) -> Iterator[Finding]:
    """Numbers of entities that never change: R-hat says nothing of them, but pairs do."""
    if not evidence.figures[0].constant or np.all(evidence.largest == 1):
        return
    moves = sum(int(chain.begin[-1]) for chain in evidence.chains)
    apart = evidence.pairs is None or evidence.pairs.disagreement != 0.0
    if moves == 0 and apart and len(evidence.chains) > 1:
        words = "No chain changes its partition, and they are not the same: all are stuck."
        yield Finding("all stuck", "problem", words, MORE_DRAWS)
    elif moves == 0:
        words = "All draws are the same. R-hat cannot be computed, but the chains agree on every pair."
        alone = "All draws are the same, and there is one chain: nothing shows whether it is sure or stuck."
        several = len(evidence.chains) > 1
        severity: Severity = "note" if several else "problem"
        yield Finding(
            "nothing changes", severity, words if several else alone, "Look at a few pairs by explain()."
        )
    else:
        words = "The number of entities never changes, though who is with whom does."
        yield Finding("constant count", "caution", words, "See that the prior leaves their number open.")


def _severity(found: Iterable[tuple[str, bool]]) -> Severity:
    """Return the worst of figures, by name and whether each is bad; those that count no entities weigh less."""
    ranks = [int(bad) + (name in COUNTS) for name, bad in found]
    severities: tuple[Severity, ...] = ("note", "caution", "problem")
    return severities[max(ranks)]


def _chains(which: Integers) -> str:
    """Return chains by their numbers, from 1 on: chains 1 and 3."""
    numbers = [str(chain + 1) for chain in which.tolist()]
    listed = f"{', '.join(numbers[:-1])} and {numbers[-1]}" if len(numbers) > 1 else numbers[0]
    return f"chain{'s' if len(numbers) > 1 else ''} {listed}".capitalize()


def _named(values: list[tuple[str, float]], form: str, most: int = 4) -> str:
    """Return the first of some names with their numbers."""
    named = ", ".join(f"{name} ({value:{form}})" for name, value in values[:most])
    return named + (f" and {len(values) - most} more" if len(values) > most else "")
