"""pyproject.toml, the lock and requirements.txt say the same."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import run
from tests.packages import EXPORT, GROUPS, LOCK, export, read_lock

PROJECT = tomllib.loads((run.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = read_lock(LOCK.read_text(encoding="utf-8"))


def test_requirements_txt_is_what_the_lock_exports() -> None:
    assert EXPORT.read_text(encoding="utf-8") == export(LOCK.read_text(encoding="utf-8"))


def test_an_export_holds_what_the_app_needs_in_turn_and_no_more() -> None:
    lock = """\
app-needs==1.0 ; sys_platform != 'win32' \\
    --hash=sha256:00
    # via headlights (pyproject.toml)
both-need==1.1 \\
    --hash=sha256:01
    # via
    #   app-needs
    #   test-needs
in-turn==1.2
    # via both-need
nvidia-nccl-cu13==2.29.7
    # via app-needs
test-needs==2.0
    # via headlights (pyproject.toml:test)
"""
    lines = [line for line in export(lock).splitlines() if not line.startswith("#")]
    assert lines == ["app-needs==1.0 ; sys_platform != 'win32'", "both-need==1.1", "in-turn==1.2"]


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_the_lock_has_what_the_project_asks_for(group: str) -> None:
    """After a change of pyproject.toml: python -m tests.packages."""
    app = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["app"]]
    asked = PROJECT["dependency-groups"][group] if group else app
    asker = f"headlights (pyproject.toml:{group})" if group else "headlights (pyproject.toml)"
    versions = {pin.name: Requirement(pin.requirement).specifier for pin in PINS if asker in pin.parents}
    requirements = {canonicalize_name(each.name): each for each in map(Requirement, asked)}
    assert requirements.keys() == versions.keys()
    for name, requirement in requirements.items():
        (version,) = versions[name]
        assert requirement.specifier.contains(version.version)


def test_every_package_has_a_hash() -> None:
    assert [pin.name for pin in PINS if not pin.hashes] == []
    assert len(PINS) > 100


def test_the_groups_are_all_locked() -> None:
    assert set(PROJECT["dependency-groups"]) == set(GROUPS)


def test_all_that_torch_needs_is_locked() -> None:
    """Also on another system than this one."""
    needed = (Requirement(each) for each in importlib.metadata.requires("torch") or ())
    names = {canonicalize_name(each.name) for each in needed if "extra ==" not in str(each.marker)}
    assert names - {pin.name for pin in PINS} == set()


def test_the_versions_of_python_are_those_that_run_py_accepts() -> None:
    oldest, newest = (f"{major}.{minor}" for major, minor in (run.OLDEST, (run.NEWEST[0], run.NEWEST[1] + 1)))
    assert PROJECT["project"]["requires-python"] == f">={oldest},<{newest}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"


def test_the_version_is_the_newest_of_the_changelog() -> None:
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", (run.ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == PROJECT["project"]["version"]
