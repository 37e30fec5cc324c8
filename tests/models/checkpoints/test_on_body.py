"""A classifier alone, on the layers of another model: the same numbers as the whole that it stands for."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForTokenClassification, AutoTokenizer

from models import load
from models.checkpoints import on_body
from models.checkpoints.bert import load_bert
from models.checkpoints.on_body import PRETRAINED, body_of, encoder_of, write_whole
from models.opening.folders import load_folder
from models.values.errors import ModelLoadError
from tests.closeness import assert_close

TEXT = "The animal didn't cross the street because it was too tired."
TAGGER = PRETRAINED / "tagger"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    body = body_of(TAGGER)
    assert body is not None
    write_whole(TAGGER, body, folder)
    return folder


def test_the_whole_gives_the_same_labels_here_and_in_transformers(whole: Path) -> None:
    expected = load("tagger", device="cpu").label_tokens(TEXT)
    ours = load_folder(whole, name="whole", device="cpu").label_tokens(TEXT)
    assert_close(ours.probabilities, expected.probabilities)
    model, tokenizer = AutoModelForTokenClassification.from_pretrained(whole), AutoTokenizer.from_pretrained(whole)
    with torch.inference_mode():
        logits = model(**tokenizer(TEXT, return_tensors="pt")).logits[0]  # [n_tokens, n_labels]
    assert_close(logits.softmax(-1), expected.probabilities)
    assert tuple(model.config.id2label.values()) == expected.labels


def test_the_layers_are_those_of_the_body() -> None:
    model, body = load("tagger", device="cpu"), load("headlight-bert", device="cpu")
    n_layers = model.info.n_layers
    assert 0 < n_layers <= body.info.n_layers
    one, other = (each.record(TEXT).of("encoder") for each in (model, body))
    for layer in range(n_layers):
        assert_close(one.layer_weights(layer), other.layer_weights(layer))
    assert set(model.info.head_roles) == {role for role in body.info.head_roles if role.layer < n_layers}


def test_only_the_layers_that_are_asked_for_are_read() -> None:
    names = set(encoder_of(PRETRAINED / "headlight-bert", n_layers=1))
    assert any(name.startswith("bert.encoder.layer.0.") for name in names)
    assert not [name for name in names if name.startswith(("bert.encoder.layer.1.", "cls.", "bert.pooler."))]
    assert len(load_file(TAGGER / "model.safetensors")) == 2


def test_a_stranger_s_folder_gets_no_layers_of_ours(tmp_path: Path) -> None:
    shutil.copytree(TAGGER, tmp_path / "tagger")
    with pytest.raises(ModelLoadError, match="layers"):
        load_bert(tmp_path / "tagger")
    with pytest.raises(ModelLoadError):
        load_folder(tmp_path / "tagger", name="tagger")


@pytest.mark.parametrize("config", ["[]", "{", json.dumps({"body": 3})])
def test_a_configuration_without_a_body_is_whole(tmp_path: Path, config: str) -> None:
    (tmp_path / "config.json").write_text(config)
    assert body_of(tmp_path) is None


def test_a_model_that_is_whole_is_not_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["on_body", "--model", "mini-bert", "--out", str(tmp_path)])
    with pytest.raises(ModelLoadError, match="it is whole"):
        on_body.main()
