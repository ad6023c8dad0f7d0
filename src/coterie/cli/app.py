"""The table of commands."""

from typing import Annotated

import typer

import coterie
from coterie.cli.commands import fit, paper, sample

# Help is plain text: it reads the same in a terminal, in a pipe and in a log.
app = typer.Typer(
    name="coterie",
    help="Bayesian entity resolution with microclustering priors.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 not possible as asked, 2 wrong usage, 3 a fault in Coterie, 130 interrupted.",
)

COMMANDS = {"paper": paper, "fit": fit, "sample": sample}


def examples(lines: tuple[str, ...]) -> str:
    r"""Return the foot of a help page; \b keeps its lines as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


for _name, _module in COMMANDS.items():
    app.command(_name, epilog=examples(_module.EXAMPLES))(_module.command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"coterie {coterie.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; may stand anywhere on the line.")
    ] = False,
) -> None:
    """Take what every command takes; `_version` and `ending.run` do the work."""
