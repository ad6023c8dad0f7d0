"""How the chains move: towards their stationary range, within it, and where clusters are large."""

from typing import Any

import numpy as np
from labelled import Table, citations
from measuring import Chain, effective, heading, patched

from coterie import sampler
from coterie.sampler import hyperparameters
from coterie.sampler.target import Target

STEP, SCAN = "coterie.sampler.step", "coterie.kernels.scan"


# --- towards the stationary range ------------------------------------------------------------------------------


def known(table: Table, chain: Chain, **given: Any) -> Target:
    """Return the target with distortion rates and parameters as they are in a chain, so that only pairs matter."""
    rates = dict(zip((field.name for field in chain.target.fields), chain.state.psi[:, 0], strict=True))
    columns = [field._replace(distortion=float(rates[field.name])) for field in table.fields]
    law = hyperparameters.law_at(chain.target.prior, chain.state.parameters, chain.state.log_mu)
    return sampler.make_target(columns, law, pairs=table.pairs, **given)


def steps_until(chain: Chain, low: float, high: float, most: int) -> tuple[int, int]:
    """Go from everybody alone until |C| is in a range; return the steps of chaperones, and |C|."""
    chain.alone().forget()
    # A fiftieth of the usual visits, so that the range is not overshot.
    chain.state = chain.state._replace(rate=chain.state.rate / np.float32(50))
    while chain.steps < most:
        chain.go(1)
        if low <= chain.clusters[-1] <= high:
            break
    return chain.steps, chain.clusters[-1]


def towards(name: str, table: Table, quick: bool) -> float:
    """Count the steps to the stationary range with informed pairs, uniform candidates, and uniform pairs."""
    heading(f"Steps of chaperones from everybody alone to the stationary range, {name}")
    first = Chain(sampler.make_target(table.fields, pairs=table.pairs))
    first.go(50 if quick else 150)
    stationary = Chain(known(table, first))
    stationary.go(20)
    stationary.forget().go(100 if quick else 300)
    mean, sd = np.mean(stationary.clusters), np.std(stationary.clusters)
    low, high = mean - 2 * sd, mean + 2 * sd
    print(f"|C| is {mean:,.1f} ± {sd:.1f}; the range is two standard deviations wide each way;", end=" ")
    print(f"{len(table.pairs):,} candidate pairs, by the rules that the program chooses\n")
    uniform = known(table, first, weights=np.ones(len(table.pairs)))
    most = 2_000_000 if quick else 20_000_000
    informed, _ = steps_until(Chain(known(table, first)), low, high, most)
    print(f"{'informed pairs':40}{informed:14,}", flush=True)
    candidates, clusters = steps_until(Chain(uniform), low, high, most)
    missed = "" if low <= clusters <= high else f" and more: |C| is {clusters:,}"
    print(f"{'candidate pairs, uniformly':40}{candidates:14,}{candidates / informed:10.1f} ×{missed}", flush=True)
    anybody, clusters = uniform_pairs(Chain(uniform), low, high, 500_000 if quick else 20_000_000)
    missed = "" if low <= clusters <= high else f" and more: |C| is {clusters:,}"
    print(f"{'all pairs, uniformly':40}{anybody:14,}{anybody / informed:10.1f} ×{missed}", flush=True)
    return candidates / informed


def uniform_pairs(chain: Chain, low: float, high: float, most: int) -> tuple[int, int]:
    """Do the same with pairs of anybody."""
    each = most // 80  # a step has four scans
    state = chain.alone().forget().state
    chain.state = state._replace(rate=np.zeros_like(state.rate))
    with (
        patched(SCAN, "Plan", None) as plan,
        patched(SCAN, "Plan", lambda splits, _, free: plan(splits, each, free)),
    ):
        while chain.steps < most:
            chain.go(1)
            if low <= chain.clusters[-1] <= high:
                break
    return chain.steps, chain.clusters[-1]


# --- within it -------------------------------------------------------------------------------------------------


def against_one_by_one(tables: dict[str, Table], quick: bool) -> list[float]:
    """Compare effective samples a second with those of the one-record Gibbs sweep."""
    heading("Effective samples of |C| a second: chaperones against the one-record Gibbs sweep")
    print(f"{'table':18}{'moves':14}{'K':>18}{'ms a draw':>11}{'effective':>11}{'a second':>10}{'ratio':>8}")
    longest, ratios = 4.0 if quick else 20.0, []
    for name, table in tables.items():
        # All pairs are candidates, so that both can go wherever the posterior is.
        target = sampler.make_target(table.fields)
        speed = {}
        for moves, step in {"chaperones": sampler.step, "one by one": sampler.sweep_one_by_one}.items():
            chain = Chain(target, step)
            chain.go(10_000, longest / 4)
            seconds = chain.forget().go(10_000, longest)
            draws = effective(chain.clusters)
            speed[moves] = draws / seconds
            ratio = "" if moves == "chaperones" else f"{speed['chaperones'] / speed[moves]:8.1f}"
            k = f"{np.mean(chain.clusters):.1f} ± {np.std(chain.clusters):.1f}"
            each = 1e3 * seconds / len(chain.clusters)
            print(f"{name:18}{moves:14}{k:>18}{each:11.2f}{draws:11.0f}{speed[moves]:10.1f}{ratio}", flush=True)
        ratios.append(speed["chaperones"] / speed["one by one"])
    return ratios


# --- large clusters --------------------------------------------------------------------------------------------


def large_clusters(quick: bool) -> None:
    """Follow |C| from everybody alone, with and without split–merge steps, where entities have many records."""
    sizes = (
        [150] + [30] * 2 + [5] * 10 + [1] * 40
        if quick
        else [150] * 4 + [40] * 10 + [10] * 20 + [2] * 40 + [1] * 100
    )
    table = citations(sizes)
    heading(
        f"Large clusters: {table.truth.size:,} citations of {len(sizes)} works, up to 150 each; |C| by seconds"
    )
    marks = [1, 2, 4] if quick else [1, 3, 10, 30, 60]
    print(f"{'moves':26}" + "".join(f"{f'{mark} s':>10}" for mark in marks) + f"{'steps':>14}{'changes':>12}")
    for moves, share in {"chaperones": 0.0, "with split–merge steps": None}.items():
        with patched(STEP, "SPLITS", 0.0) as usual, patched(STEP, "SPLITS", usual if share is None else share):
            chain = Chain(sampler.make_target(table.fields, pairs=table.pairs)).alone()
            row, spent = f"{moves:26}", 0.0
            for mark in marks:
                spent += chain.go(10_000, mark - spent) if spent < mark else 0.0
                row += f"{chain.clusters[-1]:10,}"
            print(f"{row}{chain.steps:14,}{chain.changes:12,}", flush=True)


def cost_of_moves(quick: bool) -> float:
    """Time a step of chaperones in clusters of many sizes; return the cost a member, largest against smallest."""
    heading("A step of chaperones within one cluster, by the cluster's size")
    print(f"{'records':>10}{'µs a step':>12}{'µs a member':>14}")
    each = {}
    for size in [10, 50, 150] if quick else [10, 50, 150, 500]:
        # Two clusters of so many records in all.
        table = citations([size // 2, size - size // 2])
        target = sampler.make_target(table.fields, pairs=table.pairs)
        chain = Chain(target)
        first = (table.truth[target.order] == 0).argmax(), (table.truth[target.order] == 1).argmax()
        labels = np.where(table.truth[target.order] == 0, *first).astype(np.int32)
        # Visits in all so that a step takes a while, but scans are what takes it.
        rate = np.full(target.i.size, min(4.0, 40_000 / size / target.i.size), np.float32)
        chain.state = chain.state._replace(labels=labels, rate=rate)
        seconds = []
        with patched(STEP, "SPLITS", 0.0):
            chain.go(1)
            for _ in range(3):
                chain.forget()
                seconds.append(chain.go(2) / max(1, chain.steps))
        each[size] = 1e6 * min(seconds) / size
        print(f"{size:10,}{1e6 * min(seconds):12.1f}{each[size]:14.2f}", flush=True)
    return each[max(each)] / each[min(each)]
