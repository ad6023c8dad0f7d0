"""Several chains side by side."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.priors.parameters import whole
from coterie.sampler.start import start
from coterie.sampler.state import Info, State
from coterie.sampler.step import step
from coterie.sampler.target import Target
from coterie.sampler.work import Work, make_work

Step = Callable[[np.random.Generator, State, Target, Work], tuple[State, Info]]


class Draws(NamedTuple):
    """The draws of some chains; the first two axes are chains and draws."""

    labels: NDArray[np.int32]  # of units: the first unit of each unit's cluster
    clusters: NDArray[np.int64]
    psi: NDArray[np.float64]
    parameters: NDArray[np.float64]
    steps: NDArray[np.int64]
    changes: NDArray[np.int64]


def run(
    target: Target,
    *,
    chains: int = 4,
    draws: int = 500,
    tune: int = 100,
    cores: int | None = None,
    seed: int | np.random.SeedSequence | None = None,
    step: Step = step,
) -> Draws:
    """Run chains and keep their draws after the first ``tune`` steps.

    Each chain has a stream of its own, spawned from the seed, so the number of cores does not change the draws.

    Examples
    --------
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "ann", "bob", "eve"]))
    >>> draws = sampler.run(sampler.make_target([name]), chains=2, draws=10, tune=5, seed=1)
    >>> draws.clusters.shape, draws.labels.shape
    ((2, 10), (2, 10, 4))
    """
    chains, draws, tune = whole("chains", chains), whole("draws", draws), whole("tune", tune, least=0)
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    cores = min(chains, (os.cpu_count() or 1) if cores is None else whole("cores", cores))

    def one(stream: np.random.SeedSequence) -> Draws:
        rng, work = np.random.default_rng(stream), make_work(target)
        state = start(rng, target, work)
        for _ in range(tune):
            state, _ = step(rng, state, target, work)
        kept = []
        for _ in range(draws):
            state, info = step(rng, state, target, work)
            kept.append((state.labels, info.clusters, state.psi, state.parameters, info.steps, info.changes))
        return Draws(*(np.array(column) for column in zip(*kept, strict=True)))

    with ThreadPoolExecutor(cores) as pool:
        parts = list(pool.map(one, sequence.spawn(chains)))
    return Draws(*(np.stack(column) for column in zip(*parts, strict=True)))
