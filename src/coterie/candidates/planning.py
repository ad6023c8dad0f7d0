"""What rules will give, before any pair is made: blocks, pairs, and what is too large."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.candidates.keying import key_texts, keyed
from coterie.candidates.rules import Rule, as_rules
from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.names import RECORD

# A chain goes through all pairs in each step, so that they must not outgrow the table.
PAIRS_A_RECORD = 30
# For small tables more is no burden.
FEWEST_PAIRS = 1_000_000
# Measured on one core: seconds for a pair of one rule, and for a key; bytes that DuckDB works in for each pair.
SECONDS_A_PAIR, SECONDS_A_KEY, BYTES_A_PAIR = 1e-6, 5e-7, 64
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
    max_block
        Blocks of more records than this are dropped.
    """

    rule: Rule
    blocks: int
    pairs: int
    largest: tuple[Block, ...]
    dropped_blocks: int
    dropped_pairs: int
    keyed: int
    max_block: int


@dataclass(frozen=True)
class Plan:
    """What rules will give; made by `plan`, before any pair is.

    Attributes
    ----------
    n
        The number of records.
    rules
        What each rule gives.
    pairs
        The pairs that all rules give; those that several give are counted for each.
    seconds, memory
        What making them is expected to take: seconds on one core, and bytes.
    """

    n: int
    rules: tuple[RulePlan, ...]

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
        rows: list[tuple[str, ...]] = [("rule", "blocks", "pairs", "dropped", "up to", "largest blocks")]
        for each in self.rules:
            largest = ", ".join(f"{' '.join(block.key)[:30]} ({block.records:,})" for block in each.largest)
            name = each.rule.name if len(each.rule.name) <= 48 else each.rule.name[:47] + "…"
            limit = f"{each.max_block:,}" if each.dropped_blocks else ""
            rows.append((name, f"{each.blocks:,}", f"{each.pairs:,}", f"{each.dropped_pairs:,}", limit, largest))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if 0 < at < 5 else cell.ljust(width)
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
                f"Dropped: {blocks:,} blocks that are too large, with"
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

    def up_to(self, largest: int) -> "Counts":
        """Return the blocks of no more records than this."""
        return Counts(*(column[self.size <= largest] for column in self))


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
        How many pairs all rules may give; None: 30 for each record, or a million where that is more.
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
    checked = as_rules(table, rules)
    limits = check_limits(table, max_pairs, max_block)
    with keyed(table, checked, apart_within) as columns:
        return plan_keyed(table, checked, columns, *limits)


def check_limits(table: Table, max_pairs: int | None, max_block: int | None) -> tuple[int, int]:
    """Return how many pairs rules may give, and how many records a block may have."""
    budget = _checked("max_pairs", max_pairs, max(PAIRS_A_RECORD * table.n, FEWEST_PAIRS))
    return budget, _checked("max_block", max_block, table.n, least=2)


def plan_keyed(table: Table, rules: Sequence[Rule], columns: Sequence[str], budget: int, most: int) -> Plan:
    """Make a plan of rules, given the columns of their keys in the table `keyed`."""
    counted = [_count(table, rule, key) for rule, key in zip(rules, columns, strict=True)]
    own = [
        most if rule.max_pairs is None else min(most, _cap([counts], rule.max_pairs, table.n))
        for rule, (counts, _, _) in zip(rules, counted, strict=True)
    ]
    cap = _cap([counts.up_to(limit) for (counts, _, _), limit in zip(counted, own, strict=True)], budget, table.n)
    plans = []
    for rule, limit, (counts, blocks, records) in zip(rules, own, counted, strict=True):
        limit = min(limit, cap)
        kept = counts.up_to(limit)
        plans.append(
            RulePlan(
                rule=rule,
                blocks=int(kept.blocks.sum()),
                pairs=int(kept.pairs.sum()),
                largest=blocks,
                dropped_blocks=int(counts.blocks.sum() - kept.blocks.sum()),
                dropped_pairs=int(counts.pairs.sum() - kept.pairs.sum()),
                keyed=records,
                max_block=limit,
            )
        )
    return Plan(table.n, tuple(plans))


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


def _count(table: Table, rule: Rule, key: str) -> tuple[Counts, tuple[Block, ...], int]:
    """Return the blocks of a rule by size, the largest of them, and how many records have a key."""
    connection = table.connection
    connection.execute(f"CREATE OR REPLACE TEMP TABLE counted AS {_blocks(key)}")
    by_size = connection.execute(
        "SELECT size, count(*), sum(pairs)::BIGINT FROM counted WHERE pairs > 0 GROUP BY size ORDER BY size"
    ).fetchall()
    first = connection.execute(
        f"SELECT record, size FROM counted WHERE size > 1 ORDER BY size DESC, record LIMIT {LARGEST}"
    ).fetchall()
    ((records,),) = connection.execute("SELECT coalesce(sum(size), 0)::BIGINT FROM counted").fetchall()
    connection.execute("DROP TABLE counted")
    size, blocks, pairs = np.array(by_size, np.int64).reshape(-1, 3).T
    texts = key_texts(table, rule, [record for record, _ in first])
    largest = tuple(Block(text, size) for text, (_, size) in zip(texts, first, strict=True))
    return Counts(size, blocks, pairs), largest, records


def _blocks(key: str) -> str:
    """Return the SQL of all blocks: their first record, size, and pairs without those that are apart."""
    there = " AND ".join(f"{part} IS NOT NULL" for part in key.split(", "))
    within = (
        f"SELECT {key}, holder, count(*) AS c, min({RECORD}) AS record FROM keyed WHERE {there}"
        f" GROUP BY {key}, holder"
    )
    within_sources = "sum(CASE WHEN holder >= 0 THEN c * (c - 1) // 2 ELSE 0 END)"
    pairs = f"sum(c) * (sum(c) - 1) // 2 - {within_sources}"
    return f"SELECT min(record) AS record, sum(c)::BIGINT AS size, {pairs} AS pairs FROM ({within}) GROUP BY {key}"
