"""Laws of random partitions, and the laws of counts that some of them take."""

from coterie.priors.compound_poisson import CompoundPoisson
from coterie.priors.counts import (
    CountLaw,
    Exactly,
    LogSeries,
    Probabilities,
    ShiftedNegBin,
    ShiftedPoisson,
    TruncatedNegBin,
    TruncatedPoisson,
    Uniform,
)
from coterie.priors.dirichlet_process import DirichletProcess
from coterie.priors.esc import ESC
from coterie.priors.finite_dirichlet import FiniteDirichlet
from coterie.priors.law import Law, Steps
from coterie.priors.linkage_structure import LinkageStructure
from coterie.priors.mixture_of_finite_mixtures import MixtureOfFiniteMixtures
from coterie.priors.nbd import NBD
from coterie.priors.nbnb import NBNB
from coterie.priors.parameters import one_minus
from coterie.priors.perps import PERPS
from coterie.priors.pitman_yor import PitmanYor

__all__ = [
    "ESC",
    "NBD",
    "NBNB",
    "PERPS",
    "CompoundPoisson",
    "CountLaw",
    "DirichletProcess",
    "Exactly",
    "FiniteDirichlet",
    "Law",
    "LinkageStructure",
    "LogSeries",
    "MixtureOfFiniteMixtures",
    "PitmanYor",
    "Probabilities",
    "ShiftedNegBin",
    "ShiftedPoisson",
    "Steps",
    "TruncatedNegBin",
    "TruncatedPoisson",
    "Uniform",
    "one_minus",
]
