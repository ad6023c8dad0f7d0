"""What the laws with random N share: a random number of clusters, with independent random sizes.

Eq. 2 of the paper lets some of its K clusters be empty. Without those, K' = |C_N| is negative binomial
again (or Poisson), the sizes follow the law of N_k given N_k > 0, and

    P(C_N) = P(K' = k) · k!/N! ∏_c |c|! · ∏_c P(N_c = |c|),

three factors that are at most one each. This is eq. 3 of the paper (and appendix A for PERPS), written so that
no digits cancel.
"""

from abc import abstractmethod
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.kernels import renewal
from coterie.partition import Partition, SizeTable, canonical
from coterie.priors.counts import CountLaw
from coterie.priors.law import Law, log_arrangement, scatter
from coterie.seeds import Seed, generator
from coterie.special import log_factorial

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# A draw of more elements than this would not fit into the memory of a common machine.
MOST_ELEMENTS = 1e9


class CompoundLaw(Law):
    """A law under which N is random: cluster sizes are independent draws, and their number is random."""

    def simulate(self, seed: Seed = None) -> Partition:
        """Draw a partition of a random number N ≥ 1 of elements, from P(C_N | N ≥ 1).

        Examples
        --------
        >>> from coterie import priors
        >>> law = priors.NBNB(a=1, q=0.9, r=6, p=1/3)
        >>> law.simulate(seed=1) == law.simulate(seed=1)
        True
        """
        self.check_known()
        rng = generator(seed)
        hint = "Choose parameters with a smaller mean, or draw with sample(n)."
        if self._number.mean * self._sizes.mean > MOST_ELEMENTS:
            got = f"a mean of {self._number.mean * self._sizes.mean:.3g}"
            raise InputError("a law with fewer than 1e9 elements in the mean", got, hint)
        sizes = self._sizes.sample(rng, int(self._number.sample(rng, 1)[0]))
        if sizes.sum(dtype=np.float64) > MOST_ELEMENTS:
            raise InputError("fewer than 1e9 elements", f"a draw of {sizes.sum(dtype=np.float64):.3g}", hint)
        return Partition(labels=canonical(scatter(sizes, rng)))

    @property
    @abstractmethod
    def _number(self) -> CountLaw:
        """The law of the number of clusters given that there is one."""

    @property
    @abstractmethod
    def _sizes(self) -> CountLaw:
        """The law of a cluster's size."""

    @abstractmethod
    def _log_number(self, k: int) -> float:
        """Return log P(|C_N| = k)."""

    def _log_prob(self, table: SizeTable) -> float:
        k = int(table.counts.sum())
        return self._log_number(k) + log_arrangement(table) + log_prob_sizes(self._sizes, table)


def log_prob_sizes(mu: CountLaw, table: SizeTable) -> float:
    """Return Σ_c log μ_|c|."""
    return float(np.dot(table.counts, mu.log_pmf(table.sizes)))


def log_size_steps(mu: CountLaw, s: Integers) -> Floats:
    """Return log f(s+1) − log f(s) where f(s) = s! μ_s for s ≥ 1 and f(0) = 1."""
    log_mu = mu.log_pmf(s + 1)
    possible = np.flatnonzero(log_mu > -np.inf)
    if possible.size == 0 or possible[-1] + 1 != possible.size:
        hint = "Give each size a positive probability, as small as you like; exact draws work with gaps, too."
        raise InputError("a law of sizes 1, …, m without gaps for step by step moves", repr(mu)[:60], hint)
    before = np.concatenate([[0.0], log_mu[:-1]])
    with np.errstate(invalid="ignore"):
        steps = np.log(s + 1.0) + log_mu - before
    return np.where(log_mu > -np.inf, steps, -np.inf)


def log_weights_of_sizes(mu: CountLaw, n: int) -> Floats:
    """Return log f(s) = log s! + log μ_s for s = 0, …, n, where f(0) = 1."""
    log_size_steps(mu, np.arange(n))  # refuses gaps
    s = np.arange(1, n + 1)
    return np.concatenate([[0.0], log_factorial(s) + mu.log_pmf(s)])


class Renewal:
    """The weights W(0), …, W(n) of a law with independent sizes, and draws given N (see kernels/renewal.py)."""

    def __init__(self, chain: float, start: float, mu: CountLaw, n: int) -> None:
        self._chain, self._start = chain, start
        longest = int(min(n, mu.last))
        self._log_mu = np.append(-np.inf, mu.log_pmf(np.arange(1, longest + 1)))
        self.log_weights = np.empty(n + 1)
        renewal.fill_log_weights(chain, start, self._log_mu, self.log_weights)
        self.log_weight = float(self.log_weights[n])
        if self.log_weight == -np.inf:
            hint = "Give sizes that add up to n a positive probability."
            raise InputError(f"a law of sizes that can add up to n = {n}", repr(mu)[:60], hint)

    def sizes(self, rng: np.random.Generator) -> Integers:
        """Draw the cluster sizes."""
        sizes = np.empty(self.log_weights.size - 1, dtype=np.int64)
        k = renewal.fill_sizes(rng, self._chain, self._start, self._log_mu, self.log_weights, sizes)
        return sizes[:k].copy()

    def labels(self, rng: np.random.Generator) -> Integers:
        """Draw a label for each element."""
        return scatter(self.sizes(rng), rng)


@lru_cache(maxsize=4)
def renewal_weights(chain: float, start: float, mu: CountLaw, n: int) -> Renewal:
    """Return the weights; the last few are kept, since a law is mostly asked for the same n again."""
    return Renewal(chain, start, mu, n)
