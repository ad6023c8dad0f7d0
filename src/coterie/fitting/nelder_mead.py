"""The simplex search of Nelder and Mead, by which the paper fitted its laws (appendix D)."""

from typing import Any

from coterie.fitting.chart import Chart
from coterie.partition import Partition
from coterie.priors.law import Law


def fit_nelder_mead(family: type[Law], partition: Partition, fixed: dict[str, Any]) -> Law:
    """Search from the middle of the range of each parameter, on scales of logarithms and logits.

    Where the likelihood rises along a ridge for ever, the search stops somewhere on it.
    """
    from scipy.optimize import minimize

    chart = Chart(family, fixed)
    if not chart.coordinates:
        return chart.law([])
    objective = chart.objective(partition)
    start = [0.5 * (low + high) for low, high in chart.box]
    options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-6, "fatol": 1e-8, "adaptive": True}
    found = minimize(
        lambda x: min(-objective(x), 1e300), start, method="Nelder-Mead", bounds=chart.box, options=options
    )
    return chart.law(found.x)
