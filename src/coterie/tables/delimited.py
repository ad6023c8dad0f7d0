"""Files of text with delimiters: their encoding, delimiter and header, found out; their cells, read as text."""

import codecs
import csv
import io
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv

from coterie.errors import InputError
from coterie.tables.incoming import Incoming, Kind
from coterie.tables.names import check_names, free_name

DELIMITERS = ",;\t|"
NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
# Enough to see some rows of a wide table; and how many of them tell the delimiter.
HEAD = 1 << 18
ROWS = 200
# A row must fit; parsing takes a few times as much memory.
BLOCK = 1 << 26
# Longer ones are files in which a quotation mark is not closed, more likely than not.
LONGEST_CELL = 1 << 27
# By which a file in UTF-16 without a mark is known: Latin letters have a zero in every other byte.
ZEROS = 0.3
EXCEL_LINE = re.compile(r'"?sep=(.)"?\r?\n')


class Layout(NamedTuple):
    """How a file is written."""

    encoding: str
    delimiter: str
    names: list[str]
    skip: int
    notes: tuple[str, ...]


def read_delimited(path: Path) -> Incoming:
    """Read a file with a header and a delimiter that is found out; all cells are text."""
    layout = layout_of(path)
    check_names(layout.names, path.name)
    _check_quotes(path, layout)
    try:
        reader = pa.csv.open_csv(
            pa.input_stream(str(path), compression="detect"),
            pa.csv.ReadOptions(
                block_size=BLOCK,
                encoding=layout.encoding,
                column_names=layout.names,
                skip_rows=layout.skip,
                skip_rows_after_names=1,
            ),
            pa.csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
            pa.csv.ConvertOptions(
                column_types=dict.fromkeys(layout.names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            raise InputError("a table with records", f"{path.name} without any", "Pass another file.") from None
        raise _explained(error, path, layout) from None
    batches = pa.RecordBatchReader.from_batches(reader.schema, _explaining(reader, path, layout))
    return Incoming(Kind(), batches, text=True, notes=layout.notes)


def _explaining(reader: Any, path: Path, layout: Layout) -> Iterator[Any]:
    """Return the batches of a reader; where it fails, say in which line and why."""
    try:
        yield from reader
    except pa.ArrowInvalid as error:
        raise _explained(error, path, layout) from None


def layout_of(path: Path) -> Layout:
    """Find out how a file is written."""
    encoding, notes = _encoding(path)
    with pa.input_stream(str(path), compression="detect") as stream:
        head = codecs.getincrementaldecoder(encoding)("strict").decode(stream.read(HEAD))
    head = head.removeprefix("\ufeff")
    excel = EXCEL_LINE.match(head)
    if excel:
        head = head[excel.end() :]
    if not head.strip():
        raise InputError("a table with a header", f"{path.name} without any", "Pass another file.")
    delimiter = excel[1] if excel else _delimiter(head)
    names: list[str] = []
    for name in _rows(head, delimiter)[0]:
        if not name.strip():
            notes = (*notes, f"Column {len(names) + 1} of {path.name} has no name in the header.")
        names.append(name.strip() or free_name(f"column_{len(names) + 1}", names))
    if delimiter != ",":
        notes = (*notes, f"{path.name} is delimited by {NAMES.get(delimiter, delimiter)}s.")
    return Layout(encoding, delimiter, names, int(bool(excel)), notes)


def _encoding(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the encoding of a file: UTF-8, UTF-16, UTF-32, or else Windows-1252."""
    with pa.input_stream(str(path), compression="detect") as stream:
        head = stream.read(HEAD)
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32", (f"{path.name} is written in UTF-32.",)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", (f"{path.name} is written in UTF-16.",)
    if wide := _without_mark(head):
        return wide, (f"{path.name} is written in UTF-16.",)
    if _decodes(path, "utf-8"):
        return "utf-8", ()
    told = f"{path.name} is not written in UTF-8; it is read as Windows-1252 (Latin-1)."
    # Five bytes mean nothing in Windows-1252; every byte means something in Latin-1.
    return "cp1252" if _decodes(path, "cp1252") else "latin-1", (told,)


def _decodes(path: Path, encoding: str) -> bool:
    """Tell whether the whole of a file is in an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with pa.input_stream(str(path), compression="detect") as stream:
        try:
            while part := stream.read(HEAD):
                decoder.decode(part)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _without_mark(head: bytes) -> str | None:
    """Return the kind of UTF-16 where every other byte is zero, else None."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    enough = ZEROS * len(head) / 2
    if odd > enough and even < odd / 10:
        return "utf-16-le"
    return "utf-16-be" if even > enough and odd < even / 10 else None


def _rows(head: str, delimiter: str) -> list[list[str]]:
    """Return the first rows of a file, empty lines left out."""
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
    try:
        with _long_cells():
            return list(itertools.islice((row for row in rows if row), ROWS))
    except csv.Error as error:
        raise InputError("a table", f"a file of something else ({error})", "Pass a CSV file.") from None


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let cells be long while a file is read; the limit is one for all that the process reads."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _delimiter(head: str) -> str:
    """Return the delimiter that cuts most rows into as many cells as the header has."""
    best, delimiter = (0.0, 1), ","
    for candidate in DELIMITERS:
        rows = _rows(head, candidate)
        rows = rows[:-1] if len(rows) > 2 else rows  # The last one may be cut off.
        cells = len(rows[0])
        score = sum(len(row) == cells for row in rows) / len(rows), cells
        if cells > 1 and score > best:
            best, delimiter = score, candidate
    return delimiter


def _check_quotes(path: Path, layout: Layout) -> None:
    """Check that no cell goes on to the end of the file since a quotation mark is not closed."""
    with pa.input_stream(str(path), compression="detect") as stream:
        if sum(part.count(b'"') for part in iter(lambda: stream.read(HEAD), b"")) % 2 == 0:
            return
    # An odd one may also stand within a cell, as in 5" pipe.
    with _text(path, layout) as text, _long_cells():
        rows, line = csv.reader(text, delimiter=layout.delimiter, strict=True), 0
        try:
            for _ in rows:
                line = rows.line_num
        except csv.Error as error:
            if "end of data" in str(error):
                hint = "Close it, or write it twice where it is part of the cell."
                got = f"one in line {line + 1} that is not closed"
                raise InputError(f"quotation marks in pairs in {path.name}", got, hint) from None


def _text(path: Path, layout: Layout) -> io.TextIOWrapper:
    """Open a file as text."""
    return io.TextIOWrapper(pa.input_stream(str(path), compression="detect"), layout.encoding, newline="")


def _explained(error: Exception, path: Path, layout: Layout) -> InputError:
    """Return what is wrong in a file, with the number of the line."""
    hint = "Repair that line: a cell that holds the delimiter, a line break or a quotation mark is put in quotes."
    expected = f"{len(layout.names)} cells in each row of {path.name}, as in its header"
    line = 0
    with _text(path, layout) as text, _long_cells():
        rows = csv.reader(text, delimiter=layout.delimiter)
        try:
            for number, row in enumerate(rows):
                if row and number >= layout.skip and len(row) != len(layout.names):
                    return InputError(expected, f"{len(row)} in line {line + 1}: {','.join(row)[:60]}", hint)
                line = rows.line_num
        except csv.Error:
            return InputError(expected, f"a cell without end in line {line + 1}", hint)
    hint = "A quotation mark that is not closed, or a cell of more than 60 megabytes, may be the cause."
    return InputError(f"rows of cells in {path.name}", str(error).splitlines()[0][:120], hint)
