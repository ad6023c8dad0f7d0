"""Laws of a count 1, 2, 3, …: of a cluster's size (μ in NBD and ESC), or of the number of components.

The same few laws serve both purposes. Each gives its log probabilities, the end of its support, and
independent draws.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.priors.parameters import complement, positive, probability, whole
from coterie.special import Floats, log_negbin, log_poisson


class CountLaw(ABC):
    """A law of a count 1, 2, 3, …"""

    @property
    def last(self) -> float:
        """The largest count that is possible; infinity where there is none."""
        return math.inf

    @abstractmethod
    def log_pmf(self, count: ArrayLike) -> Floats:
        """Return the log probabilities of counts from 1 on."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Draw independent counts."""


@dataclass(frozen=True)
class Exactly(CountLaw):
    """The count is m.

    Examples
    --------
    >>> Exactly(3).log_pmf([2, 3])
    array([-inf,   0.])
    """

    m: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "m", whole("m", self.m))

    @property
    def last(self) -> float:
        return self.m

    def log_pmf(self, count: ArrayLike) -> Floats:
        return np.where(np.asarray(count) == self.m, 0.0, -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:  # noqa: ARG002
        return np.full(size, self.m)


@dataclass(frozen=True)
class Uniform(CountLaw):
    """Every count from 1 to m is as probable as another.

    Examples
    --------
    >>> np.exp(Uniform(4).log_pmf([1, 4, 5]))
    array([0.25, 0.25, 0. ])
    """

    m: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "m", whole("m", self.m))

    @property
    def last(self) -> float:
        return self.m

    def log_pmf(self, count: ArrayLike) -> Floats:
        return np.where(np.asarray(count) <= self.m, -math.log(self.m), -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return rng.integers(1, self.m, size=size, endpoint=True)


@dataclass(frozen=True)
class ShiftedNegBin(CountLaw):
    """One more than NegBin(r, p): P(s) ∝ r⁽ˢ⁻¹⁾ pˢ⁻¹ / (s−1)!. With r = 1 it is the geometric law.

    Examples
    --------
    >>> np.exp(ShiftedNegBin(r=1, p=0.5).log_pmf([1, 2, 3]))
    array([0.5  , 0.25 , 0.125])
    """

    r: float
    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "r", positive("r", self.r))
        object.__setattr__(self, "p", probability("p", self.p))

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_negbin(np.asarray(count) - 1, self.r, self.p, complement(self.p))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return 1 + rng.negative_binomial(self.r, complement(self.p), size=size)


@dataclass(frozen=True)
class ShiftedPoisson(CountLaw):
    """One more than Poisson(mean).

    Examples
    --------
    >>> np.exp(ShiftedPoisson(1).log_pmf([1, 2]))
    array([0.36787944, 0.36787944])
    """

    mean: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", positive("mean", self.mean))

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_poisson(np.asarray(count) - 1, self.mean)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return 1 + rng.poisson(self.mean, size=size)


@dataclass(frozen=True)
class TruncatedNegBin(CountLaw):
    """NegBin(r, p) given that it is not zero: the size of a nonempty cluster under NBNB.

    Examples
    --------
    >>> np.exp(TruncatedNegBin(r=1, p=0.5).log_pmf([1, 2, 3]))
    array([0.5  , 0.25 , 0.125])
    """

    r: float
    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "r", positive("r", self.r))
        object.__setattr__(self, "p", probability("p", self.p))

    @property
    def _log_zero(self) -> float:
        """Log of (1−p)^r, the probability of the zero that is cut off."""
        return self.r * math.log(complement(self.p)) if self.p > 0.5 else self.r * math.log1p(-self.p)

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_negbin(count, self.r, self.p, complement(self.p)) - math.log(-math.expm1(self._log_zero))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        # Where zeros are rare, drop them. Else r⁽ˢ⁾/s! = r (r+1)⁽ˢ⁻¹⁾/(s−1)! / s: propose from one more than
        # NegBin(r+1, p) and accept with probability 1/s.
        drop_zeros = self._log_zero < math.log(0.5)
        kept: list[NDArray[np.int64]] = []
        missing = size
        while missing > 0:
            tries = 2 * missing + 16
            if drop_zeros:
                drawn = rng.negative_binomial(self.r, complement(self.p), size=tries)
                accepted = drawn > 0
            else:
                drawn = 1 + rng.negative_binomial(self.r + 1.0, complement(self.p), size=tries)
                accepted = rng.random(tries) * drawn < 1.0
            kept.append(drawn[accepted][:missing])
            missing -= kept[-1].size
        return np.concatenate(kept) if kept else np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class TruncatedPoisson(CountLaw):
    """Poisson(mean) given that it is not zero: the size of a nonempty cluster under PERPS.

    Examples
    --------
    >>> np.exp(TruncatedPoisson(1).log_pmf([1, 2]))
    array([0.58197671, 0.29098835])
    """

    mean: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", positive("mean", self.mean))

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_poisson(count, self.mean) - math.log(-math.expm1(-self.mean))

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        # The first arrival of a Poisson process on [0, mean], given that there is one; then those after it.
        first = -np.log1p(rng.random(size) * math.expm1(-self.mean))
        return 1 + rng.poisson(np.maximum(self.mean - first, 0.0))


@dataclass(frozen=True)
class LogSeries(CountLaw):
    """Fisher's log-series, P(s) ∝ pˢ/s: the limit of TruncatedNegBin for r → 0.

    Examples
    --------
    >>> np.exp(LogSeries(0.5).log_pmf([1, 2]))
    array([0.72134752, 0.18033688])
    """

    p: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", probability("p", self.p))

    @property
    def _log_p(self) -> float:
        return math.log1p(-complement(self.p)) if self.p > 0.5 else math.log(self.p)

    def log_pmf(self, count: ArrayLike) -> Floats:
        count = np.asarray(count, dtype=np.float64)
        log_one_minus_p = math.log(complement(self.p)) if self.p > 0.5 else math.log1p(-self.p)
        return count * self._log_p - np.log(count) - math.log(-log_one_minus_p)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return rng.logseries(float(self.p), size=size)


@dataclass(frozen=True, eq=False)
class Probabilities(CountLaw):
    """Any law on 1, …, m, as the vector of its probabilities.

    Examples
    --------
    >>> Probabilities([0.9, 0.1])
    Probabilities([0.9, 0.1])
    """

    values: Floats

    def __init__(self, values: ArrayLike) -> None:
        hint = "Pass probabilities of 1, 2, …, m; divide a vector of weights by its sum."
        try:
            array = np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError("a flat vector of probabilities", repr(values)[:60], hint) from None
        if array.ndim != 1 or array.size == 0:
            raise InputError("a flat vector of probabilities", f"shape {array.shape}", hint)
        if not (np.all(np.isfinite(array)) and np.all(array >= 0)):
            raise InputError("probabilities from 0 to 1", repr(array.tolist())[:60], hint)
        # A sum of rounded probabilities is off by a few units in the last place, never by a part in 10⁸.
        if not abs(array.sum() - 1.0) < 1e-8:
            raise InputError("probabilities that sum to 1", f"a sum of {array.sum():.10g}", hint)
        array = array[: np.flatnonzero(array)[-1] + 1] / array.sum()
        array.flags.writeable = False
        object.__setattr__(self, "values", array)

    @property
    def last(self) -> float:
        return self.values.size

    def log_pmf(self, count: ArrayLike) -> Floats:
        index = np.asarray(count, dtype=np.int64) - 1
        with np.errstate(divide="ignore"):
            logs = np.log(self.values)
        inside = index < logs.size
        return np.where(inside, logs[np.where(inside, index, 0)], -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        return rng.choice(np.arange(1, self.values.size + 1), p=self.values, size=size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Probabilities) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self.values.tobytes())

    def __repr__(self) -> str:
        return f"Probabilities({self.values.tolist()})"


def count_law(name: str, value: CountLaw | ArrayLike) -> CountLaw:
    """Take a count law as it is, and a vector as `Probabilities`."""
    if isinstance(value, CountLaw):
        return value
    if isinstance(value, list | tuple | np.ndarray):
        return Probabilities(value)
    hint = "Pass a vector of probabilities, or a law such as priors.ShiftedNegBin(r=2, p=0.3)."
    raise InputError(f"a law of counts 1, 2, … for {name!r}", repr(value)[:60], hint)
