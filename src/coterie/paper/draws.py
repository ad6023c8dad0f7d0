"""The four statistics of section 4 in draws from a model, and where the true values lie among them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.paper.models import Setting
from coterie.paper.published import PARTITIONS
from coterie.paper.track import Track
from coterie.partition import Statistics
from coterie.priors.law import Law

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# The true value counts as captured when it lies in the central part of the draws that leaves so much on each side.
TAIL = 0.025
# Whiskers reach to the last draw within so many box lengths of the box, as in any boxplot.
WHISKER = 1.5
# Draws are made and tabulated so many at a time; it bounds the memory and changes nothing else.
AT_ONCE = 500


class DrawStatistics(NamedTuple):
    """The statistics of section 4, one entry for each draw, and the number of clusters."""

    singletons: Integers
    largest: Integers
    mean: Floats
    quantile_90: Floats
    clusters: Integers


class Spread(NamedTuple):
    """How a statistic is distributed over the draws from a model, and its true value."""

    true: float
    median: float
    box: tuple[float, float]
    whiskers: tuple[float, float]
    below: float  # the share of draws at or below the true value
    above: float  # the share of draws at or above it
    error: float = 0.0  # the standard error of the median, from the number of draws

    @classmethod
    def of(cls, values: Floats | Integers, true: float) -> "Spread":
        """Summarise draws of a statistic.

        Examples
        --------
        >>> Spread.of(np.array([1, 2, 2, 3, 9]), true=3)
        Spread(true=3, median=2.0, box=(2.0, 3.0), whiskers=(1.0, 3.0), below=0.8, above=0.4, error=0.415...)
        """
        low, median, high = (float(x) for x in np.quantile(values, [0.25, 0.5, 0.75]))
        reach = WHISKER * (high - low)
        inside = values[(values >= low - reach) & (values <= high + reach)]
        whiskers = float(inside.min()), float(inside.max())
        below, above = float(np.mean(values <= true)), float(np.mean(values >= true))
        # For a normal law the box is 1.349 σ long and a median's standard error is √(π/2) σ/√n.
        error = np.sqrt(np.pi / 2) * (high - low) / 1.349 / np.sqrt(len(values))
        return cls(true, median, (low, high), whiskers, below, above, float(error))

    @property
    def tail(self) -> float:
        """The smaller of both shares: how far out in the draws the true value lies."""
        return min(self.below, self.above)

    @property
    def captured(self) -> bool:
        """Whether the true value lies in the central 95 % of the draws."""
        return self.tail >= TAIL

    @property
    def within_whiskers(self) -> bool:
        """Whether the true value lies within the whiskers of the boxplot."""
        return self.whiskers[0] <= self.true <= self.whiskers[1]

    @property
    def distance(self) -> float:
        """How far the median lies from the true value."""
        return abs(self.median - self.true)


def statistics_of(draws: list[Integers]) -> DrawStatistics:
    """Compute the statistics of many partitions, each given by its cluster sizes.

    Examples
    --------
    >>> statistics_of([np.array([1, 1, 2]), np.array([4])]).quantile_90
    array([1.8, 4. ])
    """
    clusters = np.array([sizes.size for sizes in draws])
    sizes = np.concatenate(draws)
    longest = int(sizes.max()) + 1
    cells = np.repeat(np.arange(len(draws)), clusters) * longest + sizes
    # counts[d, s]: how many clusters of size s draw d has
    counts = np.bincount(cells, minlength=len(draws) * longest).reshape(len(draws), longest)
    return DrawStatistics(
        singletons=counts[:, 1],
        largest=longest - 1 - np.argmax(counts[:, ::-1] > 0, axis=1),
        mean=counts @ np.arange(longest) / clusters,
        quantile_90=_quantile(counts, clusters, 0.9),
        clusters=clusters,
    )


def _quantile(counts: Integers, clusters: Integers, level: float) -> Floats:
    """Return a quantile of the sizes of each draw, interpolated linearly as numpy does."""
    up_to = np.cumsum(counts, axis=1)
    position = level * (clusters - 1)
    whole = np.floor(position)
    # The size at place i, counted from 0, is the first s with more than i clusters up to it.
    at = np.argmax(up_to > whole[:, None], axis=1)
    after = np.argmax(up_to > np.minimum(whole + 1, clusters - 1)[:, None], axis=1)
    return at + (position - whole) * (after - at)


def draw_statistics(law: Law, n: int, draws: int, seed: np.random.SeedSequence) -> DrawStatistics:
    """Draw independent partitions of n elements, exactly, and return their statistics."""
    rng = np.random.default_rng(seed)
    parts = [
        statistics_of(law.sample_sizes(n, min(AT_ONCE, draws - done), rng)) for done in range(0, draws, AT_ONCE)
    ]
    return DrawStatistics(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def draw_settings(
    settings: list[Setting], draws: int, seed: np.random.SeedSequence, track: Track
) -> list[DrawStatistics]:
    """Draw from every setting, each with a random stream of its own."""
    jobs = list(zip(settings, seed.spawn(len(settings)), strict=True))
    return [
        draw_statistics(setting.law, PARTITIONS[setting.partition].n, draws, child)
        for setting, child in track(jobs, len(jobs), "Drawing partitions")
    ]


def spreads(statistics: DrawStatistics, truth: Statistics) -> dict[str, Spread]:
    """Summarise each of the four statistics."""
    return {name: Spread.of(getattr(statistics, name), true) for name, true in truth._asdict().items()}
