"""The evidence field by field adds up to what the sampler works with."""

import math

import numpy as np
import pytest

from coterie import InputError, fields, tables
from coterie.posterior import Posterior, chain_of
from coterie.posterior.explain import explain, law_at_means, log_prior_odds
from coterie.priors import NBD, NBNB, DirichletProcess, ShiftedPoisson
from coterie.priors.distributions import Dirichlet, Gamma
from posterior.fabricate import posterior_of
from sampler import records

N = 8


def test_the_evidence_is_that_of_the_sampler() -> None:
    telling = records.compiled(N, 0.2)
    psi = np.array([[0.1, 0.3], [0.2, 0.05], [0.4, 0.4], [0.01, 0.2]])
    source = np.array([0, 1] * 4, np.int32)
    for left, right in records.pairs(N):
        found = explain(left, right, telling, psi, source)
        for f, field in enumerate(telling):
            together = records.log_r([field], [left, right], psi[f : f + 1], source)
            alone = sum(records.log_r([field], [r], psi[f : f + 1], source) for r in (left, right))
            assert found[f].log_bayes_factor == pytest.approx(together - alone, abs=1e-9)


def test_words() -> None:
    names = ["anna", "anna", "anne", "bob", None] + ["eve", "max", "zoe", "ida"] * 5
    [name] = fields.Text().compile("name", *fields.encode(names))
    source = np.zeros(len(names), np.int32)
    words = [explain(0, other, [name], np.array([[0.1]]), source)[0] for other in (1, 2, 3, 4)]
    assert [one.verdict for one in words] == ["agree", "similar", "differ", "missing"]
    assert words[3].log_bayes_factor == 0.0
    factors = [one.log_bayes_factor for one in words]
    assert factors[0] > factors[1] > 0 > factors[2]


def test_odds_before_any_field_is_seen() -> None:
    # Two records of a Dirichlet process are together with odds 1 to theta.
    assert log_prior_odds(DirichletProcess(theta=3.0), 10) == pytest.approx(-math.log(3.0))
    law = law_at_means(NBNB(a=1, q=0.9, r=Gamma(2, 1), p=0.5), {"r": np.array([1.0, 3.0])})
    assert law == NBNB(a=1, q=0.9, r=2.0, p=0.5)
    # Two records of NBD with a = 1: f(2)/f(1)² · g(k−1)/g(k) = 2 μ_2 / (μ_1² (k − 1 + a) q).
    law = law_at_means(
        NBD(a=1, q=0.9, mu=Dirichlet(3.0, ShiftedPoisson(0.5))),
        {"mu[1]": np.array([0.5, 0.7]), "mu[2]": np.array([0.3, 0.1]), "mu[3]": np.array([0.1, 0.1])},
    )
    assert log_prior_odds(law, 7) == pytest.approx(math.log(2 * 0.2 / (0.6**2 * 7 * 0.9)))


def test_an_explanation_is_printed_as_a_table() -> None:
    import pandas as pd

    frame = pd.DataFrame({"key": [1, 2, 3], "name": ["ann", "ann", "bob"], "town": ["Ely", None, "Ely"]})
    table = tables.read(frame, unique_id="key")
    kinds = [fields.Text().compile(name, *table.column(name))[0] for name in ("name", "town")]
    kinds[1] = kinds[1]._replace(theta=np.array([0.5]))
    chain = chain_of([[0, 0, 2], [0, 0, 2], [0, 1, 2], [0, 0, 2]], psi=np.full((4, 2, 1), 0.1))
    posterior = Posterior(table, None, kinds, [chain], prior=DirichletProcess(theta=1.0))
    found = posterior.explain(1, 2)
    assert found.probability == 0.75
    assert found.log_prior_odds == pytest.approx(0.0)
    odds = math.exp(found.log_bayes_factor)
    assert found.probability_alone == pytest.approx(odds / (1 + odds))
    lines = str(found).splitlines()
    assert lines[0].split() == ["field", "1", "2", "evidence"]
    assert lines[1].split()[:4] == ["name", "ann", "ann", "agree"]
    assert lines[2].split() == ["town", "Ely", "—", "missing"]
    assert lines[-1] == "With all other records: together in 75.0% of the draws."
    assert "Before any field" not in str(posterior_of([[[0, 0, 2]] * 3]).explain("id0000", "id0001"))


def test_an_id_that_is_not_there_and_one_that_is_twice() -> None:
    posterior = posterior_of([[[0, 0, 2]] * 3])
    with pytest.raises(InputError, match="an id in column 'key'"):
        posterior.explain("id0000", "nobody")
    with pytest.raises(InputError, match="two records"):
        posterior.explain("id0000", "id0000")
