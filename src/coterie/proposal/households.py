"""Columns that different people share together: those of one household share an address, and often a last name.

Fields that are evidence one by one would count such a coincidence several times, and take a family for one person.
As one field, whose value is the tuple of them, it counts once, and as common as it is.
"""

from collections.abc import Sequence

import numpy as np

from coterie.proposal.likely import Likely
from coterie.proposal.profile import Profile

# Who differs altogether in so many telling columns is somebody else.
DIFFERENT = 2
# A column of this many bits tells; one of the second number that is shared, too, is more than a coincidence.
TELLING, SHARED_TOO = 3.0, 5.0
# Different people with the same core, and something else in common, share the column this often at least, and so
# many times as often as chance would have it.
SHARE, TIMES = 0.03, 8.0
# So many pairs of them must be seen, and so many for each record; and so many that share the column. Fewer may be
# one person, whose first and last name have changed places.
PAIRS, PAIRS_A_RECORD = 20, 0.005
SHARED, SHARED_A_RECORD = 8, 0.025


def shared_with(columns: Sequence[Profile], core: Sequence[int], pairs: Likely) -> list[int]:
    """Return the columns that different people share when they share a core."""
    telling = [at for at, column in enumerate(columns) if column.bits >= TELLING and at not in core]
    same = np.all(pairs.known[:, core] & ~pairs.differs[:, core], axis=1)
    other = np.column_stack([pairs.changed(columns[at], at, same) for at in telling]) if telling else None
    found = []
    for place, at in enumerate(telling):
        assert other is not None
        rest = np.arange(len(telling)) != place
        agrees = pairs.known[same][:, telling] & ~pairs.differs[same][:, telling]
        heavy = rest & (np.array([columns[each].bits for each in telling]) >= SHARED_TOO)
        strangers = other[:, rest].sum(axis=1) >= DIFFERENT
        strangers &= agrees[:, heavy].any(axis=1) & pairs.known[same][:, at]
        if strangers.sum() < max(PAIRS, PAIRS_A_RECORD * pairs.n):
            continue
        shared, share = agrees[strangers, place].sum(), float(agrees[strangers, place].mean())
        if shared < max(SHARED, SHARED_A_RECORD * pairs.n):
            continue
        if share >= SHARE and share >= TIMES * 2.0 ** -columns[at].bits:
            found.append(at)
    return found
