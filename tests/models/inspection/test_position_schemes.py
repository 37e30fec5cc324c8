"""What is found is what the model adds: rows are seen inside its forward pass, angles and biases in its recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf
from torch import Tensor, nn

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.inspection.position_schemes import huggingface_positions, scratch_positions
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.values.positions import ModelPositions
from models.values.record import Array
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES, save
from viz.kit.demos.records import demo_info

TABLES = {
    "bert": 130,
    "roberta": 128,
    "xlm-roberta": 128,
    "roberta-prelayernorm": 128,
    "distilbert": 130,
    "albert": 130,
    "electra": 130,
    "electra-generator": 130,
    "gpt2": 130,
    "bart": 130,
}
"""How many positions the tiny model of each family with a learned table can tell apart."""
ROTARY = ("llama", "qwen3", "gemma2", "gemma3_text", "modernbert")
REPEATED = "animal animal animal animal animal animal animal animal"


def opened(name: str, folder: Path) -> HuggingFaceModel:
    return load_huggingface(str(save(FAMILIES[name], folder)), device="cpu")


def positions_of(model: HuggingFaceModel) -> ModelPositions:
    return huggingface_positions(model.model, model.info)


def outputs_of_all_modules(model: HuggingFaceModel, text: str) -> list[Tensor]:
    """What every module of the model gives for a text, if it is one tensor."""
    seen: list[Tensor] = []

    def keep(_module: nn.Module, _inputs: object, output: object) -> None:
        if isinstance(output, Tensor):
            seen.append(output.detach())

    hooks = [module.register_forward_hook(keep) for module in model.model.modules()]
    model.record(text)
    for hook in hooks:
        hook.remove()
    return seen


@pytest.mark.parametrize("name", [*TABLES, "marian"])
def test_the_rows_of_a_table_are_those_that_the_forward_pass_reads(name: str, tmp_path: Path) -> None:
    model = opened(name, tmp_path)
    positions = positions_of(model)
    assert positions.table is not None
    n_tokens = len(model.record("the animal was tired").tokens)
    rows = torch.tensor(np.array(positions.table[:n_tokens]))
    seen = [output.reshape(-1, output.shape[-1]) for output in outputs_of_all_modules(model, "the animal was tired")]
    assert any(output.shape == rows.shape and torch.equal(output, rows) for output in seen)
    if name in TABLES:
        assert positions.scheme == "learned"
        assert len(positions.table) == TABLES[name]


def test_the_sinusoids_of_marian_are_the_papers_with_the_cosines_in_the_second_half(tmp_path: Path) -> None:
    positions = positions_of(opened("marian", tmp_path))
    assert positions.scheme == "sinusoidal"
    assert positions.table is not None
    d_model = positions.table.shape[1]
    angle = np.arange(130)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    assert_close(positions.table, np.concatenate((np.sin(angle), np.cos(angle)), axis=1))


@pytest.mark.parametrize("are_sinusoids", [True, False])
def test_sinusoids_are_known_by_their_numbers_too(are_sinusoids: bool) -> None:
    config = replace_positions("distilbert", sinusoidal_pos_embds=are_sinusoids)
    positions = huggingface_positions(hf.DistilBertModel(config), demo_info())
    assert positions.scheme == ("sinusoidal" if are_sinusoids else "learned")


def replace_positions(name: str, **changes: object) -> hf.PreTrainedConfig:
    config = FAMILIES[name].config()
    for field, value in changes.items():
        setattr(config, field, value)
    return config


@pytest.mark.parametrize("name", ROTARY)
def test_the_angles_turn_the_first_query_and_key_into_every_later_one(name: str, tmp_path: Path) -> None:
    """In the first layer equal tokens have equal queries, but for the rotation."""
    model = opened(name, tmp_path)
    frequencies = positions_of(model).frequencies
    assert frequencies is not None
    recording = model.record(REPEATED)
    texts = [token.text for token in recording.tokens]
    places = [place for place, text in enumerate(texts) if text == max(set(texts), key=texts.count)]
    assert len(places) > 3
    record = recording.attention[0]
    for recorded in (record.query[0], record.key[0]):
        for place in places[1:]:
            turned = turn(recorded[:, places[0]], frequencies * (place - places[0]))
            assert_close(recorded[:, place], turned)


def turn(vectors: Array, angles: Array) -> Array:
    """Pair i is dimension i and dimension i + d / 2, as transformers keeps them."""
    half = vectors.shape[-1] // 2
    first, second = vectors[..., :half], vectors[..., half:]
    sine, cosine = np.sin(angles), np.cos(angles)
    return np.concatenate((first * cosine - second * sine, second * cosine + first * sine), axis=-1)


def test_layers_of_other_kinds_have_angles_of_their_own_and_the_first_layer_counts() -> None:
    config = FAMILIES["gemma3_text"].config()
    positions = huggingface_positions(hf.Gemma3ForCausalLM(config), demo_info())
    base = config.rope_parameters[config.layer_types[0]]["rope_theta"]
    assert positions.frequencies is not None
    assert_close(positions.frequencies * base ** (np.arange(0, 8, 2) / 8), 1)


def test_the_bias_of_t5_is_what_the_recording_adds_to_the_scores(tmp_path: Path) -> None:
    model = opened("t5", tmp_path)
    positions = positions_of(model)
    assert positions.scheme == "relative_buckets"
    assert positions.bias_by_distance is not None
    record = model.record(" ".join([REPEATED] * 3)).of("encoder")
    n_tokens = len(record.query_tokens)
    reach = positions.distances[-1]
    assert n_tokens > reach + 1  # distances beyond the last bucket are in the text
    place = np.arange(n_tokens)
    distance = np.clip(place[None, :] - place[:, None], -reach, reach)
    for bias in record.bias:
        expected = positions.bias_by_distance[:, distance + reach]
        assert_close(np.broadcast_to(bias, expected.shape), expected)


@pytest.mark.parametrize("n_heads", [4, 6])
@pytest.mark.parametrize("family", ["bloom", "mpt"])
def test_the_slopes_of_alibi_are_the_models_own(family: str, n_heads: int) -> None:
    """Both give 2^(-8 i / n) for a power of two; for others they differ, and each is shown as it is."""
    model: hf.PreTrainedModel = (
        hf.BloomModel(hf.BloomConfig(vocab_size=9, hidden_size=24, n_layer=1, n_head=n_heads))
        if family == "bloom"
        else hf.MptModel(hf.MptConfig(vocab_size=9, d_model=24, n_layers=1, n_heads=n_heads))
    )
    positions = huggingface_positions(model, replace(demo_info(), n_heads=n_heads))
    assert positions.scheme == "alibi"
    assert positions.slopes is not None
    powers = {
        ("bloom", 4): [2, 4, 6, 8],
        ("mpt", 4): [2, 4, 6, 8],
        ("bloom", 6): [2, 4, 6, 8, 1, 3],
        ("mpt", 6): [2, 4, 6, 8, 1, 3],
    }[family, n_heads]
    assert_close(positions.slopes * 2.0 ** np.array(powers), 1)


def test_what_is_not_found_is_said() -> None:
    config = hf.XLNetConfig(vocab_size=9, d_model=24, n_layer=1, n_head=4, d_inner=9)
    positions = huggingface_positions(hf.XLNetModel(config), replace(demo_info(), family="xlnet", name="my-xlnet"))
    assert positions.scheme == "unknown"
    assert "my-xlnet" in positions.why


@pytest.mark.parametrize("kind", ["learned", "sinusoidal"])
def test_our_own_encoder_adds_the_table(kind: str) -> None:
    config = TransformerConfig(
        d_vocab=20, d_model=8, n_layers=1, n_heads=2, d_ff=8, max_tokens=12, n_segments=0, norm="pre", positions=kind
    )
    model = PretrainingModel(config).eval()
    positions = scratch_positions(model.encoder.embeddings, demo_info())
    assert positions.scheme == kind
    assert positions.table is not None
    embeddings = model.encoder.embeddings
    with torch.inference_mode():
        embeddings.token.weight.zero_()
        added = embeddings(torch.zeros(1, 12, dtype=torch.long))[0].numpy()
    np.testing.assert_array_equal(positions.table, added)
