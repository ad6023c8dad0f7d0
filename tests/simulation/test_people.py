"""People have names with their frequencies, ages that fit, and addresses that belong together."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from faker import Faker

from coterie import Partition
from coterie.simulation import Simulated, simulate
from coterie.simulation.columns import ADDRESS
from coterie.simulation.dates import DAYS
from coterie.simulation.locale import Country
from coterie.simulation.people import _births, _households
from frequencies import assert_drawn_from


@pytest.fixture(scope="module")
def made() -> Simulated:
    return simulate(Partition.from_sizes({1: 20_000}), households=0.0, seed=1, extra=("phone", "email"))


def test_names_have_the_frequencies_of_the_lists(made: Simulated) -> None:
    person = Faker("en_US").provider("faker.providers.person")
    last = made.entities["last_name"].to_pylist()
    total = sum(person.last_names.values())
    assert_drawn_from(last, {name: share / total for name, share in person.last_names.items()})
    women = [
        name
        for name, sex in zip(
            made.entities["first_name"].to_pylist(), made.entities["sex"].to_pylist(), strict=True
        )
        if sex == "F"
    ]
    total = sum(person.first_names_female.values())
    assert_drawn_from(women, {name: share / total for name, share in person.first_names_female.items()})
    assert_drawn_from(made.entities["sex"].to_pylist(), {"F": 0.5, "M": 0.5})


def test_a_list_without_frequencies_counts_a_name_once() -> None:
    country = Country("de_DE", np.random.default_rng(1))
    names = Faker("de_DE").provider("faker.providers.person").last_names
    assert len(names) > len(set(names))  # Faker has some twice
    assert set(country.last.words.tolist()) == set(names)
    counts = Counter(names)
    shares = np.diff(country.last.shares, prepend=0.0)
    assert shares.tolist() == [counts[name] for name in country.last.words.tolist()]


def test_a_postcode_lies_in_one_town(made: Simulated) -> None:
    town_of, postcodes_of = defaultdict(set), defaultdict(set)
    for town, postcode in zip(
        made.entities["town"].to_pylist(), made.entities["postcode"].to_pylist(), strict=True
    ):
        town_of[postcode].add(town)
        postcodes_of[town].add(postcode)
    assert {len(towns) for towns in town_of.values()} == {1}
    assert len(postcodes_of) == round(np.sqrt(20_000))
    # The large towns have several, and they are neighbours: they begin alike.
    most = max(postcodes_of.values(), key=len)
    assert len(most) > 10
    assert len({postcode[:2] for postcode in most}) <= 2


def test_a_street_of_a_town_has_one_postcode_as_a_rule(made: Simulated) -> None:
    postcodes = defaultdict(set)
    for street, _, town, postcode in zip(*(made.entities[name].to_pylist() for name in ADDRESS), strict=True):
        postcodes[street, town].add(postcode)
    # Now and then two streets of a town have the same name.
    assert np.mean([len(of_street) == 1 for of_street in postcodes.values()]) > 0.85
    assert len({street for street, _ in postcodes}) < len(postcodes)


def test_towns_have_very_different_sizes(made: Simulated) -> None:
    ranked = sorted(Counter(made.entities["town"].to_pylist()).values(), reverse=True)
    assert ranked[0] > 15 * ranked[-1]


def test_nobody_can_be_reached(made: Simulated) -> None:
    phones, emails = (made.entities[name].to_pylist() for name in ("phone", "email"))
    assert all(phone.startswith("555 ") and phone.replace(" ", "").isdigit() for phone in phones)
    assert {len(phone) for phone in phones} == {13}
    assert len(set(phones)) > 0.99 * len(phones)
    assert {email.split("@")[1] for email in emails} == {"example.com", "example.net", "example.org"}
    for email, last in zip(emails, made.entities["last_name"].to_pylist(), strict=True):
        assert last.lower() in email


def test_households_are_couples_and_their_children() -> None:
    home = _households(np.random.default_rng(2), 20_000, 0.6)
    assert home.number[-1] + 1 == len(set(home.number.tolist()))
    assert np.bincount(home.number)[home.number].tolist() == home.size.tolist()
    assert home.rank.max() == 3
    assert 12_000 - 3 <= np.sum(home.size > 1) <= 12_000
    sizes = home.size[home.rank == 0]
    assert_drawn_from(sizes[sizes > 1].tolist(), {2: 0.5, 3: 0.25, 4: 0.25})


def test_ages_are_those_of_people() -> None:
    home = _households(np.random.default_rng(3), 20_000, 0.7)
    born = DAYS[_births(np.random.default_rng(4), home)].astype("datetime64[D]")
    years = (np.datetime64("2024-01-01") - born).astype(int) / 365.25
    day = 1 / 365
    alone = years[home.size == 1]
    assert 18 - day < alone.min() < alone.max() < 95 + day
    assert 45 < alone.mean() < 53
    heads = np.flatnonzero((home.rank == 0) & (home.size > 1))
    first, second = years[heads], years[heads + 1]
    assert min(first.min(), second.min()) > 25 - day
    # |X| has mean 3.5 √(2/π) = 2.8 years, a little less where an age was too high or too low.
    assert 2.5 < np.abs(first - second).mean() < 2.9
    children = np.flatnonzero(home.rank > 1)
    parent = years[home.first[children]]
    other = years[home.first[children] + 1]
    at_birth = np.minimum(parent, other) - years[children]
    assert 18 - day < at_birth.min() < at_birth.max() < 40 + day
    assert years[children].min() > 0
