"""How good an estimate is expected to be, if the truth is as likely any draw as another."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.scores import pair_scores
from coterie.posterior.against import Comparison

Floats = NDArray[np.float64]

# The interval holds this share of the draws.
SHARE = 0.9


@dataclass(frozen=True)
class Expected:
    """A figure under the posterior: its mean, and the interval that holds nine of ten draws."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, draws: Floats) -> "Expected":
        """Return mean and interval of some draws."""
        low, high = np.quantile(draws, [(1 - SHARE) / 2, (1 + SHARE) / 2])
        return cls(float(np.mean(draws)), float(low), float(high))

    def __str__(self) -> str:
        return f"{self.mean:.3f} (90 %: {self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True)
class ExpectedScores:
    """Scores of an estimate with every draw as the truth.

    Attributes
    ----------
    precision, recall, f1
        Of pairs of records: those that are rightly together among those that are together in the estimate, and
        among those that are in the draw; and their harmonic mean.
    cluster_precision, cluster_recall, cluster_f1
        Of whole clusters, right only if they have exactly the same records.
    """

    precision: Expected
    recall: Expected
    f1: Expected
    cluster_precision: Expected
    cluster_recall: Expected
    cluster_f1: Expected

    def __str__(self) -> str:
        rows = [f"{field.name.replace('_', ' '):<18}{getattr(self, field.name)}" for field in fields(self)]
        return "\n".join(rows)


def expected_scores(found: Comparison) -> ExpectedScores:
    """Return the expected scores of a partition that was held against all draws.

    They are defined as those of `coterie.evaluate`.

    Examples
    --------
    >>> from coterie.posterior.against import compare
    >>> from coterie.posterior.chain import chain_of
    >>> chain = chain_of([[0, 0, 2], [0, 0, 0], [0, 1, 1], [0, 0, 2]])
    >>> scores = expected_scores(compare(np.array([0, 0, 2], np.int32), [chain]))
    >>> scores.precision.mean, scores.cluster_recall.mean
    (0.75, 0.5)
    """
    pairs = pair_scores(found.pairs, found.pairs_drawn, found.pairs_both)
    clusters = pair_scores(found.clusters, found.clusters_drawn, found.clusters_both)
    return ExpectedScores(*(Expected.of(draws) for draws in (*pairs, *clusters)))
