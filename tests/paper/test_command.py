"""``coterie paper``, and that another process makes the same bytes."""

import os
import subprocess
import sys

from coterie.cli.ending import run


def test_the_same_seed_gives_the_same_bytes_in_another_process(files, tmp_path):
    command = [sys.executable, "-m", "coterie", "paper", "--quick", "--out", "here"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, f"here{os.sep}paper.md\n"), done.stderr
    assert "Reseating for figure 3: 50 of 50 in " in done.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "here").iterdir()}
    assert made.keys() == files.keys()
    assert [name for name in made if made[name] != files[name]] == []


def test_a_file_in_the_place_of_the_directory(tmp_path, capsys):
    (tmp_path / "taken").write_text("kept")
    assert run(["paper", "--quick", "--out", str(tmp_path / "taken")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("coterie: Expected a directory to write into, got ")
    assert err.count("\n") == 1
    assert (tmp_path / "taken").read_text() == "kept"


def test_ctrl_c(tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("coterie.paper.results.gather", interrupted)
    assert run(["paper", "--out", str(tmp_path / "out")]) == 130
    assert capsys.readouterr().err == "coterie: Interrupted.\n"
    assert list(tmp_path.iterdir()) == []
