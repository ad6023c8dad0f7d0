"""The three figures, as PNG and SVG, with the same bytes each time."""

import io
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.paper.draws import DrawStatistics, Spread
from coterie.paper.growth import LAWS, Growth
from coterie.paper.judges import STATISTICS
from coterie.paper.models import PARAMETER_SETS
from coterie.paper.published import MODELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 300
# Inches: the text width of the paper, and one column of a two-column journal.
TEXT_WIDTH, COLUMN_WIDTH = 5.5, 3.5
# From the palette of Okabe and Ito, which survives colour blindness and grey print.
BLUE, VERMILLION, GREEN, DARK = "#0072B2", "#D55E00", "#009E73", "#222222"
# Areas of dots in square points: of a single draw, and what all draws together would have.
SMALLEST_DOT, LARGEST_DOT = 1.2, 90.0
FILLS = {"published": "white", "recomputed": "#9ecae1"}
UNITS = {
    "singletons": "clusters",
    "largest": "elements",
    "mean": "elements per cluster",
    "quantile_90": "elements",
}
COLOURS = {"NBNB": BLUE, "DP": VERMILLION, "PYP": GREEN}

STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "lines.linewidth": 1.0,
    # Names of elements in an SVG come from this and not from a clock.
    "svg.hashsalt": "coterie",
}


def style() -> AbstractContextManager[None]:
    """Return a context in which figures are drawn; outside it matplotlib's settings are as they were."""
    import matplotlib

    settings: dict[Any, Any] = {**matplotlib.rcParamsDefault, "backend": matplotlib.rcParams["backend"], **STYLE}
    return matplotlib.rc_context(settings)


def rendered(figure: "Figure", name: str) -> dict[str, bytes]:
    """Return the figure as PNG and SVG."""
    png, svg = io.BytesIO(), io.BytesIO()
    figure.savefig(png, format="png", dpi=DPI, metadata={"Software": None})
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    return {f"{name}.png": png.getvalue(), f"{name}.svg": svg.getvalue()}


# --- figures 1 and 2 -------------------------------------------------------------------------------------------


def statistics_figure(
    name: str,
    statistics: Mapping[tuple[str, str], DrawStatistics],
    spreads: Mapping[tuple[str, str, str], Spread],
) -> dict[str, bytes]:
    """Draw boxplots of the four statistics for the five models, with both sets of parameters.

    ``statistics`` goes by model and parameter set, ``spreads`` by model, parameter set and statistic.
    """
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.0), layout="constrained")
        axes = figure.subplots(2, 2).ravel()
        for panel, ax, (statistic, title) in zip("abcd", axes, STATISTICS.items(), strict=True):
            for place, model in enumerate(MODELS):
                for side, parameters in enumerate(PARAMETER_SETS):
                    values = getattr(statistics[model, parameters], statistic)
                    at = place + 0.2 * (2 * side - 1)
                    draw_box(ax, at, values, spreads[model, parameters, statistic], FILLS[parameters])
            true = next(iter(s.true for (_, _, key), s in spreads.items() if key == statistic))
            ax.axhline(true, color=VERMILLION, linestyle=(0, (4, 2)), linewidth=0.9, zorder=3)
            dress_panel(ax, panel, title, statistic)
        figure.legend(handles=legend(), loc="outside lower center", ncols=3, frameon=False, handlelength=1.6)
        return rendered(figure, name)


def draw_box(ax: "Axes", at: float, values: Any, spread: Spread, fill: str) -> None:
    """Draw one box, and each value beyond the whiskers once, as a dot."""
    beyond, times = np.unique(
        values[(values < spread.whiskers[0]) | (values > spread.whiskers[1])], return_counts=True
    )
    # The area of a dot grows with the share of draws it stands for: boxes of discrete statistics hide a lot.
    area = np.maximum(SMALLEST_DOT, LARGEST_DOT * times / len(values))
    ax.scatter(np.full(beyond.size, at), beyond, s=area, color=DARK, linewidths=0, zorder=2)
    box = {
        "med": spread.median,
        "q1": spread.box[0],
        "q3": spread.box[1],
        "whislo": spread.whiskers[0],
        "whishi": spread.whiskers[1],
    }
    line = {"color": DARK, "linewidth": 0.6}
    ax.bxp(
        [box],
        positions=[at],
        widths=0.32,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": fill, "edgecolor": DARK, "linewidth": 0.6},
        medianprops={"color": DARK, "linewidth": 1.3, "solid_capstyle": "butt"},
        whiskerprops=line,
        capprops=line,
        showfliers=False,
    )


def dress_panel(ax: "Axes", panel: str, title: str, statistic: str) -> None:
    """Give a panel its title, ticks and unit."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    ax.set_title(f"({panel}) {title}", loc="left")
    ax.set_xticks(range(len(MODELS)), MODELS)
    ax.tick_params(axis="x", length=0)
    ax.set_xlim(-0.6, len(MODELS) - 0.4)
    ax.set_ylabel(UNITS[statistic])
    ax.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=statistic in ("singletons", "largest")))
    if statistic == "singletons":
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.margins(y=0.06)


def legend() -> list[Any]:
    """Return what the boxes and the line mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    boxes = [
        Patch(facecolor=FILLS[name], edgecolor=DARK, linewidth=0.6, label=f"{name} parameters")
        for name in PARAMETER_SETS
    ]
    return [*boxes, Line2D([], [], color=VERMILLION, linestyle=(0, (4, 2)), linewidth=0.9, label="true value")]


# --- figure 3 --------------------------------------------------------------------------------------------------


def growth_figure(name: str, growth: Growth) -> dict[str, bytes]:
    """Draw M_N/N against N: exact draws as medians with bands of 90 %, reseating as points with bars of 90 %."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with style():
        # The padding, in inches, keeps the names at the ends of the lines off the rim.
        figure = Figure(figsize=(COLUMN_WIDTH, 2.9), layout=ConstrainedLayoutEngine(w_pad=0.08))
        ax = figure.subplots()
        for law in LAWS:
            ns = sorted(n for key, n in growth.exact if key == law)
            low, median, high = (
                [float(np.quantile(growth.exact[law, n], level)) / n for n in ns] for level in (0.05, 0.5, 0.95)
            )
            ax.fill_between(ns, low, high, color=COLOURS[law], alpha=0.15, linewidth=0)
            ax.plot(ns, median, color=COLOURS[law])
            label = f"{law}, exact" if law == "NBNB" else law
            ax.annotate(
                label,
                (ns[-1], median[-1]),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                color=COLOURS[law],
            )
        draw_reseated(ax, growth)
        dress_growth(ax)
        return rendered(figure, name)


def draw_reseated(ax: "Axes", growth: Growth) -> None:
    """Draw the medians of the reseating runs with bars from the 5 % to the 95 % quantile."""
    ns = sorted(growth.reseated)
    low, median, high = (
        np.array([np.quantile(growth.reseated[n], level) / n for n in ns]) for level in (0.05, 0.5, 0.95)
    )
    ax.errorbar(
        ns,
        median,
        yerr=[median - low, high - median],
        fmt="o",
        color=DARK,
        markersize=3,
        markerfacecolor="white",
        markeredgewidth=0.8,
        elinewidth=0.8,
        capsize=1.5,
        capthick=0.8,
        zorder=4,
        label="NBNB, reseating",
    )
    ax.legend(loc="lower left", frameon=False, handletextpad=0.3)


def dress_growth(ax: "Axes") -> None:
    """Give the figure its axes."""
    from matplotlib.ticker import FuncFormatter

    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    ax.set_xlabel("number of elements $N$")
    ax.set_ylabel("share of the largest cluster $M_N/N$")
    ax.set_ylim(top=1.25)
