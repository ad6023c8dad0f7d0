"""How fast the sampler is, how it moves, what it needs, and how near it comes to the truth.

    python benchmarks/sampler.py [--quick] [--data DIR]

Without --data, or the variable COTERIE_DATA, made-up tables stand for the labelled ones. Everything is measured in
one run on one machine, so the ratios compare like with like.
"""

import argparse
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import is_dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import accuracy
import mixing
import numpy as np
from labelled import Table, labelled, people, with_chosen_pairs
from measuring import PARTS, SEED, Chain, Goal, clocked, heading

from coterie import sampler

LABELLED = ["RLdata500", "RLdata10000", "italy_friuli_789"]


# --- first calls -----------------------------------------------------------------------------------------------

FIRST_CALLS = """
import time
start = time.perf_counter()
import numpy as np
from coterie import fields, sampler
print("import", time.perf_counter() - start)
start = time.perf_counter()
names = ["ann", "anne", "bob", "bobby", "eve", None] * 10
columns = fields.Text().compile("name", *fields.encode(names))
columns += fields.Category().compile("group", *fields.encode([n % 7 for n in range(60)]))
print("fields", time.perf_counter() - start)
start = time.perf_counter()
sampler.run(sampler.make_target(columns), chains=1, draws=2, tune=1, seed=1)
print("sampler", time.perf_counter() - start)
"""


def first_calls() -> list[Goal]:
    """Time the calls that compile in a process with an empty cache, and then in one that finds them there."""
    heading("First calls, in seconds: compiled, and found in the cache by the next process")
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", FIRST_CALLS]
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        took = []
        for _ in range(2):
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            took.append({line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines()})
    for what, seconds in took[0].items():
        print(f"{what:34}{seconds:10.2f}{took[1][what]:10.2f}")
    return [
        Goal("seconds to compile all, first use", 20, took[0]["fields"] + took[0]["sampler"], False),
        Goal("seconds in later processes", 1, took[1]["fields"] + took[1]["sampler"], False),
    ]


# --- steps a second --------------------------------------------------------------------------------------------


class Speed(NamedTuple):
    """Steps of chaperones and split–merge a second, and bytes."""

    scans: float
    whole: float
    bytes_held: int
    growth: float  # of the memory of the process at its peak


def print_speed(name: str, table: Table, tune: int, draws: int) -> Speed:
    """Measure steps a second, in scans alone and with all that belongs to a draw."""
    forget_peak()
    before = memory("VmRSS")
    begin = time.perf_counter()
    target = sampler.make_target(table.fields, pairs=table.pairs)
    prepared = time.perf_counter() - begin
    begin = time.perf_counter()
    chain = Chain(target)
    started = time.perf_counter() - begin
    chain.go(tune)
    best, shares = Speed(0.0, 0.0, 0, 0.0), {}
    for _ in range(3):
        chain.forget()
        with clocked() as seconds:
            whole = chain.go(draws)
        scans = seconds["scans"]
        if chain.steps / scans > best.scans:
            shares = {part: 1e3 * spent / draws for part, spent in seconds.items()}
        best = Speed(max(best.scans, chain.steps / scans), max(best.whole, chain.steps / whole), 0, 0.0)
    growth = memory("VmHWM") - before
    held = bytes_of(target, {}) + bytes_of(chain.work, {}) + bytes_of(chain.state, {})
    print(
        f"{name}: {table.truth.size:,} records, {len(target.fields)} fields, {target.i.size:,} candidate pairs\n"
        f"    {best.scans / 1e6:.2f} million steps a second in scans, {best.whole / 1e6:.2f} in all;"
        f" {chain.steps // draws:,} steps a draw, {chain.changes // draws:,} of them change something\n"
        f"    {1e3 * whole / draws:,.1f} ms a draw, of which "
        + ", ".join(f"{part} {shares[part]:,.1f}" for part in PARTS)
        + f"; before that, target {prepared:.2f} s, start {started:.2f} s",
        flush=True,
    )
    return best._replace(bytes_held=held, growth=growth)


def bytes_of(thing: Any, seen: dict[int, Any]) -> int:
    """Return the bytes of all arrays in a tuple or a dataclass, each memory once; the caller's fields left out."""
    if isinstance(thing, np.ndarray):
        owner = thing if thing.base is None else thing.base
        new = id(owner) not in seen
        seen[id(owner)] = owner
        return thing.nbytes if new else 0
    if isinstance(thing, tuple):
        return sum(bytes_of(part, seen) for part in thing)
    if is_dataclass(thing) and isinstance(thing, sampler.Target):
        return sum(bytes_of(part, seen) for name, part in vars(thing).items() if name != "fields")
    return 0


def memory(what: str) -> float:
    """Return the bytes of memory in use (VmRSS) or the most that ever was (VmHWM)."""
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith(what)]
        return int(line.split()[1]) * 2**10
    # Kilobytes but for macOS; only the most that ever was.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 2**10)


def forget_peak() -> None:
    """Let the most that ever was be what is in use, where the system can do that."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


def many_records(stored: str, tune: int, draws: int) -> Speed:
    """Measure a stored table in this process, which has compiled everything but holds nothing else."""
    with open(stored, "rb") as file:
        table = pickle.load(file)
    return print_speed("People", table, tune, draws)


def in_own_process(n: int, tune: int, draws: int) -> tuple[Speed, Table]:
    """Make up many records, and measure them in a process of its own."""
    table = people(n)
    with tempfile.TemporaryDirectory() as folder:
        stored = str(Path(folder) / "table")
        with open(stored, "wb") as file:
            pickle.dump(table, file)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            process.submit(compile_all).result()
            return process.submit(many_records, stored, tune, draws).result(), table


def compile_all() -> None:
    """Call everything once, so that what follows measures work alone."""
    table = people(500)
    Chain(sampler.make_target(table.fields, pairs=table.pairs)).go(2)
    Chain(sampler.make_target(table.fields, pairs=table.pairs), sampler.sweep_one_by_one).go(1)


def print_memory(speed: Speed, table: Table) -> Goal:
    """Compare the memory with what was asked."""
    n, pairs = table.truth.size, len(table.pairs)
    values = sum(field.size for field in table.fields)
    limit = 200 * n + 16 * pairs + 32 * values
    print(
        f"    {speed.bytes_held / 1e6:,.0f} MB in arrays, {speed.growth / 1e6:,.0f} MB more in use at the peak;"
        f" 200 a record, 16 a pair and 32 a value are {limit / 1e6:,.0f} MB"
    )
    return Goal(f"MB in arrays for {n:,} records", limit / 1e6, speed.bytes_held / 1e6, False)


# --- two chains ------------------------------------------------------------------------------------------------


def two_chains(tables: dict[str, Table]) -> list[Goal]:
    """Compare two chains on two cores with two after one another, for a small table and for a large one.

    Kernels run side by side; parameters of the prior are drawn in Python, which one thread at a time can do, and
    are half the time of a small table.
    """
    heading("Two chains")
    return [_two_chains(name, table) for name, table in tables.items()]


def _two_chains(name: str, table: Table) -> Goal:
    target = sampler.make_target(table.fields, pairs=table.pairs)
    took, drawn = {1: np.inf, 2: np.inf}, {}
    for _ in range(2):
        for cores in (1, 2):
            begin = time.perf_counter()
            drawn[cores] = sampler.run(
                target, chains=2, draws=500_000 // table.truth.size, tune=2, cores=cores, seed=SEED
            )
            took[cores] = min(took[cores], time.perf_counter() - begin)
    same = all(np.array_equal(one, two) for one, two in zip(drawn[1], drawn[2], strict=True))
    print(
        f"{name}: {took[1]:.2f} s on one core, {took[2]:.2f} s on two;"
        f" the draws are {'' if same else 'NOT '}the same"
    )
    return Goal(f"two chains, times faster on two cores, {name}", 1.7, took[1] / took[2] if same else 0.0, True)


# --- all -------------------------------------------------------------------------------------------------------


def load(folder: str | None) -> dict[str, Table]:
    """Read the labelled tables that are there, and say which are not."""
    found = {}
    for name in LABELLED:
        if folder and (Path(folder) / f"{name}.csv").exists():
            found[name] = labelled(Path(folder), name)
        else:
            print(f"No file {name}.csv: pass --data with the folder that holds it; it is left out.")
    return found


def main() -> int:
    """Print all tables; fail when a goal was missed, unless in a hurry."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller tables and shorter chains, in a minute")
    parser.add_argument("--data", default=os.environ.get("COTERIE_DATA"), help="the folder of the labelled tables")
    options = parser.parse_args()
    quick, found = options.quick, load(options.data)
    goals = [] if quick else first_calls()
    compile_all()
    medium = {name: table for name, table in found.items() if name == "RLdata10000"} or {
        "10,000 people": people(10_000)
    }
    small = {name: table for name, table in found.items() if name != "RLdata10000"} or {"500 people": people(500)}
    heading("Steps a second on one core")
    [(name, table)] = medium.items()
    speed = print_speed(name, table, *((20, 5) if quick else (150, 20)))
    goals.append(Goal(f"million steps a second in scans, {name}", 3, speed.scans / 1e6, True))
    n = 50_000 if quick else 1_000_000
    speed, many = in_own_process(n, *((5, 3) if quick else (10, 5)))
    goals.append(Goal(f"million steps a second in scans, {n:,} people", 1, speed.scans / 1e6, True))
    goals.append(print_memory(speed, many))
    goals += two_chains(medium if quick else medium | {"200,000 people": people(200_000)})
    wide = with_chosen_pairs(table)
    goals.append(Goal("times fewer steps than uniform candidates", 20, mixing.towards(name, wide, quick), True))
    mixing.against_one_by_one(small, quick)
    mixing.large_clusters(quick)
    goals.append(Goal("cost a member, largest cluster to 10 records", 2, mixing.cost_of_moves(quick), False))
    accuracy.print_accuracy(small | medium, quick)
    heading("Goals" if not quick and "RLdata10000" in found else "Goals, which are meant for all of it, with data")
    print(f"{'what':58}{'goal':>10}{'measured':>10}  held")
    for goal in goals:
        print(f"{goal.what:58}{goal.limit:10,.1f}{goal.measured:10,.2f}  {'yes' if goal.held else 'NO'}")
    return 0 if quick or all(goal.held for goal in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
