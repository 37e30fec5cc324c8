"""The scratch encoder-decoder beside the Hugging Face BART with the same weights, in both directions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import AutoModelForSeq2SeqLM, BartConfig, BartForConditionalGeneration

from models.checkpoints.bart import load_bart, save_bart
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.tasks.decoding import greedy
from models.values.errors import ModelLoadError
from tests.closeness import PARITY, assert_close

N_SOURCE, N_TARGET, D_VOCAB = 11, 8, 61
TINY = TransformerConfig(
    d_vocab=D_VOCAB, d_model=48, n_layers=3, n_heads=4, d_ff=80, max_tokens=24, n_segments=0, layer_norm_eps=1e-5
)
IDS = {"pad_id": 0, "start_id": 2, "end_id": 3}
SIZES = {
    "vocab_size": D_VOCAB,
    "d_model": 48,
    "encoder_layers": 3,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 80,
    "decoder_ffn_dim": 80,
    "max_position_embeddings": 24,
    "pad_token_id": 0,
    "bos_token_id": 2,
    "eos_token_id": 3,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}


def randomised(model: nn.Module) -> nn.Module:
    """Every weight away from its usual start, norms and biases too, so that a swapped or unused one shows."""
    torch.manual_seed(5)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.15 + (0.5 if weight.dim() == 1 else 0))
    return model.eval()


def batch() -> dict[str, Tensor]:
    """Two pairs; both sides of the second are shorter and padded."""
    random = torch.Generator().manual_seed(3)
    source_mask, target_mask = torch.ones(2, N_SOURCE, dtype=torch.bool), torch.ones(2, N_TARGET, dtype=torch.bool)
    source_mask[1, 7:] = False
    target_mask[1, 5:] = False
    return {
        "source_ids": torch.randint(5, D_VOCAB, (2, N_SOURCE), generator=random),
        "target_ids": torch.randint(5, D_VOCAB, (2, N_TARGET), generator=random),
        "source_mask": source_mask,
        "target_mask": target_mask,
    }


def expect_same(ours: EncoderDecoder, theirs: BartForConditionalGeneration) -> None:
    given = batch()
    with torch.inference_mode():
        expected = theirs(
            given["source_ids"],
            attention_mask=given["source_mask"].long(),
            decoder_input_ids=given["target_ids"],
            decoder_attention_mask=given["target_mask"].long(),
            output_hidden_states=True,
        )
        found = ours(**given)
    source, target = given["source_mask"], given["target_mask"]
    assert_close(found.logits[target], expected.logits[target], tolerance=PARITY)
    for mine, other in zip(found.encoder_states, expected.encoder_hidden_states, strict=True):
        assert_close(mine[source], other[source], tolerance=PARITY)
    for mine, other in zip(found.decoder_states, expected.decoder_hidden_states, strict=True):
        assert_close(mine[target], other[target], tolerance=PARITY)


@pytest.mark.parametrize("activation", ["gelu", "relu", "gelu_new"])
def test_a_hugging_face_bart_gives_the_same_numbers_here(activation: str, tmp_path: Path) -> None:
    theirs = randomised(BartForConditionalGeneration(BartConfig(**SIZES, activation_function=activation)))
    theirs.save_pretrained(tmp_path)
    expect_same(load_bart(tmp_path), theirs)


@pytest.mark.parametrize("activation", ["gelu", "relu", "gelu_tanh"])
def test_a_translator_of_ours_gives_the_same_numbers_there(activation: str, tmp_path: Path) -> None:
    ours = randomised(EncoderDecoder(replace(TINY, activation=activation, dropout=0.1)))
    save_bart(ours, tmp_path, **IDS)
    opened, report = AutoModelForSeq2SeqLM.from_pretrained(tmp_path, output_loading_info=True)
    assert isinstance(opened, BartForConditionalGeneration)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    expect_same(ours, opened.eval())
    expect_same(load_bart(tmp_path), opened)
    assert load_bart(tmp_path).config == ours.config


def test_transformers_writes_the_same_with_it(tmp_path: Path) -> None:
    ours = randomised(EncoderDecoder(TINY))
    save_bart(ours, tmp_path, **IDS)
    opened = AutoModelForSeq2SeqLM.from_pretrained(tmp_path).eval()
    source = torch.tensor([[7, 19, 31, 8, 3]])
    with torch.inference_mode():
        written = opened.generate(source, do_sample=False)[0].tolist()
        beam = greedy(ours.writer(source), torch.tensor([IDS["start_id"]]), n_new=23, end_id=IDS["end_id"])
    assert written == [IDS["start_id"], *beam.ids]


def test_half_precision_weights_survive_a_round_trip(tmp_path: Path) -> None:
    ours = randomised(EncoderDecoder(TINY))
    save_bart(ours, tmp_path, torch.float16, **IDS)
    assert {weight.dtype for weight in load_file(tmp_path / "model.safetensors").values()} == {torch.float16}
    for name, weight in load_bart(tmp_path).state_dict().items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, ours.state_dict()[name].half().float()), name


def test_one_matrix_embeds_both_sides_and_is_written_once(tmp_path: Path) -> None:
    ours = randomised(EncoderDecoder(TINY))
    save_bart(ours, tmp_path, **IDS)
    written = load_file(tmp_path / "model.safetensors")
    assert sum(weight.shape == (D_VOCAB, 48) for weight in written.values()) == 1
    opened = load_bart(tmp_path)
    assert opened.encoder.embeddings.token.weight is opened.decoder.embeddings.token.weight
    assert opened.lm_head.unembed.weight is opened.encoder.embeddings.token.weight


@pytest.mark.parametrize(
    "change",
    [
        {"norm": "pre"},
        {"embedding_norm": False},
        {"final_norm": True},
        {"positions": "sinusoidal"},
        {"n_segments": 2},
        {"layer_norm_eps": 1e-12},
    ],
    ids=lambda change: next(iter(change)),
)
def test_other_architectures_do_not_fit_the_layout_of_bart(change: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the layout of BART"):
        save_bart(EncoderDecoder(replace(TINY, **change)), tmp_path, **IDS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model_type", "mbart"),
        ("activation_function", "silu"),
        ("scale_embedding", True),
        ("tie_word_embeddings", False),
        ("decoder_layers", 2),
        ("decoder_attention_heads", 2),
        ("decoder_ffn_dim", 81),
        ("encoder_layers", 10_000_000),
        ("d_model", 52),
        ("d_model", 48_000_000),
        ("vocab_size", "many"),
        ("max_position_embeddings", 25),
    ],
)
def test_a_folder_that_does_not_fit_is_named(field: str, value: object, tmp_path: Path) -> None:
    save_bart(EncoderDecoder(TINY), tmp_path, **IDS)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    if value == 10_000_000:
        config["decoder_layers"] = value
    (tmp_path / "config.json").write_text(json.dumps(config | {field: value}), encoding="utf-8")
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_bart(tmp_path)


def test_weights_that_say_more_than_ours_can_are_refused(tmp_path: Path) -> None:
    save_bart(EncoderDecoder(TINY), tmp_path, **IDS)
    file = tmp_path / "model.safetensors"
    written = load_file(file)
    save_file(written | {"final_logits_bias": torch.ones(1, D_VOCAB)}, file)
    with pytest.raises(ModelLoadError, match="final_logits_bias"):
        load_bart(tmp_path)
    save_file({name: weight for name, weight in written.items() if "decoder.layers.2" not in name}, file)
    with pytest.raises(ModelLoadError, match="2 layers, expected 3"):
        load_bart(tmp_path)
    save_file({name: weight for name, weight in written.items() if "decoder.layers.2.fc1" not in name}, file)
    with pytest.raises(ModelLoadError, match="missing weights"):
        load_bart(tmp_path)
    save_file(written | {"model.shared.weight": torch.full((D_VOCAB, 48), torch.nan)}, file)
    with pytest.raises(ModelLoadError, match="finite"):
        load_bart(tmp_path)
