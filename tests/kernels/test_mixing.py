"""The logs of V_N(k+1)/V_N(k) against sums of 60 digits."""

from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest

from coterie.kernels import mixing
from oracles import agree

WEIGHTS: dict[str, tuple[Callable[[int], float], int, int]] = {
    "few": (lambda m: -0.3 * m, 1, 9),
    "gap": (lambda m: 0.0 if m in (2, 30) else -np.inf, 1, 30),
    "one": (lambda m: 0.0 * m, 40, 40),
    "poisson": (lambda m: m * np.log(50.0) - float(mp.loggamma(m)), 1, 300),
    "many": (lambda m: -0.5 * ((m - 1000.0) / 20.0) ** 2, 900, 1200),
    "falling": (lambda m: -40.0 * np.log(m), 1, 3000),
    "falling-fast": (lambda m: -2000.0 * np.log(m), 1, 60),
    "rising-fast": (lambda m: 300.0 * m, 1, 60),
    "two-ends": (lambda m: 0.0 if m in (5, 2000) else (-600.0 if m == 100 else -np.inf), 1, 2000),
}


@pytest.mark.parametrize(("log_weight", "first", "last"), WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("n", [1, 15, 16, 17, 50])
def test_ratios_are_those_of_the_sums(log_weight: Callable[[int], float], first: int, last: int, n: int) -> None:
    logs = np.array([log_weight(m) for m in range(first, last + 1)])
    terms = [mp.exp(mp.mpf(float(value))) if value > -np.inf else mp.mpf(0) for value in logs]
    log_ratios = np.empty(n)
    mixing.fill_log_ratios(logs.copy(), first, log_ratios)
    for k in range(n):
        total = mp.fsum(terms)
        terms = [term * max(0, first + i - k) for i, term in enumerate(terms)]
        exact = mp.fsum(terms) / total if total else mp.mpf(0)
        assert agree(float(log_ratios[k]), mp.log(exact) if exact else mp.ninf, slack=1e-12), k
