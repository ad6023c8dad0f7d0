"""The posterior over who is who: all draws of all chains, and what is asked of them."""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.fields import Group
from coterie.fields.compiled import Compiled
from coterie.posterior.against import Comparison, compare
from coterie.posterior.arviz import to_arviz
from coterie.posterior.canonical import canonical
from coterie.posterior.chain import Chain
from coterie.posterior.diagnosis import Diagnosis, diagnose
from coterie.posterior.estimate import Loss
from coterie.posterior.estimates import estimate
from coterie.posterior.explain import Explanation, explain, law_at_means, log_prior_odds
from coterie.posterior.pairs import PairDraws, count_pairs
from coterie.posterior.recorder import parameter_names
from coterie.posterior.results import (
    canonical_table,
    columns_by_row,
    entity_table,
    pair_table,
    row_labels,
    row_order,
)
from coterie.posterior.scores import Expected, ExpectedScores, expected_scores
from coterie.posterior.sizes import size_counts
from coterie.posterior.statistic import Statistic, statistic
from coterie.posterior.summary import summary
from coterie.posterior.verdict import verdict
from coterie.priors.law import Law
from coterie.priors.parameters import whole
from coterie.sampler.target import Target
from coterie.tables import Table
from coterie.tables.names import free_name

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# A statistic is computed on so many draws in all.
STATISTIC_DRAWS = 200


class Posterior:
    """Everything that the draws of all chains tell about a table.

    Parameters
    ----------
    table
        The table.
    model
        What it was taken to be; it is only kept.
    fields
        The compiled fields that carry evidence, as in the draws of ψ.
    chains
        The draws.
    source, sources
        The source of each record by number, and the names of the sources. One source if left out.
    prior
        The law of the partition, with distributions for what is inferred.
    notes
        What else the reader should know: sentences.

    Examples
    --------
    `coterie.resolve` makes one. Here it is made from draws by hand:

    >>> import pyarrow as pa
    >>> from coterie import fields, tables
    >>> from coterie.posterior import chain_of
    >>> table = tables.read(pa.table({"key": ["a", "b", "c"], "name": ["ann", "anne", "bob"]}), unique_id="key")
    >>> name = fields.Text().compile("name", *table.column("name"))
    >>> draws = chain_of([[0, 0, 1], [0, 0, 1], [0, 1, 2], [0, 0, 1]], psi=[[[0.1]]] * 4)
    >>> posterior = Posterior(table, None, name, [draws])
    >>> posterior.pairs().to_pylist()
    [{'key_l': 'a', 'key_r': 'b', 'match_probability': 0.75}]
    >>> posterior.entities()["probability"].to_pylist(), posterior.entity_count
    ([0.75, 0.75, 1.0], array([2, 2, 3, 2]))
    """

    def __init__(
        self,
        table: Table,
        model: Any,
        fields: Sequence[Compiled],
        chains: Sequence[Chain],
        *,
        source: Int32 | None = None,
        sources: Sequence[object] = ("all",),
        prior: Law | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        if not chains or any(chain.n != table.n for chain in chains):
            got = f"{len(chains)} chains of {sorted({chain.n for chain in chains})} records"
            raise InputError(f"chains of {table.n} records", got, "Pass the chains of this table.")
        self.table, self.model, self.fields, self.chains = table, model, tuple(fields), tuple(chains)
        self.source = np.zeros(table.n, np.int32) if source is None else source
        self.sources, self.prior, self.notes = tuple(sources), prior, tuple(notes)
        self._estimates: dict[str, Int32] = {}
        self._comparisons: dict[str, Comparison] = {}

    @classmethod
    def from_target(
        cls, table: Table, model: Any, target: Target, chains: Sequence[Chain], notes: Sequence[str] = ()
    ) -> "Posterior":
        """Return the posterior of chains that have drawn from a target."""
        source = np.empty(target.n, np.int32)
        source[target.order] = target.evidence.source
        return cls(
            table,
            model,
            target.fields,
            chains,
            source=source,
            sources=target.sources,
            prior=target.prior,
            notes=notes,
        )

    def __repr__(self) -> str:
        return f"Posterior({self.table.n:,} records, {len(self.chains)} chains, {self.draws:,} draws)"

    @property
    def draws(self) -> int:
        """The number of draws of all chains together."""
        return sum(chain.draws for chain in self.chains)

    @property
    def entity_count(self) -> Integers:
        """|C| of every draw, chains one after another."""
        return np.concatenate([chain.entities for chain in self.chains])

    @cached_property
    def size_counts(self) -> dict[int, Integers]:
        """{size: how many entities have it in every draw}, chains one after another."""
        return size_counts(self.chains)

    @property
    def distortion(self) -> dict[str, Floats]:
        """{field: its distortion rate in every draw, for each source}, chains one after another."""
        psi = np.concatenate([chain.psi for chain in self.chains])
        return {field.name: psi[:, f] for f, field in enumerate(self.fields)}

    @property
    def prior_parameters(self) -> dict[str, Floats]:
        """{name: value in every draw} of what is inferred of the prior, chains one after another."""
        names = () if self.prior is None else parameter_names(self.prior, self.table.n)
        values = np.concatenate([chain.parameters for chain in self.chains])
        return {name: values[:, at] for at, name in enumerate(names)}

    def labels(self, draw: int) -> Integers:
        """Return the partition of one draw: a label for each row, in the order of the rows that came in.

        Draws are numbered through all chains, one after another.
        """
        if not -self.draws <= draw < self.draws:
            hint = "Draws are numbered through all chains, one after another."
            raise InputError(f"a draw from 0 to {self.draws - 1}", repr(draw), hint)
        draw %= self.draws
        for chain in self.chains:
            if draw < chain.draws:
                break
            draw -= chain.draws
        return row_labels(chain.labels(draw), row_order(self.table))

    @cached_property
    def match_probabilities(self) -> PairDraws:
        """All pairs of records, by number, that some draw has together."""
        return count_pairs(self.chains)

    def entities(self, loss: Loss = "f1") -> Any:
        """Return the estimated entity of each record, as a table of the kind and in the order that came in.

        Parameters
        ----------
        loss
            What the estimate loses least of in expectation: ``"f1"`` of pairs, ``"binder"``, ``"vi"``, or
            ``"mpmms"`` for shared most probable maximal matching sets.

        Returns
        -------
        table
            The id (and the source, if there are several), ``entity_id``, and ``probability``: the share of the
            draws in which this entity has exactly these records. The same set of records has the same
            ``entity_id`` in every run.
        """
        return entity_table(self.table, self.estimate(loss), self.comparison(loss).share)

    def pairs(self, threshold: float = 0.01) -> Any:
        """Return the pairs of records with at least this posterior probability of being one, likeliest first.

        Returns
        -------
        table
            The ids of both with ``_l`` and ``_r`` after their name, and ``match_probability``.
        """
        return pair_table(self.table, self.match_probabilities, threshold)

    def canonical(self, loss: Loss = "f1") -> Any:
        """Return one row an entity: for each field its most probable true value, and how probable.

        Every record of the entity votes, in every draw that has sampled truths, for the truth of its cluster.

        Returns
        -------
        table
            ``entity_id``, and for each field its value, under its name, and ``<field>_probability``. The parts of
            a group have columns of their own, and one probability.
        """
        labels = self.estimate(loss)
        found = canonical(np.unique(labels, return_inverse=True)[1], self.fields, self.chains, self.source)
        parts = [self._parts(field.name) for field in self.fields]
        return canonical_table(self.table, labels, self.fields, found, parts)

    def _parts(self, field: str) -> tuple[str, ...]:
        """Return the names of the parts of a group; none if the field is none."""
        kind = getattr(self.model, "fields", {}).get(field)
        return tuple(name for name, _ in kind.parts) if isinstance(kind, Group) else ()

    def expected_scores(self, loss: Loss = "f1") -> ExpectedScores:
        """Return what precision, recall and F1 of `entities` are expected to be, with intervals."""
        return expected_scores(self.comparison(loss))

    def explain(self, left: Any, right: Any) -> Explanation:
        """Return the evidence that two records are one entity, field by field; printed, it is a table.

        Parameters
        ----------
        left, right
            The ids of the records; with several sources, (source, id).
        """
        one, other = self.table.record(left), self.table.record(right)
        if one == other:
            raise InputError("two records", f"{left!r} twice", "Pass two different ids.")
        psi = np.concatenate([chain.psi for chain in self.chains]).mean(axis=0)
        odds = math.nan
        if self.prior is not None:
            law = law_at_means(self.prior, self.prior_parameters)
            odds = log_prior_odds(law, round(float(self.entity_count.mean())))
        return Explanation(
            left,
            right,
            explain(one, other, self.fields, psi, self.source),
            odds,
            self.match_probabilities.of(one, other),
        )

    def diagnose(self) -> Diagnosis:
        """Return whether the draws can be trusted, and if not, why; printed, it is a report."""
        return self._diagnosis

    def summary(self) -> dict[str, Any]:
        """Return the main figures as plain numbers: entities, sizes, rates, expected scores, diagnosis."""
        return summary(self)

    def to_arviz(self) -> Any:
        """Return the numbers that do not depend on labels, by chain and draw, as a DataTree for ArviZ.

        Labels of entities mean nothing across draws, so partitions are not in it. It needs ``coterie[arviz]``.
        """
        return to_arviz(self)

    def statistic(
        self,
        function: Callable[[Any], Any],
        *,
        columns: Sequence[str] | None = None,
        every: int | None = None,
        standard_error: bool = False,
    ) -> Statistic:
        """Compute a statistic on the entities of many draws: its spread is what is not known of who is who.

        Parameters
        ----------
        function
            Takes the entities of one draw, and returns a number, a sequence of numbers, or {name: number}.
            Without `columns` it is given an array: the entity of each row, numbered from 0 on. With them it is
            given a table of the kind that came in, with the ids, these columns and ``entity``.
        columns
            Columns of the table that the function reads.
        every
            Use every so-many-th draw. None: 200 draws in all, since neighbours tell little more.
        standard_error
            Whether the function returns a pair, an estimate and its standard error. They are combined by Rubin's
            rules, as for multiple imputations.
        """
        step = max(1, self.draws // STATISTIC_DRAWS) if every is None else whole("every", every)
        order = row_order(self.table)
        frame = None if columns is None else columns_by_row(self.table, columns)
        name = "" if frame is None else free_name("entity", frame)

        def given(labels: Int32) -> Any:
            entity = row_labels(labels, order)
            return entity if frame is None else self.table.give({**frame, name: entity})

        chosen = [np.arange(min(step, chain.draws) - 1, chain.draws, step) for chain in self.chains]
        inputs = [map(given, chain.labels_at(draws)) for chain, draws in zip(self.chains, chosen, strict=True)]
        return statistic(function, inputs, standard_error=standard_error)

    @cached_property
    def verdict(self) -> str:
        """What was found and whether it can be trusted, in a few lines for everyone."""
        diagnosis = self.diagnose()
        scores = None if diagnosis.pairs is None else self.expected_scores()
        count = Expected.of(self.entity_count.astype(np.float64))
        return verdict(self.table.n, count, diagnosis, scores, self.notes)

    @cached_property
    def _diagnosis(self) -> Diagnosis:
        return diagnose(self)

    def estimate(self, loss: Loss = "f1") -> Int32:
        """Return the estimate behind `entities`: for each record, by number, the smallest of its cluster."""
        if loss not in self._estimates:
            self._estimates[loss] = estimate(self.chains, self.match_probabilities, loss)
        return self._estimates[loss]

    def comparison(self, loss: Loss = "f1") -> Comparison:
        """Return the estimate held against all draws."""
        if loss not in self._comparisons:
            self._comparisons[loss] = compare(self.estimate(loss), self.chains)
        return self._comparisons[loss]
