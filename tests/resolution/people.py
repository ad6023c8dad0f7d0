"""A small table of people for all tests here, with the truth, and the shortest run that shows what is asked."""

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

import coterie as ct
from coterie import fields
from coterie.posterior import Posterior
from tables.kinds import columns_of

N, SEED = 120, 2015


@cache
def simulated() -> ct.Simulated:
    """Make up the people."""
    return ct.simulate(N, sources=("census", "survey"), deduplicated=["census"], households=0, seed=SEED)


@cache
def records() -> pa.Table:
    """Return their records; the ids are text, so that they sort alike in every kind of table."""
    table = simulated().records
    return table.set_column(0, "id", pa.array([f"r{key:03}" for key in table["id"].to_pylist()]))


@cache
def truth() -> dict[str, int]:
    """Return the entity of each id."""
    return dict(zip(records()["id"].to_pylist(), simulated().truth["entity_id"].to_pylist(), strict=True))


MODEL = ct.Model(
    fields={"first_name": fields.Text(), "last_name": fields.Text(), "birth_date": fields.Date()},
)


def resolve(table: Any, model: Any = MODEL, **options: Any) -> Posterior:
    """Resolve a table in little time: two chains that are short."""
    short = {"chains": 2, "draws": 20, "tune": 10, "seed": 1, "unique_id": "id", "progress": False}
    return ct.resolve(table, model, **(short | options))


def same_draws(one: Posterior, other: Posterior) -> bool:
    """Tell whether two posteriors have the same draws, number by number."""
    return len(one.chains) == len(other.chains) and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b in zip(one.chains, other.chains, strict=True)
        for name in ("first", "begin", "record", "label", "entities", "psi", "parameters")
    )


def entity_of(posterior: Posterior) -> dict[Any, Any]:
    """Return the estimated entity of each id."""
    found = columns_of(posterior.entities())
    return dict(zip(found["id"], found["entity_id"], strict=True))
