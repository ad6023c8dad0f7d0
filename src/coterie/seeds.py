"""Random streams: the same seed gives the same draws."""

import numpy as np

from coterie.errors import InputError

Seed = int | np.random.SeedSequence | np.random.Generator | None


def generator(seed: Seed) -> np.random.Generator:
    """Return the generator of a seed; None takes a fresh one from the operating system.

    Examples
    --------
    >>> generator(1).random() == generator(1).random()
    True
    """
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        hint = "Pass an integer to repeat the draws, or nothing."
        raise InputError("a seed that is a whole number from 0 on", repr(seed), hint) from None
