"""The page: what agrees with the paper, what does not, and why. Every sentence is chosen by the numbers."""

from coterie import __version__
from coterie.paper import findings
from coterie.paper.claims import CLAIMS
from coterie.paper.data import FIGURES, GROWTH_FIGURE, tables
from coterie.paper.effort import FULL
from coterie.paper.judges import DEPENDS, STATISTICS
from coterie.paper.models import PARAMETER_SETS
from coterie.paper.published import MICROCLUSTERING, MODELS, PARTITIONS
from coterie.paper.results import Results
from coterie.paper.tables import Table, number, share

PAGE = "paper.md"


def page(results: Results) -> str:
    """Write the page as Markdown."""
    parts = [
        head(results),
        summary(results),
        partitions(results),
        appendix_d(results),
        best_fit(results),
        figures(results),
        claims(results),
        microclustering(results),
        beyond(results),
        making(results),
    ]
    return "\n\n".join(parts) + "\n"


def head(results: Results) -> str:
    """Say what this page is, and plainly when it is a quick run."""
    text = """# The paper, done again

Miller, Betancourt, Zaidi, Wallach and Steorts (2015), *Microclustering: When the Cluster Sizes Grow Sublinearly
with the Size of the Data Set*, redone from its text: the fits of appendix D, the draws of section 4 and the growth
of the largest cluster of appendix C. Every number below was computed when this page was made, and every verdict was
chosen by a program from those numbers."""
    if not results.quick:
        return text
    mine = results.effort
    return f"""{text}

> **This is a quick run.** It has {mine.draws:,} draws from each model instead of {FULL.draws:,}; figure 3 goes
> to N = {max(mine.sizes):,} instead of {max(FULL.sizes):,}, with {mine.growth_draws:,} exact draws for each N instead of
> {FULL.growth_draws:,}, and with {mine.sweeps:,} reseating sweeps instead of {FULL.sweeps:,} in up to
> {mine.most_replicates} runs instead of up to {FULL.most_replicates}. The fits are those of a full run; verdicts
> that rest on draws are rougher."""


def summary(results: Results) -> str:
    """Tell the findings in a few lines."""
    return "## In short\n\n" + "\n".join(f"- {finding}" for finding in findings.in_short(results))


def partitions(results: Results) -> str:
    """Check the numbers of section 4 and appendix C."""
    rows = []
    for name, partition in PARTITIONS.items():
        counts = ", ".join(f"{count:,} of size {size}" for size, count in partition.size_counts.items())
        values = (number(value, 5) for value in partition.statistics)
        rows.append((name, number(partition.n), number(partition.k), counts, *values))
    statistics = ("singletons", "maximum", "mean", "90 % quantile")
    columns = ("partition", "elements", "clusters", "sizes", *statistics)
    return f"""## The two partitions

{Table(columns, rows).markdown()}

The paper prints the simulated partition whole. Of SHIW it prints the number of records; that there are
{PARTITIONS["SHIW"].k} clusters, {PARTITIONS["SHIW"].size_counts[1]} of them singletons, is counted from the survey's
identifiers. {findings.share_of_singletons()}

{tables(results)["other-numbers"].markdown()}"""


def appendix_d(results: Results) -> str:
    """Compare the parameters, and say why those of NBNB are no maximum and what q must have been."""
    return f"""## Appendix D: the parameters

{tables(results)["appendix-d"].markdown()}

{findings.concentrations(results)}

### Has NBNB best parameters?

{findings.ridges(results)}

### What the printed q would mean

{findings.printed_q(results)}

### The law of K in the mixture of finite mixtures

{findings.components(results)}

{tables(results)["mfm-components"].markdown()}"""


def best_fit(results: Results) -> str:
    """Answer which model fits best, by log P at the maximum."""
    ranked = "\n".join(f"- {findings.rank(results, name)}" for name in PARTITIONS)
    return f"""## Which model fits best

{ranked}

Compared is log P(C_N | N), the one number that all five models have: NBNB and PERPS also say how large N is, so
their log P(C_N), which is what was maximised, includes the cost of that. A maximum favours models with more
parameters (NBNB has four, PERPS and PYP two, DP one, MFM one and its law of K), and two partitions are two data sets:
this ranks fits to these partitions, not models.

{tables(results)["log-probabilities"].markdown()}"""


def figures(results: Results) -> str:
    """Show figures 1 and 2 with the numbers behind them."""
    parts = ["## Figures 1 and 2: the four statistics"]
    parts.append(
        f"Boxplots of {results.effort.draws:,} independent exact draws from each model given N, with the paper's "
        "parameters and with those recomputed here; where a likelihood has no maximum the draws come from the limit "
        "law, which attains the supremum. The box holds the middle half, whiskers reach to the last draw within "
        "one and a half box lengths, dots are draws beyond, larger where there are more of them."
    )
    for name, figure in FIGURES.items():
        title = f"Figure {figure[-1]}. Results for the {name} partition."
        parts.append(
            f"![{title}]({figure}.png)\n\n*{title} The dashed line is the true value. Data: `{figure}.csv`.*"
        )
        parts.append(statistics_table(results, name).markdown())
    parts.append(
        "In the tables: the median of the draws, and how far out the true value lies, as the smaller share of draws "
        "that are as small or as large as it; ✗ marks a true value outside the central 95 %."
    )
    return "\n\n".join(parts)


def statistics_table(results: Results, partition: str) -> Table:
    """Return the medians and tails for one partition."""
    rows = []
    for model in MODELS:
        for parameters in PARAMETER_SETS:
            cells = []
            for statistic in STATISTICS:
                s = results.spreads[partition, model, parameters, statistic]
                cells.append(f"{number(s.median, 4)} ({share(s.tail)}){'' if s.captured else ' ✗'}")
            rows.append((model, parameters, *cells))
    true = [number(value, 4) for value in PARTITIONS[partition].statistics]
    rows.append(("true value", "", *true))
    return Table(("model", "parameters", *STATISTICS.values()), rows)


def claims(results: Results) -> str:
    """Judge what the paper says in words about its figures."""
    parts = [
        "## What the paper says about figures 1 and 2",
        "A statistic counts as captured when its true value lies in the central 95 % of the draws. A second reading is "
        f"whether it lies within the whiskers of the boxplot; “{DEPENDS}” means that the two differ. That happens "
        "where most draws share one value: box and whiskers shrink to a line, and a value that many draws take "
        "looks like an outlier. Medians that differ by less than the noise of the draws are too close to call.",
        "“Fits better than the others” is read as: captures at least as many statistics as every other model on both "
        "partitions, and more on one. “Clearly superior” as: more than every other model on both. “Better than "
        "several” as: a median nearer to the true value than that of at least two of MFM, DP and PYP.",
    ]
    for i, claim in enumerate(CLAIMS):
        verdicts = {name: results.verdicts[name][i] for name in PARAMETER_SETS}
        lines = [f"**“{claim.text}”** ({claim.where})\n"]
        lines += [f"- {name} parameters: **{v.outcome}**. {v.because}." for name, v in verdicts.items()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def microclustering(results: Results) -> str:
    """Tell of figure 3: whether M_N/N falls, and whether reseating agrees with exact draws."""
    c = MICROCLUSTERING
    title = "Figure 3. The share of the largest cluster."
    return f"""## Figure 3: the microclustering property

The law is NBNB with a = {c.a:g} and q = {c.q:g}; a mean size of {c.mean:g} with variance
{c.variance:g} gives p = 1 − m/v = {number(c.p, 4)} and r = m(1−p)/p = {c.r:g}. As in appendix C, each run of
the reseating algorithm starts from the partition with one cluster and makes {results.effort.sweeps:,} sweeps;
beside them are independent exact draws, and for contrast a Dirichlet process (θ = 1) and a Pitman–Yor process
(θ = 1, δ = 0.5).

![{title}]({GROWTH_FIGURE}.png)

*{title} Lines: medians of {results.effort.growth_draws:,} exact draws, bands: their central 90 %. Points: medians
of the reseating runs, bars: their central 90 %. Data: `{GROWTH_FIGURE}.csv`.*

{findings.growth(results)}

### Does the reseating algorithm arrive?

{findings.reseating(results)}

{tables(results)["reseating"].markdown()}"""


def beyond(results: Results) -> str:
    """Show the laws that the paper does not have."""
    return f"""## Beyond the paper

Further laws of this package, fitted to the same partitions: log P(C_N | N) at the maximum, and how far out the true
value of each statistic lies in {results.effort.extra_draws:,} exact draws (✗: outside the central 95 %). A law with
any μ has a parameter for each size that occurs, so it describes these partitions rather than explains them.
{findings.beyond(results)}

{tables(results)["beyond"].markdown()}"""


def making(results: Results) -> str:
    """Say how the page was made."""
    return f"""## How this was made

Coterie {__version__}, seed {results.seed}. The same seed gives the same files on the same machine, byte for byte.
Draws are exact and independent; the only Markov chain is that of figure 3. The tables of this page are beside it as
CSV: {", ".join(f"`{name}.csv`" for name in tables(results))}."""
