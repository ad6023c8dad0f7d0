"""A law's free parameters as a point of the real plane, for searches that know nothing of the law.

The plane has as many coordinates as there are numbers to find: a positive number by its log, a probability by
its logit, and the two parameters of a negative binomial by its shape and its mean. The last keeps the ridge
straight on which the shape goes to infinity, or to zero, while the mean stays.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from coterie import priors
from coterie.errors import InputError
from coterie.fitting.search import EDGE
from coterie.partition import Partition, SizeTable
from coterie.priors.law import Law
from coterie.priors.parameters import DISCOUNT, REAL, Domain, from_logit

# The discount is searched up to here: closer to one only the number 1 − δ is left to tell laws apart.
LARGEST_DISCOUNT = 1.0 - 1e-6
# Shapes of negative binomials with their probabilities.
NEGBINS = {"a": "q", "r": "p"}
# A vector's probability of a size that occurs is searched from e^-30 to e^30 times that of the most common one.
LOG_RATIO = 30.0


class Coordinate(NamedTuple):
    """A range on the real line, and what to call its two ends."""

    low: float
    high: float
    low_name: str
    high_name: str


class Block(NamedTuple):
    """A few coordinates and the parameters that they stand for."""

    coordinates: list[Coordinate]
    parameters: Callable[[Sequence[float]], dict[str, Any]]


class Chart:
    """The map from real numbers to laws of a family with some parameters fixed.

    A parameter that is itself a family of laws, such as ``mu=priors.ShiftedNegBin``, contributes that family's
    own parameters; ``mu`` without a family is a vector as long as the largest size.
    """

    def __init__(self, family: type[Law], fixed: dict[str, Any], table: SizeTable) -> None:
        self._family = family
        self._fixed = {name: value for name, value in fixed.items() if not isinstance(value, type)}
        free = {name: domain for name, domain in family.domains.items() if name not in fixed}
        if "mu" in free:
            del free["mu"]
            fixed = fixed | {"mu": priors.Probabilities}
        self._blocks = list(_blocks(free))
        for name, inner in fixed.items():
            if inner is priors.Probabilities:
                self._blocks.append(_vector(name, table))
            elif isinstance(inner, type):
                self._blocks.append(_nested(name, inner))

    @property
    def coordinates(self) -> list[Coordinate]:
        """All coordinates, in order."""
        return [coordinate for block in self._blocks for coordinate in block.coordinates]

    @property
    def box(self) -> list[tuple[float, float]]:
        """The range of each coordinate."""
        return [(coordinate.low, coordinate.high) for coordinate in self.coordinates]

    def law(self, point: Sequence[float]) -> Law:
        """Return the law at a point."""
        parameters = self._fixed | _parameters(self._blocks, point)
        if self._family is priors.PitmanYor and "theta" not in self._fixed:
            # θ > −δ: its coordinate is log(θ + δ).
            parameters["theta"] = parameters["theta"] - parameters["delta"]
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
        return tuple(
            coordinate.high_name if edge == 1 else coordinate.low_name
            for coordinate, edge in zip(self.coordinates, edges, strict=True)
            if edge
        )


def _blocks(domains: dict[str, Domain]) -> Iterator[Block]:
    """Yield the blocks of parameters that are numbers."""
    paired = {shape: name for shape, name in NEGBINS.items() if shape in domains and name in domains}
    for name, domain in domains.items():
        if name in paired:
            yield _negbin(name, paired[name])
        elif name not in paired.values():
            yield _single(name, domain)


def _negbin(shape: str, probability: str) -> Block:
    """A negative binomial by log r and log m, where p/(1−p) = m/(1 + r).

    For r → ∞ the mean r p/(1−p) goes to m; for r → 0, where the zeros have been cut off, p/(1−p) does.
    """
    log_shape = Coordinate(-EDGE, EDGE, f"{shape} → 0", f"{shape} → ∞")
    log_mean = Coordinate(-EDGE, EDGE, f"{probability} → 0", f"{probability} → 1")

    def parameters(point: Sequence[float]) -> dict[str, Any]:
        r = math.exp(point[0])
        return {shape: r, probability: from_logit(point[1] - math.log1p(r))}

    return Block([log_shape, log_mean], parameters)


def _single(name: str, domain: Domain) -> Block:
    """A parameter by itself."""
    if domain is DISCOUNT:
        coordinate = Coordinate(0.0, LARGEST_DISCOUNT, f"{name} → 0", f"{name} → 1")
        return Block([coordinate], lambda point: {name: point[0]})
    if domain is REAL:
        coordinate = Coordinate(-EDGE, EDGE, f"{name} → −delta", f"{name} → ∞")
        return Block([coordinate], lambda point: {name: math.exp(point[0])})
    whole = domain.from_real(-EDGE) == 1
    top = "1" if domain.from_real(EDGE) <= 1.0 else "∞"
    low_name = f"{name} = 1" if whole else f"{name} → 0"
    coordinate = Coordinate(0.0 if whole else -EDGE, EDGE, low_name, f"{name} → {top}")
    return Block([coordinate], lambda point: {name: domain.from_real(point[0])})


def _vector(name: str, table: SizeTable) -> Block:
    """The probabilities of the sizes that occur, by their log ratios to that of the most common one."""
    common = int(np.argmax(table.counts))
    others = np.delete(table.sizes, common)
    coordinates = [Coordinate(-LOG_RATIO, LOG_RATIO, f"{name}[{s}] → 0", f"{name}[{s}] → 1") for s in others]

    def parameters(point: Sequence[float]) -> dict[str, Any]:
        weights = np.zeros(int(table.sizes[-1]))
        weights[table.sizes[common] - 1] = 1.0
        weights[others - 1] = np.exp(point)
        return {name: priors.Probabilities(weights / weights.sum())}

    return Block(coordinates, parameters)


def _nested(name: str, family: type[priors.CountLaw]) -> Block:
    """A law inside the law, by its own parameters."""
    blocks = list(_blocks(family.domains))
    coordinates = [coordinate for block in blocks for coordinate in block.coordinates]
    return Block(coordinates, lambda point: {name: family(**_parameters(blocks, point))})


def _parameters(blocks: Sequence[Block], point: Sequence[float]) -> dict[str, Any]:
    """Return the parameters at a point, block by block."""
    parameters: dict[str, Any] = {}
    values = list(point)
    for block in blocks:
        count = len(block.coordinates)
        parameters |= block.parameters(values[:count])
        values = values[count:]
    return parameters
