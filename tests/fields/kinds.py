"""Every kind of field, with a column that suits it."""

from typing import Any

import numpy as np

from coterie import fields
from coterie.priors.distributions import Beta
from fields.generated import names

DATES = [
    "1980-02-03",
    "19800302",
    "1980-02-13",
    "1975-11-30",
    "1975-12-01",
    "1875-11-30",
    "1980-02-31",
    "nobody knows",
]
TITLES = ["the grand hotel", "grand hotel, the", "hotel grand", "the little inn", "little inn", "campanile"]


def spelling(a: str, b: str) -> float:
    """A similarity that is not symmetric: how many letters of the one meant were seen."""
    return len(set(a) & set(b)) / max(1, len(set(b)))


KINDS: dict[str, tuple[fields.Field, list[Any]]] = {
    "category": (fields.Category(), ["vic", "nsw", "qld"]),
    "category of anything": (fields.Category(0.01), [1, "1", (2, 3), 2.5, True]),
    "text": (fields.Text(), [*names(120, seed=1), "ANNA", "anna", "Anna ", "anne"]),
    "text by edits": (fields.Text(Beta(1, 99), "edit", cutoff=0.6, steepness=20, slip=0.9), names(80, seed=2)),
    "text by Jaro-Winkler": (fields.Text(similarity="jaro-winkler"), names(80, seed=3)),
    "text by words": (fields.Text(similarity="tokens"), TITLES),
    "titles": (fields.Text(), TITLES),
    "text by a function": (fields.Text(similarity=spelling, cutoff=0.5), names(40, seed=4)),
    "text without slips": (fields.Text(slip=0), names(40, seed=5)),
    "number": (fields.Number(2), [31, 32, 33.5, 34, 70, -1, 0]),
    "number with digits": (fields.Number(0, digits=True), [12345, 12354, 12445, 99999, 7, 8]),
    "number as text": (fields.Number(0.5, distortion=0.1), ["1.5", "1.25", "2", " 3 ", "1e2"]),
    "date": (fields.Date(), DATES),
    "date of numpy": (fields.Date(tolerance=40), list(np.array(DATES[:1] + DATES[3:6], "datetime64[D]"))),
    "date by its parts": (fields.Date(parts=True), DATES),
}
