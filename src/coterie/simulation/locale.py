"""What Faker keeps of a country: names with their frequencies, towns, streets, postcodes and house numbers.

Faker (MIT licence) holds the lists. It would take minutes to call it for each of a million records, so it fills a
pool of each kind once, and numpy draws from the pools.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from faker import Faker
from faker.config import AVAILABLE_LOCALES
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.simulation.columns import Integers, Words

# With fewer names than this, strangers with the same name would be the rule.
FEWEST_NAMES = 50
# Where Faker has no more to give, this many calls without anything new are enough.
CALLS_FOR_ONE = 5
LISTS = ("first_names_female", "first_names_male", "last_names")


class Pool(NamedTuple):
    """Distinct words, and the running sum of their shares."""

    words: Words
    shares: NDArray[np.float64]

    def draw(self, rng: np.random.Generator, size: int) -> Integers:
        """Draw the codes of words, each in proportion to its share."""
        return np.searchsorted(self.shares, rng.random(size) * self.shares[-1], side="right")


class Country:
    """The pools of a locale."""

    def __init__(self, locale: str, rng: np.random.Generator) -> None:
        self._faker = _faker(locale)
        self._faker.seed_instance(int(rng.integers(2**32)))
        person = self._faker.provider("faker.providers.person")
        self.female, self.male, self.last = (_pool(getattr(person, name)) for name in LISTS)

    def towns(self, size: int) -> Words:
        """Return the distinct names of so many towns, or as many as there are."""
        return self._distinct(self._faker.city, size)

    def streets(self, size: int) -> Words:
        """Return distinct names of streets."""
        return self._distinct(self._faker.street_name, size)

    def postcodes(self, size: int) -> Words:
        """Return distinct postcodes, ascending."""
        codes = self._distinct(self._faker.postcode, size)
        # Of some countries Faker writes them in several ways, with a space and without. A country has one.
        lengths = np.char.str_len(codes)
        return np.sort(codes[lengths == Counter(lengths.tolist()).most_common(1)[0][0]])

    def house_numbers(self, size: int) -> Words:
        """Return house numbers, as often as Faker has them."""
        numbers = [self._faker.building_number() for _ in range(size)]
        return np.array([number for number in numbers if not number.startswith("0")] or numbers)

    def _distinct(self, make: Callable[[], str], size: int) -> Words:
        """Call Faker until there are enough different words, or nothing new comes any more."""
        found: dict[str, None] = {}
        for _ in range(CALLS_FOR_ONE * size):
            if len(found) == size:
                break
            found[make()] = None
        return np.array(list(found))


def _faker(locale: object) -> Faker:
    """Return Faker for a locale that has what is needed."""
    expected = "a locale of which Faker knows names and addresses"
    hint = "Pass one such as 'en_US', 'en_GB', 'de_DE', 'es_ES', 'fr_FR', 'it_IT', 'nl_NL' or 'sv_SE'."
    if not isinstance(locale, str) or locale not in AVAILABLE_LOCALES:
        raise InputError(expected, repr(locale), hint)
    faker = Faker(locale)
    person, address = (faker.provider(f"faker.providers.{name}") for name in ("person", "address"))
    # Where it has nothing of a country, Faker takes what it has of the United States.
    if person.__lang__.split("_")[0] != locale.split("_")[0] or address.__lang__ != locale:
        raise InputError(expected, f"{locale!r}, of which it does not", hint)
    if any(len(getattr(person, name, None) or ()) < FEWEST_NAMES for name in LISTS):
        raise InputError(expected, f"{locale!r}, of which it has hardly any names", hint)
    # A family with one name for women and another one for men has no name of the family to hand on.
    if hasattr(person, "last_names_female"):
        raise InputError(expected, f"{locale!r}, where last names depend on the sex", hint)
    return faker


def _pool(names: Any) -> Pool:
    """Return the pool of a list of Faker's, which has shares or counts each name once."""
    shares: dict[str, float] = {}
    for name, share in names.items() if isinstance(names, Mapping) else ((name, 1.0) for name in names):
        shares[name] = shares.get(name, 0.0) + float(share)
    return Pool(np.array(list(shares)), np.cumsum(list(shares.values())))
