"""Candidate pairs: which records may well be of one entity, found by rules in DuckDB."""

from coterie.candidates.choosing import choose
from coterie.candidates.coverage import Coverage, coverage
from coterie.candidates.key import Key, keys_of
from coterie.candidates.making import ALL_PAIRS_UP_TO, Candidates, all_pairs, make, make_with_rules
from coterie.candidates.planning import Plan, RulePlan, plan
from coterie.candidates.rules import Rule

__all__ = [
    "ALL_PAIRS_UP_TO",
    "Candidates",
    "Coverage",
    "Key",
    "Plan",
    "Rule",
    "RulePlan",
    "all_pairs",
    "choose",
    "coverage",
    "keys_of",
    "make",
    "make_with_rules",
    "plan",
]
