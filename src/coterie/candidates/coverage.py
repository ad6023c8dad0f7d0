"""What share of the matches the rules reach, estimated from how often several rules find the same ones."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from coterie.errors import InputError

# 90 % of a normal distribution lie within so many standard deviations.
WITHIN = 1.6448536269514722


@dataclass(frozen=True)
class Coverage:
    """An estimate of the share of all matches that rules reach, made by `coverage`.

    Attributes
    ----------
    reach
        The share of all matches that are among the candidate pairs; NaN where one rule alone, or no match, tells
        nothing.
    low, high
        An interval of 90 % for what chance does to the estimate.
    found
        The expected number of matches among the candidate pairs.
    missed
        The expected number of matches besides.
    by_rule
        For each rule, the share of the matches found by other rules that it finds, too.
    """

    reach: float
    low: float
    high: float
    found: float
    missed: float
    by_rule: tuple[float, ...]

    def __str__(self) -> str:
        """Say it in words, with the assumption."""
        if math.isnan(self.reach):
            return "One rule alone does not tell what share of the matches it reaches."
        return (
            f"The rules reach about {self.reach:.1%} of all matches ({self.low:.1%} to {self.high:.1%}),"
            " apart from those that differ in all that the rules look at."
        )


def coverage(found: ArrayLike, probability: ArrayLike) -> Coverage:
    """Estimate what share of all matches the rules reach.

    Matches that one rule alone finds show how many may be found by none. With m₁ and m₂ the expected numbers of
    matches found by exactly one and exactly two of R rules, Chao's estimate (1987) of those found by none is

        m₀ = (R − 1)/R · m₁ (m₁ − 1) / (2 (m₂ + 1))

    Matches may differ in how easily they are found; the estimate allows for that, but where they differ much, more
    are missed than it says. A match that differs from its record in every key of every rule is beyond what can be
    estimated.

    Parameters
    ----------
    found
        For each candidate pair (row), whether each rule (column) gives it.
    probability
        For each candidate pair, the probability that it is a match.

    Examples
    --------
    >>> from coterie import candidates
    >>> found = [[True, True, True]] * 90 + [[True, True, False]] * 8 + [[False, False, True]] * 2
    >>> reach = candidates.coverage(found, [1.0] * 100)
    >>> print(round(reach.reach, 3), reach.by_rule)
    0.999 (0.98, 0.98, 0.918...)
    """
    by, p = _checked(found, probability)
    rules, total = by.shape[1], float(p.sum())
    with np.errstate(invalid="ignore"):
        elsewhere = (by.sum(axis=1, keepdims=True) - by) > 0
        by_rule = tuple(float(x) for x in p @ (by & elsewhere) / (p @ elsewhere))
    if rules < 2 or not total > 0:
        return Coverage(math.nan, math.nan, math.nan, total, math.nan, by_rule)
    times = np.bincount(by.sum(axis=1), p, minlength=3)
    once, twice = float(times[1]), float(times[2])
    missed = (rules - 1) / rules * max(0.0, once * (once - 1)) / (2 * (twice + 1))
    low, high = _interval(missed, once, twice, (rules - 1) / rules)
    return Coverage(
        total / (total + missed), total / (total + high), total / (total + low), total, missed, by_rule
    )


def _interval(missed: float, once: float, twice: float, share: float) -> tuple[float, float]:
    """Return an interval for the number missed, on the scale of logarithms since it is no less than none."""
    if missed == 0:
        # Where one or none is found just once, one more may be found by none.
        return 0.0, share * max(once, 1.0)
    m = twice + 1
    variance = (
        share * once * (once - 1) / (2 * m)
        + share**2 * once * (2 * once - 1) ** 2 / (4 * m**2)
        + share**2 * once**2 * twice * (once - 1) ** 2 / (4 * m**4)
    )
    factor = math.exp(WITHIN * math.sqrt(math.log1p(max(variance, 0.0) / missed**2)))
    return missed / factor, missed * factor


def _checked(found: ArrayLike, probability: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    by, p = np.asarray(found), np.asarray(probability, np.float64)
    if by.ndim != 2 or by.dtype.kind != "b" or p.shape != by.shape[:1]:
        got = f"shapes {by.shape} of {by.dtype} and {p.shape}"
        hint = "Pass Candidates.found, and the probability of each pair."
        raise InputError("a row of yes or no for each pair, and a probability for each", got, hint)
    if p.size and not (np.all(p >= 0) and np.all(p <= 1)):
        raise InputError("probabilities", f"numbers from {p.min()} to {p.max()}", "Pass match probabilities.")
    # Pairs that no rule gives, such as those that a user adds, tell nothing about rules.
    there = by.any(axis=1)
    return by[there], p[there]
