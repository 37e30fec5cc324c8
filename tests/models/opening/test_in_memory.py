"""A model in memory, of transformers or from scratch: recorded as from its folder, and left as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from torch import nn
from torch.nn.utils import parametrizations, prune

from models import load
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.values.errors import ArgumentError, MissingCapabilityError, ModelLoadError, ModelNotFoundError
from models.values.places import Image
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.families import FAMILIES, WRITTEN_OUT, byte_level, wordpiece

TEXT = "The animal didn't cross the street."
ALL = FAMILIES | WRITTEN_OUT


def made(family: str, **settings: Any) -> Any:
    """Return a tiny random model of a family, in training, as it comes out of a notebook."""
    torch.manual_seed(0)
    of_family = ALL[family]
    return of_family.model_class._from_config(of_family.config(), **settings).train()


def state_of(model: nn.Module) -> dict[str, Any]:
    """Return everything that opening a model might change."""
    weights = {name: (id(weight), weight.data_ptr(), weight.dtype) for name, weight in model.named_parameters()}
    flags = {name: (module.training, len(module._forward_hooks)) for name, module in model.named_modules()}
    gradients = {name: weight.requires_grad for name, weight in model.named_parameters()}
    config = model.config.to_dict() if hasattr(model.config, "to_dict") else repr(model.config)
    implementation = getattr(model.config, "_attn_implementation", None)
    return {"weights": weights, "flags": flags, "gradients": gradients, "config": config, "by": implementation}


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2", "llama", "falcon", "bart", "t5"])
def test_it_is_recorded_to_its_own_attention_and_left_as_it_was(family: str) -> None:
    model, tokenizer = made(family), ALL[family].tokenizer()
    spelled = tokenizer(TEXT)["input_ids"]
    ids = {"input_ids": torch.tensor([spelled])}
    target = {"decoder_input_ids": ids["input_ids"]} if model.config.is_encoder_decoder else {}
    model(**ids, **target, output_hidden_states=True)  # which puts hooks of transformers on it
    before = state_of(model)
    opened = load(model, tokenizer)
    recording = opened.record(TEXT)
    assert state_of(model) == before
    assert tokenizer(TEXT)["input_ids"] == spelled
    assert opened.info.name == type(model).__name__
    kind = opened.info.kinds[0]
    eager = made(family, attn_implementation="eager").eval()
    eager.load_state_dict(model.state_dict())
    stack = eager.get_encoder() if kind == "encoder" and len(opened.info.kinds) > 1 else eager
    own = stack(**ids, output_attentions=True).attentions
    record = recording.of(kind)
    for layer, weights in enumerate(own):
        assert_close(record.layer_weights(layer), weights[0].detach(), tolerance=PARITY)


def test_its_weights_are_shared_until_it_is_converted() -> None:
    model = made("bert")
    opened: Any = load(model, wordpiece())
    theirs = dict(opened.network.model.named_parameters())
    assert all(theirs[name].data_ptr() == weight.data_ptr() for name, weight in model.named_parameters())
    half = load(model, wordpiece(), dtype="bfloat16", device="cpu")
    assert half.info.dtype == "bfloat16"
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}


def test_hooks_of_the_model_do_not_run() -> None:
    model, calls = made("bert"), list[str]()
    for module in model.modules():
        module.register_forward_hook(lambda *_: calls.append("hook"))
    opened = load(model, wordpiece())
    opened.record(TEXT)
    assert calls == []
    assert any("hooks of BertForPreTraining do not run" in note for note in opened.info.notes)
    assert load(made("bert"), wordpiece()).info.notes == ()
    model(torch.tensor([[2, 5, 3]]))
    assert calls


def test_what_it_can_be_asked_goes_by_its_class() -> None:
    masked = load(made("bert"), wordpiece())
    assert (masked.info.can_fill_mask, masked.info.can_judge_next_sentence) == (True, True)
    assert len(masked.fill_mask("The animal [MASK] the street.", top_k=3)[0].choices) == 3
    torch.manual_seed(0)
    bare = load(hf.BertModel(FAMILIES["bert"].config()), wordpiece())
    assert not bare.info.can_fill_mask
    with pytest.raises(MissingCapabilityError):
        bare.fill_mask("The animal [MASK] the street.")
    only_masked = load(hf.BertForMaskedLM(FAMILIES["bert"].config()), wordpiece())
    assert (only_masked.info.can_fill_mask, only_masked.info.can_judge_next_sentence) == (True, False)
    causal = load(made("gpt2"), FAMILIES["gpt2"].tokenizer())
    assert causal.info.can_continue
    assert causal.continue_text("The animal", n_new=3, temperature=0).written
    without_head = load(hf.GPT2Model(FAMILIES["gpt2"].config()), FAMILIES["gpt2"].tokenizer())
    assert (without_head.info.kinds, without_head.info.can_continue) == (("decoder",), False)


@pytest.mark.parametrize("name", ["headlight-bert", "mini-gpt", "mini-llama", "translator-es"])
def test_a_model_from_scratch_is_opened_as_from_its_folder(name: str) -> None:
    from_folder: Any = load(name, device="cpu")
    model: Any = from_folder.model
    before = {weight: parameter.data_ptr() for weight, parameter in model.named_parameters()}
    opened = load(model, from_folder.tokenizer)
    expected, recording = from_folder.record("The old man"), opened.record("The old man")
    for kind in expected.kinds:
        n = min(expected.of(kind).n_query, recording.of(kind).n_query)  # a translator's end is told by its tokenizer
        one, other = (each.of(kind).layer_weights(0)[:, :n, :n] for each in (expected, recording))
        assert_close(other, one)
    assert {weight: parameter.data_ptr() for weight, parameter in model.named_parameters()} == before


def test_a_model_of_ones_own_from_scratch() -> None:
    torch.manual_seed(0)
    config = TransformerConfig(d_vocab=len(wordpiece()), d_model=16, n_heads=2, n_layers=2, d_ff=32, max_tokens=64)
    opened = load(PretrainingModel(config), wordpiece())
    record = opened.record(TEXT).of("encoder")
    assert (record.n_layers, record.n_heads) == (2, 2)
    assert_close(record.layer_weights(1).sum(axis=-1), 1)


def test_a_vision_transformer_comes_with_its_processor() -> None:
    config = hf.ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=32, patch_size=8
    )
    torch.manual_seed(0)
    model = hf.ViTModel(config).train()
    processor = hf.ViTImageProcessor(size={"height": 32, "width": 32})
    picture = Image(pixels=np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8))
    recording = load(model, processor).record(picture)
    assert recording.of("encoder").n_query == 17
    assert model.training


def test_several_texts_are_recorded_as_each_alone() -> None:
    model = load(made("bert"), wordpiece())
    texts = [TEXT, "He went to the shop.", "A", TEXT * 3, *["it was too tired"] * 9]
    recordings = model.record_texts(texts)
    assert len(recordings) == len(texts)
    for text, recording in zip(texts, recordings, strict=True):
        alone = model.record(text)
        assert recording.tokens == alone.tokens
        assert_close(recording.of("encoder").layer_weights(2), alone.of("encoder").layer_weights(2))


def test_what_is_refused_says_what_to_do(tmp_path: Path) -> None:
    model = made("bert")
    for arguments, said in (
        ((model,), "load(model, tokenizer)"),
        ((model, "bert-base-uncased"), "AutoTokenizer.from_pretrained"),
        ((nn.Linear(2, 2), wordpiece()), "viz.show(attention, tokens)"),
        (("headlight-bert", wordpiece()), "its own tokenizer"),
    ):
        with pytest.raises(ArgumentError) as raised:
            load(*arguments)
        assert said in str(raised.value)
    with pytest.raises(ArgumentError, match="texts is"):
        load(model, wordpiece()).record_texts(TEXT)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's own import
def test_what_torch_compiles_is_opened_uncompiled() -> None:
    model = made("roberta")
    opened = load(torch.compile(model), byte_level())
    assert opened.info.name == type(model).__name__


class Distributed(nn.Module):
    """As DistributedDataParallel holds the model that it trains."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module


@pytest.mark.parametrize("wrap", [nn.DataParallel, Distributed])
def test_a_model_that_is_trained_on_several_devices_is_opened_without_its_wrapper(wrap: Any) -> None:
    for wrapped in (wrap(made("bert")), wrap(torch.compile(made("bert")))):
        opened = load(wrapped, wordpiece())
        assert opened.info.name == "BertForPreTraining"
        assert opened.record(TEXT).attention[0].has_vectors


def half_pruned(model: Any) -> Any:
    prune.l1_unstructured(model.bert.encoder.layer[0].attention.self.query, "weight", 0.5)
    return model


def normed(model: Any) -> Any:
    parametrizations.weight_norm(model.bert.encoder.layer[0].attention.self.query)
    return model


@pytest.mark.parametrize("change", [half_pruned, normed])
def test_weights_that_are_computed_anew_are_refused_with_what_to_do(change: Any) -> None:
    with pytest.raises(ArgumentError, match=r"computed anew in each pass.*remove_parametrizations.*prune.remove"):
        load(change(made("bert")), wordpiece())


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_weight_that_is_no_number_is_named(number: float) -> None:
    model = made("bert")
    model.bert.encoder.layer[1].output.dense.weight.data[0, 0] = number
    with pytest.raises(ModelLoadError, match=r"encoder.layer.1.output.dense.weight contains values that are not fin"):
        load(model, wordpiece())


@pytest.mark.parametrize("given", [{}, [], (), hf.BertConfig(), hf.BertForMaskedLM, 3, b"bert", wordpiece()])
def test_what_is_no_model_is_named_by_its_type_and_not_written_out(given: Any) -> None:
    for tokenizer in (wordpiece(), None):
        with pytest.raises(ModelNotFoundError, match=r"neither text nor a path.*load\(model, tokenizer\)") as refused:
            load(given, tokenizer)
        assert len(str(refused.value)) < 400
    with pytest.raises(ArgumentError, match=r"The tokenizer is a model, of the class BertForPreTraining"):
        load(given, made("bert"))


@pytest.mark.parametrize("language", [None, 3, ["es"], b"es"])
def test_a_language_that_is_no_text_is_said(language: Any) -> None:
    for name in ("source_language", "target_language"):
        with pytest.raises(ArgumentError, match=f"{name} is .*expected"):
            load("mini-bert", **{name: language})
