"""What is true of a record that is alone: P(y | x) ∝ θ(y) P(x | y).

Its own value, those that it resembles, and the few values as common as `HEAVY` are looked at; no other value can
be likelier than its own, unless nine of ten values are distorted.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.fields.compiled import Compiled
from coterie.kernels.evidence import HEAVY

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Guesses(NamedTuple):
    """For each value x of a field the truths that are likelier than by chance, and their probabilities.

    What is left to one goes to rare values that x does not resemble, a little to each.
    """

    begin: Integers  # (values + 1,)
    truth: Integers
    p: Floats


def guesses(field: Compiled, psi: float) -> Guesses:
    """Return P(y | x) for the y that are x, or common, or of which x may be a slip, at one distortion rate.

    Examples
    --------
    >>> from coterie import fields
    >>> [name] = fields.Text().compile("name", *fields.encode(["anna"] * 8 + ["anne", "bob"]))
    >>> found = guesses(name, 0.1)
    >>> anne = slice(found.begin[1], found.begin[2])
    >>> [name.values[y] for y in found.truth[anne]], found.p[anne].round(2)
    (['anna', 'anne', 'bob'], array([0.45, 0.54, 0.01]))
    """
    value = np.arange(field.size)
    x, y, slip = _candidates(field)
    theta, tau = field.theta, np.where(field.has_similar, field.slip, 0.0)
    replaced = psi * (1.0 - tau) * theta / (1.0 - theta)  # θ(y) P(x replaces y) / θ(x)
    joint = np.where(x == y, theta[x] * (1.0 - psi), theta[x] * replaced[y] + psi * theta[y] * tau[y] * slip)
    # P(x): these, and for all other y what replacement gives.
    own = np.bincount(x, replaced[y], minlength=field.size)
    total = np.bincount(x, joint, minlength=field.size) + theta * (replaced.sum() - own)
    begin = np.searchsorted(x, np.append(value, field.size))
    return Guesses(begin.astype(np.int64), y, joint / total[x])


def _candidates(field: Compiled) -> tuple[Integers, Integers, Floats]:
    """Return (x, y, T(x|y)), ascending: each value x with itself, what it may be a slip of, and common values."""
    size = field.size
    value, common = np.arange(size), np.flatnonzero(field.theta >= HEAVY)
    slips = np.repeat(value, np.diff(field.indptr)) * size + field.similar
    others = [value * size + value, (value[:, None] * size + common).ravel()]
    key = np.unique(np.concatenate([slips, *others]))
    slip = np.zeros(key.size)
    slip[np.searchsorted(key, slips)] = field.chance
    x, y = np.divmod(key, size)
    return x, y, slip


def best(found: Guesses) -> tuple[Integers, Floats]:
    """Return the likeliest truth of each value, and its probability; of equals the first."""
    size = found.begin.size - 1
    x = np.repeat(np.arange(size), np.diff(found.begin))
    order = np.lexsort((-found.p, x))
    first = order[found.begin[:-1]]
    return found.truth[first], found.p[first]


def of_records(
    found: Guesses, codes: NDArray[np.int32], weight: NDArray[np.int32]
) -> tuple[Integers, Integers, Floats, Floats]:
    """Return (row, truth, weight) of some records, and for each the weight that goes to no truth in particular."""
    count = found.begin[codes + 1] - found.begin[codes]
    row = np.repeat(np.arange(codes.size), count)
    at = np.arange(row.size) - np.repeat(np.cumsum(count) - count, count) + np.repeat(found.begin[codes], count)
    given = weight[row] * found.p[at]
    rest = weight - np.bincount(row, given, minlength=codes.size)
    return row, found.truth[at], given, np.maximum(rest, 0.0)
