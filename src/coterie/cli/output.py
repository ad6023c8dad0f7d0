"""Where results go: standard output, or a file that appears only when it is whole."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from coterie.errors import InputError


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """Give standard output, or a file written aside and renamed into place when nothing went wrong.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with opened(Path(folder) / "draws.csv") as file:
    ...         _ = file.write("draw,size,clusters")
    ...     (Path(folder) / "draws.csv").read_text()
    'draw,size,clusters'
    """
    if path is None:
        yield sys.stdout
        return
    # A link stays a link: what is replaced is the file it points to.
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        # A device or a named pipe is written to; a directory is refused by the operating system.
        with target.open("w", encoding="utf-8") as file:
            yield file
        return
    if not target.parent.is_dir():
        hint = "Make it first, or write somewhere else."
        raise InputError(f"a folder that exists for {path.name!r}", repr(str(path.parent)), hint)
    handle, aside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        Path(aside).chmod(_mode(target))
        Path(aside).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(aside).unlink()
        raise


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, or those that a new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
