"""The lessons of the app are asked in many tests: pages and tests share the answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loaded import answer
from ui.lessons import computed


@pytest.fixture(scope="module", autouse=True)
def _answers_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computed, "answer_ask", answer)
        yield
