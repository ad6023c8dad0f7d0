"""From a table and a model to the posterior that the chains draw from."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie import candidates
from coterie.candidates import Candidates
from coterie.errors import InputError
from coterie.fields import Compiled, Group
from coterie.model import Model
from coterie.proposal import Proposal, propose_for
from coterie.proposal.blocking import rules_for
from coterie.proposal.profile import profile
from coterie.resolution.known import known_pairs
from coterie.resolution.progress import Progress
from coterie.sampler import Target, make_target
from coterie.tables import Table, read
from coterie.tables.names import missing_column


class Prepared(NamedTuple):
    """All that is known before the first draw."""

    table: Table
    model: Model
    proposal: Proposal | None
    candidates: Candidates | None  # None where all pairs are
    target: Target
    notes: tuple[str, ...]


def prepare(
    given: Any,
    model: Model | None,
    *,
    unique_id: str | None,
    source: str | None,
    together: Sequence[tuple[Any, Any]],
    apart: Sequence[tuple[Any, Any]],
    progress: Progress,
) -> Prepared:
    """Read the table, propose a model if there is none, find candidate pairs, and compile the fields."""
    if model is not None and not isinstance(model, Model):
        hint = "Pass ct.Model(fields={'name': ct.fields.Text(), …}), or None for one that is proposed."
        raise InputError("a Model", repr(model)[:60], hint)
    progress.stage("reading the table")
    table = (
        given
        if isinstance(given, Table)
        else read(given, unique_id=unique_id, source_column=_source(source, model))
    )
    for note in table.notes:
        progress.tell(note)
    proposal = None
    if model is None:
        progress.stage("looking at the columns")
        proposal = propose_for(table)
        model = proposal.model
        progress.tell(f"{proposal}\n")
    _check(table, model)
    source_codes, sources = _sources(table, model)
    holders = _holders(source_codes, sources, model.deduplicated)
    known = known_pairs(table, together, apart, holders)
    progress.stage("finding candidate pairs")
    found = _candidates(table, model, holders, progress)
    progress.stage("comparing values")
    compiled = _compiled(table, model)
    progress.stage("compiling")
    target = make_target(
        compiled,
        model.prior,
        pairs=None if found is None else found.pairs,
        source=None if source_codes is None else [sources[code] for code in source_codes],
        deduplicated=model.deduplicated,
        together=known.together,
        apart=known.apart,
    )
    notes = [f"The field {name!r} has one value only, and carries no evidence." for name in target.left_out]
    return Prepared(table, model, proposal, found, target, (*table.notes, *notes))


def _source(source: str | None, model: Model | None) -> str | None:
    """Return the column of sources, which the caller or the model may name."""
    of_model = None if model is None else model.source
    if source is not None and of_model is not None and source != of_model:
        raise InputError("one column of sources", f"{source!r}, and {of_model!r} in the model", "Name it once.")
    return source or of_model


def _check(table: Table, model: Model) -> None:
    """Check that there is something to compare, and that the columns of the model are there."""
    if table.n == 1:
        raise InputError("two records at least", "one", "There is nobody to compare it with.")
    for column in model.columns:
        if column not in table.names:
            raise missing_column(column, table.names)


def _sources(table: Table, model: Model) -> tuple[NDArray[np.int32] | None, list[Any]]:
    """Return the source of each record by number, and the names of the sources."""
    if table.source_name is None:
        if model.deduplicated:
            hint = "Say with source= which column tells the source of a record."
            raise InputError("a source column", f"none, but deduplicated={list(model.deduplicated)!r}", hint)
        return None, []
    return table.column(table.source_name)


def _holders(
    codes: NDArray[np.int32] | None, names: Sequence[Any], deduplicated: Sequence[object]
) -> NDArray[np.int64] | None:
    """Return for each record the source that holds nobody twice, or −1."""
    if codes is None or not deduplicated:
        return None
    unknown = [name for name in deduplicated if name not in names]
    if unknown:
        hint = f"There are {', '.join(map(repr, names[:10]))}."
        raise InputError("sources that the table has as deduplicated", repr(unknown[0]), hint)
    number = np.array([at if name in deduplicated else -1 for at, name in enumerate(names)])
    return number[codes]


def _candidates(
    table: Table, model: Model, holders: NDArray[np.int64] | None, progress: Progress
) -> Candidates | None:
    """Return the candidate pairs; None for all of a few records."""
    if model.block_on is None:
        if table.n <= candidates.ALL_PAIRS_UP_TO:
            return None
        columns = [profile(table, column) for column in model.columns]
        rules: Any = rules_for(table, model.fields, columns)
    else:
        rules = model.block_on
    planned = candidates.plan(table, rules, apart_within=holders)
    progress.tell(f"{planned}\n")
    return candidates.make_with_rules(table, planned, apart_within=holders)


def _compiled(table: Table, model: Model) -> list[Compiled]:
    """Compile the fields of a model."""
    compiled: list[Compiled] = []
    for name, kind in model.fields.items():
        if isinstance(kind, Group):
            compiled += kind.compile(name, {part: table.column(part) for part, _ in kind.parts})
        else:
            compiled += kind.compile(name, *table.column(name))  # type: ignore[attr-defined]
    return compiled
