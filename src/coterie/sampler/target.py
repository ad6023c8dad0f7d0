"""The posterior that a chain draws from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from coterie.errors import InputError
from coterie.fields.compiled import Compiled
from coterie.kernels.bench import Units
from coterie.kernels.evidence import Evidence
from coterie.priors.distributions import Beta
from coterie.priors.law import Law
from coterie.sampler.constraints import check_agreement, check_pairs, holders, units_of
from coterie.sampler.defaults import DISTORTION, default_prior
from coterie.sampler.evidence import make_evidence

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Int32 = NDArray[np.int32]

# Without candidate pairs all pairs are candidates; this many records have two million.
ALL_PAIRS_UP_TO = 2_000


@dataclass(frozen=True, eq=False)
class Target:
    """A posterior over partitions of N records. Make one with `make_target`.

    Inside, units stand in an order in which candidates are neighbours, and so do their records; ``order`` leads
    back.

    Attributes
    ----------
    fields
        The fields that carry evidence.
    left_out
        The names of those that do not, since they have one value only.
    prior
        The law of the partition; distributions in it are inferred.
    distortion
        For each field its rate of distortion: a number, or a Beta.
    sources
        The names of the sources.
    evidence, units
        What the kernels read.
    order
        The caller's number of each record.
    free
        The units that may be with others: those that have a value at all.
    i, j
        Candidate pairs of units, i < j.
    weight
        How often to visit each, where the caller has said so; else None.
    """

    fields: tuple[Compiled, ...]
    left_out: tuple[str, ...]
    prior: Law
    distortion: tuple[float | Beta, ...]
    sources: tuple[object, ...]
    evidence: Evidence
    units: Units
    order: Integers
    free: Int32
    i: Int32
    j: Int32
    weight: Floats | None

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.order.size)

    @property
    def unit_of(self) -> Integers:
        """The unit of each record, in the order inside."""
        return np.repeat(np.arange(self.units.begin.size - 1), np.diff(self.units.begin))

    def record_labels(self, labels: NDArray[np.int32]) -> Integers:
        """Return a label for each record in the caller's order, from the labels of units."""
        out = np.empty(self.n, np.int64)
        out[self.order] = labels[self.unit_of]
        return out


def make_target(
    fields: Sequence[Compiled],
    prior: Law | None = None,
    *,
    pairs: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    source: Sequence[object] | None = None,
    deduplicated: Iterable[object] = (),
    together: ArrayLike = (),
    apart: ArrayLike = (),
) -> Target:
    """Say which posterior to draw from.

    Parameters
    ----------
    fields
        Compiled fields, all of the same records.
    prior
        A law of partitions; distributions in it are inferred. None: the default of `default_prior`.
    pairs
        Candidate pairs, rows (i, j): who may well be together. None: all pairs, for a few records.
    weights
        How often to visit each pair, relative to the others. None: informed by the evidence.
    source
        The source of each record; each has its own rates of distortion.
    deduplicated
        Sources that hold nobody twice.
    together, apart
        Pairs of records that must be in one cluster, and that must not.

    Examples
    --------
    >>> from coterie import fields, priors
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "anne", "bob", None]))
    >>> target = make_target([name], priors.DirichletProcess(theta=2))
    >>> target.n, target.free.size, target.i.size
    (4, 3, 3)
    """
    n = _number_of_records(fields)
    telling = tuple(field for field in fields if not field.constant)
    if not telling:
        hint = "Pass a field in which records differ."
        raise InputError("a field with two values at least", f"{len(fields)} with one value or none", hint)
    names, codes = _sources(source, n)
    holder = holders(codes, names, deduplicated)
    must, must_not = check_pairs("together", together, n), check_pairs("apart", apart, n)
    unit = units_of(must, n)
    check_agreement(unit, must_not, holder, names)
    empty = np.all([field.codes < 0 for field in telling], axis=0)
    full = np.bincount(unit, ~empty) > 0
    i, j, weight = _candidates(pairs, weights, unit, full, n)
    place = _neighbourly(i, j, full.size)
    order = np.lexsort((np.arange(n), place[unit]))
    enemies = np.unique(np.sort(place[unit[must_not]], axis=1), axis=0)
    evidence = make_evidence(telling, order, codes)
    low, high = np.sort([place[i], place[j]], axis=0)
    sort = np.lexsort((high, low))
    low, high = low[sort], high[sort]
    return Target(
        fields=telling,
        left_out=tuple(field.name for field in fields if field.constant),
        prior=_checked_prior(prior, n),
        distortion=tuple(DISTORTION if field.distortion is None else field.distortion for field in telling),
        sources=names,
        evidence=evidence,
        units=_units(place[unit][order], enemies, holder[order]),
        order=order,
        free=np.sort(place[np.flatnonzero(full)]).astype(np.int32),
        i=low.astype(np.int32),
        j=high.astype(np.int32),
        weight=None if weight is None else weight[sort],
    )


def _number_of_records(fields: Sequence[Compiled]) -> int:
    sizes = {field.codes.size for field in fields}
    if len(sizes) != 1 or sizes == {0}:
        got = "no fields" if not sizes else f"fields of {sorted(sizes)} records"
        raise InputError("compiled fields of the same records", got, "Compile all columns of one table.")
    return sizes.pop()


def _checked_prior(prior: Law | None, n: int) -> Law:
    if prior is None:
        return default_prior(n)
    if not isinstance(prior, Law):
        hint = "Pass a law such as priors.NBNB(a=1, q=0.99, r=Gamma(1, 1), p=Beta(2, 2))."
        raise InputError("a law of partitions as prior", repr(prior)[:60], hint)
    return prior


def _sources(source: Sequence[object] | None, n: int) -> tuple[tuple[object, ...], Int32]:
    """Return the names of the sources, and the source of each record by number."""
    if source is None:
        return ("all",), np.zeros(n, np.int32)
    labels = list(source)
    if len(labels) != n:
        raise InputError(f"the source of each of {n} records", f"{len(labels)} sources", "Pass one for each.")
    names = tuple(sorted(set(labels), key=lambda name: (type(name).__name__, str(name))))
    index = {name: code for code, name in enumerate(names)}
    return names, np.array([index[label] for label in labels], np.int32)


def _candidates(
    pairs: ArrayLike | None, weights: ArrayLike | None, unit: Integers, full: NDArray[np.bool_], n: int
) -> tuple[Integers, Integers, Floats | None]:
    """Return candidate pairs of units that may be together, each once, and their weights."""
    if pairs is None:
        if n > ALL_PAIRS_UP_TO:
            hint = "Pass pairs=..., rows (i, j) of records that share a block."
            raise InputError(f"candidate pairs for more than {ALL_PAIRS_UP_TO} records", "none", hint)
        records = np.column_stack(np.triu_indices(n, 1))
    else:
        records = check_pairs("pairs", pairs, n)
    weight = None if weights is None else _weights(weights, len(records))
    both = np.sort(unit[records], axis=1)
    kept = (both[:, 0] != both[:, 1]) & full[both[:, 0]] & full[both[:, 1]]
    # One number a pair sorts faster than rows of two.
    key, inverse = np.unique(both[kept, 0] * full.size + both[kept, 1], return_inverse=True)
    if weight is not None:
        weight = np.bincount(inverse, weight[kept], minlength=key.size).astype(np.float64)
    return key // full.size, key % full.size, weight


def _weights(weights: ArrayLike, count: int) -> Floats:
    array = np.asarray(weights, np.float64)
    if array.shape != (count,) or not np.all(np.isfinite(array)) or np.any(array < 0) or not array.sum() > 0:
        hint = "Weights say how often a pair is visited, relative to others."
        raise InputError(f"{count} weights from 0 on, one for each pair", f"shape {array.shape}", hint)
    return array


def _neighbourly(i: Integers, j: Integers, count: int) -> Integers:
    """Return a place for each unit, such that candidates are near each other in memory."""
    ones = np.ones(2 * i.size, np.int8)
    graph = coo_array((ones, (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(count, count)).tocsr()
    place = np.empty(count, np.int64)
    place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(count)
    return place


def _units(unit: Integers, enemies: Integers, holder: Int32) -> Units:
    """Return the units, given the unit of each record in order, pairs of enemies, and holders."""
    count = int(unit.max()) + 1
    both = np.concatenate([enemies, enemies[:, ::-1]]) if enemies.size else np.empty((0, 2), np.int64)
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    return Units(
        begin=np.concatenate([[0], np.cumsum(np.bincount(unit, minlength=count))]).astype(np.int64),
        constrained=bool(enemies.size or np.any(holder >= 0)),
        enemy_begin=np.concatenate([[0], np.cumsum(np.bincount(both[:, 0], minlength=count))]).astype(np.int64),
        enemy=both[:, 1].astype(np.int32),
        holder=holder,
    )
