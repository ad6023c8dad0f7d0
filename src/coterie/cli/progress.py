"""Progress on standard error: bars in a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from coterie.paper.track import Track

T = TypeVar("T")


@contextmanager
def progress() -> Iterator["Track"]:
    """Give a function that wraps loops, which may be nested or run in several threads.

    Examples
    --------
    >>> with progress() as track:
    ...     [2 * i for i in track(range(3), 3, "doubling")]
    [0, 2, 4]
    """
    if not sys.stderr.isatty():
        yield _lines
        return
    from rich.console import Console
    from rich.progress import Progress, TimeElapsedColumn

    columns = (*Progress.get_default_columns(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:

        def track(iterable: Iterable[T], total: int, description: str, /) -> Iterable[T]:
            return bars.track(iterable, total=total, description=description)

        yield track


def _lines(iterable: Iterable[T], total: int, description: str, /) -> Iterator[T]:
    """Tell when a loop is done, how many rounds it had and how long it took."""
    start, rounds = time.perf_counter(), 0
    for item in iterable:
        yield item
        rounds += 1
    sys.stderr.write(f"{description}: {rounds} of {total} in {time.perf_counter() - start:.1f} s\n")
    sys.stderr.flush()
