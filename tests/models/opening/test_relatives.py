"""Which models can be set beside a model: its snapshots, and those of its tokenizer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lab import runs
from lab.uploads import checkpoints
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, check_allowed, is_embedded, load
from models.opening.relatives import iteration_of, of_one_tokenizer, snapshots_beside
from models.opening.restriction import CURATED_ONLY
from models.values.errors import ModelNotAllowedError

TINY = next(name for name in REGISTRY if "/tiny-bert/" in name)
FOLDER = ROOT / PRETRAINED / "tiny-bert"


def test_an_embedded_run_has_its_snapshots_and_they_open_also_where_only_the_list_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(CURATED_ONLY, "1")
    found = snapshots_beside(TINY)
    there = {int(each.name.removeprefix("step-")) for each in FOLDER.glob("step-*")}
    assert list(found) == sorted(there - {iteration_of(TINY)})
    first = found[min(found)]
    check_allowed(first)
    assert iteration_of(first) == min(found)
    assert load(first).info.name == first
    assert TINY in snapshots_beside(first).values()
    assert snapshots_beside("mini-bert") == snapshots_beside("org/name") == {}


NO_SNAPSHOTS = (
    "",
    "step-000000",
    "models/step-000000",
    f"{PRETRAINED}/tiny-bert/../../step-000000",
    f"{PRETRAINED}/../step-000000",
    f"{PRETRAINED}/tiny-bert/step-999999",
    f"{PRETRAINED}/tiny-bert/step-000000/x",
)


@pytest.mark.parametrize("name", NO_SNAPSHOTS)
def test_nothing_else_passes_for_a_snapshot(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_embedded(name)
    monkeypatch.setenv(CURATED_ONLY, "1")
    if name:
        with pytest.raises(ModelNotAllowedError, match=re.escape(repr(name))):
            check_allowed(name)


def test_a_run_of_the_lab_has_those_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, run = f"lab/copy-{'0' * 20}", tmp_path / "run"
    for folder in (run / runs.MODEL, *(run / runs.SNAPSHOTS / step for step in ("step-000010", "step-000200"))):
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    (run / runs.SNAPSHOTS / "step-000300").mkdir()

    def folder_of(asked: str) -> Path:
        return run / runs.MODEL if asked == name else run / runs.SNAPSHOTS / asked.rpartition("/")[2]

    monkeypatch.setattr("models.opening.relatives.source_of", lambda asked: checkpoints if "lab/" in asked else None)
    monkeypatch.setattr(checkpoints, "folder_of", folder_of)
    assert snapshots_beside(name) == {10: f"{name}/step-000010", 200: f"{name}/step-000200"}
    assert snapshots_beside(f"{name}/step-000200") == {10: f"{name}/step-000010"}


def test_models_of_one_tokenizer_have_its_very_file() -> None:
    assert set(of_one_tokenizer("sentiment", tuple(REGISTRY))) == {"sentiment-mean"}
    assert set(of_one_tokenizer("tagger", ("headlight-bert", "mini-bert", "tagger"))) == {"headlight-bert"}
    assert of_one_tokenizer("org/name", tuple(REGISTRY)) == ()
