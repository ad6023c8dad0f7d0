"""Rules for candidate pairs, where the model has none."""

from collections.abc import Iterable, Mapping

from coterie import candidates
from coterie.candidates import Rule, keys_of
from coterie.fields import Category, Date, Field, Group, Number
from coterie.model import columns_of
from coterie.proposal.profile import Profile
from coterie.tables import Table

# The keys that suit a kind of field; those of text suit what is not named here.
KEYS: dict[type[Field], str] = {Category: "category", Number: "number", Date: "date"}


def rules_for(table: Table, fields: Mapping[str, Field], columns: Iterable[Profile]) -> tuple[Rule, ...]:
    """Choose rules out of the keys that suit the fields, given the profiles of their columns."""
    bits = {column.name: column.bits for column in columns}
    keys = []
    for name, kind in fields.items():
        parts: dict[str, Field] = dict(kind.parts) if isinstance(kind, Group) else {}
        for column in columns_of(name, kind):
            suited = KEYS.get(type(parts.get(column, kind)), "text")
            keys += keys_of(column, suited, bits[column], name if parts else "")
    return tuple(candidates.choose(table, keys))
