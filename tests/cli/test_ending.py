"""Exit codes and messages, whatever happens."""

import subprocess
import sys

import pytest

import coterie as ct
from coterie.cli import ending
from coterie.cli.progress import progress


def test_done(coterie):
    assert coterie("--version") == (0, f"coterie {ct.__version__}\n", "")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "coterie: Interrupted."),
        (ct.InputError("a cat", "a dog", "Get a cat."), 1, "coterie: Expected a cat, got a dog. Get a cat."),
        (ct.CoterieError("Two\nlines."), 1, "coterie: Two lines."),
        (OSError(28, "No space left on device", "x.csv"), 1, "coterie: x.csv: No space left on device."),
        (MemoryError(), 1, "coterie: Not enough memory for this. Ask for fewer elements or draws."),
        (
            ZeroDivisionError("0"),
            3,
            "coterie: A fault in Coterie itself: ZeroDivisionError: 0. Run it again with --debug to see where.",
        ),
    ],
)
def test_one_line_for_every_error(refused, monkeypatch, error, code, line):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr("coterie.cli.partitions.partition", fails)
    assert refused("fit", "1:2", code=code) == line + "\n"


@pytest.mark.parametrize(
    "arguments", [("--debug", "fit", "1:0"), ("fit", "--debug", "1:0"), ("fit", "1:0", "--debug")]
)
def test_a_traceback_on_demand(coterie, arguments):
    result = coterie(*arguments)
    assert result.code == 1
    assert result.err.startswith("Traceback (most recent call last):")
    assert result.err.splitlines()[-1].startswith("coterie: Expected")


@pytest.mark.parametrize(
    "arguments", [("no-such-command",), ("--no-such-option",), ("fit", "--no-such-option", "1:2")]
)
def test_wrong_usage(refused, arguments):
    assert "--help'." in refused(*arguments, code=2)


def test_nothing_asked(coterie):
    result = coterie()
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Usage: coterie")


def python(code, **more):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", **more)


def test_help_imports_nothing_that_is_slow():
    code = (
        "import sys; from coterie.cli.ending import run; run(['fit', '--help']); "
        "print(sorted({'numpy', 'scipy', 'numba', 'matplotlib', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    assert python(code).stderr == "[]\n"


def test_the_module_is_the_command():
    result = subprocess.run([sys.executable, "-m", "coterie", "--version"], capture_output=True, text=True)
    assert result.stdout == f"coterie {ct.__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="how POSIX tells that nobody reads any more")
def test_a_reader_that_leaves_early_is_no_error():
    code = "from coterie.cli import main; main()"
    command = [sys.executable, "-c", code, "sample", "esc", "mu=1/2,1/2", "-n", "200000", "--labels"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "draw,label\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == ending.PIPE_CLOSED


def test_a_terminal_without_unicode_gets_codes(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    result = python(
        "import sys; sys.argv[1:] = ['fit', '1:9,2:3', '--law', 'nbnb']; from coterie.cli import main; main()"
    )
    assert r"a \u2192 \u221e" in result.stdout
    assert result.returncode == 0


def test_progress_off_a_terminal_is_a_line_for_each_loop(capsys):
    with progress() as track:
        assert [2 * i for i in track((i for i in range(3)), 3, "doubling")] == [0, 2, 4]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("doubling: 3 of 3 in ")
    assert err.count("\n") == 1


def test_progress_in_a_terminal_goes_to_standard_error(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress() as track:
        assert [list(track("ab", 2, "inner")) for _ in track(range(2), 2, "outer")] == [["a", "b"]] * 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "outer" in err
    assert "inner" in err
