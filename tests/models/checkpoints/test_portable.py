"""A checkpoint of anybody's travels if a browser computes what it says, and is refused if it says anything else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import transformers as hf
from safetensors.numpy import load, load_file

from models.checkpoints import portable
from models.checkpoints.eight_bits import SCALE
from models.checkpoints.portable import can_travel, portable_copy
from tests.browser.engine_texts import byte_level, save_gpt2_in_bytes, texts
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES, save

Settings = dict[str, Any]
ROUNDED_HALF = 2**-11
"""The share of a number that float16 may round off."""


def save_bert(folder: Path) -> None:
    save(FAMILIES["bert"], folder)


def save_llama_in_bytes(folder: Path) -> None:
    """A Llama with grouped keys and a tokenizer as SmolLM has it."""
    raw = byte_level(list(islice(texts(), 500)), has_digits_apart=True)
    hf.PreTrainedTokenizerFast(tokenizer_object=raw).save_pretrained(folder)
    config = hf.LlamaConfig(
        vocab_size=raw.get_vocab_size(),
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        tie_word_embeddings=True,
        bos_token_id=0,
        eos_token_id=0,
    )
    hf.LlamaForCausalLM(config).save_pretrained(folder)


KINDS = {"bert": save_bert, "gpt2": save_gpt2_in_bytes, "llama": save_llama_in_bytes}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {kind: tmp_path_factory.mktemp(kind) for kind in KINDS}
    for kind, folder in made.items():
        KINDS[kind](folder)
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_its_weights_are_those_of_the_file_in_8_bits(folders: dict[str, Path], kind: str) -> None:
    folder = folders[kind]
    assert can_travel(folder)
    copy = portable_copy(folder, "somebody/model")
    theirs, ours = load_file(folder / "model.safetensors"), load(copy.weights)
    names = {name.removeprefix("transformer.") for name in ours if not name.endswith(SCALE)}
    assert names <= {name.removeprefix("transformer.") for name in theirs}
    for name in (name for name in ours if not name.endswith(SCALE)):
        scale = ours.get(name + SCALE)
        if scale is None:
            assert_close(ours[name], theirs[name], tolerance=2 * ROUNDED_HALF)
        else:
            for row, rounded, step in zip(theirs[name], ours[name] * scale[:, None], scale, strict=True):
                assert_close(rounded, row, tolerance=2 * ROUNDED_HALF, step=step)
    assert (copy.name, copy.license, copy.findings) == ("somebody/model", "", {})
    assert copy.sha256 == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert copy.tokenizer == json.loads((folder / "tokenizer.json").read_text())


def test_a_licence_is_the_one_that_its_card_names(folders: dict[str, Path], tmp_path: Path) -> None:
    for file in folders["gpt2"].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n")
    assert portable_copy(tmp_path, "gpt2").license == "mit"


def add_lstrip(settings: Settings) -> None:
    settings["added_tokens"][0]["lstrip"] = True


def no_mlm_head(settings: Settings) -> None:
    settings["architectures"] = ["BertModel"]


def set_in(*path: str, to: object) -> Callable[[Settings], None]:
    def change(settings: Settings) -> None:
        for part in path[:-1]:
            settings = settings[part]
        settings[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("kind", "file", "change"),
    [
        ("bert", "config.json", no_mlm_head),
        ("bert", "config.json", set_in("hidden_act", to="relu")),
        ("bert", "config.json", set_in("position_embedding_type", to="relative_key")),
        ("bert", "config.json", set_in("model_type", to="roberta")),
        ("bert", "config.json", set_in("model_type", to=["bert"])),
        ("bert", "tokenizer.json", set_in("normalizer", to={"type": "NFC"})),
        ("bert", "tokenizer.json", set_in("pre_tokenizer", to={"type": "Whitespace"})),
        ("bert", "tokenizer.json", set_in("post_processor", to=None)),
        ("bert", "tokenizer.json", add_lstrip),
        ("gpt2", "config.json", set_in("scale_attn_by_inverse_layer_idx", to=True)),
        ("gpt2", "config.json", set_in("activation_function", to="relu")),
        ("gpt2", "tokenizer.json", set_in("pre_tokenizer", "add_prefix_space", to=True)),
        ("gpt2", "tokenizer.json", set_in("pre_tokenizer", "use_regex", to=False)),
        ("gpt2", "tokenizer.json", set_in("pre_tokenizer", to=None)),
        ("gpt2", "tokenizer.json", set_in("normalizer", to={"type": "NFC"})),
        ("gpt2", "tokenizer.json", set_in("post_processor", to={"type": "RobertaProcessing"})),
        ("gpt2", "tokenizer.json", set_in("model", "ignore_merges", to=True)),
        ("gpt2", "tokenizer.json", set_in("model", "byte_fallback", to=True)),
        ("gpt2", "tokenizer.json", set_in("model", "end_of_word_suffix", to="</w>")),
        ("gpt2", "tokenizer.json", set_in("model", "dropout", to=0.1)),
        ("gpt2", "tokenizer.json", set_in("model", "type", to="Unigram")),
        ("llama", "config.json", set_in("attention_bias", to=True)),
        ("llama", "config.json", set_in("tie_word_embeddings", to=False)),
        ("llama", "tokenizer.json", set_in("pre_tokenizer", "pretokenizers", to=[{"type": "Digits"}])),
    ],
)
def test_what_a_browser_would_compute_otherwise_stays(
    folders: dict[str, Path], tmp_path: Path, kind: str, file: str, change: Callable[[Settings], None]
) -> None:
    for each in folders[kind].iterdir():
        (tmp_path / each.name).symlink_to(each)
    settings = json.loads((tmp_path / file).read_text())
    change(settings)
    (tmp_path / file).unlink()
    (tmp_path / file).write_text(json.dumps(settings))
    assert can_travel(folders[kind])
    assert not can_travel(tmp_path)


def test_what_cannot_be_read_or_is_too_large_stays(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not can_travel(tmp_path)
    (tmp_path / "config.json").write_text("[1, 2")
    assert not can_travel(tmp_path)
    (tmp_path / "config.json").write_text("[1, 2]")
    assert not can_travel(tmp_path)
    monkeypatch.setattr(portable, "MOST_BYTES", 1000)
    assert not can_travel(folders["gpt2"])


def test_a_configuration_nested_too_deep_cannot_travel(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}")
    assert not can_travel(tmp_path)
