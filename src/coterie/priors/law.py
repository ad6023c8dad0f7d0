"""What every law of partitions offers."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.kernels import urn
from coterie.partition import Partition, SizeTable, canonical
from coterie.priors.parameters import Parametrised, whole
from coterie.seeds import Seed, generator
from coterie.special import log_factorial, log_rising, log_rising_ratio

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Steps(NamedTuple):
    """The two tables by which a sampler knows a law, P(C_N | N) ∝ g(|C_N|) ∏ f(|c|).

    ``log_count[k]`` is log g(k+1) − log g(k), for k = 0, …, n − 1; ``log_size[s]`` is log f(s+1) − log f(s), for
    s = 0, …, n − 1, with f(0) = 1, so that ``log_size[0]`` is log f(1). A step that no partition can make is −inf.
    """

    log_count: Floats
    log_size: Floats


class Draws(Protocol):
    """Independent exact draws from P(C_N | N) for one N."""

    def labels(self, rng: np.random.Generator) -> Integers:
        """Draw a label for each element, numbered in any way."""

    def sizes(self, rng: np.random.Generator) -> Integers:
        """Draw the cluster sizes, in any order."""


class Law(Parametrised, ABC):
    """A law of random partitions. Every law is a frozen dataclass whose repr is the call that made it."""

    def log_prob(self, partition: Partition, *, given_n: bool = False) -> float:
        """Return the log probability of a partition.

        Parameters
        ----------
        partition
            The partition C_N.
        given_n
            False: log P(C_N), with N random, for the laws that have a law of N; for the others, which take N
            as given, the same as True. True: log P(C_N | N), normalised over the partitions of [N].

        Examples
        --------
        >>> from coterie import Partition, priors
        >>> law = priors.DirichletProcess(theta=1)
        >>> round(law.log_prob(Partition.from_labels([0, 0, 1])), 6)
        -1.791759
        """
        if not isinstance(partition, Partition):
            hint = "Make one with Partition.from_labels(...) or Partition.from_sizes(...)."
            raise InputError("a Partition", type(partition).__name__, hint)
        self.check_known()
        table = partition.size_table
        return self._log_prob_given_n(table) if given_n else self._log_prob(table)

    def steps(self, n: int) -> Steps:
        """Return the two tables that a sampler of partitions of n elements needs.

        Examples
        --------
        >>> from coterie import priors
        >>> np.exp(priors.DirichletProcess(theta=2).steps(3))
        array([[2., 2., 2.],
               [1., 1., 2.]])
        """
        self.check_known()
        n = whole("n", n)
        return Steps(self._log_count_steps(np.arange(n)), self._log_size_steps(np.arange(n)))

    def log_sizes(self, n: int) -> Floats:
        """Return log f(s) for s = 0, …, n: the sums of ``steps(n).log_size``, to all digits.

        Examples
        --------
        >>> from coterie import priors
        >>> np.exp(priors.DirichletProcess(theta=2).log_sizes(4))
        array([1., 1., 1., 2., 6.])
        """
        self.check_known()
        n = whole("n", n)
        log_f = np.zeros(n + 1)
        np.cumsum(self._log_size_steps(np.arange(n)), out=log_f[1:])
        return log_f

    def sample(self, n: int, seed: Seed = None) -> Partition:
        """Draw a partition of n elements from P(C_N | N), exactly.

        Examples
        --------
        >>> from coterie import priors
        >>> priors.PERPS(alpha=50, lam=0.5).sample(20, seed=1).n
        20
        """
        self.check_known()
        return Partition(labels=canonical(self._draws(whole("n", n)).labels(generator(seed))))

    def sample_sizes(self, n: int, draws: int, seed: Seed = None) -> list[Integers]:
        """Draw the cluster sizes of independent partitions of n elements from P(C_N | N), exactly.

        Examples
        --------
        >>> from coterie import priors
        >>> [int(sizes.sum()) for sizes in priors.DirichletProcess(theta=3).sample_sizes(20, draws=2, seed=1)]
        [20, 20]
        """
        self.check_known()
        rng, source = generator(seed), self._draws(whole("n", n))
        return [source.sizes(rng) for _ in range(whole("draws", draws))]

    @property
    def straight_join(self) -> tuple[float, float] | None:
        """(slope, offset) where f(s+1)/f(s) = slope · s + offset for s ≥ 1, up to a constant; else None."""
        return None

    @property
    def product_form(self) -> tuple[float, float] | None:
        """(b, w) where g(k+1)/g(k) = (b + k) w; else None.

        Given u ~ Gamma(b + |C|, 1) the law is then the product ∏_c (u w) f(|c|).
        """
        return None

    @abstractmethod
    def _log_prob(self, table: SizeTable) -> float:
        """Return log P(C_N)."""

    @abstractmethod
    def _log_prob_given_n(self, table: SizeTable) -> float:
        """Return log P(C_N | N)."""

    @abstractmethod
    def _log_count_steps(self, k: Integers) -> Floats:
        """Return log g(k+1) − log g(k) for k = 0, …, n − 1."""

    @abstractmethod
    def _log_size_steps(self, s: Integers) -> Floats:
        """Return log f(s+1) − log f(s) for s = 0, …, n − 1."""

    @abstractmethod
    def _draws(self, n: int) -> Draws:
        """Prepare exact draws of partitions of n elements."""


class UrnDraws:
    """Draws by an urn, O(n) each; ``make_urn`` draws its number of components where that is random."""

    def __init__(self, n: int, make_urn: "MakeUrn") -> None:
        self._make_urn = make_urn
        self._work = np.empty(n, dtype=np.int64)
        self._filled = np.empty(n, dtype=np.int64)

    def labels(self, rng: np.random.Generator) -> Integers:
        """Draw labels, numbered by first appearance."""
        urn.fill_labels(rng, self._make_urn(rng), self._filled, self._work)
        return self._filled.copy()

    def sizes(self, rng: np.random.Generator) -> Integers:
        """Draw the cluster sizes."""
        k = urn.fill_sizes(rng, self._make_urn(rng), self._filled, self._work)
        return self._filled[:k].copy()


class MakeUrn(Protocol):
    """A function that makes an urn."""

    def __call__(self, rng: np.random.Generator, /) -> urn.Urn:
        """Return the urn of the next draw."""


def scatter(sizes: Integers, rng: np.random.Generator) -> Integers:
    """Give clusters of these sizes elements uniformly at random; return the labels."""
    labels: Integers = rng.permutation(np.repeat(np.arange(sizes.size), sizes))
    return labels


def log_arrangement(table: SizeTable) -> float:
    """Return log k! ∏ s_c! / N! ≤ 0, what turns the probability of sizes in order into a partition's.

    With L the largest size, N!/L! = (L+1)⁽ᵏ⁻¹⁾ (L+k)⁽ʲ⁾ where j = N − L − (k−1) elements joined another cluster.
    Set against 2⁽ᵏ⁻¹⁾ = k! and the other clusters' s!, each factor is at most one, so nothing cancels.
    """
    # Searches and samplers try many laws on one partition.
    return _log_arrangement(table.sizes.tobytes(), table.counts.tobytes())


@lru_cache(maxsize=16)
def _log_arrangement(size_bytes: bytes, count_bytes: bytes) -> float:
    sizes, counts = np.frombuffer(size_bytes, np.int64), np.frombuffer(count_bytes, np.int64)
    n, k, largest = int(np.dot(sizes, counts)), int(counts.sum()), int(sizes[-1])
    others = counts.copy()
    others[-1] -= 1
    founded = float(log_rising_ratio(2.0, largest - 1.0, k - 1))
    joined = float(np.dot(others, log_factorial(sizes))) - float(log_rising(largest + k, n - largest - k + 1))
    return founded + joined
