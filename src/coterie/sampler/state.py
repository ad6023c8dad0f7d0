"""What the next step needs, and what a person looks at."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class State(NamedTuple):
    """Where a chain is: arrays only, so that storing them is storing the chain.

    Everything else that a step works with, such as log R of each cluster, is worked out from these.
    """

    labels: NDArray[np.int32]  # (U,): the first unit of each unit's cluster
    psi: Floats  # (F, sources): the distortion rates ψ
    parameters: Floats  # what is inferred of the prior, by its logarithm or logit
    log_mu: Floats  # log μ_1, log μ_2, … where a law of sizes is inferred, else empty
    rate: NDArray[np.float32]  # how often each candidate pair is visited in a scan


class Info(NamedTuple):
    """What a step did."""

    clusters: int  # |C|
    steps: int  # steps of chaperones and split–merge steps
    changes: int  # how many of them changed the partition
    proposed: int  # split–merge proposals
    accepted: int
    distorted: NDArray[np.int64]  # (F, sources, 2): values as they are, and distorted, in the draw of the truths
