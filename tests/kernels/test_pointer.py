"""Named tuples that are passed as pointers, and kernels made of parts."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof
from numba.core.errors import TypingError
from numba.core.runtime import _nrt_python, rtsys

from coterie.kernels.jit import allocating, inlined, inner, kernel
from coterie.kernels.pointer import by_pointer, lend


@by_pointer
class Inside(NamedTuple):
    """What lies inside another."""

    switch: bool
    values: np.ndarray
    small: np.int8
    cube: np.ndarray


@by_pointer
class Outside(NamedTuple):
    """Has members of all kinds, before and after the one inside."""

    codes: np.ndarray
    inside: Inside
    share: float
    number: int


def example(seed: int = 1) -> Outside:
    rng = np.random.default_rng(seed)
    inside = Inside(bool(seed % 2), rng.random(5), np.int8(-seed), rng.random((2, 3, 4)))
    return Outside(rng.integers(0, 9, (3, 2)).astype(np.int32), inside, rng.random(), -(2**40) + seed)


@inlined
def of_inside(inside: Inside) -> tuple[bool, float, int, float]:
    return inside.switch, inside.values[-1], inside.small, inside.cube[1, 2, 3]


@inner
def of_outside(outside: Outside) -> tuple[int, float, int]:
    return outside.codes[2, 1], outside.share, outside.number


@kernel
def read(before: int, outside: Outside, inside: Inside, after: float) -> tuple:
    return before, of_outside(outside), of_inside(outside.inside), of_inside(inside), after, inside.values.size


@pytest.mark.parametrize("seed", range(4))
def test_members_are_those_of_the_tuple(seed: int) -> None:
    outside, inside = example(seed), example(seed + 1).inside
    found = read(7, outside, inside, 0.5)
    one = outside.codes[2, 1], outside.share, outside.number
    two = (outside.inside.switch, outside.inside.values[-1], -seed, outside.inside.cube[1, 2, 3])
    three = (inside.switch, inside.values[-1], -seed - 1, inside.cube[1, 2, 3])
    assert found == (7, one, two, three, 0.5, 5)


@inner
def write_inside(inside: Inside, value: float) -> None:
    inside.values[3] = value


@kernel
def write(outside: Outside, value: float) -> None:
    write_inside(outside.inside, value)
    outside.codes[0, 0] = -1


def test_arrays_are_written_in_place() -> None:
    outside, before = example(), example()
    write(outside, 9.0)
    assert outside.inside.values.tolist() == [*before.inside.values[:3], 9.0, before.inside.values[4]]
    assert outside.codes.ravel().tolist() == [-1, *before.codes.ravel()[1:]]
    assert np.array_equal(outside.inside.cube, before.inside.cube)


@allocating
def make(n: int) -> Inside:
    return Inside(True, np.arange(n) * 0.5, np.int8(n), np.ones((n, 2, n)))


@inner
def sum_of(made: Inside) -> float:
    inside, total = lend(made), 0.0
    for value in inside.values:
        total += value
    return total + of_inside(inside)[2] + inside.cube[1, 1, 1]


@kernel
def make_and_sum(n: int, times: int) -> float:
    total = 0.0
    for _ in range(times):
        total += sum_of(make(n))
    return total


def test_what_a_kernel_makes_is_lent_and_then_freed() -> None:
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert make_and_sum(5, 1000) == 1000 * (0.5 * 10 + 5 + 1)
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free >= 2000


def test_lending_changes_nothing_for_python() -> None:
    inside = example().inside
    assert lend(inside) is inside


def test_arrays_are_let_go_of() -> None:
    outside = example()
    arrays = outside.codes, outside.inside.values, outside.inside.cube
    read(7, outside, outside.inside, 0.5)
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(100):
        read(7, outside, outside.inside, 0.5)
    assert [sys.getrefcount(array) for array in arrays] == before


def test_other_members_make_another_type() -> None:
    inside = example().inside
    assert typeof(inside) == typeof(example(2).inside)
    for other in (
        inside._replace(values=inside.values.astype(np.float32)),
        inside._replace(values=inside.values[::2]),
        inside._replace(cube=inside.cube[0]),
        inside._replace(small=1),
    ):
        assert typeof(other) != typeof(inside)
        assert typeof(example()._replace(inside=other)) != typeof(example())


def test_an_unknown_member_is_an_error() -> None:
    @kernel
    def misspelt(inside: Inside) -> float:
        return inside.valeus[0]  # type: ignore[attr-defined]

    with pytest.raises(TypingError, match="valeus"):
        misspelt(example().inside)


MODULE = """
import numpy as np
from typing import NamedTuple
from coterie.kernels.jit import inner, kernel
from coterie.kernels.pointer import by_pointer

@by_pointer
class Shares(NamedTuple):
    of: np.ndarray

@inner
def share(whole, at, shares):
    return whole // shares.of[at]

@kernel
def all_shares(whole, shares):
    total = 0
    for at in range(shares.of.size):
        total += share(whole, at, shares)
    return total

if __name__ == "__main__":
    import sys
    sys.path.insert(0, sys.argv[1])
    from shares import Shares, all_shares
    print(all_shares(12, Shares(np.array([1, 2, 3]))), sum(all_shares.stats.cache_hits.values()))
    try:
        all_shares(12, Shares(np.array([1, 0, 3])))
    except ZeroDivisionError:
        print("division by zero")
"""


def test_a_later_process_finds_the_kernel_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shares.py").write_text(MODULE)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    for hits in (0, 1):
        command = [sys.executable, str(tmp_path / "shares.py"), str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == [f"{12 + 6 + 4} {hits}", "division by zero"]
    [kept] = (tmp_path / "cache").rglob("*.nbi")
    assert "all_shares" in kept.name
