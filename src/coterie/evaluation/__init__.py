"""How good an estimate is, where the truth is known."""

from coterie.evaluation.compare import evaluate
from coterie.evaluation.contingency import Contingency, contingency_of
from coterie.evaluation.scores import PairScores, Scores, pair_scores, scores_of

__all__ = ["Contingency", "PairScores", "Scores", "contingency_of", "evaluate", "pair_scores", "scores_of"]
