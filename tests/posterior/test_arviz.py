"""What goes to ArviZ, and what is said when it is not there."""

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from coterie import CoterieError
from posterior.fabricate import posterior_of


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "arviz_base", None)
    with pytest.raises(CoterieError, match=r"Install coterie\[arviz\]"):
        posterior_of([[[0, 0]] * 3]).to_arviz()


def test_numbers_without_labels_by_chain_and_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    module = ModuleType("arviz_base")
    module.from_dict = lambda data, **how: given.update(data=data, **how)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "arviz_base", module)
    posterior = posterior_of([[[0, 0, 2], [0, 0, 0], [0, 1, 2]], [[0, 0, 2], [0, 0, 2], [0, 0, 0], [0, 1, 2]]])
    posterior.to_arviz()
    variables = given["data"]["posterior"]
    # Of the longer chain its last three draws.
    assert variables["entities"].tolist() == [[2, 1, 3], [2, 1, 3]]
    assert variables["singletons"].tolist() == [[1, 0, 3], [1, 0, 3]]
    assert variables["psi"].shape == (2, 3, 1, 1)
    assert given["dims"] == {"psi": ["field", "source"]}
    assert given["coords"] == {"field": ["name"], "source": ["all"]}


def test_the_summary_is_plain_numbers() -> None:
    import json

    rng = np.random.default_rng(1)
    posterior = posterior_of([np.where(rng.random((120, 6)) < 0.5, 0, np.arange(6)) for _ in range(4)])
    found = json.loads(json.dumps(posterior.summary()))
    assert found["records"] == 6
    assert found["draws"] == 480
    assert found["entities"]["mean"] == pytest.approx(posterior.entity_count.mean())
    assert found["expected scores"]["f1"]["mean"] == pytest.approx(posterior.expected_scores().f1.mean)
    assert set(found["distortion"]) == {"name"}
