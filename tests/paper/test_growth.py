"""Figure 3: slopes, the comparison of reseating with exact draws, and what is said of them."""

import numpy as np
import pytest

from coterie import priors, reseat
from coterie.paper import findings
from coterie.paper.effort import QUICK
from coterie.paper.growth import LAWS, Growth, Slope, agreements, compare, grow, predicted_median, slope, slopes
from coterie.paper.track import silently
from coterie.partition import Partition

NS = (100, 316, 1_000, 3_162, 10_000)


def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize(
    ("median", "verdict"),
    [(lambda n: n // 2, "levels off"), (lambda n: 3 * np.log(n), "falls"), (lambda n: n**0.95, "undecided")],
)
def test_the_verdict_follows_the_slope(median, verdict):
    samples = {n: (median(n) * np.exp(rng().normal(0, 0.1, 200))) for n in NS}
    assert slope(samples, 200, rng()).verdict == verdict


def test_the_slope_of_a_power_is_its_exponent():
    assert slope({n: np.full(5, n**0.3) for n in NS}, 10, rng()).value == pytest.approx(-0.7)


def test_small_n_do_not_count():
    samples = {n: np.full(5, n) for n in NS}
    assert slope(samples | {10: np.full(5, 1)}, 10, rng()) == slope(samples, 10, rng())


def test_equal_samples_agree_and_shifted_ones_do_not():
    same = np.arange(50)
    assert compare(7, same, same).p_value == pytest.approx(1)
    assert compare(7, same, same).larger == 0.5
    assert compare(7, same + 100, same).larger == 1
    assert compare(7, same + 100, same).p_value < 1e-10
    assert compare(7, np.ones(5), np.ones(9)).p_value == 1


def test_a_run_is_the_reseating_algorithm_from_one_cluster(results):
    """The first state of the longest runs: one sweep, by hand."""
    n = max(QUICK.reseated_sizes)
    children = np.random.SeedSequence(2015).spawn(5)[3].spawn(2)[1].spawn(results.growth.reseated[n].size)
    first = [
        reseat(LAWS["NBNB"], Partition.from_sizes([n]), 1, np.random.default_rng(child)).sizes.max()
        for child in children
    ]
    # The streams are numbered over all runs, of which the longest come first.
    assert first == results.growth.burn_in[1].tolist()


def test_the_law_of_appendix_c():
    law = LAWS["NBNB"]
    assert isinstance(law, priors.NBNB)
    assert (law.a, law.q, law.r, law.p) == pytest.approx((1, 0.9, 6, 1 / 3))


def test_everything_that_is_asked_for_is_drawn(results):
    grown = results.growth
    assert set(grown.exact) == {(law, n) for law in LAWS for n in QUICK.sizes}
    assert {draws.size for draws in grown.exact.values()} == {QUICK.growth_draws}
    assert {n: draws.size for n, draws in grown.reseated.items()} == dict.fromkeys(QUICK.reseated_sizes, 10)
    assert list(grown.burn_in) == [1, 3, 10, 30, 100]
    assert np.array_equal(grown.burn_in[QUICK.sweeps], grown.reseated[grown.longest])


def test_the_number_of_cores_does_not_matter(results, monkeypatch):
    small = results.effort._replace(sizes=(10, 100), growth_draws=5, reseated_sizes=(10, 100), sweeps=10)
    first, second = [], []
    for cores, into in ((1, first), (7, second)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        grown = grow(small, np.random.SeedSequence(3), silently)
        into += [draws.tolist() for part in grown[:3] for draws in part.values()]
    assert first == second


def test_what_is_said_of_growth_follows_the_slopes(results):
    assert findings.growth_in_short(results).endswith(
        "as N grows: NBNB: falls; DP: cannot be told to fall or to level off; PYP: cannot be told to fall or to "
        "level off; NBNB, reseating: falls."
    )
    assert "the evidence of appendix C holds up" in findings.growth(results)
    level = Slope(0.0, -0.01, 0.01)
    other = results._replace(slopes=results.slopes | {"NBNB": level})
    assert "NBNB: levels off" in findings.growth_in_short(other)
    assert "the evidence of appendix C is not reproduced" in findings.growth(other)


def test_the_prediction_is_compared_with_the_draws(results):
    assert "in agreement" in findings.growth(results)
    n = max(results.effort.sizes)
    exact = results.growth.exact | {("NBNB", n): np.full(100, n // 2)}
    other = results._replace(growth=results.growth._replace(exact=exact))
    assert "which does not agree" in findings.growth(other)


def test_the_predicted_median_is_that_of_independent_sizes(results):
    assert predicted_median(10_000) == 15
    n = max(results.effort.sizes)
    assert abs(np.median(results.growth.exact["NBNB", n]) - predicted_median(n)) <= 1


def test_reseating_that_has_not_arrived_is_told(results):
    grown = results.growth
    stuck = Growth(
        grown.exact,
        {n: np.full(draws.size, n) for n, draws in grown.reseated.items()},
        {sweeps: np.full(draws.size, grown.longest) for sweeps, draws in grown.burn_in.items()},
        grown.longest,
    )
    other = results._replace(growth=stuck, agreements=agreements(stuck))
    text = findings.reseating(other)
    assert text.startswith("Not everywhere: at N = 10, ")
    assert text.endswith("It has not come there by the last sweep.")


def test_reseating_that_has_arrived_is_told(results):
    text = findings.reseating(results)
    assert text.startswith("No difference from the exact draws is seen at any N after 100 sweeps")
    assert "It has come there, for good, by sweep " in text


def test_slopes_are_those_of_the_draws(results):
    again = slopes(results.growth, results.effort.resamples, np.random.SeedSequence(2015).spawn(5)[4])
    assert again == results.slopes
