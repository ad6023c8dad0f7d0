"""Tables of records for the benchmarks, labelled with who is who: from files, and made up."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from coterie import candidates, fields, proposal, tables
from coterie.fields.compiled import Compiled
from fields import misspelt, names

SEED = 2015
# Larger blocks join nothing.
LARGEST_BLOCK = 100


class Table(NamedTuple):
    """Compiled fields, candidate pairs (None: all pairs), and the entity of each record."""

    fields: list[Compiled]
    pairs: np.ndarray | None
    truth: np.ndarray


def compiled(kinds: dict[str, fields.Category | fields.Text], columns: dict[str, Any]) -> list[Compiled]:
    """Compile columns."""
    return [field for name, kind in kinds.items() for field in kind.compile(name, *fields.encode(columns[name]))]


# --- candidate pairs -------------------------------------------------------------------------------------------


def join(columns: Sequence[Compiled], keys: Sequence[str]) -> np.ndarray:
    """Return the pairs of records that agree in all columns of some key, such as "last year"."""
    codes = {column.name: column.codes for column in columns}
    n = columns[0].codes.size
    found = []
    for key in keys:
        block, known = np.zeros(n, np.int64), np.ones(n, bool)
        for name in key.split():
            block = np.unique(block * (int(codes[name].max()) + 2) + codes[name], return_inverse=True)[1]
            known &= codes[name] >= 0
        found.append(pairs_in_blocks(np.flatnonzero(known), block[known], n))
    code = np.unique(np.concatenate(found))
    return np.column_stack([code // n, code % n])


def pairs_in_blocks(records: np.ndarray, block: np.ndarray, n: int) -> np.ndarray:
    """Return i·n + j for all records i < j of a block."""
    order = np.argsort(block, kind="stable")
    records, block = records[order], block[order]
    end = np.searchsorted(block, block, side="right")
    size = end - np.searchsorted(block, block, side="left")
    later = np.where(size <= LARGEST_BLOCK, end - np.arange(records.size) - 1, 0)
    first = np.repeat(np.arange(records.size), later)
    second = first + 1 + np.arange(first.size) - np.repeat(np.cumsum(later) - later, later)
    return records[first] * n + records[second]


# --- from files ------------------------------------------------------------------------------------------------

GERMAN = {
    "fname_c1": fields.Text(),
    "lname_c1": fields.Text(),
    "by": fields.Category(),
    "bm": fields.Category(),
    "bd": fields.Category(),
}
GERMAN_KEYS = ["fname_c1 lname_c1", "fname_c1 by", "lname_c1 by", "by bm bd", "fname_c1 bm bd", "lname_c1 bm bd"]


def labelled(folder: Path, name: str) -> Table:
    """Read a labelled table: RLdata500, RLdata10000, or the authors' extract of the SHIW (`italy_friuli_789`)."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {key: [None if row[key] in ("NA", "") else row[key] for row in rows] for key in rows[0]}
    if name.startswith("RLdata"):
        found = compiled(GERMAN, columns)
        return Table(found, join(found, GERMAN_KEYS), np.array(columns["ent_id"]))
    coded = {key: fields.Category() for key in columns if key != "id"}
    return Table(compiled(coded, columns), None, np.array(columns["id"]))


def with_chosen_pairs(table: Table) -> Table:
    """Return the table with the candidate pairs of the rules that the program chooses by itself."""
    columns = {}
    for field in table.fields:
        texts = [*map(str, field.values), None]  # the last one is for −1, a missing value
        columns[field.name] = [texts[code] for code in field.codes]
    read = tables.read(pa.table(columns))
    pairs = candidates.make(read, proposal.propose_for(read).model.block_on or list(columns))
    return table._replace(pairs=np.sort(read.row[pairs], axis=1))


# --- people ----------------------------------------------------------------------------------------------------

# The shares of people with one, two, three and four records.
RECORDS_OF_A_PERSON = [0.82, 0.13, 0.04, 0.01]
# What may happen to a value of a record that is not the first of its person, and to the address as a whole.
ERROR, MISSING, MOVED = 0.08, 0.03, 0.15
# The share of people who live with the person before them under the same last name, and of those the shares who
# have the first name as well, and the day of birth.
AT_HOME, JUNIOR, TWIN = 0.1, 0.02, 0.02
PEOPLE = {
    "first": fields.Text(),
    "last": fields.Text(),
    "year": fields.Category(),
    "month": fields.Category(),
    "day": fields.Category(),
    "town": fields.Category(),
    "postcode": fields.Category(),
}
PEOPLE_KEYS = [
    "first last year",
    "first last month day",
    "first last postcode",
    "last year month day",
    "first year month day",
    "first month day postcode",
    "last postcode month",
    "last postcode year",
    "last postcode day",
]


def zipf(rng: np.random.Generator, many: int, n: int, power: float = 0.8) -> np.ndarray:
    """Draw n numbers below ``many``, small ones more often."""
    share = np.arange(1, many + 1) ** -power
    return rng.choice(many, n, p=share / share.sum())


def households(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    """Return the true values of n people."""
    first, last = names(min(n, 3_000), SEED), names(min(n, 20_000), SEED + 1)
    town = zipf(rng, 2_000, n)
    person: dict[str, np.ndarray] = {
        "first": rng.permutation(first)[zipf(rng, first.size, n)],
        "last": rng.permutation(last)[zipf(rng, last.size, n)],
        "year": rng.integers(1930, 2011, n),
        "month": rng.integers(1, 13, n),
        "day": rng.integers(1, 29, n),
        "town": town,
        "postcode": town * 10 + rng.integers(0, 10, n),
    }
    home = rng.random(n) < AT_HOME
    home[0] = False
    # The last one before who does not live with anybody is whom they all live with.
    head = np.maximum.accumulate(np.where(home, 0, np.arange(n)))
    same = dict.fromkeys(("last", "town", "postcode"), home)
    same |= {"first": home & (rng.random(n) < JUNIOR)}
    same |= dict.fromkeys(("year", "month", "day"), home & (rng.random(n) < TWIN))
    return {name: values[np.where(same[name], head, np.arange(n))] for name, values in person.items()}


def people(n: int) -> Table:
    """Make up n records of people, a fifth of which are not the first of their person."""
    rng = np.random.default_rng(SEED)
    truth = np.repeat(np.arange(n), rng.choice([1, 2, 3, 4], n, p=RECORDS_OF_A_PERSON))[:n]
    again = np.append(False, truth[1:] == truth[:-1])
    elsewhere = np.where(again & (rng.random(n) < MOVED), rng.integers(0, n, n), truth)
    columns = {}
    for name, values in households(rng, n).items():
        column = values[elsewhere if name in ("town", "postcode") else truth].astype(object)
        wrong = np.flatnonzero(again & (rng.random(n) < ERROR))
        column[wrong] = (
            with_errors(rng, column[wrong]) if name in ("first", "last") else rng.choice(values, wrong.size)
        )
        column[rng.random(n) < MISSING] = None
        columns[name] = column
    found = compiled(PEOPLE, columns)
    return Table(found, join(found, PEOPLE_KEYS), truth)


def with_errors(rng: np.random.Generator, column: np.ndarray) -> list[str]:
    """Misspell names, each in one of two ways, as people do."""
    ways = {(value, k): misspelt(rng, value) for value in sorted(set(column)) for k in range(2)}
    return [ways[value, k] for value, k in zip(column, rng.integers(0, 2, column.size), strict=True)]


# --- citations -------------------------------------------------------------------------------------------------

CITATIONS = {"authors": fields.Text(), "title": fields.Text(), "venue": fields.Text(), "year": fields.Category()}


def citations(sizes: Sequence[int]) -> Table:
    """Make up citations of papers, of which each is cited so often, in many variants."""
    rng = np.random.default_rng(SEED)
    words = rng.permutation(names(2_000, SEED))
    venues = [" ".join(words[zipf(rng, 2_000, 4)]) for _ in range(40)]
    truth = np.repeat(np.arange(len(sizes)), sizes)
    rows = []
    for size in sizes:
        authors, title = list(words[zipf(rng, 2_000, 3)]), list(words[zipf(rng, 2_000, 7)])
        year, venue = 1980 + int(rng.integers(25)), venues[zipf(rng, 40, 1)[0]]
        variants = 1 + size // 5
        ways = [(varied(rng, authors), varied(rng, title), varied(rng, venue.split())) for _ in range(variants)]
        for _ in range(size):
            a, t, v = (ways[zipf(rng, variants, 1)[0]][part] for part in range(3))
            rows.append((a, t, v, year if rng.random() < 0.9 else year + int(rng.integers(-2, 3))))
    columns = dict(zip(CITATIONS, zip(*rows, strict=True), strict=True))
    return Table(compiled(CITATIONS, columns), None, truth)


def varied(rng: np.random.Generator, words: list[str]) -> str:
    """Return words with one misspelt or left out, as often as not."""
    kept = list(words)
    i = int(rng.integers(len(kept)))
    if rng.random() < 0.3:
        kept[i] = misspelt(rng, kept[i])
    elif rng.random() < 0.3:
        kept.pop(i)
    return " ".join(kept)


# --- scores ----------------------------------------------------------------------------------------------------


def pairs_together(labels: np.ndarray) -> int:
    """Return how many pairs of records are together."""
    counts = np.unique(labels, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def scores(labels: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """Return the pairwise precision and recall."""
    codes = np.unique(truth, return_inverse=True)[1]
    both = pairs_together(labels * (int(codes.max()) + 1) + codes)
    return both / max(1, pairs_together(labels)), both / pairs_together(codes)
