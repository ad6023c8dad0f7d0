"""A slip of the fingers makes another word, one edit away."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from coterie.simulation.keyboard import Keyboard, mistype
from frequencies import assert_drawn_from

WORDS = st.text("abcxyzäéñßABZÖ015-'王市", min_size=1, max_size=9)


@given(st.lists(WORDS, min_size=1, max_size=20), st.integers(0, 1000))
def test_every_word_becomes_another_one_a_single_edit_away(words: list[str], seed: int) -> None:
    written = mistype(np.random.default_rng(seed), np.array(words), Keyboard())
    for word, slip in zip(words, written.tolist(), strict=True):
        assert slip
        assert OSA.distance(word.lower(), slip.lower()) <= 1
        assert slip != word


@pytest.mark.parametrize("word", ["Anna", "anna", "ANNA"])
def test_capitals_stay_where_they_were(word: str) -> None:
    written = mistype(np.random.default_rng(1), np.array([word] * 500), Keyboard()).tolist()
    case = {"Anna": str.istitle, "anna": str.islower, "ANNA": str.isupper}[word]
    assert all(case(slip) for slip in written)


def test_the_slips_have_their_shares() -> None:
    word = "abcdefgh"
    written = mistype(np.random.default_rng(2), np.array([word] * 20_000), Keyboard()).tolist()
    kinds = []
    for slip in written:
        if len(slip) != len(word):
            kinds.append("left out" if len(slip) < len(word) else "put in")
        else:
            kinds.append("swapped" if sorted(slip) == sorted(word) else "replaced")
    # The last letter has none behind it to be swapped with: an eighth of the swaps are replacements.
    law = {"left out": 0.25, "put in": 0.2, "replaced": 0.35 + 0.2 / 8, "swapped": 0.2 * 7 / 8}
    assert_drawn_from(kinds, law)


def test_every_place_of_a_word_is_hit_alike() -> None:
    word = "qwerty"
    written = mistype(np.random.default_rng(3), np.array([word] * 20_000), Keyboard()).tolist()
    gone = [word.index(next(iter(set(word) - set(slip)))) for slip in written if len(slip) == 5]
    assert_drawn_from(gone, dict.fromkeys(range(6), 1 / 6))


@pytest.mark.parametrize(("language", "near"), [("en", "hgtu"), ("de", "xas")])
def test_neighbours_are_those_of_the_keyboard(language: str, near: str) -> None:
    letters = np.full(500, ord("y"), np.uint32)
    found = {chr(code) for code in Keyboard(language).near(np.random.default_rng(4), letters, letters)}
    assert found == set(near)


def test_digits_become_digits_and_accents_are_lost() -> None:
    rng, keyboard = np.random.default_rng(5), Keyboard()
    digits = np.array([ord(letter) for letter in "0123456789" * 50], np.uint32)
    assert {chr(code) for code in keyboard.near(rng, digits, digits)} == set("0123456789")
    accents = np.array([ord(letter) for letter in "éüå"], np.uint32)
    assert [chr(code) for code in keyboard.near(rng, accents, digits)] == list("eua")


def test_letters_without_a_key_become_others_of_the_column() -> None:
    written = mistype(np.random.default_rng(6), np.array(["王", "李", "张"] * 100), Keyboard()).tolist()
    assert set("".join(written)) == set("王李张")


def test_no_word_at_all() -> None:
    assert mistype(np.random.default_rng(7), np.array([], dtype="U5"), Keyboard()).shape == (0,)
