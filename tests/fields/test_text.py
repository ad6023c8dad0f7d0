"""Text: which values are similar, by each similarity."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, JaroWinkler

from coterie import InputError, fields
from coterie.fields import strings, text
from fields.generated import names


def compiled(kind: fields.Field, values: list[Any]) -> fields.Compiled:
    [field] = kind.compile("name", *fields.encode(values))
    return field


def chances(field: fields.Compiled) -> dict[tuple[str, str], float]:
    """Return T(x|y) for the pairs (x, y) that have one."""
    x = np.repeat(np.arange(field.size), np.diff(field.indptr)).tolist()
    return {
        (field.values[i], field.values[j]): chance
        for i, j, chance in zip(x, field.similar.tolist(), field.chance.tolist(), strict=True)
    }


def expected(values: list[str], similarity: Any, cutoff: float, steepness: float) -> dict[tuple[str, str], float]:
    """Return T(x|y) by the formula."""
    score = {(x, y): similarity(x, y) for x in values for y in values if x != y}
    near = {pair: np.exp(steepness * s) for pair, s in score.items() if s >= cutoff - 1e-9}
    return {(x, y): w / sum(v for (_, z), v in near.items() if z == y) for (x, y), w in near.items()}


def test_chances_follow_from_edits() -> None:
    values = names(60, seed=8)
    exact = expected(values, OSA.normalized_similarity, 0.6, 7.0)
    assert len(exact) > 50
    assert chances(compiled(fields.Text(similarity="edit", cutoff=0.6, steepness=7), values)) == pytest.approx(
        exact
    )


def test_chances_follow_from_jaro_winkler() -> None:
    values = names(60, seed=8)
    exact = expected(values, JaroWinkler.similarity, 0.85, 10.0)
    assert len(exact) > 50
    got = chances(compiled(fields.Text(similarity="jaro-winkler", cutoff=0.85), values))
    assert got == pytest.approx(exact, rel=1e-5)


def test_chances_follow_from_a_function_of_the_one_seen_and_the_one_meant() -> None:
    def kept(seen: str, meant: str) -> float:
        return len(set(seen) & set(meant)) / len(set(meant))

    values = ["ab", "abc", "abcd", "x"]
    got = chances(compiled(fields.Text(similarity=kept, cutoff=0.6, steepness=2), values))
    assert set(got) == {(x, y) for x in values[:3] for y in values[:3] if x != y}
    assert got["ab", "abc"] / got["abcd", "abc"] == pytest.approx(np.exp(2 * (2 / 3 - 1)))
    assert got["abc", "ab"] == pytest.approx(0.5)


def test_one_error_is_clearly_likelier_than_three() -> None:
    got = chances(compiled(fields.Text(), ["katharinas", "katharinaz", "kathxrizay"]))
    assert got["katharinaz", "katharinas"] > 5 * got["kathxrizay", "katharinas"]


@pytest.mark.parametrize(
    ("a", "b", "similar"),
    [
        ("anna", "anan", True),  # two neighbours swapped are one error
        ("anna", "anne", True),
        ("ann", "ant", False),
        ("Müller", "MÜLLER", True),
        ("straße", "STRASSE", True),
        ("e\u0301va", "éva", True),
        (" anna  maria ", "Anna Maria", True),
        ("hotel bel-air", "bel-air hotel", True),
        ("arnie morton's of chicago", "arnie morton's", True),
        ("the palm", "the grill", False),
        ("12 mill lane", "12 high street", False),
        ("a b c d e f", "f e d c b a", False),  # single letters say nothing
    ],
)
def test_what_is_similar_by_default(a: str, b: str, similar: bool) -> None:
    others = ["the inn", "the old mill", "the three bells", "lane end"]
    assert ((a, b) in chances(compiled(fields.Text(), [a, b, *others]))) is similar
    assert ((b, a) in chances(compiled(fields.Text(), [b, *others, a]))) is similar


def test_a_word_that_many_values_share_makes_none_of_them_similar() -> None:
    values = [f"{name} street" for name in names(200, seed=12)]
    by_words = chances(compiled(fields.Text(similarity="tokens"), [*values, "street"]))
    assert not by_words


def test_values_that_differ_in_case_remain_values() -> None:
    field = compiled(fields.Text(), ["Anna", "anna", "ANNA", "Bert"])
    assert field.size == 4
    assert len(chances(field)) == 6
    assert set(chances(field).values()) == {0.5}


@pytest.mark.parametrize("similarity", [None, "edit"])
def test_a_long_list_is_joined_with_the_same_result(
    similarity: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = [*names(700, seed=2), *names(300, seed=3, words=2), "ANNA", "Anna"]
    kind = fields.Text(similarity=similarity, cutoff=0.8)
    at_once = chances(compiled(kind, values))
    monkeypatch.setattr(text, "ALL_PAIRS_UP_TO", 10)
    joined = chances(compiled(kind, values))
    lost = set(at_once) - set(joined)
    assert set(joined) <= set(at_once)
    assert all(OSA.distance(a, b) > 3 for a, b in lost)
    assert len(lost) < 0.01 * len(at_once)


@pytest.mark.parametrize(("similarity", "recall"), [("jaro-winkler", 0.85), (OSA.normalized_similarity, 0.97)])
def test_a_long_list_is_joined_nearly_with_the_same_result(
    similarity: Any, recall: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = names(400, seed=2)
    at_once = chances(compiled(fields.Text(similarity=similarity), values))
    monkeypatch.setattr(text, "ALL_PAIRS_UP_TO", 10)
    monkeypatch.setattr(text, "ALL_CALLS_UP_TO", 10)
    joined = chances(compiled(fields.Text(similarity=similarity), values))
    assert set(joined) <= set(at_once)
    assert recall * len(at_once) <= len(joined)


def test_small_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = names(150, seed=6)
    whole = chances(compiled(fields.Text(), values))
    monkeypatch.setattr(strings, "MATRIX", 1000)
    monkeypatch.setattr(strings, "LIST", 7)
    assert chances(compiled(fields.Text(), values)) == whole


@given(st.lists(st.text(max_size=8), max_size=20))
def test_any_strings_compile(values: list[str]) -> None:
    for similarity in (None, "edit", "jaro-winkler", "tokens"):
        field = compiled(fields.Text(similarity=similarity, cutoff=0.5), values)
        total = np.bincount(field.similar, field.chance, minlength=field.size)
        assert total[field.has_similar] == pytest.approx(1)


@pytest.mark.parametrize(
    "wrong", [{"similarity": "levenshtein"}, {"similarity": 1}, {"cutoff": 0}, {"cutoff": 1.1}, {"cutoff": "high"}]
)
def test_bad_parameters_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        fields.Text(**wrong)


@pytest.mark.parametrize("answer", [2, -1, None, "much", float("nan")])
def test_a_function_that_does_not_answer_with_a_similarity_is_refused(answer: Any) -> None:
    def wrong(seen: str, meant: str) -> float:  # noqa: ARG001
        return answer

    with pytest.raises(InputError, match="from the similarity of 'name'"):
        compiled(fields.Text(similarity=wrong), ["a", "b"])


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="strings in 'name'"):
        compiled(fields.Text(), ["a", ("b", "c")])
    assert compiled(fields.Text(), [1234, 1243, "1234", 5.5]).size == 4
