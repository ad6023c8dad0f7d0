"""The README keeps its word: its commands, its examples, its links, its table of dependencies."""

import doctest
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def test_the_two_commands_stand_first():
    """`.ci/run` takes them from there."""
    assert blocks("shell")[:2] == ["pip install . && coterie paper\n", "pip install -e '.[test]' && pytest\n"]
    # A screen is some forty lines.
    assert README.splitlines().index("pip install -e '.[test]' && pytest") < 40


def test_the_examples_run():
    text = "\n".join(blocks("python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(examples.examples) >= 8
    report = []
    runner = doctest.DocTestRunner()
    runner.run(examples, out=report.append)
    assert not runner.failures, "".join(report)


def test_the_commands_run(coterie):
    lines = [line for block in blocks("shell") for line in block.splitlines() if line.startswith("coterie ")]
    assert len(lines) == 2
    for line in lines:
        result = coterie(*line.split()[1:])
        assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / page).read_text("utf-8")):
        assert (ROOT / link).exists(), link


def name(requirement):
    return re.match(r"[\w-]+", requirement)[0]


def test_every_dependency_is_explained_and_no_other():
    table = README.split("## What it installs")[1].split("\n## ")[0]
    runtime, extras = table.split("| extra |")
    explained = re.findall(r"^\| ([\w-]+) \|", runtime, flags=re.MULTILINE)
    assert explained[1:] == [name(requirement) for requirement in PROJECT["dependencies"]]
    for extra, requirements in EXTRAS.items():
        assert f"| `{extra}` |" in extras
        for requirement in requirements:
            assert re.search(rf"[| ]{name(requirement)}[ ,]", extras), requirement


def test_the_changelog_knows_the_version():
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
