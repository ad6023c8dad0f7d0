"""Names of columns: which can be used, and which one was meant."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from coterie.errors import InputError

# The number of a record, in the relation that the rules of candidate pairs read.
RECORD = "_record"
# The number of a row as it came in, while a table is read.
ROW = "_row"
# What results are called: an id of one of these names could not stand beside them.
RESULTS = ("entity_id", "probability", "match_probability")


def quoted(name: str) -> str:
    """Return a name as SQL writes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return the name that is wanted, or the first of name_1, name_2, … that nobody has."""
    lower, name, count = {other.lower() for other in taken}, wanted, 0
    while name.lower() in lower:
        count += 1
        name = f"{wanted}_{count}"
    return name


def check_names(names: Sequence[str], table: str) -> None:
    """Check that SQL can tell the columns of a table apart."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"columns of different names in {table}", f"{twice[0]!r} twice", "Rename one of them.")
    spelt: dict[str, str] = {}
    for name in names:
        other = spelt.setdefault(name.lower(), name)
        if other != name:
            hint = "Rename one of them: rules for candidate pairs are SQL, where case makes no difference."
            raise InputError(f"columns that differ by more than case in {table}", f"{other!r} and {name!r}", hint)
    for reserved in (RECORD, ROW):
        if reserved in spelt:
            hint = "Rename it: rules for candidate pairs find the number of a record there."
            raise InputError(f"no column {reserved!r} in {table}", f"one, {spelt[reserved]!r}", hint)


def check_shown(name: str, what: str) -> None:
    """Check that a column can stand in the results under its own name."""
    if name.lower() in RESULTS:
        hint = f"Rename that column: results have a column {name.lower()!r} of their own."
        raise InputError(f"another name for the column of {what} than {', '.join(RESULTS)}", repr(name), hint)


def missing_column(name: object, names: Sequence[str]) -> InputError:
    """Return the error for a column that is not there, with the name that may have been meant."""
    hint = f"The columns are {_listed(names)}."
    if isinstance(name, str):
        spelt = {other.lower(): other for other in names}
        near = difflib.get_close_matches(name.lower(), list(spelt), n=1)
        if near:
            hint = f"Did you mean {spelt[near[0]]!r}? {hint}"
    return InputError("the name of a column of the table", repr(name), hint)


def _listed(names: Sequence[str], most: int = 20) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
