"""R(c) against sums over the truth, written out term by term."""

import itertools

import numpy as np
import pytest

from coterie import fields, priors, sampler
from coterie.fields import Compiled
from coterie.kernels import evidence as kernels
from coterie.kernels import slots
from sampler import checks, records
from sampler.parts import called

log_marginal_of_few = called(kernels.log_marginal_of_few)

RATES = (1e-6, 0.02, 0.3, 0.7, 0.95)
DATES = ["1980-02-03", "1980-03-02", "1980-02-13", None, "1875-11-30", "1975-11-30", "1980-02-03", "1990-01-01"]
AGES = [31, 32, 33, 34, 70, None, 31, 31]
STREETS = ["Mill Lane", "Mil Lane", "High Street", None, "Mill Lane", "High Street", "Low Road", "Mill Lane"]
TOWNS = ["Ely", "Ely", "Ely", None, "Ely", "Ely", "March", None]
NAMES = ["ann", "anne", "anna", "hanna", "bob", "rob", "eve", "zoe", "joe", "joan"]


def kinds() -> dict[str, list[Compiled]]:
    """Return fields of eight records each, of every kind."""
    home = fields.Group(street=fields.Text(), town=fields.Category())
    columns = {"street": fields.encode(STREETS), "town": fields.encode(TOWNS)}
    return {
        "all": records.compiled(8),
        "number": fields.Number(tolerance=2).compile("age", *fields.encode(AGES)),
        "date": fields.Date().compile("born", *fields.encode(DATES)),
        "group": home.compile("home", columns),
        "text without slips": fields.Text(slip=0).compile("name", *fields.encode(records.NAMES)),
    }


@pytest.mark.parametrize("kind", kinds())
def test_both_ways_agree_with_the_sum_over_the_truth(kind: str) -> None:
    telling = kinds()[kind]
    rng = np.random.default_rng(1)
    source = rng.integers(0, 2, 8)
    clusters = [c for m in range(1, 9) for c in itertools.combinations(range(8), m)]
    rates = [np.full((len(telling), 2), psi) for psi in RATES] + [rng.uniform(0.01, 0.9, (len(telling), 2))]
    for psi in rates:
        checks.check_evidence(telling, psi, source, [clusters[a] for a in rng.permutation(255)[:40]])
        checks.check_pairs(telling, psi, source)


def test_each_source_has_its_own_rate() -> None:
    telling, source = records.compiled(4), np.array([0, 1, 0, 1])
    psi = np.array([[0.01, 0.4]] * 4)
    there, other = (records.log_r(telling, [0, 1], rates, source) for rates in (psi, psi[:, ::-1]))
    assert abs(there - other) > 0.05
    checks.check_evidence(telling, psi, source, [(0, 1), (0, 2), (1, 3), (0, 1, 2, 3)])


def large(what: str) -> list[Compiled]:
    """Return one field of 500 records."""
    rng = np.random.default_rng(2)
    columns = {
        "all the same, and one": ["a"] * 499 + ["b"],
        "all different": [f"{n}" for n in range(500)],
        "two in equal shares": ["a", "b"] * 250,
        "a share of 0.998": ["a"] * 499 + ["b"],
        "twenty": [f"{n % 20}" for n in range(500)],
        "eleven": [f"{n % 11}" for n in range(500)],
        "half missing": [None if n % 2 else f"{n % 6}" for n in range(500)],
    }
    if what == "text":
        column = [NAMES[n] for n in rng.integers(0, len(NAMES), 500)]
        return fields.Text(cutoff=0.4, slip=0.6).compile(what, *fields.encode(column))
    return fields.Category().compile(what, *fields.encode(columns[what]))


@pytest.mark.parametrize("psi", [1e-6, 0.02, 0.4, 0.9, 0.95])
@pytest.mark.parametrize(
    "what",
    [
        "all the same, and one",
        "all different",
        "two in equal shares",
        "a share of 0.998",
        "twenty",
        "half missing",
        "text",
    ],
)
def test_clusters_of_hundreds_neither_overflow_nor_lose_digits(what: str, psi: float) -> None:
    telling = large(what)
    rates, source = np.array([[psi]]), np.zeros(500, np.int64)
    chosen = [range(9), range(100, 150), range(490, 500), range(1, 500, 3), range(499), range(500)]
    checks.check_evidence(telling, rates, source, chosen)


def test_identical_records_in_hundreds() -> None:
    column = ["ann"] * 500 + ["anne"] * 20 + [f"name {n}" for n in range(480)]
    [name] = fields.Text(cutoff=0.6).compile("name", *fields.encode(column))
    for psi in RATES[:-1]:
        checks.check_evidence(
            [name], np.array([[psi]]), np.zeros(1000, np.int64), [range(500), range(520), range(450, 560)]
        )


def test_clusters_longer_than_the_table_of_h() -> None:
    [field] = fields.Category().compile("x", *fields.encode([f"{n % 40}" for n in range(2100)]))
    source = np.zeros(2100, np.int64)
    checks.check_evidence(
        [field], np.array([[0.05]]), source, [range(1023), range(1024), range(1025), range(2100)]
    )


def test_missing_values_tell_nothing() -> None:
    [field] = fields.Category().compile("x", *fields.encode(["a", None, "b", None, "a", "c"]))
    target = sampler.make_target([field], priors.DirichletProcess(1.0))
    psi = np.array([[0.1]])
    odds = (1.0 - psi) / psi
    inside = np.argsort(target.order)
    few = kernels.make_few()
    for with_missing, without in [((0, 1, 4), (0, 4)), ((0, 1, 2, 3), (0, 2)), ((1, 3), ())]:
        both = []
        for members in (with_missing, without):
            at = np.append(inside[list(members)], np.zeros(8, np.int64))
            both.append(log_marginal_of_few(at, len(members), target.evidence, odds, few))
        assert both[0] == both[1]
    at = inside[[1, 3]]
    assert called(slots.log_marginal_of_many)(at, 2, target.evidence, odds) == 0.0


def test_the_evidence_of_one_record_is_the_frequency_of_its_value() -> None:
    # Σ_y θ(y) P(x|y) / (ψ θ(x)), by hand for two values in equal shares: (½ (1−ψ) + ½ ψ) / (ψ ½) = 1/ψ.
    [field] = fields.Category().compile("x", *fields.encode(["a", "b"]))
    target = sampler.make_target([field], priors.DirichletProcess(1.0))
    odds = np.array([[(1.0 - 0.1) / 0.1]])
    at = np.zeros(8, np.int64)
    assert np.isclose(
        log_marginal_of_few(at, 1, target.evidence, odds, kernels.make_few()), np.log(10.0), atol=1e-12
    )
