"""A chain in a file: its state and its generator, from which it goes on bit for bit."""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coterie.errors import InputError
from coterie.sampler.state import State

WORDS = 2**64


def save(path: str | os.PathLike[str], rng: np.random.Generator, state: State) -> None:
    """Write a checkpoint; the file appears whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from coterie import fields, sampler
    >>> [name] = fields.Text().compile("name", *fields.encode(["ann", "ann", "bob"]))
    >>> rng, target = np.random.default_rng(1), sampler.make_target([name])
    >>> state = sampler.start(rng, target)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sampler.save(f"{folder}/chain.npz", rng, state)
    ...     rng_again, state_again = sampler.load(f"{folder}/chain.npz")
    >>> rng_again.random() == rng.random()
    True
    """
    path = Path(path)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("wb") as file:
            np.savez(file, generator=_pack(rng), **state._asdict())
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def load(path: str | os.PathLike[str]) -> tuple[np.random.Generator, State]:
    """Read a checkpoint."""
    hint = "Pass a file that sampler.save has written."
    try:
        # numpy leaves a damaged file open that it has opened by itself.
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return _unpack(arrays.pop("generator")), State(**arrays)
    except FileNotFoundError:
        raise InputError("a checkpoint", f"no file {os.fspath(path)!r}", hint) from None
    except Exception as error:  # numpy and zipfile have many ways to say that a file is damaged
        raise InputError("a checkpoint", f"{os.fspath(path)!r}: {error}", hint) from error


def _pack(rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return the state of a PCG64 generator as six words."""
    state = rng.bit_generator.state
    if state["bit_generator"] != "PCG64":
        hint = "Make generators with numpy.random.default_rng."
        raise InputError("a PCG64 generator", state["bit_generator"], hint)
    inner = state["state"]
    words = [divmod(inner["state"], WORDS), divmod(inner["inc"], WORDS), (state["has_uint32"], state["uinteger"])]
    return np.array(words, np.uint64).ravel()


def _unpack(words: NDArray[np.uint64]) -> np.random.Generator:
    high, low, inc_high, inc_low, has, left = (int(word) for word in words)
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": high * WORDS + low, "inc": inc_high * WORDS + inc_low},
        "has_uint32": has,
        "uinteger": left,
    }
    return np.random.Generator(bits)
