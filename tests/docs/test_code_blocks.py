"""Every block of Python in the pages runs, in order, and prints what the page shows."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if not any(part.startswith("_") for part in page.parts))
FENCE = re.compile(r"^```(?P<kind>.*)$")


def python_lines(text: str) -> list[str]:
    """Return the lines of a page, those outside of blocks of Python empty, so that line numbers stay."""
    kind, lines = None, []
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence:
            kind = fence["kind"] if kind is None else None
        lines.append(line if kind == "python" and not fence else "")
    return lines


def name(page: Path) -> str:
    return str(page.relative_to(DOCS))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_blocks_print_what_the_page_shows(page: Path) -> None:
    text = "\n".join(python_lines(page.read_text(encoding="utf-8")))
    examples = doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(examples, out=report.append)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_block_of_python_escapes_the_run(page: Path) -> None:
    """A block that has no prompt would not be run."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(.*)\n((?:.|\n)*?)^```$", text, flags=re.MULTILINE)
    assert text.count("\n```") >= 2 * len(blocks)
    for kind, body in blocks:
        if kind == "python":
            assert body.startswith(">>> "), body
        else:
            assert ">>> " not in body, body


def test_a_wrong_number_on_a_page_is_seen() -> None:
    page = "# Page\n\n```python\n>>> 1 + 1\n3\n```\n"
    examples = doctest.DocTestParser().get_doctest("\n".join(python_lines(page)), {}, "page", "page", 0)
    runner = doctest.DocTestRunner()
    runner.run(examples, out=lambda _: None)
    assert runner.failures == 1
