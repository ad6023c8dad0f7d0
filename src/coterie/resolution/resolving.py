"""The door of the library: a table goes in, the posterior over its entities comes out."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.candidates import coverage
from coterie.errors import InputError
from coterie.model import Model
from coterie.posterior import Posterior
from coterie.priors.parameters import whole
from coterie.resolution.prepare import Prepared, prepare
from coterie.resolution.progress import Progress, progress_for
from coterie.resolution.sampling import Sampled, sample


def resolve(
    table: Any,
    model: Model | None = None,
    *,
    chains: int = 4,
    draws: int = 500,
    tune: int | None = None,
    cores: int | None = None,
    seed: int | None = None,
    unique_id: str | None = None,
    source: str | None = None,
    together: Sequence[tuple[Any, Any]] = (),
    apart: Sequence[tuple[Any, Any]] = (),
    progress: bool | Progress = True,
) -> Posterior:
    """Find out which records of a table speak of the same entity, with all the doubt that remains.

    Parameters
    ----------
    table
        The path of a CSV, Parquet or JSON-lines file, a SQL query, any data frame that narwhals knows (pandas,
        Polars, PyArrow, a DuckDB relation), or several of these: a list, or a dictionary by source.
    model
        What is believed of the table; None: proposed by looking at the columns, see `coterie.propose`.
    chains, draws
        How many Markov chains, and how many draws of each are kept.
    tune
        Steps of each chain before its first draw; None: until the chains agree, within limits.
    cores
        How many chains run at once; None: as many as there are cores. It makes no difference to the draws.
    seed
        The same seed gives the same draws, whatever the order of the rows and the number of cores.
    unique_id
        The column of ids; None: the number of the row.
    source
        The column that says which source a record is of, if the model does not say it.
    together, apart
        Pairs of ids that are known to be of one entity, and known not to be.
    progress
        Whether to show on standard error what is going on, and the verdict; or whatever else is to be told of it,
        with the methods of `coterie.resolution.progress.Progress`.

    Returns
    -------
    Posterior
        All draws, and what is asked of them: `entities`, `pairs`, `canonical`, `diagnose`, …

    Examples
    --------
    >>> import coterie as ct, pyarrow as pa
    >>> people = pa.table({
    ...     "name": ["ann may", "anne may", "bob day", "bob day", "eve lee"],
    ...     "born": ["1980-02-03", "1980-02-03", "1955-12-01", "1955-12-10", "1971-07-07"],
    ... })
    >>> model = ct.Model(fields={"name": ct.fields.Text(), "born": ct.fields.Date()})
    >>> posterior = ct.resolve(people, model, chains=2, draws=100, tune=50, seed=1, progress=False)
    >>> posterior.entities().column_names
    ['row', 'entity_id', 'probability']
    """
    chains, draws = whole("chains", chains), whole("draws", draws)
    tune = None if tune is None else whole("tune", tune, least=0)
    cores = None if cores is None else whole("cores", cores)
    sequence = _sequence(seed)
    show = progress_for(progress)
    try:
        prepared = prepare(
            table, model, unique_id=unique_id, source=source, together=together, apart=apart, progress=show
        )
        drawn = sample(
            prepared.target, chains=chains, draws=draws, tune=tune, cores=cores, seed=sequence, watch=show.pace
        )
        posterior = _posterior(prepared, drawn, draws)
        if progress is not False:
            show.stage("summing up")
            show.tell(f"\n{posterior.verdict}")
    finally:
        show.close()
    return posterior


def _sequence(seed: int | None) -> np.random.SeedSequence:
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
        raise InputError("a whole number from 0 on as seed", repr(seed)[:60], "None takes one from the system.")
    return np.random.SeedSequence(None if seed is None else int(seed))


def _posterior(prepared: Prepared, drawn: Sampled, draws: int) -> Posterior:
    """Return the posterior, with what else its reader should know."""
    notes = list(prepared.notes)
    if drawn.stopped:
        made = min(chain.draws for chain in drawn.chains)
        notes.append(f"It was stopped after {made:,} of {draws:,} draws of each chain.")
    if not drawn.agreed:
        notes.append(f"The chains did not agree after {drawn.warm_up:,} steps of warm-up; more may help (tune=…).")
    posterior = Posterior.from_target(prepared.table, prepared.model, prepared.target, drawn.chains, notes)
    found = prepared.candidates
    if found is not None and len(found.plan.rules) > 1:
        reached = coverage(found.found, posterior.match_probabilities.of_many(*found.pairs.T))
        posterior.notes = (*posterior.notes, str(reached))
    return posterior
