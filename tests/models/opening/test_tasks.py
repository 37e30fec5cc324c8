"""What a model is asked for: by the list, by its card, by its configuration; and examples go by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.opening.registry import REGISTRY, load, task_of
from models.opening.restriction import CURATED_ONLY
from models.opening.tasks import FILL_MASK, TEXT_GENERATION, TRANSLATION, WRITES
from models.values.errors import MissingCapabilityError
from tests.models.huggingface.families import FAMILIES, save

SAVED = {"bert": FILL_MASK, "roberta": FILL_MASK, "gpt2": TEXT_GENERATION, "llama": TEXT_GENERATION}
EMBEDDED = [name for name, entry in REGISTRY.items() if entry.is_embedded]


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_embedded_models_do_what_their_cards_say(name: str) -> None:
    try:
        filled = len(load(name).masked_words("The [MASK] is here.").positions)
    except MissingCapabilityError:
        filled = 0
    assert filled == int(task_of(name) == FILL_MASK)


def test_a_listed_model_that_writes_fills_no_masks() -> None:
    assert {name for name, entry in REGISTRY.items() if entry.task in WRITES} == {
        name for name, entry in REGISTRY.items() if "causal" in entry.about or "translates" in entry.about
    } | {"google-t5/t5-small"}


@pytest.mark.parametrize("family", SAVED)
def test_a_folder_says_it_by_its_configuration(family: str, tmp_path: Path) -> None:
    assert task_of(str(save(FAMILIES[family], tmp_path))) == SAVED[family]


def test_a_translator_is_told_by_the_name_of_its_class(tmp_path: Path) -> None:
    assert task_of(str(save(FAMILIES["marian"], tmp_path))) == TRANSLATION


@pytest.mark.parametrize("name", ["", " ", "no/such", "a" * 5000, "../..", "\0", "what is this?"])
def test_of_any_other_name_nothing_is_known(name: str) -> None:
    assert not task_of(name)


@pytest.mark.parametrize(
    "said", ["[1, 2]", '{"architectures": 3}', '{"architectures": []}', "{", '{"architectures": [{}]}']
)
def test_a_strange_configuration_says_nothing(said: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(said, encoding="utf-8")
    assert not task_of(str(tmp_path))


def test_a_restricted_server_looks_into_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(save(FAMILIES["gpt2"], tmp_path))
    monkeypatch.setenv(CURATED_ONLY, "1")
    assert not task_of(folder)
