"""The tests' environment: what a person has set changes nothing, and what the tests are told arrives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environment import settle

OF_A_PERSON = {
    "HEADLIGHT_LAB": "off",
    "HEADLIGHT_CURATED_ONLY": "yes",
    "STREAMLIT_THEME_BASE": "dark",
    "HF_HUB_CACHE": "/data/models",
    "HUGGING_FACE_HUB_TOKEN": "secret",
    "COLUMNS": "40",
    "FORCE_COLOR": "1",
    "OMP_NUM_THREADS": "64",
}


@pytest.fixture
def settled(tmp_path: Path) -> dict[str, str]:
    environment = {**OF_A_PERSON, "HEADLIGHT_CHROMIUM": "/opt/chrome", "no_proxy": "example.org", "PATH": "/bin"}
    settle(environment, tmp_path, downloads=False)
    return environment


def test_a_persons_settings_are_forgotten_and_those_of_the_tests_kept(settled: dict[str, str], tmp_path: Path) -> None:
    assert not {name: value for name, value in OF_A_PERSON.items() if settled.get(name) == value}
    assert (settled["HEADLIGHT_CHROMIUM"], settled["PATH"]) == ("/opt/chrome", "/bin")
    assert settled["HF_HUB_OFFLINE"] == settled["OMP_NUM_THREADS"] == "1"
    assert all(Path(settled[name]).is_relative_to(tmp_path) for name in ("HOME", "HF_HOME", "HEADLIGHT_SHARED"))


def test_no_proxy_is_asked_for_the_servers_of_this_machine(settled: dict[str, str]) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        assert {"localhost", "127.0.0.1"} <= set(settled[name].split(","))
    assert "example.org" in settled["no_proxy"]


def test_tests_that_download_keep_the_persons_hub_and_threads_can_be_asked_for(tmp_path: Path) -> None:
    environment = {**OF_A_PERSON, "HEADLIGHT_TEST_THREADS": "2"}
    settle(environment, tmp_path, downloads=True)
    assert environment["HF_HUB_CACHE"] == "/data/models"
    assert environment["OMP_NUM_THREADS"] == "2"
