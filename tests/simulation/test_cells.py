"""What happens to cells, one function at a time."""

import numpy as np
import pytest

from coterie.simulation.cells import FATES, spoil, swap
from coterie.simulation.columns import MISSING, Column
from coterie.simulation.dates import DAYS, day_number
from coterie.simulation.keyboard import Keyboard
from coterie.simulation.lives import Event
from frequencies import assert_drawn_from

TOWNS = np.array(["Ayton", "Berkham", "Corfield", "Dunmouth"])
NEVER = dict.fromkeys(FATES, 0.0)


def spoilt(
    rates: dict[str, float], column: Column, truth: Column, noise: float = 1.0
) -> tuple[Column, list[Event]]:
    n = len(column.codes)
    return spoil(np.random.default_rng(1), "town", column, truth, NEVER | rates, np.full(n, noise), Keyboard())


def test_a_replaced_value_is_neither_the_true_one_nor_the_one_that_was_there() -> None:
    """Who lived in Ayton moved to Berkham: Corfield and Dunmouth are left, as common as in truth."""
    truth = Column(np.tile([0, 0, 0, 1, 1, 2, 2, 2, 3], 1000), TOWNS)
    column = truth.put(np.flatnonzero(truth.codes == 0), 1)
    drawn, events = spoilt({"replaced": 1.0}, column, truth)
    movers = truth.codes == 0
    assert_drawn_from(drawn.codes[movers].tolist(), {2: 0.75, 3: 0.25})
    assert_drawn_from(drawn.codes[truth.codes == 1].tolist(), {0: 3 / 7, 2: 3 / 7, 3: 1 / 7})
    assert next(event for event in events if event.error == "replaced").rows.tolist() == list(range(9000))


def test_at_most_one_thing_happens_to_a_cell() -> None:
    truth = Column(np.tile([0, 1, 2, 3], 5000), TOWNS)
    rates = {"missing": 0.1, "replaced": 0.2, "initial": 0.3, "typo": 0.25}
    drawn, events = spoilt(rates, truth, truth)
    fate = np.full(20_000, "none", dtype="U8")
    for event in events:
        assert (fate[event.rows] == "none").all()
        fate[event.rows] = event.error
    assert_drawn_from(fate.tolist(), rates | {"none": 0.15})
    assert (drawn.codes[fate == "missing"] == MISSING).all()
    assert set(drawn.words(np.flatnonzero(fate == "initial")).tolist()) == {"A.", "B.", "C.", "D."}
    assert (drawn.codes[fate == "none"] == truth.codes[fate == "none"]).all()
    assert not np.isin(drawn.words(np.flatnonzero(fate == "typo")), TOWNS).any()


@pytest.mark.parametrize("noise", [0.0, 0.25, 2.0])
def test_noise_multiplies_every_rate(noise: float) -> None:
    truth = Column(np.tile([0, 1, 2, 3], 5000), TOWNS)
    rates = {"missing": 0.1, "replaced": 0.2, "initial": 0.05, "typo": 0.15}
    _, events = spoilt(rates, truth, truth, noise)
    happened = [event.error for event in events for _ in event.rows]
    law = {fate: noise * rate for fate, rate in rates.items()}
    none = 1 - sum(law.values())
    assert_drawn_from(happened + ["none"] * (20_000 - len(happened)), law | {"none": none})


def test_only_what_makes_a_difference_is_swapped() -> None:
    names = np.array(["Dean", "James", "Smith"])
    days = [day_number(np.datetime64(day)) for day in ("2001-02-03", "2001-03-03", "2001-02-13")]
    records = {
        "first_name": Column(np.array([0, 1, 1]), names),
        "last_name": Column(np.array([2, 1, 0]), names),
        "birth_date": Column(np.array(days), DAYS),
    }
    events = swap(np.random.default_rng(1), records, np.ones(3))
    assert {event.column: event.rows.tolist() for event in events} == {
        "first_name": [0, 2],
        "last_name": [0, 2],
        "birth_date": [0],
    }
    assert records["first_name"].codes.tolist() == [2, 1, 0]
    assert records["last_name"].codes.tolist() == [0, 1, 1]
    assert DAYS[records["birth_date"].codes].tolist() == ["2001-03-02", "2001-03-03", "2001-02-13"]
