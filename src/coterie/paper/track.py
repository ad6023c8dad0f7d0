"""How the slow loops tell of their progress."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Wraps a loop: passes its items through and shows how far it is."""

    def __call__(self, iterable: Iterable[T], total: int, description: str, /) -> Iterable[T]:
        """Return the items, of which there are ``total``."""


def silently(iterable: Iterable[T], total: int, description: str, /) -> Iterable[T]:  # noqa: ARG001
    """Pass the items through and show nothing."""
    return iterable
