"""Fields that move together, as one field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from coterie.errors import InputError
from coterie.fields.compiled import Compiled
from coterie.fields.date import Date
from coterie.fields.field import CUTOFF, DISTORTION, SHARE, SLIP, STEEPNESS, Field, Single, observed
from coterie.fields.join import Found, filled, without_crowds
from coterie.fields.pairs import NO_PAIRS, Pairs, nearest
from coterie.fields.strings import ROUNDING
from coterie.kernels.tuples import Tuples, part_keys, share_parts, shares
from coterie.priors.distributions import Beta
from coterie.priors.parameters import Domain

# Of what two addresses say, more than half must agree: those who move within a town or a postcode are not similar.
GROUP_CUTOFF = 0.6
# A part that only one of two tuples has agrees so far: enough to bridge a part or two, too little to make what has
# but a town similar to everything in that town.
MISSING = 0.4
# A tenth of what the parts tell makes e of a difference, as an error in ten letters does in a text.
STEEPNESS_OF_GROUP = 10.0
# A value that so few tuples have is reason enough to compare them, whatever else they say.
RARE = 100
# Tuples are looked up by so many similar values of a part, the nearest.
NEARBY = 20

Column = tuple[ArrayLike, list[Any]]


@dataclass(frozen=True, init=False, repr=False)
class Group(Field):
    """Fields that change together, such as the parts of an address: one field whose value is the tuple of them.

    Who moves house changes street, number, town and postcode at once. Four fields would count the move four times,
    and any agreement, too. Two tuples are similar when they share enough of their parts:

        similarity = Σ_p w_p s_p / Σ_p w_p,      w_p = −Σ_v θ_p(v) log θ_p(v)

    over the parts p that either has. A part weighs what it tells on average, its entropy. s_p is 1 where the
    values are equal, the similarity of its own kind where they are similar, `missing` where only one has a value,
    else 0. A tuple is missing when all its parts are.

    Parameters
    ----------
    parts
        The kinds of field of the parts by name. Only their similarities matter: rates and slips are the group's.
    distortion
        The rate at which a record shows another value than the true one: a number (fixed), a `Beta` (inferred) or
        None (inferred with the default prior).
    cutoff
        The similarity from which on tuples are similar.
    missing
        How far a part agrees that only one of the two has.
    steepness
        How much likelier the more similar slip is: T(x|y) ∝ e^{steepness·similarity(x, y)}.
    slip
        τ, the share of slips among distortions. The others are moves.

    Examples
    --------
    >>> from coterie import fields
    >>> home = fields.Group(street=fields.Text(), number=fields.Category(), town=fields.Text())
    >>> columns = {
    ...     "street": fields.encode(["Mill Lane", "Mil Lane", "High Street", None]),
    ...     "number": fields.encode([12, 12, 3, None]),
    ...     "town": fields.encode(["Ely", "Ely", "Ely", ""]),
    ... }
    >>> [compiled] = home.compile("home", columns)
    >>> compiled.values
    [('High Street', 3, 'Ely'), ('Mil Lane', 12, 'Ely'), ('Mill Lane', 12, 'Ely')]
    >>> compiled.codes, compiled.indptr
    (array([ 2,  1,  0, -1], dtype=int32), array([0, 0, 1, 2]))
    """

    parts: tuple[tuple[str, Single], ...]
    distortion: float | Beta | None
    cutoff: float
    missing: float
    steepness: float
    slip: float
    domains: ClassVar[dict[str, Domain]] = {
        "distortion": DISTORTION,
        "cutoff": CUTOFF,
        "missing": SHARE,
        "steepness": STEEPNESS,
        "slip": SHARE,
    }

    def __init__(
        self,
        *,
        distortion: float | Beta | None = None,
        cutoff: float = GROUP_CUTOFF,
        missing: float = MISSING,
        steepness: float = STEEPNESS_OF_GROUP,
        slip: float = SLIP,
        **parts: Single,
    ) -> None:
        chosen = {
            "distortion": distortion,
            "cutoff": cutoff,
            "missing": missing,
            "steepness": steepness,
            "slip": slip,
        }
        for name, value in {"parts": _checked(parts), **chosen}.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __repr__(self) -> str:
        chosen = [*self.parts, *((name, getattr(self, name)) for name in self.domains)]
        return f"Group({', '.join(f'{name}={value!r}' for name, value in chosen)})"

    def compile(self, name: str, columns: Mapping[str, Column]) -> tuple[Compiled]:
        """Compile the columns of the parts for the sampler, as one field.

        Parameters
        ----------
        name
            What the field is called.
        columns
            For each part its codes and values, as `coterie.fields.encode` returns them.

        Returns
        -------
        tuple of Compiled
            One. Its values are tuples, in the order of the parts, with None for what is missing.
        """
        if set(columns) != {part for part, _ in self.parts}:
            hint = "Pass {part: fields.encode(column)} for each part."
            expected = f"columns for the parts {', '.join(part for part, _ in self.parts)} of {name!r}"
            raise InputError(expected, ", ".join(map(str, columns)) or "none", hint)
        codes, values, pairs = [], [], []
        for part, kind in self.parts:
            whose = f"{name}.{part}"
            part_codes, part_values = kind.read(whose, *observed(whose, *columns[part]))
            codes.append(part_codes)
            values.append(part_values)
            pairs.append(nearest(kind.similar_pairs(whose, part_values), len(part_values)))
        if len(set(map(len, codes))) > 1:
            got = ", ".join(
                f"{len(column)} of {part}" for (part, _), column in zip(self.parts, codes, strict=True)
            )
            raise InputError(f"as many records in each part of {name!r}", got, "Pass whole columns.")
        records, cells = distinct_rows(np.column_stack(codes), [len(part) for part in values])
        return (self.assemble(name, records, named(cells, values), self._similar(cells, values, pairs, codes)),)

    def _similar(
        self,
        cells: NDArray[np.int32],
        values: list[list[Any]],
        pairs: list[Pairs],
        codes: list[NDArray[np.int32]],
    ) -> Pairs:
        """Return the pairs of tuples that share enough, among those that share a key."""
        n, bits = len(cells), len(cells).bit_length()
        tuples = _tuples(
            cells, pairs, [len(part) for part in values], np.array([_entropy(part) for part in codes])
        )
        nearby, cutoff = _nearby(tuples), self.cutoff - ROUNDING
        keys = filled(lambda out: part_keys(tuples, nearby, RARE, cutoff, bits, out), 16 * n + 1024)
        found = Found()

        def drain(keys: NDArray[np.uint64], at: int, out: NDArray[np.int64]) -> tuple[int, int]:
            return share_parts(keys, bits, at, tuples, self.missing, cutoff, out)

        found.read(without_crowds(keys, bits), drain)
        first, second = np.divmod(found.pairs(), max(1, n))
        return Pairs.of(first, second, shares(tuples, first, second, self.missing))


def _checked(parts: Mapping[str, Any]) -> tuple[tuple[str, Single], ...]:
    """Check the parts of a group."""
    if len(parts) < 2:
        hint = (
            "Pass them by name: Group(street=Text(), number=Category()). What has one part is that field itself."
        )
        raise InputError("two or more parts of a Group", ", ".join(parts) or "none", hint)
    for name, kind in parts.items():
        if not isinstance(kind, Single) or (isinstance(kind, Date) and kind.parts):
            hint = "A part is one column: a Category, Text, Number or Date(parts=False)."
            raise InputError(f"a kind of field for the part {name!r}", repr(kind)[:60], hint)
        if kind.distortion is not None:
            hint = "Give the distortion to the Group: its parts are distorted together."
            raise InputError(f"no distortion of its own for the part {name!r}", repr(kind.distortion), hint)
    return tuple(parts.items())


def distinct_rows(rows: NDArray[np.int32], sizes: list[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Number the distinct rows in lexicographic order; −1 for rows of nothing but −1."""
    number = np.zeros(len(rows), np.int64)
    for part, size in enumerate(sizes):  # compressed after each part, so that it stays below N times the next size
        number = np.unique(number * (size + 1) + rows[:, part] + 1, return_inverse=True)[1]
    there = (rows >= 0).any(axis=1)
    codes = np.full(len(rows), -1, np.int32)
    _, where, inverse = np.unique(number[there], return_index=True, return_inverse=True)
    codes[there] = inverse
    return codes, rows[there][where]


def named(cells: NDArray[np.int32], values: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Return the tuples of values, None where a part is missing."""
    columns = []
    for part, names in zip(cells.T, values, strict=True):
        with_none = [*names, None]  # at −1
        columns.append([with_none[code] for code in part.tolist()])
    return list(zip(*columns, strict=True))


def _entropy(codes: NDArray[np.int32]) -> float:
    """Return −Σ_v θ(v) log θ(v) of a part, over the records that have it."""
    counts = np.bincount(codes[codes >= 0])
    theta = counts[counts > 0] / max(1, counts.sum())
    return float(-(theta * np.log(theta)).sum())


def _tuples(
    cells: NDArray[np.int32], pairs: list[Pairs], sizes: list[int], weights: NDArray[np.float64]
) -> Tuples:
    """Number the values of all parts through, and put who is similar to whom into rows."""
    offsets = np.cumsum([0, *sizes])
    shifted = np.where(cells >= 0, cells + offsets[:-1], -1).astype(np.int32)
    moved = [p.between(p.first + offset, p.second + offset) for p, offset in zip(pairs, offsets[:-1], strict=True)]
    every = Pairs.joined([NO_PAIRS, *moved])
    score = np.maximum(every.similarity, every.back)
    total = int(offsets[-1])
    entries = (np.tile(score, 2), (np.append(every.first, every.second), np.append(every.second, every.first)))
    rows = sparse.csr_array(entries, shape=(total, total))
    rows.sort_indices()
    uses = np.bincount(shifted[shifted >= 0], minlength=total)
    indptr, similar = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    return Tuples(shifted, weights, indptr, similar, rows.data.astype(np.float64), uses)


def _nearby(tuples: Tuples) -> Tuples:
    """Keep the nearest values of each row."""
    size = len(tuples.uses)
    row = np.repeat(np.arange(size), np.diff(tuples.indptr))
    order = np.lexsort((tuples.similar, -tuples.similarity, row))
    rank = np.arange(len(row)) - tuples.indptr[row]
    kept = order[rank < NEARBY]
    indptr = np.append(0, np.cumsum(np.bincount(row[kept], minlength=size)))
    return tuples._replace(indptr=indptr, similar=tuples.similar[kept], similarity=tuples.similarity[kept])
