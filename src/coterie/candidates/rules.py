"""Rules for candidate pairs: records that agree on a key share a block, and are a candidate pair."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import duckdb

from coterie.errors import InputError
from coterie.tables import Table
from coterie.tables.names import RECORD, missing_column, quoted

HINT = "A rule is a tuple of columns, ('first', 'zip'), or SQL, 'last, substr(born, 1, 4)'."
# One bit for each rule says which of them give a pair.
MOST_RULES = 64


@dataclass(frozen=True)
class Rule:
    """A rule for candidate pairs: the parts of a key, as SQL over the columns.

    Two records are a candidate pair when no part of their keys is missing and all parts are equal.

    Parameters
    ----------
    parts
        SQL expressions; together they are the key.
    name
        What the rule is called, as it was written.
    reason
        Why it was chosen.
    max_pairs
        How many pairs the rule may give; its largest blocks are dropped if it would give more.

    Examples
    --------
    >>> from coterie import candidates
    >>> candidates.Rule(parts=('"last"', "left(first, 2)"), name="last, left(first, 2)").name
    'last, left(first, 2)'
    """

    parts: tuple[str, ...]
    name: str
    reason: str = ""
    max_pairs: int | None = None


def as_rule(rule: object, names: Sequence[str]) -> Rule:
    """Return a rule from what a user writes, given the names of the columns."""
    if isinstance(rule, Rule):
        return rule
    if isinstance(rule, str):
        # Columns may have names that SQL would not take without quotation marks.
        return Rule((quoted(rule) if rule in names else rule,), rule)
    if isinstance(rule, tuple | list) and rule and all(isinstance(part, str) for part in rule):
        parts = tuple(_part(part, names) for part in rule)
        return Rule(parts, ", ".join(rule))
    raise InputError("a rule for candidate pairs", repr(rule)[:60], HINT)


def _part(part: str, names: Sequence[str]) -> str:
    """Return a part of a key as SQL: a column by its name, or an expression."""
    if part in names:
        return quoted(part)
    spelt = {name.lower(): name for name in names}
    if part.lower() in spelt:
        return quoted(spelt[part.lower()])
    if re.fullmatch(r"[\w ]+", part):
        raise missing_column(part, names)
    return part


def as_rules(table: Table, rules: Iterable[object] | str) -> tuple[Rule, ...]:
    """Return rules from what a user writes, each checked against the table."""
    columns = [name for name in table.relation.columns if name != RECORD]
    if isinstance(rules, str | Rule):
        rules = [rules]
    elif isinstance(rules, tuple) and rules and all(isinstance(part, str) and part in columns for part in rules):
        hint = f"For one rule write [{rules!r}]; for several [{rules[0]!r}, …]. {HINT}"
        raise InputError("a list of rules", f"the tuple of columns {rules!r}", hint)
    found = tuple(dict.fromkeys(as_rule(rule, columns) for rule in rules))
    if not 0 < len(found) <= MOST_RULES:
        raise InputError(f"from 1 to {MOST_RULES} rules for candidate pairs", str(len(found)), HINT)
    for rule in found:
        for part in rule.parts:
            width(table, part, rule)
    return found


def width(table: Table, part: str, rule: Rule) -> int:
    """Return how many values a part of a key has, as DuckDB counts them; say what is wrong with its SQL."""
    try:
        return len(table.connection.sql(f"{select([part])} LIMIT 0").columns) - 1
    except duckdb.Error as error:
        unknown = re.search(r'column "([^"]+)" not found|Referenced column "([^"]+)"', str(error))
        if unknown:
            raise _unknown(rule, unknown[1] or unknown[2], table) from None
        hint = f"It is what stands between SELECT and FROM: expressions of the columns. {HINT}"
        raise InputError("a rule that DuckDB can work out", f"{rule.name!r}: {said(error)}", hint) from None


def _unknown(rule: Rule, column: str, table: Table) -> InputError:
    """Return the error for a rule that names a column that is not there."""
    error = missing_column(column, [name for name in table.relation.columns if name != RECORD])
    return InputError(error.expected, f"{error.got} in the rule {rule.name!r}", error.hint)


def select(parts: Iterable[str]) -> str:
    """Return the SQL of parts of keys; each stands in a line of its own, since a comment may end it."""
    return "SELECT\n" + "\n, ".join(parts) + f"\n, {RECORD} FROM records"


def said(error: Exception) -> str:
    """Return what DuckDB said, without where in the SQL it was."""
    return " ".join(str(error).split("LINE ")[0].split())[:300].rstrip(".")
