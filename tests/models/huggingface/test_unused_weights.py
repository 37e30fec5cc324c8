"""Every weight of a file is used, named in a note, or refused in a sentence; nothing is dropped in silence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.values.errors import ModelLoadError
from tests.closeness import assert_close
from tests.models.huggingface.families import COMMON, FAMILIES, SEQ2SEQ, Family, save, wordpiece

Weights = dict[str, Tensor]
TEXT = "The animal was tired."
MODELS = {name: FAMILIES[name] for name in ("bert", "llama", "gpt2", "bart")} | {
    "classifier": Family(
        model_class=hf.BertForSequenceClassification,
        config=lambda: hf.BertConfig(**COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
    "headless": Family(
        model_class=hf.BertModel, config=lambda: hf.BertConfig(**COMMON | {"pad_token_id": 0}), tokenizer=wordpiece
    ),
}


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model, saved once."""
    return cache(lambda name: save(MODELS[name], tmp_path_factory.mktemp(name)))


@pytest.fixture
def copied(wholes: Callable[[str], Path], tmp_path: Path) -> Callable[..., Path]:
    def copy(name: str, weights: Weights | None = None, **fields: object) -> Path:
        """A copy of a model with more weights in its file, and other fields in its configuration."""
        folder = shutil.copytree(wholes(name), tmp_path / "mine")
        kept = load_file(folder / "model.safetensors")
        save_file({**kept, **(weights or {})}, folder / "model.safetensors", metadata={"format": "pt"})
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | fields))
        return folder

    return copy


def opened(folder: Path) -> HuggingFaceModel:
    return load_huggingface(str(folder), name="my-model")


INSIDE = {
    "the table of relative positions": ("bert", "bert.encoder.layer.0.attention.self.distance_embedding.weight"),
    "the same without a prefix": ("headless", "encoder.layer.1.attention.self.distance_embedding.weight"),
    "LoRA that was never merged": ("bert", "bert.encoder.layer.2.attention.self.query.lora_A.default.weight"),
    "a bias of keys": ("llama", "model.layers.0.self_attn.k_proj.bias"),
    "a norm of queries": ("llama", "model.layers.1.self_attn.q_norm.weight"),
    "positions in the embeddings": ("llama", "model.embed_positions.weight"),
    "a gate of a decoder": ("bart", "model.decoder.layers.0.gate.weight"),
    "a norm more": ("gpt2", "transformer.h.0.ln_3.weight"),
}


@pytest.mark.parametrize("what", INSIDE)
def test_a_weight_inside_the_layers_that_no_class_uses_is_refused(copied: Callable[..., Path], what: str) -> None:
    name, weight = INSIDE[what]
    with pytest.raises(ModelLoadError) as refused:
        opened(copied(name, {weight: torch.ones(32)}))
    assert weight in str(refused.value)
    assert "does not use" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("bert", "num_hidden_layers"),
        ("llama", "num_hidden_layers"),
        ("gpt2", "n_layer"),
        ("bart", "decoder_layers"),
        ("headless", "num_hidden_layers"),
    ],
)
def test_a_configuration_with_fewer_layers_than_the_file_is_refused(
    copied: Callable[..., Path], name: str, field: str
) -> None:
    with pytest.raises(ModelLoadError, match=r"says 2 layers, and its weights are of 3: .*\.2\."):
        opened(copied(name, **{field: 2}))


BESIDE = {
    "the head of its pretraining": ("classifier", "cls.predictions.bias"),
    "a second classifier": ("bert", "emotion_head.weight"),
    "a value of reinforcement learning": ("gpt2", "v_head.summary.weight"),
    "the head of a body": ("headless", "sentence_head.weight"),
    "a part that predicts several tokens": ("llama", "model.mtp_block.proj.weight"),
}


@pytest.mark.parametrize("what", BESIDE)
def test_a_weight_on_top_that_nobody_asks_for_is_named(
    copied: Callable[..., Path], wholes: Callable[[str], Path], what: str
) -> None:
    name, weight = BESIDE[what]
    model = opened(copied(name, {weight: torch.ones(32)}))
    assert [weight in note for note in model.info.notes] == [True]
    if name == "bert":
        own = opened(wholes(name))
        assert own.info.notes == ()
        assert_close(model.record(TEXT).final_state, own.record(TEXT).final_state, tolerance=1e-6)


def test_weights_in_several_files_beside_the_one_that_is_read_are_named(copied: Callable[..., Path]) -> None:
    folder = copied("llama", {})
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {}}', encoding="utf-8")
    (note,) = opened(folder).info.notes
    assert note.startswith("Two sets of weights lie in its folder. Those of model.safetensors are read")


IDLE: dict[str, tuple[str, Weights]] = {
    "a counter of positions": ("bert", {"bert.embeddings.position_ids": torch.arange(130)[None]}),
    "a causal mask": ("gpt2", {"transformer.h.0.attn.bias": torch.ones(130, 130).tril()[None, None]}),
    "a constant of masks": ("gpt2", {"transformer.h.0.attn.masked_bias": torch.tensor(-1e4)}),
    "angles": ("llama", {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(4)}),
    "a bias of zeros": ("llama", {"model.layers.0.self_attn.k_proj.bias": torch.zeros(16)}),
    "a pooler that no head reads": ("headless", {}),
}


@pytest.mark.parametrize("what", IDLE)
def test_what_changes_no_number_is_passed_over(copied: Callable[..., Path], what: str) -> None:
    name, weights = IDLE[what]
    assert opened(copied(name, weights)).info.notes == ()


def test_every_family_of_ours_uses_all_its_weights(tmp_path: Path) -> None:
    for name in ("roberta", "distilbert", "albert", "electra", "opt", "t5", "modernbert"):
        assert opened(save(FAMILIES[name], tmp_path / name)).info.notes == (), name


def test_layers_of_a_decoder_alone_are_counted_as_its_own(tmp_path: Path) -> None:
    config = hf.BartConfig(**SEQ2SEQ)
    assert config.encoder_layers < config.decoder_layers
    family = Family(model_class=hf.BartForCausalLM, config=lambda: config, tokenizer=FAMILIES["bart"].tokenizer)
    assert opened(save(family, tmp_path)).info.n_layers == config.decoder_layers
