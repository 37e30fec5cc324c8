"""The readers from scratch use every weight of a Hugging Face folder, and honour or refuse its settings."""

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

from models.model import Model
from models.opening.folders import load_folder
from models.values.errors import MissingCapabilityError, ModelLoadError
from tests.models.huggingface.families import COMMON, FAMILIES, GROUPED, Family, byte_level, save, wordpiece

Weights = dict[str, Tensor]
TEXT = "The animal was tired."
MODELS = {name: FAMILIES[name] for name in ("bert", "gpt2")} | {
    "llama": Family(
        model_class=hf.LlamaForCausalLM,
        config=lambda: hf.LlamaConfig(tie_word_embeddings=True, **GROUPED),
        tokenizer=byte_level,
    ),
    "bart": Family(
        model_class=hf.BartForConditionalGeneration,
        config=lambda: hf.BartConfig(**_alike()),
        tokenizer=byte_level,
    ),
    "classifier": Family(
        model_class=hf.BertForSequenceClassification,
        config=lambda: hf.BertConfig(**COMMON | {"pad_token_id": 0}),
        tokenizer=wordpiece,
    ),
}


def _alike() -> dict[str, object]:
    """A BART with both halves alike, as ours has them."""
    return hf.BartConfig.from_dict(FAMILIES["bart"].config().to_dict() | {"encoder_layers": 3}).to_dict()


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    return cache(lambda name: save(MODELS[name], tmp_path_factory.mktemp(name)))


@pytest.fixture
def opened(wholes: Callable[[str], Path], tmp_path: Path) -> Callable[..., Model]:
    def open_changed(name: str, weights: Callable[[Weights], Weights] | None = None, **fields: object) -> Model:
        folder = shutil.copytree(wholes(name), tmp_path / "mine")
        kept = load_file(folder / "model.safetensors")
        more = weights(kept) if weights else {}
        save_file({**kept, **more}, folder / "model.safetensors", metadata={"format": "pt"})
        said = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(said | fields))
        return load_folder(folder, name="my-model", device="cpu")

    return open_changed


@pytest.mark.parametrize("name", MODELS)
def test_whole_folders_of_transformers_open(opened: Callable[..., Model], name: str) -> None:
    model = opened(name)
    assert model.info.notes == ()
    assert model.info.n_layers == 3


UNUSED = {
    "bert": "bert.encoder.layer.0.attention.self.distance_embedding.weight",
    "classifier": "emotion_head.weight",
    "gpt2": "transformer.h.1.attn.q_norm.weight",
    "llama": "model.layers.0.self_attn.k_proj.bias",
    "bart": "model.decoder.layers.0.gate.weight",
}


@pytest.mark.parametrize("name", UNUSED)
def test_a_weight_that_would_not_be_used_is_refused(opened: Callable[..., Model], name: str) -> None:
    weight = UNUSED[name]
    with pytest.raises(ModelLoadError, match=weight.partition(".")[2].replace(".", r"\.")):
        opened(name, lambda _: {weight: torch.ones(16)})


@pytest.mark.parametrize(
    ("name", "matrix", "original"),
    [
        ("gpt2", "lm_head.weight", "transformer.wte.weight"),
        ("llama", "lm_head.weight", "model.embed_tokens.weight"),
        ("bart", "lm_head.weight", "model.shared.weight"),
        ("bert", "cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight"),
    ],
)
def test_a_tied_matrix_that_is_another_one_is_refused(
    opened: Callable[..., Model], tmp_path: Path, name: str, matrix: str, original: str
) -> None:
    assert opened(name, lambda kept: {matrix: kept[original].clone()}).info.notes == ()
    shutil.rmtree(tmp_path / "mine")
    with pytest.raises(ModelLoadError, match=f"{matrix} is not the same as"):
        opened(name, lambda kept: {matrix: kept[original] + 1})


IDLE = {
    "bert": {"bert.embeddings.position_ids": torch.arange(130)[None]},
    "gpt2": {"transformer.h.0.attn.bias": torch.ones(1, 1, 130, 130).tril()},
    "llama": {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(4)},
}


@pytest.mark.parametrize("name", IDLE)
def test_what_changes_no_number_is_passed_over(opened: Callable[..., Model], name: str) -> None:
    assert opened(name, lambda _: IDLE[name]).info.notes == ()


def test_a_head_that_the_configuration_does_not_name_is_named_in_a_note(opened: Callable[..., Model]) -> None:
    (note,) = opened("classifier", lambda _: {"cls.predictions.bias": torch.ones(600)}).info.notes
    assert "cls.predictions.bias" in note


def test_a_classifier_with_one_output_is_told_to_give_a_score(opened: Callable[..., Model]) -> None:
    model = opened(
        "classifier",
        lambda kept: {n: kept[n][:1] for n in kept if n.startswith("classifier.")},
        id2label={"0": "LABEL_0"},
        problem_type="regression",
    )
    for asked in (model.answer_logits, model.label_text, model.fill_mask, model.guess_tokens):
        with pytest.raises(MissingCapabilityError, match=r"^my-model gives one score for a text"):
            asked(TEXT)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("bert", "position_embedding_type", "relative_key_query"),
        ("bert", "alibi", True),
        ("bert", "is_decoder", True),
        ("bert", "rope_scaling", {"type": "linear", "factor": 2.0}),
        ("bert", "add_cross_attention", True),
        ("gpt2", "sliding_window", 16),
        ("gpt2", "scale_attn_by_inverse_layer_idx", True),
        ("gpt2", "alibi", True),
        ("llama", "sliding_window", 16),
        ("llama", "attn_logit_softcapping", 30.0),
        ("llama", "is_causal", False),
        ("llama", "partial_rotary_factor", 0.5),
        ("llama", "attention_bias", True),
        ("llama", "rope_scaling", {"rope_type": "dynamic", "factor": 2.0}),
        ("bart", "attention_window", [8, 8, 8]),
        ("bart", "forced_bos_token_id", 5),
        ("bert", "type_vocab_size", 0),
    ],
)
def test_a_setting_of_another_attention_is_refused(
    opened: Callable[..., Model], name: str, field: str, value: object
) -> None:
    without = {"rope_parameters": None} if field == "rope_scaling" else {}
    with pytest.raises(ModelLoadError):
        opened(name, **{field: value}, **without)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("bert", "position_embedding_type", "absolute"),
        ("bert", "is_causal", False),
        ("llama", "sliding_window", None),
        ("llama", "sliding_window", 4096),
        ("gpt2", "scale_attn_weights", True),
    ],
)
def test_a_setting_that_changes_nothing_passes(
    opened: Callable[..., Model], name: str, field: str, value: object
) -> None:
    assert opened(name, **{field: value}).record(TEXT).attention


@pytest.mark.parametrize(
    ("name", "field", "value", "words"),
    [
        ("bert", "architectures", [["BertModel"]], None),
        ("bert", "intermediate_size", 10**18, "no memory holds the sizes"),
        ("bert", "vocab_size", 10**30, "no memory holds the sizes"),
        ("bert", "layer_norm_eps", 10**400, "layer_norm_eps is .*expected a number"),
        ("llama", "rope_parameters", {"rope_theta": float("inf")}, "rope_theta is 'inf', expected a number"),
        ("llama", "head_dim", {"a": 1}, "head_dim is .*expected a whole number"),
        ("gpt2", "activation_function", ["gelu"], "activation_function is .*expected one of"),
        ("bart", "activation_function", {"a": 1}, "activation_function is .*expected one of"),
        ("bert", "pad_token_id", "none", None),
        ("gpt2", "attn_pdrop", None, None),
        ("llama", "eos_token_id", True, "True was given for tokens, expected numbers"),
        ("classifier", "problem_type", 5, "expected one of .*'regression'"),
    ],
)
def test_a_strange_value_is_refused_in_our_words_or_changes_nothing(
    opened: Callable[..., Model], name: str, field: str, value: object, words: str | None
) -> None:
    if words is None:
        assert opened(name, **{field: value}).record(TEXT).attention
        return
    with pytest.raises(ModelLoadError, match=words) as caught:
        opened(name, **{field: value})
    assert "\n" not in str(caught.value)
    assert "Error" not in str(caught.value)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("model.safetensors", b"version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
        ("model.safetensors", b"<!doctype html>", "web page"),
        ("config.json", b"{'a': 1}", "damaged in line 1"),
        ("tokenizer.json", b"{}", "no tokenizer that can be opened"),
    ],
)
def test_what_is_wrong_with_the_files_is_said_as_for_any_other_folder(
    wholes: Callable[[str], Path], tmp_path: Path, file: str, content: bytes, words: str
) -> None:
    folder = shutil.copytree(wholes("bert"), tmp_path / "mine")
    (folder / file).write_bytes(content)
    with pytest.raises(ModelLoadError, match=words) as caught:
        load_folder(folder, name="my-model", device="cpu")
    assert "Error" not in str(caught.value)
