"""What rules will give, before any pair is made: blocks, pairs, and what is too large."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from coterie.candidates.rules import Rule, as_rules, key_width, keys, run
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.names import RECORD

# A chain goes through all candidate pairs in each step, so their number must grow no faster than the table.
PAIRS_A_RECORD = 20
# For small tables more is no burden.
FEWEST_PAIRS = 1_000_000
# Measured on one core: seconds for a pair of one rule, and for a key; bytes that DuckDB works in for each pair.
SECONDS_A_PAIR, SECONDS_A_KEY, BYTES_A_PAIR = 5e-7, 1e-6, 64
# How many of the largest blocks are told.
LARGEST = 3


class Block(NamedTuple):
    """A block of records that agree on a key."""

    key: tuple[str, ...]
    records: int


@dataclass(frozen=True)
class RulePlan:
    """What one rule gives.

    Attributes
    ----------
    rule
        The rule.
    blocks, pairs
        How many blocks of two records or more are kept, and the pairs in them.
    largest
        The largest blocks, kept or not.
    dropped_blocks, dropped_pairs
        How many blocks are too large, and the pairs in them.
    keyed
        How many records have a key.
    """

    rule: Rule
    blocks: int
    pairs: int
    largest: tuple[Block, ...]
    dropped_blocks: int
    dropped_pairs: int
    keyed: int


@dataclass(frozen=True)
class Plan:
    """What rules will give; made by `plan`, before any pair is.

    Attributes
    ----------
    n
        The number of records.
    rules
        What each rule gives.
    max_block
        Blocks of more records than this are dropped.
    pairs
        The pairs that all rules give; those that several give are counted for each.
    seconds, memory
        What making them is expected to take: seconds on one core, and bytes.
    """

    n: int
    rules: tuple[RulePlan, ...]
    max_block: int

    @property
    def pairs(self) -> int:
        return sum(each.pairs for each in self.rules)

    @property
    def seconds(self) -> float:
        return self.pairs * SECONDS_A_PAIR + sum(each.keyed for each in self.rules) * SECONDS_A_KEY

    @property
    def memory(self) -> int:
        return self.pairs * BYTES_A_PAIR

    def __str__(self) -> str:
        """Return a table of the rules, and below it what is dropped and what it will take."""
        rows = [("rule", "blocks", "pairs", "dropped", "largest blocks")]
        for each in self.rules:
            largest = ", ".join(f"{' '.join(block.key)[:30]} ({block.records:,})" for block in each.largest)
            name = each.rule.name if len(each.rule.name) <= 48 else each.rule.name[:47] + "…"
            rows.append((name, f"{each.blocks:,}", f"{each.pairs:,}", f"{each.dropped_pairs:,}", largest))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if 0 < at < 4 else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, *self._told()])

    def _told(self) -> Iterator[str]:
        """Yield in words what is dropped, and what making the pairs will take."""
        blocks = sum(each.dropped_blocks for each in self.rules)
        if blocks:
            yield (
                f"Dropped: {blocks:,} blocks of more than {self.max_block:,} records, with"
                f" {sum(each.dropped_pairs for each in self.rules):,} pairs."
            )
        yield (
            f"At most {self.pairs:,} pairs of {self.n:,} records ({self.pairs / self.n:.1f} a record);"
            f" about {max(1, round(self.seconds)):,} s and {max(1, round(self.memory / 1e6)):,} MB."
        )


class Counts(NamedTuple):
    """The blocks of a rule by their size: how many there are of each, and the pairs in them."""

    size: NDArray[np.int64]
    blocks: NDArray[np.int64]
    pairs: NDArray[np.int64]


def plan(
    table: Table,
    rules: Iterable[object] | str,
    *,
    max_pairs: int | None = None,
    max_block: int | None = None,
    apart_within: ArrayLike | None = None,
) -> Plan:
    """Count what rules give, and say which blocks are too large.

    The larger a block, the less it says that two records share it, and the more pairs it costs: its pairs grow
    with the square of its records. So the largest blocks of all rules are dropped first.

    Parameters
    ----------
    table
        Records.
    rules
        Tuples of columns, ``("first", "zip")``, or SQL expressions, ``"last, substr(born, 1, 4)"``.
    max_pairs
        How many pairs all rules may give; None: 20 for each record, or a million where that is more.
    max_block
        How many records a block may have; None: as many as ``max_pairs`` allows.
    apart_within
        A number for each record; records with the same number from 0 on are no pair (sources that hold nobody
        twice).

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie import candidates, tables
    >>> table = tables.read(pa.table({"last": ["may", "may", "day", None], "zip": ["1", "2", "2", "2"]}))
    >>> made = candidates.plan(table, ["last", ("zip",)])
    >>> [(each.blocks, each.pairs) for each in made.rules]
    [(1, 1), (1, 3)]
    """
    budget = _checked("max_pairs", max_pairs, max(PAIRS_A_RECORD * table.n, FEWEST_PAIRS))
    checked = as_rules(table, rules)
    with apart(table, apart_within):
        counted = [_count(table, rule) for rule in checked]
    largest = _checked("max_block", max_block, table.n, least=2)
    largest = min(largest, _cap([counts for counts, _, _ in counted], budget, table.n))
    plans = []
    for rule, (counts, blocks, keyed) in zip(checked, counted, strict=True):
        kept = counts.size <= largest
        plans.append(
            RulePlan(
                rule=rule,
                blocks=int(counts.blocks[kept].sum()),
                pairs=int(counts.pairs[kept].sum()),
                largest=blocks,
                dropped_blocks=int(counts.blocks[~kept].sum()),
                dropped_pairs=int(counts.pairs[~kept].sum()),
                keyed=keyed,
            )
        )
    return Plan(table.n, tuple(plans), largest)


def _checked(what: str, value: int | None, default: int, least: int = 1) -> int:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"a whole number from {least} on as {what}", repr(value), "None chooses one.")
    return int(value)


def _cap(counts: Iterable[Counts], budget: int, n: int) -> int:
    """Return the size up to which the blocks of all rules have no more pairs than the budget; 2 at least."""
    several = list(counts)
    size = np.concatenate([each.size for each in several])
    order = np.argsort(size, kind="stable")
    total = np.cumsum(np.concatenate([each.pairs for each in several])[order])
    beyond = np.flatnonzero(total > budget)
    # Blocks of one size stay or go together, whatever rule they are of.
    return n if not beyond.size else max(2, int(size[order][beyond[0]]) - 1)


def _count(table: Table, rule: Rule) -> tuple[Counts, tuple[Block, ...], int]:
    """Return the blocks of a rule by size, the largest of them, and how many records have a key."""
    sql, parts = keys(rule, key_width(table, rule))
    key = ", ".join(parts)
    run(table, f"CREATE OR REPLACE TEMP TABLE counted AS {_blocks(sql, key)}", rule)
    connection = table.connection
    by_size = connection.execute(
        "SELECT size::BIGINT, count(*), sum(pairs)::BIGINT FROM counted"
        " WHERE pairs > 0 GROUP BY size ORDER BY size"
    ).fetchall()
    texts = ", ".join(f"CAST({part} AS VARCHAR)" for part in parts)
    first = connection.execute(
        f"SELECT size, {texts} FROM counted ORDER BY size DESC, {texts} LIMIT {LARGEST}"
    ).fetchall()
    keyed = connection.execute("SELECT coalesce(sum(size), 0) FROM counted").fetchall()[0][0]
    connection.execute("DROP TABLE counted")
    size, blocks, pairs = np.array(by_size, np.int64).reshape(-1, 3).T
    largest = tuple(Block(tuple(row[1:]), int(row[0])) for row in first if row[0] > 1)
    return Counts(size, blocks, pairs), largest, int(keyed)


def _blocks(keyed: str, key: str) -> str:
    """Return the SQL of all blocks: key, size, and pairs without those that are apart."""
    within = f"SELECT {key}, holder, count(*) AS c FROM ({keyed}) JOIN apart USING ({RECORD}) GROUP BY ALL"
    within_sources = "sum(CASE WHEN holder >= 0 THEN c * (c - 1) // 2 ELSE 0 END)"
    pairs = f"sum(c) * (sum(c) - 1) // 2 - {within_sources}"
    return f"SELECT {key}, sum(c) AS size, {pairs} AS pairs FROM ({within}) GROUP BY {key}"


@contextmanager
def apart(table: Table, apart_within: ArrayLike | None) -> Iterator[bool]:
    """Let SQL read who is apart from whom, while pairs are counted or made."""
    if apart_within is None:
        table.connection.execute(
            f"CREATE OR REPLACE TEMP VIEW apart AS SELECT {RECORD}, -1 AS holder FROM records"
        )
        yield False
        return
    holder = np.asarray(apart_within)
    if holder.shape != (table.n,) or holder.dtype.kind not in "iu":
        hint = "Pass the source's code for records of sources that hold nobody twice, and -1 for others."
        raise InputError(
            f"a whole number for each of {table.n} records", f"shape {holder.shape} of {holder.dtype}", hint
        )
    columns: dict[str, Any] = {RECORD: pa.array(np.arange(table.n)), "holder": pa.array(holder.astype(np.int64))}
    table.connection.register("apart_arrow", pa.table(columns))
    table.connection.execute("CREATE OR REPLACE TEMP VIEW apart AS FROM apart_arrow")
    try:
        yield True
    finally:
        table.connection.execute("DROP VIEW apart")
        table.connection.unregister("apart_arrow")
