"""The door: tables of any kind come in here, and results go out in the same kind."""

from coterie.tables.reading import read
from coterie.tables.table import Table

__all__ = ["Table", "read"]
