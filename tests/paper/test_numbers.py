"""Appendix D and section 4: what is printed beside what comes out, and the sentences that follow from it."""

from types import MappingProxyType

import pytest

from coterie import Partition, fit, priors
from coterie.paper import findings, models, numbers
from coterie.paper.models import FAMILIES
from coterie.paper.numbers import remark_on
from coterie.paper.published import MFM_COMPONENTS, MICROCLUSTERING, PARAMETERS, PARTITIONS

# Section 8 of the design has these; they are recomputed from the paper's own figures.
RECOMPUTED = {
    ("simulated, NBNB", "r"): "→ 0",
    ("simulated, NBNB", "a"): "→ ∞",
    ("simulated, PERPS", "λ"): "0.214556",
    ("simulated, PERPS", "α"): "23,304.0",
    ("simulated, MFM", "γ"): "0.279219",
    ("simulated, DP", "θ"): "21,719.1",
    ("simulated, PYP", "θ"): "9,166.65",
    ("simulated, PYP", "δ"): "0.541436",
    ("SHIW, NBNB", "r"): "→ ∞",
    ("SHIW, NBNB", "a"): "→ ∞",
    ("SHIW, NBNB", "p"): "→ 0",
    ("SHIW, PERPS", "λ"): "0.623806",
    ("SHIW, PERPS", "α"): "1,264.82",
    ("SHIW, MFM", "γ"): "0.0105334",
    ("SHIW, DP", "θ"): "1,037.40",
    ("SHIW, PYP", "θ"): "1,037.40",
    ("SHIW, PYP", "δ"): "0",
}


@pytest.mark.parametrize(
    ("text", "value", "remark"),
    [
        ("0.624", 0.62381, "agrees to the printed digits"),
        ("0.624", 0.62349, "differs by −0.082 %"),
        ("0.9999", 0.99999986, "agrees if the digits were cut off, not rounded"),
        ("9200", 9166.65, "differs by −0.36 %, agrees if the last zeros were rounding"),
        ("9200", 9100.0, "differs by −1.1 %"),
        ("0", 0.0, "agrees to the printed digits"),
        ("0", 0.7, "agrees if the digits were cut off, not rounded"),
        ("0", 1.7, "differs"),
        ("2.955e-5", 2.9554e-5, "agrees to the printed digits"),
        ("2.955e-5", 2.9566e-5, "differs by +0.054 %"),
    ],
)
def test_how_a_printed_number_is_compared(text, value, remark):
    assert remark_on(text, value) == remark


def test_every_number_of_appendix_d_is_there(results):
    rows = {(row.where, row.what): row for row in results.appendix_d}
    printed = {
        (f"{name}, {model}", numbers.SYMBOLS.get(key, key)): value
        for (name, model), values in PARAMETERS.items()
        for key, value in values.items()
    }
    assert {key: row.published for key, row in rows.items() if row.published != "not printed"} == printed
    assert rows.keys() - printed.keys() == {("simulated, PERPS", "α"), ("SHIW, PERPS", "α")}
    assert all(row.remark for row in rows.values())


def test_what_is_known_of_appendix_d(results):
    rows = {(row.where, row.what): row.recomputed for row in results.appendix_d}
    assert {key: rows[key] for key in RECOMPUTED} == RECOMPUTED


def test_another_printed_number_disagrees(results, monkeypatch):
    other = dict(PARAMETERS) | {("simulated", "DP"): {"theta": "30000"}}
    monkeypatch.setattr(numbers, "PARAMETERS", MappingProxyType(other))
    [row] = [row for row in numbers.appendix_d(results.fits) if row.where == "simulated, DP"]
    assert row.remark == "differs by −28 %"


def test_another_fit_disagrees(results):
    other = fit(priors.DirichletProcess, Partition.from_sizes({1: 10, 2: 5}))
    rows = numbers.appendix_d(results.fits | {("SHIW", "DP"): other})
    changed = [row for row, before in zip(rows, results.appendix_d, strict=True) if row != before]
    assert [row.where for row in changed] == ["SHIW, DP"]
    assert changed[0].remark.startswith("differs by ")
    told = findings.concentrations(results._replace(fits=results.fits | {("SHIW", "DP"): other}))
    assert "That does not hold throughout" in told


def test_the_summary_counts_the_remarks(results):
    before = findings.in_short(results)[0]
    assert before.startswith(
        "Of the 18 parameters of appendix D, 7 agree to the printed digits, 4 differ, and 7 have"
    )
    rows = [row._replace(remark="differs by +1 %") for row in results.appendix_d]
    after = findings.in_short(results._replace(appendix_d=rows))[0]
    assert "0 agree to the printed digits, 11 differ, and 7 have" in after


def test_the_share_of_singletons_is_counted(monkeypatch):
    assert (
        "66 % are singletons, not 74 %; 74.4 % is clusters over records, 587/789" in findings.share_of_singletons()
    )
    as_printed = {"SHIW": Partition.from_sizes({1: 463, 2: 163})}
    monkeypatch.setattr(findings, "PARTITIONS", as_printed)
    assert findings.share_of_singletons() == "Of the SHIW clusters 74 % are singletons, as printed."


def test_section_4_and_appendix_c(results):
    remarks = [row.remark for row in results.other_numbers if row.published != "not printed"]
    assert sum(remark == numbers.AGREES for remark in remarks) == len(remarks) - 1
    assert (MICROCLUSTERING.r, MICROCLUSTERING.p) == pytest.approx((6, 1 / 3))


def test_the_ridge_is_told_only_where_there_is_one(results):
    assert "no maximum but rises for a → ∞, r → 0" in findings.ridges(results)
    inside = [row._replace(boundary=(), limit="") for row in results.evidence]
    fits = results.fits | {(name, "NBNB"): results.fits[name, "PERPS"] for name in PARTITIONS}
    text = findings.ridges(results._replace(evidence=inside, fits=fits))
    assert "no maximum" not in text
    assert "a → ∞" not in text
    assert text.count("a maximum inside") == 2


def test_log_probabilities(results):
    rows = {(row.partition, row.model): row for row in results.evidence}
    assert rows["simulated", "NBNB"].published == pytest.approx(-5466.58, abs=5e-3)
    assert rows["simulated", "NBNB"].supremum == pytest.approx(-5464.68, abs=5e-3)
    assert rows["SHIW", "NBNB"].published == pytest.approx(-1612.26, abs=5e-3)
    assert rows["SHIW", "NBNB"].supremum == pytest.approx(-1611.25, abs=5e-3)
    assert all(row.supremum >= row.published for row in rows.values())


def test_the_ranking_follows_the_numbers(results):
    assert findings.rank(results, "simulated").startswith(
        "By log P(C_N | N) PYP fits the simulated partition best"
    )
    rows = [row._replace(given_n=0.0) if row.model == "MFM" else row for row in results.evidence]
    told = findings.rank(results._replace(evidence=rows), "simulated")
    assert told.startswith("By log P(C_N | N) MFM fits the simulated partition best: MFM (0.00), PYP (−5451.55)")


def test_the_printed_q(results):
    printed, meant = results.printed_q
    assert meant.one_minus_q == pytest.approx(1.396e-7, rel=1e-3)
    # E N = K r p/(1−p) is what was observed where q is the one that was meant, and next to nothing as printed.
    assert meant.records == pytest.approx(5_000, rel=1e-3)
    assert printed.records < 10
    assert "With four decimals that is 1.0000, but the paper prints 0.9999" in findings.printed_q(results)


def test_a_q_that_is_printed_as_it_rounds(results, monkeypatch):
    other = dict(PARAMETERS) | {("simulated", "NBNB"): {"q": "1.0000"}}
    monkeypatch.setattr(findings, "PARAMETERS", other)
    assert "1.0000, which is what the paper prints" in findings.printed_q(results)


def test_which_law_of_k_agrees_is_computed(results):
    fixed, poisson, geometric, uniform = models.COMPONENTS
    told = findings.components(results)
    assert f"within 1 % of the printed one: {fixed}; {poisson}. These do not: {geometric}; {uniform}." in told
    swapped = dict(results.components)
    for name in PARTITIONS:
        swapped[name, fixed], swapped[name, uniform] = swapped[name, uniform], swapped[name, fixed]
    told = findings.components(results._replace(components=swapped))
    assert f"within 1 % of the printed one: {poisson}; {uniform}. These do not: {fixed}; {geometric}." in told


@pytest.mark.parametrize(("name", "model"), PARAMETERS)
def test_published_laws_have_the_printed_parameters(name, model):
    law = models.published_law(name, model)
    assert isinstance(law, FAMILIES[model][0])
    for key, value in PARAMETERS[name, model].items():
        # q = 0.9999 cannot be meant; see above.
        assert float(law.parameters[key]) == pytest.approx(float(value), rel=2e-4 if key == "q" else 1e-12)


def test_the_law_of_k_is_the_one_that_gives_the_printed_gamma():
    assert FAMILIES["MFM"][1] == {"components": priors.Exactly(MFM_COMPONENTS)}
