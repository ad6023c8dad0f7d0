"""What is known of who is together and who is apart, from ids to records."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.sampler.constraints import units_of
from coterie.tables import Table

Integers = NDArray[np.int64]


class Known(NamedTuple):
    """Pairs of records that are known to be of one entity, and known not to be."""

    together: Integers
    apart: Integers


def known_pairs(
    table: Table,
    together: Sequence[tuple[Any, Any]],
    apart: Sequence[tuple[Any, Any]],
    holders: Integers | None,
) -> Known:
    """Return pairs of ids as pairs of records; refuse those that contradict each other, in the words of the ids.

    ``holders`` has for each record the source that holds nobody twice, or −1.
    """
    known = Known(_records(table, "together", together), _records(table, "apart", apart))
    unit = units_of(known.together, table.n)
    for (one, other), pair in zip(known.apart.tolist(), apart, strict=True):
        if unit[one] == unit[other]:
            hint = "Drop one of the two; pairs that are together count also through others."
            got = f"{pair[0]!r} and {pair[1]!r} both together and apart"
            raise InputError("pairs that agree as together and apart", got, hint)
    if holders is not None:
        _check_holders(table, unit, holders)
    return known


def _records(table: Table, name: str, pairs: Sequence[tuple[Any, Any]]) -> Integers:
    """Return pairs of ids as pairs of records."""
    found = []
    for pair in pairs:
        hint = f"Write {name}=[(id, id), …]."
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(f"pairs of ids as {name}", repr(pair)[:60], hint)
        one, other = table.record(pair[0]), table.record(pair[1])
        if one == other:
            raise InputError(f"two different ids in each pair of {name}", f"{pair[0]!r} twice", hint)
        found.append((one, other))
    return np.array(found, np.int64).reshape(-1, 2)


def _check_holders(table: Table, unit: Integers, holders: Integers) -> None:
    """Refuse that two records of a source that holds nobody twice are together."""
    first: dict[tuple[int, int], int] = {}
    for record in np.flatnonzero(holders >= 0).tolist():
        other = first.setdefault((int(unit[record]), int(holders[record])), record)
        if other != record:
            assert table.source_name is not None
            codes, names = table.column(table.source_name)
            ids = [table.ids[at].as_py() for at in (other, record)]
            got = (
                f"{ids[0]!r} and {ids[1]!r} together, both from {names[codes[record]]!r}, which holds nobody twice"
            )
            hint = "Let them be apart, or do not call the source deduplicated."
            raise InputError("pairs as together that deduplicated sources allow", got, hint)
