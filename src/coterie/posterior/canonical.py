"""Canonical records: the most probable true values of each entity, from the sampled truths.

In every draw that has truths each record of an entity votes for the truth of the cluster in which it then is. Thus
an entity that no draw has exactly still has its values, and doubt about who belongs to it shows in them. A record
that is alone in a draw votes with P(truth | its own values), which needs no sampling; what of that goes to rare
values that it does not resemble counts for none.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields.compiled import Compiled
from coterie.kernels import counting
from coterie.kernels import votes as kernels
from coterie.kernels.votes import Voters
from coterie.posterior.alone import best, guesses, of_records
from coterie.posterior.chain import Chain

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Canonical(NamedTuple):
    """The most probable truth of each entity and field: a code, −1 where nothing is known; and its probability."""

    value: Int32  # (entities, F)
    p: Floats  # nan where nothing is known


def canonical(
    entity: NDArray[np.integer], fields: Sequence[Compiled], chains: Sequence[Chain], source: Int32
) -> Canonical:
    """Return the most probable true values of entities.

    Parameters
    ----------
    entity
        The entity of each record, numbered from 0 on.
    fields
        The compiled fields.
    chains
        Chains, some draws of which have truths.
    source
        The source of each record.
    """
    draws = sum(chain.truths.draw.size for chain in chains)
    if not draws:
        raise InputError("draws with sampled truths", "none", "Give the recorder truths, of some draws at least.")
    number = entity.astype(np.int32)
    count, width = int(number.max()) + 1, max(field.size for field in fields)
    voters, keys, votes = _sampled(number, fields, chains, np.array([count, width]))
    psi = np.concatenate([chain.psi for chain in chains]).mean(axis=0)
    sole = (voters.alone == draws) & (np.bincount(number)[number] == 1)
    out = Canonical(np.full((count, len(fields)), -1, np.int32), np.full((count, len(fields)), np.nan))
    for f, field in enumerate(fields):
        here = slice(*np.searchsorted(keys, [f * count * width, (f + 1) * count * width]))
        cells, weights, rests = [keys[here] - f * count * width], [votes[here]], np.zeros(count)
        for s in range(psi.shape[1]):
            found = guesses(field, float(psi[f, s]))
            there = (source == s) & (field.codes >= 0)
            own = np.flatnonzero(there & sole)
            truth, sure = best(found)
            out.value[number[own], f], out.p[number[own], f] = truth[field.codes[own]], sure[field.codes[own]]
            voting = np.flatnonzero(there & ~sole & (voters.alone > 0))
            row, truth, weight, rest = of_records(found, field.codes[voting], voters.alone[voting])
            cells.append(number[voting][row] * np.int64(width) + truth)
            weights.append(weight)
            rests += np.bincount(number[voting], rest, minlength=count)
        _elect(np.concatenate(cells), np.concatenate(weights), rests, width, out.value[:, f], out.p[:, f])
    return out


def _sampled(
    entity: Int32, fields: Sequence[Compiled], chains: Sequence[Chain], shape: Integers
) -> tuple[Voters, Integers, Floats]:
    """Let the records vote in all draws with truths; return them, and the votes by field, entity and value."""
    codes = np.column_stack([field.codes for field in fields]).astype(np.int32)
    voters, counter = kernels.make_voters(codes, entity, shape), counting.make_counter(1, 1024)
    draw = 0
    for chain in chains:
        truths = chain.truths
        for k, labels in enumerate(chain.labels_at(truths.draw)):
            begin, end = truths.begin[k], truths.begin[k + 1]
            counter = kernels.vote(
                draw, labels, truths.label, truths.field, truths.value, begin, end, voters, counter
            )
            draw += 1
    counter = kernels.close(draw, voters, counter)
    used = np.flatnonzero(counter.key != counting.EMPTY)
    used = used[np.argsort(counter.key[used])]
    return voters, counter.key[used], counter.counts[used, 0].astype(np.float64)


def _elect(cells: Integers, weights: Floats, rests: Floats, width: int, value: Int32, p: Floats) -> None:
    """Fill in the value with most votes for each entity, and its share of them; of equals the first."""
    key, at = np.unique(cells, return_inverse=True)
    votes = np.bincount(at, weights, minlength=key.size).astype(np.float64)
    entity, candidate = np.divmod(key, width)
    total = np.bincount(entity, votes, minlength=rests.size) + rests
    order = np.lexsort((key, -votes, entity))
    first = order[np.diff(entity[order], prepend=-1) > 0]
    value[entity[first]] = candidate[first]
    p[entity[first]] = votes[first] / total[entity[first]]


def named_values(field: Compiled, codes: Int32, parts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of codes as columns: one under the field's name, or one for each part of a group.

    Examples
    --------
    >>> from coterie import fields
    >>> home = fields.Group(street=fields.Text(), number=fields.Category())
    >>> columns = {"street": fields.encode(["Mill Lane", "High Street"]), "number": fields.encode([12, None])}
    >>> [compiled] = home.compile("home", columns)
    >>> named_values(compiled, np.array([1, 0, -1]), ["street", "number"])
    {'street': ['Mill Lane', 'High Street', None], 'number': [12, None, None]}
    """
    with_none = [*field.values, None]
    values = [with_none[code] for code in codes.tolist()]
    if not parts:
        return {field.name: values}
    nothing = (None,) * len(parts)
    columns = zip(*(value if value is not None else nothing for value in values), strict=True)
    return {name: list(column) for name, column in zip(parts, columns, strict=True)}


def arrow(values: Any) -> Any:
    """Return a column as Arrow, with nulls for what is unknown; values of several types become text."""
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])
