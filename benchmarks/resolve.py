"""From a table to entities with nothing configured: how near the truth, how sure, how long, how much memory.

    python benchmarks/resolve.py [--data FOLDER] [--only NAME] [--quick]

FOLDER (or COTERIE_DATA) holds labelled tables that are not ours to pass on; without it, only made-up people are
resolved. No column of truth is shown to the program. Each line is a process of its own. Compiled code is cached
after the first line, which says so.

Below, whether the intervals of `expected_scores` hold what they promise: made-up people are resolved many times,
and the true precision and recall should lie in the 90 % interval nine times in ten. The first line has errors as
the model has them, independent of each other; the others say how far off it is where they are not.
"""

import argparse
import csv
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from measuring import SEED, heading

import coterie as ct
from coterie.resolution.progress import Silent

# What the rows of a file are called, what of it is not shown, and who is who.
Truth = Callable[[dict[str, str]], str]


class File(NamedTuple):
    """A labelled table, and how well it should be resolved."""

    hidden: tuple[str, ...]
    truth: Truth
    f1: float


def _column(name: str) -> File:
    return File((name,), lambda row: row[name], 0.98)


FILES = {
    "RLdata500": _column("ent_id"),
    "RLdata10000": _column("ent_id")._replace(f1=0.975),
    "italy_friuli_789": _column("id"),
    "febrl_dataset2": File(("rec_id", "soc_sec_id"), lambda row: row["rec_id"].split("-")[1], 0.99),
    "febrl_dataset3": File(("rec_id", "soc_sec_id"), lambda row: row["rec_id"].split("-")[1], 0.99),
    "synthetic_mu0.1_dist1_10000": _column("uid")._replace(f1=0.93),
}
PEOPLE = {"people 2,000": 2_000, "people 10,000": 10_000}
QUICK = {"people 300": 300}
# No more than a minute for ten thousand records on two cores.
SECONDS = 60.0
INDEPENDENT = {"households": 0, "moves": 0, "swaps": 0, "renames": 0}
CALIBRATED: dict[str, dict[str, Any]] = {
    "independent errors": INDEPENDENT,
    "and moves": {**INDEPENDENT, "moves": 0.1},
    "and households": {**INDEPENDENT, "households": 0.5},
    "and swapped names": {**INDEPENDENT, "swaps": 0.01},
    "as simulated by default": {},
}
WORDS = ct.fields.Text(cutoff=0.6)
HOME = ct.fields.Group(
    street=ct.fields.Text(), house_number=ct.fields.Text(), town=WORDS, postcode=ct.fields.Text()
)
PERSON = ct.Model(
    fields={
        "first_name": WORDS,
        "last_name": WORDS,
        "sex": ct.fields.Category(),
        "birth_date": ct.fields.Date(),
        "home": HOME,
    },
    source="source",
)


class Line(NamedTuple):
    """What one table gave."""

    n: int
    people: int
    count: tuple[float, float, float]
    precision: float
    recall: float
    f1: float
    expected: Any
    wall: float
    cpu: float
    peak: float
    stages: dict[str, float]
    verdict: str


class Stages(Silent):
    """Adds up the seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.now, self.begun = "", time.perf_counter()

    def stage(self, what: str) -> None:
        """Begin another one."""
        end = time.perf_counter()
        if self.now:
            self.seconds[self.now] = self.seconds.get(self.now, 0.0) + end - self.begun
        self.now, self.begun = what, end

    def pace(self, pace: Any) -> None:
        """Tell warm-up and draws apart."""
        part = "warm-up" if pace.warming else "draws"
        if part != self.now:
            self.stage(part)

    def close(self) -> None:
        """End the last one."""
        self.stage("")


def load(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    """Return the rows of a file, and the names of its columns."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, skipinitialspace=True))
    return rows, list(rows[0])


def from_file(name: str, folder: Path) -> tuple[pa.Table, list[str]]:
    """Return a table without what tells the truth, and the truth."""
    rows, names = load(folder / f"{name}.csv")
    shown = [column for column in names if column not in FILES[name].hidden]
    cells = {column: [None if row[column] in ("", "NA") else row[column] for row in rows] for column in shown}
    return pa.table(cells), [FILES[name].truth(row) for row in rows]


def people(n: int, seed: int, options: dict[str, Any]) -> tuple[pa.Table, list[Any]]:
    """Return made-up people, and who is who."""
    made = ct.simulate(n, seed=seed, **options)
    return made.records.drop_columns(["id"]), made.truth["entity_id"].to_pylist()


def resolve(table: pa.Table, truth: list[Any], model: ct.Model | None = None, **options: Any) -> Line:
    """Resolve a table, and hold the result against the truth."""
    stages = Stages()
    source = "source" if "source" in table.column_names else None
    begin, busy = time.perf_counter(), time.process_time()
    posterior = ct.resolve(table, model, source=source, seed=SEED, progress=stages, **options)
    entities = posterior.entities()
    wall, cpu = time.perf_counter() - begin, time.process_time() - busy
    scores = ct.evaluate(entities["entity_id"].to_pylist(), truth)
    k = posterior.entity_count
    low, high = sorted(k)[len(k) // 20], sorted(k)[-len(k) // 20]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Line(
        table.num_rows,
        len(set(truth)),
        (float(k.mean()), float(low), float(high)),
        scores.precision,
        scores.recall,
        scores.f1,
        posterior.expected_scores(),
        wall,
        cpu,
        peak,
        stages.seconds,
        posterior.verdict,
    )


def one(name: str, folder: Path | None, options: dict[str, Any]) -> Line:
    """Resolve one table in a process of its own."""
    n = (PEOPLE | QUICK).get(name)
    if n is not None or folder is None:
        return resolve(*people(n or 0, SEED, {}), **options)
    return resolve(*from_file(name, folder), **options)


def alone(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a fresh process, so that time and memory are its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(call, *arguments).result()


def tables(names: list[str], folder: Path | None, options: dict[str, Any]) -> bool:
    """Print the table of results; return whether all were as good, and as fast, as they should be."""
    heading("Resolved with nothing configured")
    print(
        f"{'data':28}{'N':>7}{'entities':>9}  {'|C| (90 %)':24}{'P':>6}{'R':>6}{'F1':>6}{'aim':>6}"
        f"  {'expected P':18}{'expected R':18}{'wall':>6}{'CPU':>6}{'MB':>6}"
    )
    good = True
    for name in names:
        line: Line = alone(one, name, folder, options)
        aim = FILES[name].f1 if name in FILES else float("nan")
        good &= not line.f1 < aim and line.wall < SECONDS
        k, low, high = line.count
        shown = [
            f"{x.mean:.3f} ({x.low:.3f}–{x.high:.3f})" for x in (line.expected.precision, line.expected.recall)
        ]
        print(
            f"{name:28}{line.n:7,}{line.people:9,}  {f'{k:,.0f} ({low:,.0f}–{high:,.0f})':24}{line.precision:6.3f}"
            f"{line.recall:6.3f}{line.f1:6.3f}{aim:6.3f}  {shown[0]:22}{shown[1]:22}"
            f"{line.wall:6.1f}{line.cpu:6.1f}{line.peak:6,.0f}"
        )
        print("    " + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in line.stages.items()))
        print("    " + line.verdict.splitlines()[1], flush=True)
    return good


def calibrated(n: int, times: int, options: dict[str, Any]) -> None:
    """Print how often precision and recall lie in their intervals."""
    heading(f"In the 90 % interval, of {times} tables of {n:,} made-up records each")
    print(f"{'errors':28}{'precision':>10}{'mean':>9}{'expected':>9}{'recall':>8}{'mean':>9}{'expected':>9}")
    for what, noise in CALIBRATED.items():
        lines = [resolve(*people(n, SEED + at, noise), PERSON, **options) for at in range(times)]
        shown = f"{what:28}"
        for of, width in (("precision", 10), ("recall", 8)):
            expected, true = [getattr(line.expected, of) for line in lines], [getattr(line, of) for line in lines]
            held = sum(e.low <= value <= e.high for e, value in zip(expected, true, strict=True))
            shown += f"{held:{width}}{sum(true) / times:9.4f}{sum(e.mean for e in expected) / times:9.4f}"
        print(shown, flush=True)


def main() -> int:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("COTERIE_DATA"))
    parser.add_argument("--only", help="the name of one table, or 'calibration'")
    parser.add_argument("--quick", action="store_true", help="a few hundred people, to see that it works")
    arguments = parser.parse_args()
    folder = None if arguments.data is None else Path(arguments.data)
    options: dict[str, Any] = {"chains": 2, "draws": 50, "tune": 50} if arguments.quick else {}
    if folder is None:
        print("No folder of labelled tables was given (--data, or COTERIE_DATA): made-up people only.")
    names = [*(FILES if folder else ()), *(QUICK if arguments.quick else PEOPLE)]
    if arguments.only:
        names = [name for name in names if name == arguments.only]
    good = tables(names, folder, options)
    if arguments.only in (None, "calibration"):
        calibrated(
            *((300, 2) if arguments.quick else (1_000, 20)), options or {"chains": 2, "draws": 200, "tune": 100}
        )
    return 0 if good or arguments.quick else 1


if __name__ == "__main__":
    sys.exit(main())
