"""Slow, obvious versions of what the package computes fast."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import mpmath as mp

from coterie import Partition, priors

mp.mp.dps = 60


def set_partitions(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the labels of every partition of n elements, numbered by first appearance."""

    def extend(labels: tuple[int, ...], k: int) -> Iterator[tuple[int, ...]]:
        if len(labels) == n:
            yield labels
            return
        for label in range(k + 1):
            yield from extend((*labels, label), max(k, label + 1))

    yield from extend((), 0)


def partitions(n: int) -> list[Partition]:
    """Return every partition of n elements: 1, 2, 5, 15, 52, 203, 877 of them."""
    return [Partition.from_labels(labels) for labels in set_partitions(n)]


def integer_partitions(n: int, largest: int | None = None) -> Iterator[dict[int, int]]:
    """Yield the size counts of every partition of n elements."""
    largest = n if largest is None else largest
    if n == 0:
        yield {}
        return
    for size in range(min(n, largest), 0, -1):
        for rest in integer_partitions(n - size, size):
            counts = Counter(rest)
            counts[size] += 1
            yield dict(counts)


def number_with_sizes(counts: dict[int, int]) -> int:
    """Return how many partitions have these size counts, N! / ∏ s!ᵐ m!."""
    n = sum(size * m for size, m in counts.items())
    number = mp.factorial(n)
    for size, m in counts.items():
        number /= mp.factorial(size) ** m * mp.factorial(m)
    return int(number)


def one_minus(x: float) -> mp.mpf:
    """Return 1 − x with the digits that `priors.one_minus` remembers."""
    return mp.mpf(getattr(x, "complement", None) or 1 - mp.mpf(x))


def rising(x: mp.mpf, n: int) -> mp.mpf:
    """Return log x⁽ⁿ⁾."""
    return mp.loggamma(mp.mpf(x) + n) - mp.loggamma(mp.mpf(x)) if n else mp.mpf(0)


def log_falling(m: int, k: int) -> mp.mpf:
    """Return log m!/(m−k)!."""
    return mp.loggamma(mp.mpf(m) + 1) - mp.loggamma(mp.mpf(m) - k + 1)


def log_pmf(law: priors.CountLaw, s: int) -> mp.mpf:
    """Return the log probability of a count."""
    match law:
        case priors.Exactly(m):
            return mp.mpf(0) if s == m else mp.ninf
        case priors.Uniform(m):
            return -mp.log(m) if s <= m else mp.ninf
        case priors.ShiftedNegBin(r, p):
            return log_negbin(s - 1, mp.mpf(r), 1 - one_minus(p), one_minus(p))
        case priors.ShiftedPoisson(rate):
            return log_poisson(s - 1, rate)
        case priors.TruncatedNegBin(r, p):
            none = mp.exp(mp.mpf(r) * mp.log(one_minus(p)))
            return log_negbin(s, mp.mpf(r), 1 - one_minus(p), one_minus(p)) - mp.log(1 - none)
        case priors.TruncatedPoisson(rate):
            return log_poisson(s, rate) - mp.log(-mp.expm1(-mp.mpf(rate)))
        case priors.LogSeries(p):
            return s * mp.log(1 - one_minus(p)) - mp.log(s) - mp.log(-mp.log(one_minus(p)))
        case priors.Probabilities(values=values):
            return mp.log(mp.mpf(float(values[s - 1]))) if s <= values.size and values[s - 1] else mp.ninf
    raise NotImplementedError(law)


def log_negbin(x: int, size: mp.mpf, p: mp.mpf, one_minus_p: mp.mpf) -> mp.mpf:
    """Return the log probability of x under NegBin(size, p)."""
    return rising(size, x) - mp.loggamma(x + 1) + size * mp.log(one_minus_p) + x * mp.log(p)


def log_poisson(x: int, mean: float) -> mp.mpf:
    """Return the log probability of x under Poisson(mean)."""
    return x * mp.log(mean) - mp.mpf(mean) - mp.loggamma(x + 1)


def log_prob(law: priors.Law, counts: dict[int, int]) -> mp.mpf:
    """Return log P(C_N), straight from the formula in the law's docstring."""
    return _log_prob(law, tuple(sorted(counts.items())))


@cache
def _log_prob(law: priors.Law, items: tuple[tuple[int, int], ...]) -> mp.mpf:
    counts = dict(items)
    n = sum(size * m for size, m in counts.items())
    k = sum(counts.values())

    def product(log_f: object) -> mp.mpf:
        return mp.fsum(m * log_f(size) for size, m in counts.items())

    match law:
        case priors.NBNB(a, q, r, p):
            a, r, log_q, log_not_p = mp.mpf(a), mp.mpf(r), mp.log(1 - one_minus(q)), mp.log(one_minus(p))
            log_l = log_q + r * log_not_p
            start = n * mp.log(1 - one_minus(p)) - mp.loggamma(n + 1) + a * mp.log(one_minus(q))
            number = rising(a, k) + k * log_l - (a + k) * mp.log(-mp.expm1(log_l))
            return start + number + product(lambda s: rising(r, s))
        case priors.PERPS(alpha, lam):
            alpha, lam = mp.mpf(alpha), mp.mpf(lam)
            rest = k * mp.log(alpha) - alpha - lam * k + alpha * mp.exp(-lam)
            return n * mp.log(lam) - mp.loggamma(n + 1) + rest
        case priors.NBD(a, q, mu):
            start = rising(a, k) + k * mp.log(1 - one_minus(q)) + mp.mpf(a) * mp.log(one_minus(q))
            return start - mp.loggamma(n + 1) + product(lambda s: mp.loggamma(s + 1) + log_pmf(mu, s))
        case priors.CompoundPoisson(alpha, mu):
            start = k * mp.log(alpha) - mp.mpf(alpha) - mp.loggamma(n + 1)
            return start + product(lambda s: mp.loggamma(s + 1) + log_pmf(mu, s))
        case priors.ESC(mu):
            weights = [mp.mpf(1)]
            for total in range(1, n + 1):
                weights.append(mp.fsum(mp.exp(log_pmf(mu, s)) * weights[total - s] for s in range(1, total + 1)))
            start = mp.loggamma(k + 1) - mp.loggamma(n + 1) - mp.log(weights[n])
            return start + product(lambda s: mp.loggamma(s + 1) + log_pmf(mu, s))
        case priors.DirichletProcess(theta):
            return k * mp.log(theta) - rising(theta, n) + product(mp.loggamma)
        case priors.PitmanYor(theta, delta):
            theta, delta = mp.mpf(theta), mp.mpf(delta)
            if delta:
                founders = (k - 1) * mp.log(delta) + rising(theta / delta + 1, k - 1)
            else:
                founders = (k - 1) * mp.log(theta)
            return founders - rising(theta + 1, n - 1) + product(lambda s: rising(1 - delta, s - 1))
        case priors.FiniteDirichlet(m, gamma):
            return log_components(n, k, m, gamma) + product(lambda s: rising(gamma, s))
        case priors.MixtureOfFiniteMixtures(gamma, components):
            return log_v(components, gamma, n, k) + product(lambda s: rising(gamma, s))
        case priors.LinkageStructure(m):
            return log_falling(m, k) - n * mp.log(m) if m >= k else mp.ninf
    raise NotImplementedError(law)


def log_components(n: int, k: int, m: int, gamma: float) -> mp.mpf:
    """Return log M!/(M−k)! / (Mγ)⁽ᴺ⁾."""
    return log_falling(m, k) - rising(mp.mpf(m) * mp.mpf(gamma), n) if m >= k else mp.ninf


@cache
def log_v(components: priors.CountLaw, gamma: float, n: int, k: int) -> mp.mpf:
    """Return log V_N(k) = log Σ_K p_K(K) K!/(K−k)! / (Kγ)⁽ᴺ⁾, the sum ended 40 digits below its largest term."""
    if isinstance(components, priors.Exactly):
        return log_components(n, k, components.m, gamma)
    total, term, before = mp.mpf(0), mp.mpf(1), mp.mpf(0)
    m = max(k, 1)
    # A vector may have gaps and all of it is added; the other laws have one mode.
    whole = isinstance(components, priors.Probabilities | priors.Uniform)
    while m <= components.last and (whole or term >= before or term > mp.mpf(10) ** -40 * total):
        before = term if m > max(k, 1) else mp.mpf(0)
        term = mp.exp(log_pmf(components, m) + log_components(n, k, m, gamma))
        total += term
        m += 1
    return mp.log(total) if total else mp.ninf


def log_prob_n(law: priors.Law, n: int) -> mp.mpf:
    """Return log P(N = n) as the sum over all partitions of n elements."""
    sums = [number_with_sizes(counts) * mp.exp(log_prob(law, counts)) for counts in integer_partitions(n)]
    return mp.log(mp.fsum(sums))


def log_prob_n_by_number(law: priors.Law, n: int) -> mp.mpf:
    """Return the same as the sum over k of P(|C| = k) · P(k independent sizes add up to n)."""
    match law:
        case priors.NBNB(a, q, r, p):
            none = mp.exp(mp.mpf(r) * mp.log(one_minus(p)))
            both_not = 1 - (1 - one_minus(q)) * none
            not_q_seen = one_minus(q) / both_not
            numbers = [mp.exp(log_negbin(k, mp.mpf(a), 1 - not_q_seen, not_q_seen)) for k in range(1, n + 1)]
            mu = priors.TruncatedNegBin(r, p)
        case priors.PERPS(alpha, lam):
            seen = mp.mpf(alpha) * -mp.expm1(-mp.mpf(lam))
            numbers = [mp.exp(log_poisson(k, seen)) for k in range(1, n + 1)]
            mu = priors.TruncatedPoisson(lam)
        case priors.NBD(a, q, mu):
            numbers = [mp.exp(log_negbin(k, mp.mpf(a), 1 - one_minus(q), one_minus(q))) for k in range(1, n + 1)]
        case priors.CompoundPoisson(alpha, mu):
            numbers = [mp.exp(log_poisson(k, alpha)) for k in range(1, n + 1)]
        case _:
            raise NotImplementedError(law)
    sums = mp.fsum(number * row[n] for number, row in zip(numbers, convolutions(mu, n), strict=True))
    return mp.log(sums) if sums else mp.ninf


def log_prob_none(law: priors.Law) -> mp.mpf:
    """Return log P(N = 0)."""
    match law:
        case priors.NBNB(a, q, r, p):
            log_l = mp.log(1 - one_minus(q)) + mp.mpf(r) * mp.log(one_minus(p))
            return mp.mpf(a) * (mp.log(one_minus(q)) - mp.log(-mp.expm1(log_l)))
        case priors.PERPS(alpha, lam):
            return mp.mpf(alpha) * mp.expm1(-mp.mpf(lam))
        case priors.NBD(a, q):
            return mp.mpf(a) * mp.log(one_minus(q))
        case priors.CompoundPoisson(alpha):
            return -mp.mpf(alpha)
    raise NotImplementedError(law)


@cache
def convolutions(mu: priors.CountLaw, n: int) -> list[list[mp.mpf]]:
    """Return, for k = 1, …, n, the probabilities that k independent sizes add up to 0, …, n."""
    single = [mp.mpf(0)] + [mp.exp(log_pmf(mu, s)) for s in range(1, n + 1)]
    rows = [single]
    for _ in range(1, n):
        last = rows[-1]
        rows.append([mp.fsum(single[s] * last[t - s] for s in range(1, t)) for t in range(n + 1)])
    return rows


def log_prob_given_n(law: priors.Law, counts: dict[int, int]) -> mp.mpf:
    """Return log P(C_N | N)."""
    if isinstance(law, RANDOM_N):
        n = sum(size * m for size, m in counts.items())
        return log_prob(law, counts) - log_prob_n_by_number(law, n)
    return log_prob(law, counts)


# The laws under which N is random.
RANDOM_N = (priors.NBNB, priors.PERPS, priors.NBD, priors.CompoundPoisson)

# A log probability below this is a probability that a double cannot tell from one.
LAST_BIT = 2.0**-50


def agree(got: float, exact: mp.mpf, slack: float = 0.0, digits: int = 10) -> bool:
    """Tell whether a logarithm is right to so many digits.

    The digits are those of the logarithm itself, also where it is close to zero, −2e-12 say. Only where the
    probability is one to the last bit is it enough that the logarithm is as small. ``slack`` is an absolute
    error that the numbers passed in have already.
    """
    if exact == mp.ninf or got == float("-inf"):
        return exact == got
    if abs(exact) < LAST_BIT:
        return abs(got) < LAST_BIT + slack
    return abs(mp.mpf(float(got)) - exact) <= mp.mpf(10) ** -digits * abs(exact) + slack


def rounding(law: priors.Law, counts: dict[int, int]) -> float:
    """Return how far log P(C_N) moves when the discount of Pitman–Yor is rounded a few times.

    A float next to one has few digits of 1 − δ, which is what counts there; q and p have `one_minus` for it.
    """
    if not isinstance(law, priors.PitmanYor):
        return 0.0
    moved = priors.PitmanYor(law.theta, law.delta * (1.0 - 1e-15))
    return float(abs(log_prob(law, counts) - log_prob(moved, counts)))
