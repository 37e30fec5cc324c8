"""The scratch decoder on its own beside the Hugging Face GPT-2 with the same weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from models.assemble import records_from_calls
from models.errors import ModelLoadError
from models.record import Token
from models.recorder import recording
from models.scratch.gpt import load_gpt2

N_LAYERS, N_HEADS, N_TOKENS, D_VOCAB = 3, 4, 13, 83


@pytest.fixture(params=["gelu_new", "gelu", "relu"])
def theirs(request: pytest.FixtureRequest) -> GPT2LMHeadModel:
    """A GPT-2 with every weight away from its usual start, norms and biases too."""
    config = GPT2Config(
        vocab_size=D_VOCAB, n_embd=48, n_layer=N_LAYERS, n_head=N_HEADS, n_positions=32, n_inner=80, bos_token_id=0,
        eos_token_id=0, activation_function=request.param, attn_implementation="eager",
    )  # fmt: skip
    model = GPT2LMHeadModel(config)
    torch.manual_seed(11)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.2 + (0.5 if weight.dim() == 1 else 0))
    return model.eval()


def ids() -> torch.Tensor:
    return torch.randint(0, D_VOCAB, (2, N_TOKENS), generator=torch.Generator().manual_seed(2))


def test_gpt2_gives_the_same_logits_here(theirs: GPT2LMHeadModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    ours = load_gpt2(tmp_path)
    mask = torch.ones(2, N_TOKENS, dtype=torch.bool)
    mask[1, 9:] = False
    with torch.inference_mode():
        expected = theirs(ids(), attention_mask=mask.long(), output_hidden_states=True)
        output = ours(ids(), mask)
    torch.testing.assert_close(output.logits[mask], expected.logits[mask], atol=4e-5, rtol=0)
    for mine, other in zip(output.hidden_states[:-1], expected.hidden_states[:-1], strict=True):
        torch.testing.assert_close(mine[mask], other[mask], atol=4e-5, rtol=0)


def test_recorded_weights_are_those_of_its_eager_attention(theirs: GPT2LMHeadModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    with torch.inference_mode(), recording() as calls:
        load_gpt2(tmp_path)(ids()[:1])
        expected = theirs(ids()[:1], output_attentions=True).attentions
    tokens = tuple(Token(text=str(each)) for each in range(N_TOKENS))
    (record,) = records_from_calls(calls, name="tiny", tokens={"decoder": tokens}, n_layers={"decoder": N_LAYERS})
    for layer, weights in enumerate(expected):
        recorded = torch.from_numpy(record.layer_weights(layer))
        torch.testing.assert_close(recorded, weights[0], atol=1e-5, rtol=0)
        assert not recorded.triu(diagonal=1).any()


@pytest.mark.parametrize("theirs", ["gelu_new"], indirect=True)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model_type", "gpt_neo"),
        ("activation_function", "silu"),
        ("scale_attn_by_inverse_layer_idx", True),
        ("tie_word_embeddings", False),
        ("n_embd", 52),
        ("n_layer", 2),
    ],
)
def test_a_folder_that_does_not_fit_is_named(
    theirs: GPT2LMHeadModel, field: str, value: object, tmp_path: Path
) -> None:
    theirs.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(config | {field: value}), encoding="utf-8")
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_gpt2(tmp_path)


@pytest.mark.parametrize("theirs", ["gelu_new"], indirect=True)
def test_broken_weights_are_named(theirs: GPT2LMHeadModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    (tmp_path / "model.safetensors").write_text("nonsense", encoding="utf-8")
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_gpt2(tmp_path)
