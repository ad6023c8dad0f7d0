"""What every law promises, for common and for extreme parameters: one contract for all."""

import dataclasses
import math
import pickle
from functools import cache

import mpmath as mp
import numpy as np
import pytest

import oracles
from coterie import InputError, Partition, priors, reseat
from coterie.kernels import reseating
from coterie.partition import canonical
from coterie.reseating import weights
from frequencies import assert_drawn_from
from laws import COMMON, EXTREME, LAWS, WITH_GAPS
from oracles import agree
from transitions import seat_probabilities

EVERY = LAWS | WITH_GAPS
RANDOM_N = {name: law for name, law in EVERY.items() if isinstance(law, oracles.RANDOM_N)}

every_law = pytest.mark.parametrize("law", EVERY.values(), ids=EVERY.keys())
law_with_steps = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
common_law = pytest.mark.parametrize("law", COMMON.values(), ids=COMMON.keys())
random_n_law = pytest.mark.parametrize("law", RANDOM_N.values(), ids=RANDOM_N.keys())


@cache
def tables(n: int) -> list[tuple[dict[int, int], Partition, int]]:
    """Return size counts, a partition that has them, and how many partitions do."""
    counts = list(oracles.integer_partitions(n))
    return [(c, Partition.from_sizes(c), oracles.number_with_sizes(c)) for c in counts]


@cache
def possible(law: priors.Law, n: int) -> bool:
    """Tell whether the law can draw a partition of n elements."""
    return any(oracles.log_prob(law, counts) > mp.ninf for counts in oracles.integer_partitions(n))


@cache
def over_partitions(law: priors.Law, n: int) -> dict[tuple[int, ...], float]:
    """Return {labels: P(C_N | N)} by enumeration, from the oracle."""
    logs = {labels: counts_of(labels) for labels in oracles.set_partitions(n)}
    weight = {labels: mp.exp(oracles.log_prob(law, counts)) for labels, counts in logs.items()}
    total = mp.fsum(weight.values())
    return {labels: float(w / total) for labels, w in weight.items()}


def counts_of(labels: tuple[int, ...]) -> dict[int, int]:
    return Partition.from_labels(labels).size_counts


def draws_of(law: priors.Law) -> int:
    """Return how many draws to test; most extreme laws put nearly all probability on one partition."""
    return 3000 if law in EXTREME.values() else 15_000


# --- probabilities ---


@every_law
@pytest.mark.parametrize("n", range(1, 8))
def test_probabilities_given_n_sum_to_one(law: priors.Law, n: int) -> None:
    if not possible(law, n):
        with pytest.raises(InputError, match=f"add up to n = {n}"):
            law.log_prob(Partition.from_sizes([n]), given_n=True)
        return
    total = math.fsum(number * math.exp(law.log_prob(p, given_n=True)) for _, p, number in tables(n))
    assert total == pytest.approx(1.0, rel=1e-10)


@every_law
@pytest.mark.parametrize("n", range(1, 8))
def test_log_prob_has_ten_digits(law: priors.Law, n: int) -> None:
    for counts, partition, _ in tables(n):
        if isinstance(law, priors.ESC) and not possible(law, n):
            continue
        got, exact = law.log_prob(partition), oracles.log_prob(law, counts)
        assert agree(got, exact, oracles.rounding(law, counts)), (counts, got, float(exact))


@every_law
@pytest.mark.parametrize("n", [1, 2, 5, 7, 24])
def test_log_prob_given_n_has_ten_digits(law: priors.Law, n: int) -> None:
    if not possible(law, min(n, 7)):
        return
    constant = oracles.log_prob_n_by_number(law, n) if isinstance(law, oracles.RANDOM_N) else mp.mpf(0)
    chosen = tables(n) if n < 24 else [(c, Partition.from_sizes(c), 0) for c in ({1: 24}, {24: 1}, {1: 10, 2: 7})]
    for counts, partition, _ in chosen:
        got = law.log_prob(partition, given_n=True)
        exact = oracles.log_prob(law, counts) - constant
        # Ten digits of the probability where it is large, of its logarithm where it is small.
        assert agree(got, exact, slack=1e-10), (counts, got, float(exact))
        assert got <= 1e-10, f"a probability above one: {counts}"


@random_n_law
@pytest.mark.parametrize("n", [2, 4, 6])
def test_log_prob_sums_to_the_probability_of_n(law: priors.Law, n: int) -> None:
    exact = oracles.log_prob_n(law, n)
    if exact > mp.ninf:
        assert agree(float(exact), oracles.log_prob_n_by_number(law, n), digits=14)
        logs = [law.log_prob(p) + math.log(number) for _, p, number in tables(n)]
        assert agree(np.logaddexp.reduce(logs), exact)


@pytest.mark.parametrize("name", sorted(RANDOM_N.keys() & (COMMON | WITH_GAPS).keys()))
def test_probability_sums_to_one_over_every_n(name: str) -> None:
    law = RANDOM_N[name]
    total = math.exp(oracles.log_prob_none(law))
    for n in range(1, 700):  # where less than 1e-10 is left of all these laws
        try:
            # P(N = n) = P(C_n) / P(C_n | n) for any one partition that is possible.
            one = law.sample(n, seed=1)
        except InputError:
            continue
        total += math.exp(law.log_prob(one) - law.log_prob(one, given_n=True))
    assert total == pytest.approx(1.0, abs=1e-9)


@every_law
def test_laws_that_take_n_as_given_say_so(law: priors.Law) -> None:
    random_n = hasattr(law, "simulate")
    assert random_n == isinstance(law, oracles.RANDOM_N)
    one = law.sample(6, seed=1)
    same = law.log_prob(one) == law.log_prob(one, given_n=True)
    assert same != random_n


# --- steps ---


@law_with_steps
@pytest.mark.parametrize("n", range(1, 8))
def test_steps_lead_from_any_partition_to_any_other(law: priors.Law, n: int) -> None:
    steps = law.steps(n)
    assert steps.log_count.shape == steps.log_size.shape == (n,)
    assert not np.isnan(steps).any()
    constant, largest = None, 0.0
    for counts, _, _ in tables(n):
        exact = oracles.log_prob(law, counts)
        terms = [steps.log_count[: sum(counts.values())]]
        terms += [np.tile(steps.log_size[:size], number) for size, number in counts.items()]
        along = np.concatenate(terms)
        by_steps = -np.inf if np.any(along == -np.inf) else math.fsum(along)
        if exact == mp.ninf:
            assert by_steps == -np.inf, counts
            continue
        assert by_steps > -np.inf, counts
        # log P and the sum of the steps differ by the same constant for all partitions.
        difference = mp.mpf(by_steps) - exact
        constant = difference if constant is None else constant
        largest = max(largest, float(np.abs(along).max()))
        assert abs(difference - constant) < 1e-10 * (1.0 + largest), counts


@every_law
def test_seating_one_element_elsewhere_costs_the_steps(law: priors.Law) -> None:
    n = 6
    if law in WITH_GAPS.values():
        with pytest.raises(InputError, match="without gaps"):
            law.steps(n)
        return
    steps = law.steps(n)
    for labels in oracles.set_partitions(n):
        here = law.log_prob(Partition.from_labels(labels))
        alone = Partition.from_labels((*labels[:-1], n))
        there = law.log_prob(alone)
        others = np.bincount(labels[:-1])
        k, s = others.size, int(np.sum(np.equal(labels[:-1], labels[-1])))
        if s > 0 and here > -np.inf and there > -np.inf:
            moved = steps.log_count[k] + steps.log_size[0] - steps.log_size[s]
            assert there - here == pytest.approx(moved, rel=1e-9, abs=1e-14 * abs(here) + 1e-9)


# --- draws ---


@every_law
def test_sample_gives_canonical_labels_and_repeats_with_its_seed(law: priors.Law) -> None:
    p = law.sample(30, seed=5)
    assert p.n == 30
    assert p.labels.dtype == np.int64
    assert np.array_equal(p.labels, canonical(p.labels))
    assert p == law.sample(30, seed=5)
    assert law.log_prob(p) > -np.inf
    first, second = law.sample_sizes(30, draws=2, seed=5), law.sample_sizes(30, draws=2, seed=5)
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert all(sizes.sum() == 30 and sizes.min() >= 1 for sizes in first)


@common_law
def test_seeds_matter(law: priors.Law) -> None:
    assert len({law.sample(30, seed=seed) for seed in range(8)}) > 1


@every_law
@pytest.mark.parametrize("n", [5, 6])
def test_sizes_are_drawn_from_the_law(law: priors.Law, n: int) -> None:
    if not possible(law, n):
        with pytest.raises(InputError, match=f"n = {n}"):
            law.sample_sizes(n, draws=1, seed=1)
        return
    exact: dict[tuple[int, ...], float] = {}
    for labels, probability in over_partitions(law, n).items():
        sizes = tuple(sorted(np.bincount(labels).tolist()))
        exact[sizes] = exact.get(sizes, 0.0) + probability
    draws = law.sample_sizes(n, draws=draws_of(law), seed=n)
    assert_drawn_from((tuple(sorted(sizes.tolist())) for sizes in draws), exact)


@every_law
@pytest.mark.parametrize("n", [5, 6])
def test_partitions_are_drawn_from_the_law(law: priors.Law, n: int) -> None:
    if possible(law, n):
        source, rng = law._draws(n), np.random.default_rng(n)
        draws = (tuple(canonical(source.labels(rng)).tolist()) for _ in range(draws_of(law)))
        assert_drawn_from(draws, over_partitions(law, n))


@every_law
def test_sample_is_one_of_these_draws(law: priors.Law) -> None:
    labels = law._draws(20).labels(np.random.default_rng(3))
    assert np.array_equal(canonical(labels), law.sample(20, seed=3).labels)


@random_n_law
def test_simulate_draws_n_too(law: priors.CompoundPoisson) -> None:
    if law in EXTREME.values():
        return
    draws = [law.simulate(seed=np.random.SeedSequence([7, i])) for i in range(4000)]
    none = math.exp(oracles.log_prob_none(law))
    exact: dict[tuple[int, ...] | str, float] = {
        labels: float(mp.exp(oracles.log_prob(law, counts_of(labels)))) / (1.0 - none)
        for n in range(1, 5)
        for labels in oracles.set_partitions(n)
    }
    exact["more"] = 1.0 - math.fsum(exact.values())
    assert_drawn_from((tuple(p.labels.tolist()) if p.n < 5 else "more" for p in draws), exact)
    assert draws[0] == law.simulate(seed=np.random.SeedSequence([7, 0]))


# --- reseating ---


@law_with_steps
@pytest.mark.parametrize("n", [2, 5, 6])
def test_reseating_an_element_keeps_the_law(law: priors.Law, n: int) -> None:
    pi, law_weights = over_partitions(law, n), weights(law, n)
    for element in range(n):
        after = dict.fromkeys(pi, 0.0)
        for labels, probability in pi.items():
            if probability == 0.0:
                continue
            row = seat_probabilities(element, np.array(labels), law_weights)
            arrivals = {tuple(canonical(np.array(seated)).tolist()): share for seated, share in row.items()}
            # The row is the full conditional: the law itself over the partitions that differ in this element.
            everywhere = math.fsum(pi[arrival] for arrival in arrivals)
            for arrival, share in arrivals.items():
                if everywhere > 0.0:
                    assert share == pytest.approx(pi[arrival] / everywhere, abs=1e-10), (labels, element, arrival)
                after[arrival] += probability * share
            assert math.fsum(arrivals.values()) == pytest.approx(1.0, abs=1e-12)
        assert max(abs(after[labels] - pi[labels]) for labels in pi) < 1e-10


@common_law
@pytest.mark.parametrize("n", [5, 6])
def test_reseating_draws_from_the_law(law: priors.Law, n: int) -> None:
    law_weights, rng = weights(law, n), np.random.default_rng(n)
    start = law.sample(n, seed=1).labels

    def end() -> tuple[int, ...]:
        seating = reseating.seat_all(start)
        # After 30 sweeps nothing is left of the start.
        reseating.sweep(rng, seating, law_weights, 30)
        return tuple(canonical(seating.labels).tolist())

    assert_drawn_from((end() for _ in range(4000)), over_partitions(law, n))


@law_with_steps
def test_reseat_is_this_sweep(law: priors.Law) -> None:
    start = law.sample(12, seed=1)
    seating = reseating.seat_all(start.labels)
    reseating.sweep(np.random.default_rng(4), seating, weights(law, 12), 3)
    assert reseat(law, start, sweeps=3, seed=4) == Partition.from_labels(seating.labels)


@law_with_steps
def test_reseating_repeats_with_its_seed_and_stays_possible(law: priors.Law) -> None:
    start = law.sample(40, seed=2)
    end = reseat(law, start, sweeps=5, seed=3)
    assert end == reseat(law, start, sweeps=5, seed=3)
    assert end.n == 40
    assert law.log_prob(end) > -np.inf
    assert reseat(law, start, sweeps=0) == start


@pytest.mark.parametrize("law", WITH_GAPS.values(), ids=WITH_GAPS.keys())
def test_a_law_with_gaps_is_not_reseated(law: priors.Law) -> None:
    with pytest.raises(InputError, match="exact draws work with gaps"):
        reseat(law, law.sample(6, seed=1), sweeps=1)


# --- the object ---


@every_law
def test_a_law_is_a_value(law: priors.Law) -> None:
    names = {name: getattr(priors, name) for name in priors.__all__}
    again = eval(repr(law), names)
    assert again == law
    assert hash(again) == hash(law)
    assert repr(again) == repr(law)
    assert pickle.loads(pickle.dumps(law)) == law
    assert type(law)(**law.parameters) == law
    field = dataclasses.fields(law)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(law, field, 1.0)
    assert law != "a law"


def test_every_law_of_the_package_is_tested_here() -> None:
    public = {
        value for value in vars(priors).values() if isinstance(value, type) and issubclass(value, priors.Law)
    }
    assert {type(law) for law in COMMON.values()} == {type(law) for law in LAWS.values()} == public - {priors.Law}
