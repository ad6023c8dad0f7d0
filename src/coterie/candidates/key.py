"""Keys: expressions on which records of one entity agree, though they may differ elsewhere."""

from dataclasses import dataclass

from coterie.errors import InputError
from coterie.tables.names import quoted

KINDS = ("text", "category", "number", "date")


@dataclass(frozen=True)
class Key:
    """An expression that may be part of a rule.

    Parameters
    ----------
    columns
        The columns that it reads.
    expression
        SQL over them.
    bits
        How much it tells that two records agree on it: −log₂ of the probability that two records that have
        nothing to do with each other do.
    group
        Columns of one group are often wrong together, as the parts of an address are when somebody moves.
    name
        What to call it.

    Examples
    --------
    >>> from coterie import candidates
    >>> candidates.Key(("born",), 'left("born", 4)', bits=6.0, name="year of born")
    Key(columns=('born',), expression='left("born", 4)', bits=6.0, group='', name='year of born')
    """

    columns: tuple[str, ...]
    expression: str
    bits: float
    group: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """What to call it in a table of rules."""
        return self.name or self.expression


def keys_of(column: str, kind: str, bits: float, group: str = "") -> list[Key]:
    """Return the keys that suit a column.

    Parameters
    ----------
    column
        Its name.
    kind
        ``"text"``, ``"category"``, ``"number"`` or ``"date"``.
    bits
        How much it tells that two records agree on the whole value.
    group
        Columns of one group are often wrong together.

    Examples
    --------
    >>> from coterie import candidates
    >>> [key.name for key in candidates.keys_of("zip", "category", bits=9.0)]
    ['zip']
    >>> len(candidates.keys_of("last", "text", bits=11.0))
    5
    """
    if kind not in KINDS:
        raise InputError(f"a kind of column out of {', '.join(KINDS)}", repr(kind), "Pass one of these.")
    name = quoted(column)
    whole = f"lower(trim(CAST({name} AS VARCHAR)))"
    letters = f"regexp_replace({whole}, '[^\\p{{L}}\\p{{N}}]', '', 'g')"
    digits = f"regexp_replace(CAST({name} AS VARCHAR), '[^0-9]', '', 'g')"
    if kind == "text":
        consonants = f"regexp_replace(substr({letters}, 2), '[aeiouyhw]', '', 'g')"
        made = [
            (letters, "", 1.0),
            (f"left({letters}, 4)", "first 4 of ", 0.85),
            (f"right({letters}, 4)", "last 4 of ", 0.85),
            (f"left({letters}, 1) || left({consonants}, 3)", "sound of ", 0.8),
            (f"left({letters}, 1)", "first of ", 0.35),
        ]
    elif kind == "date":
        made = [
            (digits, "", 1.0),
            (f"left({digits}, 6)", "first 6 digits of ", 0.7),
            (f"right({digits}, 4)", "last 4 digits of ", 0.65),
            (f"left({digits}, 4)", "first 4 digits of ", 0.5),
            (f"left({digits}, 4) || right({digits}, 2)", "first 4 and last 2 digits of ", 0.75),
        ]
    elif kind == "number":
        number = f"TRY_CAST({name} AS DOUBLE)"
        made = [
            (whole, "", 1.0),
            (f"floor({number} / 5)", "fives of ", 0.7),
            (f"floor(({number} + 2) / 5)", "other fives of ", 0.7),
        ]
    else:
        made = [(whole, "", 1.0)]
    return [Key((column,), sql, bits * share, group, f"{what}{column}") for sql, what, share in made]
