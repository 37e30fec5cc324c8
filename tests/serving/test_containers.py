"""The container and its compose file, as far as a machine without Docker can hold them to what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from serving.haproxy import find_proxy
from tests.serving.container_by_hand import (
    DOCKERFILE,
    USER,
    WELL,
    can_run,
    copied,
    image_of,
    run_inside,
    settings,
    started_and_visited,
)
from tests.serving.visit_inside import CANNOT

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
PROXY = ROOT / "deploy" / "haproxy.cfg"


def test_all_that_is_copied_is_there_and_is_sent_to_the_builder() -> None:
    assert copied() > {"app.py", "ui", "viz", "models", "pages", "lessons", "locale"}
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    needed = {name for line in lines for name in line.split()}
    assert needed >= copied() | {"requirements.txt", "requirements.lock", "pyproject.toml"}
    assert all((ROOT / name).exists() for name in needed)
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {name for name in needed if f"!{name}" not in sent} == set()


def test_the_app_in_it_needs_nothing_else_of_the_repository(tmp_path: Path) -> None:
    """The image holds what is copied: from just that, every module that the app starts with can be imported."""
    for name in copied():
        (tmp_path / name).symlink_to(ROOT / name)
    imports = "import app, ui.script; from pathlib import Path; assert Path(app.__file__).parent == Path.cwd()"
    started = subprocess.run(
        [sys.executable, "-c", imports],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert started.returncode == 0, started.stderr


def environment(folder: Path) -> dict[str, str]:
    """The settings of the image, with a folder in the place of its volume."""
    told = settings()
    assert told["HEADLIGHT_CURATED_ONLY"] == "1"
    told |= {name: value.replace("/data", str(folder / "data")) for name, value in told.items()}
    return os.environ | told | {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}


@pytest.mark.skipif(not can_run(), reason="needs root, bwrap and setpriv")
def test_the_app_runs_as_in_the_container_and_shows_a_picture() -> None:
    """Its files, settings, user and commands, without rights, over what cannot be written, without a network."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        app, data = image_of(Path(folder))
        done = run_inside(["sh", "-c", started_and_visited()], app=app, data=data)
    assert done.returncode == 0, done.stdout + done.stderr
    assert WELL in done.stdout
    (said,) = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert said["user"] == int(USER)
    assert said["refused"] == list(CANNOT)
    assert said["bytes"] > 1000


def test_it_runs_without_rights_over_what_cannot_be_written() -> None:
    user = re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE)
    assert user == ["10001"]
    assert DOCKERFILE.index("USER 10001") < DOCKERFILE.index('CMD ["streamlit"')
    for service in map(whole, COMPOSE["services"].values()):
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert "HEALTHCHECK" in DOCKERFILE


def whole(service: dict[str, Any]) -> dict[str, Any]:
    """A service with what it has of the one that it extends."""
    above = service.get("extends")
    return service if above is None else COMPOSE["services"][above["service"]] | service


def test_the_cluster_tells_nothing_to_anybody_and_opens_no_port() -> None:
    services = {name: each for name, each in COMPOSE["services"].items() if "RAY_AUTH_MODE" in each["environment"]}
    assert set(services) == {"ray", "app-ray"}
    page = (ROOT / "docs" / "serve-a-university.md").read_text(encoding="utf-8")
    told = {name: int(value) for name, value in re.findall(r"\b(RAY_\w+)=(\d+)", page)}
    for service in services.values():
        assert service["profiles"] == ["ray"]
        assert "ports" not in service
        assert service["environment"]["RAY_USAGE_STATS_ENABLED"] == 0
        assert service["environment"]["RAY_AUTH_MODE"] == "token"
        assert service["environment"].items() >= told.items()
    assert "--include-dashboard=false" in services["ray"]["command"]


def test_settings_of_the_compose_file_are_read_by_the_app() -> None:
    files = [file for part in ("ui", "models") for file in (ROOT / part).rglob("*.py")]
    code = "".join(file.read_text(encoding="utf-8") for file in files)
    services = ("app", "app-ray")
    told = {name for service in services for name in COMPOSE["services"][service]["environment"]}
    told = {name for name in told if name.startswith("HEADLIGHT_")}
    assert told >= {"HEADLIGHT_ENGINE", "HEADLIGHT_RAY_ADDRESS", "HEADLIGHT_WORKERS"}
    assert {name for name in told if name not in code} == set()


def test_the_proxy_takes_its_configuration() -> None:
    found = find_proxy()
    if found is None:
        pytest.skip("HAProxy is not on this machine")
    checked = subprocess.run(
        [found, "-c", "-f", str(PROXY)],
        env=os.environ | {"COOKIE_KEY": "key"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert checked.returncode == 0, checked.stderr


def test_its_torch_and_pip_are_those_that_are_tested() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = re.findall(r"(?<= )\w+==\S+", DOCKERFILE)
    assert {pin.partition("==")[0] for pin in pins} == {"pip", "torch"}
    assert all(f"\n{pin} \\\n" in lock for pin in pins)
