"""Takes the states of a chain as its steps give them, and keeps them as a `Chain`."""

import numpy as np
from numpy.typing import NDArray

from coterie.posterior.chain import Chain, Store
from coterie.priors.law import Law
from coterie.sampler.hyperparameters import scale, split_free
from coterie.sampler.state import State
from coterie.sampler.target import Target
from coterie.sampler.truths import Truths

Floats = NDArray[np.float64]

# So many draws of a chain are asked for their truths at most: a probability known to ±.05 names a value.
TRUTH_DRAWS = 100
# Of an inferred law of sizes, the shares of the sizes up to this one are kept.
SIZES = 10


class Recorder:
    """Keeps the draws of one chain.

    Parameters
    ----------
    target
        What the chain draws from.

    Examples
    --------
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "ann", "bob", None]))
    >>> target, rng = sampler.make_target([name]), np.random.default_rng(1)
    >>> state, recorder = sampler.start(rng, target), Recorder(target)
    >>> for draw in range(20):
    ...     state, _ = sampler.step(rng, state, target)
    ...     with_truths = draw % truths_every(20) == 0
    ...     recorder.add(state, sampler.draw_truths(rng, state, target) if with_truths else None)
    >>> recorder.chain().psi.shape
    (20, 1, 1)
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self._store = Store(target.n)

    def add(self, state: State, truths: Truths | None = None) -> None:
        """Append a draw, with its truths if they were drawn."""
        target = self.target
        parameters = natural_parameters(target.prior, state)
        labels = self._store.add(target.record_labels(state.labels), state.psi, parameters)
        if truths is not None:
            self._store.add_truths(*_exceptions(target, labels, truths))

    def chain(self) -> Chain:
        """Return the draws so far."""
        return self._store.chain()


def truths_every(draws: int) -> int:
    """Return k such that at most `TRUTH_DRAWS` of so many draws are asked for truths, every k-th.

    Examples
    --------
    >>> truths_every(500), truths_every(20)
    (5, 1)
    """
    return -(-draws // TRUTH_DRAWS)


def parameter_names(prior: Law, n: int) -> tuple[str, ...]:
    """Return the names of what is inferred of a prior; of a law of sizes, its first shares.

    Examples
    --------
    >>> from coterie import Gamma, priors
    >>> parameter_names(priors.NBNB(a=1, q=0.9, r=Gamma(1, 1), p=0.5), 100)
    ('r',)
    """
    numbers, sizes = split_free(prior)
    shares = () if sizes is None else tuple(f"{sizes}[{s}]" for s in range(1, min(n, SIZES) + 1))
    return (*numbers, *shares)


def natural_parameters(prior: Law, state: State) -> Floats:
    """Return what a state holds of the prior's parameters, on their own scale."""
    numbers, sizes = split_free(prior)
    values = [scale(d)[1](y) for d, y in zip(numbers.values(), state.parameters, strict=True)]
    shares = np.empty(0) if sizes is None else np.exp(state.log_mu[:SIZES])
    return np.array([*values, *shares], np.float64)


def _exceptions(
    target: Target, labels: NDArray[np.int32], truths: Truths
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return cluster, field and value where the truth is not what the first record of the cluster shows."""
    shared = np.flatnonzero(np.bincount(labels, minlength=labels.size) > 1).astype(np.int32)
    shown = np.column_stack([field.codes[shared] for field in target.fields])
    values = truths.values[truths.cluster[shared]]
    at, field = np.nonzero(values != shown)
    return shared[at], field.astype(np.int32), values[at, field]
