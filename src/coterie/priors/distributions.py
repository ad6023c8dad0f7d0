"""Distributions that stand where a number would: the parameter is then inferred.

``priors.NBNB(a=1, q=0.999, r=Gamma(1, 1), p=Beta(2, 2))`` has two parameters that are numbers and two that the
sampler draws along with the partition.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from coterie.errors import InputError
from coterie.priors.counts import COUNT_LAW, CountLaw, Integers, Probabilities
from coterie.priors.parameters import (
    DISCOUNT,
    POSITIVE,
    PROBABILITY,
    REAL,
    Domain,
    Inferred,
    OneMinus,
    Parametrised,
    log_complement,
    log_of,
)
from coterie.special import Floats, log_sum_exp


class Distribution(Parametrised, Inferred):
    """A law of a parameter; a frozen dataclass whose repr is the call that made it."""

    stands_for: ClassVar[tuple[Domain, ...]]

    def check_place(self, name: str, domain: Domain) -> None:
        """Refuse to stand for a parameter of another kind; a domain may also take distributions of itself."""
        if domain in self.stands_for:
            return
        try:
            domain.check(name, self)
        except InputError as error:
            hint = (
                "A Gamma stands for a positive number, a Beta for a probability, a Dirichlet for a law of sizes."
            )
            raise InputError(error.expected, repr(self), hint) from None

    @property
    @abstractmethod
    def mean(self) -> Any:
        """The expected value."""

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> Any:
        """Draw a value."""


class Continuous(Distribution):
    """A distribution with a density, of one number."""

    @abstractmethod
    def log_density(self, x: float) -> float:
        """Return the log density at x."""


@dataclass(frozen=True)
class Gamma(Continuous):
    """The gamma distribution of a positive number, with mean shape/rate.

    Parameters
    ----------
    shape, rate
        Both above 0.

    Examples
    --------
    >>> Gamma(2, 4).mean
    0.5
    """

    shape: float
    rate: float
    domains: ClassVar[dict[str, Domain]] = {"shape": POSITIVE, "rate": POSITIVE}
    stands_for: ClassVar[tuple[Domain, ...]] = (POSITIVE, REAL)

    @property
    def mean(self) -> float:
        return self.shape / self.rate

    def log_density(self, x: float) -> float:
        constant = self.shape * math.log(self.rate) - math.lgamma(self.shape)
        return constant + (self.shape - 1.0) * math.log(x) - self.rate * x

    def sample(self, rng: np.random.Generator) -> float:
        return float(rng.gamma(self.shape, 1.0 / self.rate))


@dataclass(frozen=True)
class Beta(Continuous):
    """The beta distribution of a probability, with mean a/(a+b).

    Parameters
    ----------
    a, b
        Both above 0; they count like a and b observations.

    Examples
    --------
    >>> Beta(1, 4).mean
    0.2
    """

    a: float
    b: float
    domains: ClassVar[dict[str, Domain]] = {"a": POSITIVE, "b": POSITIVE}
    stands_for: ClassVar[tuple[Domain, ...]] = (PROBABILITY, DISCOUNT)

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def log_density(self, x: float) -> float:
        constant = math.lgamma(self.a + self.b) - math.lgamma(self.a) - math.lgamma(self.b)
        return constant + (self.a - 1.0) * log_of(x) + (self.b - 1.0) * log_complement(x)

    def sample(self, rng: np.random.Generator) -> float:
        """Draw a value; close to one it remembers its complement."""
        x, y = rng.gamma(self.a), rng.gamma(self.b)
        return OneMinus(y / (x + y)) if x > y else x / (x + y)


@dataclass(frozen=True)
class Dirichlet(Distribution):
    """A random law of cluster sizes around a given one: μ ~ Dirichlet(concentration · base).

    The probabilities of any sets of sizes are Dirichlet distributed, as in Zanella et al. (2016).

    Parameters
    ----------
    concentration
        How close to the base, as if so many clusters had been seen; above 0.
    base
        A law of cluster sizes, as for `NBD`.

    Examples
    --------
    >>> from coterie import priors
    >>> around = Dirichlet(1, priors.ShiftedNegBin(r=1, p=0.5))
    >>> np.exp(around.mean.log_pmf([1, 2]))
    array([0.5 , 0.25])
    """

    concentration: float
    base: Any
    domains: ClassVar[dict[str, Domain]] = {"concentration": POSITIVE, "base": COUNT_LAW}
    stands_for: ClassVar[tuple[Domain, ...]] = (COUNT_LAW,)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.base, Inferred) or self.base.free:
            hint = "Or infer its parameters without a Dirichlet around it: mu=ShiftedNegBin(r=Gamma(1, 1), p=...)."
            raise InputError("a base with numbers in it", repr(self.base)[:60], hint)

    @property
    def mean(self) -> Any:
        return self.base

    def sample(self, rng: np.random.Generator) -> Any:
        """Draw the probabilities of sizes up to where the base has a ten-thousandth of a millionth left."""
        last = 1
        while last < self.base.last and np.exp(self.base.log_pmf(np.arange(1, last + 1))).sum() < 1.0 - 1e-10:
            last *= 2
        return Probabilities(np.exp(log_dirichlet(rng, self.weights(last))))

    def weights(self, last: int) -> Floats:
        """Return concentration · base for the sizes 1, …, last; 0 where the base is too small for a double."""
        return self.concentration * np.exp(self.base.log_pmf(np.arange(1, last + 1)))


@dataclass(frozen=True, eq=False)
class DrawnSizes(CountLaw):
    """A law on 1, …, m by the logarithms of its probabilities, some of which no double could hold.

    Examples
    --------
    >>> np.exp(DrawnSizes(np.log([0.9, 0.1])).log_pmf([1, 2, 3]))
    array([0.9, 0.1, 0. ])
    """

    log_values: Floats
    domains: ClassVar[dict[str, Domain]] = {}

    @property
    def last(self) -> float:
        return self.log_values.size

    @property
    def mean(self) -> float:
        return float(np.dot(np.exp(self.log_values), np.arange(1, self.log_values.size + 1)))

    def log_pmf(self, count: ArrayLike) -> Floats:
        s = np.asarray(count)
        inside = s <= self.log_values.size
        return np.where(inside, self.log_values[np.where(inside, s, 1) - 1], -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        return 1 + rng.choice(self.log_values.size, size=size, p=np.exp(self.log_values))


def log_dirichlet(rng: np.random.Generator, weights: Floats) -> Floats:
    """Draw the logarithms of Dirichlet probabilities, also for weights so small that the probabilities underflow.

    If G ~ Gamma(a + 1) and U is uniform, then G U^(1/a) ~ Gamma(a).
    """
    # U is above zero, and a logarithm of −1e300 is as good as that of nothing; one of −∞ would be a gap.
    log_u = np.log1p(-rng.random(weights.size)) / np.maximum(weights, 1e-290)
    log_gamma = np.maximum(np.log(rng.standard_gamma(weights + 1.0)) + log_u, -1e300)
    return log_gamma - log_sum_exp(log_gamma)
