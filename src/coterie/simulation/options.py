"""What `simulate` can be asked for, checked once."""

import string
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.partition import Partition
from coterie.priors import ESC, Law
from coterie.priors.parameters import number, positive, whole
from coterie.simulation.cells import FATES
from coterie.simulation.columns import COLUMNS, CONTACTS, Integers
from coterie.simulation.sources import Sources

Rate = float | Mapping[str, float]
# The shares of entities with 1, 2, 3 and 4 records where nothing else is asked for.
SIZES = (0.65, 0.23, 0.08, 0.04)
# A sex is ticked, not typed; it goes wrong less often than a word by this factor.
SEX = 0.1


def check_rate(name: str, rate: object) -> float:
    """Check that a rate is a number from 0 to 1."""
    x = number(name, rate, "a number from 0 to 1")
    if not 0.0 <= x <= 1.0:
        raise InputError(f"a number from 0 to 1 for {name!r}", repr(rate), "0 leaves this out.")
    return x


def check_columns(extra: Iterable[str]) -> tuple[str, ...]:
    """Return the names of all columns: those that always are there, and those asked for."""
    asked = {extra} if isinstance(extra, str) else set(extra)
    for name in sorted(asked - set(CONTACTS), key=str):
        raise InputError("'phone' or 'email' as extra columns", repr(name), "The other columns are always there.")
    return (*COLUMNS, *(name for name in CONTACTS if name in asked))


def check_rates(
    columns: Collection[str], missing: Rate, replaced: Rate, initials: float, typos: Rate, most: float
) -> dict[str, dict[str, float]]:
    """Return the rate of each fate of each column's cells."""
    by_fate = {
        "missing": _by_column("missing", missing, columns),
        "replaced": _by_column("replaced", replaced, columns),
        "initial": {"first_name": check_rate("initials", initials)},
        "typo": _by_column("typos", typos, columns),
    }
    if not isinstance(typos, Mapping):
        by_fate["typo"]["sex"] *= SEX
    rates = {name: {fate: by_fate[fate].get(name, 0.0) for fate in FATES} for name in columns}
    for name, of_column in rates.items():
        total = sum(of_column.values()) * most
        # The sum of rates that add up to one may be a little above.
        if total > 1.0 + 1e-9:
            hint = "At most one of them happens to a cell. Lower some, or the noise of the sources."
            raise InputError(
                f"rates of {', '.join(FATES)} that add up to at most 1", f"{total:g} for {name}", hint
            )
    return rates


def _by_column(name: str, rate: object, columns: Collection[str]) -> dict[str, float]:
    """Return the rate of each column; those that a mapping leaves out have none."""
    if not isinstance(rate, Mapping):
        return dict.fromkeys(columns, check_rate(name, rate))
    for column in rate:
        if column not in columns:
            raise InputError(
                f"columns out of {', '.join(columns)} for {name!r}", repr(column), "Correct the name."
            )
    return {column: check_rate(f"{name}[{column!r}]", x) for column, x in rate.items()}


def check_sources(sources: int | Sequence[str] | Mapping[str, float], deduplicated: Iterable[str]) -> Sources:
    """Return the sources, from their number, their names, or their names and shares."""
    if isinstance(sources, Mapping):
        shares = {name: positive(f"sources[{name!r}]", share) for name, share in sources.items()}
    elif isinstance(sources, int) and not isinstance(sources, bool):
        shares = dict.fromkeys((_letters(i) for i in range(whole("sources", sources))), 1.0)
    elif isinstance(sources, Sequence) and not isinstance(sources, str):
        shares = dict.fromkeys(sources, 1.0)
        if len(shares) != len(sources):
            raise InputError("sources with different names", repr(sources), "Name each once.")
    else:
        hint = "Pass 2, ('census', 'survey') or {'census': 0.7, 'survey': 0.3}."
        raise InputError("a number of sources, their names, or their shares", repr(sources)[:60], hint)
    if not shares or not all(isinstance(name, str) for name in shares):
        raise InputError("names of sources as strings, one at least", repr(list(shares))[:60], "Name a source.")
    names = tuple(shares)
    asked = {deduplicated} if isinstance(deduplicated, str) else set(deduplicated)
    for name in sorted(asked - set(names), key=str):
        raise InputError(f"a source out of {', '.join(names)} as deduplicated", repr(name), "Correct the name.")
    weights = np.array(list(shares.values()))
    return Sources(names, weights / weights.sum(), tuple(i for i, name in enumerate(names) if name in asked))


def _letters(i: int) -> str:
    """Return A, B, …, Z, AA, AB, … for 0, 1, …"""
    before = _letters(i // 26 - 1) if i >= 26 else ""
    return before + string.ascii_uppercase[i % 26]


def check_noise(noise: Mapping[str, float] | None, sources: Sources) -> NDArray[np.float64]:
    """Return the factor of each source's rates."""
    given = {} if noise is None else noise
    if not isinstance(given, Mapping):
        raise InputError("a factor for some sources as noise", repr(noise)[:60], "Pass {'survey': 2.0}, say.")
    for name, factor in given.items():
        if name not in sources.names:
            raise InputError(
                f"sources out of {', '.join(sources.names)} for 'noise'", repr(name), "Correct the name."
            )
        if number(f"noise[{name!r}]", factor, "a number from 0 on") < 0:
            raise InputError(f"a number from 0 on for noise[{name!r}]", repr(factor), "0 makes no errors.")
    return np.array([float(given.get(name, 1.0)) for name in sources.names])


def draw_sizes(rng: np.random.Generator, n: int | Partition, law: Law | None, sources: Sources) -> Integers:
    """Return the number of records of each person, in random order."""
    if isinstance(n, Partition):
        if law is not None:
            hint = "Pass a number of records and a law, or a partition alone."
            raise InputError("no law beside a partition", repr(law)[:60], hint)
        return rng.permutation(n.sizes)
    if law is None:
        shares = np.array(SIZES[: sources.largest])
        law = ESC(mu=shares / shares.sum())
    elif not isinstance(law, Law):
        hint = "Take one from coterie.priors, such as priors.NBNB(a=1, q=0.999, r=2, p=0.2)."
        raise InputError("a law of partitions", repr(law)[:60], hint)
    [sizes] = law.sample_sizes(whole("n", n), draws=1, seed=rng)
    return rng.permutation(sizes)
