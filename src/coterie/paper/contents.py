"""All files that the experiments leave behind, by name."""

from coterie.paper.data import FIGURES, GROWTH_FIGURE, csv_files
from coterie.paper.figures import growth_figure, statistics_figure
from coterie.paper.page import PAGE, page
from coterie.paper.results import Results


def contents(results: Results) -> dict[str, bytes]:
    """Return every file: the tables, the figures, and the page last, since it points to the others."""
    files = csv_files(results)
    for partition, name in FIGURES.items():
        statistics = {key[1:]: value for key, value in results.statistics.items() if key[0] == partition}
        spreads = {key[1:]: value for key, value in results.spreads.items() if key[0] == partition}
        files |= statistics_figure(name, statistics, spreads)
    files |= growth_figure(GROWTH_FIGURE, results.growth)
    files[PAGE] = page(results).encode()
    return files
