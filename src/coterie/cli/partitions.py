"""A partition as it is typed or stored: ``1:4100,2:300,3:100``, a file of labels, a file of sizes."""

import csv
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from coterie import Partition
from coterie.errors import InputError

_PAIRS = re.compile(r"\s*\d+\s*:\s*\d+\s*(,\s*\d+\s*:\s*\d+\s*)*")
# What the first line of a file of labels says when it is not a label.
_HEADERS = {"cluster", "cluster_id", "draw", "entity", "entity_id", "id", "label", "labels"}


class Layout(NamedTuple):
    """How to read a file: what it holds, and where."""

    sizes: bool = False
    column: str | None = None
    header: bool | None = None
    draw: int | None = None


class Row(NamedTuple):
    """The cells of a line, and its number for messages."""

    line: int
    cells: list[str]


def partition(source: str, layout: Layout) -> Partition:
    """Return the partition that is typed as size:clusters pairs, or stored in a file ('-': standard input).

    Examples
    --------
    >>> partition("1:4100,2:300,3:100", Layout())
    <Partition of 5000 elements with size counts {1: 4100, 2: 300, 3: 100}>
    """
    if _PAIRS.fullmatch(source):
        return Partition.from_sizes(_counts(pair.split(":") for pair in source.split(",")))
    rows = _rows(_text(source))
    header = _header(rows, layout)
    rows, columns = _choose(rows[len(header) :], header[0].cells if header else [], layout)
    cells = [[row.cells[i] for i in columns] for row in rows]
    if not layout.sizes:
        return Partition.from_labels(label or None for (label,) in cells)
    if len(columns) == 1:
        return Partition.from_sizes([_whole(size) for (size,) in cells])
    return Partition.from_sizes(_counts(cells))


def _text(source: str) -> str:
    if source != "-" and not Path(source).is_file():
        hint = "Type pairs such as 1:4100,2:300,3:100, the path of a file, or - for standard input."
        raise InputError("size:clusters pairs or a file", repr(source), hint)
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte {data[error.start]:#04x} at position {error.start}"
        raise InputError("text in UTF-8", got, "Convert the file, or pass a CSV.") from None


def _rows(text: str) -> list[Row]:
    """Split a text into rows of equally many cells, blank lines left out."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    try:
        rows = [Row(reader.line_num, [cell.strip() for cell in cells]) for cells in reader if any(cells)]
    except csv.Error as error:
        raise InputError("a CSV", f"line {reader.line_num}: {error}", "Check its quotes.") from None
    if not rows:
        raise InputError("one label or size a line", "an empty file", "There is no empty partition.")
    width = len(rows[0].cells)
    for row in rows:
        if len(row.cells) != width:
            got = f"{len(row.cells)} on line {row.line}"
            raise InputError(f"{width} cells on every line, as on the first", got, "Quote cells that hold commas.")
    return rows


def _header(rows: list[Row], layout: Layout) -> list[Row]:
    """Return the first row where it is a header, else nothing."""
    if layout.header is not None:
        return rows[: int(layout.header)]
    first, below = rows[0].cells, rows[1:]
    if layout.column is not None and not layout.column.isdigit():
        return rows[:1]
    if layout.sizes:
        return rows[:1] if not any(_is_number(cell) for cell in first) else []
    if any(cell.lower() in _HEADERS for cell in first):
        return rows[:1]
    # Words above a column of numbers are a header; words above words may be labels.
    all_numbers = [bool(below) and all(_is_number(row.cells[i]) for row in below) for i in range(len(first))]
    named = any(numbers and not _is_number(cell) for cell, numbers in zip(first, all_numbers, strict=True))
    return rows[:1] if named else []


def _choose(rows: list[Row], names: list[str], layout: Layout) -> tuple[list[Row], list[int]]:
    """Return the rows of one draw, and the positions of the columns that count."""
    if not rows:
        raise InputError("lines below the header", "none", "If the first line is data, say --no-header.")
    columns = list(range(len(rows[0].cells)))
    if "draw" in names and layout.column != "draw":
        columns.remove(names.index("draw"))
        rows = _one_draw(rows, names.index("draw"), layout.draw)
    elif layout.draw is not None:
        hint = "Leave --draw out, or pass what 'coterie sample --format csv' wrote."
        raise InputError("a column 'draw'", ", ".join(names) or "no header", hint)
    shown = ", ".join(names[i] for i in columns) if names else f"{len(columns)} columns"
    if layout.column is not None:
        return rows, [_position(layout.column, names, len(rows[0].cells), shown)]
    if layout.sizes and len(columns) > 2:
        raise InputError("a column of sizes, or of sizes and how many", shown, "Say which with --column.")
    if not layout.sizes and len(columns) > 1:
        hint = "Say which with --column, or --sizes if these are cluster sizes."
        raise InputError("one column of labels", shown, hint)
    return rows, columns


def _one_draw(rows: list[Row], at: int, draw: int | None) -> list[Row]:
    there = dict.fromkeys(row.cells[at] for row in rows)
    if draw is None and len(there) > 1:
        raise InputError("one partition", f"{len(there)} draws", "Choose one with --draw.")
    if draw is not None and str(draw) not in there:
        few = ", ".join(list(there)[:5]) + (", …" if len(there) > 5 else "")
        raise InputError("a draw that is there", str(draw), f"There are {few}.")
    return rows if draw is None else [row for row in rows if row.cells[at] == str(draw)]


def _position(column: str, names: list[str], width: int, shown: str) -> int:
    if column in names:
        return names.index(column)
    if column.isdigit() and 1 <= int(column) <= width:
        return int(column) - 1
    raise InputError("the name of a column, or its number from 1 on", repr(column), f"There are {shown}.")


def _counts(pairs: Iterable[list[str]]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for size, number in pairs:
        if _whole(size) in counts:
            raise InputError("each size once", f"{size.strip()} twice", "Add up how many clusters have it.")
        counts[_whole(size)] = _whole(number)
    return counts


def _whole(cell: str) -> int:
    # 18 digits fit into 64 bits.
    if not re.fullmatch(r"\s*[0-9]{1,18}\s*", cell):
        raise InputError("a whole number", repr(cell[:60]), "Sizes, and how many clusters have them, are counts.")
    return int(cell)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
