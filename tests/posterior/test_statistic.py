"""Statistics of every draw, and how they are combined."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from coterie import InputError, fields, tables
from coterie.posterior import Posterior, chain_of
from coterie.posterior.statistic import summarise
from posterior.fabricate import random_labels

N = 30


def made(frame_of: type = pd.DataFrame, draws: int = 40) -> Posterior:
    rng = np.random.default_rng(1)
    order = rng.permutation(N)
    keys = np.array([f"{r:02}" for r in range(N)])
    columns = {"key": keys[order].tolist(), "name": [f"n{r % 7}" for r in order], "age": (20 + order).tolist()}
    table = tables.read(frame_of(columns), unique_id="key")
    [name] = fields.Category().compile("name", *table.column("name"))
    chains = [random_labels(rng, N, draws, 25, 0.1) for _ in range(2)]
    return Posterior(table, None, [name], [chain_of(rows, psi=np.full((draws, 1, 1), 0.1)) for rows in chains])


def test_the_number_of_entities_is_the_simplest_statistic() -> None:
    posterior = made()
    found = posterior.statistic(lambda entity: len(set(entity.tolist())), every=1)
    assert found.draws["value"].tolist() == posterior.entity_count.tolist()
    value = found["value"]
    assert value.mean == pytest.approx(posterior.entity_count.mean())
    assert value.sd == pytest.approx(posterior.entity_count.std(ddof=1))
    assert value.interval[0.5] == pytest.approx(tuple(np.quantile(posterior.entity_count, [0.25, 0.75])))
    assert value.from_linkage == 1.0
    assert 0 < value.mcse < value.sd


def test_draws_can_be_thinned() -> None:
    posterior = made()
    found = posterior.statistic(lambda entity: entity.max() + 1, every=8)
    assert found.draws["value"].tolist() == posterior.entity_count.reshape(2, 40)[:, 7::8].ravel().tolist()
    assert posterior.statistic(np.size, every=1000).draws["value"].size == 2
    with pytest.raises(InputError, match="every"):
        posterior.statistic(np.size, every=0)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_table_with_the_entity_of_each_row(kind: type) -> None:
    posterior = made(kind)
    seen = []

    def oldest(frame: pd.DataFrame) -> dict[str, float]:
        assert isinstance(frame, kind)
        assert list(frame.columns) == ["key", "age", "entity"]
        seen.append(np.asarray(frame["entity"]))
        assert [int(key) + 20 for key in frame["key"]] == list(frame["age"])
        ages = {}
        for entity, age in zip(frame["entity"], frame["age"], strict=True):
            ages[entity] = max(age, ages.get(entity, 0))
        return {"mean": np.mean(list(ages.values())), "entities": len(ages)}

    found = posterior.statistic(oldest, columns=["age"], every=10)
    assert np.array_equal(seen[0], posterior.labels(9))
    assert list(found.values) == ["mean", "entities"]
    assert found.draws["entities"].tolist() == posterior.entity_count.reshape(2, 40)[:, 9::10].ravel().tolist()
    assert len(str(found).splitlines()) == 2


def test_standard_errors_are_combined_by_rubins_rules() -> None:
    draws, errors = np.array([10.0, 12.0, 11.0, 15.0, 12.0]), np.array([1.0, 2.0, 1.5, 1.0, 2.0])
    found = summarise("x", [draws], errors)
    within, between, m = np.mean(errors**2), np.var(draws, ddof=1), 5
    total = within + (1 + 1 / m) * between
    degrees = (m - 1) * (1 + within / ((1 + 1 / m) * between)) ** 2
    assert found.mean == 12.0
    assert found.sd == pytest.approx(math.sqrt(total))
    assert found.interval[0.95] == pytest.approx(stats.t.interval(0.95, degrees, 12.0, math.sqrt(total)))
    assert found.from_linkage == pytest.approx((1 + 1 / m) * between / total)


def test_where_all_draws_agree_the_sample_alone_is_uncertain() -> None:
    found = summarise("x", [np.full(50, 3.0)] * 2, np.full(100, 2.0))
    assert (found.sd, found.from_linkage) == (2.0, 0.0)
    assert found.interval[0.9] == pytest.approx(stats.norm.interval(0.9, 3.0, 2.0))
    assert math.isnan(found.ess)


def test_a_function_with_standard_errors() -> None:
    def mean(entity: np.ndarray) -> tuple[list[float], list[float]]:
        return [entity.mean(), 1.0], [2.0, 0.0]

    found = made().statistic(mean, standard_error=True)
    assert found.errors["value[0]"].tolist() == [2.0] * 80
    assert found["value[0]"].sd > 2.0
    assert found["value[1]"].sd == 0.0


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda _: "many", "numbers from the function"),
        (lambda _: None, "numbers from the function"),
        (lambda _: {"x": [1, 2]}, "numbers from the function"),
        (lambda entity: [1.0] * int(entity.max()), "the numbers"),
    ],
)
def test_what_a_function_returns_is_checked(function: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        made().statistic(function, every=1)


def test_a_pair_is_asked_for_where_standard_errors_are() -> None:
    with pytest.raises(InputError, match="a pair from the function"):
        made().statistic(lambda _: 1.0, standard_error=True)


def test_columns_are_checked() -> None:
    with pytest.raises(InputError, match="Did you mean 'age'"):
        made().statistic(len, columns=["agee"])
    with pytest.raises(InputError, match=r"Pass \['age'\]"):
        made().statistic(len, columns="age")
