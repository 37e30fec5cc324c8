"""The files for GitHub, PyPI and Hugging Face say what is true of the repository. None of them can be tried here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import run
from ui.serving.guarded import FRAMES

ROOT = run.ROOT
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SPACES = sorted((ROOT / "deploy" / "spaces").glob("*/README.md"))
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
"""The colours that a Space may have."""
FIELDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def read(path: Path) -> dict[Any, Any]:
    told = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(told, dict)
    return told


def front_matter(path: Path) -> dict[str, Any]:
    _, matter, rest = path.read_text("utf-8").split("---\n", 2)
    assert rest.strip()
    told = yaml.safe_load(matter)
    assert isinstance(told, dict)
    return told


def steps_of(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_is_whole(path: Path) -> None:
    workflow = read(path)
    assert workflow[True], "on: is read as a truth by YAML 1.1"
    assert workflow["permissions"]["contents"] == "read"
    for name, job in workflow["jobs"].items():
        assert 0 < job["timeout-minutes"] <= 60
        assert job["runs-on"] == "ubuntu-latest"
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= set(workflow["jobs"]) - {name}
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@(v\d+|release/v\d+)", step.get("uses", "a/b@v1"))
    for used in re.findall(r"steps\.(\w+)\.", path.read_text("utf-8")):
        assert used in {step.get("id") for step in steps_of(workflow)}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_names_what_there_is(path: Path) -> None:
    for step in steps_of(read(path)):
        for command in re.findall(r"python run\.py (\w+)", step.get("run", "")):
            assert command in run.COMMANDS
        for folder in re.findall(r" \./([\w/]+)", step.get("run", "")):
            assert (ROOT / folder / "pyproject.toml").is_file()
        if "setup-python" in step.get("uses", ""):
            major, minor = map(int, step["with"]["python-version"].split("."))
            assert run.OLDEST <= (major, minor) <= run.NEWEST


def test_only_the_jobs_that_publish_may_have_a_token() -> None:
    pages, release = (read(ROOT / ".github" / "workflows" / f"{name}.yml") for name in ("pages", "release"))
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert "permissions" not in release["jobs"]["build"]
    assert "id-token" not in release["permissions"]
    assert pages["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert "secrets." not in "".join(path.read_text("utf-8") for path in WORKFLOWS)


def test_a_release_is_refused_whose_tag_is_another_version() -> None:
    steps = steps_of(read(ROOT / ".github" / "workflows" / "release.yml"))
    checked = next(step["run"] for step in steps if "GITHUB_REF_NAME" in step.get("run", ""))
    assert f"dist/{PROJECT['name']}-${{GITHUB_REF_NAME#v}}-py3-none-any.whl" in checked


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_can_be_filled_in(path: Path) -> None:
    form = read(path)
    assert {"name", "description", "body"} <= set(form)
    identifiers = [field["id"] for field in form["body"]]
    assert len(set(identifiers)) == len(identifiers) > 0
    assert {field["type"] for field in form["body"]} <= FIELDS
    assert all(field["attributes"]["label"] for field in form["body"])
    assert any(field["validations"]["required"] for field in form["body"])


def test_there_are_forms() -> None:
    assert {path.stem for path in FORMS} == {"bug", "model", "lesson"}


@pytest.mark.parametrize("path", SPACES, ids=lambda path: path.parent.name)
def test_a_space_has_what_hugging_face_asks_for(path: Path) -> None:
    told = front_matter(path)
    assert told["sdk"] == path.parent.name
    assert {told["colorFrom"], told["colorTo"]} <= COLOURS
    assert len(told["short_description"]) <= 60
    assert told["license"] == PROJECT["license"].lower()


def test_the_docker_space_runs_as_its_user_on_its_port_in_its_frame() -> None:
    folder = ROOT / "deploy" / "spaces" / "docker"
    port, made = front_matter(folder / "README.md")["app_port"], (folder / "Dockerfile").read_text("utf-8")
    assert f"EXPOSE {port}\n" in made
    assert f'"--server.port", "{port}"' in made
    assert "--uid 1000 user\nUSER user\n" in made
    assert f"{FRAMES}=https://huggingface.co" in made


def test_the_citation_is_that_of_this_version() -> None:
    told = read(ROOT / "CITATION.cff")
    newest = re.search(r"^## \[([\d.]+)\] - (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert (told["version"], str(told["date-released"])) == newest.groups()
    assert told["license"] == PROJECT["license"]
    assert {"cff-version", "message", "title", "authors"} <= set(told)


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md"])
def test_what_it_links_to_is_there(name: str) -> None:
    linked = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text("utf-8"))
    assert linked
    assert [link for link in linked if not (ROOT / link).exists()] == []
