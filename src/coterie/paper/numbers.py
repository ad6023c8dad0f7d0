"""Every number of section 4 and appendices C and D that can be checked, beside what comes out here."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from typing import Any, NamedTuple

import numpy as np

from coterie import priors
from coterie.fitting import Fit, fit
from coterie.paper.models import published_law, q_meant
from coterie.paper.published import MICROCLUSTERING, PARAMETERS, PARTITIONS, SYMBOLS, printed
from coterie.paper.tables import log_number, number
from coterie.partition import Partition
from coterie.priors.parameters import complement
from coterie.special import log_negbin

Fits = dict[tuple[str, str], Fit]


class Row(NamedTuple):
    """A number that the paper prints, the same number recomputed, and what to say of the two."""

    where: str
    what: str
    published: str
    recomputed: str
    remark: str


AGREES = "agrees to the printed digits"


def remark_on(text: str, value: float) -> str:
    """Compare a printed number with its recomputed value.

    Examples
    --------
    >>> remark_on("0.279", 0.27922), remark_on("0.9999", 0.99999986)
    ('agrees to the printed digits', 'agrees if the digits were cut off, not rounded')
    >>> remark_on("0.540", 0.54144)
    'differs by +0.27 %'
    """
    as_printed, exact = Decimal(text), Decimal(repr(float(value)))
    unit = Decimal((0, (1,), int(as_printed.as_tuple().exponent)))
    if exact.quantize(unit, ROUND_HALF_EVEN) == as_printed:
        return AGREES
    if exact.quantize(unit, ROUND_DOWN) == as_printed:
        return "agrees if the digits were cut off, not rounded"
    # A lone 0 is a digit; zeros at the end of a whole number may stand for digits that were left out.
    zeros = len(text) - len(text.rstrip("0")) if "." not in text and text.strip("0") else 0
    rounded = zeros > 0 and (exact / 10**zeros).quantize(Decimal(1), ROUND_HALF_EVEN) * 10**zeros == as_printed
    difference = "differs" if as_printed == 0 else f"differs by {100 * (value / float(text) - 1):+.2g} %"
    return difference.replace("-", "−") + (", agrees if the last zeros were rounding" if rounded else "")


# --- appendix D ------------------------------------------------------------------------------------------------


def appendix_d(fits: Fits) -> list[Row]:
    """Compare every parameter of appendix D, and give the one that it leaves out, α of PERPS."""
    rows = []
    for (name, model), values in PARAMETERS.items():
        found = fits[name, model]
        for parameter, text in values.items():
            where, what = f"{name}, {model}", SYMBOLS.get(parameter, parameter)
            if model == "NBNB" and found.boundary:
                recomputed, remark = ridge(name, parameter, text, found)
            else:
                recomputed, remark = inner(parameter, text, found)
            rows.append(Row(where, what, text, recomputed, remark))
        if model == "PERPS":
            alpha = number(found.law.parameters["alpha"])
            rows.append(
                Row(f"{name}, {model}", "α", "not printed", alpha, "k/(1 − e^−λ), from the number of clusters")
            )
    return rows


def inner(parameter: str, text: str, found: Fit) -> tuple[str, str]:
    """Compare a parameter that has a best value; say where that lies at an edge."""
    value = float(found.law.parameters[parameter])
    remark = remark_on(text, value)
    if any(edge.split()[0] == parameter for edge in found.boundary):
        limit = "" if found.limit is None else f", where the law is {found.limit!r}"
        remark += f"; the maximum lies at the edge{limit}"
    return number(value), remark


def ridge(name: str, parameter: str, text: str, found: Fit) -> tuple[str, str]:
    """Compare a parameter of NBNB, whose likelihood rises for ever along a ridge."""
    ends = dict(edge.split(" → ") for edge in found.boundary if " → " in edge)
    partition, given = PARTITIONS[name], dict[str, Any](printed(name, "NBNB"))
    if parameter in ends:
        # For a what is lost is told for a alone; for the others with the printed a.
        held = {parameter: given[parameter]} | ({} if parameter == "a" else {"a": given["a"]})
        best = found if parameter == "a" else fit(priors.NBNB, partition, a=given["a"])
        rise = best.limit_log_prob - fit(priors.NBNB, partition, **held).limit_log_prob
        beside = "" if parameter == "a" else f", with a = {PARAMETERS[name, 'NBNB']['a']}"
        return (
            f"→ {ends[parameter]}",
            f"no maximum: from {text} on log P rises by another {number(rise, 2)}{beside}",
        )
    others = {key: value for key, value in given.items() if key not in (parameter, "q")}
    best_given = float(fit(priors.NBNB, partition, **others).law.parameters[parameter])
    told = f"best given {', '.join(others)} as printed: {number(best_given, 5)}, {remark_on(text, best_given)}"
    if parameter == "q":
        missing = f"1 − q = {number(complement(fit(priors.NBNB, partition, **others).law.parameters['q']), 4)}"
        return "follows from a, r, p", f"{told} ({missing})"
    if "∞" in ends.get("r", ""):
        product = given["r"] * given["p"]
        rate = _mean_records(found)
        return "→ 0", f"r p → λ = {number(rate, 4)}, printed r p = {number(product, 4)}; {told}"
    return number(
        float(found.law.parameters[parameter])
    ), f"{remark_on(text, float(found.law.parameters['p']))}; {told}"


def _mean_records(found: Fit) -> float:
    """Return r p/(1−p), the mean number of records of an entity."""
    law = found.law.parameters
    return float(law["r"] * law["p"] / complement(law["p"]))


class PrintedQ(NamedTuple):
    """What q = 0.9999 as printed would mean for the simulated partition, beside the q that was meant."""

    q: str
    one_minus_q: float
    log_prob: float
    entities: float  # E K = a q/(1−q)
    records: float  # E N = E K · r p/(1−p)
    clusters: float  # the median |C_N| of draws with N given


def printed_q(draws: int, seed: np.random.SeedSequence) -> list[PrintedQ]:
    """Compute both."""
    given = printed("simulated", "NBNB")
    partition = PARTITIONS["simulated"]
    rows = []
    for text, q, child in zip(("as printed", "meant"), (given["q"], q_meant()), seed.spawn(2), strict=True):
        law = priors.NBNB(**(given | {"q": q}))
        entities = law.a * law.q / complement(law.q)
        clusters = [sizes.size for sizes in law.sample_sizes(partition.n, draws, child)]
        rows.append(
            PrintedQ(
                text,
                complement(law.q),
                law.log_prob(partition),
                entities,
                entities * law.r * law.p / (1 - law.p),
                float(np.median(clusters)),
            )
        )
    return rows


# --- section 4 and appendix C ----------------------------------------------------------------------------------


def other_numbers() -> list[Row]:
    """Compare the numbers of section 4 and appendix C."""
    return [*section_4(), *appendix_c()]


def section_4() -> list[Row]:
    """Compare the numbers that describe the two partitions."""
    simulated, shiw = PARTITIONS["simulated"], PARTITIONS["SHIW"]
    of_entities = 100 * shiw.k / shiw.n
    rows = [
        _row("simulated", "elements", "5000", simulated.n),
        _row("simulated", "clusters", "4500", simulated.k),
        _row("simulated", "singleton clusters", "4100", simulated.size_counts[1]),
        _row("simulated", "clusters of two", "300", simulated.size_counts[2]),
        _row("simulated", "clusters of three", "100", simulated.size_counts[3]),
        _row("simulated", "% of clusters that are singletons", "91", _percent_single(simulated)),
        _row("SHIW", "records", "789", shiw.n),
        _row("SHIW", "% of clusters that are singletons", "74", _percent_single(shiw)),
    ]
    if rows[-1].remark != AGREES and remark_on("74", of_entities) == AGREES:
        told = f"; the printed figure is clusters over records, {shiw.k}/{shiw.n} = {of_entities:.1f} %"
        rows[-1] = rows[-1]._replace(remark=rows[-1].remark + told)
    return rows


def appendix_c() -> list[Row]:
    """Compare the moments of a cluster's size, summed over NegBin(r, p) with the r and p derived from them."""
    c = MICROCLUSTERING
    s = np.arange(1_000.0)
    weights = np.exp(log_negbin(s, c.r, c.p, 1 - c.p))
    mean = float(np.dot(weights, s))
    rows = [
        Row("appendix C", "r", "not printed", number(c.r), "m (1−p)/p, from the mean m and the variance v"),
        Row("appendix C", "p", "not printed", number(c.p), "1 − m/v"),
        _row("appendix C", "E(N_k)", "3", mean),
        _row("appendix C", "var(N_k)", "4.5", float(np.dot(weights, (s - mean) ** 2))),
    ]
    return [row._replace(published="3²/2") if row.what == "var(N_k)" else row for row in rows]


def _row(partition: str, what: str, text: str, value: float) -> Row:
    """Compare a number that is printed in the main text."""
    where = partition if partition.startswith("app") else f"section 4, {partition}"
    return Row(where, what, text, number(value), remark_on(text, value))


def _percent_single(partition: Partition) -> float:
    return 100 * partition.size_counts[1] / partition.k


def implied_clusters() -> dict[str, float]:
    """Return how many clusters of SHIW follow from numbers that the paper prints.

    The maximum-likelihood θ of DP has Σ_{i<N} θ/(θ+i) = k, and λ of PERPS has λ/(1 − e^−λ) = N/k. With clusters of
    one and two only, a share s of singletons makes k = N/(2 − s).
    """
    n = PARTITIONS["SHIW"].n
    theta, lam = printed("SHIW", "DP")["theta"], printed("SHIW", "PERPS")["lam"]
    return {
        "θ": float(np.sum(theta / (theta + np.arange(n)))),
        "λ": n * -math.expm1(-lam) / lam,
        "74 %": n / (2 - 0.74),
    }


# --- which model fits best -------------------------------------------------------------------------------------


class Evidence(NamedTuple):
    """Log probabilities of a partition under a model."""

    partition: str
    model: str
    published: float  # log P at the printed parameters
    supremum: float  # log P at the best ones
    given_n: float  # log P(C_N | N) there
    boundary: tuple[str, ...]
    limit: str


def evidence(fits: Fits, *, with_published: bool = True) -> list[Evidence]:
    """Compute log P at the printed parameters and at the best, and log P(C_N | N), which all laws have."""
    rows = []
    for (name, model), found in fits.items():
        partition = PARTITIONS[name]
        best = found.law if found.limit is None else found.limit
        at_printed = published_law(name, model).log_prob(partition) if with_published else math.nan
        given_n = best.log_prob(partition, given_n=True)
        limit = "" if found.limit is None else repr(found.limit)
        rows.append(Evidence(name, model, at_printed, found.limit_log_prob, given_n, found.boundary, limit))
    return rows


def ranking(rows: list[Evidence], partition: str) -> list[Evidence]:
    """Return the models for a partition, the best first, by log P(C_N | N)."""
    return sorted((row for row in rows if row.partition == partition), key=lambda row: -row.given_n)


def told(row: Evidence) -> tuple[str, ...]:
    """Write a row as text."""
    loss = row.supremum - row.published
    edge = ", ".join(row.boundary) or "none"
    return (
        row.partition,
        row.model,
        log_number(row.published),
        log_number(row.supremum),
        number(max(loss, 0.0), 2) if loss >= 5e-7 else "0",
        log_number(row.given_n),
        edge,
        row.limit,
    )
