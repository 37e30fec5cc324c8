"""The list of models says what opens on this machine and what needs the network, as it is now."""

from __future__ import annotations

from pathlib import Path

import pytest
from huggingface_hub import constants
from streamlit.testing.v1 import AppTest

from models.opening.registry import REGISTRY, is_on_this_machine
from tests.models.huggingface.families import FAMILIES, save
from tests.ui.test_pages import alone
from ui.widgets.asking import inputs

HERE = "on this machine"
KOREAN = "klue/bert-base"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub, which is looked at at every run."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(inputs, "LABEL_HOLDS", 1e-9)
    return tmp_path


def download(cache: Path, name: str, *files: str) -> None:
    """What huggingface_hub leaves in its cache, as far as it is looked at."""
    place = cache / f"models--{name.replace('/', '--')}"
    snapshot = place / "snapshots" / ("5" * 40)
    snapshot.mkdir(parents=True)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("5" * 40, encoding="utf-8")
    for file in files:
        (snapshot / file).write_text("{}", encoding="utf-8")


def where(app: AppTest, name: str) -> str:
    """Return the text below the name of a model in the list."""
    short, folder = shown(name), name.rpartition("/")[0]
    (said,) = [
        below
        for above, below in (option.split("\n") for option in app.selectbox(key="model").options)
        if above.strip() == short and (REGISTRY[name].is_embedded or below.startswith(f"{folder}  ·  "))
    ]
    return said.removeprefix(f"{folder}  ·  ").split("  ·  ")[0]


def shown(name: str) -> str:
    """The name of a model as its field shows it: short enough for the room that it has."""
    if not REGISTRY[name].is_embedded:
        return name.rpartition("/")[2]
    short = name.removeprefix("models/pretrained/")
    return f"{short} · transformers" if short != name and short in REGISTRY else short


def test_every_model_of_the_list_says_where_it_is() -> None:
    app = alone("pages/attention.py")
    for name, entry in REGISTRY.items():
        assert where(app, name).startswith(entry.about.split(",")[0] if entry.is_embedded else far(name))


def far(name: str) -> str:
    """What the list says of a model that has to be downloaded, its size with it."""
    return f"{REGISTRY[name].megabytes:,} MB to download"


def test_after_a_download_it_is_on_this_machine(cache: Path) -> None:
    app = alone("pages/attention.py")
    assert where(app, KOREAN) == far(KOREAN)
    download(cache, KOREAN, "config.json", "model.safetensors")
    app.run()
    assert where(app, KOREAN) == HERE
    assert where(app, "klue/roberta-base") == far("klue/roberta-base")


def test_a_download_without_weights_is_none_and_a_short_id_is_its_long_one(cache: Path) -> None:
    download(cache, KOREAN, "config.json")
    assert not is_on_this_machine(KOREAN)
    download(cache, "google-bert/bert-base-uncased", "config.json", "model.safetensors.index.json")
    assert is_on_this_machine("bert-base-uncased")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["bert"], tmp_path_factory.mktemp("typed") / "my bert")


@pytest.mark.parametrize("written", ['"{home}/my bert"', "~/my bert/config.json", "file://{home}/my%20bert/"])
def test_a_path_may_be_typed_as_it_is_copied(folder: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    app = alone("pages/attention.py")
    typed(app, written.format(home=folder.parent))
    assert app.session_state["model"] == str(folder)
    assert not app.error
    assert not app.exception


def test_an_address_may_be_typed_and_becomes_the_line_of_the_list(cache: Path) -> None:
    download(cache, KOREAN, "config.json")
    app = alone("pages/attention.py")
    typed(app, f"https://huggingface.co/{KOREAN}/tree/main")
    assert app.session_state["model"] == KOREAN


def test_what_leads_nowhere_is_said_and_stays_to_be_corrected() -> None:
    app = alone("pages/attention.py")
    typed(app, "~/no-such-folder")
    assert app.session_state["model"] == "~/no-such-folder"
    assert len(app.error) == 1
    assert "folder" in app.error[0].value


def typed(app: AppTest, text: str) -> None:
    """Type something into the field of the model that is no line of its list."""
    field = app.selectbox(key="model")
    field.options.append(text)
    field.set_value(text).run()
