"""The kinds of field that a record can have, and the one form into which they are compiled."""

from coterie.fields.category import Category
from coterie.fields.compiled import Compiled
from coterie.fields.date import Date
from coterie.fields.encoding import encode
from coterie.fields.field import Field
from coterie.fields.group import Group
from coterie.fields.number import Number
from coterie.fields.text import Text

__all__ = ["Category", "Compiled", "Date", "Field", "Group", "Number", "Text", "encode"]
