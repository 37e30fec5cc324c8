"""The files from which a browser computes a model: named by their digest, kept for ever, and none but those."""

from __future__ import annotations

from pathlib import Path

import pytest
from huggingface_hub import constants
from starlette.applications import Starlette
from starlette.testclient import TestClient

from models import load
from models.opening import sources
from models.opening.registry import embedded_folder
from models.opening.sources import FolderSource
from models.values.errors import MissingCapabilityError
from tests.browser.engine_texts import save_gpt2_in_bytes
from ui.state.portable import can_travel, portable_model
from ui.state.routes import FOREVER, address, frontend, routes
from ui.state.scripts import ENGINE
from viz.viewer.live import live_html

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
    assert weights.headers["content-encoding"] == "identity", "packing takes seconds, and makes them hardly smaller"
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


def test_a_model_of_a_folder_travels_but_its_files_are_nobody_elses(client: TestClient, tmp_path: Path) -> None:
    save_gpt2_in_bytes(tmp_path)
    name = str(tmp_path)
    assert can_travel(name)
    made = portable_model(name)
    assert made.config["model_type"] == "gpt2"
    page = live_html(load(name, device="cpu").record("The cat"), made, {})
    assert tmp_path.name in page
    assert name not in page
    assert client.get(address(f"portable/{name}")).status_code == 404
    assert portable_model(name) is portable_model(name)


def test_a_download_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    place, commit = tmp_path / "models--somebody--gpt2", "5" * 40
    save_gpt2_in_bytes(place / "snapshots" / commit)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text(commit, encoding="utf-8")
    assert can_travel("somebody/gpt2")
    assert portable_model("somebody/gpt2").config["n_layer"] == 3
    assert not can_travel("somebody/else")


def test_only_what_the_engine_knows_travels(tmp_path: Path) -> None:
    for name in ("tagger", "sentiment", str(tmp_path), "nobody/nothing", "lab/nothing"):
        assert not can_travel(name)
        with pytest.raises(MissingCapabilityError, match="cannot be put into a page"):
            portable_model(name)
    assert can_travel("mini-gpt")
    assert portable_model("mini-gpt").findings


def test_what_was_trained_here_travels_and_what_was_brought_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = embedded_folder("mini-gpt")
    assert folder is not None
    source = FolderSource(
        knows=lambda name: name.startswith("made/"),
        folder_of=lambda _: folder,
        is_strangers=lambda name: name.endswith("brought"),
        languages_of=lambda _: ("en",),
    )
    monkeypatch.setitem(sources._sources, "made/", source)
    assert portable_model("made/here").languages == ("en",)
    assert not can_travel("made/brought")


def test_only_the_worker_may_compile(client: TestClient) -> None:
    assert client.get(f"{frontend()}/{ENGINE}").headers["content-security-policy"] == (
        "default-src 'none'; script-src 'wasm-unsafe-eval'"
    )
