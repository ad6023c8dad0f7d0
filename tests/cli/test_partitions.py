"""Partitions as they are typed and stored: files of many shapes, and what is wrong with the others."""

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, Partition
from coterie.cli.partitions import Layout, partition

THREE = Partition.from_labels(["ann", "bob", "ann"])


@pytest.fixture
def stored(tmp_path):
    """Write a text to a file and return its path."""

    def store(text, encoding="utf-8"):
        path = tmp_path / "stored.csv"
        path.write_bytes(text.encode(encoding))
        return str(path)

    return store


@pytest.mark.parametrize("typed", ["1:2,3:1", " 1 : 2 , 3 : 1 ", "3:1,1:2"])
def test_typed_pairs(typed):
    assert partition(typed, Layout()) == Partition.from_sizes({1: 2, 3: 1})


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("ann\nbob\nann\n", Layout()),
        ("ann\r\nbob\r\nann", Layout()),
        ("\ufeffann\nbob\nann\n", Layout()),
        ("\n\nann\n  \nbob\n\nann\n\n", Layout()),
        ("7\n3\n7\n", Layout()),
        ("label\n7\n3\n7\n", Layout()),
        ("Entity\nann\nbob\nann\n", Layout()),
        ("who\n7\n3\n7\n", Layout()),
        ("who\nann\nbob\nann\n", Layout(header=True)),
        ("id,entity\n1,ann\n2,bob\n3,ann\n", Layout(column="entity")),
        ("id,entity\n1,ann\n2,bob\n3,ann\n", Layout(column="2")),
        ("1,ann\n2,bob\n3,ann\n", Layout(column="2")),
        ("id;entity\n1;ann\n2;bob\n3;ann\n", Layout(column="entity")),
        ("id\tentity\n1\tann\n2\tbob\n3\tann\n", Layout(column="entity")),
        ('id,entity\n1,"a, n"\n2,"b, b"\n3, "a, n"\n', Layout(column="entity")),
        ("draw,label\n1,0\n1,1\n1,0\n", Layout()),
        ("draw,label\n1,0\n2,5\n1,1\n1,0\n", Layout(draw=1)),
        ("draw\n7\n3\n7\n", Layout(column="draw")),
    ],
)
def test_files_of_labels(stored, text, layout):
    assert partition(stored(text), layout) == THREE


def test_labels_are_texts_as_they_stand(stored):
    assert partition(stored("1\n01\n1.0\n"), Layout()).k == 3


def test_the_first_of_many_words_is_a_label_unless_said_otherwise(stored):
    path = stored("ann\nbob\nann\n")
    assert partition(path, Layout(header=True)).n == 2
    assert partition(stored("label\nbob\nann\n"), Layout(header=False)).n == 3


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("2\n1\n1\n", Layout(sizes=True)),
        ("size\n2\n\n1\n1\n", Layout(sizes=True)),
        ("2,1\n1,2\n", Layout(sizes=True)),
        ("size,count\n2,1\n1,2\n", Layout(sizes=True)),
        ("draw,size,clusters\n1,1,2\n1,2,1\n2,9,1\n", Layout(sizes=True, draw=1)),
        ("entity,records\nann,2\nbob,1\ncid,1\n", Layout(sizes=True, column="records")),
    ],
)
def test_files_of_sizes(stored, text, layout):
    assert partition(stored(text), layout).size_counts == {1: 2, 2: 1}


@given(labels=st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_standard_input_gives_what_was_written(labels):
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO("\n".join(map(str, labels)).encode()))
    try:
        assert partition("-", Layout(header=False)) == Partition.from_labels(labels)
    finally:
        sys.stdin = before


@pytest.mark.parametrize(
    ("text", "layout", "message"),
    [
        ("", Layout(), "an empty file"),
        ("\n \n", Layout(), "an empty file"),
        ("label\n", Layout(), "lines below the header"),
        ("1,ann\n2,bob\n", Layout(), "one column of labels, got 2 columns"),
        ("id,entity\n1,ann\n", Layout(), "one column of labels, got id, entity"),
        ("id,entity\n1,ann\n", Layout(column="who"), "There are id, entity"),
        ("id,entity\n1,ann\n", Layout(column="3"), "or its number from 1 on, got '3'"),
        ("id,entity\n1,ann\n2\n", Layout(column="entity"), "got 1 on line 3"),
        ("id,entity\n1,ann\n2,\n", Layout(column="entity"), "None at position 1"),
        ("draw,label\n1,0\n2,0\n", Layout(), "one partition, got 2 draws"),
        ("draw,label\n1,0\n2,0\n", Layout(draw=3), "There are 1, 2"),
        ("0\n1\n", Layout(draw=3), "a column 'draw', got no header"),
        ("a,b,c\n1,2,3\n", Layout(sizes=True), "got a, b, c"),
        ("1\n0\n", Layout(sizes=True), "whole numbers from 1 on, got 0"),
        ("1\n-2\n", Layout(sizes=True), "a whole number, got '-2'"),
        ("1\n2.5\n", Layout(sizes=True), "a whole number, got '2.5'"),
        ("1,x\n", Layout(sizes=True), "a whole number, got 'x'"),
        ("1,5\n1,6\n", Layout(sizes=True), "each size once, got 1 twice"),
        ("9" * 30 + "\n", Layout(sizes=True), "a whole number"),
        ("x" * 200_000 + ",1\n", Layout(column="1"), "a CSV"),
    ],
)
def test_files_that_hold_no_partition(stored, text, layout, message):
    with pytest.raises(InputError, match=message):
        partition(stored(text), layout)


def test_other_encodings_are_named(stored):
    with pytest.raises(InputError, match="text in UTF-8, got byte 0xfc"):
        partition(stored("Jürgen\n", encoding="latin-1"), Layout())


@pytest.mark.parametrize("typed", ["1:x", "1:2,", "no-such-file", "1:2;3:1", "-1:4", "."])
def test_what_is_neither_pairs_nor_a_file(typed):
    with pytest.raises(InputError, match="size:clusters pairs or a file"):
        partition(typed, Layout())


def test_pairs_name_each_size_once():
    with pytest.raises(InputError, match="each size once, got 1 twice"):
        partition("1:4,1:5", Layout())
