"""Tables that a posterior gives: in the kind and order that came in, with names of entities that stay."""

from collections.abc import Callable
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coterie import InputError, fields, sampler, tables
from coterie.posterior import Posterior, Recorder, chain_of, count_pairs
from coterie.posterior.entities import entity_ids
from coterie.priors import NBNB
from coterie.priors.distributions import Beta, Gamma
from posterior.fabricate import posterior_of, smallest, together
from sampler import exact, records

# Rows that are in no order, and draws of the records in theirs: 0 and 1 together, 2 with them now and then.
COLUMNS = {"key": ["c", "a", "d", "b"], "name": ["ann", "ann", "bob", "anne"]}
DRAWS = [[0, 0, 2, 3], [0, 0, 0, 3], [0, 0, 2, 2], [0, 0, 2, 3]]
KINDS: dict[str, Callable[[dict[str, list[str]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


def rows(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a table of any kind."""
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return frame.to_arrow_table().to_pylist()
    known = nw.from_native(frame)
    return (known.collect() if isinstance(known, nw.LazyFrame) else known).rows(named=True)


def made(source: Any, draws: list[list[list[int]]], **how: Any) -> Posterior:
    table = tables.read(source, **({"unique_id": "key"} | how))
    [name] = fields.Text().compile("name", *table.column("name"))
    return Posterior(table, None, [name], [chain_of(part, psi=np.full((len(part), 1, 1), 0.1)) for part in draws])


@pytest.mark.parametrize("kind", KINDS)
def test_results_are_of_the_kind_and_in_the_order_that_came_in(kind: str) -> None:
    source = KINDS[kind](COLUMNS)
    posterior = made(source, [DRAWS, DRAWS])
    entities, pairs = posterior.entities(), posterior.pairs()
    assert type(entities) is type(pairs) is type(source)
    found = rows(entities)
    assert [row["key"] for row in found] == COLUMNS["key"]
    assert list(found[0]) == ["key", "entity_id", "probability"]
    assert found[1]["entity_id"] == found[3]["entity_id"]
    assert len({row["entity_id"] for row in found}) == 3
    assert [row["probability"] for row in found] == [0.5, 0.75, 0.75, 0.75]
    assert rows(pairs) == [
        {"key_l": "a", "key_r": "b", "match_probability": 1.0},
        {"key_l": "a", "key_r": "c", "match_probability": 0.25},
        {"key_l": "b", "key_r": "c", "match_probability": 0.25},
        {"key_l": "c", "key_r": "d", "match_probability": 0.25},
    ]
    assert len(rows(posterior.pairs(0.5))) == 1


def test_labels_are_in_the_order_of_the_rows() -> None:
    posterior = made(pd.DataFrame(COLUMNS), [DRAWS[:2], DRAWS[2:]])
    # Rows c, a, d, b.
    assert posterior.labels(0).tolist() == [0, 1, 2, 1]
    assert posterior.labels(1).tolist() == [0, 0, 1, 0]
    assert posterior.labels(2).tolist() == [0, 1, 0, 1]
    assert posterior.labels(-1).tolist() == posterior.labels(3).tolist()
    for draw in (4, -5):
        with pytest.raises(InputError, match="a draw from 0 to 3"):
            posterior.labels(draw)


def test_draws_of_all_chains_come_one_after_another() -> None:
    posterior = made(pd.DataFrame(COLUMNS), [DRAWS[:2], DRAWS[2:]])
    assert posterior.entity_count.tolist() == [3, 2, 2, 3]
    assert {size: counts.tolist() for size, counts in posterior.size_counts.items()} == {
        1: [2, 1, 0, 2],
        2: [1, 0, 2, 1],
        3: [0, 1, 0, 0],
    }
    assert posterior.distortion["name"].shape == (4, 1)
    assert posterior.prior_parameters == {}


def test_an_entity_is_called_the_same_in_another_run_and_another_table() -> None:
    one = rows(made(pd.DataFrame(COLUMNS), [DRAWS]).entities())
    turned = {name: column[::-1] for name, column in COLUMNS.items()}
    other = rows(made(pl.DataFrame(turned), [DRAWS[:1]]).entities())
    assert {row["key"]: row["entity_id"] for row in one} == {row["key"]: row["entity_id"] for row in other}
    more = {name: [*column, new] for (name, column), new in zip(COLUMNS.items(), ["aa", "eve"], strict=True)}
    larger = rows(made(pd.DataFrame(more), [[[0, 1, 0, 3, 4]]]).entities())
    names = {row["key"]: row["entity_id"] for row in larger}
    assert names["a"] == one[1]["entity_id"]
    assert names["aa"] not in {row["entity_id"] for row in one}


def test_ids_of_several_sources_are_told_apart() -> None:
    source = {"left": pd.DataFrame({"key": [1, 2], "name": ["ann", "bob"]})}
    source["right"] = pd.DataFrame({"key": [1], "name": ["ann"]})
    posterior = made(source, [[[0, 0, 2]] * 3])
    assert rows(posterior.entities())[0].keys() == {"source", "key", "entity_id", "probability"}
    [pair] = rows(posterior.pairs())
    assert (pair["source_l"], pair["key_l"], pair["source_r"], pair["key_r"]) == ("left", 1, "right", 1)
    assert posterior.explain(("left", 1), ("right", 1)).fields[0].verdict == "agree"


def test_names_of_entities_depend_on_the_set_alone() -> None:
    assert entity_ids(np.array([0, 0]), ["a", "b"]) == entity_ids(np.array([0, 0]), ["b", "a"])
    assert entity_ids(np.array([0]), [7]) == entity_ids(np.array([0]), ["7"])
    different = [["ab"], ["a", "b"], ["b", "a", ""], [("a", "b")], [("ab", "")], [("", "ab")]]
    assert len({entity_ids(np.zeros(len(ids), int), ids)[0] for ids in different}) == len(different)


def test_an_estimate_is_kept_for_each_loss() -> None:
    posterior = made(pd.DataFrame(COLUMNS), [DRAWS])
    for loss in ("f1", "binder", "vi", "mpmms"):
        assert posterior.estimate(loss) is posterior.estimate(loss)
        assert posterior.estimate(loss).tolist() == [0, 0, 2, 3]
        assert posterior.expected_scores(loss).f1.mean == pytest.approx((1 + 0.5 + 2 / 3 + 1) / 4)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_probability(threshold: float) -> None:
    with pytest.raises(InputError, match="a probability as threshold"):
        posterior_of([[[0, 0]]]).pairs(threshold)


def test_chains_of_another_table_are_refused() -> None:
    table = tables.read(pd.DataFrame(COLUMNS), unique_id="key")
    for chains in ([], [chain_of([[0, 1]])]):
        with pytest.raises(InputError, match="chains of 4 records"):
            Posterior(table, None, [], chains)


def test_match_probabilities_of_an_enumerated_posterior() -> None:
    # A chain that has each partition as often as the posterior says, in any order.
    telling = records.compiled(5, 0.2)
    logs = exact.given_psi(telling, np.full((4, 1), 0.2), np.zeros(5, np.int64), 5)
    law = NBNB(a=1, q=0.9, r=2, p=0.3)
    posterior = exact.with_prior(logs, exact.log_prob_of(law, given_n=True))
    times = {labels: round(20_000 * p) for labels, p in posterior.items()}
    drawn = np.random.default_rng(1).permutation([list(labels) for labels, m in times.items() for _ in range(m)])
    found = count_pairs([chain_of(part) for part in np.array_split(drawn, 3)])
    for i, j in together([0] * 5):
        p = sum(p for labels, p in posterior.items() if labels[i] == labels[j])
        assert found.of(i, j) == pytest.approx(p, abs=52 / 20_000)


def test_a_posterior_of_a_target_knows_its_sources_and_prior() -> None:
    frame = pd.DataFrame({"key": range(8), "name": records.NAMES[:8], "file": ["x", "y"] * 4})
    table = tables.read(frame, unique_id="key", source_column="file")
    [name] = fields.Text().compile("name", *table.column("name"))
    prior = NBNB(a=1, q=0.9, r=Gamma(1, 1), p=Beta(2, 2))
    target = sampler.make_target([name], prior, source=["x", "y"] * 4)
    rng = np.random.default_rng(1)
    state, recorder = sampler.start(rng, target), Recorder(target)
    for _ in range(10):
        state, _ = sampler.step(rng, state, target)
        recorder.add(state)
    posterior = Posterior.from_target(table, None, target, [recorder.chain()])
    assert posterior.source.tolist() == [0, 1] * 4
    assert posterior.sources == ("x", "y")
    assert posterior.distortion["name"].shape == (10, 2)
    assert list(posterior.prior_parameters) == ["r", "p"]
    assert (
        posterior.labels(9).tolist()
        == np.unique(smallest(target.record_labels(state.labels).tolist()), return_inverse=True)[1].tolist()
    )
    assert repr(posterior) == "Posterior(8 records, 1 chains, 10 draws)"
