"""The page, the CSV files and the figures: they are there, agree with each other, and follow from the results."""

import csv
import io
import re
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from coterie.paper import page as pages
from coterie.paper.data import tables
from coterie.paper.draws import Spread
from coterie.paper.effort import FULL
from coterie.paper.figures import draw_reseated, growth_figure, statistics_figure
from coterie.paper.models import PARAMETER_SETS
from coterie.paper.page import page, statistics_table
from coterie.paper.published import MODELS, PARTITIONS
from coterie.paper.tables import Table

# Tables that stand on the page as they are in the file; the verdicts stand there as a list.
WHOLE = ["appendix-d", "other-numbers", "log-probabilities", "mfm-components", "reseating", "beyond"]
FIGURES = {"figure-1": "simulated", "figure-2": "SHIW"}


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_the_files(files):
    figures = {f"figure-{i}.{end}" for i in (1, 2, 3) for end in ("png", "svg", "csv")}
    named = {"appendix-d", "other-numbers", "log-probabilities", "mfm-components", "claims", "reseating", "beyond"}
    assert set(files) == figures | {f"{name}.csv" for name in named} | {"paper.md"}
    assert list(files)[-1] == "paper.md"


def test_every_file_is_named_on_the_page(files, text):
    for name in files.keys() - {"paper.md"}:
        assert (name in text) or name.endswith(".svg"), name
    assert set(re.findall(r"\]\((.*?)\)", text)) == {f"figure-{i}.png" for i in (1, 2, 3)}


def test_the_page_is_the_file(files, text):
    assert files["paper.md"].decode() == text


@pytest.mark.parametrize(
    "name", ["appendix-d", "other-numbers", "log-probabilities", "mfm-components", "reseating"]
)
def test_tables_of_the_page_are_those_of_the_files(files, text, name):
    content = [tuple(row.values()) for row in rows_of(files[f"{name}.csv"])]
    columns = tuple(rows_of(files[f"{name}.csv"])[0])
    assert Table(columns, content).markdown() in text


def test_verdicts_of_the_page_are_those_of_the_file(files, text):
    for row in rows_of(files["claims.csv"]):
        assert f"**“{row['claim']}”** ({row['where']})" in text
        for name in PARAMETER_SETS:
            verdict, because = row[f"{name} parameters"], row[f"numbers, {name} parameters"]
            assert f"- {name} parameters: **{verdict}**. {because}." in text


@pytest.mark.parametrize(("figure", "partition"), FIGURES.items())
def test_the_data_of_figures_1_and_2(results, files, figure, partition):
    """From the CSV alone come the boxes, and the medians that the page tells."""
    rows = rows_of(files[f"{figure}.csv"])
    assert len(rows) == 2 * len(MODELS) * results.effort.draws
    for model in MODELS:
        for parameters in PARAMETER_SETS:
            mine = [row for row in rows if (row["model"], row["parameters"]) == (model, parameters)]
            assert [row["draw"] for row in mine] == [str(i + 1) for i in range(results.effort.draws)]
            for statistic, true in PARTITIONS[partition].statistics._asdict().items():
                read = Spread.of(np.array([float(row[statistic]) for row in mine]), true)
                held = results.spreads[partition, model, parameters, statistic]
                assert read[1:4] == tuple(pytest.approx(value) for value in held[1:4])
                assert read.captured == held.captured


def test_the_mean_follows_from_the_clusters(files):
    for figure, partition in FIGURES.items():
        for row in rows_of(files[f"{figure}.csv"])[::97]:
            assert float(row["mean"]) == pytest.approx(PARTITIONS[partition].n / int(row["clusters"]))


def test_the_data_of_figure_3(results, files):
    rows = rows_of(files["figure-3.csv"])
    exact, reseated = {}, {}
    for row in rows:
        assert float(row["share"]) == pytest.approx(int(row["largest"]) / int(row["elements"]))
        if row["method"] == "exact":
            exact.setdefault((row["law"], int(row["elements"])), []).append(int(row["largest"]))
        else:
            reseated.setdefault((int(row["elements"]), int(row["sweeps"])), []).append(int(row["largest"]))
    grown = results.growth
    assert exact == {key: draws.tolist() for key, draws in grown.exact.items()}
    last = {n: reseated[n, results.effort.sweeps] for n in grown.reseated}
    assert last == {n: draws.tolist() for n, draws in grown.reseated.items()}
    way = {sweeps: reseated[grown.longest, sweeps] for sweeps in grown.burn_in}
    assert way == {sweeps: draws.tolist() for sweeps, draws in grown.burn_in.items()}


@pytest.mark.parametrize("name", ["figure-1", "figure-2", "figure-3"])
def test_figures_are_there(files, name):
    from matplotlib.image import imread

    png = files[f"{name}.png"]
    width, height = struct.unpack(">II", png[16:24])
    # 300 dots an inch: one column of a journal at least.
    assert width >= 1000
    assert height >= 800
    pixels = imread(io.BytesIO(png))
    assert 0.5 < np.mean(pixels[..., :3]) < 0.999
    # Ink in every quarter, and none at the rim, where something would be cut off.
    dark = np.min(pixels[..., :3], axis=2) < 0.9
    for half in np.array_split(dark, 2):
        assert all(np.mean(quarter) > 0.005 for quarter in np.array_split(half, 2, axis=1))
    assert not np.any(dark[[0, -1]])
    assert not np.any(dark[:, [0, -1]])
    root = ET.fromstring(files[f"{name}.svg"])
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 200


def test_figures_follow_the_data(results, files):
    statistics = {key[1:]: value for key, value in results.statistics.items() if key[0] == "SHIW"}
    spreads = {key[1:]: value for key, value in results.spreads.items() if key[0] == "SHIW"}
    assert statistics_figure("figure-2", statistics, spreads)["figure-2.png"] == files["figure-2.png"]
    moved = {key: s._replace(true=s.true + 1) if key[2] == "largest" else s for key, s in spreads.items()}
    assert statistics_figure("figure-2", statistics, moved)["figure-2.png"] != files["figure-2.png"]
    less = {n: draws for n, draws in results.growth.reseated.items() if n > 10}
    shorter = growth_figure("figure-3", results.growth._replace(reseated=less))
    assert shorter["figure-3.png"] != files["figure-3.png"]


def test_points_and_bars_of_figure_3(results):
    from matplotlib.figure import Figure

    ax, grown = Figure().subplots(), results.growth
    draw_reseated(ax, grown)
    points, _, (bars,) = ax.containers[0].lines
    ns = sorted(grown.reseated)
    assert points.get_xdata().tolist() == ns
    for n, share, ((_, low), (_, high)) in zip(ns, points.get_ydata(), bars.get_segments(), strict=True):
        assert (low, share, high) == pytest.approx(tuple(np.quantile(grown.reseated[n], [0.05, 0.5, 0.95]) / n))


def test_the_dashed_line_is_the_true_value(results, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "matplotlib.axes.Axes.axhline", lambda _, y, **style: drawn.append((y, style["linestyle"]))
    )
    statistics = {key[1:]: value for key, value in results.statistics.items() if key[0] == "SHIW"}
    spreads = {key[1:]: value for key, value in results.spreads.items() if key[0] == "SHIW"}
    statistics_figure("figure-2", statistics, spreads)
    assert [y for y, _ in drawn] == list(PARTITIONS["SHIW"].statistics)
    assert all(dashes != "-" for _, dashes in drawn)


def test_matplotlib_is_left_as_it_was(results):
    import matplotlib

    before = dict(matplotlib.rcParams)
    growth_figure("figure-3", results.growth)
    assert dict(matplotlib.rcParams) == before


def test_a_quick_run_says_so(results, text):
    assert "**This is a quick run.**" in text
    assert "It has 200 draws from each model instead of 5,000" in text
    assert "quick run" not in pages.head(results._replace(effort=FULL))


def test_the_seed_is_told(results):
    assert "seed 77." in pages.making(results._replace(seed=77))


def test_medians_on_the_page_are_those_of_the_draws(results):
    key = ("SHIW", "DP", "published", "singletons")
    assert "447 (" in " ".join(statistics_table(results, "SHIW").rows[6])
    moved = results._replace(spreads=results.spreads | {key: results.spreads[key]._replace(median=123.0)})
    assert statistics_table(moved, "SHIW").rows[6][2].startswith("123 (")
    assert page(moved) != page(results)


def test_nothing_on_the_page_is_missing_a_value(text):
    assert not re.search(r"\b(nan|None|inf)\b|\{|\}", text)


def test_every_table_is_written(results, files):
    for name, table in tables(results).items():
        assert files[f"{name}.csv"] == table.csv()
        assert {len(row) for row in table.rows} == {len(table.columns)}
