"""Folders made to do harm on a server that opens any model: each ends in a sentence, and keeps nobody waiting."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from safetensors.torch import load_file, save_file
from tokenizers import Regex, Tokenizer, pre_tokenizers
from tokenizers.models import WordLevel
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from models import load
from models.huggingface.checkpoint import files as huggingface_files
from models.huggingface.model import load_huggingface
from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.text import pieces as text
from models.text.prepare import prepare
from models.text.tokenizer.patience import PanicError, panics_as_errors, within
from models.values.errors import ModelLoadError, TextError
from tests.models.huggingface.families import FAMILIES, save

BILLION = 10**9


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["gpt2"], tmp_path_factory.mktemp("gpt2"))


@pytest.fixture
def copied(gpt2: Path, tmp_path: Path) -> Callable[..., Path]:
    def copy(file: str = "config.json", **values: object) -> Path:
        for path in gpt2.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        changed = tmp_path / file
        content = json.loads(changed.read_bytes()) if changed.exists() else {}
        changed.write_text(json.dumps(content | values), encoding="utf-8")
        return tmp_path

    return copy


@pytest.mark.parametrize("field", ["n_layer", "n_embd", "n_head", "n_inner", "vocab_size", "n_positions"])
def test_sizes_are_held_against_the_weights_before_anything_is_built(copied: Callable[..., Path], field: str) -> None:
    begun = time.monotonic()
    with pytest.raises(ModelLoadError, match=rf"says {field} 1,000,000,000.*do not belong together"):
        load_huggingface(str(copied(**{field: BILLION})))
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("family", FAMILIES)
def test_no_ordinary_model_is_refused_for_its_sizes(family: str, tmp_path: Path) -> None:
    from models.checkpoints.sizes import expect_sizes

    expect_sizes(save(FAMILIES[family], tmp_path), family)


def test_an_opening_that_never_ends_is_said_and_keeps_nobody_waiting(
    copied: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, held = copied(), Event()
    monkeypatch.setattr(huggingface_files, "OPENING_SECONDS", 0.2)
    monkeypatch.setattr(AutoTokenizer, "from_pretrained", lambda *_, **__: held.wait(60))
    with pytest.raises(ModelLoadError, match="could not be opened in 0 seconds"):
        load_huggingface(str(folder))
    assert huggingface_files._loading.acquire(timeout=0)
    huggingface_files._loading.release()
    held.set()


def test_weights_that_are_no_numbers_are_said(copied: Callable[..., Path]) -> None:
    folder = copied()
    weights = load_file(folder / "model.safetensors")
    name = min(weights)
    weights[name].flatten()[0] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelLoadError, match=r"contains values that are not finite numbers"):
        load_huggingface(str(folder))


@pytest.mark.parametrize("field", ["bad_words_ids", "suppress_tokens"])
def test_a_checkpoint_that_forbids_too_much_is_said(copied: Callable[..., Path], field: str) -> None:
    forbidden: list[object] = [1] * 100_000 if field == "suppress_tokens" else [[1, 2]] * 50_000
    with pytest.raises(ModelLoadError, match=rf"100,000 tokens in {field}"):
        load_huggingface(str(copied("generation_config.json", **{field: forbidden})))


def test_an_expression_that_never_ends_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "SECONDS_TO_READ", 0.05)
    begun = time.monotonic()
    with pytest.raises(TextError, match=r"did not finish"):
        prepare(splitting(), ("a" * 20 + "b") * 120, max_tokens=4096)  # seconds on any machine
    assert time.monotonic() - begun < 30


def test_a_panic_of_rust_code_is_said() -> None:
    with pytest.raises(TextError, match=r"fails on this text .*retry-limit"):
        prepare(splitting(), "a" * 60 + "b", max_tokens=512)


def test_a_panic_of_a_model_from_a_folder_is_said(tmp_path: Path) -> None:
    source = ROOT / PRETRAINED / "mini-bert"
    for path in source.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    tokenizer = json.loads((tmp_path / "tokenizer.json").read_bytes())
    tokenizer["pre_tokenizer"] = {
        "type": "Split",
        "pattern": {"Regex": "([a-z ]+)+[^a-z ]$"},
        "behavior": "Isolated",
        "invert": False,
    }
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    text = "clear the cutting and padding that its file may ask for"
    for opens in (load_huggingface, load):
        with pytest.raises(TextError, match="retry-limit"):
            opens(str(tmp_path), device="cpu").record(text)
    with pytest.raises(TextError, match="retry-limit"):
        load_folder(tmp_path, name="strange", device="cpu").record(text)


def test_a_panic_is_an_error_and_a_stop_stays_one() -> None:
    with pytest.raises(PanicError), panics_as_errors():
        splitting().backend_tokenizer.encode("a" * 60 + "b")
    with pytest.raises(KeyboardInterrupt), panics_as_errors():
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        within(5, interrupted)


def interrupted() -> None:
    raise KeyboardInterrupt


def splitting() -> PreTrainedTokenizerFast:
    """A tokenizer whose expression tries 2^n ways through n letters."""
    made = Tokenizer(WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Split(Regex("(a+)+$"), "isolated")
    return PreTrainedTokenizerFast(tokenizer_object=made)
