"""Files of text in all their shapes, Parquet, JSON, and queries."""

import csv
import datetime
import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie import InputError
from coterie.tables import Table, read
from tables.kinds import columns_of, write


def rows_of(table: Table) -> list[list[Any]]:
    """Return the rows of a table as they came in."""
    columns = []
    for name in table.names:
        codes, values = table.column(name)
        columns.append([None if code < 0 else values[code] for code in codes])
    by_row = sorted(zip(table.row.tolist(), *columns, strict=True))
    return [list(row[1:]) for row in by_row]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_are_found_out(tmp_path: Path, delimiter: str, end: str) -> None:
    lines = ["id,name,town", '1,"Lee, ann",Ulm', "2,bob;x,", "", "3,NA,Bonn|Köln"]
    # A cell that holds another delimiter than the file's must not mislead.
    text = end.join(line.replace(",", delimiter).replace(f"Lee{delimiter}", "Lee,") for line in lines)
    text = text.replace("bob;x", "bob x") if delimiter == ";" else text
    text = text.replace("Bonn|Köln", "Bonn Köln") if delimiter == "|" else text
    table = read(write(tmp_path / "people.csv", text), unique_id="id")
    assert table.names == ["name", "town"]
    assert rows_of(table)[0] == ["Lee, ann", "Ulm"]
    assert rows_of(table)[1][1] is None
    assert rows_of(table)[2][0] is None


def test_all_cells_are_text_and_white_space_around_them_is_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv", 'id, zip ,born\n007, 01099 ,1980\n8,1099.0,"  "\n')
    table = read(path, unique_id="id")
    assert table.ids.to_pylist() == ["007", "8"]
    assert table.names == ["zip", "born"]
    assert rows_of(table) == [["01099", "1980"], ["1099.0", None]]


def test_words_that_mean_missing(tmp_path: Path) -> None:
    words = ["NA", "N/A", "NULL", "null", "None", "NaN", "nan", "<NA>", "", '""', '"NA"', "#N/A"]
    names = ["Na", "Nan", "Null", "NONE", "none", "-"]
    lines = [f"{at},{word}" for at, word in enumerate([*words, *names])]
    table = read(write(tmp_path / "words.csv", "\n".join(["id,name", *lines])), unique_id="id")
    assert [row[0] for row in rows_of(table)] == [None] * len(words) + names
    # An id is an id, whatever it is called.
    assert read(write(tmp_path / "ids.csv", "id,name\nNA,x\n1,y\n"), unique_id="id").ids.to_pylist() == ["1", "NA"]


@pytest.mark.parametrize(
    ("encoding", "mark", "told"),
    [
        ("utf-8", b"", None),
        ("utf-8", b"\xef\xbb\xbf", None),
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-16-le", b"", "UTF-16"),
        ("utf-16-be", b"", "UTF-16"),
        ("utf-32-le", b"\xff\xfe\x00\x00", "UTF-32"),
        ("latin-1", b"", "Latin-1"),
        ("cp1252", b"", "Latin-1"),
    ],
)
def test_encodings_are_found_out(tmp_path: Path, encoding: str, mark: bytes, told: str | None) -> None:
    # A letter far down in the file counts as well.
    text = "naïve,name\n" + "1,x\n" * 90_000 + "2,Jürgen" + ("“x”" if encoding == "cp1252" else "") + "\n"
    table = read(write(tmp_path / "people.csv", mark + text.encode(encoding)))
    assert table.names == ["naïve", "name"]
    assert table.column("name")[1][0].startswith("Jürgen")
    assert table.n == 90_001
    assert (told is None) == (table.notes == ())
    assert told is None or told in table.notes[0]


def test_bytes_that_mean_nothing_in_windows_are_latin(tmp_path: Path) -> None:
    table = read(write(tmp_path / "people.csv", b"name\nJ\xfcrgen\x81\nx\n"))
    assert table.column("name")[1] == ["Jürgen\x81", "x"]


@pytest.mark.parametrize("ending", [".csv.gz", ".csv.bz2", ".csv.zst"])
def test_packed_files(tmp_path: Path, ending: str) -> None:
    with pa.output_stream(str(tmp_path / f"people{ending}"), compression="detect") as stream:
        stream.write(b"name;town\nann;Ulm\n")
    assert rows_of(read(tmp_path / f"people{ending}")) == [["ann", "Ulm"]]


def test_a_file_that_is_not_packed_as_its_name_says(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unpacked"):
        read(write(tmp_path / "people.csv.gz", "name\nann\n"))
    whole = gzip.compress(b"name,town\n" + b"ann,Ulm\n" * 99_999)
    with pytest.raises(InputError):
        read(write(tmp_path / "half.csv.gz", whole[: len(whole) // 2]))


def test_cells_of_ten_megabytes_quotes_and_line_breaks(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    text = f'id,name,note\n1,"a ""b"" c","two\nlines"\n2,{long},5" pipe\n3,last,\x00zero\n'
    table = read(write(tmp_path / "people.csv", text), unique_id="id")
    assert rows_of(table) == [['a "b" c', "two\nlines"], [long, '5" pipe'], ["last", "\x00zero"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n3,4,5\n6,7\n", "3 in line 3: 3,4,5"),
        ("a,b\n1,2\n3\n", "1 in line 3: 3"),
        ('a,b\n"x\ny",2\n3\n', "1 in line 4: 3"),
        ("a,b\n" + "1,2\n" * 20_000 + "3,4,5\n", "3 in line 20002"),
    ],
)
def test_ragged_rows_are_told_with_their_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=r"2 cells in each row of people\.csv, as in its header") as caught:
        read(write(tmp_path / "people.csv", text))
    assert caught.value.got.startswith(told)


def test_a_quotation_mark_that_is_not_closed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one in line 3 that is not closed"):
        read(write(tmp_path / "people.csv", 'a,b\n0,"x"\n1,"2\n3,4\n5,6\n'))
    assert read(write(tmp_path / "inches.csv", 'a,b\n1,5" pipe\n')).n == 1


@pytest.mark.parametrize("text", ["", "\n\n", "a,b\n", "a,b", "a;b\r\n\r\n"])
def test_empty_files(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read(write(tmp_path / "people.csv", text))


def test_headers(tmp_path: Path) -> None:
    table = read(write(tmp_path / "r.csv", '"","na""me","two\nlines"\n1,a,x\n'))
    assert table.names == ["column_1", 'na"me', "two\nlines"]
    assert "no name" in table.notes[0]
    assert rows_of(table) == [["1", "a", "x"]]
    assert read(write(tmp_path / "excel.csv", "sep=;\r\na;b\r\n1;2,5\r\n")).names == ["a", "b"]
    assert read(write(tmp_path / "one.csv", "name\nann\nbob\n")).names == ["name"]
    for header in ("a,b,a", "a,A,b", "x,_record", "x,_ROW"):
        with pytest.raises(InputError, match="Rename"):
            read(write(tmp_path / "twice.csv", f"{header}\n1,2,3\n"))


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=6),
            st.sampled_from(["a", "b;c", "d|e", "x, y", 'q"r', "é", "1"]),
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=25)
def test_any_cells_come_back(tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, str]]) -> None:
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells]
    path = write(tmp_path_factory.mktemp("cells") / "cells.csv", "\n".join(["one,two", *quoted]) + "\n")
    missing = {"NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan"}
    expected = [
        [cell.strip() if cell.strip() and cell.strip() not in missing else None for cell in row] for row in cells
    ]
    assert rows_of(read(path)) == expected


def test_parquet_keeps_types_whatever_the_file_is_called(tmp_path: Path) -> None:
    born = [datetime.date(1980, 1, 2), None]
    pq.write_table(pa.table({"id": [2, 1], "born": born, "zip": ["01", "1"]}), tmp_path / "people[1].csv")
    table = read(str(tmp_path / "people[1].csv"), unique_id="id")
    assert table.ids.to_pylist() == [1, 2]
    assert rows_of(table) == [[born[0], "01"], [None, "1"]]


def test_json_lines(tmp_path: Path) -> None:
    lines = (
        '{"id": 2, "zip": "01099", "born": "1980-01-02", "x": 1}\n{"id": 1, "zip": "2", "x": "y", "new": true}\n'
    )
    for name in ("people.jsonl", "people.ndjson", "people"):
        table = read(write(tmp_path / name, lines), unique_id="id")
        assert table.ids.to_pylist() == [1, 2]
        assert rows_of(table) == [["01099", "1980-01-02", "1", None], ["2", None, "y", True]]
    assert read(write(tmp_path / "array.json", '[{"a": "x"}, {"a": "y"}]')).n == 2
    with pytest.raises(InputError, match=r"people.jsonl"):
        read(write(tmp_path / "people.jsonl", '{"id": 2}\n{"id": \n'))


@pytest.mark.parametrize("query", ["SELECT 1 AS id, 'x' AS name;", "from (select 1 AS id, 'x' AS name)"])
def test_queries(query: str) -> None:
    table = read(f"  -- people\n {query}", unique_id="id")
    assert rows_of(table) == [["x"]]
    assert columns_of(table.give({"id": table.ids})) == {"id": [1]}
    assert "1" in str(table.give({"id": table.ids}))


def test_queries_read_files_and_nothing_of_python(tmp_path: Path) -> None:
    write(tmp_path / "people.csv", "id,name\n1,ann\n2,bob\n")
    table = read(f"WITH x AS (FROM '{tmp_path / 'people.csv'}') SELECT * FROM x WHERE id > 1", unique_id="id")
    assert (table.ids.to_pylist(), table.n) == ([2], 1)
    for wrong in ("SELECT * FROM table", "SELECT * FROM lines", "SELECT x", "SELECT * FROM 'no.csv'"):
        with pytest.raises(InputError, match="a query that DuckDB runs"):
            read(wrong)


def test_paths_that_hold_no_table(tmp_path: Path) -> None:
    for wrong, told in [
        (tmp_path, "a folder"),
        (tmp_path / "none.csv", "no file"),
        ("https://example.org/people.csv", "a path of this machine"),
        (write(tmp_path / "book.xlsx", b"PK\x03\x04rest"), "a workbook"),
        (write(tmp_path / "people.parquet", b"PAR1 and then nothing"), "a file that DuckDB reads"),
    ]:
        with pytest.raises(InputError, match=told):
            read(wrong)


def test_a_result_of_a_file_outlives_its_table(tmp_path: Path) -> None:
    given = read(write(tmp_path / "people.csv", "id,name\n1,ann\n"), unique_id="id").give({"id": ["1"]})
    assert columns_of(given) == {"id": ["1"]}
    given.write_csv(str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text().split() == ["id", "1"]


def test_the_limit_of_cells_that_others_read_stays(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    path = tmp_path / "people.csv"
    path.write_text('name\n"ann\nbob\n', encoding="utf-8")
    with pytest.raises(InputError):
        read(path)
    assert csv.field_size_limit() == before
