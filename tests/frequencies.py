"""The one statistical test: are these draws from this law?"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import numpy as np
from scipy import stats

# Every call is wrong about good code with probability 1e-6 at most, by the asymptotic law of G and Bonferroni's
# bound. The suite makes fewer than 500 calls, so that a change of all its seeds at once raises a false alarm with
# probability below 1/2000. With the seeds as they are the verdict is always the same.
FALSE_ALARM = 1e-6
# Cells with a smaller expected count are pooled, for the law of G to be close to χ².
LEAST_EXPECTED = 10.0


def assert_drawn_from(draws: Iterable[Hashable], law: Mapping[Hashable, float]) -> None:
    """Check draws against a law, {outcome: probability}, that sums to 1.

    Half of the false alarms go to a G test, which sees many small deviations, and half to an exact binomial
    test of each outcome, which sees a single one, and which no draw of an impossible outcome passes.
    """
    counts = Counter(draws)
    strangers = [outcome for outcome in counts if law.get(outcome, 0.0) == 0.0]
    assert not strangers, f"drawn, but impossible: {strangers[:5]}"
    total = sum(counts.values())
    observed = np.array([counts[outcome] for outcome in law])
    probabilities = np.array(list(law.values()))
    assert abs(probabilities.sum() - 1.0) < 1e-9
    each = two_sided(observed, total, np.clip(probabilities, 0.0, 1.0))
    worst = int(np.argmin(each))
    assert each[worst] * each.size > FALSE_ALARM / 2, (
        f"{list(law)[worst]} was drawn {observed[worst]} times, {total * probabilities[worst]:.1f} were expected"
    )
    p_value = g_test(observed, total * probabilities)
    assert p_value > FALSE_ALARM / 2, f"the G test finds the draws off: p = {p_value:.1e}"


def two_sided(observed: np.ndarray, total: int, probabilities: np.ndarray) -> np.ndarray:
    """Return twice the smaller binomial tail probability of each count."""
    below = stats.binom.cdf(observed, total, probabilities)
    above = stats.binom.sf(observed - 1, total, probabilities)
    return np.minimum(1.0, 2.0 * np.minimum(below, above))


def g_test(observed: np.ndarray, expected: np.ndarray) -> float:
    """Return the p-value of G = 2 Σ O log(O/E), with the rarest cells pooled."""
    order = np.argsort(expected)
    observed, expected = observed[order], expected[order]
    rare = int(np.searchsorted(expected, LEAST_EXPECTED))
    while 0 < rare < expected.size and expected[:rare].sum() < LEAST_EXPECTED:
        rare += 1
    if rare:
        observed = np.append(observed[:rare].sum(), observed[rare:])
        expected = np.append(expected[:rare].sum(), expected[rare:])
    if expected.size < 2:
        return 1.0
    seen = observed > 0
    g = 2.0 * np.sum(observed[seen] * np.log(observed[seen] / expected[seen]))
    return float(stats.chi2.sf(g, expected.size - 1))
