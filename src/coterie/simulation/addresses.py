"""Addresses whose parts belong together: a street lies in one town and has one postcode there."""

import numpy as np
from numpy.typing import NDArray

from coterie.simulation.columns import ADDRESS, Column, Integers
from coterie.simulation.locale import Country

# So many dwellings of the file lie in a street, and so many streets have the same postcode.
DWELLINGS_OF_STREET = 12
STREETS_OF_POSTCODE = 8
FEWEST_STREETS = 3
# Town r of the ranking by size has a share proportional to r^-0.8: some large ones, and many small ones.
TOWN_SIZES = 0.8
# Names of streets repeat from town to town.
MOST_STREET_NAMES = 4000
HOUSE_NUMBERS = 400
# Of so many postcodes for each that is used, neighbours go to the same town, so that they begin alike.
POSTCODES_TO_CHOOSE_FROM = 4
FEWEST_POSTCODES = 2000


class Addresses:
    """All streets, each with its town and postcode, for a file of so many dwellings."""

    def __init__(self, rng: np.random.Generator, country: Country, dwellings: int) -> None:
        self._towns = country.towns(max(2, round(np.sqrt(dwellings))))
        shares = 1.0 / np.arange(1, len(self._towns) + 1) ** TOWN_SIZES
        shares /= shares.sum()
        streets = np.maximum(FEWEST_STREETS, np.rint(shares * dwellings / DWELLINGS_OF_STREET)).astype(np.int64)
        self._shares, self._streets = np.cumsum(shares), streets
        self._first_street = np.cumsum(streets) - streets
        self._names = country.streets(min(MOST_STREET_NAMES, int(streets.sum())))
        self._name = rng.integers(len(self._names), size=streets.sum())
        self._postcodes, self._postcode = _postcodes(rng, country, streets)
        self._numbers, self._number = np.unique(country.house_numbers(HOUSE_NUMBERS), return_inverse=True)

    def draw(self, rng: np.random.Generator, size: int) -> Integers:
        """Draw addresses: a row each, with the codes of its parts."""
        town = np.searchsorted(self._shares, rng.random(size) * self._shares[-1], side="right")
        street = self._first_street[town] + rng.integers(self._streets[town])
        number = self._number[rng.integers(len(self._number), size=size)]
        return np.column_stack([self._name[street], number, town, self._postcode[street]])

    def columns(self, codes: Integers) -> dict[str, Column]:
        """Return the columns of rows of codes."""
        values = (self._names, self._numbers, self._towns, self._postcodes)
        return {name: Column(codes[:, k], values[k]) for k, name in enumerate(ADDRESS)}


def _postcodes(rng: np.random.Generator, country: Country, streets: Integers) -> tuple[NDArray[np.str_], Integers]:
    """Return the postcodes, ascending, and which one each street has: a town has a run of neighbours."""
    of_town = -(-streets // STREETS_OF_POSTCODE)
    needed = int(of_town.sum())
    codes = country.postcodes(max(FEWEST_POSTCODES, POSTCODES_TO_CHOOSE_FROM * needed))
    # Towns stand along the list in random order, with what is not needed evenly between them.
    order = rng.permutation(len(streets))
    before = np.empty(len(streets), np.int64)
    before[order] = np.cumsum(of_town[order]) - of_town[order]
    place = np.empty(len(streets), np.int64)
    place[order] = np.arange(len(streets))
    start = before + max(0, len(codes) - needed) * place // len(streets)
    town = np.repeat(np.arange(len(streets)), streets)
    within = np.arange(len(town)) - np.repeat(np.cumsum(streets) - streets, streets)
    # A country with few postcodes has to use some of them in two towns.
    return codes, (start[town] + within // STREETS_OF_POSTCODE) % len(codes)
