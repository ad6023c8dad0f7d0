"""The experiments of the paper, done again: `reproduce` writes figures, data and a page with what came out."""

from pathlib import Path

from coterie.paper.track import Track, silently

__all__ = ["SEED", "Track", "reproduce"]

# The year of the paper.
SEED = 2015


def reproduce(out: Path | str, *, quick: bool = False, seed: int = SEED, track: Track = silently) -> Path:
    """Redo section 4 and appendices C and D of the paper and write what came out.

    The directory gets a page, ``paper.md``, three figures as PNG and SVG, and CSV files with the data of each
    figure and every table. All is computed before anything is written; files of these names are replaced, others
    are left alone. The same seed gives the same bytes.

    Parameters
    ----------
    out
        The directory to write to; it is made if it does not exist.
    quick
        Do less, in a few seconds; the page says what was left out.
    seed
        A whole number from 0 on.
    track
        Called around each slow loop as ``track(iterable, total, description)``; returns the items to loop over.

    Returns
    -------
    Path
        The page.

    Examples
    --------
    >>> from coterie.paper import reproduce
    >>> page = reproduce("coterie-paper")  # doctest: +SKIP
    """
    # Only here, so that the command line can offer this without loading scipy and numba.
    from coterie.paper.contents import contents
    from coterie.paper.files import check_directory, write_all
    from coterie.paper.page import PAGE
    from coterie.paper.results import gather
    from coterie.priors.parameters import whole

    out, seed = Path(out), whole("seed", seed, least=0)
    check_directory(out)
    write_all(out, contents(gather(seed, quick=quick, track=track)))
    return out / PAGE
