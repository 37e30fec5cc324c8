"""The models of runs open by their names, as in the app, and trainings have few rows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.uploads.checkpoints import register_models
from tests.lab.jobs import few_rows

register_models()


@pytest.fixture(scope="module", autouse=True)
def _few_rows() -> Iterator[None]:
    with few_rows():
        yield
