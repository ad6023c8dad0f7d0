"""Records, truth and the list of errors agree with each other; seeds repeat, and parts keep to themselves."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie import InputError, Partition, priors
from coterie.simulation import Simulated, simulate
from coterie.simulation.columns import ADDRESS, COLUMNS

CLEAN: dict[str, Any] = dict.fromkeys(("moves", "renames", "swaps", "typos", "initials", "replaced", "missing"), 0)
LAWS = [
    priors.NBNB(a=1, q=0.99, r=2, p=0.3),
    priors.PERPS(alpha=40, lam=0.7),
    priors.DirichletProcess(theta=5),
    priors.PitmanYor(theta=1, delta=0.5),
    priors.FiniteDirichlet(m=30, gamma=0.5),
    priors.MixtureOfFiniteMixtures(gamma=0.7, components=priors.ShiftedPoisson(30)),
    priors.LinkageStructure(m=100),
    priors.NBD(a=1.5, q=0.4, mu=[0.5, 0.2, 0.2, 0.1]),
    priors.ESC(mu=priors.ShiftedPoisson(0.8)),
    priors.CompoundPoisson(alpha=50, mu=priors.LogSeries(0.4)),
]


def truths(made: Simulated) -> dict[str, list[str]]:
    """Return what each record would hold if nothing ever happened."""
    rows = made.truth["entity_id"].to_numpy() - 1
    return {name: made.entities[name].take(pa.array(rows)).to_pylist() for name in made.entities.column_names[1:]}


def changed_cells(made: Simulated) -> set[tuple[int, str]]:
    """Return the cells that differ from the truth."""
    ids = made.records["id"].to_pylist()
    return {
        (i, name)
        for name, cells in truths(made).items()
        for i, true, cell in zip(ids, cells, made.records[name].to_pylist(), strict=True)
        if true != cell
    }


def listed(made: Simulated) -> list[tuple[int, str, str]]:
    return list(zip(*(made.errors[name].to_pylist() for name in ("id", "column", "error")), strict=True))


def test_the_tables_have_the_columns_that_the_page_names() -> None:
    made = simulate(300, sources=("census", "survey"), extra=["email", "phone"], seed=1)
    assert made.records.column_names == ["id", "source", *COLUMNS, "phone", "email"]
    assert made.records["id"].to_pylist() == made.truth["id"].to_pylist() == list(range(1, 301))
    assert {str(field.type) for field in list(made.records.schema)[1:]} == {"string"}
    assert set(made.records["source"].to_pylist()) == {"census", "survey"}
    assert made.entities.column_names == ["entity_id", *COLUMNS, "phone", "email"]
    k = made.entities.num_rows
    assert made.entities["entity_id"].to_pylist() == list(range(1, k + 1))
    assert set(made.truth["entity_id"].to_pylist()) == set(range(1, k + 1))
    assert all(made.entities[name].null_count == 0 for name in COLUMNS)
    assert repr(made) == f"<Simulated: 300 records of {k} people, {made.errors.num_rows} changed cells>"


def test_without_errors_every_record_shows_the_truth() -> None:
    made = simulate(500, seed=2, extra=("phone", "email"), **CLEAN)
    assert changed_cells(made) == set()
    assert made.errors.num_rows == 0
    assert made.errors.schema == simulate(500, seed=2).errors.schema


@settings(max_examples=10)
@given(st.integers(1, 150), st.integers(0, 10**6), st.sampled_from([0.0, 0.02, 0.3]), st.sampled_from([0.0, 0.2]))
def test_the_list_of_errors_names_the_cells_that_differ_and_no_others(
    n: int, seed: int, rate: float, missing: float
) -> None:
    made = simulate(n, seed=seed, typos=rate, moves=rate, renames=rate, swaps=rate, replaced=rate, missing=missing)
    found = listed(made)
    assert len(set(found)) == len(found)
    assert found == sorted(found, key=lambda line: line[0])
    # Two errors in one cell may undo each other, once in thousands of cells.
    twice = {cell for cell, times in Counter(line[:2] for line in found).items() if times > 1}
    assert {line[:2] for line in found} - twice == changed_cells(made) - twice
    nulls = {
        (i, name)
        for name in COLUMNS
        for i, cell in zip(made.records["id"].to_pylist(), made.records[name].to_pylist(), strict=True)
        if cell is None
    }
    assert {(i, name) for i, name, error in found if error == "missing"} == nulls
    assert not twice & nulls


def test_the_same_seed_gives_the_same_records_and_another_one_others() -> None:
    first, second, other = (simulate(200, seed=seed) for seed in (3, 3, 4))
    for name in ("records", "truth", "entities", "errors"):
        assert getattr(first, name).equals(getattr(second, name))
    assert not first.records.equals(other.records)
    assert simulate(200, seed=np.random.default_rng(3)).records.equals(first.records)
    assert not simulate(50).records.equals(simulate(50).records)


def test_a_column_more_or_another_rate_changes_nothing_else() -> None:
    plain = simulate(400, seed=5, typos=0, replaced=0)
    more = simulate(400, seed=5, typos=0, replaced=0, extra="phone")
    assert more.records.drop_columns("phone").equals(plain.records)
    spoilt = simulate(400, seed=5, typos={"town": 0.5}, replaced=0)
    assert spoilt.truth.equals(plain.truth)
    assert spoilt.entities.equals(plain.entities)
    assert spoilt.records.drop_columns("town").equals(plain.records.drop_columns("town"))
    assert not spoilt.records["town"].equals(plain.records["town"])


def test_a_partition_keeps_its_sizes() -> None:
    made = simulate(Partition.from_sizes({1: 40, 2: 10, 7: 1}), seed=6)
    assert made.partition.size_counts == {1: 40, 2: 10, 7: 1}
    assert (
        made.partition.labels.tolist()
        == Partition.from_labels(made.truth["entity_id"].to_pylist()).labels.tolist()
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_every_law_gives_the_sizes(law: priors.Law) -> None:
    made = simulate(200, law=law, seed=7)
    assert made.partition.n == made.records.num_rows == 200
    # The law's own draw, from the same stream.
    stream = np.random.default_rng(7).spawn(1)[0]
    assert made.partition.size_counts == Counter(law.sample_sizes(200, draws=1, seed=stream)[0].tolist())


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("households", [0.0, 1.0])
def test_few_records(n: int, households: float) -> None:
    for seed in range(5):
        made = simulate(n, households=households, seed=seed, extra=("phone", "email"), typos=0.5)
        assert made.records.num_rows == n


def test_a_value_that_everybody_has_cannot_be_replaced_by_another_persons() -> None:
    made = simulate(1, seed=1, **CLEAN | {"replaced": 1.0})
    assert changed_cells(made) == set()
    assert made.errors.num_rows == 0


def test_ids_and_order_tell_nothing_about_people() -> None:
    made = simulate(Partition.from_sizes({2: 2000}), seed=8)
    entity = made.truth["entity_id"].to_numpy()
    # Of 3,999 neighbours about one is of the same person; 20 or more with a probability below 1e-16.
    assert np.sum(np.diff(entity) == 0) < 20
    assert abs(np.corrcoef(np.arange(4000), entity)[0, 1]) < 0.1


def test_numbers_of_people_tell_nothing_about_households() -> None:
    people = simulate(Partition.from_sizes({1: 3000}), households=1.0, seed=9).entities
    homes = list(zip(*(people[name].to_pylist() for name in ADDRESS), strict=True))
    # Somebody lives with two others or fewer in the mean: about 2 of 2,999 neighbours share a home, 20 never do.
    assert sum(one == other for one, other in pairwise(homes)) < 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "a whole number from 1 on for 'n'"),
        ({"n": 2.5}, "a whole number from 1 on for 'n'"),
        ({"n": Partition.from_sizes({1: 3}), "law": LAWS[0]}, "no law beside a partition"),
        ({"law": "NBNB"}, "a law of partitions, got 'NBNB'"),
        ({"typos": 1.5}, "a number from 0 to 1 for 'typos', got 1.5"),
        ({"typos": -0.1}, "a number from 0 to 1 for 'typos'"),
        ({"typos": "many"}, "a number from 0 to 1 for 'typos', got 'many'"),
        ({"typos": {"name": 0.1}}, "columns out of first_name, .* for 'typos', got 'name'"),
        ({"missing": {"town": 2}}, r"for \"missing\['town'\]\", got 2"),
        ({"missing": {"phone": 0.1}}, "columns out of .* got 'phone'"),
        ({"moves": 2}, "for 'moves', got 2"),
        ({"renames": float("nan")}, "for 'renames', got nan"),
        ({"initials": 7}, "for 'initials'"),
        ({"households": -1}, "for 'households'"),
        ({"swaps": 0.6, "noise": {"A": 2}}, "'swaps times the noise of a source', got 1.2"),
        ({"missing": 0.6, "typos": 0.5}, "add up to at most 1, got 1.1"),
        ({"typos": 0.4, "noise": {"B": 3}}, "add up to at most 1, got 1.3"),
        ({"noise": {"C": 3}}, "sources out of A, B for 'noise', got 'C'"),
        ({"noise": {"A": -3}}, "a number from 0 on for noise"),
        ({"noise": 3}, "a factor for some sources"),
        ({"extra": ["fax"]}, "'phone' or 'email' as extra columns, got 'fax'"),
        ({"sources": 0}, "a whole number from 1 on for 'sources'"),
        ({"sources": "census"}, "a number of sources, their names, or their shares, got 'census'"),
        ({"sources": ["a", "a"]}, "sources with different names"),
        ({"sources": []}, "one at least"),
        ({"sources": [1, 2]}, "names of sources as strings"),
        ({"sources": {"a": 1, "b": 0}}, r"a number above 0 for \"sources\['b'\]\""),
        ({"deduplicated": ["C"]}, "a source out of A, B as deduplicated, got 'C'"),
        ({"law": LAWS[2], "deduplicated": "AB"}, "a source out of A, B as deduplicated, got 'AB'"),
        ({"law": LAWS[2], "deduplicated": ["A", "B"]}, "at most 2 records of an entity"),
        ({"locale": "xx_XX"}, "a locale of which Faker knows names and addresses, got 'xx_XX'"),
        ({"locale": None}, "a locale of which"),
        ({"locale": "en_KE"}, "got 'en_KE', of which it does not"),
        ({"locale": "ja_JP"}, "hardly any names"),
        ({"locale": "ru_RU"}, "last names depend on the sex"),
        ({"seed": "now"}, "a seed that is a whole number"),
    ],
    ids=repr,
)
def test_what_cannot_be_made_up_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        simulate(**{"n": 100} | options)


@pytest.mark.parametrize("locale", ["en_GB", "de_DE", "fr_FR", "es_ES", "sv_SE", "zh_CN", "fa_IR"])
def test_other_countries(locale: str) -> None:
    made = simulate(200, locale=locale, seed=9, extra=("phone", "email"), typos=0.3)
    texts = {name: made.records[name].to_pylist() for name in made.records.column_names[1:]}
    assert all(cell is None or (cell and cell == cell.strip()) for cells in texts.values() for cell in cells)
    assert len(set(made.entities["last_name"].to_pylist())) > 30
    assert not any(number.startswith("0") for number in made.entities["house_number"].to_pylist())
