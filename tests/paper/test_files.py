"""Where the files go, and what is left behind when something goes wrong."""

import tempfile
from pathlib import Path

import pytest

import coterie as ct
from coterie.paper import files, reproduce

OLD, NEW = {"a.csv": b"old a", "b.csv": b"old b"}, {"a.csv": b"new a", "b.csv": b"new b", "c.csv": b"new c"}


def inside(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_files_of_these_names_are_replaced_and_others_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"mine")
    files.write_all(tmp_path, OLD)
    files.write_all(tmp_path, NEW)
    assert inside(tmp_path) == NEW | {"mine.txt": b"mine"}


def test_directories_are_made(tmp_path):
    files.write_all(tmp_path / "not" / "there", NEW)
    assert inside(tmp_path / "not" / "there") == NEW


@pytest.mark.parametrize("below", ["", "deep", "deep/deeper"])
def test_a_file_is_no_directory(tmp_path, below):
    (tmp_path / "file").write_bytes(b"kept")
    with pytest.raises(ct.InputError, match=r"a directory to write into, got '.*file', which is a file\."):
        reproduce(tmp_path / "file" / below, quick=True, track=never)
    assert inside(tmp_path) == {"file": b"kept"}


def test_a_directory_that_cannot_be_written_to(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(ct.InputError, match="cannot be written to") as error:
        reproduce(tmp_path / "out", quick=True, track=never)
    assert error.value.__cause__ is not None
    assert inside(tmp_path) == {}


def test_a_seed_that_is_none(tmp_path):
    with pytest.raises(ct.InputError, match="seed"):
        reproduce(tmp_path / "out", quick=True, seed=-1, track=never)


def never(*_):
    pytest.fail("The work began before the directory was checked.")


def test_checking_leaves_no_trace(tmp_path):
    files.check_directory(tmp_path)
    files.check_directory(tmp_path / "new")
    assert inside(tmp_path) == {}


class Interrupted(dict):
    """Files whose second one is never got."""

    def items(self):
        for i, item in enumerate(super().items()):
            if i == 1:
                raise KeyboardInterrupt
            yield item


def test_an_interruption_while_writing_changes_nothing(tmp_path):
    files.write_all(tmp_path, OLD)
    with pytest.raises(KeyboardInterrupt):
        files.write_all(tmp_path, Interrupted(NEW))
    assert inside(tmp_path) == OLD


def test_a_full_disk_changes_nothing(tmp_path, monkeypatch):
    files.write_all(tmp_path, OLD)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_all(tmp_path, NEW)
    assert inside(tmp_path) == OLD


def test_an_interruption_while_renaming_leaves_whole_files(tmp_path, monkeypatch):
    files.write_all(tmp_path, OLD)
    rename = Path.replace

    def once(source, target):
        if source.name == "b.csv":
            raise KeyboardInterrupt
        return rename(source, target)

    monkeypatch.setattr(Path, "replace", once)
    with pytest.raises(KeyboardInterrupt):
        files.write_all(tmp_path, NEW)
    assert inside(tmp_path) == {"a.csv": b"new a", "b.csv": b"old b"}


def test_an_interruption_while_computing_leaves_nothing(tmp_path):
    def interrupt(iterable, total, description):
        del iterable, total, description
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(tmp_path / "out", quick=True, track=interrupt)
    assert inside(tmp_path) == {}
