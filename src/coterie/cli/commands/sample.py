"""``coterie sample``: exact draws from a law."""

import itertools
import json
import secrets
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from coterie.cli.output import opened

if TYPE_CHECKING:
    from numpy.random import Generator

    from coterie import Partition
    from coterie.partition import Integers
    from coterie.priors import Law

EXAMPLES = (
    "coterie sample NBNB a=1 q=0.9 r=6 p=1/3 -n 1000",
    "coterie sample perps alpha=500 lam=0.6 --labels --seed 1",
    "coterie sample ESC mu=0.7,0.2,0.1 -n 1000 --draws 100 --format json --out draws.json",
    "coterie sample 'NBD(a=1, q=0.9, mu=ShiftedNegBin(r=1, p=0.3))' -n 1000",
)
# Draws are made in blocks of about this many elements, so that memory does not grow with their number.
BLOCK = 10_000_000


class Format(StrEnum):
    """How draws are written."""

    csv = "csv"
    json = "json"


def command(
    law: Annotated[str, typer.Argument(help="A law such as nbnb, or the call that makes one.")],
    parameters: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=VALUE", help="Its parameters, such as p=1/3 mu=0.7,0.2,0.1."),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "-n", min=1, metavar="N", help="How many elements; random where left out and the law allows."
        ),
    ] = None,
    draws: Annotated[
        int, typer.Option("--draws", min=1, metavar="D", help="How many independent partitions.")
    ] = 1,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="S", help="The same seed gives the same draws.")
    ] = None,
    labels: Annotated[
        bool,
        typer.Option("--labels/--sizes", help="The cluster of each element, or how many clusters of each size."),
    ] = False,
    file_format: Annotated[Format, typer.Option("--format", help="How draws are written.")] = Format.csv,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="A file, in place of standard output.")
    ] = None,
) -> None:
    """Draw partitions from a law, exactly and independently.

    With -n they come from P(C_N | N), without from P(C_N), where N is random.
    """
    from coterie.cli import expressions

    made = expressions.law(law, expressions.assignments(parameters or []))
    if seed is None:
        seed = secrets.randbits(32)  # short enough for every reader of JSON, so that the draws can be repeated
    source = _draws(made, n, draws, seed, labels)
    first = next(source)  # whatever is wrong with the law shows before a file is opened
    write = _write_json if file_format is Format.json else _write_csv
    with opened(out) as file:
        write(file, itertools.chain([first], source), labels, {"law": repr(made), "seed": seed})


def _draws(law: "Law", n: int | None, draws: int, seed: int, labels: bool) -> Iterator["Integers"]:
    """Draw labels or cluster sizes, one partition after another, as the library does with this seed."""
    from coterie.seeds import generator

    rng = generator(seed)
    if n is None:
        simulate = _simulate(law)
        for _ in range(draws):
            partition = simulate(rng)
            yield partition.labels if labels else partition.sizes
    elif labels:
        for _ in range(draws):
            yield law.sample(n, seed=rng).labels
    else:
        block = max(1, BLOCK // n)
        for done in range(0, draws, block):
            yield from law.sample_sizes(n, draws=min(block, draws - done), seed=rng)


def _simulate(law: "Law") -> "Callable[[Generator], Partition]":
    if not hasattr(law, "simulate"):
        name = type(law).__name__
        raise typer.BadParameter(f"expected a number, got nothing: {name} takes N as given", param_hint="-n")
    simulate: Callable[[Generator], Partition] = law.simulate
    return simulate


def _write_csv(file: TextIO, draws: Iterator["Integers"], labels: bool, _: dict[str, object]) -> None:
    """Write a line for each element (draw, label), or for each size that occurs (draw, size, clusters)."""
    file.write("draw,label\n" if labels else "draw,size,clusters\n")
    for number, draw in enumerate(draws, start=1):
        if labels:
            file.writelines(f"{number},{label}\n" for label in draw.tolist())
        else:
            file.writelines(f"{number},{size},{clusters}\n" for size, clusters in _counts(draw).items())


def _write_json(file: TextIO, draws: Iterator["Integers"], labels: bool, about: dict[str, object]) -> None:
    """Write one JSON object, with a line for each draw."""
    file.write(json.dumps(about)[:-1] + ', "draws": [')
    for number, draw in enumerate(draws):
        file.write(",\n" if number else "\n")
        told = {"labels": draw.tolist()} if labels else {"sizes": _counts(draw)}
        n, k = (draw.size, int(draw.max()) + 1) if labels else (int(draw.sum()), draw.size)
        file.write(json.dumps({"n": n, "k": k} | told))
    file.write("\n]}\n")


def _counts(sizes: "Integers") -> dict[int, int]:
    """Count how many clusters there are of each size."""
    import numpy as np

    distinct, counts = np.unique(sizes, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))
