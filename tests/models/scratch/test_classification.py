"""The heads that label texts and tokens, beside transformers' own; and folders of strangers that do not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

from models import load
from models.checkpoints.bert import load_bert, load_checkpoint, save_checkpoint
from models.scratch.classification import ClassifierModel
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import EncoderModelOutput, PretrainingModel
from models.scratch_models.encoder import ScratchModel, load_scratch
from models.values.errors import MissingCapabilityError, ModelLoadError
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.families import wordpiece
from tests.models.scratch.test_scratch import TINY, batch, randomised

LABELS = ("sad", "so-so", "glad")
CLASSES = {"text": hf.BertForSequenceClassification, "tokens": hf.BertForTokenClassification}
TEXT = "The animal was too tired."


def theirs(of: str, **options: Any) -> hf.PreTrainedModel:
    config = hf.BertConfig(
        vocab_size=97,
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=80,
        max_position_embeddings=32,
        id2label=dict(enumerate(LABELS)),
        label2id={n: i for i, n in enumerate(LABELS)},
        **options,
    )
    return randomised(CLASSES[of](config))


def vocabulary_sized() -> TransformerConfig:
    return replace(TINY, d_vocab=len(wordpiece()))


def assert_same(ours: ClassifierModel, other: hf.PreTrainedModel) -> None:
    given = batch()
    with torch.inference_mode():
        mine: EncoderModelOutput = ours(given["ids"], given["segments"], given["mask"])
        yours = other(
            given["ids"],
            token_type_ids=given["segments"],
            attention_mask=given["mask"].long(),
            output_hidden_states=True,
        )
    real = given["mask"]
    logits, expected = mine.text_labels, yours.logits
    if ours.of == "tokens":
        logits, expected = mine.token_labels[real], expected[real]
    assert_close(logits, expected, tolerance=PARITY)
    assert_close(mine.hidden_states[-1][real], yours.hidden_states[-1][real], tolerance=PARITY)


@pytest.mark.parametrize("of", CLASSES)
def test_a_classifier_of_hugging_face_gives_the_same_numbers_here(of: str, tmp_path: Path) -> None:
    other = theirs(of)
    other.save_pretrained(tmp_path)
    opened = load_bert(tmp_path)
    assert isinstance(opened, ClassifierModel)
    assert (opened.labels, opened.of) == (LABELS, of)
    assert_same(opened, other)


@pytest.mark.parametrize("of", CLASSES)
def test_a_classifier_of_ours_gives_the_same_numbers_there(of: str, tmp_path: Path) -> None:
    ours = randomised(ClassifierModel(TINY, LABELS, of=of))
    save_checkpoint(ours, tmp_path)
    opened, report = CLASSES[of].from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert opened.config.id2label == dict(enumerate(LABELS))
    assert_same(ours, opened.eval())
    assert_same(load_bert(tmp_path), opened)


@pytest.mark.parametrize("of", CLASSES)
def test_both_adapters_give_the_same_labels(of: str, tmp_path: Path) -> None:
    save_checkpoint(randomised(ClassifierModel(vocabulary_sized(), LABELS, of=of)), tmp_path)
    wordpiece().save_pretrained(tmp_path)
    ours, others = load_scratch(tmp_path, name="ours", device="cpu"), load(str(tmp_path), device="cpu")
    assert (ours.info.can_label_text, ours.info.can_label_tokens) == (of == "text", of == "tokens")
    asked = "label_text" if of == "text" else "label_tokens"
    mine, yours = getattr(ours, asked)(TEXT, "It slept."), getattr(others, asked)(TEXT, "It slept.")
    assert mine.labels == yours.labels == LABELS
    assert mine.tokens == yours.tokens
    assert_close(mine.probabilities, yours.probabilities)
    assert_close(mine.probabilities.sum(axis=-1), 1)
    assert_close(ours.record(TEXT).of("encoder").layer_weights(2), others.record(TEXT).of("encoder").layer_weights(2))
    other = "label_tokens" if of == "text" else "label_text"
    for question in (other, "masked_words", "find_replaced"):
        with pytest.raises(MissingCapabilityError, match=r"has no (LM head|NSP head|classifier)|cannot find"):
            getattr(ours, question)(TEXT)


def test_every_label_is_a_question_of_its_own_where_the_configuration_says_so(tmp_path: Path) -> None:
    model = randomised(ClassifierModel(vocabulary_sized(), LABELS, problem="multi_label_classification"))
    save_checkpoint(model, tmp_path)
    wordpiece().save_pretrained(tmp_path)
    answer = load_scratch(tmp_path, name="ours", device="cpu").label_text(TEXT)
    assert answer.is_multi_label
    assert abs(answer.probabilities.sum() - 1) > 0.01
    reference = hf.BertForSequenceClassification.from_pretrained(tmp_path).eval()
    with torch.inference_mode():
        logits = reference(**wordpiece()(TEXT, return_tensors="pt")).logits[0]
    assert_close(answer.probabilities, logits.sigmoid().numpy())


@pytest.mark.parametrize("labels", [("stars",), ("a", "b")])
def test_a_score_without_bounds_is_no_probability(labels: tuple[str, ...]) -> None:
    network = ClassifierModel(vocabulary_sized(), labels, problem="regression")
    model = ScratchModel(network, wordpiece(), name="ours", device=torch.device("cpu"))
    assert not model.info.can_label_text
    with pytest.raises(MissingCapabilityError, match="without bounds"):
        model.label_text(TEXT)


def test_a_classifier_opens_for_pretraining_without_its_head(tmp_path: Path) -> None:
    save_checkpoint(randomised(ClassifierModel(TINY, LABELS)), tmp_path)
    assert load_checkpoint(tmp_path).mlm is None
    save_checkpoint(PretrainingModel(TINY), tmp_path)
    assert isinstance(load_bert(tmp_path), PretrainingModel)


def test_every_weight_of_a_head_learns_and_padding_changes_nothing() -> None:
    for of in CLASSES:
        model = randomised(ClassifierModel(TINY, LABELS, of=of))
        ids = batch()["ids"][:1, :11]
        padded = torch.cat((ids, torch.zeros(1, 6, dtype=torch.long)), dim=1)
        alone, beside = model(ids), model(padded, None, padded != 0)
        if of == "text":
            assert_close(beside.text_labels, alone.text_labels)
        else:
            assert_close(beside.token_labels[:, :11], alone.token_labels)
        (alone.text_labels if of == "text" else alone.token_labels).square().mean().backward()
        assert all(weight.grad is not None and weight.grad.any() for weight in model.classifier.parameters())


HUGE = 10**12


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"num_hidden_layers": HUGE}, f"3 layers, expected {HUGE}"),
        ({"num_hidden_layers": 2}, "3 layers, expected 2"),
        ({"hidden_size": 10**8, "num_attention_heads": 1}, "[97, 100000000] from config.json"),
        ({"intermediate_size": HUGE}, f"[{HUGE}, 48] from config.json"),
        ({"max_position_embeddings": 16}, "embeddings.position"),
        ({"vocab_size": 96}, "embeddings.token"),
        ({"num_attention_heads": 7}, "multiple of n_heads"),
        ({"hidden_size": "48"}, "hidden_size is '48'"),
        ({"vocab_size": None}, "vocab_size is None"),
        ({"layer_norm_eps": -1.0}, "layer_norm_eps is -1.0"),
        ({"layer_norm_eps": "small"}, "layer_norm_eps is 'small'"),
        ({"id2label": {"0": "a", "1": "b"}}, "the labels 0 to 2"),
        ({"id2label": ["a", "b", "c"]}, "the labels 0 to 2"),
        ({"problem_type": "guessing"}, "problem_type is 'guessing'"),
    ],
    ids=str,
)
def test_a_configuration_that_its_weights_contradict_is_refused(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    save_checkpoint(ClassifierModel(TINY, LABELS), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | change
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelLoadError, match="does not contain a BERT") as refused:
        load_bert(tmp_path)
    assert said in str(refused.value)


def without_classifier(weights: dict[str, torch.Tensor]) -> None:
    del weights["classifier.weight"]


def not_a_number(weights: dict[str, torch.Tensor]) -> None:
    weights["classifier.weight"][0, 0] = torch.nan


def another_shape(weights: dict[str, torch.Tensor]) -> None:
    weights["bert.pooler.dense.weight"] = torch.zeros(48, 47)


@pytest.mark.parametrize(
    ("change", "said"),
    [(without_classifier, "no such classifier"), (not_a_number, "finite"), (another_shape, "[48, 47]")],
)
def test_weights_that_do_not_fit_are_named(
    change: Callable[[dict[str, torch.Tensor]], None], said: str, tmp_path: Path
) -> None:
    save_checkpoint(ClassifierModel(TINY, LABELS), tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    change(weights)
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelLoadError) as refused:
        load_bert(tmp_path)
    assert said in str(refused.value)


@pytest.mark.parametrize("content", ["[1, 2]", "null", '"bert"', "[" * 100_000])
def test_a_configuration_that_is_no_table_is_refused(content: str, tmp_path: Path) -> None:
    save_checkpoint(ClassifierModel(TINY, LABELS), tmp_path)
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_bert(tmp_path)


def test_labels_without_names_are_called_as_transformers_does(tmp_path: Path) -> None:
    save_checkpoint(ClassifierModel(TINY, ("a", "b")), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    del config["id2label"]
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert load_bert(tmp_path).labels == ("LABEL_0", "LABEL_1")


def test_no_labels_are_an_error() -> None:
    with pytest.raises(ValueError, match="labels is empty"):
        ClassifierModel(TINY, ())
