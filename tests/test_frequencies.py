"""The statistical test itself: it holds its false-alarm rate and has power."""

import numpy as np
import pytest

import frequencies
from frequencies import assert_drawn_from, g_test, two_sided

LAW = dict(enumerate(np.array([0.3, 0.25, 0.2, 0.15, 0.07, 0.02, 0.0099, 0.0001]).tolist()))


def counts_of(seed: int, repeats: int) -> np.ndarray:
    return np.random.default_rng(seed).multinomial(3000, list(LAW.values()), size=repeats)


def test_p_values_of_good_draws_are_not_too_small() -> None:
    # 4,000 p-values; at level 0.01 some 40 are smaller: 90 would be eight standard deviations more.
    expected = 3000 * np.array(list(LAW.values()))
    p_values = [g_test(counts, expected) for counts in counts_of(seed=1, repeats=4000)]
    assert np.mean(np.array(p_values) < 0.01) < 90 / 4000
    assert np.mean(np.array(p_values) < 0.5) > 0.4


def test_binomial_tails_bound_the_false_alarms() -> None:
    p_values = two_sided(counts_of(seed=2, repeats=4000), 3000, np.array(list(LAW.values())))
    assert np.all(np.mean(p_values < 0.01, axis=0) < 90 / 4000)


def test_good_draws_pass() -> None:
    assert_drawn_from(np.random.default_rng(3).choice(8, p=list(LAW.values()), size=20_000).tolist(), LAW)


def test_a_shift_of_three_per_cent_is_seen() -> None:
    off = np.array(list(LAW.values())) + np.array([0.03, -0.03, 0, 0, 0, 0, 0, 0])
    draws = np.random.default_rng(4).choice(8, p=off, size=20_000).tolist()
    with pytest.raises(AssertionError):
        assert_drawn_from(draws, LAW)


def test_an_impossible_outcome_is_seen() -> None:
    with pytest.raises(AssertionError, match="impossible"):
        assert_drawn_from([0] * 10 + [99], {0: 1.0, 99: 0.0})


def test_many_small_deviations_are_seen_together() -> None:
    even = dict.fromkeys(range(200), 1 / 200)
    off = np.repeat([0.92, 1.08], 100) / 200
    draws = np.random.default_rng(5).choice(200, p=off, size=40_000)
    observed = np.bincount(draws, minlength=200)
    assert two_sided(observed, 40_000, np.full(200, 1 / 200)).min() * 200 > frequencies.FALSE_ALARM
    with pytest.raises(AssertionError, match="G test"):
        assert_drawn_from(draws.tolist(), even)
