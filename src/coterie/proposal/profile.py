"""What a column looks like, before anything is made of it."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.tables import Table

DIGIT = re.compile(r"\d")


class Profile(NamedTuple):
    """A column, with its distinct values and how many records have each."""

    name: str
    codes: NDArray[np.int32]  # the value of each record, −1 where it is missing
    values: list[Any]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.codes.size)

    @property
    def present(self) -> int:
        """How many records have a value."""
        return int(self.counts.sum())

    @property
    def distinct(self) -> int:
        """How many distinct values there are."""
        return len(self.values)

    @property
    def filled(self) -> float:
        """The share of records that have a value."""
        return self.present / self.n

    @property
    def bits(self) -> float:
        """−log₂ of the probability that two records that have a value have the same."""
        m = self.present
        agreeing = float((self.counts * (self.counts - 1.0)).sum())
        return float(np.log2(m * (m - 1.0) / max(agreeing, 1.0))) if m > 1 else 0.0

    def share(self, holds: Callable[[str], Any]) -> float:
        """Return the share of records, among those with a value, whose value as text has a property."""
        found = np.fromiter((bool(holds(str(value).strip())) for value in self.values), bool, self.distinct)
        return float(self.counts[found].sum()) / max(1, self.present)

    def mean(self, measure: Callable[[str], float]) -> float:
        """Return the mean over records of a measure of the value as text."""
        found = np.fromiter((measure(str(value).strip()) for value in self.values), np.float64, self.distinct)
        return float(found @ self.counts) / max(1, self.present)

    def examples(self, count: int = 3) -> str:
        """Return the most frequent values, as one would quote them."""
        order = np.argsort(-self.counts, kind="stable")[:count]
        return ", ".join(f"{str(self.values[at])[:20]!r}" for at in order)


def profile(table: Table, name: str) -> Profile:
    """Look at a column."""
    codes, values = table.column(name)
    return Profile(name, codes, values, np.bincount(codes[codes >= 0], minlength=len(values)))
