"""Chains made by hand, and slow, obvious versions of what is computed from them."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from coterie import fields, tables
from coterie.posterior import Chain, Posterior, chain_of
from coterie.posterior.chain import TruthDraws


@st.composite
def draws_of_chains(draw: st.DrawFn, most: int = 8) -> list[np.ndarray]:
    """Labels by draw and record of one to three chains; from draw to draw little or much changes."""
    n = draw(st.integers(1, most))
    chains = []
    for _ in range(draw(st.integers(1, 3))):
        labels = [draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))]
        for _ in range(draw(st.integers(0, 5))):
            moved = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=n))
            labels.append(list(labels[-1]))
            for record, label in moved:
                labels[-1][record] = label
        chains.append(np.array(labels))
    return chains


def random_labels(rng: np.random.Generator, n: int, draws: int, clusters: int, share: float) -> np.ndarray:
    """Labels of which a share is drawn anew from draw to draw."""
    labels = [rng.integers(0, clusters, n)]
    for _ in range(draws - 1):
        labels.append(np.where(rng.random(n) < share, rng.integers(0, clusters, n), labels[-1]))
    return np.array(labels)


def smallest(labels: Sequence[int]) -> list[int]:
    """Return for each record the smallest of its cluster."""
    return [list(labels).index(label) for label in labels]


def together(labels: Sequence[int]) -> set[tuple[int, int]]:
    """Return the pairs that are together."""
    return {(i, j) for i, j in combinations(range(len(labels)), 2) if labels[i] == labels[j]}


def clusters(labels: Sequence[int]) -> set[frozenset[int]]:
    """Return the clusters as sets."""
    labels = list(labels)
    return {frozenset(r for r, other in enumerate(labels) if other == label) for label in labels}


def with_truths(chain: Chain, truths: Sequence[tuple[int, dict[tuple[int, int], int]]]) -> Chain:
    """Return a chain with truths: for some draws {(label, field): value} where the first record shows another."""
    entries = [(label, field, value) for _, found in truths for (label, field), value in sorted(found.items())]
    columns = np.array(entries, np.int32).reshape(-1, 3).T
    begin = np.cumsum([0, *(len(found) for _, found in truths)])
    draw = np.array([at for at, _ in truths], np.int64)
    return Chain(**(vars(chain) | {"truths": TruthDraws(draw, begin, *columns)}))


def posterior_of(
    labels: Sequence[Sequence[Sequence[int]]],
    *,
    psi: Sequence[float] | None = None,
    rng: np.random.Generator | None = None,
) -> Posterior:
    """Return a posterior over a table of people with ids, whose chains have these labels; ψ varies around .1."""
    rng = np.random.default_rng(1) if rng is None else rng
    n = len(labels[0][0])
    names = [f"name {r // 2}" for r in range(n)]
    table = tables.read(pa.table({"key": [f"id{r:04}" for r in range(n)], "name": names}), unique_id="key")
    compiled = fields.Category().compile("name", *table.column("name"))
    chains = []
    for at, rows in enumerate(labels):
        rates = rng.beta(10, 90, (len(rows), 1, 1)) if psi is None else np.full((len(rows), 1, 1), psi[at])
        chains.append(chain_of(rows, psi=rates))
    return Posterior(table, None, compiled, chains)
