"""What is true of a record that is alone: P(y | x) ∝ θ(y) P(x | y), over its own value and those like it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.fields.compiled import Compiled

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Guesses(NamedTuple):
    """For each value x of a field the truths that are likelier than by chance, and their probabilities.

    What is left to one goes to values that x does not resemble, a little to each.
    """

    begin: Integers  # (values + 1,)
    truth: Integers
    p: Floats


def guesses(field: Compiled, psi: float) -> Guesses:
    """Return P(y | x) for the y that are x or of which x may be a slip, at one distortion rate.

    Examples
    --------
    >>> from coterie import fields
    >>> [name] = fields.Text().compile("name", *fields.encode(["anna"] * 8 + ["anne", "bob"]))
    >>> found = guesses(name, 0.1)
    >>> [name.values[y] for y in found.truth[found.begin[1] : found.begin[2]]], found.p.round(2)[2:4]
    (['anne', 'anna'], array([0.54, 0.45]))
    """
    size = np.arange(field.size)
    x = np.append(size, np.repeat(size, np.diff(field.indptr)))
    y = np.append(size, field.similar)
    theta, tau = field.theta, np.where(field.has_similar, field.slip, 0.0)
    replaced = psi * (1.0 - tau) * theta / (1.0 - theta)  # θ(y) P(replaced by x | y) / θ(x)
    slip = np.append(np.zeros(field.size), field.chance)
    joint = theta[x] * replaced[y] + psi * theta[y] * tau[y] * slip
    joint[: field.size] = theta * (1.0 - psi)
    # P(x): its own entries, and for all other y what replacement gives.
    own = np.bincount(x, replaced[y], minlength=field.size)
    total = np.bincount(x, joint, minlength=field.size) + theta * (replaced.sum() - own)
    order = np.argsort(x, kind="stable")
    begin = np.concatenate([[0], np.cumsum(np.bincount(x, minlength=field.size))])
    return Guesses(begin.astype(np.int64), y[order].astype(np.int64), (joint / total[x])[order])


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
