"""Writing a set of files into a directory, each whole or not at all."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from coterie.errors import InputError

# Hidden, so that nobody takes what is not finished for a result.
ASIDE = ".coterie-"


def check_directory(out: Path) -> None:
    """Raise unless ``out`` is a directory that can be written to, or one that can be made."""
    place = next(place for place in (out, *out.absolute().parents) if place.exists() or place.is_symlink())
    hint = "Choose a directory that exists or can be made."
    if not place.is_dir():
        raise InputError("a directory to write into", f"'{place}', which is a file", hint)
    try:
        # Permissions do not tell all: a disk may be read-only, and an administrator is refused nothing by them.
        tempfile.TemporaryDirectory(dir=place, prefix=ASIDE).cleanup()
    except OSError as error:
        raise InputError("a directory to write into", f"'{place}', which cannot be written to", hint) from error


def write_all(out: Path, contents: Mapping[str, bytes]) -> None:
    """Write every file aside first, then rename all into place; other files in ``out`` are left alone."""
    check_directory(out)
    out.mkdir(parents=True, exist_ok=True)
    # A directory of its own inside ``out``: on the same disk, so that a rename is a single step.
    with tempfile.TemporaryDirectory(dir=out, prefix=ASIDE) as aside:
        for name, content in contents.items():
            with (Path(aside) / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for name in contents:
            (Path(aside) / name).replace(out / name)
