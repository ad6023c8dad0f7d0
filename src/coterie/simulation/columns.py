"""Columns of text as codes of distinct values, so that a million cells cost no million strings."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Words = NDArray[np.str_]
Flags = NDArray[np.bool_]

# What a person has, in the order of the columns.
NAMES = ("first_name", "last_name")
ADDRESS = ("street", "house_number", "town", "postcode")
COLUMNS = (*NAMES, "sex", "birth_date", *ADDRESS)
CONTACTS = ("phone", "email")
MISSING = -1


@dataclass(frozen=True)
class Column:
    """Cells as codes of values; the code −1 is a missing one."""

    codes: Integers
    values: Words

    def take(self, rows: Integers) -> "Column":
        """Return the column of these rows."""
        return Column(self.codes[rows], self.values)

    def words(self, rows: Integers) -> Words:
        """Return what cells hold, none of which is missing."""
        return self.values[self.codes[rows]]

    def put(self, rows: Integers, codes: Integers | int) -> "Column":
        """Return the column with other codes in some rows."""
        changed = self.codes.copy()
        changed[rows] = codes
        return Column(changed, self.values)

    def write(self, rows: Integers, words: Words) -> "Column":
        """Return the column with other words in some rows."""
        fresh = len(self.values) + np.arange(len(rows))
        return Column(self.put(rows, fresh).codes, np.concatenate([self.values, words]))

    def arrow(self) -> pa.Array:
        """Return the cells as strings."""
        codes = pa.array(self.codes, mask=self.codes == MISSING)
        return pa.array(self.values, pa.string()).take(codes)
