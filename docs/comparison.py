"""The laws side by side: the figures and the table of the page on the laws.

Every law is given the same expected number of clusters among N = 1,000 elements; what it then says about their
sizes, and about larger files, is its own.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq
from scipy.special import digamma

from coterie import priors
from coterie.priors import Law, one_minus
from coterie.priors.compound import Renewal
from coterie.special import log_negbin, log_poisson, log_rising_ratio

N, CLUSTERS = 1000, 800
# A law of sizes with mean 1.25 = N / CLUSTERS and a longer tail than Poisson.
SHAPE = [0.85, 0.08, 0.04, 0.03]
# So many draws give the mean number of clusters to a part in a thousand.
DRAWS = 2000
GROWTH = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


def expected_clusters(law: Law, n: int) -> float:
    """Return E(|C_N| given N), by the formulas of the page on the laws."""
    # Numbers of labels K; beyond the last the weights of all laws used here are below 1e-20.
    K = np.arange(1.0, 40_001.0)
    match law:
        case priors.NBNB(a, q, r, p):
            log_weight = log_negbin(K, a, q, 1 - q) + log_negbin(n, K * r, p, 1 - p)
            return _mean(log_weight, K * _seen(K, r, n))
        case priors.PERPS(alpha, lam):
            return _mean(log_poisson(K, alpha) + log_poisson(n, K * lam), K * _seen_uniform(K, n))
        case priors.DirichletProcess(theta):
            return float(theta * (digamma(theta + n) - digamma(theta)))
        case priors.PitmanYor(theta, delta):
            # (θ+δ)⁽ᴺ⁾/θ⁽ᴺ⁾ − 1, all over δ/θ
            return float(np.expm1(-log_rising_ratio(theta, delta, n)) * theta / delta)
        case priors.FiniteDirichlet(m, gamma):
            return float(m * _seen(np.array([float(m)]), gamma, n)[0])
        case priors.MixtureOfFiniteMixtures(gamma, components):
            return _mean(components.log_pmf(K), K * _seen(K, gamma, n))
        case priors.LinkageStructure(m):
            return float(m * _seen_uniform(np.array([float(m)]), n)[0])
        case priors.NBD(a, q, mu):
            # a q μ(z) / (1 − q μ(z))^(a+1), against 1 / (1 − q μ(z))^a
            return a * q * _renewed(Renewal(q, (a + 1) * q, mu, n), mu, Renewal(q, a * q, mu, n))
        case priors.ESC(mu):
            return _renewed(Renewal(1.0, 2.0, mu, n), mu, Renewal(1.0, 1.0, mu, n))
        case priors.CompoundPoisson(alpha, mu):
            renewal = Renewal(0.0, alpha, mu, n)
            return alpha * _renewed(renewal, mu, renewal)
    raise NotImplementedError(law)


def _mean(log_weight: np.ndarray, values: np.ndarray) -> float:
    weight = np.exp(log_weight - log_weight.max())
    return float(np.dot(weight, values) / weight.sum())


def _seen(K: np.ndarray, r: float, n: int) -> np.ndarray:
    """The probability that one of K labels with Dirichlet(r, …, r) weights is seen: 1 − ((K−1)r)⁽ᴺ⁾/(Kr)⁽ᴺ⁾."""
    others = np.maximum(K - 1.0, 1.0)
    return np.where(K > 1, -np.expm1(log_rising_ratio(others * r, r, n)), 1.0)


def _seen_uniform(K: np.ndarray, n: int) -> np.ndarray:
    """The same for equal weights: 1 − (1 − 1/K)ᴺ."""
    return np.where(K > 1, -np.expm1(n * np.log1p(-1.0 / np.maximum(K, 2.0))), 1.0)


def _renewed(above: Renewal, mu: priors.CountLaw, below: Renewal) -> float:
    """The coefficient of zᴺ in μ(z) F(z), over that of another F."""
    n = above.log_weights.size - 1
    s = np.arange(1, n + 1)
    return float(np.exp(mu.log_pmf(s) + above.log_weights[n - s] - below.log_weight).sum())


def comparable() -> dict[str, Law]:
    """Return one law of each kind with CLUSTERS expected clusters among N elements."""
    return {
        "NBNB": _solved(lambda x: priors.NBNB(1, one_minus(1 / (1 + CLUSTERS)), 1, x), 0.02, 0.9),
        "PERPS": _solved(lambda x: priors.PERPS(x, 0.464), 100, 10_000),
        "NBD": _solved(lambda x: priors.NBD(1, one_minus(1 / (1 + CLUSTERS)), _stretched(x)), 0.5, 2),
        "ESC": _solved(lambda x: priors.ESC(_stretched(x)), 0.5, 2),
        "CompoundPoisson": _solved(lambda x: priors.CompoundPoisson(x, priors.ShiftedPoisson(0.25)), 100, 9000),
        "DirichletProcess": _solved(priors.DirichletProcess, 10, 20_000),
        "PitmanYor": _solved(lambda x: priors.PitmanYor(x, 0.5), 10, 20_000),
        "FiniteDirichlet": _solved(lambda x: priors.FiniteDirichlet(round(x), 1), CLUSTERS, 20_000),
        "MixtureOfFiniteMixtures": _solved(
            lambda x: priors.MixtureOfFiniteMixtures(1, priors.ShiftedPoisson(x)), CLUSTERS, 20_000
        ),
        "LinkageStructure": _solved(lambda x: priors.LinkageStructure(round(x)), CLUSTERS, 20_000),
    }


def _stretched(x: float) -> list[float]:
    """SHAPE with the odds of every size but one multiplied by x."""
    weights = np.array(SHAPE) * np.array([1.0, x, x, x])
    return list(weights / weights.sum())


def _solved(make: Callable[[float], Law], low: float, high: float) -> Law:
    return make(brentq(lambda x: expected_clusters(make(x), N) - CLUSTERS, low, high, xtol=1e-6))


def write(folder: Path) -> None:
    """Write the figures and the table into a folder."""
    folder.mkdir(exist_ok=True)
    laws = comparable()
    draws = {name: law.sample_sizes(N, DRAWS, seed=1) for name, law in laws.items()}
    draw_sizes(draws).savefig(folder / "sizes.svg")
    draw_growth(laws).savefig(folder / "growth.svg")
    (folder / "comparison.md").write_text(table(laws, draws), encoding="utf-8")


def table(laws: dict[str, Law], draws: dict[str, list[Any]]) -> str:
    """Return the Markdown table of what each law expects at N."""
    lines = [
        "| law | clusters, 90 % of draws | singletons | pairs | largest, 90 % of draws |",
        "|---|---|---|---|---|",
    ]
    for name in laws:
        k = [sizes.size for sizes in draws[name]]
        largest = [sizes.max() for sizes in draws[name]]
        ones, twos = (np.mean([np.count_nonzero(sizes == s) for sizes in draws[name]]) for s in (1, 2))
        lines.append(f"| `{name}` | {_range(k)} | {ones:.0f} | {twos:.0f} | {_range(largest)} |")
    return "\n".join(lines) + "\n"


def _range(values: list[int]) -> str:
    low, high = np.quantile(values, [0.05, 0.95]).round().astype(int)
    return f"{low} – {high}"


def draw_sizes(draws: dict[str, list[Any]]) -> Figure:
    """Draw how many clusters of each size every law expects."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    panels = figure.subplots(2, 5, sharex=True, sharey=True)
    sizes = np.arange(1, 13)
    edges = np.append(sizes, sizes[-1] + 1) - 0.5
    for panel, (name, drawn) in zip(panels.flat, draws.items(), strict=True):
        counts = np.histogram(np.concatenate(drawn), np.append(edges, np.inf))[0][:-1] / len(drawn)
        panel.bar(sizes, counts, color="#3b6ea5", width=0.75)
        panel.set_yscale("log")
        panel.set_ylim(1e-2, 1e3)
        panel.set_title(name, fontsize=9)
        panel.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("size of a cluster", fontsize=9)
    figure.supylabel(f"expected clusters of that size, N = {N:,}", fontsize=9)
    return figure


# One line for each kind of growth; the laws left out run with one of these.
SHOWN = {
    "NBNB": ("#1b5e9b", "-"),
    "ESC": ("#6aaed6", "--"),
    "PERPS": ("#2a8c4a", "-"),
    "CompoundPoisson": ("#8fcf9b", "--"),
    "DirichletProcess": ("#b3402a", "-"),
    "PitmanYor": ("#e8926f", "--"),
    "LinkageStructure": ("#6b6b6b", ":"),
}


def draw_growth(laws: dict[str, Law]) -> Figure:
    """Draw what becomes of the laws when N grows and their parameters stay."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, (colour, style) in SHOWN.items():
        # Twenty draws give both means to a few per cent, less than the width of the gaps between the lines.
        drawn = [laws[name].sample_sizes(n, 20, seed=1) for n in GROWTH]
        line = {"color": colour, "linestyle": style, "linewidth": 1.8, "label": name}
        for panel, statistic in ((left, np.size), (right, np.max)):
            means = [np.mean([statistic(sizes) for sizes in many]) for many in drawn]
            panel.plot(GROWTH, np.array(means) / GROWTH, **line)
    left.set_ylabel("clusters per element, |C_N| / N")
    right.set_ylabel("share of the largest, M_N / N")
    left.axvline(N, color="0.85", zorder=0)
    left.set_xscale("log")
    right.set_xscale("log")
    right.set_yscale("log")
    left.set_ylim(0, 1.02)
    for panel in (left, right):
        panel.set_xlabel("elements, N")
        panel.spines[["top", "right"]].set_visible(False)
    left.legend(frameon=False, fontsize=8, loc="lower left")
    return figure
