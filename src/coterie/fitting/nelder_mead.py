"""The simplex search of Nelder and Mead, by which the paper fitted its laws (appendix D)."""

from typing import Any

from coterie.fitting.chart import Chart
from coterie.fitting.search import minimum
from coterie.partition import Partition
from coterie.priors.law import Law


def fit_nelder_mead(family: type[Law], partition: Partition, fixed: dict[str, Any]) -> Law:
    """Search from the middle of the range of each parameter, on scales of logarithms and logits.

    Where the likelihood rises along a ridge for ever, the search stops somewhere on it.
    """
    chart = Chart(family, fixed, partition.size_table)
    if not chart.coordinates:
        return chart.law([])
    log_prob = chart.objective(partition)
    start = [0.5 * (low + high) for low, high in chart.box]
    options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-6, "fatol": 1e-8, "adaptive": True}
    found = minimum(lambda x: -log_prob(x.tolist()), start, chart.box, "Nelder-Mead", **options)
    return chart.law(found.tolist())
