"""What is believed of a table before it is resolved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.errors import InputError
from coterie.fields import Field, Group
from coterie.priors.law import Law

FIELDS_HINT = "Write fields={'last': fields.Text(), 'zip': fields.Category()}, or leave the model out."


@dataclass(frozen=True)
class Model:
    """Which columns are fields of which kind, what is believed of the entities, and who is compared with whom.

    Parameters
    ----------
    fields
        The kind of each field. A field reads the column of its name; a `Group` reads those that its parts name.
    prior
        A law of partitions; distributions in it are inferred. None: that of `coterie.sampler.default_prior`.
    block_on
        Rules for candidate pairs: tuples of columns or SQL expressions, ``("first", "zip")``, or SQL,
        ``"last, substr(born, 1, 4)"``. None: chosen from the data.
    source
        The column that says which source a record is of; each source has its own rates of distortion.
    deduplicated
        The sources that hold nobody twice.

    Examples
    --------
    >>> from coterie import Model, fields
    >>> home = fields.Group(street=fields.Text(), town=fields.Text())
    >>> model = Model(fields={"first": fields.Text(), "home": home})
    >>> model.columns
    ('first', 'street', 'town')
    """

    fields: Mapping[str, Field]
    prior: Law | None = None
    block_on: Sequence[Any] | None = None
    source: str | None = None
    deduplicated: Sequence[object] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", dict(_checked_fields(self.fields)))
        if self.prior is not None and not isinstance(self.prior, Law):
            hint = "Pass a law such as priors.NBNB(a=1, q=0.99, r=Gamma(1, 1), p=Beta(2, 2)), or None."
            raise InputError("a law of partitions as prior", repr(self.prior)[:60], hint)
        if self.block_on is not None:
            object.__setattr__(self, "block_on", _listed("block_on", self.block_on))
        if self.source is not None and not isinstance(self.source, str):
            raise InputError("the name of a column as source", repr(self.source)[:60], "Or None, for one source.")
        object.__setattr__(self, "deduplicated", tuple(_listed("deduplicated", self.deduplicated)))
        columns = list(self.columns)
        twice = sorted({column for column in columns if columns.count(column) > 1})
        if twice:
            hint = "A column that counts twice makes chance look like evidence; leave one of them out."
            raise InputError("each column in one field", f"{twice[0]!r} in two", hint)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the fields read."""
        return tuple(column for name, kind in self.fields.items() for column in columns_of(name, kind))


def columns_of(name: str, kind: Field) -> tuple[str, ...]:
    """Return the columns that a field reads.

    Examples
    --------
    >>> from coterie import fields
    >>> columns_of("last", fields.Text())
    ('last',)
    """
    return tuple(part for part, _ in kind.parts) if isinstance(kind, Group) else (name,)


def _checked_fields(fields: Any) -> Iterator[tuple[str, Field]]:
    if not isinstance(fields, Mapping) or not fields:
        raise InputError("a kind of field for each column", repr(fields)[:60], FIELDS_HINT)
    for name, kind in fields.items():
        if isinstance(kind, type) and issubclass(kind, Field):
            hint = f"Write fields.{kind.__name__}(…), with parentheses."
            raise InputError(f"a kind of field for {name!r}", f"the class {kind.__name__}", hint)
        if not isinstance(name, str) or not isinstance(kind, Field):
            raise InputError(f"a kind of field for {name!r}", repr(kind)[:60], FIELDS_HINT)
        yield name, kind


def _listed(name: str, values: Any) -> list[Any]:
    """Return a sequence of things as a list; a lone string or number is most likely meant to be in one."""
    if isinstance(values, str) or not isinstance(values, Sequence | set | frozenset):
        raise InputError(f"a list as {name}", repr(values)[:60], f"Write {name}=[{values!r}].")
    return list(values)
