"""Every command and option explains itself, and stands in the documentation."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from coterie.cli.app import COMMANDS, app

GROUP = typer.main.get_command(app)
PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
# `paper` draws figures for a while; its own tests run it.
EXAMPLES = [line for name, module in COMMANDS.items() if name != "paper" for line in module.EXAMPLES]


def section(name):
    """Return the part of the page that tells of a command."""
    found = re.search(
        rf"^## `coterie {name}`\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, f"docs/command-line.md has no section on {name!r}"
    return found[1]


def test_the_table_of_commands_is_whole():
    assert set(GROUP.commands) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(coterie, name):
    result = coterie(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert GROUP.commands[name].help
    for example in COMMANDS[name].EXAMPLES:
        assert f"  {example}\n" in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help_and_stands_in_the_page(name):
    text = section(name)
    for parameter in GROUP.commands[name].params:
        assert parameter.help, parameter.name
        for option in parameter.opts + parameter.secondary_opts:
            if option.startswith("-"):
                assert f"`{option}" in text, option


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_names_no_option_that_is_not_there(name):
    options = {option for p in GROUP.commands[name].params for option in p.opts + p.secondary_opts}
    shared = {option for p in GROUP.params for option in p.opts} | {"--help"}
    # In tables and sentences an option stands at the beginning of a piece of code.
    assert set(re.findall(r"`(--?[a-z][a-z-]*)", section(name))) <= options | shared


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_readme(name):
    assert f"coterie {name}" in (PAGE.parents[1] / "README.md").read_text("utf-8")


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(coterie, tmp_path, monkeypatch, example):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("name,entity\nAnn,7\nBob,8\nAnne,7\n")
    piped = ""
    for command in example.split(" | "):
        result = coterie(*shlex.split(command)[1:], stdin=piped)
        assert (result.code, result.err) == (0, "")
        piped = result.out


def test_no_colours_and_no_boxes(coterie):
    assert coterie("--help").out.isascii()
    assert "\x1b" not in coterie("fit", "1:9,2:3").out
