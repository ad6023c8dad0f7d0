"""Tables that are written twice, as Markdown in the page and as CSV, and how numbers are written in them."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """Column names and rows of text."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def markdown(self) -> str:
        r"""Write the table as Markdown.

        Examples
        --------
        >>> print(Table(("a", "b"), [("1", "|")]).markdown())
        | a | b |
        |---|---|
        | 1 | \| |
        """
        lines = [self.columns, *self.rows]
        text = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        text.insert(1, "|" + "---|" * len(self.columns))
        return "\n".join(text)

    def csv(self) -> bytes:
        """Write the table as CSV."""
        return csv_of(self.columns, self.rows)


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Write rows as CSV with a header; numbers as Python writes them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def number(x: float, digits: int = 6) -> str:
    """Write a number with so many digits, with thousands apart, and with powers of ten where it is far from one.

    Examples
    --------
    >>> number(21719.0891), number(0.2145557), number(1.3962e-7, 4), number(4500), number(0)
    ('21,719.1', '0.214556', '1.396e-7', '4,500', '0')
    """
    if not math.isfinite(x):
        return "∞" if x > 0 else "−∞"
    if x == round(x) and abs(x) < 1e9:
        return f"{round(x):,}".replace("-", "−")
    if not 1e-3 <= abs(x) < 1e9:
        mantissa, power = f"{x:.{digits - 1}e}".split("e")
        return f"{mantissa}e{int(power)}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(x))))
    return f"{x:,.{decimals}f}".replace("-", "−")


def log_number(x: float) -> str:
    """Write a log probability, with three decimals."""
    return f"{x:,.3f}".replace("-", "−")


def share(x: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> share(0.2), share(0.0242), share(0.0002), share(0)
    ('20 %', '2.4 %', '0.02 %', '0 %')
    """
    if x == 0:
        return "0 %"
    percent = 100 * x
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"
