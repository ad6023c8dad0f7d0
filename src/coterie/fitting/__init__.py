"""Maximum likelihood for the parameters of a law, from one partition."""

from dataclasses import dataclass
from typing import Any

from coterie.errors import InputError
from coterie.fitting.nelder_mead import fit_nelder_mead
from coterie.fitting.rules import RULES, best_law
from coterie.fitting.sizes import FAMILIES
from coterie.partition import Partition
from coterie.priors.counts import COUNT_LAW, CountLaw, Probabilities
from coterie.priors.law import Law
from coterie.priors.parameters import Domain

METHODS = ("profile", "nelder-mead")


@dataclass(frozen=True)
class Fit:
    """What a fit found.

    Attributes
    ----------
    law
        The best law inside the family. At a boundary, a law so close to it that nothing is left to gain.
    log_prob
        Its log probability of the partition, log P(C_N) where N is random.
    boundary
        The edges at which the supremum lies, such as ``("a → ∞", "r → 0")``; empty where there is a maximum.
    limit
        The law beyond the boundary, where it is one of this package.
    limit_log_prob
        The supremum: the limit's log probability, or ``log_prob`` where there is a maximum.
    method
        How ``law`` was found. The boundary and the limit always come from the method "profile".
    """

    law: Law
    log_prob: float
    boundary: tuple[str, ...]
    limit: Law | None
    limit_log_prob: float
    method: str


def fit(law: type[Law], partition: Partition, *, method: str = "profile", **fixed: Any) -> Fit:
    """Find the parameters under which a partition is most probable.

    Maximised is ``law.log_prob``: log P(C_N) of the laws with random N, the EPPF of the others.

    Parameters
    ----------
    law
        A law of ``coterie.priors``, as a class.
    partition
        The partition, of two elements at least.
    method
        "profile" takes what is known in closed form, searches the rest along lines, and compares with the laws
        at the edges. "nelder-mead" is the paper's method, which stops somewhere on a ridge; its result comes
        with the boundary and the limit that "profile" finds.
    **fixed
        Parameters that are not fitted, by name. `MixtureOfFiniteMixtures` needs its law of K here, as
        ``components``. A law of sizes ``mu`` may be given as a law, which is kept, or as a family to fit, such as
        ``priors.ShiftedNegBin``; without it, any vector of probabilities is allowed.

    Examples
    --------
    >>> from coterie import Partition, fit, priors
    >>> shiw = Partition.from_sizes({1: 385, 2: 202})
    >>> found = fit(priors.PERPS, shiw)
    >>> round(found.law.lam, 4), round(found.log_prob, 2), found.boundary
    (0.6238, -1611.25, ())
    >>> found = fit(priors.NBNB, shiw)
    >>> found.boundary, type(found.limit).__name__, round(found.limit_log_prob, 2)
    (('a → ∞', 'r → ∞'), 'PERPS', -1611.25)
    """
    fixed = _check(law, partition, method, fixed)
    best = best_law(law, partition, fixed)
    if best.limit is not None:
        supremum = best.limit.log_prob(partition)
    else:
        supremum = best.law.log_prob(partition) if best.limit_log_prob is None else best.limit_log_prob
    found = best.law if method == "profile" else fit_nelder_mead(law, partition, fixed)
    return Fit(found, found.log_prob(partition), best.boundary, best.limit, supremum, method)


def _check(law: type[Law], partition: Partition, method: str, fixed: dict[str, Any]) -> dict[str, Any]:
    """Check what `fit` was given, and the fixed parameters by their domains."""
    if not (isinstance(law, type) and issubclass(law, Law)):
        names = ", ".join(rule.__name__ for rule in RULES)
        raise InputError("a class of laws", repr(law)[:60], f"Pass one of priors.{{{names}}}, without parameters.")
    if not isinstance(partition, Partition):
        hint = "Make one with Partition.from_labels(...) or Partition.from_sizes(...)."
        raise InputError("a Partition", type(partition).__name__, hint)
    if partition.n < 2:
        raise InputError("a partition of two elements at least", "one element", "One element fits every law.")
    if method not in METHODS:
        raise InputError(f"a method out of {METHODS}", repr(method), "Leave it out for the trustworthy one.")
    for name in fixed:
        if name not in law.domains:
            hint = f"{law.__name__} has {', '.join(law.domains)}."
            raise InputError("the name of a parameter to fix", repr(name), hint)
    return {name: _check_fixed(name, value, law.domains[name]) for name, value in fixed.items()}


def _check_fixed(name: str, value: Any, domain: Domain) -> Any:
    """Check a fixed parameter by its domain; a law of counts may also be a family to fit."""
    if domain is not COUNT_LAW or not isinstance(value, type):
        return domain.check(name, value)
    families: list[type[CountLaw]] = [Probabilities, *FAMILIES] if name == "mu" else FAMILIES
    if value not in families:
        hint = f"Choose one of {', '.join(family.__name__ for family in families)}, or a single law."
        raise InputError(f"a family of laws of counts for {name!r}", value.__name__, hint)
    return value
