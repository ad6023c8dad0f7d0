"""What the draws of all chains tell: entities, match probabilities, and how sure they are."""

from coterie.posterior.against import Comparison
from coterie.posterior.chain import Chain, Changes, TruthDraws, chain_of
from coterie.posterior.diagnosis import Diagnosis
from coterie.posterior.doubtful import Agreement
from coterie.posterior.explain import Explanation, FieldEvidence
from coterie.posterior.figures import Figure
from coterie.posterior.findings import Finding
from coterie.posterior.pairs import PairDraws, count_pairs
from coterie.posterior.posterior import Posterior
from coterie.posterior.recorder import Recorder, natural_parameters, parameter_names, truths_every
from coterie.posterior.scores import Expected, ExpectedScores
from coterie.posterior.statistic import Statistic, Value

__all__ = [
    "Agreement",
    "Chain",
    "Changes",
    "Comparison",
    "Diagnosis",
    "Expected",
    "ExpectedScores",
    "Explanation",
    "FieldEvidence",
    "Figure",
    "Finding",
    "PairDraws",
    "Posterior",
    "Recorder",
    "Statistic",
    "TruthDraws",
    "Value",
    "chain_of",
    "count_pairs",
    "natural_parameters",
    "parameter_names",
    "truths_every",
]
