"""Geweke's joint test: the whole model forwards, against steps of the chain and fresh records in turn.

If the chain keeps the posterior, then (state, records) drawn forwards, followed by any number of rounds "a step of
the chain given the records, then new records given the state", has the joint law still. Each replicate begins with
a draw of its own, so that the ends are independent: no correlation is estimated. Each figure (|C|, pairs that are
together, ψ by field and source, parameters, μ_1) is a χ² test of two samples, wrong about good code with
probability 1e-6.
"""

import pytest

from coterie import priors, sampler
from coterie.priors.distributions import Beta, Dirichlet, Gamma
from sampler import checks

LAWS: dict[str, priors.Law] = {
    "nbnb": priors.NBNB(a=3, q=0.6, r=Gamma(2, 2), p=Beta(2, 3)),
    "nbd": priors.NBD(a=2, q=0.7, mu=Dirichlet(3.0, priors.Probabilities([0.6, 0.3, 0.1]))),
    "esc": priors.ESC(Dirichlet(3.0, priors.Probabilities([0.6, 0.3, 0.1]))),
    "dirichlet-process": priors.DirichletProcess(Gamma(2, 1)),
}


@pytest.mark.parametrize("law", LAWS)
def test_rounds_keep_the_joint_law(law: str) -> None:
    checks.check_joint(LAWS[law], seed=1)


def test_the_one_record_sweep_keeps_the_joint_law() -> None:
    checks.check_joint(LAWS["dirichlet-process"], seed=2, step=sampler.sweep_one_by_one)
