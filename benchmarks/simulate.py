"""How long noisy records take to make up, how much memory that takes, and what comes out.

    python benchmarks/simulate.py [--quick]

Each line is a process of its own, which makes up a few records before the clock starts, so that lists are loaded,
kernels compiled, and the peak is its own.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from measuring import SEED, heading

from coterie import priors
from coterie.simulation import simulate

# A million records in under a minute.
LIMIT = 60.0
CLEAN = {"moves": 0, "renames": 0, "swaps": 0, "typos": 0, "initials": 0, "replaced": 0, "missing": 0}
MEASURED: dict[str, dict[str, Any]] = {
    "as it is": {},
    "no errors": CLEAN,
    "everything common": {"typos": 0.3, "missing": 0.3, "replaced": 0.1, "swaps": 0.2, "moves": 0.5},
    "phone and email": {"extra": ("phone", "email")},
    "five sources, clean ones": {"sources": 5, "deduplicated": ("A", "B")},
    "NBNB": {"law": priors.NBNB(a=1, q=0.999, r=2, p=0.3)},
    "PERPS": {"law": priors.PERPS(alpha=20_000, lam=0.5)},
    "Dirichlet process": {"law": priors.DirichletProcess(theta=10_000)},
    "Great Britain": {"locale": "en_GB"},
    "Germany": {"locale": "de_DE"},
}


class Line(NamedTuple):
    """One thing measured."""

    seconds: float
    megabytes: float
    people: int
    changed: int


def measure(what: str, n: int) -> Line:
    """Make up n records."""
    options = MEASURED[what]
    simulate(1000, seed=SEED, **options)
    begin = time.perf_counter()
    made = simulate(n, seed=SEED, **options)
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Line(seconds, peak, made.entities.num_rows, made.errors.num_rows)


def main() -> int:
    """Print the table; fail when the target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="50,000 records instead of 1,000,000")
    quick = parser.parse_args().quick
    n = 50_000 if quick else 1_000_000
    heading(f"Making up {n:,} records")
    print(f"{'what':28}{'people':>10}{'changed cells':>15}{'limit, s':>10}{'s':>8}{'peak, MB':>10}  held")
    missed = 0
    for what in MEASURED:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            line = process.submit(measure, what, n).result()
        missed += line.seconds >= LIMIT
        print(
            f"{what:28}{line.people:10,}{line.changed:15,}{LIMIT:10.0f}{line.seconds:8.1f}{line.megabytes:10,.0f}"
            f"  {'NO' if line.seconds >= LIMIT else 'yes'}",
            flush=True,
        )
    return 1 if missed and not quick else 0


if __name__ == "__main__":
    sys.exit(main())
