"""What the sampled truths say of each entity: every record votes, in every draw, for the truth of its cluster."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.kernels.counting import Counter, add, with_room
from coterie.kernels.jit import inner, kernel

Int32 = NDArray[np.int32]
Integers = NDArray[np.int64]

# Stands for the truth of a record that is alone in a draw: nothing is sampled for it.
ALONE = -2


class Voters(NamedTuple):
    """The records. N records, F fields, E entities."""

    codes: Int32  # (N, F): what each record shows, −1 where missing
    entity: Int32  # (N,): the entity that it votes for
    shape: Integers  # (2,): E, and the largest number of values of a field
    vote: Int32  # (N, F): what each record votes for in the draw at hand
    since: Int32  # (N, F): the first draw with that vote
    alone: Int32  # (N,): in how many draws it was alone
    truth: Int32  # (N, F): by label, the truths of the draw at hand
    size: Int32  # (N,): by label


@kernel
def make_voters(codes: Int32, entity: Int32, shape: Integers) -> Voters:
    """Return records that have not voted yet."""
    n = entity.size
    return Voters(
        codes,
        entity,
        shape,
        np.full(codes.shape, ALONE, np.int32),
        np.zeros(codes.shape, np.int32),
        np.zeros(n, np.int32),
        np.empty(codes.shape, np.int32),
        np.empty(n, np.int32),
    )


@inner
def cast(r: int, f: int, draw: int, voters: Voters, counter: Counter) -> None:
    """Count the vote of a record for all draws up to this one; keys go by field, entity and value."""
    value = voters.vote[r, f]
    times = draw - voters.since[r, f]
    if value >= 0 and times > 0:
        key = (f * voters.shape[0] + voters.entity[r]) * voters.shape[1] + value
        add(key, 0, times, counter)


@inner
def fill_truth(
    labels: Int32, label: Int32, field: Int32, value: Int32, begin: int, end: int, voters: Voters
) -> None:
    """Fill in the truths of all clusters: what the first record shows, with the exceptions of this draw."""
    voters.size[:] = 0
    for r in range(labels.size):
        voters.size[labels[r]] += 1
    for c in range(labels.size):
        if voters.size[c] > 1:
            for f in range(voters.codes.shape[1]):
                voters.truth[c, f] = voters.codes[c, f]
    for e in range(begin, end):
        voters.truth[label[e], field[e]] = value[e]


@kernel
def vote(
    draw: int,
    labels: Int32,
    label: Int32,
    field: Int32,
    value: Int32,
    begin: int,
    end: int,
    voters: Voters,
    counter: Counter,
) -> Counter:
    """Let all records vote in a draw; a vote that stays the same is only counted when it changes."""
    fill_truth(labels, label, field, value, begin, end, voters)
    fields = voters.codes.shape[1]
    for r in range(labels.size):
        shared = voters.size[labels[r]] > 1
        if not shared:
            voters.alone[r] += 1
        for f in range(fields):
            now = voters.truth[labels[r], f] if shared else ALONE
            if now != voters.vote[r, f]:
                counter = with_room(counter, 1)
                cast(r, f, draw, voters, counter)
                voters.vote[r, f], voters.since[r, f] = now, draw
    return counter


@kernel
def close(draw: int, voters: Voters, counter: Counter) -> Counter:
    """Count the votes that still stand; ``draw`` is how many draws there were."""
    for r in range(voters.entity.size):
        counter = with_room(counter, voters.codes.shape[1])
        for f in range(voters.codes.shape[1]):
            cast(r, f, draw, voters, counter)
    return counter
