"""The scratch decoder on its own beside the Hugging Face GPT-2 with the same weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

from models.checkpoints.gpt2 import load_gpt2, save_gpt2
from models.recording.assemble import records_from_calls
from models.recording.recorder import recording
from models.scratch.config import TransformerConfig
from models.scratch.gpt import LanguageModel
from models.tasks.decoding import greedy
from models.values.errors import ModelLoadError
from models.values.record import Token
from tests.closeness import assert_close

N_LAYERS, N_HEADS, N_TOKENS, D_VOCAB = 3, 4, 13, 83
TINY = TransformerConfig(
    d_vocab=D_VOCAB,
    d_model=48,
    n_layers=N_LAYERS,
    n_heads=N_HEADS,
    d_ff=80,
    max_tokens=32,
    n_segments=0,
    norm="pre",
    layer_norm_eps=1e-5,
)
SPECIAL = {"pad_id": 0, "start_id": 2, "end_id": 3}


@pytest.fixture(params=["gelu_new", "gelu", "relu"])
def theirs(request: pytest.FixtureRequest) -> GPT2LMHeadModel:
    """A GPT-2 with every weight away from its usual start, norms and biases too."""
    config = GPT2Config(
        vocab_size=D_VOCAB,
        n_embd=48,
        n_layer=N_LAYERS,
        n_head=N_HEADS,
        n_positions=32,
        n_inner=80,
        bos_token_id=0,
        eos_token_id=0,
        activation_function=request.param,
        attn_implementation="eager",
    )
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
    assert_close(output.logits[mask], expected.logits[mask])
    for mine, other in zip(output.hidden_states[:-1], expected.hidden_states[:-1], strict=True):
        assert_close(mine[mask], other[mask])


def test_recorded_weights_are_those_of_its_eager_attention(theirs: GPT2LMHeadModel, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    with torch.inference_mode(), recording() as calls:
        load_gpt2(tmp_path)(ids()[:1])
        expected = theirs(ids()[:1], output_attentions=True).attentions
    tokens = tuple(Token(text=str(each)) for each in range(N_TOKENS))
    (record,) = records_from_calls(calls, name="tiny", tokens={"decoder": tokens}, n_layers={"decoder": N_LAYERS})
    for layer, weights in enumerate(expected):
        recorded = torch.from_numpy(record.layer_weights(layer))
        assert_close(recorded, weights[0])
        assert not recorded.triu(diagonal=1).any()


@pytest.fixture
def ours() -> LanguageModel:
    torch.manual_seed(6)
    model = LanguageModel(TINY)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.2 + (0.5 if weight.dim() == 1 else 0))
    return model.eval()


@pytest.mark.parametrize("activation", ["gelu", "gelu_tanh", "relu"])
def test_a_gpt_of_ours_gives_the_same_logits_there(ours: LanguageModel, activation: str, tmp_path: Path) -> None:
    model = LanguageModel(replace(TINY, activation=activation, dropout=0.1)).eval()
    model.load_state_dict(ours.state_dict())
    save_gpt2(model, tmp_path, **SPECIAL)
    opened, report = AutoModelForCausalLM.from_pretrained(tmp_path, output_loading_info=True)
    assert isinstance(opened, GPT2LMHeadModel)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    again = load_gpt2(tmp_path)
    assert again.config == model.config
    prompt = ids()[0]
    with torch.inference_mode():
        expected = opened.eval()(ids()).logits
        assert_close(model(ids()).logits, expected)
        assert_close(again(ids()).logits, expected)
        written = opened.generate(prompt[None], do_sample=False, attention_mask=torch.ones(1, N_TOKENS))[0].tolist()
        beam = greedy(model, prompt, n_new=32 - N_TOKENS, end_id=SPECIAL["end_id"])
    assert written == [*prompt.tolist(), *beam.ids]


def test_half_precision_weights_survive_a_round_trip(ours: LanguageModel, tmp_path: Path) -> None:
    save_gpt2(ours, tmp_path, torch.float16, **SPECIAL)
    written = load_file(tmp_path / "model.safetensors")
    assert {weight.dtype for weight in written.values()} == {torch.float16}
    assert sum(weight.shape == (D_VOCAB, 48) for weight in written.values()) == 1
    opened = load_gpt2(tmp_path)
    assert opened.lm_head.unembed.weight is opened.decoder.embeddings.token.weight
    for name, weight in opened.state_dict().items():
        assert torch.equal(weight, ours.state_dict()[name].half().float()), name


@pytest.mark.parametrize("change", [{"norm": "post"}, {"positions": "sinusoidal"}, {"n_segments": 2}])
def test_other_architectures_do_not_fit_the_layout_of_gpt2(change: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the layout of GPT-2"):
        save_gpt2(LanguageModel(replace(TINY, **change)), tmp_path, **SPECIAL)


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
        ("n_layer", 10_000_000),
        ("n_positions", "many"),
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
