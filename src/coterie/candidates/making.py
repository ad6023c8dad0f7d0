"""Making the candidate pairs."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from coterie.candidates.keying import keyed
from coterie.candidates.planning import Plan, check_limits, plan_keyed
from coterie.candidates.rules import as_rules
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.names import RECORD

# So many records need no rules: half a million pairs are nothing to a chain.
ALL_PAIRS_UP_TO = 1_000


class Candidates(NamedTuple):
    """Candidate pairs, and which rules give them.

    Attributes
    ----------
    pairs
        Rows (i, j) of record numbers, i < j, ascending.
    rules
        For each pair a number whose bit r is set when rule r gives it.
    plan
        The rules, and what they were expected to give.
    """

    pairs: NDArray[np.int32]
    rules: NDArray[np.uint64]
    plan: Plan

    @property
    def found(self) -> NDArray[np.bool_]:
        """Whether each pair (row) is given by each rule (column)."""
        bits = np.arange(len(self.plan.rules), dtype=np.uint64)
        return (self.rules[:, None] >> bits & np.uint64(1)).astype(bool)


def make(
    table: Table,
    rules: Iterable[object] | str | Plan,
    *,
    max_pairs: int | None = None,
    max_block: int | None = None,
    apart_within: ArrayLike | None = None,
) -> NDArray[np.int32]:
    """Return the candidate pairs that rules give.

    Parameters are those of `plan`; a plan can be passed instead of rules.

    Returns
    -------
    pairs
        Rows (i, j) of record numbers, i < j, each pair once, ascending.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import candidates, tables
    >>> table = tables.read(pa.table({"last": ["may", "may", "day", None], "zip": ["1", "2", "2", "2"]}))
    >>> candidates.make(table, ["last", "zip"]).tolist()
    [[0, 2], [0, 3], [1, 2], [2, 3]]
    """
    return make_with_rules(table, rules, max_pairs=max_pairs, max_block=max_block, apart_within=apart_within).pairs


def make_with_rules(
    table: Table,
    rules: Iterable[object] | str | Plan,
    *,
    max_pairs: int | None = None,
    max_block: int | None = None,
    apart_within: ArrayLike | None = None,
) -> Candidates:
    """Return the candidate pairs that rules give, and for each pair which rules do.

    Parameters are those of `plan`; a plan can be passed instead of rules.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import candidates, tables
    >>> table = tables.read(pa.table({"last": ["may", "may", "day"], "zip": ["1", "1", "1"]}))
    >>> candidates.make_with_rules(table, ["last", "zip"]).found
    array([[False,  True],
           [False,  True],
           [ True,  True]])
    """
    limits = check_limits(table, max_pairs, max_block)
    checked = tuple(each.rule for each in rules.rules) if isinstance(rules, Plan) else as_rules(table, rules)
    with keyed(table, checked, apart_within) as columns:
        planned = rules if isinstance(rules, Plan) else plan_keyed(table, checked, columns, *limits)
        made = _joined(table, planned, columns, apart_within is not None)
    number = made.column(0).to_numpy()
    pairs = np.empty((number.size, 2), np.int32)
    pairs[:, 0], pairs[:, 1] = np.divmod(number, table.n)
    return Candidates(pairs, made.column(1).to_numpy(), planned)


def _joined(table: Table, planned: Plan, columns: Sequence[str], constrained: bool) -> Any:
    """Return the pairs of all rules, a number for each, and which rules give it."""
    connection = table.connection
    # One number for each pair sorts faster than two.
    both = f"l.{RECORD}::BIGINT * {table.n} + r.{RECORD}"
    apart = " AND (l.holder < 0 OR l.holder <> r.holder)" if constrained else ""
    parts = []
    for at, (each, key) in enumerate(zip(planned.rules, columns, strict=True)):
        there = " AND ".join(f"{part} IS NOT NULL" for part in key.split(", "))
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE block_{at} AS"
            f" WITH kept AS (SELECT {key}, row_number() OVER () AS block FROM keyed WHERE {there}"
            f" GROUP BY {key} HAVING count(*) BETWEEN 2 AND {each.max_block})"
            f" SELECT block, {RECORD}, holder FROM keyed JOIN kept USING ({key})"
        )
        parts.append(
            f"SELECT {both} AS pair, {1 << at}::UBIGINT AS bit FROM block_{at} l JOIN block_{at} r"
            f" ON l.block = r.block AND l.{RECORD} < r.{RECORD}{apart}"
        )
    made = pa.table(
        connection.sql(f"SELECT pair, bit_or(bit) FROM ({' UNION ALL '.join(parts)}) GROUP BY pair ORDER BY pair")
    )
    for at in range(len(planned.rules)):
        connection.execute(f"DROP TABLE block_{at}")
    return made


def all_pairs(n: int, apart_within: ArrayLike | None = None) -> NDArray[np.int32]:
    """Return all pairs of a few records.

    Parameters
    ----------
    n
        The number of records.
    apart_within
        As for `plan`.

    Examples
    --------
    >>> from coterie import candidates
    >>> candidates.all_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    pairs = np.column_stack(np.triu_indices(n, 1)).astype(np.int32)
    if apart_within is None:
        return pairs
    holder = np.asarray(apart_within)
    if holder.shape != (n,):
        raise InputError(f"a number for each of {n} records", f"shape {holder.shape}", "Pass -1 for free ones.")
    left, right = holder[pairs].T
    return pairs[(left < 0) | (left != right)]
