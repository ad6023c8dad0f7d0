"""What is taken where nothing is said."""

from typing import Any

from coterie.priors import NBD, Law, ShiftedNegBin, one_minus
from coterie.priors.distributions import Beta, Dirichlet

# A rate at which values are distorted: a fifth in the mean, but most likely small.
DISTORTION = Beta(1, 4)
# What is believed of the sizes of entities: as much as ten of them would tell, two thirds of them single records,
# and a long tail, so that no size is out of reach before the first entity of that size is seen.
SIZES, BELIEVED = ShiftedNegBin(r=0.1, p=0.98), 10.0


def default_prior(n: int) -> Law:
    """Return the NBD law of Zanella et al. (2016) with E|K| = sd|K| = n/2 and an inferred law of sizes.

    On labelled tables whose entities have two records at most it does better than NBNB, whose two parameters
    cannot have many pairs and no triples.

    Examples
    --------
    >>> default_prior(1000).q, default_prior(1000).mu
    (one_minus(0.002), Dirichlet(concentration=10.0, base=ShiftedNegBin(r=0.1, p=0.98)))
    """
    # K ~ NegBin(a, q) has mean aq/(1−q) and variance mean/(1−q).
    complement = 2.0 / max(n, 3)
    mu: Any = Dirichlet(BELIEVED, SIZES)
    return NBD(a=1.0 / (1.0 - complement), q=one_minus(complement), mu=mu)
