"""Files and queries: what they hold, read by DuckDB or as text with delimiters."""

import re
from pathlib import Path

import duckdb
import pyarrow as pa

from coterie.errors import InputError
from coterie.tables.connection import connect
from coterie.tables.delimited import read_delimited
from coterie.tables.incoming import Incoming, Kind, from_relation

QUERY = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:SELECT|FROM|WITH)[\s(]", re.IGNORECASE)
# By their first bytes: Parquet, and what is packed in another way than gzip, bzip2, LZ4 or Zstandard.
PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
# One object of a JSON file may be this long, a cell of it not quite.
LONGEST_OBJECT = 1 << 27


def is_query(source: str) -> bool:
    """Tell whether a string is a query rather than a path."""
    return bool(QUERY.match(source)) and not Path(source[:255]).exists()


def from_query(query: str) -> Incoming:
    """Read what a query on files returns."""
    hint = "A query reads files; pass a table of your own connection as a relation: connection.sql('…')."
    try:
        relation = connect().sql(query.strip().rstrip(";"))
    except duckdb.Error as error:
        raise InputError("a query that DuckDB runs", f"{query[:60]!r}: {_first_lines(error)}", hint) from None
    if relation is None:
        raise InputError("a query that returns a table", repr(query[:60]), hint)
    return from_relation(relation, Kind())


def from_path(path: Path) -> Incoming:
    """Read a file: Parquet by its first bytes, JSON by its ending or first character, else CSV."""
    if "://" in str(path) or re.match(r"\w{2,}:/\w", str(path)):
        hint = "Read it by a query: FROM 'https://…'."
        raise InputError("a path of this machine", repr(str(path)), hint)
    if not path.is_file():
        got = "a folder" if path.is_dir() else "no file"
        raise InputError(f"a file at {str(path)!r}", got, "Pass the path of a CSV, Parquet or JSON lines file.")
    with path.open("rb") as file:
        magic = file.read(4)
    if magic == PARQUET:
        return _by_duckdb(path, "read_parquet($1)")
    if magic == ZIP:
        hint = "Save the sheet as CSV, or unpack the file."
        raise InputError("a CSV, Parquet or JSON lines file", f"{path.name}, a workbook or a zip archive", hint)
    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            first = stream.read(100).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    except (OSError, pa.ArrowInvalid) as error:
        raise _damaged(path, error) from None
    if not first:
        raise InputError("a table with records", f"{path.name}, which is empty", "Pass another file.")
    if first == b"{" or any(ending in path.suffixes for ending in JSON_ENDINGS):
        # Text that looks like a date or a number stays text, as in CSV.
        never = "dateformat = '@%Y', timestampformat = '@%Y'"
        options = f"sample_size = -1, maximum_object_size = {LONGEST_OBJECT}, {never}"
        return _by_duckdb(path, f"read_json($1, {options})")
    try:
        return read_delimited(path)
    except OSError as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    hint = "The file may be damaged, or packed in another way than its name says."
    return InputError(f"a file that can be unpacked at {path.name!r}", str(error)[:80], hint)


def _by_duckdb(path: Path, call: str) -> Incoming:
    """Read a file by a function of DuckDB."""
    # The brackets of a pattern are part of the name of one file.
    name = re.sub(r"([*?\[])", r"[\1]", str(path))
    try:
        return from_relation(connect().sql(f"FROM {call}", params=[name]), Kind())
    except duckdb.Error as error:
        hint = "The file may be damaged, or of another kind than its name says."
        raise InputError(f"a file that DuckDB reads at {path.name!r}", _first_lines(error), hint) from None


def _first_lines(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
