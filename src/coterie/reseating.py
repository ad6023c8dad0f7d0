"""The reseating algorithm of section 3, for every law."""

import numpy as np

from coterie.errors import InputError
from coterie.kernels import reseating
from coterie.partition import Partition, canonical
from coterie.priors.law import Law
from coterie.priors.parameters import whole
from coterie.seeds import Seed, generator


def reseat(law: Law, partition: Partition, sweeps: int = 1000, seed: Seed = None) -> Partition:
    """Run the paper's reseating algorithm and return the last partition.

    In a sweep each element in turn is taken out and seated again, in proportion to the law given all others.
    The law's P(C_N | N) is stationary; exact independent draws come from ``law.sample`` at once.

    Parameters
    ----------
    law
        Any law of ``coterie.priors``.
    partition
        Where to begin; it must be possible under the law.
    sweeps
        How often every element is seated again; the paper takes 1,000.
    seed
        The same seed gives the same partition.

    Examples
    --------
    >>> from coterie import Partition, priors, reseat
    >>> law = priors.NBNB(a=1, q=0.9, r=6, p=1/3)
    >>> one_cluster = Partition.from_sizes([100])
    >>> reseat(law, one_cluster, sweeps=20, seed=1) == reseat(law, one_cluster, sweeps=20, seed=1)
    True
    """
    sweeps, rng = whole("sweeps", sweeps, least=0), generator(seed)
    if law.log_prob(partition) == -np.inf:
        hint = "Begin with a partition that the law can draw, such as law.sample(n)."
        raise InputError(f"a partition that is possible under {law!r}", repr(partition), hint)
    seating = reseating.seat_all(partition.labels)
    reseating.sweep(rng, seating, weights(law, partition.n), sweeps)
    return Partition(labels=canonical(seating.labels))


def weights(law: Law, n: int) -> reseating.Weights:
    """Return the weights of a law's full conditional, all relative to f(2)/f(1)."""
    log_new, log_join = law.steps(n)
    log_new = log_new + log_join[0]
    straight = law.straight_join
    if straight is None:
        return reseating.Weights(np.exp(log_new), np.exp(log_join), np.nan, np.nan)
    # The straight line is known up to a constant, which the step from one to two elements settles.
    slope, offset = straight
    scale = log_join[1] - np.log(slope + offset) if n > 1 else 0.0
    return reseating.Weights(np.exp(log_new - scale), np.exp(log_join - scale), slope, offset)
