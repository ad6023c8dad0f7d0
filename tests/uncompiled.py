"""Tests once more without compilation, where every index is checked and overflow is seen."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# Hashes wrap around, of which numpy warns.
HASHES_WRAP = ("-W", "ignore:overflow encountered:RuntimeWarning")


def check(folder: Path, tests: Iterable[str], *options: str) -> None:
    """Run tests of a folder in a process that compiles nothing."""
    named = [str(folder / test) for test in tests]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *options, *named],
        cwd=folder.parent.parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
