"""How much work goes into the experiments: all of it, or enough for a quick look."""

from typing import NamedTuple

from coterie.paper.published import DRAWS, MICROCLUSTERING


class Effort(NamedTuple):
    """How many draws, sizes, sweeps and replicates are made."""

    draws: int  # exact draws from each model, figures 1 and 2
    extra_draws: int  # exact draws for what the paper does not have
    sizes: tuple[int, ...]  # the N of figure 3
    growth_draws: int  # exact draws for each N of figure 3
    reseated_sizes: tuple[int, ...]  # the N at which the reseating algorithm runs as well
    sweeps: int  # reseating sweeps
    most_replicates: int  # runs of the reseating algorithm at the smallest N
    least_replicates: int  # and at the largest
    resamples: int  # bootstrap resamples for the slopes

    def replicates(self, n: int) -> int:
        """Return how many runs there are at N: fewer where they are long, as the square root of N."""
        # A run at N = 10,000 takes seconds; 800/√N gives eight of them, and as much work at N = 100 as at 10,000.
        return min(self.most_replicates, max(self.least_replicates, round(800 / n**0.5)))


def log_spaced(smallest: int, largest: int, steps: int) -> tuple[int, ...]:
    """Return whole numbers from smallest to largest in equal ratios.

    Examples
    --------
    >>> log_spaced(10, 1000, 4)
    (10, 32, 100, 316, 1000)
    """
    ratio = largest / smallest
    return tuple(round(smallest * ratio ** (i / steps)) for i in range(steps + 1))


_C = MICROCLUSTERING

FULL = Effort(
    draws=DRAWS,
    extra_draws=1_000,
    sizes=log_spaced(_C.smallest, _C.largest, 12),
    growth_draws=1_000,
    reseated_sizes=log_spaced(_C.smallest, _C.largest, 6),
    sweeps=_C.sweeps,
    most_replicates=100,
    least_replicates=8,
    resamples=1_000,
)

QUICK = Effort(
    draws=200,
    extra_draws=50,
    sizes=log_spaced(_C.smallest, 1_000, 8),
    growth_draws=100,
    reseated_sizes=log_spaced(_C.smallest, 1_000, 4),
    sweeps=100,
    most_replicates=10,
    least_replicates=10,
    resamples=200,
)
