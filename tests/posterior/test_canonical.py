"""Canonical values against counting all votes, and against the exact law of the truth."""

from collections import defaultdict

import numpy as np
import pytest

from coterie import InputError, fields, sampler, tables
from coterie.posterior import Chain, Posterior, Recorder, chain_of
from coterie.posterior.alone import best, guesses
from coterie.posterior.canonical import arrow, canonical
from coterie.priors import NBNB
from coterie.priors.distributions import Beta
from posterior.fabricate import with_truths
from sampler import records

N = 8
PSI = 0.2


def recorded(draws: int, *, chains: int = 2, distortion: float | Beta = PSI, **how: object) -> tuple:
    target = sampler.make_target(records.compiled(N, distortion), NBNB(a=1, q=0.9, r=2, p=0.3), **how)
    found = []
    for seed in range(chains):
        rng = np.random.default_rng(seed)
        state, recorder = sampler.start(rng, target), Recorder(target)
        for at in range(draws):
            state, _ = sampler.step(rng, state, target)
            recorder.add(state, sampler.draw_truths(rng, state, target) if at % 3 == 0 else None)
        found.append(recorder.chain())
    return target, found


def truth_of(field: fields.Compiled, shown: list[int], psi: float) -> np.ndarray:
    """Return P(y | what the records of a cluster show), term by term."""
    logs = records.log_joint(field, shown, [psi] * len(shown))
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def votes(entity: np.ndarray, telling: list[fields.Compiled], chains: list[Chain], psi: np.ndarray) -> dict:
    """Count all votes: {(entity, field): {value: weight}}, and what is left over under None."""
    found: dict = defaultdict(lambda: defaultdict(float))
    for chain in chains:
        for k, draw in enumerate(chain.truths.draw):
            labels = chain.labels(int(draw))
            window = slice(chain.truths.begin[k], chain.truths.begin[k + 1])
            told = zip(*(column[window].tolist() for column in chain.truths[2:]), strict=True)
            exceptions = {(label, f): value for label, f, value in told}
            for r, c in enumerate(labels.tolist()):
                alone = np.sum(labels == c) == 1
                for f, field in enumerate(telling):
                    if not alone:
                        value = exceptions.get((c, f), int(field.codes[c]))
                        if value >= 0:
                            found[entity[r], f][value] += 1.0
                    elif field.codes[r] >= 0:
                        law = truth_of(field, [int(field.codes[r])], psi[f, 0])
                        for y, p in enumerate(law):
                            found[entity[r], f][y] += p
    return found


@pytest.mark.parametrize("labels", [[0, 0, 1, 2, 2, 2, 3, 4], list(range(N)), [0] * N])
def test_votes_are_counted(labels: list[int]) -> None:
    target, chains = recorded(30, distortion=Beta(2, 8))
    psi = np.concatenate([chain.psi for chain in chains]).mean(axis=0)
    entity = np.array(labels)
    found = canonical(entity, target.fields, chains, np.zeros(N, np.int32))
    expected = votes(entity, list(target.fields), chains, psi)
    for e in range(max(labels) + 1):
        for f in range(len(target.fields)):
            weights = expected[e, f]
            if not weights:
                assert found.value[e, f] == -1
                assert np.isnan(found.p[e, f])
                continue
            top = max(weights.values())
            assert weights[int(found.value[e, f])] == pytest.approx(top, abs=0.1)
            # A little of the votes of those who are alone counts for none, and others may have that value.
            slack = 1e-9 if len(set(labels)) == N else 0.01
            assert found.p[e, f] == pytest.approx(top / sum(weights.values()), abs=slack)


def test_the_truth_of_a_pair_that_is_always_together() -> None:
    # Anna and hanna, the same state or not: the votes are draws from P(y | both).
    target, chains = recorded(3000, chains=1, together=[(0, 2)], apart=[(0, r) for r in (1, 3, 4, 5, 6, 7)])
    entity = np.array([0, 1, 0, 2, 3, 4, 5, 6])
    found = canonical(entity, target.fields, chains, np.zeros(N, np.int32))
    for f, field in enumerate(target.fields):
        shown = [int(x) for x in field.codes[[0, 2]] if x >= 0]
        if shown:
            law = truth_of(field, shown, PSI)
            # 1,000 draws that are independent given the partition: five standard errors.
            assert found.p[0, f] == pytest.approx(law[found.value[0, f]], abs=5 * 0.5 / np.sqrt(1000))
            assert law[found.value[0, f]] > law.max() - 5 * 0.5 / np.sqrt(1000)


@pytest.mark.parametrize("psi", [0.01, 0.3, 0.9])
def test_the_truth_of_a_record_that_is_alone(psi: float) -> None:
    for field in records.compiled(N, psi):
        found = guesses(field, psi)
        for x in range(field.size):
            law = truth_of(field, [x], psi)
            row = slice(found.begin[x], found.begin[x + 1])
            assert found.p[row] == pytest.approx(law[found.truth[row]], rel=1e-9)
            assert x in found.truth[row]
        value, p = best(found)
        assert p == pytest.approx([found.p[found.begin[x] : found.begin[x + 1]].max() for x in range(field.size)])
        assert value.size == field.size


def test_a_slip_is_put_right_where_the_truth_is_common() -> None:
    [name] = fields.Text().compile("name", *fields.encode(["schmidt"] * 50 + ["schmit"] + list("abcdefgh")))
    chain = chain_of([[*range(59)]] * 4, psi=np.full((4, 1, 1), 0.1))
    found = canonical(np.arange(59), [name], [with_truths(chain, [(0, {}), (2, {})])], np.zeros(59, np.int32))
    assert name.values[found.value[50, 0]] == "schmidt"
    assert found.p[50, 0] > 0.5


def test_draws_without_truths_are_refused() -> None:
    [name] = fields.Text().compile("name", *fields.encode(["a", "b"]))
    with pytest.raises(InputError, match="draws with sampled truths"):
        canonical(np.arange(2), [name], [chain_of([[0, 1]], psi=np.full((1, 1, 1), 0.1))], np.zeros(2, np.int32))


def test_rates_of_several_sources_count() -> None:
    column = ["a"] * 5 + ["b"] * 5
    [field] = fields.Category().compile("field", *fields.encode(column))
    psi = np.tile([[[0.1, 0.6]]], (2, 1, 1))
    chain = with_truths(chain_of([list(range(10))] * 2, psi=psi), [(0, {}), (1, {})])
    source = np.array([0, 1] * 5, np.int32)
    found = canonical(np.arange(10), [field], [chain], source)
    for r in range(10):
        law = truth_of(field, [int(field.codes[r])], [0.1, 0.6][source[r]])
        assert found.p[r, 0] == pytest.approx(max(law[field.codes[r]], found.p[r, 0]))
    assert found.p[0, 0] > found.p[1, 0]


def test_the_table_of_canonical_records() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "key": ["d", "a", "b", "c"],
            "name": ["bob", "ann", "ann", None],
            "street": ["High Street", "Mill Lane", "Mill Lane", None],
            "number": [3, 12, 12, None],
        }
    )
    table = tables.read(frame, unique_id="key")
    home = fields.Group(street=fields.Text(), number=fields.Category())
    compiled = [
        *fields.Text().compile("name", *table.column("name")),
        *home.compile("home", {part: table.column(part) for part in ("street", "number")}),
    ]

    class Model:
        fields = {"name": fields.Text(), "home": home}  # noqa: RUF012

    chain = with_truths(chain_of([[0, 0, 2, 3]] * 4, psi=np.full((4, 2, 1), 0.1)), [(0, {}), (2, {})])
    found = Posterior(table, Model(), compiled, [chain]).canonical()
    assert list(found.columns) == ["entity_id", "name", "name_probability", "street", "number", "home_probability"]
    assert found["name"].tolist()[:2] == ["bob", "ann"]
    assert found["name_probability"][1] == 1.0
    assert found["street"].tolist()[:2] == ["High Street", "Mill Lane"]
    assert found.isna().iloc[2].tolist() == [False, True, True, True, True, True]


def test_values_of_several_types_become_text() -> None:
    assert arrow([1, "x", None]).to_pylist() == ["1", "x", None]
    assert arrow([1, 2, None]).to_pylist() == [1, 2, None]
