"""The generator of noisy records."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from coterie.partition import Partition
from coterie.priors import Law
from coterie.seeds import Seed, generator
from coterie.simulation.cells import spoil, swap
from coterie.simulation.columns import COLUMNS, CONTACTS, Column
from coterie.simulation.keyboard import Keyboard
from coterie.simulation.lives import Lives, move, rename
from coterie.simulation.locale import Country
from coterie.simulation.options import (
    Rate,
    check_columns,
    check_noise,
    check_rate,
    check_rates,
    check_sources,
    draw_sizes,
)
from coterie.simulation.people import draw_people
from coterie.simulation.simulated import Simulated, tabulate
from coterie.simulation.sources import check_sizes, draw_sources

# Each part draws from a stream of its own, so that a column more, or a rate that is changed, changes nothing else.
PEOPLE = ("sizes", "lists", "households", "places", "homes", "sexes", "names", "births", *CONTACTS)
RECORDS = ("sources", "moves", "renames", "swaps", "entities", "rows")
PARTS = (*PEOPLE, *RECORDS, *(f"cells of {name}" for name in (*COLUMNS, *CONTACTS)))


def simulate(
    n: int | Partition = 2000,
    *,
    law: Law | None = None,
    sources: int | Sequence[str] | Mapping[str, float] = 2,
    deduplicated: Iterable[str] = (),
    extra: Iterable[str] = (),
    households: float = 0.5,
    moves: float = 0.1,
    renames: float = 0.02,
    swaps: float = 0.01,
    typos: Rate = 0.05,
    initials: float = 0.01,
    replaced: Rate = 0.002,
    missing: Rate = 0.03,
    noise: Mapping[str, float] | None = None,
    locale: str = "en_US",
    seed: Seed = None,
) -> Simulated:
    """Make up people, and noisy records of them in several sources, with the truth.

    Names, towns and streets come from Faker's lists for a locale, names with their frequencies where it has them;
    who is called what and lives where is random, and nobody is meant. The same seed gives the same records with
    the same versions of Faker and numpy.

    Parameters
    ----------
    n
        The number of records, or the partition of them: the sizes of its clusters are kept.
    law
        The law of the partition, which is drawn exactly, given n. By default 65, 23, 8 and 4 % of the people have
        1, 2, 3 and 4 records, as far as the sources allow that.
    sources
        How many sources there are, their names, or their names with their shares of the records.
    deduplicated
        Sources that hold nobody twice. A record that comes to one that has its person already goes to another one.
    extra
        ``"phone"`` and ``"email"`` are there if you ask for them.
    households
        The share of people who live with others: couples, of whom 85 % share a last name, and their children.
    moves, renames
        The chance that somebody moves to another address, or takes another last name, between a record and the
        next one. Later records have the new one.
    swaps
        The chance that first and last name of a record are exchanged, and likewise day and month of birth.
    typos
        The chance that a cell is mistyped: a letter left out, put in, replaced by a neighbour on the keyboard, or
        two swapped. In a date it is a digit, or the year; the result is a date. A number holds for all columns
        but sex, which is wrong a tenth as often; a mapping, ``{"last_name": 0.1}``, for those that it names.
    initials
        The chance that the first name is an initial only.
    replaced
        The chance that a cell has a different value, somebody else's. A number or a mapping.
    missing
        The chance that a cell is empty. A number or a mapping.
    noise
        A factor for some sources, ``{"survey": 2}``, by which the rates from ``swaps`` to ``missing`` are
        multiplied.
    locale
        The country, as Faker names it.
    seed
        A whole number to repeat the draws.

    Examples
    --------
    >>> import coterie as ct
    >>> people = ct.simulate(1000, sources=("census", "survey"), deduplicated=["census"], seed=1)
    >>> people.records.column_names
    ['id', 'source', 'first_name', 'last_name', 'sex', 'birth_date', 'street', 'house_number', 'town', 'postcode']
    >>> people.partition.n, max(people.partition.size_counts)
    (1000, 4)
    """
    columns = check_columns(extra)
    where = check_sources(sources, deduplicated)
    factors = check_noise(noise, where)
    rates = check_rates(columns, missing, replaced, initials, typos, float(factors.max()))
    sharing, moving = check_rate("households", households), check_rate("moves", moves)
    renaming, swapping = check_rate("renames", renames), check_rate("swaps", swaps)
    check_rate("swaps times the noise of a source", swapping * float(factors.max()))
    rngs = dict(zip(PARTS, generator(seed).spawn(len(PARTS)), strict=True))
    country = Country(locale, rngs["lists"])
    sizes = draw_sizes(rngs["sizes"], n, law, where)
    check_sizes(sizes, where)

    people = draw_people(rngs, country, len(sizes), sharing, columns)
    person = np.repeat(np.arange(len(sizes)), sizes)
    lives = Lives(np.arange(len(person)) - np.repeat(np.cumsum(sizes) - sizes, sizes))
    source = draw_sources(rngs["sources"], person, lives.rank, where)
    truth = {name: column.take(person) for name, column in people.columns.items()}

    records, factor = dict(truth), factors[source]
    events = move(rngs["moves"], records, lives, moving, people.addresses)
    events += rename(rngs["renames"], records, lives, renaming, people.draw_last_names)
    events += swap(rngs["swaps"], records, swapping * factor)
    keys = Keyboard(locale.split("_")[0])
    for name in columns:
        rng = rngs[f"cells of {name}"]
        records[name], found = spoil(rng, name, records[name], truth[name], rates[name], factor, keys)
        events += found

    number, order = rngs["entities"].permutation(len(sizes)), rngs["rows"].permutation(len(person))
    with_source = {"source": Column(source, np.array(where.names))} | records
    return tabulate(with_source, person, people.columns, events, number, order)
