"""``coterie fit``: the library's fits as text and as JSON, from typed sizes, files and pipes."""

import json

import pytest

from coterie import Partition, fit, priors
from coterie.cli import expressions

SHIW = "1:385,2:202"
PARTITION = Partition.from_sizes({1: 385, 2: 202})


def fits(result):
    assert (result.code, result.err) == (0, "")
    return {told["law"]: told for told in json.loads(result.out)["fits"]}


def test_json_holds_the_fit_to_all_digits(coterie):
    told = fits(coterie("fit", SHIW, "--law", "nbnb", "--law", "perps", "--json"))
    assert list(told) == ["NBNB", "PERPS"]
    for name, family in {"NBNB": priors.NBNB, "PERPS": priors.PERPS}.items():
        found = fit(family, PARTITION)
        assert expressions.law(told[name]["call"], {}) == found.law
        assert told[name]["log_prob"] == found.log_prob
        assert told[name]["log_prob_given_n"] == found.law.log_prob(PARTITION, given_n=True)
        assert told[name]["boundary"] == list(found.boundary)
        assert told[name]["limit_log_prob"] == found.limit_log_prob
        assert told[name]["limit"] == (None if found.limit is None else repr(found.limit))


def test_text_of_one_law_tells_the_boundary_and_the_limit(coterie):
    out = coterie("fit", SHIW, "--law", "nbnb").out
    assert "789 elements in 587 clusters; 385 of size 1, 202 of size 2" in out
    assert "boundary    a → ∞, r → ∞" in out
    assert "limit       PERPS(alpha=1264.8" in out
    assert "supremum    -1611.250" in out
    assert "boundary    none: a maximum" in coterie("fit", SHIW, "--law", "perps").out


def test_all_laws_are_compared_by_their_probability_given_n(coterie):
    told = fits(coterie("fit", SHIW, "--json"))
    assert set(told) == {family.__name__ for family in expressions.families()}
    assert "the law of K as 'components'" in told.pop("MixtureOfFiniteMixtures")["error"]
    values = [one["log_prob_given_n"] for one in told.values()]
    assert values == sorted(values, reverse=True)
    table = coterie("fit", SHIW).out
    assert "MixtureOfFiniteMixtures  not fitted. Expected the law of K" in table
    assert "boundary: delta = 0; supremum of log P -1646.566, the limit is DirichletProcess" in table


def test_laws_with_random_n_are_marked(coterie):
    random = {name for name, told in fits(coterie("fit", SHIW, "--json")).items() if told["n_is_random"]}
    assert random == {"NBNB", "PERPS", "NBD", "CompoundPoisson"}


def test_free_parameters_are_counted(coterie):
    told = fits(coterie("fit", SHIW, "--fix", "theta=9", "--fix", "mu=ShiftedNegBin", "--json"))
    assert {name: one["free"] for name, one in told.items() if "free" in one} == {
        "NBNB": 4,
        "PERPS": 2,
        "NBD": 4,
        "ESC": 2,
        "CompoundPoisson": 3,
        "DirichletProcess": 0,
        "PitmanYor": 1,
        "FiniteDirichlet": 2,
        "LinkageStructure": 1,
    }
    # Two sizes: one number says how many of them are single.
    assert fits(coterie("fit", SHIW, "--law", "esc", "--json"))["ESC"]["free"] == 1


def test_a_fixed_parameter_stays(coterie):
    told = fits(coterie("fit", SHIW, "--law", "pitman-yor", "--fix", "delta=0.25", "--json"))["PitmanYor"]
    assert told["parameters"]["delta"] == 0.25
    assert told["log_prob"] == fit(priors.PitmanYor, PARTITION, delta=0.25).log_prob


def test_a_fixed_parameter_goes_to_the_laws_that_have_it(coterie):
    told = fits(coterie("fit", SHIW, "--fix", "components=Exactly(100000)", "--json"))
    assert told["MixtureOfFiniteMixtures"]["parameters"]["components"] == "Exactly(m=100000)"
    assert told["PERPS"]["parameters"]["alpha"] == fit(priors.PERPS, PARTITION).law.alpha


def test_the_papers_method(coterie):
    told = fits(coterie("fit", SHIW, "--law", "nbnb", "--method", "nelder-mead", "--json"))["NBNB"]
    assert told["method"] == "nelder-mead"
    assert told["log_prob"] == fit(priors.NBNB, PARTITION, method="nelder-mead").log_prob


@pytest.mark.parametrize("how", ["--labels", "--sizes"])
def test_what_sample_writes_fit_reads(coterie, how):
    law = "NBNB(a=1, q=0.9, r=6, p=1/3)"
    written = coterie("sample", law, "-n", "300", "--draws", "2", "--seed", "5", how).out
    result = coterie("fit", "-", how, "--draw", "2", "--law", "perps", "--json", stdin=written)
    told = json.loads(result.out)
    drawn = json.loads(coterie("sample", law, "-n", "300", "--draws", "2", "--seed", "5", "--format", "json").out)[
        "draws"
    ][1]
    if how == "--sizes":
        assert told["size_counts"] == drawn["sizes"]
    assert told["n"] == 300


def test_a_fit_can_be_drawn_from(coterie):
    call = fits(coterie("fit", SHIW, "--law", "nbnb", "--json"))["NBNB"]["call"]
    assert coterie("sample", call, "-n", "789", "--seed", "1").code == 0


def test_a_fit_recovers_what_was_drawn(coterie):
    drawn = coterie("sample", "dirichlet-process", "theta=500", "-n", "20000", "--seed", "3").out
    told = fits(coterie("fit", "-", "--sizes", "--law", "dirichlet-process", "--json", stdin=drawn))
    # The information of N elements about log θ is about Σ θ i/(θ+i)² = 1,370, a standard deviation of 0.027:
    # five of them.
    assert told["DirichletProcess"]["parameters"]["theta"] == pytest.approx(500, rel=0.135)


def test_a_column_of_a_file(coterie, tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("name,entity\nAnn,7\nBob,8\nAnne,7\n\n")
    told = json.loads(coterie("fit", str(file), "--column", "entity", "--law", "perps", "--json").out)
    assert told["size_counts"] == {"1": 1, "2": 1}


def test_an_impossible_partition_is_null_in_json(coterie):
    told = fits(coterie("fit", SHIW, "--law", "compound-poisson", "--fix", "mu=1,", "--json"))
    assert told["CompoundPoisson"]["log_prob"] is None


def test_many_sizes_are_summed_up(coterie):
    out = coterie("fit", ",".join(f"{s}:1" for s in range(1, 40)), "--law", "perps").out
    assert "39 sizes from 1 to 39" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("1:0",), "whole numbers from 1 on, got 0"),
        (("1:x",), "size:clusters pairs or a file, got '1:x'"),
        (("1:1",), "a partition of two elements at least"),
        ((SHIW, "--law", "no-law"), "the name of a law of partitions, got 'no-law'"),
        ((SHIW, "--law", "perps", "--fix", "theta=1"), "the name of a parameter to fix, got 'theta'"),
        ((SHIW, "--fix", "thet=1"), "the name of a parameter to fix, got 'thet'"),
        ((SHIW, "--fix", "theta"), "a parameter as name=value, got 'theta'"),
        ((SHIW, "--law", "mixture-of-finite-mixtures"), "the law of K as 'components', got nothing"),
    ],
)
def test_what_is_not_possible(refused, arguments, message):
    assert message in refused("fit", *arguments, code=1)


@pytest.mark.parametrize("arguments", [(), (SHIW, "--method", "guess"), (SHIW, "--draw", "0"), (SHIW, "more")])
def test_wrong_usage(refused, arguments):
    assert "coterie fit --help" in refused("fit", *arguments, code=2)
