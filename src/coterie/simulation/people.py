"""People, who live alone or in households that share an address and, as a rule, a last name."""

import unicodedata
from typing import NamedTuple

import numpy as np

from coterie.simulation.addresses import Addresses
from coterie.simulation.columns import COLUMNS, CONTACTS, Column, Flags, Integers, Words
from coterie.simulation.dates import DAYS, day_number
from coterie.simulation.locale import Country, Pool

# Households of 2, 3 and 4 people; the first two are a couple, the others their children.
HOUSEHOLD_SIZES = (2, 3, 4)
HOUSEHOLD_SHARES = (0.5, 0.25, 0.25)
COUPLES_OF_ONE_NAME = 0.85
COUPLES_OF_TWO_SEXES = 0.97
# Ages in years on the day of the file: from 18 to 95, most of them in the middle, with a mean of about 49.
YOUNGEST, OLDEST, AGES = 18, 95, (1.2, 1.8)
YOUNGEST_COUPLE = 25
# How much older one of a couple is, as a standard deviation, and how old one has children.
YEARS_BETWEEN = 3.5
PARENTS = (18.0, 40.0)
TODAY = "2024-01-01"
YEAR = 365.25
SEXES = np.array(["F", "M"])
# Nobody is reached there: the area code 555 is given to nobody, and the domains are reserved for examples.
PHONE = "555 #### ####"
DOMAINS = ("example.com", "example.net", "example.org")


class Household(NamedTuple):
    """Who lives with whom: arrays over people."""

    number: Integers
    rank: Integers
    size: Integers

    @property
    def first(self) -> Integers:
        """The first person of the household."""
        return np.arange(len(self.rank)) - self.rank


class People(NamedTuple):
    """The people as they are in truth, before anybody wrote them down."""

    columns: dict[str, Column]
    addresses: Addresses
    # The country's last names, and the code that each one has in the columns.
    last: Pool
    code: Integers

    def draw_last_names(self, rng: np.random.Generator, size: int) -> Integers:
        """Draw the codes of last names."""
        return self.code[self.last.draw(rng, size)]


def draw_people(
    rngs: dict[str, np.random.Generator], country: Country, k: int, sharing: float, columns: tuple[str, ...]
) -> People:
    """Draw k people, of whom this share lives with others."""
    home = _households(rngs["households"], k, sharing)
    addresses = Addresses(rngs["places"], country, int(home.number[-1]) + 1)
    codes = addresses.draw(rngs["homes"], int(home.number[-1]) + 1)
    sex = _sexes(rngs["sexes"], home)
    names, code = _names(rngs["names"], country, home, sex)
    made = names | {"sex": Column(sex, SEXES), "birth_date": Column(_births(rngs["births"], home), DAYS)}
    made |= addresses.columns(codes[home.number])
    if "phone" in columns:
        made["phone"] = Column(np.arange(k), _phones(rngs["phone"], k))
    if "email" in columns:
        made["email"] = Column(np.arange(k), _emails(rngs["email"], names))
    chosen = {name: made[name] for name in (*COLUMNS, *CONTACTS) if name in made}
    return People(chosen, addresses, country.last, code)


def _households(rng: np.random.Generator, k: int, sharing: float) -> Household:
    """Put this share of people into households of two or more, and leave the others alone."""
    together = round(k * sharing)
    sizes = rng.choice(HOUSEHOLD_SIZES, p=HOUSEHOLD_SHARES, size=together // 2 + 1)
    sizes = sizes[: np.searchsorted(np.cumsum(sizes), together, side="right")]
    sizes = np.concatenate([sizes, np.ones(k - sizes.sum(), np.int64)])
    number = np.repeat(np.arange(len(sizes)), sizes)
    rank = np.arange(k) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return Household(number, rank, sizes[number])


def _sexes(rng: np.random.Generator, home: Household) -> Integers:
    """Draw sexes; couples are of two as a rule."""
    sex = rng.integers(2, size=len(home.rank))
    second = (home.rank == 1) & (rng.random(len(sex)) < COUPLES_OF_TWO_SEXES)
    return np.where(second, 1 - sex[home.first], sex)


def _names(
    rng: np.random.Generator, country: Country, home: Household, sex: Integers
) -> tuple[dict[str, Column], Integers]:
    """Draw names; both columns share one list of values, so that they can be swapped.

    Return the columns, and the code of each of the country's last names.
    """
    k = len(sex)
    female, male, last = country.female, country.male, country.last
    values, codes = np.unique(np.concatenate([female.words, male.words, last.words]), return_inverse=True)
    of_women, of_men, of_all = np.split(codes, np.cumsum([len(female.words), len(male.words)]))
    first_name = np.where(sex == 0, of_women[female.draw(rng, k)], of_men[male.draw(rng, k)])
    own = of_all[last.draw(rng, k)]
    keeps_own = (home.rank == 1) & (rng.random(k) >= COUPLES_OF_ONE_NAME)
    last_name = np.where(keeps_own, own, own[home.first])
    return {"first_name": Column(first_name, values), "last_name": Column(last_name, values)}, of_all


def _births(rng: np.random.Generator, home: Household) -> Integers:
    """Draw days of birth, as numbers of `DAYS`."""
    k = len(home.rank)
    ages = rng.beta(*AGES, size=k)
    youngest = np.where(home.size > 1, YOUNGEST_COUPLE, YOUNGEST)
    age = youngest + (OLDEST - youngest) * ages
    partner = np.clip(age[home.first] + YEARS_BETWEEN * rng.standard_normal(k), YOUNGEST_COUPLE, OLDEST)
    age = np.where(home.rank == 1, partner, age)
    # Children were born when the younger of their parents was between 18 and 40, and are born by now.
    parent = np.minimum(age[home.first], age[np.minimum(home.first + 1, k - 1)])
    latest = np.minimum(PARENTS[1], parent)
    child = parent - (PARENTS[0] + (latest - PARENTS[0]) * rng.random(k))
    age = np.where(home.rank > 1, child, age)
    return day_number(np.datetime64(TODAY)) - 1 - np.floor(age * YEAR).astype(np.int64)


def _phones(rng: np.random.Generator, k: int) -> Words:
    """Draw telephone numbers that belong to nobody."""
    letters = np.tile(np.array([ord(letter) for letter in PHONE], np.uint32), (k, 1))
    digits = np.flatnonzero(np.array(list(PHONE)) == "#")
    letters[:, digits] = ord("0") + rng.integers(10, size=(k, len(digits)))
    return letters.view(f"U{len(PHONE)}").ravel()


def _emails(rng: np.random.Generator, names: dict[str, Column]) -> Words:
    """Make addresses of names, such as anna.berg42@example.org."""
    values = np.array([_plain(word) for word in names["last_name"].values.tolist()])
    first, last = (values[names[name].codes] for name in ("first_name", "last_name"))
    number = rng.integers(100, size=len(first)).astype(str)
    domain = np.array(DOMAINS)[rng.integers(len(DOMAINS), size=len(first))]
    short: Flags = rng.random(len(first)) < 0.5
    begin = np.where(short, first.astype("U1"), np.char.add(first, "."))
    return np.char.add(np.char.add(np.char.add(begin, last), number), np.char.add("@", domain))


def _plain(word: str) -> str:
    """Return a word in lower case without accents, spaces and marks."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", word).lower() if letter.isalnum())
