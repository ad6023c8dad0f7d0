"""A law's free parameters as a point of the real plane, for searches that know nothing of the law."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from coterie.errors import InputError
from coterie.fitting.search import EDGE
from coterie.partition import Partition
from coterie.priors import PitmanYor
from coterie.priors.law import Law
from coterie.priors.parameters import DISCOUNT, REAL, Domain

# The discount is searched up to here: closer to one only the number 1 − δ is left to tell laws apart.
LARGEST_DISCOUNT = 1.0 - 1e-6


class Coordinate(NamedTuple):
    """One free parameter: its name, where it may lie on the real line, and the way back."""

    name: str
    low: float
    high: float
    from_real: Callable[[float], Any]


class Chart:
    """The map from real numbers to laws of a family with some parameters fixed.

    A parameter that is itself a family of laws, such as ``mu=priors.ShiftedNegBin``, contributes that family's
    own parameters.
    """

    def __init__(self, family: type[Law], fixed: dict[str, Any]) -> None:
        self._family = family
        self._fixed = {name: value for name, value in fixed.items() if not isinstance(value, type)}
        self._nested = {name: value for name, value in fixed.items() if isinstance(value, type)}
        free = {name: domain for name, domain in family.domains.items() if name not in fixed}
        self._own = [_coordinate(name, domain) for name, domain in free.items()]
        self._inner = {
            name: [_coordinate(*item) for item in law.domains.items()] for name, law in self._nested.items()
        }
        self.coordinates = self._own + [coordinate for inner in self._inner.values() for coordinate in inner]

    @property
    def box(self) -> list[tuple[float, float]]:
        """The range of each coordinate."""
        return [(coordinate.low, coordinate.high) for coordinate in self.coordinates]

    def law(self, point: Sequence[float]) -> Law:
        """Return the law at a point."""
        values = iter(point)
        parameters = self._fixed | {c.name: c.from_real(next(values)) for c in self._own}
        if self._family is PitmanYor and "theta" not in self._fixed:
            # θ > −δ: its coordinate is log(θ + δ).
            parameters["theta"] = parameters["theta"] - parameters["delta"]
        for name, inner in self._inner.items():
            parameters[name] = self._nested[name](**{c.name: c.from_real(next(values)) for c in inner})
        return self._family(**parameters)

    def objective(self, partition: Partition) -> Callable[[Sequence[float]], float]:
        """Return the log probability of a partition as a function of the point."""

        def log_prob(point: Sequence[float]) -> float:
            try:
                return self.law(point).log_prob(partition)
            except InputError:  # such as an n that the sizes cannot add up to
                return -np.inf

        return log_prob

    def edges(self, edges: Sequence[int]) -> tuple[str, ...]:
        """Say in words at which edges a point lies."""
        told = []
        for coordinate, edge in zip(self.coordinates, edges, strict=True):
            if edge:
                told.append(f"{coordinate.name} → {_edge_name(coordinate, edge)}")
        return tuple(told)


def _coordinate(name: str, domain: Domain) -> Coordinate:
    if domain is DISCOUNT:
        return Coordinate(name, 0.0, LARGEST_DISCOUNT, float)
    if domain is REAL:
        return Coordinate(name, -EDGE, EDGE, lambda y: float(np.exp(y)))
    low = 0.0 if domain.from_real(-EDGE) == 1 else -EDGE
    return Coordinate(name, low, EDGE, domain.from_real)


def _edge_name(coordinate: Coordinate, edge: int) -> str:
    if edge == -1:
        return "1" if coordinate.low == 0.0 and coordinate.high == EDGE else "0"
    return "1" if coordinate.high < 1.0 or coordinate.from_real(EDGE) <= 1.0 else "∞"
