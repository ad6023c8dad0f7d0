"""What the draws of all chains tell: entities, match probabilities, and how sure they are."""

from coterie.posterior.chain import Chain, Changes, TruthDraws, chain_of
from coterie.posterior.pairs import PairDraws, count_pairs
from coterie.posterior.posterior import Posterior
from coterie.posterior.recorder import Recorder, natural_parameters, parameter_names, truths_every

__all__ = [
    "Chain",
    "Changes",
    "PairDraws",
    "Posterior",
    "Recorder",
    "TruthDraws",
    "chain_of",
    "count_pairs",
    "natural_parameters",
    "parameter_names",
    "truths_every",
]
