"""How fast the partition laws are: exact draws, reseating, and what the naive ways cost.

    python benchmarks/laws.py [--quick]

Everything is measured in one run on one machine, so the ratios compare like with like. Times are the best of
a few repeats, after compilation. The first calls, which compile, are timed in a process with an empty cache.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from coterie import Partition, priors, reseat
from coterie.kernels.jit import kernel
from coterie.reseating import weights

SEED = 2015
# Appendix C: each entity has 3 records in the mean, with variance 3²/2.
NBNB = priors.NBNB(a=1, q=0.9, r=6, p=1 / 3)
# Where Nelder-Mead stopped on the paper's simulated partition (appendix D), with q to its digits.
NBNB_RIDGE = priors.NBNB(a=102.4, q=priors.one_minus(1.4e-7), r=2.955e-5, p=0.1875)
NBNB_SMALL_R = priors.NBNB(a=1, q=0.9, r=1e-6, p=1 / 3)
SIZES = [0.7, 0.2, 0.1]


class Target(NamedTuple):
    """What was asked of the package, and what this run gave."""

    what: str
    limit: float
    seconds: float


def seconds(call: Callable[[], object], repeats: int) -> float:
    """Return the best time of a few calls."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def laws_at(n: int) -> dict[str, priors.Law]:
    """Return one law of each kind with parameters that suit n elements."""
    return {
        "NBNB": NBNB,
        "PERPS": priors.PERPS(alpha=n / 3, lam=3),
        "DirichletProcess": priors.DirichletProcess(theta=n / 10),
        "PitmanYor": priors.PitmanYor(theta=n / 10, delta=0.5),
        "FiniteDirichlet": priors.FiniteDirichlet(m=n, gamma=1),
        "MixtureOfFiniteMixtures": priors.MixtureOfFiniteMixtures(1, priors.ShiftedPoisson(n)),
        "LinkageStructure": priors.LinkageStructure(m=n),
        "NBD": priors.NBD(a=1, q=0.9, mu=SIZES),
        "ESC": priors.ESC(mu=SIZES),
        "CompoundPoisson": priors.CompoundPoisson(alpha=n / 2, mu=SIZES),
    }


# --- first calls -----------------------------------------------------------------------------------------------

FIRST_CALLS = """
import time
start = time.perf_counter()
import coterie
print("import coterie", time.perf_counter() - start)
from coterie import Partition, priors, reseat
for what, call in {
    "an urn (NBNB)": lambda: priors.NBNB(a=1, q=0.9, r=6, p=1/3).sample(10, seed=1),
    "its sizes": lambda: priors.NBNB(a=1, q=0.9, r=6, p=1/3).sample_sizes(10, draws=1, seed=1),
    "a renewal process (ESC)": lambda: priors.ESC([0.5, 0.5]).sample(10, seed=1),
    "reseating": lambda: reseat(priors.NBNB(a=1, q=0.9, r=6, p=1/3), Partition.from_sizes([10]), 1, seed=1),
}.items():
    start = time.perf_counter()
    call()
    print(what, time.perf_counter() - start)
"""


def first_calls() -> Iterator[tuple[str, float]]:
    """Time the import and the calls that compile, in a process of its own with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-c", FIRST_CALLS]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        what, took = line.rsplit(maxsplit=1)
        yield what, float(took)


# --- exact draws against the paper's recipe --------------------------------------------------------------------


def exact_against_recipe(quick: bool) -> None:
    """Compare independent exact draws with 1,000 sweeps from the one-cluster partition (appendix C)."""
    runs = 2 if quick else 8
    heading("Exact draws against the paper's recipe: 1,000 reseating sweeps from the one-cluster partition")
    print(f"{'law':18}{'N':>8}{'exact, s':>12}{'recipe, s':>12}{'ratio':>9}{'mean K exact':>19}{'recipe':>19}")
    for n in [1_000] if quick else [1_000, 10_000]:
        one_cluster = Partition.from_sizes([n])
        for name in ["NBNB", "PERPS", "DirichletProcess", "PitmanYor"]:
            law = laws_at(n)[name]
            exact = seconds(partial(law.sample, n, seed=SEED), repeats=10)
            ks, took = [], []
            for run in range(runs):
                start = time.perf_counter()
                ks.append(reseat(law, one_cluster, sweeps=1_000, seed=SEED + run).k)
                took.append(time.perf_counter() - start)
            recipe = min(took)
            true_ks = [sizes.size for sizes in law.sample_sizes(n, draws=500, seed=SEED)]
            print(
                f"{name:18}{n:8,}{exact:12.6f}{recipe:12.3f}{recipe / exact:9,.0f}"
                f"{mean_and_error(true_ks):>19}{mean_and_error(ks):>19}"
            )


def mean_and_error(values: list[int]) -> str:
    """Return the mean with its standard error."""
    return f"{np.mean(values):,.1f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):,.1f}"


# --- reseating against the naive ways --------------------------------------------------------------------------


class Naive(NamedTuple):
    """A partition and the weights of its law, without the order that makes `reseat` fast."""

    labels: np.ndarray
    sizes: np.ndarray  # with room for more clusters; 0 where there is none
    new: np.ndarray
    join: np.ndarray


@kernel
def naive_sweep(rng: np.random.Generator, state: Naive, heights: np.ndarray, first: int) -> None:
    """Reseat the elements 0, …, first − 1, each by the weights of all clusters: O(N K) a sweep."""
    labels, sizes, new, join = state
    for n in range(first):
        sizes[labels[n]] -= 1
        k, total, free = 0, 0.0, -1
        for c in range(sizes.size):
            if sizes[c] > 0:
                k += 1
                total += join[sizes[c]]
            elif free < 0:
                free = c
            heights[c] = total
        x = rng.random() * (total + new[k])
        c = free
        if x < total:
            c = np.searchsorted(heights, x, side="right")
        labels[n] = c
        sizes[c] += 1


def python_sweep(rng: np.random.Generator, state: Naive, first: int) -> None:
    """Reseat the elements 0, …, first − 1 in plain Python."""
    labels, new, join = state.labels.tolist(), state.new.tolist(), state.join.tolist()
    sizes = {c: s for c, s in enumerate(state.sizes.tolist()) if s > 0}
    for n in range(first):
        sizes[labels[n]] -= 1
        if sizes[labels[n]] == 0:
            del sizes[labels[n]]
        x = rng.random() * (sum(join[s] for s in sizes.values()) + new[len(sizes)])
        labels[n] = len(labels) + n  # a label that nobody has
        for c, s in sizes.items():
            x -= join[s]
            if x < 0:
                labels[n] = c
                break
        sizes[labels[n]] = sizes.get(labels[n], 0) + 1


def naive_state(law: priors.Law, start: Partition) -> Naive:
    """Lay out a partition for the naive ways."""
    # Room for a tenth more clusters than there are, not for N of them: this favours the naive way.
    sizes = np.zeros(min(start.n, start.k + start.k // 10), dtype=np.int64)
    sizes[: start.k] = start.sizes
    new, join = weights(law, start.n)[:2]
    return Naive(start.labels.copy(), sizes, new, join)


def reseating_against_naive(quick: bool) -> None:
    """Compare one reassignment of `reseat` with one that looks at every cluster."""
    n, sweeps, by_naive, by_python = 10_000, 100, 1_000 if quick else 10_000, 50 if quick else 200
    heading(f"Reseating against looking at every cluster: N = {n:,}, µs a reassignment")
    print(f"{'law':18}{'K':>8}{'reseat':>10}{'naive':>10}{'ratio':>9}{'in Python':>12}{'ratio':>9}")
    # The second law has about as many clusters for its elements as the paper's simulated partition.
    for law in [NBNB, priors.PERPS(alpha=4.66 * n, lam=0.2146)]:
        start = law.sample(n, seed=SEED)
        heights = np.empty(n)
        fast = seconds(partial(reseat, law, start, sweeps=sweeps, seed=SEED), repeats=3) / (sweeps * n)
        state, rng = naive_state(law, start), np.random.default_rng(SEED)
        naive_sweep(rng, state, heights[: state.sizes.size], 1)
        # Each repeat goes on from the state that the one before it left.
        naive = seconds(partial(naive_sweep, rng, state, heights[: state.sizes.size], by_naive), 2) / by_naive
        python = seconds(partial(python_sweep, rng, state, by_python), 1) / by_python
        print(
            f"{type(law).__name__:18}{start.k:8,}{fast * 1e6:10.3f}{naive * 1e6:10.3f}{naive / fast:9,.0f}"
            f"{python * 1e6:12.1f}{python / fast:9,.0f}"
        )


# --- absolute targets ------------------------------------------------------------------------------------------


def targets() -> Iterator[Target]:
    """Measure what the package promises in seconds."""
    million = laws_at(1_000_000)
    large = {
        "NBNB(a=1, q=0.9, r=6, p=1/3)": NBNB,
        "NBNB(a=102.4, 1-q=1.4e-7, r=2.955e-5)": NBNB_RIDGE,
        "NBNB(a=1, q=0.9, r=1e-6, p=1/3)": NBNB_SMALL_R,
        "PERPS": million["PERPS"],
        "DirichletProcess": million["DirichletProcess"],
        "PitmanYor": million["PitmanYor"],
    }
    for name, law in large.items():
        yield Target(f"a draw of N = 1,000,000, {name}", 1.0, seconds(partial(law.sample, 1_000_000, SEED), 3))
    for name, law in laws_at(5_000).items():
        took = seconds(partial(law.sample_sizes, 5_000, draws=5_000, seed=SEED), 1)
        yield Target(f"5,000 draws of N = 5,000, {name}", 10.0, took)
    any_size = priors.ShiftedNegBin(r=2, p=0.3)
    for name, law in {
        "NBD, three sizes": priors.NBD(a=1, q=0.9, mu=SIZES),
        "ESC, three sizes": priors.ESC(mu=SIZES),
        "NBD, any size": priors.NBD(a=1, q=0.9, mu=any_size),
        "ESC, any size": priors.ESC(mu=any_size),
    }.items():
        # Once only: a second draw would find the weights of the first.
        yield Target(f"a draw of N = 100,000, {name}", 5.0, seconds(partial(law.sample, 100_000, SEED), 1))
    for name, law in laws_at(10_000).items():
        start = law.sample(10_000, seed=SEED)
        took = seconds(partial(reseat, law, start, sweeps=1_000, seed=SEED), 1)
        yield Target(f"reseating N = 10,000 × 1,000 sweeps, {name}", 3.0, took)


def compile_all() -> None:
    """Call every kernel once, so that what follows measures work alone."""
    for law in laws_at(20).values():
        law.sample_sizes(20, draws=1, seed=SEED)
        reseat(law, law.sample(20, seed=SEED), sweeps=1, seed=SEED)


def heading(text: str) -> None:
    """Print a heading."""
    print(f"\n{text}\n")


def main() -> int:
    """Print all tables; fail when a target was missed, unless in a hurry."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and smaller comparisons; all targets")
    quick = parser.parse_args().quick
    heading("First calls, compilation included")
    for what, took in first_calls():
        print(f"{what:34}{took:10.3f} s")
    compile_all()
    exact_against_recipe(quick)
    reseating_against_naive(quick)
    heading("Targets")
    print(f"{'what':68}{'target, s':>10}{'measured':>10}  held")
    missed = 0
    for target in targets():
        held = target.seconds < target.limit
        missed += not held
        print(f"{target.what:68}{target.limit:10.1f}{target.seconds:10.3f}  {'yes' if held else 'NO'}")
    # Kilobytes on Linux, bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    print(f"\nPeak memory: {peak:,.0f} MB")
    return 1 if missed and not quick else 0


if __name__ == "__main__":
    sys.exit(main())
