"""Carrying the uncertainty on: a statistic of the entities of every draw."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from coterie.errors import InputError
from coterie.posterior.figures import convergence

Floats = NDArray[np.float64]

# The shares that intervals hold.
SHARES = (0.5, 0.9, 0.95)


class Value(NamedTuple):
    """One number computed on the entities of each draw.

    Attributes
    ----------
    name
        What it is called.
    mean, sd
        Over the draws. With standard errors ``sd`` counts both what is not known of the entities and what a sample
        leaves open (Rubin 1987).
    interval
        {share: (low, high)} for 50, 90 and 95 %.
    from_linkage
        The share of the variance that comes from not knowing who is who; 1 where no standard errors were given.
    ess, mcse
        The effective number of draws, and the Monte Carlo error of the mean; nan where all draws agree.
    """

    name: str
    mean: float
    sd: float
    interval: dict[float, tuple[float, float]]
    from_linkage: float
    ess: float
    mcse: float

    def __str__(self) -> str:
        low, high = self.interval[0.9]
        shares = "" if self.from_linkage == 1.0 else f", {self.from_linkage:.0%} of the variance from linkage"
        return f"{self.name}: {self.mean:.5g} (90 %: {low:.5g} to {high:.5g}){shares}"


@dataclass(frozen=True, eq=False)
class Statistic:
    """What a function returned for the entities of each draw. Printed, a line for each number.

    Attributes
    ----------
    values
        {name: its summary}. A function that returns one number calls it ``value``.
    draws
        {name: the number in each draw that was used}, chains one after another.
    errors
        {name: the standard error in each draw}, if the function returned them.
    """

    values: dict[str, Value]
    draws: dict[str, Floats]
    errors: dict[str, Floats]

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __str__(self) -> str:
        return "\n".join(map(str, self.values.values()))


def statistic(
    function: Callable[[Any], Any], inputs: Sequence[Iterable[Any]], *, standard_error: bool
) -> Statistic:
    """Call a function on the input of each draw, and summarise what it returns.

    Parameters
    ----------
    function
        Returns a number, a sequence of numbers or {name: number}; with ``standard_error`` a pair of them.
    inputs
        For each chain what the function is given for each draw.
    standard_error
        Whether the function returns estimates and their standard errors.
    """
    chains = [[_read(function(one), standard_error) for one in chain] for chain in inputs]
    names = list(chains[0][0][0])
    for chain in chains:
        for estimates, errors in chain:
            if list(estimates) != names or (standard_error and list(errors) != names):
                hint = "Return the same numbers for every draw, nan where there is none."
                raise InputError(f"the numbers {names}", f"{list(estimates)}", hint)
    values, draws, found = {}, {}, {}
    for name in names:
        table = [np.array([estimates[name] for estimates, _ in chain]) for chain in chains]
        error = [np.array([errors[name] for _, errors in chain]) for chain in chains] if standard_error else []
        draws[name] = np.concatenate(table)
        if standard_error:
            found[name] = np.concatenate(error)
        values[name] = summarise(name, table, found.get(name))
    return Statistic(values, draws, found)


def summarise(name: str, chains: Sequence[Floats], errors: Floats | None = None) -> Value:
    """Return mean, intervals and Monte Carlo error; with standard errors combined by Rubin's rules.

    With M draws, W the mean of the squared standard errors and B the variance between draws, the total variance is
    T = W + (1 + 1/M) B, and intervals are those of Student's t with (M − 1)(1 + W/((1 + 1/M) B))² degrees.

    Examples
    --------
    >>> print(summarise("mean age", [np.array([39.0, 40.0, 41.0, 40.0])], np.full(4, 2.0)))
    mean age: 40 (90 %: 36.35 to 43.65), 17% of the variance from linkage
    """
    draws = np.concatenate(chains)
    mean, between = float(draws.mean()), float(draws.var(ddof=1)) if draws.size > 1 else 0.0
    shortest = min(len(chain) for chain in chains)
    _, ess, _, mcse = convergence(np.array([chain[-shortest:] for chain in chains], np.float64))
    if errors is None:
        tails = {share: np.quantile(draws, [(1 - share) / 2, (1 + share) / 2]) for share in SHARES}
        interval = {share: (float(low), float(high)) for share, (low, high) in tails.items()}
        return Value(name, mean, math.sqrt(between), interval, 1.0, ess, mcse)
    within, inflated = float(np.mean(errors**2)), (1.0 + 1.0 / draws.size) * between
    total = within + inflated
    degrees = (draws.size - 1) * (1.0 + within / inflated) ** 2 if inflated > 0 else math.inf
    half = {share: float(stats.t.isf((1 - share) / 2, degrees)) * math.sqrt(total) for share in SHARES}
    interval = {share: (mean - width, mean + width) for share, width in half.items()}
    return Value(name, mean, math.sqrt(total), interval, inflated / total if total > 0 else 0.0, ess, mcse)


def _read(result: Any, standard_error: bool) -> tuple[dict[str, float], dict[str, float]]:
    """Return what a function returned as {name: number}, and the standard errors."""
    if not standard_error:
        return _numbers(result), {}
    if not isinstance(result, tuple) or len(result) != 2:
        hint = "Return (estimate, standard error), each a number, a list or {name: number}."
        raise InputError("a pair from the function", f"a {type(result).__name__}", hint)
    return _numbers(result[0]), _numbers(result[1])


def _numbers(result: Any) -> dict[str, float]:
    """Return a number, a sequence or a mapping of numbers as {name: number}."""
    try:
        if result is None:
            raise TypeError
        if isinstance(result, Mapping):
            return {str(name): float(value) for name, value in result.items()}
        array = np.asarray(result, np.float64)
    except (TypeError, ValueError):
        hint = "Return a number, a list of numbers or {name: number}."
        raise InputError("numbers from the function", f"{result!r:.60}", hint) from None
    if array.ndim == 0:
        return {"value": float(array)}
    return {f"value[{at}]": float(value) for at, value in enumerate(array.ravel())}
