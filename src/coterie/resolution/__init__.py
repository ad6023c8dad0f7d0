"""From a table to the posterior over its entities."""

from coterie.resolution.resolving import resolve

__all__ = ["resolve"]
