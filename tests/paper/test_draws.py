"""The four statistics of many draws, against the slow and obvious way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import Partition, priors
from coterie.paper.draws import Spread, draw_statistics, spreads, statistics_of

PARTITION = st.lists(st.integers(1, 9), min_size=1, max_size=30)


@given(st.lists(PARTITION, min_size=1, max_size=5))
def test_statistics_are_those_of_each_partition(draws):
    many = statistics_of([np.array(sizes) for sizes in draws])
    for i, sizes in enumerate(draws):
        one = Partition.from_sizes(sizes).statistics
        assert [column[i] for column in many[:4]] == pytest.approx(list(one))
        assert many.clusters[i] == len(sizes)
        assert many.quantile_90[i] == pytest.approx(np.quantile(sizes, 0.9))


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40), st.integers(-1, 21))
def test_a_spread_says_where_the_true_value_lies(values, true):
    values = np.array(values)
    spread = Spread.of(values, true)
    assert spread.below == np.mean(values <= true)
    assert spread.above == np.mean(values >= true)
    assert spread.captured == (min(spread.below, spread.above) >= 0.025)
    assert spread.whiskers[0] in values
    assert spread.whiskers[1] in values
    assert spread.whiskers[0] <= spread.median <= spread.whiskers[1]
    assert spread.within_whiskers == (spread.whiskers[0] <= true <= spread.whiskers[1])


def test_draws_in_parts_are_draws():
    law = priors.LinkageStructure(m=50)
    drawn = draw_statistics(law, 40, 1_234, np.random.SeedSequence(1))
    assert {column.size for column in drawn} == {1_234}
    # K occupied of 50 labels: its mean is 50 (1 − (49/50)^40), its standard deviation about 2.4.
    assert np.mean(drawn.clusters) == pytest.approx(50 * (1 - 0.98**40), abs=4 * 2.4 / 1_234**0.5)
    assert np.unique(drawn.clusters[:500]).size > 1
    assert not np.array_equal(drawn.clusters[:500], drawn.clusters[500:1_000])


def test_spreads_go_by_the_names_of_the_statistics():
    observed = Partition.from_sizes({1: 5, 2: 2})
    drawn = draw_statistics(priors.LinkageStructure(m=20), observed.n, 50, np.random.SeedSequence(1))
    assert {name: spread.true for name, spread in spreads(drawn, observed.statistics).items()} == (
        observed.statistics._asdict()
    )
