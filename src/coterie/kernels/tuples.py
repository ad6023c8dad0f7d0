"""Similar tuples: which to compare, and how much of them agrees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel
from coterie.kernels.search import position
from coterie.kernels.similar import BASE, UNBASE, mixed


class Tuples(NamedTuple):
    """Distinct tuples of parts.

    `cells` has a row for each tuple and a column for each part: the index of the part's value among the values of
    all parts, −1 where it is missing. Row x of the sparse matrix holds the values of the same part that are
    similar to x, ascending, with their similarities. `uses` counts the tuples that have a value.
    """

    cells: NDArray[np.int32]
    weights: NDArray[np.float64]
    indptr: NDArray[np.int64]
    similar: NDArray[np.int32]
    similarity: NDArray[np.float64]
    uses: NDArray[np.int64]


@kernel
def alike(tuples: Tuples, x: int, y: int) -> float:
    """Return the similarity of two values of one part; 0 where they are not similar."""
    end = tuples.indptr[x + 1]
    at = position(y, tuples.similar, tuples.indptr[x], end)
    return tuples.similarity[at] if at < end and tuples.similar[at] == y else 0.0


@kernel
def share(tuples: Tuples, i: np.integer, j: np.integer, missing: float) -> float:
    """Return Σ_p w_p s_p / Σ_p w_p over the parts that either has, where s_p = `missing` if only one has it."""
    agreed, total = 0.0, 0.0
    for p in range(tuples.cells.shape[1]):
        x, y, w = tuples.cells[i, p], tuples.cells[j, p], tuples.weights[p]
        if x < 0 and y < 0:
            continue
        total += w
        if x == y:
            agreed += w
        elif x < 0 or y < 0:
            agreed += w * missing
        else:
            agreed += w * alike(tuples, x, y)
    return agreed / total if total > 0 else 0.0


@kernel
def shares(
    tuples: Tuples, first: NDArray[np.int64], second: NDArray[np.int64], missing: float
) -> NDArray[np.float64]:
    """Return the share of each pair."""
    out = np.empty(first.shape[0])
    for e in range(first.shape[0]):
        out[e] = share(tuples, first[e], second[e], missing)
    return out


@kernel
def part_key(x: int, y: int) -> np.uint64:
    """Return the key of two values of different parts; of one, with itself."""
    return mixed(mixed(np.uint64(x) + BASE) + mixed(np.uint64(y)) * UNBASE)


@kernel
def part_keys(
    tuples: Tuples, nearby: Tuples, rare: int, cutoff: float, bits: int, keys: NDArray[np.uint64]
) -> int:
    """Fill `keys` with what similar tuples have in common; return how many keys there are.

    These are: a value that no more than `rare` tuples have, and any two values. Where one or two parts are as much
    as the `cutoff` of all that the tuple has, also each value that is similar to the one, by itself or with that
    of the other; but only the nearest such values, those of `nearby`.
    """
    shift, filled, parts = np.uint64(bits), 0, tuples.cells.shape[1]
    for i in range(tuples.cells.shape[0]):
        enough = 0.0
        for p in range(parts):
            enough += cutoff * tuples.weights[p] if tuples.cells[i, p] >= 0 else 0.0
        for p in range(parts):
            x = tuples.cells[i, p]
            if x < 0:
                continue
            for q in range(parts):
                y = tuples.cells[i, q]
                if y < 0:
                    continue
                if (p == q and tuples.uses[x] <= rare) or p < q:
                    if filled < keys.shape[0]:
                        keys[filled] = part_key(x, y) >> shift << shift | np.uint64(i)
                    filled += 1
                both = tuples.weights[p] + (tuples.weights[q] if p != q else 0.0)
                if both < enough:
                    continue
                for e in range(nearby.indptr[x], nearby.indptr[x + 1]):
                    z = nearby.similar[e]
                    if p == q and tuples.uses[z] > rare:
                        continue
                    key = part_key(z, z) if p == q else part_key(min(z, y), max(z, y))
                    if filled < keys.shape[0]:
                        keys[filled] = key >> shift << shift | np.uint64(i)
                    filled += 1
    return filled


@kernel
def share_parts(
    keys: NDArray[np.uint64],
    bits: int,
    first: int,
    tuples: Tuples,
    missing: float,
    cutoff: float,
    pairs: NDArray[np.int64],
) -> tuple[int, int]:
    """Fill `pairs` with i·n + j for i < j that share a key and enough of their parts; as `meet`."""
    shift, n, filled = np.uint64(bits), tuples.cells.shape[0], 0
    index = (np.uint64(1) << shift) - np.uint64(1)
    for e in range(first, keys.shape[0]):
        if e > 0 and keys[e] == keys[e - 1]:
            continue
        before, i = filled, np.int64(keys[e] & index)
        for f in range(e + 1, keys.shape[0]):
            if keys[f] >> shift != keys[e] >> shift:
                break
            j = np.int64(keys[f] & index)
            if keys[f] == keys[f - 1] or share(tuples, i, j, missing) < cutoff:
                continue
            if filled == pairs.shape[0]:
                return e, before
            pairs[filled] = i * n + j
            filled += 1
    return keys.shape[0], filled
