"""Scores of an estimate against the truth, from their contingency table."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.evaluation.contingency import Contingency

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Scores:
    """How an estimated partition compares with the true one; `docs/scores.md` defines each score.

    ``n`` is the number of records.

    Attributes
    ----------
    precision, recall, f1
        Of pairs of records that are together.
    cluster_precision, cluster_recall, cluster_f1
        Of whole clusters: right only if they have exactly the same records.
    bcubed_precision, bcubed_recall, bcubed_f1
        Of each record's company, averaged over records.
    adjusted_rand
        Agreement on pairs, beyond what clusters of these sizes would have by chance.
    variation_of_information
        In bits a record; 0 for the truth itself. It is the sum of the next two.
    wrongly_together, wrongly_apart
        The bits that tell a record's true entity where its estimated one is known, and the other way round.
    entities, entities_true, entities_exact
        How many entities there are in the estimate, in truth, and in both with exactly the same records.
    pairs, pairs_true, pairs_both
        How many pairs are together in the estimate, in truth, and in both.
    """

    precision: float
    recall: float
    f1: float
    cluster_precision: float
    cluster_recall: float
    cluster_f1: float
    bcubed_precision: float
    bcubed_recall: float
    bcubed_f1: float
    adjusted_rand: float
    variation_of_information: float
    wrongly_together: float
    wrongly_apart: float
    n: int
    entities: int
    entities_true: int
    entities_exact: int
    pairs: int
    pairs_true: int
    pairs_both: int

    def __str__(self) -> str:
        def row(name: str, precision: float, recall: float, f1: float) -> str:
            return f"{name:<10}{precision:>11.4f}{recall:>11.4f}{f1:>11.4f}"

        return "\n".join(
            [
                f"{self.n:,} records: {self.entities:,} entities estimated, {self.entities_true:,} in truth, "
                f"{self.entities_exact:,} exactly alike",
                f"{self.pairs:,} pairs together in the estimate, {self.pairs_true:,} in truth, "
                f"{self.pairs_both:,} in both",
                f"{'':<10}{'precision':>11}{'recall':>11}{'F1':>11}",
                row("pairs", self.precision, self.recall, self.f1),
                row("clusters", self.cluster_precision, self.cluster_recall, self.cluster_f1),
                row("B-cubed", self.bcubed_precision, self.bcubed_recall, self.bcubed_f1),
                f"adjusted Rand index {self.adjusted_rand:.4f}",
                f"variation of information {self.variation_of_information:.4f} bits: "
                f"{self.wrongly_together:.4f} wrongly together, {self.wrongly_apart:.4f} wrongly apart",
            ]
        )


class PairScores(NamedTuple):
    """Precision, recall and F1: numbers, or arrays of them."""

    precision: Floats
    recall: Floats
    f1: Floats


def pair_scores(estimated: ArrayLike, true: ArrayLike, both: ArrayLike) -> PairScores:
    """Return precision, recall and F1 from numbers of pairs, or of anything else that is found or missed.

    Where nothing is claimed nothing is wrong: precision is 1. Where there is nothing to find nothing is missed:
    recall is 1. F1 is 2 both / (estimated + true), and 1 where both are 0.

    Parameters
    ----------
    estimated, true, both
        How many there are in the estimate, in truth, and in both; arrays give arrays.

    Examples
    --------
    >>> scores = pair_scores(estimated=[4, 0], true=[2, 2], both=[1, 0])
    >>> scores.precision, scores.recall
    (array([0.25, 1.  ]), array([0.5, 0. ]))
    """
    e, t, b = (np.asarray(x, np.int64) for x in (estimated, true, both))
    return PairScores(_share(b, e), _share(b, t), _share(2 * b, e + t))


def _share(part: Integers, whole: Integers) -> Floats:
    """Return part / whole, and 1 where there is nothing."""
    return np.divide(part, whole, out=np.ones(np.broadcast(part, whole).shape), where=whole > 0)


def scores_of(table: Contingency) -> Scores:
    """Return all scores; the counts behind them are exact.

    Parameters
    ----------
    table
        The overlaps of the estimate with the truth.

    Examples
    --------
    >>> from coterie.evaluation import contingency_of
    >>> scores_of(contingency_of([0, 0, 1, 2], [0, 0, 1, 1])).recall
    0.5
    """
    n, entities, entities_true = table.n, table.estimated_sizes.size, table.true_sizes.size
    pairs, pairs_true, pairs_both = map(_pairs, (table.estimated_sizes, table.true_sizes, table.overlap))
    exact = int(np.count_nonzero((table.overlap == table.estimated) & (table.overlap == table.true)))
    squares = table.overlap.astype(np.float64) ** 2
    bcubed_precision, bcubed_recall = (
        float(np.sum(squares / whole)) / n for whole in (table.estimated, table.true)
    )
    weight = table.overlap / n
    together = float(np.sum(weight * np.log2(table.estimated / table.overlap)))
    apart = float(np.sum(weight * np.log2(table.true / table.overlap)))
    precision, recall, f1 = map(float, pair_scores(pairs, pairs_true, pairs_both))
    cluster_precision, cluster_recall, cluster_f1 = map(float, pair_scores(entities, entities_true, exact))
    return Scores(
        precision=precision,
        recall=recall,
        f1=f1,
        cluster_precision=cluster_precision,
        cluster_recall=cluster_recall,
        cluster_f1=cluster_f1,
        bcubed_precision=bcubed_precision,
        bcubed_recall=bcubed_recall,
        bcubed_f1=2.0 * bcubed_precision * bcubed_recall / (bcubed_precision + bcubed_recall),
        adjusted_rand=_adjusted_rand(n * (n - 1) // 2, pairs, pairs_true, pairs_both),
        variation_of_information=together + apart,
        wrongly_together=together,
        wrongly_apart=apart,
        n=n,
        entities=entities,
        entities_true=entities_true,
        entities_exact=exact,
        pairs=pairs,
        pairs_true=pairs_true,
        pairs_both=pairs_both,
    )


def _pairs(sizes: Integers) -> int:
    return int(np.sum(sizes * (sizes - 1) // 2))


def _adjusted_rand(total: int, estimated: int, true: int, both: int) -> float:
    """Return (both − expected) / (mean − expected), expected = estimated · true / total, in whole numbers."""
    spread = (estimated + true) * total - 2 * estimated * true
    # Nothing is left to chance where both partitions are all alone, or both all together.
    return 2 * (both * total - estimated * true) / spread if spread else 1.0
