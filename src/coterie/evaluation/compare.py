"""Scores of an estimate where the truth is known: from labels, mappings or tables."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from coterie.errors import InputError
from coterie.evaluation.contingency import contingency_of
from coterie.evaluation.scores import Scores, scores_of

# What the column of `Posterior.entities` is called.
ENTITY = "entity_id"


def evaluate(
    estimated: Any,
    truth: Any,
    *,
    on: str | Sequence[str] | None = None,
    estimated_column: str | None = None,
    true_column: str | None = None,
) -> Scores:
    """Compare an estimated partition of records with the true one.

    Parameters
    ----------
    estimated, truth
        Two lists of labels of the same records in the same order; or two mappings from ids to labels; or two
        tables with ids and labels, be they data frames, paths or queries. With ids, the order does not matter. The
        labels themselves never do: only who has the same one.
    on
        For tables: the column with the ids, or the columns that together say who is meant. If not given, it is the
        one column, apart from those with labels, that both have.
    estimated_column
        The column with the labels of the estimate; ``entity_id``, if there is one, or else the only one that is
        no id.
    true_column
        The column with the true labels; if not given, the only one that is no id.

    Returns
    -------
    scores
        Precision, recall and F1 of pairs, of whole clusters and B-cubed, the adjusted Rand index, the variation of
        information, and the counts behind them.

    Examples
    --------
    >>> scores = evaluate(["ann", "ann", "bob", "eve"], [1, 1, 2, 2])
    >>> scores.precision, scores.recall
    (1.0, 0.5)
    >>> evaluate({"r1": 0, "r2": 0}, {"r2": "x", "r1": "x"}).f1
    1.0

    Tables of any library, matched by id:

    >>> import pyarrow as pa
    >>> found = pa.table({"id": [7, 8, 9], "entity_id": ["a", "a", "b"], "probability": [0.9, 0.9, 1.0]})
    >>> known = pa.table({"id": [9, 8, 7], "person": [1, 2, 2]})
    >>> print(evaluate(found, known, on="id"))
    3 records: 2 entities estimated, 2 in truth, 2 exactly alike
    1 pairs together in the estimate, 1 in truth, 1 in both
                precision     recall         F1
    pairs          1.0000     1.0000     1.0000
    clusters       1.0000     1.0000     1.0000
    B-cubed        1.0000     1.0000     1.0000
    adjusted Rand index 1.0000
    variation of information 0.0000 bits: 0.0000 wrongly together, 0.0000 wrongly apart
    """
    by_id = [_has_ids(one) for one in (estimated, truth)]
    if not any(by_id):
        return scores_of(contingency_of(estimated, truth))
    if not all(by_id):
        hint = "Pass labels for both, in the same order, or something with ids for both."
        raise InputError("ids for both or for none", "ids for one of them", hint)
    # Labels alone need no Arrow.
    from coterie.evaluation import matching

    sides = [(estimated, estimated_column, "estimate"), (truth, true_column, "truth")]
    tables = [None if isinstance(one, Mapping) else matching.opened(one, what) for one, _, what in sides]
    if tables[0] is not None and estimated_column is None and ENTITY in tables[0].column_names:
        estimated_column = ENTITY
    labels = (estimated_column, true_column)
    keys = _keys([table.column_names for table in tables if table is not None], on, labels)
    both = [
        matching.from_mapping(one, what) if table is None else matching.from_table(table, keys, label, what)
        for (one, _, what), table, label in zip(sides, tables, labels, strict=True)
    ]
    if len(both[0].ids) != len(both[1].ids):
        hint = "Pass a table instead of the mapping."
        raise InputError("ids with as many parts in the mapping as in the table", f"{len(keys)} columns", hint)
    return scores_of(contingency_of(*matching.matched(*both)))


def _has_ids(one: Any) -> bool:
    """Tell whether something is a mapping, a data frame or the path of a table, rather than labels in a row."""
    # The class is asked: a lazy frame would warn that it has to find its columns.
    return isinstance(one, Mapping | str | os.PathLike) or hasattr(type(one), "columns")


def _keys(
    names: Sequence[Sequence[str]], on: str | Sequence[str] | None, labels: tuple[str | None, ...]
) -> list[str]:
    """Return the columns with the ids of all tables."""
    if on is not None:
        return [on] if isinstance(on, str) else list(on)
    if not names:
        return []
    shared = [name for name in names[0] if all(name in other for other in names[1:]) and name not in labels]
    if len(shared) != 1:
        hint = "Pass the name of the column with the ids as 'on'."
        raise InputError("one column that both tables have, apart from the labels", f"{shared!r}"[:200], hint)
    return shared
