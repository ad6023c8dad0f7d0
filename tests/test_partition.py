"""Partitions: labels, sizes and size tables tell the same story; bad input is named."""

import decimal
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from coterie import InputError, Partition, Statistics
from coterie.partition import canonical

labels_lists = st.lists(st.integers(-5, 5), min_size=1, max_size=40)
size_lists = st.lists(st.integers(1, 9), min_size=1, max_size=12)
size_tables = st.dictionaries(st.integers(1, 30), st.integers(1, 9), min_size=1, max_size=6)


def set_partition(labels: list[Any]) -> frozenset[frozenset[int]]:
    """Return the clusters as sets of positions."""
    return frozenset(frozenset(i for i, other in enumerate(labels) if other == label) for label in labels)


# --- round trips ---


@given(labels_lists, labels_lists)
def test_partitions_are_equal_exactly_as_set_partitions(one: list[int], other: list[int]) -> None:
    p, q = Partition.from_labels(one), Partition.from_labels(other)
    same = set_partition(one) == set_partition(other)
    assert (p == q) == same
    if same:
        assert hash(p) == hash(q)


@given(labels_lists, st.randoms(use_true_random=False))
def test_names_of_labels_do_not_matter(labels: list[int], random: Any) -> None:
    names = random.sample(range(10**9), 11)
    renamed = [f"name {names[label + 5]}" for label in labels]
    assert Partition.from_labels(renamed) == Partition.from_labels(labels)
    assert Partition.from_labels(np.array(labels)) == Partition.from_labels(labels)
    assert Partition.from_labels(iter(labels)) == Partition.from_labels(labels)


@given(labels_lists)
def test_labels_are_numbered_by_first_appearance(labels: list[int]) -> None:
    p = Partition.from_labels(labels)
    seen: list[int] = []
    for label in p.labels.tolist():
        assert label <= len(seen)
        if label == len(seen):
            seen.append(label)
    assert set_partition(p.labels.tolist()) == set_partition(labels)
    assert np.array_equal(canonical(p.labels), p.labels)
    assert Partition.from_labels(p.labels) == p


def test_every_set_partition_of_six_is_its_own() -> None:
    for n, bell in zip(range(1, 7), (1, 2, 5, 15, 52, 203), strict=True):
        everything = oracles.partitions(n)
        assert len(set(everything)) == len(everything) == bell


@given(st.lists(st.integers(0, 30), min_size=1, max_size=20))
def test_canonical_takes_labels_with_gaps(labels: list[int]) -> None:
    assert set_partition(canonical(np.array(labels)).tolist()) == set_partition(labels)


@given(labels_lists)
def test_everything_about_sizes_follows_from_the_labels(labels: list[int]) -> None:
    p, expected = Partition.from_labels(labels), list(Counter(labels).values())  # by first appearance, too
    assert p.sizes.tolist() == expected
    assert (p.n, p.k) == (len(labels), len(expected))
    assert p.size_counts == dict(Counter(expected))
    assert list(p.size_counts) == sorted(p.size_counts)
    assert p.largest_share == max(expected) / len(labels)
    assert p.statistics == Statistics(
        singletons=expected.count(1),
        largest=max(expected),
        mean=pytest.approx(sum(expected) / len(expected)),
        quantile_90=pytest.approx(linear_quantile(expected, 0.9)),
    )


def linear_quantile(values: list[int], share: float) -> float:
    """Return the quantile that interpolates linearly, from its definition."""
    ordered = sorted(values)
    at = share * (len(values) - 1)
    below = int(at)
    above = min(below + 1, len(values) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


@given(size_lists)
def test_sizes_come_back_in_their_order(sizes: list[int]) -> None:
    p = Partition.from_sizes(sizes)
    assert p.sizes.tolist() == sizes
    assert p.labels.tolist() == [c for c, size in enumerate(sizes) for _ in range(size)]
    assert (p.n, p.k, p.size_counts) == (sum(sizes), len(sizes), dict(Counter(sizes)))
    assert Partition.from_labels(p.labels) == p
    assert Partition.from_sizes(np.array(sizes, dtype=np.uint8)) == p
    assert Partition.from_sizes([float(size) for size in sizes]) == p


@given(size_tables)
def test_size_tables_come_back_sorted(counts: dict[int, int]) -> None:
    p = Partition.from_sizes(counts)
    assert p.size_counts == counts
    assert list(p.size_counts) == sorted(counts)
    assert p.sizes.tolist() == [size for size in sorted(counts) for _ in range(counts[size])]
    assert p == Partition.from_sizes(p.sizes) == Partition.from_labels(p.labels)
    assert p.statistics == Statistics.of(p.sizes)


@given(size_tables)
def test_a_repr_tells_the_partition_whatever_it_was_made_of(counts: dict[int, int]) -> None:
    p = Partition.from_sizes(counts)
    shown = repr(p)
    assert shown == repr(Partition.from_sizes(p.sizes)) == repr(Partition.from_labels(p.labels)) == repr(p)
    if p.n <= 20:
        assert eval(shown) == p
    else:
        assert f"Partition of {p.n} elements with size counts {p.size_counts}" in shown


def test_a_repr_of_many_sizes_fits_on_a_line() -> None:
    p = Partition.from_sizes(list(range(1, 1000)))
    assert repr(p) == "<Partition of 499500 elements into 999 clusters, the largest of 999>"


def test_a_size_table_needs_no_memory_for_elements() -> None:
    for p in (Partition.from_sizes({1: 2, 2**60: 2}), Partition.from_sizes([1, 2**61, 1])):
        assert p.n == 2**61 + 2
        assert p.largest_share in (0.5, 1.0)


def test_the_statistics_of_the_paper() -> None:
    simulated = Partition.from_sizes({1: 4100, 2: 300, 3: 100})
    assert simulated.statistics == Statistics(singletons=4100, largest=3, mean=5000 / 4500, quantile_90=1.0)
    assert simulated.largest_share == 3 / 5000
    assert [part.tolist() for part in simulated.size_table] == [[1, 2, 3], [4100, 300, 100]]


def test_what_a_partition_shows_cannot_be_changed() -> None:
    for p in (Partition.from_labels([0, 1, 1]), Partition.from_sizes([1, 2]), Partition.from_sizes({1: 1, 2: 1})):
        for array in (p.labels, p.sizes):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 5
        assert hash(p) == hash(Partition.from_labels([0, 1, 1]))


def test_what_a_partition_was_made_of_may_be_changed_afterwards() -> None:
    labels, sizes = np.array([0, 1, 1]), np.array([1, 2])
    by_labels, by_sizes = Partition.from_labels(labels), Partition.from_sizes(sizes)
    labels[:], sizes[:] = 0, 1
    assert by_labels == by_sizes == Partition.from_labels("abb"[i] for i in range(3))


def test_a_partition_equals_nothing_else() -> None:
    assert Partition.from_labels([0]) != [0]
    assert Partition.from_labels([0]) != Partition.from_labels([0, 0])


# --- bad input ---


class Unsure:
    """A missing value, as some data frames have it: it will not say whether it equals anything."""

    def __ne__(self, other: object) -> Any:
        return self

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("ambiguous")


class Refused:
    """The three parts of an error, each of which must name what went wrong."""

    def __init__(self, expected: str, got: str, hint: str) -> None:
        self.parts = expected, got, hint

    def check(self, error: InputError) -> None:
        for part, of in zip(self.parts, (error.expected, error.got, error.hint), strict=True):
            assert part in of, (part, of)
        assert str(error) == f"Expected {error.expected}, got {error.got}. {error.hint}"


FLAT, OWN = "Pass a flat list", "a label of its own"
BAD_LABELS: dict[str, tuple[Any, Refused]] = {
    "none": ([], Refused("at least one element", "none", "no empty partition")),
    "none-array": (np.array([], dtype=int), Refused("at least one element", "none", "no empty partition")),
    "ragged": ([[1, 2], [3]], Refused("hashable label", "list at position 0", FLAT)),
    "table": (np.eye(2, dtype=int), Refused("hashable label", "ndarray at position 0", FLAT)),
    "later-list": ([1, [2]], Refused("hashable label", "list at position 1", FLAT)),
    "nan": ([1.0, float("nan")], Refused("for every element", "nan at position 1", OWN)),
    "nan-array": (np.array([np.nan, 1.0]), Refused("for every element", "nan", OWN)),
    "nan-float32": ([np.float32("nan")], Refused("for every element", "nan", OWN)),
    "nan-complex": (np.array([1j, complex("nan")]), Refused("for every element", "position 1", OWN)),
    "nan-decimal": ([decimal.Decimal("NaN")], Refused("for every element", "NaN", OWN)),
    "no-time": (np.array(["2020-01-01", "NaT"], dtype="M8[D]"), Refused("for every element", "NaT", OWN)),
    "missing": (["a", None], Refused("for every element", "None at position 1", OWN)),
    "unsure": ([Unsure()], Refused("for every element", "Unsure", OWN)),
    "string": ("abc", Refused("a list of labels", "'abc'", FLAT)),
    "bytes": (b"abc", Refused("a list of labels", "b'abc'", FLAT)),
    "mapping": ({1: 2}, Refused("a list of labels", "{1: 2}", FLAT)),
    "number": (3, Refused("a list of labels", "3", FLAT)),
    "scalar-array": (np.array(3), Refused("a list of labels", "array(3)", FLAT)),
    "nothing": (None, Refused("a list of labels", "None", FLAT)),
}


@pytest.mark.parametrize(("labels", "refused"), BAD_LABELS.values(), ids=BAD_LABELS)
def test_bad_labels_are_refused(labels: Any, refused: Refused) -> None:
    with pytest.raises(InputError) as caught:
        Partition.from_labels(labels)
    refused.check(caught.value)


def bad_sizes() -> Iterator[tuple[Any, Refused]]:
    out = "leave empty clusters out"
    whole = "cluster sizes that are whole numbers from 1"
    for bad in (0, -1, 1.5, -0.5, float("nan"), float("inf"), -float("inf"), -(2**70)):
        yield [2, bad], Refused(whole, f"{float(bad)!r}" if isinstance(bad, float) else f"{bad}"[:5], out)
        yield {bad: 1}, Refused(whole, f"{bad!r}"[:5], out)
        yield {3: bad}, Refused("numbers of clusters that are whole numbers from 1", f"{bad!r}"[:5], out)
    for huge in (1e300, 2**62, 2**63, 2**64, 2**70):
        for sizes in ([1, huge], {huge: 1}):
            yield sizes, Refused("cluster sizes below 2^62", f"{huge:.3g}", "Check the sizes")
        yield {3: huge}, Refused("numbers of clusters below 2^62", f"{huge:.3g}", "Check the sizes")
    yield [True], Refused(whole, "True", out)
    yield ["1"], Refused(whole, "'1'", out)
    yield {"1": 2}, Refused(whole, "'1'", out)
    yield {1: "2"}, Refused("numbers of clusters", "'2'", out)
    yield [None], Refused(whole, "None", out)
    for empty in ([], {}):
        yield empty, Refused("at least one", "shape (0,)", out)
    yield [[1, 2], [3]], Refused("a flat list of cluster sizes", "ragged", out)
    yield [[1, 2]], Refused("a flat list of cluster sizes", "shape (1, 2)", out)
    for scalar in ("12", 3, None):
        yield scalar, Refused("a flat list of cluster sizes", "shape ()", out)
    for many in ({2**61: 2}, {2**40: 2**40}, [2**61, 2**61], {2**61: 1, 1: 2**61}):
        yield many, Refused("fewer than 2^62 elements", "about", "Check the sizes")


@pytest.mark.parametrize(("sizes", "refused"), list(bad_sizes()))
def test_bad_sizes_are_refused(sizes: Any, refused: Refused) -> None:
    with pytest.raises(InputError) as caught:
        Partition.from_sizes(sizes)
    refused.check(caught.value)
