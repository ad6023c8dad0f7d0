"""Most probable maximal matching sets (Steorts, Hall and Fienberg 2016, section 5)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import InputError
from coterie.kernels.estimate_sets import shared_sets

Int32 = NDArray[np.int32]


class ClusterCounts(NamedTuple):
    """The distinct clusters that were drawn, and in how many draws each was.

    Clusters of one record may be left out: a record is alone in the draws in which it is in no other cluster.

    Examples
    --------
    Records 0 and 1 together in 7 draws of 10, and with 2 in 2 more:

    >>> ClusterCounts(begin=[0, 2, 5], member=[0, 1, 0, 1, 2], times=[7, 2], draws=10).draws
    10
    """

    begin: ArrayLike  # (S + 1,): the members of cluster s are member[begin[s]], …, member[begin[s + 1] − 1]
    member: ArrayLike
    times: ArrayLike  # (S,): in how many draws each was
    draws: int


def most_probable_matching_sets(clusters: ClusterCounts, n: int) -> Int32:
    """Return the partition into shared most probable maximal matching sets.

    The most probable maximal matching set of a record is the cluster in which it was drawn most often, as a whole.
    It is shared if it is that of all of its members; only these become clusters, all others stay alone. Of sets
    that were drawn equally often the smaller is taken, then the one with the smaller records.

    Parameters
    ----------
    clusters
        The distinct clusters and how often each was drawn.
    n
        The number of records.

    Returns
    -------
    labels
        For each record the smallest record of its cluster.

    Examples
    --------
    >>> drawn = ClusterCounts(begin=[0, 2, 5], member=[0, 1, 0, 1, 2], times=[7, 2], draws=10)
    >>> most_probable_matching_sets(drawn, 3)
    array([0, 0, 2], dtype=int32)
    """
    begin, member = np.asarray(clusters.begin, np.int64), np.asarray(clusters.member, np.int32)
    count = np.asarray(clusters.times, np.int64)
    if begin.size != count.size + 1 or begin[0] != 0 or begin[-1] != member.size or np.any(np.diff(begin) < 1):
        got = f"{count.size} counts, {begin.size} begins, {member.size} members"
        raise InputError("clusters that follow one another in 'member'", got, "Pass one begin more than counts.")
    if member.size and (member.min() < 0 or member.max() >= n):
        got = f"{member.min()} to {member.max()}"
        raise InputError(f"members among 0, …, {n - 1}", got, "Number the records from 0 on.")
    # Members in ascending order, so that sets can be compared; stable in the sets.
    member = member[np.lexsort((member, np.repeat(np.arange(count.size), np.diff(begin))))]
    return shared_sets(begin, member, count, int(clusters.draws), n)
