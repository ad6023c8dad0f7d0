"""The CSV files: the data of each figure, one row for each draw, and every table of the page."""

from collections.abc import Iterator

from coterie.paper.claims import CLAIMS
from coterie.paper.models import PARAMETER_SETS
from coterie.paper.numbers import Evidence, Row, told
from coterie.paper.published import PARTITIONS
from coterie.paper.results import Results
from coterie.paper.tables import Table, csv_of, log_number, number, share

FIGURES = {name: f"figure-{i}" for i, name in enumerate(PARTITIONS, start=1)}
GROWTH_FIGURE = "figure-3"


def csv_files(results: Results) -> dict[str, bytes]:
    """Return every CSV file by name."""
    files = {
        f"{FIGURES[name]}.csv": csv_of(
            ("parameters", "model", "draw", "singletons", "largest", "mean", "quantile_90", "clusters"),
            statistics_rows(results, name),
        )
        for name in PARTITIONS
    }
    files[f"{GROWTH_FIGURE}.csv"] = csv_of(
        ("law", "method", "elements", "sweeps", "draw", "largest", "share"), growth_rows(results)
    )
    return files | {f"{name}.csv": table.csv() for name, table in tables(results).items()}


def tables(results: Results) -> dict[str, Table]:
    """Return the tables of the page that are written as CSV, too."""
    return {
        "appendix-d": row_table(results.appendix_d),
        "other-numbers": row_table(results.other_numbers),
        "log-probabilities": evidence_table(results.evidence),
        "mfm-components": components_table(results),
        "claims": claims_table(results),
        "reseating": reseating_table(results),
        "beyond": beyond_table(results),
    }


def statistics_rows(results: Results, partition: str) -> Iterator[tuple[object, ...]]:
    """Yield the statistics of each draw of figure 1 or 2."""
    for (name, model, parameters), values in results.statistics.items():
        if name == partition:
            columns = (column.tolist() for column in values)
            for draw, (singletons, largest, mean, quantile, clusters) in enumerate(
                zip(*columns, strict=True), start=1
            ):
                # A multiple of a tenth, apart from rounding.
                yield parameters, model, draw, singletons, largest, f"{mean:.10g}", f"{quantile:.10g}", clusters


def growth_rows(results: Results) -> Iterator[tuple[object, ...]]:
    """Yield the largest cluster of each draw of figure 3, and of the runs on their way at the largest N."""
    grown = results.growth
    for (law, n), draws in grown.exact.items():
        for draw, largest in enumerate(draws.tolist(), start=1):
            yield law, "exact", n, "", draw, largest, f"{largest / n:.10g}"
    last = results.effort.sweeps
    early = [(grown.longest, sweeps, states) for sweeps, states in grown.burn_in.items() if sweeps != last]
    for n, sweeps, states in [*early, *((n, last, states) for n, states in grown.reseated.items())]:
        for run, largest in enumerate(states.tolist(), start=1):
            yield "NBNB", "reseating", n, sweeps, run, largest, f"{largest / n:.10g}"


def row_table(rows: list[Row]) -> Table:
    """Return the table "published, recomputed, remark"."""
    return Table(("where", "what", "published", "recomputed", "remark"), [tuple(row) for row in rows])


def evidence_table(rows: list[Evidence]) -> Table:
    """Return log P at the printed parameters and at the best."""
    columns = (
        "partition",
        "model",
        "log P, published",
        "log P, best",
        "lost by the published",
        "log P(C_N given N), best",
        "boundary",
        "limit",
    )
    return Table(columns, [told(row) for row in rows])


def components_table(results: Results) -> Table:
    """Return the best γ of MFM for several laws of K."""
    rows = []
    for (name, components), found in results.components.items():
        gamma = "→ ∞" if found.boundary else number(found.law.parameters["gamma"], 4)
        rows.append((name, components, gamma, log_number(found.limit_log_prob)))
    return Table(("partition", "law of K", "best γ", "log P"), rows)


def claims_table(results: Results) -> Table:
    """Return the verdict on each claim, for both sets of parameters, with the numbers."""
    columns = ["where", "claim"]
    for name in PARAMETER_SETS:
        columns += [f"{name} parameters", f"numbers, {name} parameters"]
    rows = []
    for i, claim in enumerate(CLAIMS):
        verdicts = [results.verdicts[name][i] for name in PARAMETER_SETS]
        rows.append((claim.where, claim.text, *(text for verdict in verdicts for text in verdict)))
    return Table(tuple(columns), rows)


def reseating_table(results: Results) -> Table:
    """Return the comparison of the reseating algorithm with exact draws."""
    columns = (
        "N",
        "runs",
        "median M_N, reseating",
        "median M_N, exact",
        "P(reseated is larger)",
        "p, Mann–Whitney",
        "p, Holm",
    )
    rows = [
        (
            number(row.n),
            number(row.runs),
            number(row.median_reseated, 3),
            number(row.median_exact, 3),
            f"{row.larger:.2f}",
            f"{row.p_value:.3f}",
            f"{row.holm:.3f}",
        )
        for row in sorted(results.agreements, key=lambda row: row.n)
    ]
    return Table(columns, rows)


def beyond_table(results: Results) -> Table:
    """Return the laws that the paper does not have: how probable they make the partitions, what they capture."""
    rows = []
    for row in results.beyond:
        spreads = {key[2]: s for key, s in results.beyond_spreads.items() if key[:2] == (row.partition, row.model)}
        tails = [f"{share(s.tail)}{'' if s.captured else ' ✗'}" for s in spreads.values()]
        edge = ", ".join(row.boundary) or "none"
        rows.append((row.partition, row.model, log_number(row.given_n), *tails, edge))
    columns = (
        "partition",
        "law",
        "log P(C_N given N)",
        "singletons",
        "maximum",
        "mean",
        "90 % quantile",
        "boundary",
    )
    return Table(columns, rows)
