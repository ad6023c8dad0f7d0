"""What decides about the draws: the seed and the table, and nothing else."""

import numpy as np
import pytest

import coterie as ct
from coterie import fields, priors
from coterie.posterior import Posterior
from coterie.resolution.sampling import Course
from coterie.sampler import make_target
from resolution.people import MODEL, entity_of, records, resolve, same_draws, truth


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    return resolve(records(), cores=2)


def test_the_same_seed_gives_the_same_draws_on_any_number_of_cores(posterior: Posterior) -> None:
    for cores in (1, 2, 7, None):
        assert same_draws(resolve(records(), cores=cores), posterior)


def test_another_seed_and_other_chains_give_other_draws(posterior: Posterior) -> None:
    assert not same_draws(resolve(records(), seed=2), posterior)
    one, other = posterior.chains
    assert not np.array_equal(one.psi, other.psi)


def test_without_a_seed_there_is_a_new_one() -> None:
    assert not same_draws(resolve(records(), seed=None), resolve(records(), seed=None))


def test_a_chain_more_changes_nothing_about_the_others(posterior: Posterior) -> None:
    more = resolve(records(), chains=3)
    assert len(more.chains) == 3
    assert np.array_equal(more.chains[1].psi, posterior.chains[1].psi)


def test_more_draws_begin_with_the_same(posterior: Posterior) -> None:
    """Though truths are drawn along with every second of them only."""
    more = resolve(records(), draws=130)
    assert more.chains[0].truths.draw.tolist() == list(range(0, 130, 2))
    assert np.array_equal(more.chains[0].entities[:20], posterior.chains[0].entities)
    assert np.array_equal(more.chains[0].labels(19), posterior.chains[0].labels(19))


def test_truths_are_drawn_from_a_stream_of_their_own(posterior: Posterior) -> None:
    name = posterior.fields[0]
    course = Course(make_target([name]), np.random.SeedSequence(1))
    assert course.rng.random() != course.aside.random()


def test_entities_are_called_the_same_in_another_run(posterior: Posterior) -> None:
    """Who has the same members has the same id, whatever else is in the table."""
    kept = [entity for entity in set(truth().values()) if entity % 3]
    part = records().filter(_of(kept))
    one, other = _members(posterior), _members(resolve(part, seed=5))
    shared = set(one) & set(other)
    assert len(shared) > 20
    assert all(one[members] == other[members] for members in shared)
    # And other members mean another id.
    assert len({*one.values()} & {*other.values()}) == len(shared)


def _of(kept: list[int]) -> list[bool]:
    wanted = set(kept)
    return [truth()[key] in wanted for key in records()["id"].to_pylist()]


def _members(posterior: Posterior) -> dict[frozenset[str], str]:
    by_entity: dict[str, set[str]] = {}
    for key, entity in entity_of(posterior).items():
        by_entity.setdefault(entity, set()).add(key)
    return {frozenset(members): entity for entity, members in by_entity.items()}


def test_one_chain_and_no_warm_up() -> None:
    posterior = resolve(records(), chains=1, tune=0, draws=3)
    assert (len(posterior.chains), posterior.draws) == (1, 3)
    assert posterior.labels(-1).shape == (120,)
    assert "one chain" in str(posterior.diagnose()).lower()


def test_the_warm_up_is_part_of_the_chain() -> None:
    """Draws after ten steps of warm-up are those of a longer run from its tenth step on."""
    late, early = resolve(records(), chains=1, tune=10, draws=5), resolve(records(), chains=1, tune=0, draws=15)
    assert np.array_equal(late.chains[0].entities, early.chains[0].entities[10:])
    assert np.array_equal(late.chains[0].psi, early.chains[0].psi[10:])


def test_most_people_are_found() -> None:
    posterior = resolve(records(), draws=60, tune=30)
    entity = entity_of(posterior)
    scores = ct.evaluate(list(entity.values()), [truth()[key] for key in entity])
    assert scores.f1 > 0.8


def test_a_rate_that_is_fixed_is_kept() -> None:
    kinds = {**MODEL.fields, "last_name": fields.Text(distortion=0.05)}
    posterior = resolve(records(), ct.Model(fields=kinds))
    assert np.all(posterior.distortion["last_name"] == 0.05)
    assert np.unique(posterior.distortion["first_name"]).size == 40


def test_a_prior_that_is_given_is_used() -> None:
    law = priors.NBNB(a=1, q=0.999, r=ct.Gamma(1, 1), p=ct.Beta(2, 2))
    posterior = resolve(records(), ct.Model(fields=MODEL.fields, prior=law))
    assert list(posterior.prior_parameters) == ["r", "p"]
    assert np.all((posterior.prior_parameters["p"] > 0) & (posterior.prior_parameters["p"] < 1))
    alone = ct.Model(fields=MODEL.fields, prior=priors.DirichletProcess(theta=1e12))
    assert np.all(resolve(records(), alone).entity_count >= 118)


EVERY_KIND = {
    "first_name": fields.Text(similarity="jaro-winkler"),
    "last_name": fields.Text(distortion=ct.Beta(1, 9)),
    "sex": fields.Category(),
    "birth_date": fields.Date(parts=True),
    "postcode": fields.Number(tolerance=10, digits=True),
    "home": fields.Group(street=fields.Text(), house_number=fields.Category(), town=fields.Text()),
}


def test_every_kind_of_field() -> None:
    posterior = resolve(records(), ct.Model(fields=EVERY_KIND, source="source"))
    parts = ["birth_date.year", "birth_date.month", "birth_date.day"]
    assert list(posterior.distortion) == ["first_name", "last_name", "sex", *parts, "postcode", "home"]
    assert all(draws.shape == (40, 2) for draws in posterior.distortion.values())
    canonical = posterior.canonical().column_names
    assert [name for name in canonical if name in ("street", "house_number", "town", "home_probability")]
    pair = posterior.pairs(0.0).to_pylist()[0]
    told = str(posterior.explain((pair["source_l"], pair["id_l"]), (pair["source_r"], pair["id_r"])))
    assert all(name in told for name in posterior.distortion)
