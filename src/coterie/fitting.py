"""Maximum likelihood for the parameters of a law, from one partition."""

from dataclasses import dataclass
from typing import Any

from coterie.partition import Partition
from coterie.priors.law import Law


@dataclass(frozen=True)
class Fit:
    """What a fit found: see `fit`."""

    law: Law
    log_prob: float
    boundary: tuple[str, ...]
    limit: Law | None
    method: str


def fit(law: type[Law], partition: Partition, *, method: str = "profile", **fixed: Any) -> Fit:
    """Find the parameters under which a partition is most probable."""
    raise NotImplementedError
