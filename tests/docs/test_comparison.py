"""The formulas for the expected number of clusters against enumeration, and what is made of them."""

import math
from pathlib import Path

import comparison
import numpy as np
import pytest

from coterie import Partition, priors
from oracles import integer_partitions, number_with_sizes

ELEMENTS = 6

LAWS = [
    priors.NBNB(a=1, q=0.9, r=6, p=1 / 3),
    priors.NBNB(a=0.4, q=0.25, r=0.3, p=0.7),
    priors.PERPS(alpha=3, lam=0.7),
    priors.NBD(a=1.5, q=0.4, mu=[0.5, 0.2, 0.2, 0.1]),
    priors.ESC(mu=[0.5, 0.2, 0.2, 0.1]),
    priors.ESC(mu=priors.ShiftedPoisson(0.8)),
    priors.CompoundPoisson(alpha=1.2, mu=priors.LogSeries(0.4)),
    priors.DirichletProcess(theta=2),
    priors.PitmanYor(theta=1, delta=0.5),
    priors.FiniteDirichlet(m=9, gamma=0.5),
    priors.FiniteDirichlet(m=1, gamma=0.5),
    priors.MixtureOfFiniteMixtures(gamma=0.7, components=priors.ShiftedPoisson(4)),
    priors.LinkageStructure(m=7),
]


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_expected_number_of_clusters(law: priors.Law) -> None:
    weights, clusters = [], []
    for counts in integer_partitions(ELEMENTS):
        log_prob = law.log_prob(Partition.from_sizes(counts), given_n=True)
        weights.append(number_with_sizes(counts) * math.exp(log_prob))
        clusters.append(sum(counts.values()))
    assert math.fsum(weights) == pytest.approx(1.0, rel=1e-11)
    expected = np.dot(weights, clusters)
    assert comparison.expected_clusters(law, ELEMENTS) == pytest.approx(expected, rel=1e-10)


def test_the_laws_that_are_compared_expect_the_same_number_of_clusters() -> None:
    laws = comparison.comparable()
    assert {type(law).__name__ for law in laws.values()} == set(laws)
    assert len(laws) == 10
    for law in laws.values():
        # Where M is a whole number, it is met to half a label.
        assert comparison.expected_clusters(law, comparison.N) == pytest.approx(comparison.CLUSTERS, abs=0.2)


def test_the_figures_and_the_table_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "DRAWS", 5)
    monkeypatch.setattr(comparison, "GROWTH", (10, 30))
    comparison.write(tmp_path / "generated")
    table = (tmp_path / "generated" / "comparison.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in table for name in comparison.comparable())
    for figure in ("sizes.svg", "growth.svg"):
        assert (tmp_path / "generated" / figure).read_text(encoding="utf-8").startswith("<?xml")
