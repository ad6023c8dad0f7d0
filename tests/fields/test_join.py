"""The joins find what comparing all with all finds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from coterie.fields import join, strings
from fields.generated import names

SOME = names(1500, seed=1)


def within(forms: list[str], cutoff: float, most: list[int]) -> set[tuple[int, int]]:
    """Return the pairs that meet the cutoff with no more errors than `most` for the length of the longer."""
    exact = strings.all_pairs(forms, strings.EDIT, cutoff)
    return {
        (i, j)
        for i, j in zip(exact.first.tolist(), exact.second.tolist(), strict=True)
        if OSA.distance(forms[i], forms[j]) <= most[max(len(forms[i]), len(forms[j]))]
    }


def found(codes: np.ndarray, n: int) -> set[tuple[int, int]]:
    return {divmod(code, n) for code in codes.tolist()}


@pytest.mark.parametrize("cutoff", [0.6, 0.7, 0.75, 0.8, 0.9])
def test_every_pair_within_reach_is_found(cutoff: float) -> None:
    most = join.reach(SOME, cutoff)
    exact = within(SOME, cutoff, most.tolist())
    assert len(exact) > 100
    assert exact <= found(join.within_errors(SOME, most), len(SOME))


def test_at_a_cutoff_of_eight_tenths_nothing_is_out_of_reach() -> None:
    assert len(within(SOME, 0.8, [99] * 99)) == len(within(SOME, 0.8, join.reach(SOME, 0.8).tolist()))


@given(st.sets(st.text("abc", max_size=9), min_size=2, max_size=40), st.sampled_from([0.5, 0.6, 0.7, 0.8]))
def test_every_pair_within_reach_is_found_among_few_letters(drawn: set[str], cutoff: float) -> None:
    forms = sorted(drawn)
    most = join.reach(forms, cutoff)
    assert within(forms, cutoff, most.tolist()) <= found(join.within_errors(forms, most), len(forms))


LONG = names(600, seed=7, words=2) + names(200, seed=8, words=3)


@pytest.mark.parametrize("cutoff", [0.6, 0.7, 0.8])
def test_up_to_three_errors_in_long_strings_are_found(cutoff: float) -> None:
    forms = sorted(LONG)
    exact = within(forms, cutoff, [3] * 99)
    assert len(exact) > 200
    sure = found(join.within_errors(forms, join.reach(forms, cutoff)), len(forms))
    assert len(exact - sure) > 10
    assert exact <= sure | found(join.with_an_end_alike(forms, cutoff), len(forms))


@given(st.lists(st.tuples(st.integers(0, 24), st.sampled_from("drst"), st.sampled_from("abx")), max_size=3))
def test_any_three_errors_in_a_long_string_are_found(errors: list[tuple[int, str, str]]) -> None:
    meant = seen = "abcdefghijklmnopqrstu"
    for at, how, letter in errors:
        at = min(at, len(seen) - 2)
        seen = {
            "d": seen[:at] + seen[at + 1 :],
            "r": seen[:at] + letter + seen[at + 1 :],
            "s": seen[:at] + letter + seen[at:],
            "t": seen[:at] + seen[at : at + 2][::-1] + seen[at + 2 :],
        }[how]
    forms = sorted({meant, seen})
    few = join.within_errors(forms, join.reach(forms, 0.7))
    assert len(forms) - 1 == len(join.distinct(np.concatenate([few, join.with_an_end_alike(forms, 0.7)])))


def test_pairs_come_once_and_in_order() -> None:
    codes = join.within_errors(SOME, join.reach(SOME, 0.7))
    i, j = np.divmod(codes, len(SOME))
    assert (i < j).all()
    assert (np.diff(codes) > 0).all()


def test_little_room_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    most = join.reach(SOME, 0.7)
    at_once = join.within_errors(SOME, most)
    monkeypatch.setattr(join, "KEYS", 5000)
    monkeypatch.setattr(join, "PAIRS", 3)
    monkeypatch.setattr(join, "WAITING", 100)
    assert (join.within_errors(SOME, most) == at_once).all()


def test_reach_is_what_the_cutoff_allows_while_there_are_few_ways() -> None:
    errors = join.reach(["x" * 60], 0.7)
    assert errors[:14].tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    for length, wanted in enumerate(errors):
        assert math.comb(length, int(wanted)) <= join.VARIANTS
    assert np.diff(errors).max() == 1


@pytest.mark.parametrize("forms", [[], ["a"], ["", "a"], ["", "ab", "😀é", "😀e"]])
def test_the_smallest_lists(forms: list[str]) -> None:
    assert len(join.within_errors(forms, join.reach(forms, 0.5))) == (1 if len(forms) == 4 else 0)
    assert len(join.sharing_words(forms)) == 0


# --- words -----------------------------------------------------------------------------------------------------


def sharing(forms: list[str]) -> set[tuple[int, int]]:
    """Compare the words of all values with those of all others."""
    words = [set(form.split()) for form in forms]
    n = max(len(forms), join.FEWEST)
    uses = {word: sum(word in other for other in words) for each in words for word in each}
    told = {word: math.log(n / many) if len(word) > join.SHORT else 0.0 for word, many in uses.items()}
    pairs = set()
    for i in range(len(forms)):
        for j in range(i + 1, len(forms)):
            shared = sum(told[word] for word in words[i] & words[j])
            longer = max(sum(told[word] for word in words[k]) for k in (i, j))
            if shared >= max(0.5 * math.log(n), join.SHARED * longer) - 1e-9:
                pairs.add((i, j))
    return pairs


def test_pairs_that_share_telling_words_are_found_and_no_others() -> None:
    rng = np.random.default_rng(3)
    vocabulary = names(150, seed=4)
    share = 1 / np.arange(1, 151)
    share /= share.sum()
    forms = sorted({" ".join(rng.choice(vocabulary, rng.integers(1, 6), p=share)) for _ in range(600)})
    exact = sharing(forms)
    assert len(exact) > 300
    assert found(join.sharing_words(forms), len(forms)) == exact


@given(st.sets(st.lists(st.sampled_from(["the", "of", "anna", "bella", "café", "x", "zoo"])).map(" ".join)))
def test_pairs_that_share_telling_words_are_found_among_few_words(drawn: set[str]) -> None:
    forms = sorted(drawn)
    assert found(join.sharing_words(forms), len(forms)) == sharing(forms)


def test_the_same_beginning() -> None:
    forms = ["anna", "annab", "annac", "bert", "berta"]
    assert found(join.beginning_alike(forms, 4), 5) == {(0, 1), (0, 2), (1, 2), (3, 4)}
