"""A field whose values have no likeness to each other."""

from dataclasses import dataclass
from typing import Any

from coterie.fields.field import Single
from coterie.fields.pairs import NO_PAIRS, Pairs
from coterie.priors.distributions import Beta


@dataclass(frozen=True)
class Category(Single):
    """Values that are equal or not: sex, state, a code. Whatever is distorted is replaced.

    Parameters
    ----------
    distortion
        The rate at which a record shows another value than the true one: a number (fixed), a `Beta` (inferred) or
        None (inferred with the default prior).

    Examples
    --------
    >>> from coterie import fields
    >>> [state] = fields.Category().compile("state", *fields.encode(["vic", "nsw", "vic", None]))
    >>> state.theta, state.slip
    (array([0.33333333, 0.66666667]), 0.0)
    """

    distortion: float | Beta | None = None

    def similar_pairs(self, name: str, values: list[Any]) -> Pairs:  # noqa: ARG002
        return NO_PAIRS
