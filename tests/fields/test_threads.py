"""What RapidFuzz does in threads is the same in one."""

from typing import Any

import numpy as np
import pytest
from rapidfuzz import process

from coterie import fields
from coterie.fields import strings, text
from fields.generated import names


class OneThread:
    """RapidFuzz's `process`, in one thread."""

    @staticmethod
    def cdist(*args: Any, workers: int, **others: Any) -> np.ndarray:
        assert workers == -1
        return process.cdist(*args, workers=1, **others)

    @staticmethod
    def cpdist(*args: Any, workers: int, **others: Any) -> np.ndarray:
        assert workers == -1
        return process.cpdist(*args, workers=1, **others)


@pytest.mark.parametrize("longest", [10_000, 10])
def test_the_number_of_threads_changes_nothing(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "ALL_PAIRS_UP_TO", longest)
    columns = fields.encode([*names(200, seed=1), *names(200, seed=2, words=2)])
    [threads] = fields.Text().compile("name", *columns)
    monkeypatch.setattr(strings, "process", OneThread)
    [one] = fields.Text().compile("name", *columns)
    for a, b in zip(threads[4:8], one[4:8], strict=True):
        assert np.array_equal(a, b)
