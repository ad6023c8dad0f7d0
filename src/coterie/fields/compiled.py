"""The one form into which every kind of field is compiled, and in which a sampler reads it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from coterie.fields.pairs import Pairs
from coterie.priors.distributions import Beta


class Compiled(NamedTuple):
    """A field of a table of records, with everything that the record model asks of it.

    A record shows the true value y, or a replacement of it, or a slip of it. The slips are kept sparse: row x
    holds the truths of which x may be a slip.

    Attributes
    ----------
    name
        The name of the field.
    codes
        One for each record: the index of its value, −1 where it is missing.
    values
        The distinct values that occur, in an order that is not that of the records.
    theta
        Their frequencies θ among the records that have a value; they sum to one.
    slip
        τ, the share of slips among distortions; 0 where no two values are similar.
    indptr, similar
        Row x is ``similar[indptr[x]:indptr[x + 1]]``: the truths y ≠ x of which x may be a slip, ascending.
    chance
        T(x|y) for these entries: for each y that has similar values, Σ_x T(x|y) = 1.
    distortion
        The rate at which records do not show the truth: a number, a law of it, or None for the default prior.

    Examples
    --------
    >>> from coterie import fields
    >>> codes, values = fields.encode(["anna", "anne", None, "bob", "anna"])
    >>> [name] = fields.Text().compile("name", codes, values)
    >>> name.codes, name.values, name.theta
    (array([ 0,  1, -1,  2,  0], dtype=int32), ['anna', 'anne', 'bob'], array([0.5 , 0.25, 0.25]))
    >>> name.indptr, name.similar, name.chance
    (array([0, 1, 2, 2]), array([1, 0], dtype=int32), array([1., 1.]))
    """

    name: str
    codes: NDArray[np.int32]
    values: list[Any]
    theta: NDArray[np.float64]
    slip: float
    indptr: NDArray[np.int64]
    similar: NDArray[np.int32]
    chance: NDArray[np.float64]
    distortion: float | Beta | None

    @property
    def size(self) -> int:
        """How many distinct values there are."""
        return len(self.values)

    @property
    def constant(self) -> bool:
        """Whether there are fewer than two distinct values, so that the field carries no evidence."""
        return self.size < 2

    @property
    def has_similar(self) -> NDArray[np.bool_]:
        """For each value y, whether some other value may be a slip of it."""
        return np.bincount(self.similar, minlength=self.size) > 0


def assemble(
    name: str,
    codes: NDArray[np.int32],
    values: list[Any],
    pairs: Pairs,
    *,
    slip: float,
    steepness: float,
    distortion: float | Beta | None,
) -> Compiled:
    """Count the values, and turn similar pairs into T(x|y) ∝ e^{steepness·similarity(x, y)}, row by row."""
    size = len(values)
    counts = np.bincount(codes[codes >= 0], minlength=size)
    x = np.concatenate([pairs.first, pairs.second])
    y = np.concatenate([pairs.second, pairs.first])
    score = steepness * np.concatenate([pairs.similarity, pairs.back]).astype(np.float64)
    best = np.full(size, -np.inf)
    np.maximum.at(best, y, score)
    weight = np.exp(score - best[y])
    weight /= np.bincount(y, weight, minlength=size)[y]
    rows = sparse.csr_array((weight, (x, y)), shape=(size, size))
    rows.sort_indices()
    return Compiled(
        name=name,
        codes=codes,
        values=values,
        theta=counts / max(1, counts.sum()),
        slip=slip if len(x) else 0.0,
        indptr=rows.indptr.astype(np.int64),
        similar=rows.indices.astype(np.int32),
        chance=rows.data,
        distortion=distortion,
    )
