"""What the benchmarks of the sampler share: chains, clocks, and the size of an effective sample."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from coterie import sampler

SEED = 2015
# What a step consists of: where its functions are looked up.
PARTS = {
    "tables": ("coterie.sampler.step", "prepare"),
    "evidence": ("coterie.kernels.scan", "refresh"),
    "scans": ("coterie.kernels.scan", "scan"),
    "truths": ("coterie.kernels.truth", "fill_truth"),
    "parameters": ("coterie.sampler.step", "draw_parameters"),
}


class Goal(NamedTuple):
    """What was asked of the package, and what this run gave."""

    what: str
    limit: float
    measured: float
    at_least: bool

    @property
    def held(self) -> bool:
        """Whether the goal was met."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


def heading(text: str) -> None:
    """Print a heading."""
    print(f"\n{text}\n", flush=True)


@contextmanager
def patched(where: str, name: str, value: Any) -> Iterator[Any]:
    """Put a value in the place of a module's."""
    module = sys.modules[where]
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield before
    finally:
        setattr(module, name, before)


@contextmanager
def clocked() -> Iterator[dict[str, float]]:
    """Add up the seconds of each part of a step."""
    seconds = dict.fromkeys(PARTS, 0.0)
    before = {part: getattr(sys.modules[where], name) for part, (where, name) in PARTS.items()}

    def timed(part: str) -> Any:
        def call(*arguments: Any) -> Any:
            begin = time.perf_counter()
            result = before[part](*arguments)
            seconds[part] += time.perf_counter() - begin
            return result

        return call

    for part, (where, name) in PARTS.items():
        setattr(sys.modules[where], name, timed(part))
    try:
        yield seconds
    finally:
        for part, (where, name) in PARTS.items():
            setattr(sys.modules[where], name, before[part])


class Chain:
    """A chain that remembers what it did."""

    def __init__(self, target: sampler.Target, step: Any = sampler.step, seed: int = SEED) -> None:
        self.rng, self.target, self.step = np.random.default_rng(seed), target, step
        self.work = sampler.make_work(target)
        self.state = sampler.start(self.rng, target, self.work)
        self.clusters: list[int] = []
        self.steps = self.changes = 0

    def go(self, steps: int, longest: float = np.inf) -> float:
        """Go so many steps, or so many seconds; return how long that took."""
        begin = time.perf_counter()
        for _ in range(steps):
            self.state, info = self.step(self.rng, self.state, self.target, self.work)
            self.clusters.append(info.clusters)
            self.steps += info.steps
            self.changes += info.changes
            if time.perf_counter() - begin > longest:
                break
        return time.perf_counter() - begin

    def alone(self) -> "Chain":
        """Put everybody alone."""
        self.state = self.state._replace(labels=np.arange(self.state.labels.size, dtype=np.int32))
        return self

    def forget(self) -> "Chain":
        """Begin to count anew."""
        self.clusters, self.steps, self.changes = [], 0, 0
        return self


def effective(values: list[int]) -> float:
    """Return how many independent draws a chain is worth, from its initial monotone sequence (Geyer 1992)."""
    x = np.asarray(values, np.float64)
    n = x.size
    x = x - x.mean()
    if not x.any():
        return float(n)
    spectrum = np.fft.rfft(x, 2 * n)
    autocovariance = np.fft.irfft(spectrum * spectrum.conj())[:n]
    rho = autocovariance / autocovariance[0]
    sums = rho[0 : n // 2 * 2 : 2] + rho[1 : n // 2 * 2 : 2]
    positive = int(np.argmax(sums < 0)) if (sums < 0).any() else sums.size
    time_of_one = 2.0 * np.minimum.accumulate(sums[:positive]).sum() - 1.0
    return n / max(time_of_one, 1.0)
