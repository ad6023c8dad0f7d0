"""A field of words, in which typing errors occur."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields import join, strings
from coterie.fields.field import CUTOFF, DISTORTION, SHARE, SLIP, STEEPNESS, Single, domain
from coterie.fields.pairs import Pairs, most_similar, spread
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain

# One error in four letters, two in seven, three in ten.
EDIT_CUTOFF = 0.7
# Below this Jaro-Winkler pairs names that share no more than a beginning.
JARO_WINKLER_CUTOFF = 0.88
# An error in a name of seven letters is four times as likely as two, and seventeen times as likely as three.
STEEPNESS_OF_TEXT = 10.0

# Of the words of one value this much must be in the other, in letters.
TOKENS_CUTOFF = 0.8
# So many strings are compared all with all: a second's work. More are joined by what they have in common.
ALL_PAIRS_UP_TO = 10_000
# A function in Python takes a thousand times as long.
ALL_CALLS_UP_TO = 1000
# What a function, or Jaro-Winkler, is asked about among more strings: pairs that are so near by errors ...
LOOSE = 0.6
# ... or begin with as many of the same letters.
BEGINNING = 4

Similarity = Callable[[str, str], float]


def _similarity(name: str, value: Any) -> Any:
    """Check a similarity: a name, a function, or None for the default."""
    if value is None or callable(value) or value in NAMED:
        return value
    hint = "A function takes two strings and returns a similarity from 0 to 1."
    raise InputError(f"{', '.join(map(repr, NAMED))}, a function or None for {name!r}", repr(value)[:60], hint)


NAMED = ("edit", "jaro-winkler", "tokens")


@dataclass(frozen=True)
class Text(Single):
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
        checked(name, values)
        normal = list(map(strings.normal_form, values))
        forms = sorted(set(normal))
        index = {form: i for i, form in enumerate(forms)}
        group = np.fromiter(map(index.__getitem__, normal), np.int64, len(normal))
        return spread(self._similar_forms(name, forms), group)

    def _similar_forms(self, name: str, forms: list[str]) -> Pairs:
        """Return the similar pairs among distinct strings in order."""
        if callable(self.similarity):
            pairs = None if len(forms) <= ALL_CALLS_UP_TO else near(forms)
            return strings.ask(name, self.similarity, forms, pairs, self.cutoff or EDIT_CUTOFF)
        if self.similarity == "jaro-winkler":
            return compared(forms, strings.JARO_WINKLER, self.cutoff or JARO_WINKLER_CUTOFF)
        parts, shared = [], np.empty(0, np.int64)
        if self.similarity != "edit" and any(" " in form for form in forms):
            shared = join.sharing_words(forms)
            parts.append(strings.compare(forms, shared, strings.TOKENS, self.cutoff or TOKENS_CUTOFF))
        if self.similarity != "tokens":
            parts.append(compared(forms, strings.EDIT, self.cutoff or EDIT_CUTOFF, shared))
        return most_similar(parts, len(forms))


def checked(name: str, values: list[Any]) -> None:
    """Refuse what is no text."""
    odd = next((value for value in values if not isinstance(value, str | int | float)), None)
    if odd is not None:
        hint = "Turn the column into strings, or make it a Category, which takes any values."
        raise InputError(f"strings in {name!r}", f"{odd!r:.60}, a {type(odd).__name__}", hint)


def compared(
    forms: list[str], scorer: strings.Scorer, cutoff: float, also: NDArray[np.int64] | None = None
) -> Pairs:
    """Compare all pairs of a few strings; of many, those that may meet the cutoff, and some others."""
    if len(forms) <= ALL_PAIRS_UP_TO:
        return strings.all_pairs(forms, scorer, cutoff)
    if scorer is strings.EDIT:
        candidates = join.union(few_errors(forms, cutoff), np.empty(0, np.int64) if also is None else also)
    else:
        candidates = join.union(near(forms), join.beginning_alike(forms, BEGINNING))
    return strings.compare(forms, candidates, scorer, cutoff)


def near(forms: list[str]) -> NDArray[np.int64]:
    """Return the pairs that are worth asking any similarity about: few errors apart, or with shared words."""
    return join.union(few_errors(forms, LOOSE), join.sharing_words(forms))


def few_errors(forms: list[str], cutoff: float) -> NDArray[np.int64]:
    """Return the pairs that may meet the cutoff of the edit similarity, but for many errors in long strings."""
    sure = join.within_errors(forms, join.reach(forms, cutoff))
    return join.union(sure, join.with_an_end_alike(forms, cutoff))
