"""One quick run of the experiments, which the tests read."""

import pytest

from coterie.paper import SEED
from coterie.paper.contents import contents
from coterie.paper.page import page
from coterie.paper.results import Results, gather
from coterie.paper.track import silently


@pytest.fixture(scope="session")
def results() -> Results:
    return gather(SEED, quick=True, track=silently)


@pytest.fixture(scope="session")
def files(results) -> dict[str, bytes]:
    return contents(results)


@pytest.fixture(scope="session")
def text(results) -> str:
    return page(results)
