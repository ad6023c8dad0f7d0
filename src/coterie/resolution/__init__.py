"""From a table to the posterior over its entities."""

from coterie.resolution.resolve import resolve

__all__ = ["resolve"]
