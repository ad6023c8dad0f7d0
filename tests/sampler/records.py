"""Small sets of records for the tests of the sampler, and the record model written out as sums over the truth."""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from coterie import fields
from coterie.fields import Compiled
from coterie.priors.distributions import Beta

NAMES = ["anna", "anne", "hanna", None, "peter", "petra", "anna", "bob"]
STATES = ["x", "x", "y", "x", None, "z", "y", "x"]
# One value as common as 1 − ψ, so that t(y, y) is below one for larger ψ.
SEXES = ["f", "f", "f", "f", "f", "f", "f", "m"]
HOMES = ["a", "a", "b", "b", "c", "c", "d", "d"]


# Records beside those that are asked for, so that their values are rare, and some values touch none of them.
OTHERS = {
    "name": ["hannah", "annes", "pete", "peters", "rob", "eve", "zoe", "joe", "joan", "john", "ivy", "max"] * 2,
    "state": ["x", "v", "w", "u", "t", "s", "r", "q", "p", "o", "n", "m"] * 2,
    "sex": ["f"] * 24,
    "home": [f"e{n}" for n in range(24)],
}


def compiled(n: int, distortion: float | Beta | None = None) -> list[Compiled]:
    """Return the fields of n ≤ 8 records: words, categories with few and with many values, missing ones.

    The values and their frequencies are those of a larger table, of which these are the first records.
    """
    columns = {
        "name": (fields.Text(distortion=distortion, cutoff=0.5, steepness=3.0, slip=0.4), NAMES[:n]),
        "state": (fields.Category(distortion=distortion), STATES[:n]),
        "sex": (fields.Category(distortion=distortion), [*SEXES[: n - 1], "m"]),
        "home": (fields.Text(distortion=distortion, cutoff=0.9), HOMES[:n]),
    }
    made: list[Compiled] = []
    for name, (kind, column) in columns.items():
        made += kind.compile(name, *fields.encode(column + OTHERS[name]))
    return [field._replace(codes=field.codes[:n]) for field in made]


def show(field: Compiled, x: int, psi: float) -> np.ndarray:
    """Return P(x | y) for each y: (1 − ψ) where x is the truth, else ψ G(x|y)."""
    tau = np.where(field.has_similar, field.slip, 0.0)
    slip = np.zeros(field.size)
    row = slice(field.indptr[x], field.indptr[x + 1])
    slip[field.similar[row]] = field.chance[row]
    shown = psi * ((1.0 - tau) * field.theta[x] / (1.0 - field.theta) + tau * slip)
    shown[x] = 1.0 - psi
    return shown


def log_joint(field: Compiled, codes: Iterable[int], rates: Sequence[float]) -> np.ndarray:
    """Return log θ(y) ∏ P(x_i | y) for each y, term by term."""
    total = np.log(field.theta)
    known = Counter((x, psi) for x, psi in zip(codes, rates, strict=True) if x >= 0)
    with np.errstate(divide="ignore"):
        for (x, psi), times in known.items():
            total += times * np.log(show(field, x, psi))
    return total


def marginal(field: Compiled, codes: Sequence[int], rates: Sequence[float]) -> float:
    """Return log P(x_1, …, x_n) − Σ log ψθ(x_i) for one field."""
    logs = log_joint(field, codes, rates)
    top = logs.max()
    total = top + math.log(math.fsum(np.exp(logs - top)))
    known = [(x, psi) for x, psi in zip(codes, rates, strict=True) if x >= 0]
    return total - math.fsum(math.log(psi * field.theta[x]) for x, psi in known) if known else 0.0


def log_r(all_fields: Sequence[Compiled], records: Sequence[int], psi: np.ndarray, source: np.ndarray) -> float:
    """Return log R of a cluster over all fields; psi[f, source]."""
    return math.fsum(
        marginal(field, [int(field.codes[n]) for n in records], [float(psi[f, source[n]]) for n in records])
        for f, field in enumerate(all_fields)
    )


def clusters_of(labels: Sequence[int]) -> list[list[int]]:
    """Return the members of each cluster."""
    return [[n for n, label in enumerate(labels) if label == c] for c in sorted(set(labels))]


def pairs(n: int) -> list[tuple[int, int]]:
    """Return all pairs of n records."""
    return list(itertools.combinations(range(n), 2))
