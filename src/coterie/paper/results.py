"""Everything that the page, the figures and the CSV files tell, computed in one go."""

from typing import NamedTuple

import numpy as np

from coterie.fitting import Fit
from coterie.paper import claims, growth, judges, models, numbers
from coterie.paper.draws import DrawStatistics, Spread, draw_settings, draw_statistics, spreads
from coterie.paper.effort import FULL, QUICK, Effort
from coterie.paper.published import PARTITIONS
from coterie.paper.track import Track


class Results(NamedTuple):
    """What the experiments gave."""

    seed: int
    effort: Effort
    fits: dict[tuple[str, str], Fit]  # by partition and model
    components: dict[tuple[str, str], Fit]  # MFM by partition and law of K
    evidence: list[numbers.Evidence]
    appendix_d: list[numbers.Row]
    other_numbers: list[numbers.Row]
    printed_q: list[numbers.PrintedQ]
    statistics: dict[tuple[str, str, str], DrawStatistics]  # by partition, model and parameter set
    spreads: dict[tuple[str, str, str, str], Spread]  # by statistic as well
    verdicts: dict[str, list[judges.Verdict]]  # by parameter set, in the order of the claims
    beyond: list[numbers.Evidence]
    beyond_spreads: dict[tuple[str, str, str], Spread]  # by partition, law and statistic
    growth: growth.Growth
    agreements: list[growth.Agreement]
    slopes: dict[str, growth.Slope]

    @property
    def quick(self) -> bool:
        """Whether less was done than the paper did."""
        return self.effort != FULL


def gather(seed: int, *, quick: bool, track: Track) -> Results:
    """Run all experiments; each part has a random stream of its own."""
    effort = QUICK if quick else FULL
    for_draws, for_q, for_beyond, for_growth, for_slopes = np.random.SeedSequence(seed).spawn(5)

    fits = models.fit_models(track)
    components = models.fit_components(track)
    settings = models.settings(fits)
    drawn = draw_settings(settings, effort.draws, for_draws, track)
    statistics = {(s.partition, s.model, s.parameters): d for s, d in zip(settings, drawn, strict=True)}
    summaries = {
        (*key, statistic): spread
        for key, values in statistics.items()
        for statistic, spread in spreads(values, PARTITIONS[key[0]].statistics).items()
    }
    beyond_fits = models.fit_beyond(track)
    grown = growth.grow(effort, for_growth, track)
    return Results(
        seed=seed,
        effort=effort,
        fits=fits,
        components=components,
        evidence=numbers.evidence(fits),
        appendix_d=numbers.appendix_d(fits),
        other_numbers=numbers.other_numbers(),
        printed_q=numbers.printed_q(effort.extra_draws, for_q),
        statistics=statistics,
        spreads=summaries,
        verdicts={name: claims.judge_all(of_set(summaries, name)) for name in models.PARAMETER_SETS},
        beyond=numbers.evidence(beyond_fits, with_published=False),
        beyond_spreads=_draw_beyond(beyond_fits, effort.extra_draws, for_beyond, track),
        growth=grown,
        agreements=growth.agreements(grown),
        slopes=growth.slopes(grown, effort.resamples, for_slopes),
    )


def of_set(summaries: dict[tuple[str, str, str, str], Spread], parameters: str) -> judges.Spreads:
    """Return the spreads of one parameter set."""
    return {
        (name, model, statistic): spread
        for (name, model, chosen, statistic), spread in summaries.items()
        if chosen == parameters
    }


def _draw_beyond(
    fits: dict[tuple[str, str], Fit], draws: int, seed: np.random.SeedSequence, track: Track
) -> dict[tuple[str, str, str], Spread]:
    """Draw from the laws that the paper does not have."""
    jobs = list(zip(fits.items(), seed.spawn(len(fits)), strict=True))
    summaries = {}
    for ((name, law), found), child in track(jobs, len(jobs), "Drawing from further laws"):
        partition = PARTITIONS[name]
        values = draw_statistics(models.law_to_draw(found), partition.n, draws, child)
        for statistic, spread in spreads(values, partition.statistics).items():
            summaries[name, law, statistic] = spread
    return summaries
