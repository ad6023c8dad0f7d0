"""Docstrings are written to be read in a terminal; this makes reStructuredText of them.

A formula stands indented after a line that ends with a colon: it becomes a literal block. A bar, as in |C_N|,
is a bar and not the name of a substitution.
"""

import re
from typing import Any


def prepare(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Rewrite the lines of a docstring in place, as Sphinx asks for."""
    lines[:] = rewritten(lines)


def rewritten(lines: list[str]) -> list[str]:
    r"""Return the lines with formulas as literal blocks and bars escaped.

    Examples
    --------
    >>> rewritten(["With k = |C_N|:", "", "    θᵏ ∏ |c|"])[0]
    'With k = \\|C_N\\|::'
    """
    result = []
    literal = example = False
    for i, line in enumerate(lines):
        if line.strip():
            example = line.lstrip().startswith((">>>", "...")) or example
            literal = literal and line.startswith("    ")
        else:
            example = False
        if literal or example:
            result.append(line)
            continue
        escaped = line.replace("|", "\\|")
        if _opens_formula(lines, i):
            escaped, literal = escaped + ":", True
        result.append(escaped)
    return result


def _opens_formula(lines: list[str], i: int) -> bool:
    """Say whether line i ends with a colon, and an indented block follows after an empty line."""
    following = lines[i + 1 : i + 3]
    return (
        lines[i].endswith(":")
        and not lines[i].startswith(" ")
        and len(following) == 2
        and not following[0].strip()
        and following[1].startswith("    ")
    )


def plain_types(
    _app: Any, _what: str, _name: str, _object: Any, _options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Shorten the types of arrays in a signature, as Sphinx asks for."""
    return shortened(signature), shortened(returned)


def shortened(text: str | None) -> str | None:
    """Return a signature with arrays named by what they hold.

    Examples
    --------
    >>> shortened("(x: ~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.int64]])")
    '(x: ndarray[int64])'
    """
    name, kind = r"~?(?:numpy\.)?ndarray", r"~?(?:numpy\.)?dtype"
    array = name + r"\[tuple\[~?(?:typing\.)?Any, \.\.\.\], " + kind + r"\[~?(?:numpy\.)?(\w+)\]\]"
    return None if text is None else re.sub(array, r"ndarray[\1]", text)
