"""``coterie paper``: the experiments of the paper once more."""

import sys
from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = ("coterie paper", "coterie paper --quick --out quick-look")


def command(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where the page, figures and tables go.")
    ] = Path("coterie-paper"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer draws: a look in seconds.")] = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, metavar="S", help="Another seed gives other draws; 2015 where left out."),
    ] = None,
) -> None:
    """Redo the experiments of Miller et al. (2015): figures 1 to 3 and appendix D, with what differs and why."""
    from coterie.cli.progress import progress
    from coterie.paper import SEED, reproduce

    with progress() as track:
        page = reproduce(out, quick=quick, seed=SEED if seed is None else seed, track=track)
    sys.stdout.write(f"{page}\n")
