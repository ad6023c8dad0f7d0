"""A field of words, in which typing errors occur."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from coterie.errors import InputError
from coterie.fields import strings
from coterie.fields.field import CUTOFF, DISTORTION, SHARE, SLIP, STEEPNESS, Field, domain
from coterie.fields.pairs import Pairs
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain

# One error in four letters, two in seven, three in ten.
EDIT_CUTOFF = 0.7
# Below this Jaro-Winkler pairs names that share no more than a beginning.
JARO_WINKLER_CUTOFF = 0.88
# An error in a name of seven letters is four times as likely as two, and seventeen times as likely as three.
STEEPNESS_OF_TEXT = 10.0

Similarity = Callable[[str, str], float]


def _similarity(name: str, value: Any) -> Any:
    """Check a similarity: a name, a function, or None for the default."""
    if value is None or callable(value) or value in NAMED:
        return value
    hint = "A function takes two strings and returns a similarity from 0 to 1."
    raise InputError(f"{', '.join(map(repr, NAMED))}, a function or None for {name!r}", repr(value)[:60], hint)


NAMED = ("edit", "jaro-winkler", "tokens")


@dataclass(frozen=True)
class Text(Field):
    """Names, addresses, titles: values with typing errors.

    Values are compared without regard to case and spaces, but remain distinct values.

    Parameters
    ----------
    distortion
        The rate at which a record shows another value than the true one: a number (fixed), a `Beta` (inferred) or
        None (inferred with the default prior).
    similarity
        ``"edit"``: 1 − errors / length of the longer value, where an error is a letter too many, too few or wrong,
        or two neighbours swapped. ``"jaro-winkler"``. ``"tokens"``: how far the words of one are those of the
        other, in any order. A function of two strings (the one seen, the one meant) with values from 0 to 1.
        None: edit similarity, or that of the words where it is larger.
    cutoff
        The similarity from which on values are similar; each similarity has its own default.
    steepness
        How much likelier the more similar slip is: T(x|y) ∝ e^{steepness·similarity(x, y)}.
    slip
        τ, the share of slips among distortions.

    Examples
    --------
    >>> from coterie import fields
    >>> [name] = fields.Text().compile("name", *fields.encode(["Schmidt", "Schmitt", "SCHMIDT", "Meyer"]))
    >>> name.values
    ['Meyer', 'SCHMIDT', 'Schmidt', 'Schmitt']
    >>> name.similar[name.indptr[3]:name.indptr[4]]
    array([1, 2], dtype=int32)
    """

    distortion: float | Beta | None = None
    similarity: str | Similarity | None = None
    cutoff: float | None = None
    steepness: float = STEEPNESS_OF_TEXT
    slip: float = SLIP
    domains: ClassVar[dict[str, Domain]] = {
        "distortion": DISTORTION,
        "similarity": domain(_similarity),
        "cutoff": CUTOFF,
        "steepness": STEEPNESS,
        "slip": SHARE,
    }

    def similar_pairs(self, name: str, values: list[Any]) -> Pairs:
        forms = list(map(strings.normal_form, values))
        if callable(self.similarity):
            return strings.call(name, self.similarity, forms, None, self.cutoff or EDIT_CUTOFF)
        if self.similarity == "jaro-winkler":
            return strings.all_pairs(forms, strings.jaro_winkler, self.cutoff or JARO_WINKLER_CUTOFF)
        return strings.all_pairs(forms, strings.edit, self.cutoff or EDIT_CUTOFF)
