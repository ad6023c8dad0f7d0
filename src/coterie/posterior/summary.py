"""The main figures of a posterior, to print or to store."""

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.posterior.scores import Expected

if TYPE_CHECKING:
    from coterie.posterior.posterior import Posterior


def summary(posterior: "Posterior") -> dict[str, Any]:
    """Return {name: figures} of plain numbers and strings."""
    diagnosis = posterior.diagnose()
    found: dict[str, Any] = {
        "records": posterior.table.n,
        "chains": len(posterior.chains),
        "draws": posterior.draws,
        "status": diagnosis.status,
        "entities": _expected(posterior.entity_count),
        "entities of size": {size: _expected(counts) for size, counts in posterior.size_counts.items()},
        "distortion": {
            name: {str(s): _expected(rates[:, at]) for at, s in enumerate(posterior.sources)}
            for name, rates in posterior.distortion.items()
        },
        "prior": {name: _expected(values) for name, values in posterior.prior_parameters.items()},
        "findings": [finding._asdict() for finding in diagnosis.findings],
        "figures": [figure._asdict() for figure in diagnosis.figures],
    }
    if diagnosis.pairs is not None:
        scores = posterior.expected_scores()
        found["expected scores"] = {name: vars(score) for name, score in vars(scores).items()}
        found["pairs in doubt"] = diagnosis.pairs.doubtful
    return found


def _expected(draws: Any) -> dict[str, float]:
    """Return mean and interval as plain numbers."""
    return dict(vars(Expected.of(np.asarray(draws, np.float64))))
