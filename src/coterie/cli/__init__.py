"""The command ``coterie``: one file for each command, every one a thin call of the library.

``app`` names the commands, ``commands/`` holds them, ``ending`` turns what happened into an exit code
and one line. The rest reads what was typed (``expressions``, ``partitions``) and writes what came out
(``comparison``, ``output``, ``progress``).
"""


def main() -> None:
    """Run the command line and leave with its exit code."""
    import sys

    from coterie.cli.ending import run

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not where something else stands in for them
            # A terminal without ∞ shows its code, in place of an error.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
