"""A chain that was stored goes on bit for bit."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie import InputError, priors, sampler
from coterie.priors.distributions import Beta, Dirichlet, Gamma
from coterie.sampler import State
from sampler import records

NBNB = priors.NBNB(a=1, q=0.8, r=Gamma(1, 1), p=Beta(2, 2))
ESC = priors.ESC(Dirichlet(1.0, priors.ShiftedNegBin(1, 0.5)))
LAWS = {"nbnb": NBNB, "esc": ESC}


def same(one: State, other: State) -> bool:
    return all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("law", LAWS)
def test_a_chain_goes_on_bit_for_bit_from_any_step(tmp_path: Path, law: str) -> None:
    target = sampler.make_target(records.compiled(8, Beta(1, 4)), LAWS[law], source=list("ababbaab"))
    rng = np.random.default_rng(3)
    state = sampler.start(rng, target)
    whole = []
    for at in range(8):
        sampler.save(tmp_path / f"{at}.npz", rng, state)
        state, info = sampler.step(rng, state, target)
        whole.append((state, info))
    for at in range(8):
        rng, state = sampler.load(tmp_path / f"{at}.npz")
        work = sampler.make_work(target)
        for expected, told in whole[at:]:
            state, info = sampler.step(rng, state, target, work)
            assert same(state, expected)
            assert str(info) == str(told)


@given(st.integers(0, 2**64), st.integers(0, 5), st.integers(0, 5))
def test_any_generator_and_state_come_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int, half: int, size: int
) -> None:
    path = tmp_path_factory.mktemp("checkpoint") / "chain.npz"
    rng = np.random.default_rng(seed)
    # An odd number of 32-bit draws leaves half a word over.
    rng.integers(0, 2**32, half, dtype=np.uint32)
    state = State(
        rng.integers(0, 9, size).astype(np.int32),
        rng.random((2, size)),
        np.array([-np.inf, np.nan, 1e-300][:size]),
        rng.random(size),
        rng.random(size).astype(np.float32),
    )
    sampler.save(path, rng, state)
    again, state_again = sampler.load(path)
    assert same(state, state_again)
    assert again.bit_generator.state == rng.bit_generator.state
    expected = rng.integers(0, 2**32, 5, dtype=np.uint32)
    assert np.array_equal(again.integers(0, 2**32, 5, dtype=np.uint32), expected)


def stored(path: Path) -> tuple[np.random.Generator, State]:
    rng, target = np.random.default_rng(1), sampler.make_target(records.compiled(4), NBNB)
    state = sampler.start(rng, target)
    sampler.save(path, rng, state)
    return rng, state


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "chain.npz"
    stored(path)
    whole = path.read_bytes()
    for damaged in (b"", b"nothing", whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="a checkpoint") as caught:
            sampler.load(path)
        assert "chain.npz" in caught.value.got
    path.unlink()
    with pytest.raises(InputError, match="no file"):
        sampler.load(path)
    np.savez(path, something=np.zeros(3))
    with pytest.raises(InputError, match="a checkpoint"):
        sampler.load(path)


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chain.npz"
    rng, state = stored(path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            patch.setattr(Path, "replace", full)
            rng.random()
            with pytest.raises(OSError, match="no space"):
                sampler.save(path, rng, state)
        assert path.read_bytes() == before
        assert [file.name for file in tmp_path.iterdir()] == ["chain.npz"]


def test_other_generators_are_refused(tmp_path: Path) -> None:
    _, state = stored(tmp_path / "chain.npz")
    with pytest.raises(InputError, match="a PCG64 generator, got MT19937"):
        sampler.save(tmp_path / "other.npz", np.random.Generator(np.random.MT19937(1)), state)
