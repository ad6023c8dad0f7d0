"""Simulation-based calibration: the rank of what was true among draws from the posterior is uniform.

Records are drawn forwards; a chain is started as a user's would be, knowing nothing of what was true. The ranks of
each figure among nine thinned draws are ten equally probable outcomes; `assert_drawn_from` is wrong about good
code with probability 1e-6 at most for each figure.
"""

import numpy as np
import pytest

from coterie import sampler
from frequencies import assert_drawn_from
from sampler import simulate
from sampler.checks import SOURCE
from sampler.test_geweke import LAWS

REPLICATES = 60
KEPT = 9
# Draws this far apart are nearly independent, and the start is forgotten.
THIN = {"nbnb": 3, "nbd": 4, "esc": 5}
TUNE = 10


def ranks(law: str, seed: int) -> np.ndarray:
    """Return the rank of each figure in each replicate."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(REPLICATES):
        true = simulate.draw_all(rng, LAWS[law], simulate.template(SOURCE.size), SOURCE)
        target = sampler.make_target(true.fields, LAWS[law], source=[f"{s}" for s in SOURCE])
        work, rows = sampler.make_work(target), []
        state = sampler.start(rng, target, work)
        for at in range(TUNE + KEPT * THIN[law]):
            state, _ = sampler.step(rng, state, target, work)
            if at >= TUNE and (at - TUNE) % THIN[law] == 0:
                labels = tuple(target.record_labels(state.labels).tolist())
                rows.append(simulate.figures(labels, state.psi, state.parameters, state.log_mu))
        figures = np.array(simulate.figures(*true[:4]))
        # Ties, of counts, are broken at random.
        below, same = (np.array(rows) < figures).sum(axis=0), (np.array(rows) == figures).sum(axis=0)
        found.append(below + rng.integers(0, same + 1))
    return np.array(found)


@pytest.mark.parametrize("law", THIN)
def test_the_rank_of_the_truth_is_uniform(law: str) -> None:
    for column in ranks(law, seed=3).T:
        assert_drawn_from(column.tolist(), dict.fromkeys(range(KEPT + 1), 1.0 / (KEPT + 1)))
