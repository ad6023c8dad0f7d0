"""What every kind of field promises, for all of them."""

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from coterie import InputError, fields
from coterie.fields.pairs import LONGEST_ROW
from coterie.priors.distributions import Beta
from fields.kinds import KINDS, spelling

NAMES = {name: getattr(fields, name) for name in fields.__all__} | {"Beta": Beta, "spelling": spelling}


def column(values: list[Any], seed: int = 1, missing: bool = True) -> list[Any]:
    """Return records that show each value at least once, some of them none."""
    rng = np.random.default_rng(seed)
    more = [values[k] for k in rng.integers(len(values), size=2 * len(values))]
    records = [*values, *more, *([None, np.nan, "", "  "] if missing else [])]
    return [records[k] for k in rng.permutation(len(records))]


def compiled(kind: fields.Field, records: list[Any]) -> tuple[fields.Compiled, ...]:
    return kind.compile("field", *fields.encode(records))


def matrix(field: fields.Compiled) -> np.ndarray:
    """Return T(x|y) in row x, column y."""
    dense = np.zeros((field.size, field.size))
    for x in range(field.size):
        row = slice(field.indptr[x], field.indptr[x + 1])
        dense[x, field.similar[row]] = field.chance[row]
    return dense


@pytest.fixture(params=KINDS)
def case(request: pytest.FixtureRequest) -> tuple[fields.Field, list[Any]]:
    return KINDS[request.param]


Case = tuple[fields.Field, list[Any]]


def test_codes_values_and_frequencies_belong_together(case: Case) -> None:
    for field in compiled(case[0], column(case[1])):
        assert field.codes.dtype == np.int32
        assert field.size == len(field.values) == len(field.theta) == len(set(field.values))
        counts = np.bincount(field.codes[field.codes >= 0], minlength=field.size)
        assert counts.min() > 0
        np.testing.assert_allclose(field.theta, counts / counts.sum(), rtol=1e-15)
        assert field.theta.sum() == pytest.approx(1, abs=1e-12)
        assert not field.constant


def test_slips_of_each_value_sum_to_one(case: Case) -> None:
    for field in compiled(case[0], column(case[1])):
        total = matrix(field).sum(axis=0)
        np.testing.assert_allclose(total[field.has_similar], 1, rtol=1e-12)
        assert not total[~field.has_similar].any()
        assert field.slip == (getattr(case[0], "slip", 0) if field.has_similar.any() else 0)


def test_rows_are_sorted_short_and_without_the_value_itself(case: Case) -> None:
    for field in compiled(case[0], column(case[1])):
        assert (field.indptr.dtype, field.similar.dtype, field.chance.dtype) == (np.int64, np.int32, np.float64)
        assert field.indptr[0] == 0
        assert field.indptr[-1] == len(field.similar) == len(field.chance)
        for x in range(field.size):
            row = field.similar[field.indptr[x] : field.indptr[x + 1]]
            assert len(row) <= LONGEST_ROW
            assert x not in row
            assert (np.diff(row) > 0).all()


def test_who_is_similar_to_whom_is_symmetric(case: Case) -> None:
    for field in compiled(case[0], column(case[1])):
        there = matrix(field) > 0
        assert (there == there.T).all()


def test_the_order_of_the_records_does_not_matter(case: Case) -> None:
    records = column(case[1])
    order = np.random.default_rng(5).permutation(len(records))
    for one, other in zip(compiled(case[0], records), compiled(case[0], [records[k] for k in order]), strict=True):
        assert (one.codes[order] == other.codes).all()
        for a, b in zip(one[2:], other[2:], strict=True):
            assert np.array_equal(np.asarray(a, object), np.asarray(b, object))


def test_a_value_that_no_record_has_is_dropped(case: Case) -> None:
    codes, values = fields.encode(column(case[1], missing=False))
    few = np.where(codes < 2, codes, -1)
    for whole, part in zip(
        case[0].compile("field", few, values), case[0].compile("field", few, values[:2]), strict=True
    ):
        assert whole.values == part.values
        assert (whole.codes == part.codes).all()


def test_a_missing_value_is_missing_and_changes_nothing_else(case: Case) -> None:
    records = column(case[1], missing=False)
    padded = [None, *records, None]
    for one, other in zip(compiled(case[0], records), compiled(case[0], padded), strict=True):
        assert other.codes[0] == other.codes[-1] == -1
        assert (other.codes[1:-1] == one.codes).all()
        assert (other.chance == one.chance).all()
        assert (other.theta == one.theta).all()


def test_one_value_is_constant(case: Case) -> None:
    for records in ([case[1][0]] * 3, [case[1][0], None], [None, None], []):
        for field in compiled(case[0], records):
            assert field.constant
            assert field.slip == 0
            assert len(field.similar) == 0
            assert len(field.codes) == len(records)


def test_the_repr_is_the_call(case: Case) -> None:
    text = repr(case[0])
    if "<function" not in text:
        assert eval(text, NAMES) == case[0]
    assert pickle.loads(pickle.dumps(case[0])) == case[0]
    assert hash(case[0]) == hash(pickle.loads(pickle.dumps(case[0])))


def test_the_name_and_the_distortion_go_through(case: Case) -> None:
    for field in compiled(case[0], column(case[1])):
        assert field.name.startswith("field")
        assert field.distortion == case[0].distortion


@pytest.mark.parametrize("rate", [0, 1, -0.1, "often", True, np.nan, [0.1]])
def test_a_bad_distortion_is_refused(case: Case, rate: object) -> None:
    with pytest.raises(InputError, match=r"Expected a number strictly between 0 and 1 .*, a Beta, or None, got "):
        dataclasses.replace(case[0], distortion=rate)


@pytest.mark.parametrize(
    "wrong", [{"slip": 1}, {"slip": -0.1}, {"steepness": 0}, {"steepness": np.inf}, {"slip": None}]
)
def test_bad_slips_are_refused(case: Case, wrong: dict[str, Any]) -> None:
    if set(wrong) <= set(case[0].parameters):
        with pytest.raises(InputError):
            dataclasses.replace(case[0], **wrong)


@pytest.mark.parametrize("codes", [[0, 3], [-2], [[0]], [0.5], ["a"]])
def test_bad_codes_are_refused(case: Case, codes: list[Any]) -> None:
    with pytest.raises(InputError, match=r"Use fields\.encode"):
        case[0].compile("field", codes, case[1][:2])
