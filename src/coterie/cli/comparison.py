"""Fits of several laws to one partition, side by side, as text and as JSON.

What a fit maximises is not comparable between laws: log P(C_N) of the laws under which N is random also has to
foretell N, the others take N as given. So log P(C_N | N) stands beside it, by which the laws are sorted.

There is no information criterion. AIC and its kin rest on a maximum inside the range of the parameters, with
many independent observations behind it; here the supremum mostly lies at an edge, and the partition is one
observation. The number of free parameters is told, and the reader weighs it.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from coterie import Fit, Partition, fit
from coterie.cli.expressions import families
from coterie.errors import InputError
from coterie.priors import CountLaw, Law, Probabilities
from coterie.priors.compound import CompoundLaw
from coterie.priors.counts import COUNT_LAW
from coterie.priors.parameters import OneMinus

# More sizes or probabilities than this are not listed in text.
MOST_LISTED = 8


class Row(NamedTuple):
    """The fit of one law, with log P(C_N | N) at the parameters found; or why there is none."""

    family: type[Law]
    free: int
    fit: Fit | None = None
    log_prob_given_n: float = math.nan
    error: InputError | None = None


def fitted(family: type[Law], partition: Partition, method: str, fixed: dict[str, Any]) -> Row:
    """Fit one law."""
    found = fit(family, partition, method=method, **fixed)
    return Row(family, _free(family, partition, fixed), found, found.law.log_prob(partition, given_n=True))


def all_fitted(partition: Partition, method: str, fixed: dict[str, Any]) -> list[Row]:
    """Fit every law, the best first; a parameter is fixed in the laws that have it."""
    for name in fixed:
        if not any(name in family.domains for family in families()):
            raise InputError("the name of a parameter to fix", repr(name), "No law has it.")
    rows = []
    for family in families():
        mine = {name: value for name, value in fixed.items() if name in family.domains}
        try:
            rows.append(fitted(family, partition, method, mine))
        except InputError as error:
            rows.append(Row(family, _free(family, partition, mine), error=error))
    if all(row.fit is None for row in rows):
        raise next(row.error for row in rows if row.error)
    return sorted(rows, key=lambda row: (row.fit is None, -row.log_prob_given_n))


def _free(family: type[Law], partition: Partition, fixed: dict[str, Any]) -> int:
    """Count the numbers that are fitted; a free law of sizes has one less than there are sizes."""
    free = 0
    for name, domain in family.domains.items():
        if name not in fixed:
            free += len(partition.size_counts) - 1 if domain is COUNT_LAW else 1
        elif isinstance(fixed[name], type):
            free += len(fixed[name].domains)
    return free


def as_json(partition: Partition, rows: list[Row]) -> dict[str, Any]:
    """Return what JSON can hold: numbers to all digits, and each law as the call that makes it."""
    return {
        "n": partition.n,
        "k": partition.k,
        "size_counts": {str(size): count for size, count in partition.size_counts.items()},
        "fits": [_row_as_json(row) for row in rows],
    }


def _row_as_json(row: Row) -> dict[str, Any]:
    about: dict[str, Any] = {"law": row.family.__name__, "n_is_random": issubclass(row.family, CompoundLaw)}
    if row.fit is None:
        return about | {"error": str(row.error)}
    found = row.fit
    return about | {
        "call": repr(found.law),
        "parameters": {name: _plain(value) for name, value in found.law.parameters.items()},
        "free": row.free,
        "method": found.method,
        "log_prob": _finite(found.log_prob),
        "log_prob_given_n": _finite(row.log_prob_given_n),
        "boundary": list(found.boundary),
        "limit": None if found.limit is None else repr(found.limit),
        "limit_log_prob": _finite(found.limit_log_prob),
    }


def _plain(value: Any) -> Any:
    """Numbers as numbers, vectors as lists, laws as calls."""
    if isinstance(value, Probabilities):
        return value.values.tolist()
    return repr(value) if isinstance(value, CountLaw) else value


def _finite(x: float) -> float | None:
    """JSON has no infinity: null says that the partition is impossible."""
    return x if math.isfinite(x) else None


def as_text(partition: Partition, rows: list[Row]) -> Iterator[str]:
    """Tell the fits in lines: one law at length, several in a table."""
    yield f"{partition.n:,} elements in {partition.k:,} clusters; {_sizes(partition)}"
    yield ""
    if len(rows) == 1 and rows[0].fit is not None:
        yield from _one(rows[0], rows[0].fit)
    else:
        yield from _table(rows)


def _sizes(partition: Partition) -> str:
    counts = partition.size_counts
    if len(counts) > MOST_LISTED:
        return f"{len(counts)} sizes from {min(counts):,} to {max(counts):,}"
    return ", ".join(f"{count:,} of size {size:,}" for size, count in counts.items())


def _one(row: Row, found: Fit) -> Iterator[str]:
    yield f"law         {found.law!r}"
    yield f"method      {found.method}"
    yield f"log P       {found.log_prob:.3f}"
    yield f"given N     {row.log_prob_given_n:.3f}"
    if found.boundary:
        yield f"boundary    {', '.join(found.boundary)}"
        yield f"limit       {found.limit if found.limit is not None else 'no law of this package'}"
        yield f"supremum    {found.limit_log_prob:.3f}"
    else:
        yield "boundary    none: a maximum"


def _table(rows: list[Row]) -> Iterator[str]:
    width = max(len(row.family.__name__) for row in rows)
    yield f"{'law':{width}}  {'given N':>11}  {'log P':>11}  free  parameters"
    for row in rows:
        name = f"{row.family.__name__:{width}}"
        if row.fit is None:
            yield f"{name}  not fitted. {row.error}"
            continue
        found = row.fit
        values = _brief_parameters(found.law)
        yield f"{name}  {row.log_prob_given_n:11.3f}  {found.log_prob:11.3f}  {row.free:4}  {values}"
        if found.boundary:
            limit = "" if found.limit is None else f", the limit is {_brief(found.limit)}"
            edge = ", ".join(found.boundary)
            yield f"    boundary: {edge}; supremum of log P {found.limit_log_prob:.3f}{limit}"
    yield ""
    yield "log P is what was maximised: log P(C_N) where N is random, else log P(C_N | N)."
    yield "'given N' is log P(C_N | N) at the same parameters: compare the laws by this one."


def _brief_parameters(law: Law | CountLaw) -> str:
    return ", ".join(f"{name}={_brief(value)}" for name, value in law.parameters.items())


def _brief(value: Any) -> str:
    """Six digits, and no more than a few probabilities."""
    if isinstance(value, OneMinus):
        return f"one_minus({value.complement:.6g})"
    if isinstance(value, Probabilities):
        listed = [f"{x:.4g}" for x in value.values[:MOST_LISTED]]
        return f"[{', '.join(listed)}{', …' if value.last > MOST_LISTED else ''}]"
    if isinstance(value, Law | CountLaw):
        return f"{type(value).__name__}({_brief_parameters(value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
