"""HEADLIGHT_ENGINE: what it opens, and that Ray is wholly optional."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from models.engine.setting import SETTING, is_on_every_machine, open_model
from models.opening import sources
from models.opening.entries import PRETRAINED, ROOT
from models.opening.guest import GuestModel
from models.opening.sources import FolderSource
from models.values.errors import DeviceError, ModelLoadError
from tests.test_architecture import SOURCES, name_of

TINY = f"{PRETRAINED.as_posix()}/tiny-bert/step-001708"


@pytest.mark.parametrize("says", ["", "local"])
def test_without_the_setting_models_are_opened_here(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, says)
    assert open_model(TINY, device="cpu").record("A cat.").info.name == TINY


def test_a_setting_that_is_not_known_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "dask")
    with pytest.raises(ModelLoadError, match="HEADLIGHT_ENGINE is 'dask', expected local or ray"):
        open_model("mini-bert")


def test_where_ray_is_not_installed_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each == "ray" or each.startswith(("ray.", "models.engine.ray."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)  # as Python has it that a package is not there
    monkeypatch.setenv(SETTING, "ray")
    with pytest.raises(ModelLoadError, match=r"Ray is not installed\..*pip install -c requirements\.lock --group ray"):
        open_model("mini-bert")


def test_nothing_but_the_modules_of_the_extra_imports_ray() -> None:
    """The app, a corpus read here, and what is sent: in a process that is told that there is no Ray."""
    modules = (
        name_of(path).removesuffix(".py").replace("/", ".")
        for path in SOURCES
        if path.parent == ROOT / "models" / "engine" and not path.stem.startswith("__")
    )
    program = f"import sys; sys.modules['ray'] = None; import ui.desk.ask, {', '.join(modules)}"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_what_lies_on_one_disk_is_not_asked_of_other_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FolderSource(
        knows=lambda name: name == "brought/model",
        folder_of=lambda _: ROOT / TINY,
        is_strangers=lambda _: True,
        languages_of=lambda _: (),
    )
    monkeypatch.setitem(sources._sources, "brought/", source)
    assert is_on_every_machine("mini-bert")
    assert is_on_every_machine(TINY)
    assert is_on_every_machine("bert-base-uncased")
    assert not is_on_every_machine("brought/model")
    assert not is_on_every_machine(str(tmp_path))
    monkeypatch.setenv(SETTING, "ray")
    opened = open_model("brought/model")  # in a process of its own beside the server, wherever the others are
    assert isinstance(opened, GuestModel)
    opened.close()


def test_a_precision_is_passed_on_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "local")
    assert open_model(TINY, device="cpu", dtype="bfloat16").info.dtype == "bfloat16"
    monkeypatch.setenv(SETTING, "ray")
    with pytest.raises(DeviceError, match=r"float32.*bfloat16"):
        open_model("mini-bert", dtype="bfloat16")
