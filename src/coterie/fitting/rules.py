"""How each law is fitted: what is known in closed form is used, and the rest is a search along a line.

NBNB, NBD and the compound Poisson law factorise (see ``priors/compound.py``): the number of clusters is one
draw from a negative binomial, the sizes are k draws from μ, and each part is fitted alone. From one draw a
spread cannot be learnt, so the best a is always infinite.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from coterie import priors
from coterie.errors import InputError
from coterie.fitting.chart import LARGEST_DISCOUNT, Chart
from coterie.fitting.esc import fit_esc_frequencies
from coterie.fitting.search import EDGE, TIE, Found, maximise, maximise_curve, maximise_line
from coterie.fitting.sizes import fit_sizes, fit_truncated_negbin, limit_of_sizes
from coterie.partition import Partition
from coterie.priors.finite_dirichlet import log_prob_of_components
from coterie.priors.law import Law
from coterie.priors.parameters import complement, one_minus
from coterie.priors.pitman_yor import log_prob_of_concentrations
from coterie.special import increasing_root, log_negbin

# Stands for infinity: the largest number for which the laws are right to ten digits.
HUGE = 1e12


class Best(NamedTuple):
    """The best law of a family, the edges it lies at, and the law beyond them."""

    law: Law
    boundary: tuple[str, ...] = ()
    limit: Law | None = None
    # The supremum where no law of the package is the limit.
    limit_log_prob: float | None = None


def best_law(family: type[Law], partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit a law by the rule that fits what is free, and by a search in all free parameters otherwise."""
    rule = RULES.get(family)
    found = rule(partition, dict(fixed)) if rule else None
    return found if found is not None else search(family, partition, fixed)


def search(family: type[Law], partition: Partition, fixed: dict[str, Any]) -> Best:
    """Search in all free parameters at once."""
    chart = Chart(family, fixed, partition.size_table)
    if not chart.coordinates:
        return Best(chart.law([]))
    found = maximise(chart.objective(partition), chart.box)
    law, boundary = chart.law(found.at), chart.edges(found.edges)
    return Best(law, boundary, law_beyond(law, boundary), found.value if boundary else None)


def law_beyond(law: Law, boundary: tuple[str, ...]) -> Law | None:
    """Return the law beyond the edges that ``law`` has come close to, where there is one."""
    if isinstance(law, priors.NBNB):
        own = priors.TruncatedNegBin(law.r, law.p)
        sizes = limit_of_sizes(own, tuple(name for name in boundary if name != "a → ∞"))
        if "a → ∞" in boundary:
            return _compound(law.a * law.q_seen / complement(law.q_seen), sizes or own)
        return None if sizes is None else priors.NBD(law.a, law.q_seen, sizes)
    if isinstance(law, priors.ESC):
        sizes = limit_of_sizes(law.mu, boundary)
        return None if sizes is None else priors.ESC(sizes)
    return None


def fit_nbnb(partition: Partition, fixed: dict[str, Any]) -> Best | None:
    """Fit a and q to the number of clusters, r and p to their sizes."""
    if "q" in fixed:
        return None
    sizes = fit_truncated_negbin(partition.size_table, fixed.get("r"), fixed.get("p"))
    r, p = sizes.law.parameters.values()
    a = fixed.get("a", HUGE)
    # Of |C_N| ~ NegBin(a, q') the best q' is k/(a + k), and q' = q (1 − zero) / (1 − q zero).
    k = partition.k
    seen, unseen = k / (a + k), a / (a + k)
    log_zero = r * (math.log(complement(p)) if p > 0.5 else math.log1p(-p))
    zero, not_zero = math.exp(log_zero), -math.expm1(log_zero)
    below = seen * zero + not_zero
    q = one_minus(not_zero * unseen / below) if seen > not_zero * unseen else seen / below
    law = priors.NBNB(a, q, r, p)
    if "a" in fixed:
        beyond = None if sizes.limit is None else priors.NBD(a, _probability(seen, unseen), sizes.limit)
        return Best(law, sizes.boundary, beyond)
    return Best(law, ("a → ∞", *sizes.boundary), _compound(k, sizes.limit or sizes.law))


def _probability(x: float, one_minus_x: float) -> float:
    return x if x < 0.5 else one_minus(one_minus_x)


def _compound(k: float, mu: priors.CountLaw) -> Law:
    """Return the law of Poisson(k) clusters with sizes from μ, as PERPS where it is that."""
    if isinstance(mu, priors.TruncatedPoisson):
        return priors.PERPS(k / -math.expm1(-mu.rate), mu.rate)
    return priors.CompoundPoisson(k, mu)


def fit_perps(partition: Partition, fixed: dict[str, Any]) -> Best | None:
    """Fit PERPS in closed form: λ/(1 − e^−λ) = N/k and α = k/(1 − e^−λ)."""
    if fixed:
        return None
    sizes = fit_sizes(priors.TruncatedPoisson, partition.size_table)
    rate = sizes.law.parameters["rate"]
    law = priors.PERPS(partition.k / -math.expm1(-rate), rate)
    if sizes.limit is not None:
        return Best(law, ("alpha → ∞", "lam → 0"), priors.CompoundPoisson(partition.k, sizes.limit))
    return Best(law)


def fit_nbd(partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit a and q to the number of clusters, μ to their sizes."""
    sizes = fit_sizes(fixed.get("mu", priors.Probabilities), partition.size_table)
    k, mu = partition.k, sizes.law
    if "q" not in fixed:
        a = fixed.get("a", HUGE)
        law = priors.NBD(a, _probability(k / (a + k), a / (a + k)), mu)
        if "a" not in fixed:
            return Best(law, ("a → ∞", *sizes.boundary), priors.CompoundPoisson(k, sizes.limit or mu))
    elif "a" in fixed:
        law = priors.NBD(fixed["a"], fixed["q"], mu)
    else:
        q = fixed["q"]
        found = maximise_line(lambda log_a: float(log_negbin(k, math.exp(log_a), q, complement(q))))
        law = priors.NBD(math.exp(found.at[0]), q, mu)
    beyond = None if sizes.limit is None else priors.NBD(law.a, law.q, sizes.limit)
    return Best(law, sizes.boundary, beyond)


def fit_compound_poisson(partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit α to the number of clusters, μ to their sizes."""
    sizes = fit_sizes(fixed.get("mu", priors.Probabilities), partition.size_table)
    alpha = fixed.get("alpha", partition.k)
    beyond = None if sizes.limit is None else priors.CompoundPoisson(alpha, sizes.limit)
    return Best(priors.CompoundPoisson(alpha, sizes.law), sizes.boundary, beyond)


def fit_esc(partition: Partition, fixed: dict[str, Any]) -> Best | None:
    """Fit μ to the sizes, given N."""
    return fit_esc_frequencies(partition) if "mu" not in fixed else None


def fit_dirichlet_process(partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit θ: the expected number of clusters, Σ_{i<N} θ/(θ + i), is the number observed."""
    if fixed:
        return Best(priors.DirichletProcess(**fixed))
    n, k = partition.n, partition.k
    if k == n:
        return Best(priors.DirichletProcess(HUGE), ("theta → ∞",), None, 0.0)
    if k == 1:
        return Best(priors.DirichletProcess(1 / HUGE), ("theta → 0",), None, 0.0)
    return Best(
        priors.DirichletProcess(math.exp(increasing_root(lambda y: expected_clusters(y, n) - k, -EDGE, EDGE)))
    )


def expected_clusters(log_theta: float, n: int) -> float:
    """Return θ (ψ(θ + n) − ψ(θ)), the expected number of clusters of a Dirichlet process."""
    from scipy.special import digamma

    theta = math.exp(log_theta)
    if theta < 1e6 * n:
        return theta * float(digamma(theta + n) - digamma(theta))
    # Σ θ/(θ + i), where all i are small against θ.
    return n - n * (n - 1) / 2 / theta + n * (n - 1) * (2 * n - 1) / 6 / theta**2


def fit_pitman_yor(partition: Partition, fixed: dict[str, Any]) -> Best | None:
    """Fit δ along a line, with the best θ for each."""
    if fixed:
        return None
    if partition.k in (1, partition.n):
        alone = partition.k == partition.n
        law = priors.PitmanYor(HUGE if alone else 1 / HUGE, 0.0)
        return Best(law, ("theta → ∞" if alone else "theta → −delta",), None, 0.0)

    def along(delta: float) -> Found:
        return maximise_curve(lambda y: log_prob_of_concentrations(partition.size_table, np.exp(y) - delta, delta))

    found = maximise_line(lambda delta: along(delta).value, 0.0, LARGEST_DISCOUNT)
    if found.edges[0] == -1:
        process = fit_dirichlet_process(partition, {}).law
        return Best(priors.PitmanYor(process.parameters["theta"], 0.0), ("delta = 0",), process)
    inner, delta = along(found.at[0]), found.at[0]
    boundary = ("delta → 1",) if found.edges[0] else ()
    law = priors.PitmanYor(math.exp(inner.at[0]) - delta, delta)
    return Best(law, boundary + (("theta → −delta",) if inner.edges[0] == -1 else ()))


def fit_finite_dirichlet(partition: Partition, fixed: dict[str, Any]) -> Best | None:
    """Fit γ along a line, with the best M for each, then choose between M's whole neighbours."""
    if "gamma" in fixed or partition.k == partition.n:
        return None
    table, k = partition.size_table, partition.k

    def best_m(log_gamma: float) -> Found:
        gamma = math.exp(log_gamma)
        return maximise_curve(lambda y: log_prob_of_components(table, np.exp(y), gamma), math.log(k), EDGE)

    def best_gamma(m: float) -> Found:
        return maximise_line(lambda y: float(log_prob_of_components(table, np.array(m), math.exp(y))))

    if "m" in fixed:
        m = int(fixed["m"])
    else:
        found = best_m(maximise_line(lambda y: best_m(y).value).at[0])
        process = fit_dirichlet_process(partition, {}).law
        if process.log_prob(partition) >= found.value - TIE:
            near = priors.FiniteDirichlet(int(HUGE), process.parameters["theta"] / HUGE)
            return Best(near, ("m → ∞", "gamma → 0"), process)
        below = math.floor(math.exp(found.at[0]))
        m = max((max(k, below), below + 1), key=lambda m: best_gamma(float(m)).value)
    inner = best_gamma(float(m))
    law = priors.FiniteDirichlet(m, math.exp(inner.at[0]))
    if inner.edges[0] == 1:
        labels = fit_linkage_structure(partition, {}).law if "m" not in fixed else priors.LinkageStructure(m)
        return Best(priors.FiniteDirichlet(labels.parameters["m"], HUGE), ("gamma → ∞",), labels)
    return Best(law, ("gamma → 0",) if inner.edges[0] else (), None, 0.0 if inner.edges[0] else None)


def fit_mixture_of_finite_mixtures(partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit γ, given the law of K."""
    if "components" not in fixed:
        got = f"only {', '.join(fixed)}" if fixed else "nothing"
        hint = "The partition cannot tell it; pass components=priors.Exactly(100_000), say."
        raise InputError("the law of K as 'components'", got, hint)
    components = fixed["components"]
    best = search(priors.MixtureOfFiniteMixtures, partition, fixed)
    if best.boundary == ("gamma → ∞",) and isinstance(components, priors.Exactly):
        return best._replace(limit=priors.LinkageStructure(components.m), limit_log_prob=None)
    return best


def fit_linkage_structure(partition: Partition, fixed: dict[str, Any]) -> Best:
    """Fit M: d log P/dM = 0 between whole numbers."""
    if fixed:
        return Best(priors.LinkageStructure(**fixed))
    n, k = partition.n, partition.k
    if k == n:
        return Best(priors.LinkageStructure(int(HUGE)), ("m → ∞",), None, 0.0)

    def gain(log_m: float) -> float:
        """Return log P(m)/P(m + 1), which rises through zero at the maximum: (m + 1 − k)/(m + 1) · (1 + 1/m)ᴺ."""
        m = math.exp(log_m)
        return n * math.log1p(1.0 / m) + math.log1p(-k / (m + 1.0))

    near = math.floor(math.exp(increasing_root(gain, math.log(k), EDGE)))
    candidates = range(max(k, near - 1), near + 3)
    m = max(candidates, key=lambda m: priors.LinkageStructure(m).log_prob(partition))
    return Best(priors.LinkageStructure(m))


RULES: dict[type[Law], Callable[[Partition, dict[str, Any]], Best | None]] = {
    priors.NBNB: fit_nbnb,
    priors.PERPS: fit_perps,
    priors.NBD: fit_nbd,
    priors.CompoundPoisson: fit_compound_poisson,
    priors.ESC: fit_esc,
    priors.DirichletProcess: fit_dirichlet_process,
    priors.PitmanYor: fit_pitman_yor,
    priors.FiniteDirichlet: fit_finite_dirichlet,
    priors.MixtureOfFiniteMixtures: fit_mixture_of_finite_mixtures,
    priors.LinkageStructure: fit_linkage_structure,
}
