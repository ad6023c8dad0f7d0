"""The command line, run in this process."""

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from coterie.cli.ending import run


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def coterie(capsys, monkeypatch) -> Callable[..., Result]:
    """Run ``coterie`` with arguments, and with text on its standard input."""

    def call(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run(arguments)
        return Result(code, *capsys.readouterr())

    return call


@pytest.fixture
def refused(coterie) -> Callable[..., str]:
    """Run ``coterie`` with arguments it must refuse with one line and nothing else; return the line."""

    def call(*arguments: str, code: int = 1, stdin: str = "") -> str:
        result = coterie(*arguments, stdin=stdin)
        assert result.code == code, result
        assert result.out == ""
        assert result.err.startswith("coterie: ")
        assert result.err.endswith("\n")
        assert result.err.count("\n") == 1
        return result.err

    return call
