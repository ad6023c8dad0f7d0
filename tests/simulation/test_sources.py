"""Sources hold nobody twice where they say so, and get their shares."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from coterie import priors
from coterie.simulation import simulate
from coterie.simulation.sources import Sources, draw_sources
from frequencies import assert_drawn_from


@pytest.mark.parametrize("deduplicated", [(), ("A",), ("A", "C"), ("A", "B", "C", "D")])
def test_deduplicated_sources_hold_nobody_twice(deduplicated: tuple[str, ...]) -> None:
    made = simulate(3000, sources=4, deduplicated=deduplicated, seed=1)
    cells = Counter(zip(made.truth["entity_id"].to_pylist(), made.records["source"].to_pylist(), strict=True))
    twice = {source for (_, source), times in cells.items() if times > 1}
    assert twice == set("ABCD") - set(deduplicated)


def test_large_clusters_go_to_the_source_that_may_hold_them() -> None:
    law = priors.DirichletProcess(theta=1)
    made = simulate(500, law=law, sources=("list", "register"), deduplicated=["register"], seed=2)
    of_register = np.array(made.records["source"].to_pylist()) == "register"
    entity = made.truth["entity_id"].to_numpy()
    assert max(Counter(entity[of_register].tolist()).values()) == 1
    assert max(Counter(entity.tolist()).values()) > 100


def test_two_clean_files_have_people_with_two_records_at_most() -> None:
    made = simulate(2000, sources=("a", "b"), deduplicated=("a", "b"), seed=3)
    assert set(made.partition.size_counts) == {1, 2}


def test_shares() -> None:
    made = simulate(20_000, sources={"census": 7, "survey": 2, "clinic": 1}, seed=4)
    assert_drawn_from(made.records["source"].to_pylist(), {"census": 0.7, "survey": 0.2, "clinic": 0.1})


def test_many_sources_have_letters() -> None:
    made = simulate(5000, sources=28, seed=5)
    assert set(made.records["source"].to_pylist()) == {*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB"}


def test_sources_without_replacement_follow_their_shares() -> None:
    """P(i, j, …) = s_i · s_j/(1 − s_i) · …, for entities of two records and three sources."""
    shares = np.array([0.6, 0.3, 0.1])
    sources = Sources(("a", "b", "c"), shares, (0, 1, 2))
    entity = np.repeat(np.arange(20_000), 2)
    drawn = draw_sources(np.random.default_rng(6), entity, np.tile([0, 1], 20_000), sources)
    law = {(i, j): shares[i] * shares[j] / (1 - shares[i]) for i, j in permutations(range(3), 2)}
    assert_drawn_from(map(tuple, drawn.reshape(-1, 2).tolist()), law)


def test_a_second_record_of_a_person_goes_on_to_another_source() -> None:
    """The first record stays; the second moves with P = s_a² to one of the others, by their shares."""
    shares = np.array([0.5, 0.3, 0.2])
    sources = Sources(("a", "b", "c"), shares, (0,))
    entity = np.repeat(np.arange(20_000), 2)
    drawn = draw_sources(np.random.default_rng(7), entity, np.tile([0, 1], 20_000), sources)
    law = {(i, j): shares[i] * shares[j] for i in range(3) for j in range(3)}
    law[0, 0] = 0.0
    law[0, 1] += 0.25 * 0.6
    law[0, 2] += 0.25 * 0.4
    assert_drawn_from(map(tuple, drawn.reshape(-1, 2).tolist()), law)
