"""How fast fields compile, how much memory that takes, and what the joins of similar values miss.

    python benchmarks/fields.py [--quick]

Names are made of syllables, two of five with a typing error; addresses of such names. Each line is a process of
its own, which compiles the kernels with a small column before the clock starts, so that the peak is its own.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from coterie import fields
from coterie.fields import join, strings, text

SEED = 2015
CONSONANTS = [*"bcdfghjklmnprstvwz", "ch", "sch", "th", "br", "st", "tr", "kr", "gr"]
SYLLABLES = np.array(["".join(pair) for pair in product(CONSONANTS, [*"aeiou", "ei", "au", "ie"])], object)
ENDINGS = np.array(["", "n", "r", "s", "l", "mann", "sen"], object)
STREETS = np.array(["street", "road", "lane", "way", "avenue"], object)
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"), object)


class Line(NamedTuple):
    """One thing measured."""

    what: str
    limit: float
    seconds: float
    distinct: int
    entries: int
    megabytes: float


def misspelt(rng: np.random.Generator, name: str) -> str:
    """Return a name with one typing error."""
    i, letter = int(rng.integers(len(name))), str(LETTERS[rng.integers(26)])
    return [
        name[:i] + letter + name[i + 1 :],
        name[:i] + name[i + 1 :],
        name[:i] + letter + name[i:],
        name[:i] + name[i : i + 2][::-1] + name[i + 2 :],
    ][rng.integers(4)]


def names(n: int, seed: int) -> np.ndarray:
    """Return n distinct names; common syllables are a dozen times as common as rare ones."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, len(SYLLABLES) + 1) ** 0.6
    share = rng.permutation(share) / share.sum()
    made: dict[str, None] = {}
    while len(made) < n:
        drawn = SYLLABLES[rng.choice(len(SYLLABLES), (n, 4), p=share)]
        for syllables, many, end in zip(drawn, rng.integers(2, 5, n), rng.choice(ENDINGS, n), strict=True):
            name = "".join(syllables[:many]) + end
            made[name] = None
            if rng.random() < 0.4:
                made[misspelt(rng, name)] = None
    return np.array(sorted(list(made)[:n]), object)


def addresses(n: int, seed: int) -> dict[str, np.ndarray]:
    """Return the parts of the addresses of n records of 0.8 n homes, with typing errors and gaps."""
    rng = np.random.default_rng(seed)
    homes, streets, towns = int(0.8 * n), names(40_000, seed), names(2_000, seed + 1)
    town, street = rng.integers(0, 2_000, homes) ** 2 // 2_000, rng.integers(0, 40_000, homes)
    parts = {
        "street": streets[street] + " " + STREETS[street % 5],
        "number": np.minimum(rng.pareto(1.5, homes) * 20, 998).astype(int) + 1,
        "town": towns[town],
        "postcode": np.array([f"{t:04}{s % 3}" for t, s in zip(town, street, strict=True)], object),
    }
    who = np.concatenate([np.arange(homes), rng.integers(0, homes, n - homes)])
    columns = {}
    for part, column in parts.items():
        values = column[who].astype(object)
        if part in {"street", "town"}:
            for i in np.flatnonzero((rng.random(n) < 0.15) & (np.arange(n) >= homes)):
                values[i] = misspelt(rng, values[i])
        values[rng.random(n) < 0.05] = None
        columns[part] = values
    return columns


def one_line(n: int, seed: int) -> np.ndarray:
    """Return n addresses in one line each."""
    parts = addresses(n, seed)
    rows = zip(*(parts[part] for part in ("number", "street", "town")), strict=True)
    return np.array([" ".join(str(value) for value in row if value is not None) for row in rows], object)


# --- time and memory -------------------------------------------------------------------------------------------


def compile_column(kind: fields.Field, column: Sequence[Any]) -> tuple[int, int]:
    """Encode and compile one column; return how many values and how many similar pairs, both ways about."""
    [compiled] = kind.compile("field", *fields.encode(column))
    return compiled.size, len(compiled.similar)


def compile_group(columns: dict[str, np.ndarray]) -> tuple[int, int]:
    """Encode and compile an address."""
    home = fields.Group(
        street=fields.Text(), number=fields.Category(), town=fields.Text(), postcode=fields.Category()
    )
    [compiled] = home.compile("home", {part: fields.encode(column) for part, column in columns.items()})
    return compiled.size, len(compiled.similar)


def encode_all(columns: list[np.ndarray]) -> tuple[int, int]:
    """Encode columns."""
    return sum(len(fields.encode(column)[1]) for column in columns), 0


def seven_columns(n: int) -> list[np.ndarray]:
    """Return seven columns of people: names, numbers, a date, an address."""
    rng = np.random.default_rng(SEED)
    first, last = names(min(n, 5_000), SEED), names(min(n, 100_000), SEED + 1)
    days = np.datetime64("1930-01-01") + rng.integers(0, 30_000, n)
    people = [first[rng.integers(0, len(first), n)], last[rng.integers(0, len(last), n)], days.astype(str)]
    return [*people, *addresses(n, SEED).values()]


MEASURED: dict[str, tuple[float, Callable[[int], Any], Callable[[Any], tuple[int, int]]]] = {
    "Text, names": (120.0, lambda n: names(n, SEED), lambda column: compile_column(fields.Text(), column)),
    "Text, addresses in one line": (
        300.0,
        lambda n: one_line(n, SEED),
        lambda column: compile_column(fields.Text(), column),
    ),
    "Number, within 2 of a million": (
        10.0,
        lambda n: np.random.default_rng(SEED).integers(0, 1_000_000, n),
        lambda column: compile_column(fields.Number(2), column),
    ),
    "Date": (
        20.0,
        lambda n: np.datetime64("1900-01-01") + np.random.default_rng(SEED).integers(0, 40_000, n),
        lambda column: compile_column(fields.Date(), column),
    ),
    "Group, four parts": (120.0, lambda n: addresses(n, SEED), compile_group),
    "encode, seven columns of twice as many": (15.0, lambda n: seven_columns(2 * n), encode_all),
}


def measure(what: str, n: int) -> Line:
    """Measure one thing, in a process of its own."""
    limit, make, work = MEASURED[what]
    work(make(2_000))
    made = make(n)
    start = time.perf_counter()
    distinct, entries = work(made)
    took = time.perf_counter() - start
    # Kilobytes on Linux, bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return Line(what, limit, took, distinct, entries, peak)


# --- recall ----------------------------------------------------------------------------------------------------


def recall() -> None:
    """Compare what the joins find with comparing all with all."""
    n = 10_000
    few = sorted(names(n, SEED))
    long = sorted({f"{a} {b}" for a, b in zip(names(n, SEED + 2), names(n, SEED + 3), strict=True)})
    long = sorted(set(long) | {misspelt(np.random.default_rng(k), name) for k, name in enumerate(long[::3])})[:n]
    print(f"\nRecall of the joins among {n:,} strings\n")
    print(f"{'similarity':24}{'strings':20}{'cutoff':>8}{'pairs':>10}{'found':>10}{'recall':>10}")
    for cutoff in (0.7, 0.75, 0.8, 0.9):
        for what, forms in {"names": few, "two names": long}.items():
            exact = strings.all_pairs(forms, strings.EDIT, cutoff)
            joined = strings.compare(forms, text.few_errors(forms, cutoff), strings.EDIT, cutoff)
            report("edit", what, cutoff, exact.codes(len(forms)), joined.codes(len(forms)))
    exact = strings.all_pairs(few, strings.JARO_WINKLER, text.JARO_WINKLER_CUTOFF)
    near = join.distinct(np.concatenate([text.near(few), join.beginning_alike(few, text.BEGINNING)]))
    joined = strings.compare(few, near, strings.JARO_WINKLER, text.JARO_WINKLER_CUTOFF)
    report("jaro-winkler", "names", text.JARO_WINKLER_CUTOFF, exact.codes(len(few)), joined.codes(len(few)))


def report(similarity: str, what: str, cutoff: float, exact: np.ndarray, joined: np.ndarray) -> None:
    """Print one line of recall."""
    share = np.isin(exact, joined).mean()
    print(f"{similarity:24}{what:20}{cutoff:8}{len(exact):10,}{len(joined):10,}{share:10.4f}")


def main() -> int:
    """Print all tables; fail when a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="50,000 values instead of 500,000")
    quick = parser.parse_args().quick
    n = 50_000 if quick else 500_000
    print(f"Compiling {n:,} values or records\n")
    print(f"{'what':40}{'distinct':>11}{'entries':>13}{'limit, s':>10}{'s':>8}{'peak, MB':>10}  held")
    missed = 0
    context = multiprocessing.get_context("spawn")
    for what in MEASURED:
        with ProcessPoolExecutor(1, mp_context=context) as process:
            line = process.submit(measure, what, n).result()
        held = line.seconds < line.limit
        missed += not held
        print(
            f"{line.what:40}{line.distinct:11,}{line.entries:13,}{line.limit:10.0f}{line.seconds:8.1f}"
            f"{line.megabytes:10,.0f}  {'yes' if held else 'NO'}",
            flush=True,
        )
    recall()
    return 1 if missed and not quick else 0


if __name__ == "__main__":
    sys.exit(main())
