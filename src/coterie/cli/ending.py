"""How a command ends: an exit code, and one line on standard error where something is wrong."""

import os
import sys
import traceback
from collections.abc import Sequence

import typer

from coterie.errors import CoterieError

DONE, NOT_POSSIBLE, WRONG_USAGE, FAULT = 0, 1, 2, 3
# As a shell reports a process that a signal ended: 128 + SIGINT, 128 + SIGPIPE.
INTERRUPTED, PIPE_CLOSED = 130, 141

# What Typer raises for a line it cannot read. Its versions keep this class in different places.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code.

    Examples
    --------
    >>> run(["--version"])
    coterie ...
    0
    """
    from coterie.cli.app import app

    debug = "--debug" in arguments
    rest = [argument for argument in arguments if argument != "--debug"]
    try:
        code = app(rest, prog_name="coterie", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            raise KeyboardInterrupt
    except BaseException as error:
        return _ending(error, debug)
    # Typer returns the code of an Exit, and else what the command returned.
    return code if isinstance(code, int) else DONE


def _ending(error: BaseException, debug: bool) -> int:
    """Tell what happened in one line, and return the exit code."""
    # Typer turns a closed pipe into an exit of its own.
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        _forget_output()
        return PIPE_CLOSED
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return _say("Interrupted.", INTERRUPTED)
    if debug:
        traceback.print_exception(error)
    if isinstance(error, UsageError):
        return _usage(error)
    if isinstance(error, CoterieError):
        return _say(str(error), NOT_POSSIBLE)
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return _say(f"{error.filename}: {what}." if error.filename else f"{what}.", NOT_POSSIBLE)
    if isinstance(error, MemoryError):
        return _say("Not enough memory for this. Ask for fewer elements or draws.", NOT_POSSIBLE)
    hint = "" if debug else " Run it again with --debug to see where."
    return _say(f"A fault in Coterie itself: {type(error).__name__}: {error}.{hint}", FAULT)


def _usage(error: Exception) -> int:
    message = error.format_message()  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    # A bare `coterie` raises its help page as the message.
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(message.rstrip() + "\n")
        return WRONG_USAGE
    command = context.command_path if context else "coterie"
    return _say(f"{message.rstrip('.')}. See '{command} --help'.", WRONG_USAGE)


def _say(message: str, code: int) -> int:
    """Write one line, whatever line breaks a message holds."""
    sys.stderr.write(f"coterie: {' '.join(message.split())}\n")
    return code


def _forget_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush does not complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
