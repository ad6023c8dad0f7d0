"""Pairs: what crowds and groups of values do to them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.fields.pairs import Pairs, most_similar, nearest, spread

SIZE = 12
EDGES = st.dictionaries(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).filter(lambda pair: pair[0] < pair[1]),
    st.tuples(st.sampled_from([0.5, 0.7, 0.9]), st.sampled_from([0.5, 0.7, 0.9])),
)


def made(edges: dict[tuple[int, int], tuple[float, float]]) -> Pairs:
    table = np.array([[*pair, *scores] for pair, scores in edges.items()]).reshape(-1, 4)
    index = table[:, :2].astype(np.int32)
    return Pairs(index[:, 0], index[:, 1], table[:, 2], table[:, 3])


def edges(pairs: Pairs) -> dict[tuple[int, int], tuple[float, float]]:
    ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    return dict(zip(ends, zip(pairs.similarity.tolist(), pairs.back.tolist(), strict=True), strict=True))


@given(EDGES, st.integers(1, 5))
def test_a_crowd_keeps_its_nearest(drawn: dict, longest: int) -> None:
    room, kept = [longest] * SIZE, {}
    for (i, j), scores in sorted(drawn.items(), key=lambda edge: (-max(edge[1]), edge[0])):
        if room[i] and room[j]:
            room[i], room[j], kept[i, j] = room[i] - 1, room[j] - 1, scores
    assert edges(nearest(made(drawn), SIZE, longest)) == kept


@given(EDGES, st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=20))
def test_values_are_as_similar_as_their_groups(drawn: dict, group: list[int]) -> None:
    group = [*group, *range(SIZE)]
    expected = {}
    for u in range(len(group)):
        for v in range(u + 1, len(group)):
            f, g = group[u], group[v]
            if f == g:
                expected[u, v] = (1.0, 1.0)
            elif (min(f, g), max(f, g)) in drawn:
                there, back = drawn[min(f, g), max(f, g)]
                expected[u, v] = (there, back) if f < g else (back, there)
    assert edges(spread(made(drawn), np.array(group))) == expected


@given(st.lists(EDGES, max_size=3))
def test_a_pair_found_twice_has_the_greater_similarity(parts: list[dict]) -> None:
    expected: dict = {}
    for part in parts:
        for pair, (there, _) in part.items():
            expected[pair] = max(expected.get(pair, 0.0), there)
    got = edges(most_similar([Pairs.of(*made(part)[:3]) for part in parts], SIZE))
    assert {pair: there for pair, (there, _) in got.items()} == expected
    assert list(got) == sorted(got)
