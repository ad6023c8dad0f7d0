"""What is taken where nothing is said."""

from typing import Any

from coterie.priors import NBNB, Law, one_minus
from coterie.priors.distributions import Beta, Gamma

# A rate at which values are distorted: a fifth in the mean, but most likely small.
DISTORTION = Beta(1, 4)


def default_prior(n: int) -> Law:
    """Return the prior of Zanella et al. (2016): E|K| = sd|K| = n/2, r ~ Gamma(1, 1), p ~ Beta(2, 2).

    Examples
    --------
    >>> default_prior(1000)
    NBNB(a=1.002004008016032, q=one_minus(0.002), r=Gamma(shape=1.0, rate=1.0), p=Beta(a=2.0, b=2.0))
    """
    # K ~ NegBin(a, q) has mean aq/(1−q) and variance mean/(1−q).
    complement = 2.0 / max(n, 3)
    r: Any = Gamma(1, 1)
    p: Any = Beta(2, 2)
    return NBNB(a=1.0 / (1.0 - complement), q=one_minus(complement), r=r, p=p)
