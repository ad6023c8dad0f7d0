"""Whether the draws can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coterie.errors import InputError
from coterie.posterior.doubtful import Agreement, agreement
from coterie.posterior.figures import Figure, figure
from coterie.posterior.findings import Evidence, Finding, find

if TYPE_CHECKING:
    from coterie.posterior.posterior import Posterior


@dataclass(frozen=True)
class Diagnosis:
    """What the draws themselves tell about whether they can be trusted. Printed, it is a report.

    Attributes
    ----------
    findings
        What there is to say, the worst first.
    figures
        R-hat, effective sizes and more of |C|, of singletons, of distortion rates and of the prior's parameters.
    pairs
        How far the chains agree on pairs; None if there are too many to count.
    chains, draws
        How many chains, and how many draws in all.
    """

    findings: tuple[Finding, ...]
    figures: tuple[Figure, ...]
    pairs: Agreement | None
    chains: int
    draws: int

    @property
    def status(self) -> str:
        """``satisfactory``, ``caution`` or ``problem``: the worst that was found, notes aside."""
        worst = {finding.severity for finding in self.findings}
        return "problem" if "problem" in worst else "caution" if "caution" in worst else "satisfactory"

    @property
    def satisfactory(self) -> bool:
        """Whether nothing but notes was found."""
        return self.status == "satisfactory"

    def __str__(self) -> str:
        head = f"{self.status.capitalize()}: {self.draws:,} draws of {self.chains} chain{'s'[: self.chains > 1]}."
        lines = [head, *_listed(self.findings), "", _HEAD, *map(_row, self.figures)]
        return "\n".join(lines + ([] if self.pairs is None else ["", *_agreement(self.pairs)]))


_HEAD = f"{'':<24}{'mean':>10}{'sd':>10}{'5 %':>10}{'95 %':>10}{'R-hat':>8}{'ESS bulk':>10}{'ESS tail':>10}"


def _row(found: Figure) -> str:
    values = "".join(f"{value:>10.4g}" for value in (found.mean, found.sd, found.low, found.high))
    if found.constant:
        return f"{found.name:<24}{values}{'constant':>12}"
    return f"{found.name:<24}{values}{found.rhat:>8.3f}{found.ess_bulk:>10.0f}{found.ess_tail:>10.0f}"


def _listed(findings: Sequence[Finding]) -> list[str]:
    return [f"- {finding.severity}, {finding.code}: {finding.words} {finding.advice}" for finding in findings]


def _agreement(pairs: Agreement) -> list[str]:
    lines = [f"{pairs.doubtful:,} pairs in doubt (probability .05 to .95)."]
    if pairs.sampled:
        lines.append(
            f"Of {pairs.sampled} of them, {pairs.unsettled:.0%} have an R-hat above 1.1 (at most "
            f"{pairs.worst_rhat:.2f}); the chains differ on {pairs.differing:.0%}."
        )
    if not np.isnan(pairs.disagreement):
        lines.append(f"Two chains differ by {pairs.disagreement:.2%} of the pairs that they expect.")
    return lines


def diagnose(posterior: "Posterior") -> Diagnosis:
    """Look at the draws of a posterior."""
    chains = posterior.chains
    sizes = posterior.size_counts
    largest = np.zeros(posterior.draws, np.int64)
    for size, counts in sizes.items():
        largest[counts > 0] = size
    cuts = np.cumsum([chain.draws for chain in chains])[:-1]
    singletons = np.split(sizes.get(1, np.zeros(posterior.draws, np.int64)), cuts)
    figures = [
        figure("entities", [chain.entities for chain in chains]),
        figure("singletons", singletons),
        *(figure(name, np.split(values, cuts)) for name, values in posterior.prior_parameters.items()),
    ]
    rates = distortion_figures(posterior)
    try:
        found: Agreement | None = agreement(posterior.match_probabilities, chains)
    except InputError:  # more pairs than can be listed
        found = None
    findings = find(Evidence(posterior.table.n, chains, largest, figures, rates, found))
    return Diagnosis(findings, (*figures, *rates), found, len(chains), posterior.draws)


def distortion_figures(posterior: "Posterior") -> list[Figure]:
    """Return the figures of ψ for each field, and for each source if there are several."""
    chains = posterior.chains
    several = len(posterior.sources) > 1
    return [
        figure(f"ψ {field.name}" + (f" in {source}" if several else ""), [chain.psi[:, f, s] for chain in chains])
        for f, field in enumerate(posterior.fields)
        for s, source in enumerate(posterior.sources)
    ]
