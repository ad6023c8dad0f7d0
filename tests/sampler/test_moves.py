"""Every move keeps the posterior: π P = π over all partitions, with P followed through the sampler's own code."""

import math

import numpy as np
import pytest

from coterie import fields, priors
from coterie.fields import Compiled
from laws import COMMON
from sampler import checks, records, scenes
from sampler.scenes import Case, make_case

N = 5


def rates(telling: list[Compiled], sources: int = 1, seed: int = 1) -> np.ndarray:
    """Return some rates of distortion."""
    return np.random.default_rng(seed).uniform(0.05, 0.4, (len(telling), sources))


def with_nothing(n: int) -> list[Compiled]:
    """Return fields of n records, of which the second one has no value at all."""
    columns = {"name": ["anna", None, "anne", "anna", "bob", "bab"], "state": ["x", None, None, "x", "y", "y"]}
    kinds = {"name": fields.Text(cutoff=0.5, slip=0.4), "state": fields.Category()}
    return [c for name, kind in kinds.items() for c in kind.compile(name, *fields.encode(columns[name][:n]))]


@pytest.mark.parametrize("name", COMMON)
def test_every_law(name: str) -> None:
    telling = records.compiled(N)
    case = make_case(COMMON[name], telling, rates(telling))
    found = checks.check_chaperones(case)
    checks.check_split_merge(case)
    checks.check_quick_way(case)
    checks.check_reaches_all(case, found)


@pytest.mark.parametrize("name", [name for name, law in COMMON.items() if law.product_form is not None][::3])
def test_given_u(name: str) -> None:
    telling = records.compiled(N)
    case = make_case(COMMON[name], telling, rates(telling), u=1.3)
    checks.check_chaperones(case)
    checks.check_split_merge(case)
    checks.check_quick_way(case)


def constrained(law: priors.Law, what: str) -> Case:
    """Return a case with constraints; where they leave too many partitions, of five records."""
    n = 5 if what == "apart" else 6
    telling = with_nothing(n) if what in ("nothing", "everything") else records.compiled(n)
    source = ["a", "b", "a", "b", "b", "b"]
    given: dict[str, dict] = {
        "together": {"together": [(0, 4)]},
        "three together": {"together": [(0, 4), (4, 2)]},
        "apart": {"apart": [(0, 1), (2, 4)]},
        "deduplicated": {"source": source, "deduplicated": ("b",)},
        "nothing": {},
        "everything": {
            "source": source,
            "deduplicated": ("b",),
            "together": [(0, 3)],
            "apart": [(2, 5)],
        },
    }
    sources = 2 if "source" in given[what] else 1
    return make_case(law, telling, rates(telling, sources), **given[what])


@pytest.mark.parametrize("law", ["nbnb", "finite-dirichlet"])
@pytest.mark.parametrize("what", ["together", "three together", "apart", "deduplicated", "nothing", "everything"])
def test_constraints(what: str, law: str) -> None:
    case = constrained(COMMON[law], what)
    found = checks.check_chaperones(case)
    found += checks.check_split_merge(case)
    checks.check_quick_way(case)
    checks.check_one_by_one(case)
    checks.check_reaches_all(case, found)


@pytest.mark.parametrize("law", ["pitman-yor", "esc-vector"])
def test_slots(law: str) -> None:
    telling = records.compiled(N)
    with scenes.everybody_in_slots():
        case = make_case(COMMON[law], telling, rates(telling))
        checks.check_chaperones(case)
        checks.check_split_merge(case)


@pytest.mark.parametrize("what", ["three together", "apart", "everything"])
def test_slots_with_constraints(what: str) -> None:
    with scenes.everybody_in_slots():
        case = constrained(COMMON["nbnb"], what)
        checks.check_chaperones(case)
        checks.check_split_merge(case)


def test_more_than_a_few_records_in_few_units() -> None:
    # Three units of three records each: a cluster of two of them has slots, whatever the border of few members is.
    telling = records.compiled(8)
    pairs = [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7)]
    case = make_case(COMMON["nbnb"], telling, rates(telling), together=pairs)
    found = checks.check_chaperones(case) + checks.check_split_merge(case, 4)
    checks.check_one_by_one(case)
    checks.check_reaches_all(case, found)


def test_several_orders_of_split_and_merge() -> None:
    telling = records.compiled(N)
    checks.check_split_merge(make_case(COMMON["nbnb"], telling, rates(telling)), 6)


@pytest.mark.parametrize(("law", "u"), [("nbnb", None), ("pitman-yor", 2.1)])
def test_six_records(law: str, u: float | None) -> None:
    telling = records.compiled(6)
    case = make_case(COMMON[law], telling, rates(telling), u=u)
    found = checks.check_chaperones(case)
    if u is None:
        checks.check_split_merge(case)
    checks.check_quick_way(case)
    checks.check_reaches_all(case, found)


@pytest.mark.parametrize("law", ["nbnb-small", "finite-dirichlet-few", "nbd-short"])
def test_one_record_after_another(law: str) -> None:
    telling = records.compiled(6)
    checks.check_one_by_one(make_case(COMMON[law], telling, rates(telling)))


def test_a_step_reads_nothing_but_the_partition() -> None:
    """What led to a partition has no say: stale entries of the work space change no probability."""
    telling = records.compiled(N)
    case = make_case(COMMON["nbnb"], telling, rates(telling))
    labels = scenes.first_labels([0, 1, 0, 1, 0])
    fresh = scenes.arrivals(case.scene, False, 0, 3, labels)
    for before in list(case.posterior)[::7]:
        scenes.arrivals(case.scene, True, 1, 2, before, lambda m: list(range(m)))
        case.scene.work.bench.memo[:] = 123.0
        case.scene.work.bench.trial[:] = 123.0
        assert scenes.arrivals(case.scene, False, 0, 3, labels) == fresh


def test_the_posterior_is_worth_the_test() -> None:
    """No partition has nearly all the probability, so that a wrong move would be seen."""
    telling = records.compiled(N)
    case = make_case(COMMON["nbnb"], telling, rates(telling))
    assert max(case.posterior.values()) < 0.5
    assert -sum(p * math.log(p) for p in case.posterior.values()) > 1.5
