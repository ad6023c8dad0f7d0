"""``coterie fit``: the parameters under which a partition is most probable."""

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

EXAMPLES = (
    "coterie fit 1:4100,2:300,3:100",
    "coterie fit 1:385,2:202 --law nbnb --json",
    "coterie fit 1:385,2:202 --law pitman-yor --fix delta=0",
    "coterie fit 1:385,2:202 --law nbd --fix mu=ShiftedNegBin",
    "coterie fit 1:385,2:202 --law mixture-of-finite-mixtures --fix 'components=Exactly(100000)'",
    "coterie fit people.csv --column entity",
    "coterie sample nbnb a=1 q=0.9 r=6 p=1/3 -n 500 --labels | coterie fit -",
)


class Method(StrEnum):
    """How the maximum is searched."""

    profile = "profile"
    nelder_mead = "nelder-mead"


def command(
    partition: Annotated[
        str,
        typer.Argument(help="size:clusters pairs such as 1:385,2:202, a file of labels, or - for standard input."),
    ],
    laws: Annotated[
        list[str] | None,
        typer.Option("--law", metavar="LAW", help="A law such as nbnb; may be given again. All where left out."),
    ] = None,
    method: Annotated[
        Method, typer.Option("--method", help="The trustworthy method, or the paper's.")
    ] = Method.profile,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="NAME=VALUE", help="A parameter that is not fitted; may be given again."),
    ] = None,
    sizes: Annotated[
        bool, typer.Option("--sizes/--labels", help="The file holds cluster sizes (with their counts), or labels.")
    ] = False,
    column: Annotated[
        str | None, typer.Option("--column", metavar="C", help="The column of a CSV, by name or number.")
    ] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first line is a header; else guessed.")
    ] = None,
    draw: Annotated[
        int | None, typer.Option("--draw", min=1, metavar="D", help="Which draw of a file from 'coterie sample'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Fit laws to a partition by maximum likelihood.

    Where the likelihood rises towards the edge of a law's parameters, the fit says so: 'boundary' names the edge,
    'limit' the law beyond it, 'supremum' what log P approaches. Without --law all laws are compared.
    """
    from coterie.cli import comparison, expressions
    from coterie.cli.partitions import Layout
    from coterie.cli.partitions import partition as read

    families = [expressions.family(name) for name in laws or []]
    held = expressions.assignments(fixed or [])
    observed = read(partition, Layout(sizes, column, header, draw))
    if families:
        rows = [comparison.fitted(family, observed, method, held) for family in families]
    else:
        rows = comparison.all_fitted(observed, method, held)
    if as_json:
        told = comparison.as_json(observed, rows)
        text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False)
    else:
        text = "\n".join(comparison.as_text(observed, rows))
    sys.stdout.write(text + "\n")
