"""The exact transition probabilities of the reseating algorithm, read off the functions that its sweep calls.

Where an element is seated is a piecewise constant function of a uniform u. Its borders are found by bisection
to the last bit, between probes that lie closer together than any piece that the weights could make.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from coterie.kernels.reseating import Seating, Weights, choose, element_of, insert, remove, seat_all

Floats = NDArray[np.float64]

# Not cached on disk, since a cache does not see edits of the functions called.
compiled = numba.njit(nogil=True)

EVEN = 256  # probes evenly spread, beside one within each piece that is expected


@compiled
def outcome(u: float, refused: bool, n: int, seating: Seating, weights: Weights) -> int:
    """Return what the sweep calls: `choose` first, and `element_of` once that has refused."""
    return element_of(u, n, seating, weights) if refused else choose(u, n, seating, weights)


@compiled
def add_lengths(
    probes: Floats, refused: bool, n: int, seating: Seating, weights: Weights, lengths: Floats
) -> None:
    """Add to lengths[c + 1] the length of the u that lead to cluster c, where −1 is a refusal."""
    start = 0.0
    here = outcome(probes[0], refused, n, seating, weights)
    for i in range(1, probes.size):
        there = outcome(probes[i], refused, n, seating, weights)
        if there != here:
            low, high = probes[i - 1], probes[i]
            while low < 0.5 * (low + high) < high:
                middle = 0.5 * (low + high)
                if outcome(middle, refused, n, seating, weights) == here:
                    low = middle
                else:
                    high = middle
            lengths[here + 1] += high - start
            start, here = high, there
    lengths[here + 1] += 1.0 - start


def probes(seating: Seating, weights: Weights) -> Floats:
    """Return points of [0, 1), at least one in every piece longer than 1/EVEN, and in every expected one."""
    others = seating.labels.size - 1
    sizes = np.sort(seating.sizes[seating.sizes > 0])
    k = sizes.size
    new, slope, offset = weights.new[k], weights.slope, weights.offset
    if np.isnan(slope):
        cuts = [shares(np.append(new, weights.join[sizes]))]
    elif offset >= 0.0:
        by_element = np.full(others, slope)
        cuts = [shares(np.concatenate([[new], np.full(k, offset), by_element]))]
    else:
        existing = slope * others + offset * k
        elements = shares(np.ones(others))
        # Each element's share is accepted up to where the discount of its cluster begins.
        accepted = [elements[:-1] + (1.0 + offset / (slope * s)) / others for s in np.unique(sizes)]
        cuts = [elements, *accepted]
        cuts += [(new + existing * cut) / (new + existing) for cut in cuts]
    edges = np.unique(np.concatenate([np.arange(EVEN + 1) / EVEN, *cuts]))
    middles = 0.5 * (edges[1:] + edges[:-1])
    return np.concatenate([[0.0], middles, [np.nextafter(1.0, 0.0)]])


def shares(pieces: Floats) -> Floats:
    """Return the borders of consecutive pieces on a scale from 0 to 1."""
    return np.clip(np.append(0.0, np.cumsum(pieces) / pieces.sum()), 0.0, 1.0)


def seat_probabilities(n: int, labels: NDArray[np.int64], weights: Weights) -> dict[tuple[int, ...], float]:
    """Return where element n of a partition may be seated: {labels as they are then: probability}."""
    seating = seat_all(labels)
    remove(n, seating)
    first, again = np.zeros(labels.size + 1), np.zeros(labels.size + 1)
    points = probes(seating, weights)
    add_lengths(points, False, n, seating, weights, first)
    if first[0] > 0.0:
        # Refused, and asked again and again, until a cluster is accepted.
        add_lengths(points, True, n, seating, weights, again)
        first[1:] += first[0] * again[1:] / again[1:].sum()
    seated = {}
    for c in np.flatnonzero(first[1:]):
        insert(n, int(c), seating)
        seated[tuple(seating.labels.tolist())] = float(first[c + 1])
        remove(n, seating)
    return seated
