"""A server that does not start is named at once, with what it said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.server import NotServedError, running


def test_a_server_that_ends_is_not_waited_for(tmp_path: Path) -> None:
    with (
        pytest.raises(NotServedError, match=r"no_such_app\.py"),
        running("no_such_app.py", log=tmp_path / "log", environment={}),
    ):
        pass
