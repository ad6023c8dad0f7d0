"""Groups: which tuples are similar, against comparing all with all."""

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, fields
from fields.generated import misspelt, names

HOME = fields.Group(street=fields.Text(), number=fields.Category(), town=fields.Text(), postcode=fields.Category())
Rows = list[tuple[Any, ...]]


def compiled(group: fields.Group, rows: Rows) -> fields.Compiled:
    columns = zip(*rows, strict=True) if rows else ([] for _ in group.parts)
    [field] = group.compile(
        "home", {part: fields.encode(list(column)) for (part, _), column in zip(group.parts, columns, strict=True)}
    )
    return field


def similar(field: fields.Compiled) -> set[tuple[int, int]]:
    rows = np.repeat(np.arange(field.size), np.diff(field.indptr))
    return {(x, y) for x, y in zip(rows.tolist(), field.similar.tolist(), strict=True) if x < y}


def oracle(group: fields.Group, rows: Rows) -> dict[tuple[Any, Any], float]:
    """Return the similarity of every two tuples, by the formula."""
    rows = [row for row in rows if any(value is not None for value in row)]
    kinds = [kind for _, kind in group.parts]
    weights, alike = [], []
    for p, kind in enumerate(kinds):
        shown = [row[p] for row in rows if row[p] is not None]
        theta = np.array([shown.count(value) / len(shown) for value in set(shown)])
        weights.append(float(-(theta * np.log(theta)).sum()))
        values = sorted(set(shown))
        pairs = kind.similar_pairs("part", values)
        near = zip(pairs.first.tolist(), pairs.second.tolist(), pairs.similarity.tolist(), strict=True)
        alike.append({frozenset({values[i], values[j]}): s for i, j, s in near})
    out = {}
    distinct = sorted(set(rows), key=repr)
    for i, a in enumerate(distinct):
        for b in distinct[i + 1 :]:
            agreed = total = 0.0
            for x, y, w, near in zip(a, b, weights, alike, strict=True):
                if x is None and y is None:
                    continue
                total += w
                one = x is None or y is None
                agreed += w * (1.0 if x == y else group.missing if one else near.get(frozenset({x, y}), 0.0))
            out[a, b] = agreed / total if total else 0.0
    return out


def addresses(n: int, seed: int, blanks: float) -> Rows:
    """Return addresses, each several times, with typing errors and missing parts."""
    rng = np.random.default_rng(seed)
    streets, towns = names(n // 8, seed), names(12, seed + 1)
    rows: Rows = []
    while len(rows) < n:
        town = int(rng.integers(12))
        home = (streets[rng.integers(len(streets))], int(rng.integers(1, 30)), towns[town], f"{town:02}000")
        for _ in range(rng.integers(1, 4)):
            street = misspelt(rng, home[0], 1) if rng.random() < 0.3 else home[0]
            row = (street, *home[1:])
            rows.append(tuple(None if rng.random() < blanks else value for value in row))
    return rows


@pytest.mark.parametrize(("blanks", "recall"), [(0.0, 1.0), (0.15, 0.99)])
def test_tuples_are_similar_that_share_enough(blanks: float, recall: float) -> None:
    rows = addresses(500, 3, blanks)
    field = compiled(HOME, rows)
    exact = {pair for pair, score in oracle(HOME, rows).items() if score >= HOME.cutoff - 1e-6}
    got = {frozenset({field.values[x], field.values[y]}) for x, y in similar(field)}
    assert len(exact) > 400
    assert got <= set(map(frozenset, exact))
    assert len(got) >= recall * len(exact)


def test_chances_follow_from_the_shares() -> None:
    rows = addresses(60, 5, 0.1)
    field, scores = compiled(HOME, rows), oracle(HOME, rows)
    score = {frozenset(pair): value for pair, value in scores.items()}
    for x, y in similar(field):
        column = {
            z: np.exp(HOME.steepness * score[frozenset({field.values[z], field.values[y]})])
            for z in range(field.size)
            if (min(z, y), max(z, y)) in similar(field)
        }
        row = slice(field.indptr[x], field.indptr[x + 1])
        chance = field.chance[row][field.similar[row] == y]
        assert chance == pytest.approx(column[x] / sum(column.values()), rel=1e-9)


@given(st.lists(st.tuples(*[st.sampled_from([None, "anna", "anne", "bert"])] * 2), min_size=1, max_size=12))
def test_two_parts_of_few_values(rows: Rows) -> None:
    group = fields.Group(a=fields.Text(), b=fields.Category(), cutoff=0.5)
    field = compiled(group, rows)
    there = [any(value is not None for value in row) for row in rows]
    assert [field.values[code] if code >= 0 else None for code in field.codes] == [
        row if shown else None for row, shown in zip(rows, there, strict=True)
    ]
    exact = {frozenset(pair) for pair, score in oracle(group, rows).items() if score >= 0.5 - 1e-6}
    got = {frozenset({field.values[x], field.values[y]}) for x, y in similar(field)}
    # Found through a shared value; who has but one part, and not the same as the other, has none to share.
    shared = {pair for pair in exact if any(len({row[p] for row in pair} - {None}) == 1 for p in range(2))}
    assert got <= exact
    assert {pair for pair in shared if all(None not in row for row in pair)} <= got


@pytest.mark.parametrize("parts", [("street", "number"), ("number", "street")])
def test_a_similar_value_and_an_equal_one_meet_in_a_crowd(
    parts: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.fields.group.RARE", 0)
    kinds = {"street": fields.Text(), "number": fields.Category()}
    rng = np.random.default_rng(4)
    streets = names(150, seed=6)
    rows = [(streets[rng.integers(150)], int(rng.integers(4))) for _ in range(300)]
    rows = [row if parts[0] == "street" else row[::-1] for row in rows]
    group = fields.Group(**{part: kinds[part] for part in parts}, cutoff=0.7)
    field, street = compiled(group, rows), parts.index("street")
    got = {frozenset({field.values[x], field.values[y]}) for x, y in similar(field)}
    exact = {frozenset(pair) for pair, score in oracle(group, rows).items() if score >= 0.7}
    both = {pair for pair in exact if len({row[1 - street] for row in pair}) == 1}
    assert len(both) > 20
    assert both <= got <= exact


def test_the_order_of_the_records_does_not_matter() -> None:
    rows = addresses(200, 7, 0.2)
    order = np.random.default_rng(1).permutation(len(rows))
    one, other = compiled(HOME, rows), compiled(HOME, [rows[k] for k in order])
    assert (one.codes[order] == other.codes).all()
    assert one.values == other.values
    for a, b in zip(one[3:8], other[3:8], strict=True):
        assert np.array_equal(a, b)


def test_the_slips_of_each_value_sum_to_one() -> None:
    field = compiled(HOME, addresses(300, 9, 0.1))
    total = np.bincount(field.similar, field.chance, minlength=field.size)
    np.testing.assert_allclose(total[field.has_similar], 1, rtol=1e-12)
    for x in range(field.size):
        row = field.similar[field.indptr[x] : field.indptr[x + 1]]
        assert (np.diff(row) > 0).all()
        assert x not in row


def test_those_who_move_within_a_town_are_not_similar() -> None:
    rows = [("mill lane", 12, "ely", "100"), ("high street", 3, "ely", "100"), *addresses(200, 2, 0)]
    field = compiled(HOME, rows)
    assert tuple(sorted(field.codes[:2].tolist())) not in similar(field)


@pytest.mark.parametrize("rows", [[], [(None,) * 4], [("a", 1, "b", "c")] * 3])
def test_one_tuple_is_constant(rows: Rows) -> None:
    field = compiled(HOME, rows)
    assert field.constant
    assert field.slip == 0
    assert len(field.codes) == len(rows)


def test_a_date_and_a_number_are_parts_as_well() -> None:
    group = fields.Group(born=fields.Date(), size=fields.Number(1))
    rows = [("1980-02-03", "4"), ("19800203", 5), ("1980-2-3", 70), ("1980-02-04", 70), ("", 13)]
    field = compiled(group, rows)
    assert [(str(born), size) for born, size in field.values] == [
        ("None", 13),
        ("1980-02-03", 4),
        ("1980-02-03", 5),
        ("1980-02-03", 70),
        ("1980-02-04", 70),
    ]


def test_the_repr_is_the_call() -> None:
    group = fields.Group(street=fields.Text(), number=fields.Category(), distortion=0.1, missing=0)
    assert eval(repr(group), {name: getattr(fields, name) for name in fields.__all__}) == group
    assert pickle.loads(pickle.dumps(group)) == group
    assert hash(pickle.loads(pickle.dumps(group))) == hash(group)
    assert group.parameters["parts"][0] == ("street", fields.Text())
    assert dataclasses.is_dataclass(group)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"a": fields.Text()},
        {"a": fields.Text(), "b": "text"},
        {"a": fields.Text(), "b": fields.Date(parts=True)},
        {"a": fields.Text(), "b": fields.Text(distortion=0.1)},
        {"a": fields.Text(), "b": HOME},
        {"a": fields.Text(), "b": fields.Text(), "cutoff": 0},
        {"a": fields.Text(), "b": fields.Text(), "missing": 1},
        {"a": fields.Text(), "b": fields.Text(), "distortion": 2},
    ],
)
def test_bad_groups_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        fields.Group(**wrong)


def test_bad_columns_are_refused() -> None:
    group = fields.Group(a=fields.Text(), b=fields.Text())
    one, two = fields.encode(["x"]), fields.encode(["x", "y"])
    too_few, too_many = {"a": one}, {"a": one, "b": one, "c": one}
    for columns in ({}, too_few, too_many, {"a": one, "b": two}, {"a": one, "b": ([5], [])}):
        with pytest.raises(InputError, match="home"):
            group.compile("home", columns)
