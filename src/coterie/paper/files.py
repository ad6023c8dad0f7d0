"""Writing a set of files into a directory, each whole or not at all."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from coterie.errors import InputError


def check_directory(out: Path) -> None:
    """Raise unless ``out`` is a directory, or one that can be made."""
    hint = "Choose a directory that exists or can be made."
    for place in (out, *out.parents):
        if place.is_dir():
            if not os.access(place, os.W_OK | os.X_OK):
                raise InputError("a directory to write into", f"'{place}', which cannot be written to", hint)
            return
        if place.exists() or place.is_symlink():
            raise InputError("a directory to write into", f"'{place}', which is a file", hint)


def write_all(out: Path, contents: Mapping[str, bytes]) -> None:
    """Write every file aside first, then rename all into place; other files in ``out`` are left alone."""
    check_directory(out)
    out.mkdir(parents=True, exist_ok=True)
    # A directory of its own inside ``out``: on the same disk, so that a rename is a single step.
    with tempfile.TemporaryDirectory(dir=out, prefix=".coterie-") as aside:
        for name, content in contents.items():
            with (Path(aside) / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for name in contents:
            (Path(aside) / name).replace(out / name)
