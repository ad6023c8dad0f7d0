"""Laws of a count 1, 2, 3, …: of a cluster's size (μ in NBD and ESC), or of the number of components (in MFM)."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import exprel

from coterie.errors import InputError
from coterie.priors.parameters import (
    POSITIVE,
    PROBABILITY,
    WHOLE,
    Domain,
    Parametrised,
    complement,
    log_complement,
    log_of,
)
from coterie.special import Floats, log_factorial, log_negbin, log_poisson, log_rising_ratio

Integers = NDArray[np.int64]


class CountLaw(Parametrised, ABC):
    """A law of a count 1, 2, 3, …"""

    @property
    def last(self) -> float:
        """The largest count that is possible; infinity where there is none."""
        return math.inf

    @property
    @abstractmethod
    def mean(self) -> float:
        """The expected count."""

    @abstractmethod
    def log_pmf(self, count: ArrayLike) -> Floats:
        """Return the log probabilities of counts from 1 on."""

    @abstractmethod
    def sample(self, rng: np.random.Generator, size: int) -> Integers:
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
    domains: ClassVar[dict[str, Domain]] = {"m": WHOLE}

    @property
    def last(self) -> float:
        return self.m

    @property
    def mean(self) -> float:
        return self.m

    def log_pmf(self, count: ArrayLike) -> Floats:
        return np.where(np.asarray(count) == self.m, 0.0, -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:  # noqa: ARG002
        return np.full(size, self.m)


@dataclass(frozen=True)
class Uniform(CountLaw):
    """Every count from 1 to m is as probable as another.

    Examples
    --------
    >>> np.exp(Uniform(4).log_pmf([1, 4, 5]))
    array([0.25, 0.25, 0.  ])
    """

    m: int
    domains: ClassVar[dict[str, Domain]] = {"m": WHOLE}

    @property
    def last(self) -> float:
        return self.m

    @property
    def mean(self) -> float:
        return (self.m + 1) / 2

    def log_pmf(self, count: ArrayLike) -> Floats:
        return np.where(np.asarray(count) <= self.m, -math.log(self.m), -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
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
    domains: ClassVar[dict[str, Domain]] = {"r": POSITIVE, "p": PROBABILITY}

    @property
    def mean(self) -> float:
        return 1.0 + self.r * self.p / complement(self.p)

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_negbin(np.asarray(count) - 1, self.r, self.p, complement(self.p))

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        return 1 + rng.negative_binomial(self.r, complement(self.p), size=size)


@dataclass(frozen=True)
class ShiftedPoisson(CountLaw):
    """One more than Poisson(rate).

    Examples
    --------
    >>> np.exp(ShiftedPoisson(1).log_pmf([1, 2]))
    array([0.36787944, 0.36787944])
    """

    rate: float
    domains: ClassVar[dict[str, Domain]] = {"rate": POSITIVE}

    @property
    def mean(self) -> float:
        return 1.0 + self.rate

    def log_pmf(self, count: ArrayLike) -> Floats:
        return log_poisson(np.asarray(count) - 1, self.rate)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        return 1 + rng.poisson(self.rate, size=size)


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
    domains: ClassVar[dict[str, Domain]] = {"r": POSITIVE, "p": PROBABILITY}

    @property
    def _rate(self) -> float:
        """−log (1−p)^r, where (1−p)^r is the probability of the zero that is cut off."""
        return -self.r * log_complement(self.p)

    @property
    def mean(self) -> float:
        return self.r * self.p / complement(self.p) / -math.expm1(-self._rate)

    def log_pmf(self, count: ArrayLike) -> Floats:
        s = np.asarray(count, dtype=np.float64)
        y = self._rate
        if y > 1.0:
            return log_negbin(s, self.r, self.p, complement(self.p)) - math.log(-math.expm1(-y))
        # Where zeros are common, from μ_1 = r p / (e^y − 1), which may be close to one:
        # e^y − 1 = y exprel(y), and y = r p · (−log(1−p)/p), both factors that are at least one.
        log_mu_1 = -_log_exprel(y) - _log_inverse_slope(self.p)
        # Next to (r+1)⁽ˢ⁻¹⁾ the factorial s! = s · 1⁽ˢ⁻¹⁾ would cancel, so that their ratio is taken at once.
        return log_mu_1 - log_rising_ratio(1.0, self.r, s - 1.0) + (s - 1.0) * log_of(self.p) - np.log(s)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        # Where zeros are rare, drop them. Else r⁽ˢ⁾/s! = r (r+1)⁽ˢ⁻¹⁾/(s−1)! / s: propose from one more than
        # NegBin(r+1, p) and accept with probability 1/s.
        if self._rate > 0.1:
            return _until(size, lambda tries: self._above_zero(rng, tries))
        # Where p is close to one that proposal is far too long, but r is below 0.05, and the log-series is the
        # same law but for a factor (1+r)⁽ˢ⁻¹⁾/(s−1)! ≤ s^r, which rejection mends.
        if self.p > 0.9:
            return _until(size, lambda tries: self._mended_logseries(rng, tries))
        return _until(size, lambda tries: self._thinned(rng, tries))

    def _above_zero(self, rng: np.random.Generator, tries: int) -> Integers:
        drawn = rng.negative_binomial(self.r, complement(self.p), size=tries)
        return drawn[drawn > 0]

    def _thinned(self, rng: np.random.Generator, tries: int) -> Integers:
        drawn = 1 + rng.negative_binomial(self.r + 1.0, complement(self.p), size=tries)
        return drawn[rng.random(tries) * drawn < 1.0]

    def _mended_logseries(self, rng: np.random.Generator, tries: int) -> Integers:
        drawn = LogSeries(self.p).sample(rng, tries)
        excess = -log_rising_ratio(1.0, self.r, drawn - 1.0)
        # No count is drawn above 2^62, so the factor is below 2^62r.
        return drawn[np.log(rng.random(tries)) < excess - 62.0 * self.r * math.log(2.0)]


@dataclass(frozen=True)
class TruncatedPoisson(CountLaw):
    """Poisson(rate) given that it is not zero: the size of a nonempty cluster under PERPS.

    Examples
    --------
    >>> np.exp(TruncatedPoisson(1).log_pmf([1, 2]))
    array([0.58197671, 0.29098835])
    """

    rate: float
    domains: ClassVar[dict[str, Domain]] = {"rate": POSITIVE}

    @property
    def mean(self) -> float:
        return self.rate / -math.expm1(-self.rate)

    def log_pmf(self, count: ArrayLike) -> Floats:
        s = np.asarray(count, dtype=np.float64)
        if self.rate > 1.0:
            return log_poisson(s, self.rate) - math.log(-math.expm1(-self.rate))
        return -_log_exprel(self.rate) + (s - 1.0) * math.log(self.rate) - log_factorial(s)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        # The first arrival of a Poisson process on [0, rate], given that there is one; then those after it.
        first = -np.log1p(rng.random(size) * math.expm1(-self.rate))
        return 1 + rng.poisson(np.maximum(self.rate - first, 0.0))


@dataclass(frozen=True)
class LogSeries(CountLaw):
    """Fisher's log-series, P(s) ∝ pˢ/s: the limit of TruncatedNegBin for r → 0.

    Examples
    --------
    >>> np.exp(LogSeries(0.5).log_pmf([1, 2]))
    array([0.72134752, 0.18033688])
    """

    p: float
    domains: ClassVar[dict[str, Domain]] = {"p": PROBABILITY}

    @property
    def mean(self) -> float:
        return self.p / complement(self.p) / -log_complement(self.p)

    def log_pmf(self, count: ArrayLike) -> Floats:
        s = np.asarray(count, dtype=np.float64)
        return -_log_inverse_slope(self.p) + (s - 1.0) * log_of(self.p) - np.log(s)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
        # A. W. Kemp (1981): geometric with probability 1 − (1−p)^U, for uniform U.
        log_miss = np.log(-np.expm1(rng.random(size) * log_complement(self.p)))
        geometric = 1.0 + np.floor(np.log(rng.random(size)) / log_miss)
        return np.minimum(geometric, 2.0**62).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Probabilities(CountLaw):
    """Any law on 1, …, m, as the vector of its probabilities.

    Examples
    --------
    >>> Probabilities([0.9, 0.1])
    Probabilities([0.9, 0.1])
    """

    values: Floats
    domains: ClassVar[dict[str, Domain]] = {}

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
        array = array[: np.flatnonzero(array)[-1] + 1]
        # A vector that sums to one but for rounding stays as it is, so that a repr gives the same law again.
        if abs(array.sum() - 1.0) > 1e-14:
            array = array / array.sum()
        array.flags.writeable = False
        object.__setattr__(self, "values", array)

    @property
    def last(self) -> float:
        return self.values.size

    @property
    def mean(self) -> float:
        return float(np.dot(self.values, np.arange(1, self.values.size + 1)))

    def log_pmf(self, count: ArrayLike) -> Floats:
        index = np.asarray(count, dtype=np.int64) - 1
        with np.errstate(divide="ignore"):
            logs = np.log(self.values)
        inside = index < logs.size
        return np.where(inside, logs[np.where(inside, index, 0)], -np.inf)

    def sample(self, rng: np.random.Generator, size: int) -> Integers:
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


def _no_real(value: object) -> float:
    raise TypeError(f"{value!r} is not a number, so it is not fitted along a line")


COUNT_LAW = Domain(count_law, _no_real, _no_real)


def _log_exprel(y: float) -> float:
    """Return log((e^y − 1)/y) for 0 < y ≤ 1, also where it is y/2."""
    if y < 1e-3:
        return y / 2 + y * y / 24 - y**4 / 2880  # the next term is y⁶/181440
    return math.log(float(exprel(y)))


def _log_inverse_slope(p: float) -> float:
    """Return log(−log(1−p)/p), also where it is p/2."""
    if p < 1e-3:
        return p / 2 + 5 * p**2 / 24 + p**3 / 8 + 251 * p**4 / 2880 + 19 * p**5 / 288
    return math.log(-log_complement(p) / p)


def _until(size: int, accepted: Callable[[int], Integers]) -> Integers:
    """Call ``accepted(tries)`` until it has returned size counts in all."""
    kept: list[Integers] = []
    missing = size
    while missing > 0:
        kept.append(accepted(2 * missing + 16)[:missing])
        missing -= kept[-1].size
    return np.concatenate(kept) if kept else np.empty(0, dtype=np.int64)
