"""Coterie: Bayesian entity resolution with microclustering priors.

The names below are loaded when they are first used, so that ``import coterie`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie import fields, priors, sampler
    from coterie.errors import CoterieError, InputError
    from coterie.evaluation import Scores, evaluate
    from coterie.fitting import Fit, fit
    from coterie.model import Model
    from coterie.partition import Partition, Statistics
    from coterie.posterior import Posterior
    from coterie.priors.distributions import Beta, Dirichlet, Gamma
    from coterie.proposal import Proposal, propose
    from coterie.reseating import reseat
    from coterie.resolution import resolve
    from coterie.simulation import Simulated, simulate

__all__ = [
    "Beta",
    "CoterieError",
    "Dirichlet",
    "Fit",
    "Gamma",
    "InputError",
    "Model",
    "Partition",
    "Posterior",
    "Proposal",
    "Scores",
    "Simulated",
    "Statistics",
    "evaluate",
    "fields",
    "fit",
    "priors",
    "propose",
    "reseat",
    "resolve",
    "sampler",
    "simulate",
]

__version__ = "0.1.0"

_HOMES = {
    "Beta": "coterie.priors.distributions",
    "CoterieError": "coterie.errors",
    "Dirichlet": "coterie.priors.distributions",
    "Fit": "coterie.fitting",
    "Gamma": "coterie.priors.distributions",
    "InputError": "coterie.errors",
    "Model": "coterie.model",
    "Partition": "coterie.partition",
    "Posterior": "coterie.posterior",
    "Proposal": "coterie.proposal",
    "Scores": "coterie.evaluation",
    "Simulated": "coterie.simulation",
    "Statistics": "coterie.partition",
    "evaluate": "coterie.evaluation",
    "fit": "coterie.fitting",
    "propose": "coterie.proposal",
    "reseat": "coterie.reseating",
    "resolve": "coterie.resolution",
    "simulate": "coterie.simulation",
}


def __getattr__(name: str) -> Any:
    if name in {"fields", "priors", "sampler"}:
        return import_module(f"coterie.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'coterie' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
