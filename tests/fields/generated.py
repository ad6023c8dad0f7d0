"""Names made of syllables, with typing errors."""

from itertools import product

import numpy as np

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYLLABLES = ["".join(pair) for pair in product([*"bcdfghjklmnprstvwz", "ch", "sch", "st", "tr"], [*"aeiou", "ei"])]
ENDINGS = ["", "n", "r", "s", "mann", "sen"]


def names(n: int, seed: int, words: int = 1) -> list[str]:
    """Return n distinct names, many of which are others with one, two or three errors."""
    rng = np.random.default_rng(seed)
    made: dict[str, None] = {}
    while len(made) < n:
        name = " ".join(word(rng) for _ in range(words))
        made[name] = None
        for _ in range(rng.integers(3)):
            made[misspelt(rng, name, int(rng.integers(1, 4)))] = None
    return sorted(made)[:n]


def word(rng: np.random.Generator) -> str:
    """Return two to four syllables and an ending."""
    return "".join(rng.choice(SYLLABLES, rng.integers(2, 5))) + str(rng.choice(ENDINGS))


def misspelt(rng: np.random.Generator, name: str, errors: int) -> str:
    """Return the name with letters wrong, missing, too many or swapped."""
    for _ in range(errors):
        i, letter = int(rng.integers(len(name))), LETTERS[rng.integers(26)]
        name = [
            name[:i] + letter + name[i + 1 :],
            name[:i] + name[i + 1 :] if len(name) > 2 else name,
            name[:i] + letter + name[i:],
            name[:i] + name[i : i + 2][::-1] + name[i + 2 :],
        ][rng.integers(4)]
    return name
