"""What is known beforehand holds in every draw: who is together or apart, and sources that hold nobody twice."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import coterie as ct
from coterie import InputError
from coterie.posterior import Posterior
from coterie.resolution.prepare import prepare
from coterie.resolution.progress import Silent
from resolution.people import MODEL, records, resolve, truth

IDS = records()["id"].to_pylist()
SOURCE = np.array(records()["source"].to_pylist())


def draws(posterior: Posterior) -> Iterator[Any]:
    return map(posterior.labels, range(posterior.draws))


def pairs_of_one() -> list[tuple[str, str]]:
    """Return pairs of ids of one person each, no id twice."""
    by_entity: dict[int, list[str]] = {}
    for key in IDS:
        by_entity.setdefault(truth()[key], []).append(key)
    return [(keys[0], keys[1]) for keys in by_entity.values() if len(keys) > 1]


def test_nobody_is_twice_in_a_source_that_was_deduplicated() -> None:
    options = {"source": "source", "deduplicated": ["census"]}
    posterior = resolve(records(), ct.Model(fields=MODEL.fields, **options))
    for labels in draws(posterior):
        census = labels[SOURCE == "census"]
        assert np.unique(census).size == census.size
    # Without that, somebody is: the test can fail.
    free = resolve(records().append_column("twin", records()["id"]), MODEL, together=[_two_of("census")])
    assert any(np.unique(each[SOURCE == "census"]).size < (SOURCE == "census").sum() for each in draws(free))


@pytest.mark.parametrize("deduplicated", [["census"], []])
def test_pairs_within_a_deduplicated_source_are_no_candidates(deduplicated: list[str]) -> None:
    model = ct.Model(
        fields=MODEL.fields, source="source", deduplicated=deduplicated, block_on=["left(birth_date, 3)"]
    )
    options = {"unique_id": "id", "source": None, "together": (), "apart": ()}
    found = prepare(records(), model, progress=Silent(), **options).candidates
    assert found is not None
    i, j = found.pairs.T
    within = (SOURCE[i] == "census") & (SOURCE[j] == "census")
    assert within.any() == (not deduplicated)


def _two_of(source: str) -> tuple[str, str]:
    one, other = np.flatnonzero(source == SOURCE)[:2]
    return IDS[one], IDS[other]


def test_together_and_apart_hold_in_every_draw() -> None:
    known = pairs_of_one()
    apart, strangers = known[:5], [(one[0], other[1]) for one, other in zip(known[5:9], known[9:13], strict=True)]
    posterior = resolve(records(), together=strangers, apart=apart)
    place = {key: at for at, key in enumerate(IDS)}
    for labels in draws(posterior):
        assert all(labels[place[one]] == labels[place[other]] for one, other in strangers)
        assert all(labels[place[one]] != labels[place[other]] for one, other in apart)
    assert [posterior.explain(*pair).probability for pair in strangers] == [1.0] * 4
    # Left alone, the model sees it the other way around.
    free = resolve(records())
    assert np.mean([free.explain(*pair).probability for pair in strangers]) < 0.1
    assert np.mean([free.explain(*pair).probability for pair in apart]) > 0.5


def test_several_sources_are_named_with_the_id() -> None:
    one, other = pairs_of_one()[0]
    of = dict(zip(IDS, SOURCE.tolist(), strict=True))
    model = ct.Model(fields=MODEL.fields, source="source")
    posterior = resolve(records(), model, apart=[((of[one], one), (of[other], other))])
    assert posterior.explain(one, other).probability == 0.0


ONE, OTHER, THIRD = IDS[:3]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"together": [(ONE, OTHER)], "apart": [(OTHER, ONE)]}, f"'{OTHER}' and '{ONE}' both together and apart"),
        (
            {"together": [(ONE, OTHER), (OTHER, THIRD)], "apart": [(ONE, THIRD)]},
            f"'{ONE}' and '{THIRD}' both together and apart",
        ),
        ({"together": [("nobody", ONE)]}, "'nobody', which no record has"),
        ({"apart": [(ONE, ONE)]}, "two different ids"),
        ({"apart": [ONE]}, r"Write apart=\[\(id, id\), …\]"),
        ({"together": [(ONE, OTHER, THIRD)]}, "pairs of ids as together"),
    ],
)
def test_what_cannot_hold_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        resolve(records(), **options)


def test_two_of_a_deduplicated_source_cannot_be_together() -> None:
    model = ct.Model(fields=MODEL.fields, source="source", deduplicated=["census"])
    one, other = _two_of("census")
    with pytest.raises(InputError, match=f"'{one}' and '{other}' together, both from 'census'"):
        resolve(records(), model, together=[(one, other)])
    # Through others, too.
    third = IDS[np.flatnonzero(SOURCE == "survey")[0]]
    with pytest.raises(InputError, match=f"'{one}' and '{other}' together, both from 'census'"):
        resolve(records(), model, together=[(one, third), (third, other)])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"deduplicated": ["census"]}, "Say with source= which column"),
        ({"source": "source", "deduplicated": ["censsu"]}, "'censsu'. There are 'census', 'survey'"),
        ({"source": "sauce"}, "Did you mean 'source'"),
    ],
)
def test_sources_that_are_not_there(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        resolve(records(), ct.Model(fields=MODEL.fields, **options))


def test_a_record_without_a_source_is_told() -> None:
    table = records().set_column(1, "source", [[None, *SOURCE[1:].tolist()]])
    with pytest.raises(InputError, match="a source in every row of column 'source', got 1"):
        resolve(table, ct.Model(fields=MODEL.fields, source="source"))


def test_a_source_is_named_once() -> None:
    model = ct.Model(fields=MODEL.fields, source="source")
    with pytest.raises(InputError, match="'sex', and 'source' in the model"):
        resolve(records(), model, source="sex")
    named = resolve(records(), ct.Model(fields=MODEL.fields), source="source")
    assert named.distortion["last_name"].shape == (40, 2)
