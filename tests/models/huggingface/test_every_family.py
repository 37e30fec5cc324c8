"""Every family that transformers has opens and is right, or is refused in a sentence; nothing else."""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
import transformers as hf
from safetensors.torch import save_file
from transformers.utils import logging

from models.huggingface.classes import auto_class_of
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.huggingface.refusals import expect_reader_of_text
from models.recording.untouched import randomness, state_of
from models.values.errors import HeadlightError, UnsupportedModelError
from models.values.record import Recording
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.eager import expect_whole_rows
from tests.models.huggingface.families import byte_level
from tests.models.huggingface.registry import (
    NOT_MADE,
    default_configuration,
    families,
    tiny_configurations,
    tiny_models,
)

TEXT = "The animal didn't cross the street"
BEFORE_THEIR_SINKS = ("granite_swa", "granitemoe_swa")
"""Families that hand out their weights as they are before the sink takes its share."""

OF_SIZES = re.compile("size|damaged")
"""A refusal that speaks of these may not come at other sizes; any other one comes at every size."""
PACKAGE = re.compile(r" needs the package (\S+), and that is not installed here\.")


@pytest.mark.parametrize("family", families())
def test_a_family_opens_and_is_right_or_is_refused_in_a_sentence(family: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.set_verbosity_error()
        config = default_configuration(family)
        if not reads_text(config):
            refusal_of(config, family, tmp_path)
            return
        n_made = 0
        for n_made, model in enumerate(tiny_models(family), 1):
            if not OF_SIZES.search(outcome_of(model, family, tmp_path / str(n_made))):
                break
        if not n_made:
            expect_not_made(family, tmp_path)
        assert not (n_made and family in NOT_MADE), f"{family} can be made: take it out of NOT_MADE"


def reads_text(config: hf.PreTrainedConfig) -> bool:
    """Whether Headlight tries to open the family, whose class may need what is not installed."""
    try:
        expect_reader_of_text(auto_class_of(config), config, config.model_type)
    except HeadlightError:
        return False
    except ImportError:
        return True
    return True


def expect_not_made(family: str, folder: Path) -> None:
    """The reason why no tiny model was made is a package that is not here, or it is known."""
    config = next(tiny_configurations(family), None)
    assert config is not None, f"no choice of sizes fits the configuration of {family}: tell it more in ALSO"
    folder.mkdir(exist_ok=True)
    byte_level().save_pretrained(folder)
    save_file({"weight": torch.zeros(1)}, folder / "model.safetensors", metadata={"format": "pt"})
    package = PACKAGE.search(refusal_of(config, family, folder))
    if package:
        assert find_spec(package[1]) is None
    else:
        assert family in NOT_MADE, f"the sizes of {family} do not fit each other: tell it more in ALSO"


def refusal_of(config: hf.PreTrainedConfig, family: str, folder: Path) -> str:
    """What is said of a folder with this configuration."""
    config.save_pretrained(folder)
    with pytest.raises(HeadlightError) as refused:
        load_huggingface(str(folder), name=family)
    expect_sentence(refused.value, family)
    return str(refused.value)


def outcome_of(model: hf.PreTrainedModel, family: str, folder: Path) -> str:
    """Why a tiny model is refused, which must be a sentence, or nothing: then it must be right. Neither leaves a
    trace."""
    model.save_pretrained(folder)
    byte_level().save_pretrained(folder)
    generators = randomness()
    try:
        opened = load_huggingface(str(folder), name=family)
        before = state_of(opened.model)
        recording = opened.record(TEXT)
        if opened.info.can_continue:
            assert opened.continue_text(TEXT, n_new=2).written
        if opened.info.has_vectors:
            with suppress(UnsupportedModelError):
                assert opened.walk(TEXT, kind=opened.info.kinds[0], layer=0, head=0).steps
        assert state_of(opened.model) == before
    except HeadlightError as refused:
        expect_sentence(refused, family)
        return str(refused)
    finally:
        assert randomness() == generators
    expect_right(opened, recording, model)
    return ""


def expect_sentence(refused: HeadlightError, family: str) -> None:
    said = str(refused)
    assert family in said
    assert said.endswith(".")
    assert "Traceback" not in said
    assert "\n" not in said
    assert "does not read it" not in said, "its own settings are refused"
    assert "does not use" not in said, "its own weights are refused"


def expect_right(opened: HuggingFaceModel, recording: Recording, model: hf.PreTrainedModel) -> None:
    """Rows sum to 1, with the share of a sink where there is one, and weights are those that the model hands out itself
    where it hands out weights."""
    assert recording.hidden_states.ndim == 3
    assert recording.final_state.ndim == 2
    for record in recording.attention:
        for layer in range(record.n_layers):
            expect_whole_rows(record, layer)
    if len(recording.attention) > 1:
        return  # what the decoder read is the model's own writing: the families with a line of their own hold it
    ids = torch.tensor([opened.tokenizer.convert_tokens_to_ids([token.text for token in recording.tokens])])
    with torch.inference_mode():
        output = model.base_model(
            input_ids=ids, attention_mask=torch.ones_like(ids), output_attentions=True, return_dict=True
        )
    own = [layer[0].numpy() for layer in output.get("attentions") or () if isinstance(layer, torch.Tensor)]
    record = recording.attention[0]
    shape = (record.n_heads, record.n_query, record.n_key)
    if len(own) != record.n_layers or any(layer.shape != shape or (layer < 0).any() for layer in own):
        return  # some hand out their scores, or a band
    for layer, theirs in enumerate(own):
        weights = record.layer_weights(layer)
        if str(model.config.model_type) in BEFORE_THEIR_SINKS:
            weights = weights / weights.sum(axis=-1, keepdims=True)
        assert_close(weights, theirs, tolerance=PARITY, magnitude=1)
