"""A model for a table, proposed from what its columns hold, with the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from coterie import candidates
from coterie.candidates import Rule
from coterie.errors import InputError
from coterie.fields import Field, Group
from coterie.model import Model
from coterie.proposal.blocking import rules_for
from coterie.proposal.kinds import Choice, choose, text_of
from coterie.proposal.profile import Profile, profile
from coterie.proposal.record_only import about_records
from coterie.proposal.together import together
from coterie.tables import Table, read
from coterie.tables.names import free_name

ABOUT_RECORDS = "left out: it is about the record, since sure matches differ in it as often as strangers do"


class Reason(NamedTuple):
    """What is made of a column, and why."""

    column: str
    taken_as: str
    why: str


@dataclass(frozen=True)
class Proposal:
    """A model for a table, and the reasons for it.

    Print it to see what is made of each column and why; pass ``model`` to `coterie.resolve`, as it is or changed:
    ``dataclasses.replace(proposal.model, fields={**proposal.model.fields, "age": fields.Number(tolerance=2)})``.

    Attributes
    ----------
    model
        The model.
    columns
        For each column what it is taken as, and why.
    rules
        The rules for candidate pairs, with what each adds; none where all pairs are candidates.
    """

    model: Model
    columns: tuple[Reason, ...]
    rules: tuple[Rule, ...]

    def __str__(self) -> str:
        lines = _table([("column", "taken as", "why"), *self.columns])
        if self.rules:
            rules = [(f"same {rule.name}", rule.reason) for rule in self.rules]
            lines += ["", *_table([("candidate pairs", "why"), *rules])]
        else:
            lines += ["", "All pairs of records are candidates."]
        return "\n".join(lines)


def propose(table: Any, *, unique_id: str | None = None, source: str | None = None) -> Proposal:
    """Look at the columns of a table, and propose a model for it.

    Parameters
    ----------
    table
        Whatever `coterie.resolve` takes.
    unique_id
        The column of ids; it is no evidence.
    source
        The column that says which source a record is of.

    Examples
    --------
    >>> import coterie as ct, pyarrow as pa
    >>> people = pa.table({"name": ["ann may", "ann mey", "bob day"], "sex": ["f", "f", "m"], "land": ["UK"] * 3})
    >>> proposal = ct.propose(people)
    >>> print(proposal)
    column  taken as    why
    name    Category()  3 different values: 'ann may', 'ann mey', 'bob day'
    sex     Category()  2 different values: 'f', 'm'
    land    -           left out: always 'UK', so it tells nobody from anybody
    <BLANKLINE>
    All pairs of records are candidates.
    """
    return propose_for(
        table if isinstance(table, Table) else read(table, unique_id=unique_id, source_column=source)
    )


def propose_for(table: Table) -> Proposal:
    """Propose a model for a table that has been read."""
    profiles = [profile(table, name) for name in table.names]
    choices = [choose(column) for column in profiles]
    strange = {column.name for column in about_records(_kept(profiles, choices)[0])}
    choices = [
        Choice(None, ABOUT_RECORDS) if column.name in strange else choice
        for column, choice in zip(profiles, choices, strict=True)
    ]
    columns, chosen = _kept(profiles, choices)
    groups = together(columns)
    few = table.n <= candidates.ALL_PAIRS_UP_TO
    fields, reasons = _fields(columns, chosen, groups)
    rules = () if few else rules_for(table, fields, columns)
    left_out = {
        column.name: Reason(column.name, "-", choice.why)
        for column, choice in zip(profiles, choices, strict=True)
        if choice.kind is None
    }
    model = Model(
        fields=fields,
        block_on=[rule.parts for rule in rules] if rules else None,
        source=table.source_name,
    )
    return Proposal(model, tuple((reasons | left_out)[name] for name in table.names), rules)


def _kept(profiles: Sequence[Profile], choices: Sequence[Choice]) -> tuple[list[Profile], list[Choice]]:
    """Return the columns that become fields, one at least, and what they are taken as."""
    kept = [at for at, choice in enumerate(choices) if choice.kind is not None]
    if not kept:
        got = "; ".join(f"{column.name}: {choice.why}" for column, choice in zip(profiles, choices, strict=True))
        hint = "Pass a model that says which columns are fields."
        raise InputError("a column that tells records apart", got or "no columns but the id", hint)
    return [profiles[at] for at in kept], [choices[at] for at in kept]


def _fields(
    columns: Sequence[Profile], choices: Sequence[Choice], groups: Sequence[tuple[list[int], str]]
) -> tuple[dict[str, Field], dict[str, Reason]]:
    """Return the fields in the order of the columns, groups at the place of their first, and the reasons."""
    group_of = {at: group for group in groups for at in group[0]}
    fields: dict[str, Field] = {}
    reasons = {}
    for at, (column, choice) in enumerate(zip(columns, choices, strict=True)):
        assert choice.kind is not None
        if at not in group_of:
            fields[column.name] = choice.kind
            reasons[column.name] = Reason(column.name, text_of(choice.kind), choice.why)
            continue
        members, why = group_of[at]
        name = _group_name([columns[member].name for member in members], [column.name for column in columns])
        if name not in fields:
            parts: dict[str, Any] = {columns[member].name: choices[member].kind for member in members}
            fields[name] = Group(**parts)
        told = f"{choice.why}; {why}" if at == members[0] else choice.why
        reasons[column.name] = Reason(column.name, f"{text_of(choice.kind)} in {name}", told)
    return fields, reasons


def _group_name(members: Sequence[str], taken: Sequence[str]) -> str:
    """Return a short name for a group, which stands in front of everything that is told of it."""
    return free_name("_".join(members) if len(members) <= 2 else f"{members[0]}_etc", taken)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
