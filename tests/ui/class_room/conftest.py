"""Rooms of a test's own, and a client of their addresses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ui.class_room import routes
from ui.class_room.hub import Hub
from ui.shared.rooms import Rooms


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rooms:
    kept = Rooms(tmp_path / "shared.sqlite")
    hub = Hub(kept)
    monkeypatch.setattr(routes, "rooms", lambda: kept)
    monkeypatch.setattr(routes, "hub", lambda: hub)
    return kept


@pytest.fixture
def client(rooms: Rooms) -> Iterator[TestClient]:
    with TestClient(Starlette(routes=routes.room_routes())) as client:
        yield client
