"""``coterie sample``: the library's draws, as CSV and JSON, to standard output and to files."""

import csv
import io
import json
import os
import stat
import sys

import numpy as np
import pytest

from coterie import Partition, priors
from coterie.cli.commands import sample

NBNB = ("nbnb", "a=1", "q=0.9", "r=6", "p=1/3")
LAW = priors.NBNB(a=1, q=0.9, r=6, p=1 / 3)


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_sizes_are_the_draws_of_the_library(coterie):
    result = coterie("sample", *NBNB, "-n", "200", "--draws", "3", "--seed", "1")
    assert (result.code, result.err) == (0, "")
    for number, sizes in enumerate(LAW.sample_sizes(200, draws=3, seed=1), start=1):
        written = {int(r["size"]): int(r["clusters"]) for r in rows(result.out) if r["draw"] == str(number)}
        assert written == Partition.from_sizes(sizes).size_counts


def test_draws_do_not_depend_on_the_blocks(coterie, monkeypatch):
    whole = coterie("sample", *NBNB, "-n", "50", "--draws", "7", "--seed", "1").out
    monkeypatch.setattr(sample, "BLOCK", 100)
    assert coterie("sample", *NBNB, "-n", "50", "--draws", "7", "--seed", "1").out == whole


def test_labels_are_the_draws_of_the_library(coterie):
    result = coterie("sample", *NBNB, "-n", "200", "--seed", "1", "--labels")
    assert [int(r["label"]) for r in rows(result.out)] == LAW.sample(200, seed=1).labels.tolist()


@pytest.mark.parametrize("how", ["--labels", "--sizes"])
def test_without_n_the_number_of_elements_is_random(coterie, how):
    result = coterie("sample", *NBNB, "--seed", "4", "--format", "json", how)
    (draw,) = json.loads(result.out)["draws"]
    simulated = LAW.simulate(seed=4)
    assert (draw["n"], draw["k"]) == (simulated.n, simulated.k)


@pytest.mark.parametrize("how", ["--labels", "--sizes"])
def test_json_tells_how_to_repeat_the_draws(coterie, how):
    told = json.loads(coterie("sample", *NBNB, "-n", "40", "--draws", "2", "--format", "json", how).out)
    assert len(told["draws"]) == 2
    again = coterie(
        "sample", told["law"], "-n", "40", "--draws", "2", "--format", "json", how, "--seed", str(told["seed"])
    )
    assert json.loads(again.out) == told


def test_json_counts_what_it_holds(coterie):
    told = json.loads(coterie("sample", *NBNB, "-n", "40", "--seed", "1", "--format", "json").out)["draws"][0]
    assert sum(int(size) * clusters for size, clusters in told["sizes"].items()) == told["n"] == 40
    assert sum(told["sizes"].values()) == told["k"]
    told = json.loads(coterie("sample", *NBNB, "-n", "40", "--format", "json", "--labels").out)["draws"][0]
    assert told["k"] == Partition.from_labels(told["labels"]).k


@pytest.mark.parametrize(
    "typed",
    [
        ("esc", "mu=0.7,0.2,0.1"),
        ("ESC", "mu=ShiftedNegBin(r=1,p=0.3)"),
        ("NBD(a=1, q=0.9, mu=LogSeries(p=0.3))",),
        ("mixture-of-finite-mixtures", "gamma=1", "components=ShiftedPoisson(9)"),
        ("pitman-yor", "theta=-0.25", "delta=0.6"),
    ],
)
def test_every_kind_of_law_can_be_typed(coterie, typed):
    result = coterie("sample", *typed, "-n", "30", "--seed", "1")
    assert sum(int(r["size"]) * int(r["clusters"]) for r in rows(result.out)) == 30


def test_two_calls_without_a_seed_differ(coterie):
    assert coterie("sample", *NBNB, "-n", "500").out != coterie("sample", *NBNB, "-n", "500").out


def test_a_file_holds_what_would_go_to_standard_output(coterie, tmp_path):
    file = tmp_path / "draws.csv"
    result = coterie("sample", *NBNB, "-n", "50", "--seed", "1", "--out", str(file))
    assert (result.code, result.out, result.err) == (0, "", "")
    assert file.read_text() == coterie("sample", *NBNB, "-n", "50", "--seed", "1").out
    assert os.listdir(tmp_path) == ["draws.csv"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
def test_a_file_appears_whole_or_not_at_all(coterie, tmp_path, monkeypatch, error):
    old = tmp_path / "draws.csv"
    old.write_text("what was there before")
    new = tmp_path / "new.csv"
    real = LAW.sample

    def some(_, n, seed):
        some.left -= 1
        if some.left < 0:
            raise error
        return real(n, seed)

    monkeypatch.setattr(priors.NBNB, "sample", some)
    for file in (old, new):
        some.left = 2
        result = coterie("sample", *NBNB, "-n", "50", "--draws", "5", "--labels", "--out", str(file))
        assert result.code == {KeyboardInterrupt: 130, MemoryError: 1, RuntimeError: 3}[error]
    assert old.read_text() == "what was there before"
    assert os.listdir(tmp_path) == ["draws.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links are those of POSIX")
def test_a_replaced_file_keeps_its_permissions_and_links(coterie, tmp_path):
    file, link = tmp_path / "draws.csv", tmp_path / "link.csv"
    file.write_text("")
    file.chmod(0o640)
    link.symlink_to(file)
    coterie("sample", *NBNB, "-n", "50", "--out", str(link))
    assert link.is_symlink()
    assert file.read_text().startswith("draw,size,clusters")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="a device of POSIX")
def test_a_device_is_written_to_and_stays(coterie):
    assert coterie("sample", *NBNB, "-n", "50", "--out", os.devnull).code == 0
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nbnb", "a=1"), "the parameters a, q, r, p of NBNB, got a"),
        (("nbnb", "a=-1", "q=0.9", "r=6", "p=1/3"), "a number above 0 for 'a', got -1"),
        (("nbnb", "a=1", "q=nan", "r=6", "p=1/3"), "Expected a number"),
        (("no-law", "a=1"), "the name of a law of partitions, got 'no-law'"),
        (("esc", "mu=0,1", "-n", "3"), "can add up to n = 3"),
        ((*NBNB, "-n", "3", "--out", "no/such/folder/file.csv"), "a folder that exists"),
        ((*NBNB, "-n", "3", "--out", "."), "Is a directory"),
        (("nbnb", "a=1e9", "q=one_minus(1e-9)", "r=6", "p=1/3"), "fewer than 1e9 elements in the mean"),
    ],
)
def test_what_is_not_possible(refused, arguments, message):
    assert message in refused("sample", *arguments, code=1)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (*NBNB, "-n", "0"),
        (*NBNB, "-n", "x"),
        (*NBNB, "--draws", "0"),
        (*NBNB, "--seed", "-1"),
        (*NBNB, "--format", "xml"),
        ("dirichlet-process", "theta=1"),
    ],
)
def test_wrong_usage(refused, arguments):
    assert "coterie sample --help" in refused("sample", *arguments, code=2)


def test_numbers_are_written_as_numbers(coterie):
    result = coterie("sample", *NBNB, "-n", "50", "--labels", "--seed", "1")
    written = np.genfromtxt(io.StringIO(result.out), delimiter=",", names=True, dtype=np.int64)
    assert written["label"].min() == 0
