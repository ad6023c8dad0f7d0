"""Every error happens as often as was asked for.

A line here is wrong about good code with probability 1e-6 at most, by the exact binomial law.
"""

from typing import Any

import numpy as np
import pytest
from faker import Faker

from coterie import Partition
from coterie.simulation import Simulated, simulate
from coterie.simulation.columns import ADDRESS, COLUMNS
from coterie.simulation.dates import DAYS, swapped
from frequencies import FALSE_ALARM, two_sided

CLEAN: dict[str, Any] = dict.fromkeys(("moves", "renames", "swaps", "typos", "initials", "replaced", "missing"), 0)


def assert_rate(count: int, of: int, rate: float) -> None:
    p = two_sided(np.array([count]), of, np.array([rate]))[0]
    assert p > FALSE_ALARM, f"{count} of {of}, where {of * rate:.1f} were expected"


def count(made: Simulated, error: str, column: str) -> int:
    errors, columns = made.errors["error"].to_pylist(), made.errors["column"].to_pylist()
    return sum((error, column) == line for line in zip(errors, columns, strict=True))


def test_missing_cells_typos_and_initials() -> None:
    n = 6000
    made = simulate(n, seed=1, **CLEAN | {"missing": 0.1, "typos": 0.2, "initials": 0.15})
    for column in COLUMNS:
        assert_rate(count(made, "missing", column), n, 0.1)
        assert_rate(made.records[column].null_count, n, 0.1)
        assert_rate(count(made, "typo", column), n, 0.02 if column == "sex" else 0.2)
    assert_rate(count(made, "initial", "first_name"), n, 0.15)
    assert sum(made.errors["error"].to_numpy(zero_copy_only=False) == "initial") == count(
        made, "initial", "first_name"
    )


def test_a_rate_of_its_own_for_a_column() -> None:
    n = 4000
    rates = {"typos": {"sex": 0.3, "town": 0.1}, "missing": {"town": 0.2}, "replaced": {"birth_date": 0.4}}
    made = simulate(n, seed=2, **CLEAN | rates)
    assert_rate(count(made, "typo", "sex"), n, 0.3)
    assert_rate(count(made, "typo", "town"), n, 0.1)
    assert_rate(count(made, "missing", "town"), n, 0.2)
    assert_rate(count(made, "replaced", "birth_date"), n, 0.4)
    named = {("typo", "sex"), ("typo", "town"), ("missing", "town"), ("replaced", "birth_date")}
    pairs = zip(made.errors["error"].to_pylist(), made.errors["column"].to_pylist(), strict=True)
    assert set(pairs) == named


def test_replaced_cells_are_always_different_and_as_common_as_among_people() -> None:
    n = 20_000
    made = simulate(n, seed=3, **CLEAN | {"replaced": 0.3, "sources": 1})
    rows = made.truth["entity_id"].to_numpy() - 1
    for column in COLUMNS:
        assert_rate(count(made, "replaced", column), n, 0.3)
    true = made.entities["town"].to_numpy(zero_copy_only=False)[rows]
    cells = made.records["town"].to_numpy(zero_copy_only=False)
    towns, counts = np.unique(true, return_counts=True)
    share = counts / n
    # Given the truth y, a replacement is x ≠ y with probability θ(x)/(1−θ(y)), where θ counts records.
    largest = int(np.argmax(share))
    elsewhere = (true != cells) & (true != towns[largest])
    chance = share[largest] / (1 - share[np.searchsorted(towns, true[elsewhere])])
    expected, variance = chance.sum(), (chance * (1 - chance)).sum()
    # Six standard deviations, 2e-9 by the normal law.
    assert abs((cells[elsewhere] == towns[largest]).sum() - expected) < 6 * np.sqrt(variance)


def test_moves_change_the_address_for_good() -> None:
    made = simulate(Partition.from_sizes({3: 3000}), seed=4, households=0.3, **CLEAN | {"moves": 0.2})
    entity = made.truth["entity_id"].to_numpy() - 1
    homes = np.array(list(zip(*(made.records[name].to_pylist() for name in ADDRESS), strict=True)), object)
    first = np.array(list(zip(*(made.entities[name].to_pylist() for name in ADDRESS), strict=True)), object)
    moved = np.any(homes != first[entity], axis=1)
    # After two records the chance of a move is 1 − 0.8² in all; both later records are elsewhere after the first.
    later = np.bincount(entity, moved, minlength=3000).astype(int)
    assert set(later) == {0, 1, 2}
    assert_rate((later == 0).sum(), 3000, 0.8**2)
    assert_rate((later == 1).sum(), 3000, 0.8 * 0.2)
    by_person = [{tuple(home) for home in homes[rows]} for rows in np.split(np.argsort(entity), 3000)]
    # Those with two later records elsewhere moved once, or twice.
    assert_rate(sum(len(of_one) == 3 for of_one in by_person), 3000, 0.2**2)
    errors = set(zip(made.errors["id"].to_pylist(), made.errors["error"].to_pylist(), strict=True))
    assert errors == {(i, "moved") for i in made.records["id"].to_numpy()[moved].tolist()}


def test_renames() -> None:
    made = simulate(Partition.from_sizes({2: 5000}), seed=5, **CLEAN | {"renames": 0.3})
    share = Faker("en_US").provider("faker.providers.person").last_names
    total = sum(share.values())
    # A new name is drawn like any other, and may be the old one.
    chance = np.array([0.3 * (1 - share[name] / total) for name in made.entities["last_name"].to_pylist()])
    changed = count(made, "renamed", "last_name")
    # Five standard deviations, 6e-7 by the normal law.
    assert abs(changed - chance.sum()) < 5 * np.sqrt((chance * (1 - chance)).sum())
    assert changed == made.errors.num_rows


def test_swaps() -> None:
    n = 10_000
    made = simulate(n, seed=6, **CLEAN | {"swaps": 0.2})
    rows = made.truth["entity_id"].to_numpy() - 1
    true = {
        name: made.entities[name].to_numpy(zero_copy_only=False)[rows]
        for name in ("first_name", "last_name", "birth_date")
    }
    cells = {name: made.records[name].to_numpy(zero_copy_only=False) for name in true}
    can = true["first_name"] != true["last_name"]
    hit = cells["first_name"] != true["first_name"]
    assert_rate(hit.sum(), can.sum(), 0.2)
    assert (cells["first_name"][hit] == true["last_name"][hit]).all()
    assert (cells["last_name"][hit] == true["first_name"][hit]).all()
    assert count(made, "swapped", "first_name") == count(made, "swapped", "last_name") == hit.sum()
    day, month = (np.array([date[part] for date in true["birth_date"]]) for part in (slice(8, 10), slice(5, 7)))
    can = (day <= "12") & (day != month)
    hit = cells["birth_date"] != true["birth_date"]
    assert_rate(hit.sum(), can.sum(), 0.2)
    numbers = np.searchsorted(DAYS, true["birth_date"][hit].astype(str))
    assert (DAYS[swapped(numbers)] == cells["birth_date"][hit]).all()


@pytest.mark.parametrize("factor", [0.0, 0.5, 3.0])
def test_a_source_may_be_noisier_than_others(factor: float) -> None:
    rates = {"typos": 0.1, "missing": 0.1, "swaps": 0.1}
    made = simulate(8000, sources=("census", "survey"), noise={"survey": factor}, seed=7, **CLEAN | rates)
    source = dict(zip(made.records["id"].to_pylist(), made.records["source"].to_pylist(), strict=True))
    lines = zip(*(made.errors[name].to_pylist() for name in ("id", "column", "error")), strict=True)
    of_town = [(source[i], error) for i, column, error in lines if column == "town"]
    for name, by in (("census", 1.0), ("survey", factor)):
        size = made.records["source"].to_pylist().count(name)
        for error in ("typo", "missing"):
            assert_rate(of_town.count((name, error)), size, 0.1 * by)


def test_households_share_an_address_and_mostly_a_name() -> None:
    alone, together = (
        simulate(Partition.from_sizes({1: 5000}), households=share, seed=8, **CLEAN).entities
        for share in (0.0, 1.0)
    )
    sizes = {}
    for name, people in (("alone", alone), ("together", together)):
        homes: dict[tuple[str, ...], list[int]] = {}
        for i, home in enumerate(zip(*(people[part].to_pylist() for part in ADDRESS), strict=True)):
            homes.setdefault(home, []).append(i)
        sizes[name] = np.bincount([len(living) for living in homes.values()], minlength=5)
        if name == "together":
            last, sex, born = (people[part].to_pylist() for part in ("last_name", "sex", "birth_date"))
            couples = [living for living in homes.values() if len(living) == 2]
    # By chance two people live at one address: of 12.5 million pairs, some hundreds.
    assert sizes["alone"][1] > 4200
    assert sizes["together"][1] < 10
    shares = sizes["together"][2:5] / sizes["together"][2:5].sum()
    assert np.abs(shares - [0.5, 0.25, 0.25]).max() < 0.08
    assert 0.80 < np.mean([last[i] == last[j] for i, j in couples]) < 0.90
    assert 0.93 < np.mean([sex[i] != sex[j] for i, j in couples]) < 1.0
    assert max(born) < "2024-01-01"
    assert min(born) > "1928"
