"""Why two records are, or are not, taken for one: the evidence field by field."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.fields.compiled import Compiled
from coterie.priors.distributions import Dirichlet, DrawnSizes
from coterie.priors.law import Law

Floats = NDArray[np.float64]


class FieldEvidence(NamedTuple):
    """What one field says of two records."""

    field: str
    left: Any  # the value of each; None if missing
    right: Any
    verdict: str  # "agree", "similar", "differ" or "missing"
    log_bayes_factor: float  # of being together; 0 where a value is missing


@dataclass(frozen=True)
class Explanation:
    """The evidence that two records are one entity. Printed, it is a table.

    Attributes
    ----------
    left, right
        The ids.
    fields
        What each field says.
    log_prior_odds
        Of two records alone being together, before their values are seen; nan if the prior is not known.
    probability
        The share of the draws in which they are together. Others count there, too: a third record can bring two
        together that do not resemble each other, or part two that do.
    """

    left: Any
    right: Any
    fields: tuple[FieldEvidence, ...]
    log_prior_odds: float
    probability: float

    @property
    def log_bayes_factor(self) -> float:
        """The sum over the fields."""
        return math.fsum(field.log_bayes_factor for field in self.fields)

    @property
    def probability_alone(self) -> float:
        """The probability that these two are one, if there were no other records to compare with."""
        return 1.0 / (1.0 + math.exp(min(-(self.log_bayes_factor + self.log_prior_odds), 700.0)))

    def __str__(self) -> str:
        head = ("field", str(self.left), str(self.right), "", "evidence")
        rows = [head, *(_row(field) for field in self.fields)]
        widths = [min(40, max(len(row[at]) for row in rows)) for at in range(4)]
        lines = ["  ".join(f"{_cut(cell, w):<{w}}" for cell, w in zip(row, widths, strict=False)) for row in rows]
        body = [f"{line}  {row[4]:>18}" for line, row in zip(lines, rows, strict=True)]
        total = _odds(self.log_bayes_factor)
        sums = [f"All fields together: {total} being one."]
        if not math.isnan(self.log_prior_odds):
            sums.append(
                f"Before any field is seen: {_odds(self.log_prior_odds)} it. "
                f"By themselves the two are one with probability {self.probability_alone:.3f}."
            )
        sums.append(f"With all other records: together in {self.probability:.1%} of the draws.")
        return "\n".join([*body, "", *sums])


def explain(
    left: int,
    right: int,
    fields: Sequence[Compiled],
    psi: Floats,
    source: NDArray[np.int32],
) -> tuple[FieldEvidence, ...]:
    """Return what each field says of two records, by number, at the rates psi[field, source].

    The Bayes factor is P(x_l, x_r | one entity) / (P(x_l) P(x_r)), with the truth summed out.

    Examples
    --------
    >>> from coterie import fields
    >>> [name] = fields.Text().compile("name", *fields.encode(["anna"] * 8 + ["anne", "bob"]))
    >>> [found] = explain(0, 8, [name], np.array([[0.1]]), np.zeros(10, np.int32))
    >>> found.verdict, round(found.log_bayes_factor, 2)
    ('similar', -0.47)
    """
    found = []
    for f, field in enumerate(fields):
        x, y = int(field.codes[left]), int(field.codes[right])
        verdict = _verdict(field, x, y)
        log_factor = 0.0
        if verdict != "missing":
            one, other = (shown(field, v, psi[f, source[r]]) for v, r in ((x, left), (y, right)))
            theta = field.theta
            log_factor = math.log((theta * one * other).sum()) - math.log(
                (theta * one).sum() * (theta * other).sum()
            )
        left_value, right_value = (field.values[v] if v >= 0 else None for v in (x, y))
        found.append(FieldEvidence(field.name, left_value, right_value, verdict, log_factor))
    return tuple(found)


def shown(field: Compiled, x: int, psi: float) -> Floats:
    """Return P(x | y) for each true value y."""
    tau = np.where(field.has_similar, field.slip, 0.0)
    slip = np.zeros(field.size)
    row = slice(field.indptr[x], field.indptr[x + 1])
    slip[field.similar[row]] = field.chance[row]
    p = psi * ((1.0 - tau) * field.theta[x] / (1.0 - field.theta) + tau * slip)
    p[x] = 1.0 - psi
    return p


def log_prior_odds(law: Law, clusters: int) -> float:
    """Return the odds that two records alone are together, f(2)/f(1)² · g(k−1)/g(k), with k clusters."""
    log_f = law.log_sizes(2)
    return float(log_f[2] - 2.0 * log_f[1] - law._log_count_steps(np.array([max(1, clusters - 1)]))[0])


def law_at_means(prior: Law, parameters: Mapping[str, Floats]) -> Law:
    """Return the prior with the posterior means of what is inferred; of a law of sizes, of its first shares."""
    means: dict[str, Any] = {}
    for name, distribution in prior.free.items():
        if isinstance(distribution, Dirichlet):
            shares = [np.mean(values) for key, values in parameters.items() if key.startswith(f"{name}[")]
            means[name] = DrawnSizes(np.log(shares))
        else:
            means[name] = float(np.mean(parameters[name]))
    return prior.at(means) if means else prior


def _verdict(field: Compiled, x: int, y: int) -> str:
    if x < 0 or y < 0:
        return "missing"
    if x == y:
        return "agree"
    row = field.similar[field.indptr[x] : field.indptr[x + 1]]
    back = field.similar[field.indptr[y] : field.indptr[y + 1]]
    return "similar" if np.any(row == y) or np.any(back == x) else "differ"


def _row(found: FieldEvidence) -> tuple[str, str, str, str, str]:
    evidence = "" if found.verdict == "missing" else _odds(found.log_bayes_factor)
    return found.field, _text(found.left), _text(found.right), found.verdict, evidence


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value if part is not None)
    return "—" if value is None else str(value)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _odds(log_odds: float) -> str:
    """Return odds in words: 120 times likelier, or so many times less likely."""
    size = math.exp(min(abs(log_odds), 700.0))
    number = f"{size:,.0f}" if 10 <= size < 1e6 else f"{size:.1f}" if size < 10 else f"{size:.0e}"
    return f"{number} to 1 {'for' if log_odds >= 0 else 'against'}"
