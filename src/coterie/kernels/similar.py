"""Similar values: which pairs to compare at all, and which to keep.

Values that may be similar share a key: a string without some of its letters, a word, two words. Keys are hashed,
and packed with the index of their value into one number, hash above index, so that sorting brings together who
shares one. `meet` reads the pairs off.
"""

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.jit import kernel

# An odd number without pattern, as multiplier of the hash, and what undoes it modulo 2^64.
BASE = np.uint64(0x9E3779B97F4A7C15)
UNBASE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))


@kernel
def mixed(x: np.uint64) -> np.uint64:
    """Return x with every bit spread over all others (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def ones(x: np.uint64) -> np.int64:
    """Return how many bits of x are set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def bags(letters: NDArray[np.uint32], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return which letters each string has, once and at least twice, as 64 bits.

    A letter too many or too few changes at most one bit, a wrong one two, a transposition none.
    """
    bag = np.zeros(starts.shape[0] - 1, np.uint64)
    for i in range(bag.shape[0]):
        for k in range(starts[i], starts[i + 1]):
            once = np.uint64(1) << np.uint64(2 * (letters[k] & 31))
            bag[i] |= (bag[i] & once) << np.uint64(1) | once
    return bag


@kernel
def deletions(
    letters: NDArray[np.uint32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    chosen: NDArray[np.int64],
    left: int,
    slices: tuple[int, int],
    bits: int,
    keys: NDArray[np.uint64],
) -> int:
    """Fill `keys` with every way to leave `left` letters of each chosen string; return how many there are.

    With P_k = Σ_{i<k} g(letter_i) Bⁱ what is left after deleting a₁ < a₂ < … hashes to
    P_{a₁} + (P_{a₂} − P_{a₁+1})/B + … modulo 2⁶⁴. Only hashes of one slice, (which, of how many), are kept.
    Counts on where `keys` is full, without writing.
    """
    shift, filled = np.uint64(bits), 0
    sums, deleted = np.empty(0, np.uint64), np.empty(0, np.int64)
    for string in chosen:
        start = starts[string]
        length = ends[string] - start
        if sums.shape[0] < length + 1:
            sums, deleted = np.empty(2 * length + 1, np.uint64), np.empty(2 * length + 1, np.int64)
        power = np.uint64(1)
        sums[0] = 0
        for k in range(length):
            sums[k + 1] = sums[k] + mixed(np.uint64(letters[start + k]) + BASE) * power
            power *= BASE
        count = length - left
        for t in range(count):
            deleted[t] = t
        while True:
            # Of a run of equal letters the first are deleted: the others leave the same.
            fresh, scale, at, key = True, np.uint64(1), 0, np.uint64(0)
            for t in range(count):
                a = deleted[t]
                if a > at and letters[start + a] == letters[start + a - 1]:
                    fresh = False
                    break
                key += (sums[a] - sums[at]) * scale
                scale *= UNBASE
                at = a + 1
            if fresh:
                key = mixed(key + (sums[length] - sums[at]) * scale)
                if (key >> np.uint64(48)) % np.uint64(slices[1]) == np.uint64(slices[0]):
                    if filled < keys.shape[0]:
                        keys[filled] = key >> shift << shift | np.uint64(string)
                    filled += 1
            t = count - 1
            while t >= 0 and deleted[t] == length - count + t:
                t -= 1
            if t < 0:
                break
            deleted[t] += 1
            for later in range(t + 1, count):
                deleted[later] = deleted[later - 1] + 1
    return filled


@kernel
def meet(
    keys: NDArray[np.uint64],
    bits: int,
    first: int,
    lengths: NDArray[np.int64],
    bag: NDArray[np.uint64],
    reach: NDArray[np.int64],
    left: int,
    pairs: NDArray[np.int64],
) -> tuple[int, int]:
    """Fill `pairs` with i·n + j for i < j that share a key, from the key at `first` on.

    `keys` are sorted. A pair is taken if its bags of letters allow `reach` errors, by the length of the longer; of
    keys that are strings of `left` letters only if the longer leaves so many with that many errors. Returns where
    to go on, which is the number of keys at the end, and how many pairs there are.
    """
    shift, n, filled = np.uint64(bits), lengths.shape[0], 0
    index = (np.uint64(1) << shift) - np.uint64(1)
    for e in range(first, keys.shape[0]):
        if e > 0 and keys[e] == keys[e - 1]:
            continue
        before, i = filled, np.int64(keys[e] & index)
        for f in range(e + 1, keys.shape[0]):
            if keys[f] >> shift != keys[e] >> shift:
                break
            if keys[f] == keys[f - 1]:
                continue
            j = np.int64(keys[f] & index)
            longer, shorter = max(lengths[i], lengths[j]), min(lengths[i], lengths[j])
            errors = reach[longer]
            if left >= 0 and longer - errors != left:
                continue
            if longer - shorter > errors or ones(bag[i] ^ bag[j]) > 2 * errors - (longer - shorter):
                continue
            if filled == pairs.shape[0]:
                return e, before
            pairs[filled] = i * n + j
            filled += 1
    return keys.shape[0], filled


@kernel
def word_keys(
    words: NDArray[np.int64],
    starts: NDArray[np.int64],
    information: NDArray[np.float64],
    needed: NDArray[np.float64],
    enough: float,
    bits: int,
    keys: NDArray[np.uint64],
) -> int:
    """Fill `keys` with the words, or pairs of words, of which two values must share one; return how many.

    The words of a value stand from the rarest on. Values that share words with information `needed` in all share a
    word from which on there is as much left; if that word is not `enough` alone, they share a later one as well.
    """
    shift, filled = np.uint64(bits), 0
    for value in range(starts.shape[0] - 1):
        rest = 0.0
        for k in range(starts[value], starts[value + 1]):
            rest += information[words[k]]
        for k in range(starts[value], starts[value + 1]):
            if rest < needed[value]:
                break
            word = np.uint64(words[k])
            rest -= information[word]
            if information[word] >= enough:
                if filled < keys.shape[0]:
                    keys[filled] = mixed(mixed(word + BASE)) >> shift << shift | np.uint64(value)
                filled += 1
                continue
            later = rest
            for l in range(k + 1, starts[value + 1]):
                if information[word] + later < needed[value]:
                    break
                other = np.uint64(words[l])
                later -= information[other]
                if filled < keys.shape[0]:
                    key = mixed(mixed(word + BASE) + mixed(other) * UNBASE)
                    keys[filled] = key >> shift << shift | np.uint64(value)
                filled += 1
    return filled


@kernel
def share_words(
    keys: NDArray[np.uint64],
    bits: int,
    first: int,
    words: NDArray[np.int64],
    starts: NDArray[np.int64],
    information: NDArray[np.float64],
    needed: NDArray[np.float64],
    pairs: NDArray[np.int64],
) -> tuple[int, int]:
    """Fill `pairs` with i·n + j for i < j that share a key and words with the information needed; as `meet`."""
    shift, n, filled = np.uint64(bits), starts.shape[0] - 1, 0
    index = (np.uint64(1) << shift) - np.uint64(1)
    for e in range(first, keys.shape[0]):
        if e > 0 and keys[e] == keys[e - 1]:
            continue
        before, i = filled, np.int64(keys[e] & index)
        for f in range(e + 1, keys.shape[0]):
            if keys[f] >> shift != keys[e] >> shift:
                break
            if keys[f] == keys[f - 1]:
                continue
            j = np.int64(keys[f] & index)
            shared, a, b = 0.0, starts[i], starts[j]
            while a < starts[i + 1] and b < starts[j + 1]:
                if words[a] == words[b]:
                    shared += information[words[a]]
                a, b = a + (words[a] <= words[b]), b + (words[b] <= words[a])
            if shared < max(needed[i], needed[j]):
                continue
            if filled == pairs.shape[0]:
                return e, before
            pairs[filled] = i * n + j
            filled += 1
    return keys.shape[0], filled


@kernel
def keep_nearest(
    first: NDArray[np.int32], second: NDArray[np.int32], room: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Keep each pair in turn while both its values have room; updates `room` in place."""
    kept = np.zeros(first.shape[0], np.bool_)
    for e in range(first.shape[0]):
        i, j = first[e], second[e]
        if room[i] > 0 and room[j] > 0:
            kept[e] = True
            room[i] -= 1
            room[j] -= 1
    return kept
