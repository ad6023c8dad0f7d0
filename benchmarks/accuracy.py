"""How near the posterior comes to the truth."""

import time
from typing import NamedTuple

import numpy as np
from labelled import Table, pairs_in_blocks, pairs_together
from measuring import SEED, heading

from coterie import priors, sampler
from coterie.priors.distributions import Beta, Dirichlet, Gamma
from coterie.priors.law import Law

LAWS: dict[str, Law | None] = {
    "NBD, as by default": None,
    "NBNB": priors.NBNB(a=1, q=priors.one_minus(2e-3), r=Gamma(1, 1), p=Beta(2, 2)),
    "ESC, sizes inferred": priors.ESC(mu=Dirichlet(1, priors.ShiftedNegBin(r=1, p=0.5))),
}


class Scores(NamedTuple):
    """False negative and false discovery rate, over pairs of records."""

    negative: float
    discovery: float

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision."""
        recall, precision = 1 - self.negative, 1 - self.discovery
        return 2 * recall * precision / max(1e-300, recall + precision)

    def __str__(self) -> str:
        return f"{self.negative:9.3f}{self.discovery:8.3f}{self.f1:8.3f}"


class Accuracy(NamedTuple):
    """What some draws say, and how far that is true."""

    k: float
    sd: float
    draws: Scores  # in the mean over draws
    point: Scores  # of the pairs whose probability is above one half
    expected: Scores  # the same, as the posterior thinks of it
    psi: np.ndarray
    seconds: float


def accuracy(table: Table, prior: Law | None, draws: int, tune: int, seed: int = SEED) -> Accuracy:
    """Run one chain and compare it with the truth."""
    n, total = table.truth.size, pairs_together(table.truth)
    begin = time.perf_counter()
    target = sampler.make_target(table.fields, prior, pairs=table.pairs)
    done = sampler.run(target, chains=1, draws=draws, tune=tune, seed=seed)
    seconds = time.perf_counter() - begin
    found = [pairs_in_blocks(np.arange(n), target.record_labels(labels), n) for labels in done.labels[0]]
    means = np.mean([_scores(pairs, table.truth, n, total) for pairs in found], axis=0)
    pairs, counts = np.unique(np.concatenate(found), return_counts=True)
    probability = counts / draws
    likely = probability > 0.5
    sure = probability[likely]
    expected = Scores(1 - sure.sum() / max(1e-300, probability.sum()), 1 - sure.mean() if sure.size else 0.0)
    k = done.clusters[0]
    point = _scores(pairs[likely], table.truth, n, total)
    return Accuracy(k.mean(), k.std(), Scores(*means), point, expected, done.psi[0, :, :, 0].mean(0), seconds)


def _scores(pairs: np.ndarray, truth: np.ndarray, n: int, total: int) -> Scores:
    """Return the scores of some pairs, where so many are true in all."""
    right = int((truth[pairs // n] == truth[pairs % n]).sum())
    return Scores(1 - right / total, 1 - right / max(1, pairs.size))


def print_accuracy(tables: dict[str, Table], quick: bool) -> None:
    """Print one line of figures for each table and law."""
    heading("Against the truth: false negative and false discovery rate of pairs, and F1")
    print(f"{'':44}{'mean over draws':>25}{'pairs above one half':>27}{'as expected':>27}")
    each = f"{'FNR':>9}{'FDR':>8}{'F1':>8}"
    print(f"{'table':18}{'entities':>9}  {'K':>15}{each}  {each}  {each}{'s':>8}")
    for name, table in tables.items():
        entities = np.unique(table.truth).size
        laws = LAWS if table.truth.size < 1_000 else dict(list(LAWS.items())[:1])
        for what, law in laws.items():
            found = accuracy(table, law, draws=100 if quick else 500, tune=100)
            k = f"{found.k:,.1f} ± {found.sd:.1f}"
            print(
                f"{name:18}{entities:9,}  {k:>15}{found.draws}  {found.point}  {found.expected}"
                f"{found.seconds:8.1f}  {what}",
                flush=True,
            )
