"""Columns that tell of the record, and nothing of the entity: a source, a clerk, the month of an entry."""

from collections.abc import Sequence

from coterie.proposal.likely import Likely, likely
from coterie.proposal.profile import Profile

# Only columns that tell less than this are looked at. Of others a few errors in the wrong place would make one
# believe it, and it would be a pity.
FEW_BITS = 4.0
# So many matches must be sure without the column, by so many bits.
MATCHES, VERY_SURE = 50, 16.0
# They differ in it at least this often, where strangers differ once.
AS_STRANGERS = 0.8


def about_records(columns: Sequence[Profile]) -> list[Profile]:
    """Return the columns in which sure matches differ as strangers do."""
    asked = [(at, column) for at, column in enumerate(columns) if column.bits < FEW_BITS]
    if not asked:
        return []
    pairs = likely(columns)
    return [column for at, column in asked if _as_strangers(column, at, pairs)]


def _as_strangers(column: Profile, at: int, pairs: Likely) -> bool:
    which = pairs.sure([at], VERY_SURE) & pairs.known[:, at]
    strangers = 1.0 - 2.0**-column.bits
    return bool(which.sum() >= MATCHES and pairs.differs[which, at].mean() >= AS_STRANGERS * strangers)
