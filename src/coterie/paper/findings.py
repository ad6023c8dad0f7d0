"""Sentences that the numbers choose: what agrees with the paper, what does not, and why."""

import math

import numpy as np

from coterie import priors
from coterie.paper.growth import SLOPE_FROM, predicted_median, tilt
from coterie.paper.models import COMPONENTS, PARAMETER_SETS
from coterie.paper.numbers import AGREES, implied_clusters, ranking
from coterie.paper.published import MFM_COMPONENTS, PARAMETERS, PARTITIONS, printed
from coterie.paper.results import Results
from coterie.paper.tables import log_number, number

# Two log probabilities closer than this are called the same: no data tell e^0.005 from one.
SAME = 0.005
# Below this, after allowing for the number of tests, two samples are said to differ.
LEVEL = 0.05


def in_short(results: Results) -> list[str]:
    """Tell the findings, one line each."""
    compared = [row for row in results.appendix_d if row.published != "not printed"]
    edge = [row for row in compared if row.recomputed.startswith(("→", "follows"))]
    agree = [row for row in compared if row not in edge and row.remark.startswith(AGREES)]
    return [
        f"Of the {len(compared)} parameters of appendix D, {len(agree)} agree to the printed digits, "
        f"{len(compared) - len(agree) - len(edge)} differ, and {len(edge)} have no best value.",
        *(_ridge_in_short(results, name) for name in PARTITIONS),
        share_of_singletons(),
        *(rank(results, name) for name in PARTITIONS),
        *(claims_in_short(results, parameters) for parameters in PARAMETER_SETS),
        growth_in_short(results),
    ]


def claims_in_short(results: Results, parameters: str) -> str:
    """Count the verdicts on what the paper says of its figures."""
    outcomes = [verdict.outcome for verdict in results.verdicts[parameters]]
    told = ", ".join(f"“{o}” {outcomes.count(o)}" for o in dict.fromkeys(outcomes))
    return f"Of the {len(outcomes)} statements about figures 1 and 2, with the {parameters} parameters: {told}."


# --- the partitions --------------------------------------------------------------------------------------------


def share_of_singletons() -> str:
    """Say what the share of singletons of SHIW is, and how many clusters other printed numbers imply."""
    shiw = PARTITIONS["SHIW"]
    singles = 100 * shiw.size_counts[1] / shiw.k
    implied = implied_clusters()
    text = f"Of the SHIW clusters {singles:.0f} % are singletons"
    if round(singles) == 74:
        return text + ", as printed."
    agree = all(round(implied[key]) == shiw.k for key in ("θ", "λ"))
    parameters = (
        f"the printed θ of DP implies {number(implied['θ'], 4)} clusters, and λ of PERPS "
        f"{number(implied['λ'], 4)}, {'in agreement' if agree else 'not in agreement'} with the {shiw.k} found"
    )
    return (
        f"{text}, not 74 %; {100 * shiw.k / shiw.n:.1f} % is clusters over records, {shiw.k}/{shiw.n}. "
        f"With 74 % of singletons among clusters of one and two there would be {number(implied['74 %'], 4)} "
        f"clusters, but {parameters}."
    )


# --- the parameters --------------------------------------------------------------------------------------------


def concentrations(results: Results) -> str:
    """Judge that the concentration parameters of DP and PYP are very large."""
    ratios = {
        f"{name}, {model}": results.fits[name, model].law.parameters["theta"] / partition.n
        for name, partition in PARTITIONS.items()
        for model in ("DP", "PYP")
    }
    told = "; ".join(f"{key}: θ/N = {number(ratio, 3)}" for key, ratio in ratios.items())
    holds = min(ratios.values()) > 1
    verdict = "That holds: each exceeds" if holds else "That does not hold throughout: not each exceeds"
    return (
        "Appendix D notes that the concentration parameters of DP and PYP are very large for both data sets. "
        f"{verdict} the number of elements itself ({told})."
    )


def _ridge_in_short(results: Results, name: str) -> str:
    row = next(row for row in results.evidence if (row.partition, row.model) == (name, "NBNB"))
    if not row.boundary:
        return f"NBNB, {name}: a maximum inside, log P = {log_number(row.supremum)}."
    return (
        f"NBNB, {name}: the likelihood has no maximum but rises for {', '.join(row.boundary)}. The published "
        f"values have log P = {row.published:.2f}, the supremum is {row.supremum:.2f}.".replace("-", "−")
    )


def ridges(results: Results) -> str:
    """Say for each partition where the likelihood of NBNB rises to."""
    rows = [row for row in results.evidence if row.model == "NBNB"]
    lost = " and ".join(f"{number(row.supremum - row.published, 2)} ({row.partition})" for row in rows)
    parts = []
    if all("a → ∞" in row.boundary for row in rows):
        parts.append(
            "One partition shows one number of clusters. A spread cannot be learnt from one number, so the "
            "likelihood rises for a → ∞, where the number of clusters is Poisson. The published values are where "
            f"a simplex search stopped on that ridge; in log P they lose {lost} by it."
        )
    for name in PARTITIONS:
        row = next(row for row in results.evidence if (row.partition, row.model) == (name, "NBNB"))
        text = _ridge_in_short(results, name)
        if row.limit:
            text += f" The limit is `{row.limit}`."
        parts.append(text + _limit_in_words(results, name))
    return "\n\n".join(parts)


def _limit_in_words(results: Results, name: str) -> str:
    """Say which of the other models the limit is, where it is one."""
    limit = results.fits[name, "NBNB"].limit
    if isinstance(limit, priors.PERPS):
        return " So on this partition the best NBNB model is PERPS, the special case of appendix A."
    if isinstance(limit, priors.CompoundPoisson) and isinstance(limit.mu, priors.LogSeries):
        theta = limit.alpha / -math.log1p(-limit.mu.p)
        best = results.fits[name, "DP"].law.parameters["theta"]
        return (
            " Given N, a Poisson number of clusters with log-series sizes is the Dirichlet process with "
            f"θ = α/−log(1−p) = {number(theta)} (the best θ of DP is {number(best)}). So on this partition the "
            "best NBNB model, given N, is one of the models it is compared with."
        )
    return ""


def printed_q(results: Results) -> str:
    """Show what the printed q would mean."""
    printed, meant = results.printed_q
    simulated = PARTITIONS["simulated"]
    text, meant_text = PARAMETERS["simulated", "NBNB"]["q"], f"{1 - meant.one_minus_q:.4f}"
    told = "which is what the paper prints" if text == meant_text else f"but the paper prints {text}"
    return (
        "With a, r and p as printed for the simulated partition, the best q has "
        f"1 − q = {meant.one_minus_q:.3e}. With four decimals that is {meant_text}, {told}. With q = {text} the "
        f"model expects {number(printed.entities, 3)} entities with "
        f"{number(printed.records, 3)} records between them, instead of {number(meant.entities, 3)} with "
        f"{number(meant.records, 4)}; given N = {simulated.n:,} it draws "
        f"{number(printed.clusters, 3)} clusters in the median instead of {number(meant.clusters, 4)} (true: "
        f"{simulated.k:,}), and log P is {log_number(printed.log_prob)} instead of {log_number(meant.log_prob)}. "
        "Wherever this page speaks of the published parameters, the best q takes the place of the printed one."
    )


def components(results: Results) -> str:
    """Say which law of K the printed γ point to."""
    near = [name for name in COMPONENTS if all(_near_printed(results, p, name) for p in PARTITIONS)]
    far = [name for name in COMPONENTS if name not in near]
    best = {p: max(COMPONENTS, key=lambda c: results.components[p, c].limit_log_prob) for p in PARTITIONS}
    lead = {p: results.components[p, best[p]].limit_log_prob - results.fits[p, "MFM"].log_prob for p in PARTITIONS}
    worse = [
        f"on {p} the law “{best[p]}” has a log P that is higher by {number(lead[p], 3)}"
        for p in PARTITIONS
        if lead[p] > SAME
    ]
    text = "The paper does not state its law of K. "
    if near:
        text += f"On both partitions these laws have a best γ within 1 % of the printed one: {'; '.join(near)}. "
    text += f"These do not: {'; '.join(far)}." if far else "So have all that were tried."
    return text + (f" The choice matters: {', '.join(worse)} than with K = {MFM_COMPONENTS:,}." if worse else "")


def _near_printed(results: Results, partition: str, name: str) -> bool:
    """Say whether the best γ with a law of K is within 1 % of the printed one."""
    found = results.components[partition, name]
    return (
        not found.boundary and abs(found.law.parameters["gamma"] / printed(partition, "MFM")["gamma"] - 1) < 0.01
    )


# --- the fits --------------------------------------------------------------------------------------------------


def rank(results: Results, partition: str) -> str:
    """Name the models in the order of log P(C_N | N)."""
    ordered = ranking(results.evidence, partition)
    groups: list[list[str]] = []
    values: list[float] = []
    for row in ordered:
        if values and values[-1] - row.given_n < SAME:
            groups[-1].append(row.model)
        else:
            groups.append([row.model])
            values.append(row.given_n)
    named = [f"{' and '.join(group)} ({value:.2f})" for group, value in zip(groups, values, strict=True)]
    first = " and ".join(groups[0])
    verb = "fit" if len(groups[0]) > 1 else "fits"
    return f"By log P(C_N | N) {first} {verb} the {partition} partition best: {', '.join(named)}.".replace(
        "-", "−"
    )


def beyond(results: Results) -> str:
    """Say whether another law does better than the five."""
    texts = []
    for partition in PARTITIONS:
        best, five = ranking(results.beyond, partition)[0], ranking(results.evidence, partition)[0]
        gain = best.given_n - five.given_n
        than = f"the best of the five, {five.model}, by {number(abs(gain), 4)}"
        texts.append(
            f"On {partition} the best of them, {best.model}, is {'above' if gain > 0 else 'below'} {than}."
        )
    return " ".join(texts)


# --- figure 3 --------------------------------------------------------------------------------------------------

VERDICTS = {
    "falls": "falls",
    "levels off": "levels off",
    "undecided": "cannot be told to fall or to level off",
}


def growth_in_short(results: Results) -> str:
    """Say whether M_N/N falls to zero."""
    told = "; ".join(f"{name}: {VERDICTS[slope.verdict]}" for name, slope in results.slopes.items())
    return f"The share M_N/N of the largest cluster as N grows: {told}."


def growth(results: Results) -> str:
    """Give the slopes, and what theory says of NBNB."""
    lines = [
        f"The slope of log median M_N/N against log N from N = {SLOPE_FROM} on, with a 95 % bootstrap interval; "
        "−1 is as fast as a share can fall, and a slope between −0.05 and 0.05 counts as level.\n"
    ]
    for name, s in results.slopes.items():
        numbers = f"{s.value:+.3f} ({s.low:+.3f} to {s.high:+.3f})".replace("-", "−")
        lines.append(f"- {name}: {numbers}; the share {VERDICTS[s.verdict]}.")
    n = max(results.effort.sizes)
    median = float(np.median(results.growth.exact["NBNB", n]))
    predicted = predicted_median(n)
    agree = abs(median - predicted) <= 1
    nbnb = all(results.slopes[name].verdict == "falls" for name in ("NBNB", "NBNB, reseating"))
    lines.append(
        f"\nSo the evidence of appendix C {'holds up' if nbnb else 'is not reproduced'}. There is also a reason: "
        "given a large N, cluster sizes are nearly independent draws from NegBin(r, z) without zero, with "
        f"z = 1 − q^(1/r) (1−p) = {number(tilt(), 4)}. Its tail is geometric, so M_N grows like the logarithm of "
        f"N. At N = {n:,} this predicts a median M_N of {predicted}; the exact draws have {number(median, 3)}"
        f"{', in agreement' if agree else ', which does not agree'}."
    )
    return "\n".join(lines)


def reseating(results: Results) -> str:
    """Say whether reseating agrees with exact draws, how well that could be seen, and when it arrived."""
    differ = [f"{row.n:,}" for row in sorted(results.agreements, key=lambda row: row.n) if row.holm < LEVEL]
    sweeps = results.effort.sweeps
    if differ:
        text = (
            f"Not everywhere: at N = {', '.join(differ)} the runs differ from exact draws after {sweeps:,} sweeps"
        )
    else:
        text = f"No difference from the exact draws is seen at any N after {sweeps:,} sweeps"
    text += f" (Mann–Whitney test of M_N with ties, two-sided, level {LEVEL} after Holm's correction)."
    longest = results.growth.longest
    runs, draws = results.growth.reseated[longest].size, results.effort.growth_draws
    # Under equal laws P(larger) is estimated with variance (1/m + 1/n)/12, or less where there are ties.
    blind = 1.96 * math.sqrt((1 / runs + 1 / draws) / 12)
    text += (
        f" The test is weakest at N = {longest:,}, where the {runs} runs cannot tell a P(reseated is larger) "
        f"between {max(0.0, 0.5 - blind):.2f} and {min(1.0, 0.5 + blind):.2f} from one half. "
    )
    return text + _arrival(results)


def _arrival(results: Results) -> str:
    """Say after how many sweeps the median of the longest runs came into the range of exact draws for good."""
    grown = results.growth
    low, high = np.quantile(grown.exact["NBNB", grown.longest], [0.05, 0.95])
    medians = {sweeps: float(np.median(states)) for sweeps, states in grown.burn_in.items()}
    path = ", ".join(f"{number(m, 3)} after {sweeps:,}" for sweeps, m in medians.items())
    arrived = None
    for sweeps, median in reversed(medians.items()):
        if not low <= median <= high:
            break
        arrived = sweeps
    came = (
        f"It has come there, for good, by sweep {arrived:,}"
        if arrived
        else "It has not come there by the last sweep"
    )
    return (
        f"On the way at N = {grown.longest:,}, the median M_N over the runs is {path} sweeps; the central 90 % of "
        f"exact draws goes from {number(float(low), 3)} to {number(float(high), 3)}. {came}."
    )
