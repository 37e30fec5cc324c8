"""The classifier that takes the mean over the words: its equation, its checkpoint, and transformers opening it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as hf

from models import load
from models.checkpoints.bert import load_bert, load_checkpoint, save_checkpoint
from models.scratch.classification import ClassifierModel, mean_of_words
from models.scratch_models.encoder import load_scratch
from models.values.errors import MissingCapabilityError, ModelLoadError
from tests.closeness import assert_close
from tests.models.huggingface.families import wordpiece
from tests.models.scratch.test_classification import LABELS, TEXT, vocabulary_sized
from tests.models.scratch.test_scratch import TINY, batch, randomised

PAD, CLS, SEP = 0, 2, 3


def averaging(**options: Any) -> ClassifierModel:
    return randomised(ClassifierModel(vocabulary_sized(), LABELS, pooling="mean", marks=(PAD, CLS, SEP), **options))


def saved(folder: Path) -> ClassifierModel:
    model = averaging()
    save_checkpoint(model, folder)
    wordpiece().save_pretrained(folder)
    return model


def test_the_mean_is_that_of_the_words_one_text_at_a_time() -> None:
    x = torch.randn(3, 7, 5, generator=torch.Generator().manual_seed(1))  # [b, n_tokens, d_model]
    words = torch.tensor([[0, 1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0]], dtype=torch.bool)
    found = mean_of_words(x, words)
    for text in (0, 1):
        assert_close(found[text], x[text, words[text]].mean(dim=0))
    assert not found[2].any()  # of no words


def test_padding_and_marks_are_no_words_and_change_no_label() -> None:
    model = averaging()
    ids = torch.tensor([[CLS, 40, 41, 42, SEP]])
    padded = torch.cat((ids, torch.full((1, 4), PAD)), dim=1)
    assert model.words(padded, padded != PAD).tolist() == [[False, True, True, True] + [False] * 5]
    alone, beside = model(ids).text_labels, model(padded, None, padded != PAD).text_labels
    assert_close(beside, alone)


def test_the_state_of_cls_is_not_read_and_that_of_every_word_is() -> None:
    model = averaging()
    states = torch.randn(1, 5, TINY.d_model, requires_grad=True)  # [b, n_tokens, d_model]
    words = model.words(torch.tensor([[CLS, 40, 41, 42, SEP]]))
    model.classifier(states, words).square().sum().backward()
    read = states.grad.abs().sum(dim=-1)[0]
    assert (read > 0).tolist() == [False, True, True, True, False]
    assert_close(read[1:4], read[1:4].mean().expand(3))  # all alike


def test_a_checkpoint_opens_again_as_it_was_saved(tmp_path: Path) -> None:
    model = saved(tmp_path)
    opened = load_bert(tmp_path)
    assert isinstance(opened, ClassifierModel)
    assert (opened.pooling, opened.marks, opened.labels) == ("mean", (PAD, CLS, SEP), LABELS)
    given = batch()
    assert_close(
        opened(given["ids"], given["segments"], given["mask"]).text_labels,
        model(given["ids"], given["segments"], given["mask"]).text_labels,
    )
    assert load_checkpoint(tmp_path).mlm is None


def test_the_answer_says_which_states_it_was_read_from(tmp_path: Path) -> None:
    saved(tmp_path / "mean")
    save_checkpoint(ClassifierModel(vocabulary_sized(), LABELS), tmp_path / "cls")
    wordpiece().save_pretrained(tmp_path / "cls")
    mean = load_scratch(tmp_path / "mean", name="mean", device="cpu").label_text(TEXT, "It slept.")
    words = tuple(place for place, token in enumerate(mean.tokens) if not token.is_special)
    assert mean.read_from == words
    assert len(words) == len(mean.tokens) - 3  # [CLS] and two [SEP]
    assert load_scratch(tmp_path / "cls", name="cls", device="cpu").label_text(TEXT).read_from == (0,)
    assert load(str(tmp_path / "cls"), device="cpu").label_text(TEXT).read_from == (0,)


def test_transformers_gives_the_same_attention_and_no_label(tmp_path: Path) -> None:
    saved(tmp_path)
    ours, theirs = load_scratch(tmp_path, name="ours", device="cpu"), load(str(tmp_path), device="cpu")
    assert_close(ours.record(TEXT).of("encoder").layer_weights(2), theirs.record(TEXT).of("encoder").layer_weights(2))
    assert ours.info.can_label_text
    assert not theirs.info.can_label_text
    with pytest.raises(MissingCapabilityError, match=r"mean over the words.*reads \[CLS\] alone.*our own encoder"):
        theirs.label_text(TEXT)


def test_the_class_of_transformers_that_reads_cls_finds_no_classifier_to_misuse(tmp_path: Path) -> None:
    saved(tmp_path)
    _, report = hf.BertForSequenceClassification.from_pretrained(tmp_path, output_loading_info=True)
    assert {"classifier.weight", "classifier.bias", "bert.pooler.dense.weight"} <= set(report["missing_keys"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"classifier_pooling": "max"}, "classifier_pooling is 'max', expected one of ('cls', 'mean')"),
        ({"classifier_pooling": None}, "classifier_pooling is None"),
        ({"classifier_pooling": ["mean"]}, "classifier_pooling is ['mean']"),
        ({"classifier_pooling": "cls", "architectures": ["BertForSequenceClassification"]}, "no such classifier"),
        ({"classifier_left_out": None}, "classifier_left_out is None, expected a list"),
        ({"classifier_left_out": [0, 10**9]}, "classifier_left_out is [0, 1000000000], expected a list"),
        ({"classifier_left_out": [0, -1]}, "classifier_left_out is [0, -1]"),
        ({"classifier_left_out": [True]}, "classifier_left_out is [True]"),
        ({"classifier_left_out": list(range(17))}, "at most 16 ids"),
        ({"architectures": ["BertForTokenClassification"]}, "have no pooling"),
    ],
    ids=str,
)
def test_a_bad_value_of_a_stranger_is_named(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    saved(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | change
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelLoadError, match="does not contain a BERT") as refused:
        load_bert(tmp_path)
    assert said in str(refused.value)


def test_weights_that_read_cls_are_not_taken_for_a_mean(tmp_path: Path) -> None:
    save_checkpoint(ClassifierModel(TINY, LABELS), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | {"classifier_pooling": "mean"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelLoadError, match=r"classifier_pooling 'mean', but the weights have no such classifier"):
        load_bert(tmp_path)
