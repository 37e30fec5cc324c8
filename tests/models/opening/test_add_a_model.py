"""docs/add-a-model.md, followed word for word: its line comes into the list, its code runs."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import models
from models.opening import registry
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, entry_of, load
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES, save

GUIDE = (ROOT / "docs" / "add-a-model.md").read_text(encoding="utf-8")
LINE, TRY, OWN = (dedent(code) for code in re.findall(r"(?ms)^```python\n(.*?)^```$", GUIDE))
NAME = "organisation/name"


def test_the_line_of_the_guide_is_an_entry_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = eval(f"({LINE})", vars(registry))
    monkeypatch.setitem(REGISTRY, entry.name, entry)
    assert entry_of(NAME) == entry
    assert (entry.name, entry.languages, entry.is_embedded) == (NAME, ("en",), False)


@pytest.mark.parametrize(("family", "kind"), [("bert", "encoder"), ("gpt2", "decoder")])
def test_a_model_of_a_known_family_is_recorded_as_the_guide_tries_it(
    family: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(save(FAMILIES[family], tmp_path))
    monkeypatch.setattr(models, "load", lambda name: load({NAME: folder}[name]), raising=False)
    *before, last = TRY.replace('of("encoder")', f'of("{kind}")').strip().splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(before), names)
    assert_close(eval(last, names), 1)


@pytest.mark.parametrize(("folder", "question"), [("translator-es", "translate"), ("mini-gpt", "continue_text")])
def test_a_folder_opens_and_writes_as_the_guide_says(folder: str, question: str) -> None:
    kept = [line for line in OWN.splitlines() if not line.startswith("model.") or question in line]
    code = "\n".join(kept).replace("path/to/folder", str(ROOT / PRETRAINED / folder))
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["model"].info.name == "my-model"
    assert sum(line.startswith("model.") for line in kept) == 1
