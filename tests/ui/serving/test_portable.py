"""The files from which a browser computes a model: named by their digest, kept for ever, and none but those."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from models.opening.registry import embedded_folder
from ui.state.routes import FOREVER, address, frontend, routes
from ui.state.scripts import ENGINE

NAME = "mini-bert"


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=routes()))


def test_the_weights_are_those_on_disk_and_are_kept_for_ever(client: TestClient) -> None:
    files = client.get(address(f"portable/{NAME}")).json()
    weights, settings = client.get(files["weights"]), client.get(files["settings"])
    folder = embedded_folder(NAME)
    assert folder is not None
    assert weights.content == (folder / "model.safetensors").read_bytes()
    assert {weights.headers["cache-control"], settings.headers["cache-control"]} == {FOREVER}
    assert settings.json()["config"]["hidden_size"] == 256


def test_of_other_files_and_models_there_are_none(client: TestClient) -> None:
    weights = client.get(address(f"portable/{NAME}")).json()["weights"]
    digest = weights.split("/")[-3]
    asked = (
        weights.replace(digest, "0" * len(digest)),
        weights.replace("model.safetensors", "heads.json"),
        weights.replace("model.safetensors", "../heads.json"),
        address("portable/tagger"),
        address("portable/../../etc"),
    )
    assert [client.get(path).status_code for path in asked] == [404] * len(asked)


def test_only_the_worker_may_compile(client: TestClient) -> None:
    assert client.get(f"{frontend()}/{ENGINE}").headers["content-security-policy"] == (
        "default-src 'none'; script-src 'wasm-unsafe-eval'"
    )
