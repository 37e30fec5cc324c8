"""The scratch decoder with rotary positions, RMSNorm, SwiGLU and grouped queries, beside the Hugging Face Llama with
the same weights, and each of these parts by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.lib.array_utils import byte_bounds
from torch import nn
from torch.nn import functional
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from models.checkpoints.llama import load_llama, save_llama
from models.recording.assemble import records_from_calls
from models.recording.recorder import recording
from models.scratch.attention import MultiHeadAttention
from models.scratch.config import TransformerConfig
from models.scratch.encoder import Encoder
from models.scratch.gpt import LanguageModel
from models.scratch.layers import GatedFeedForward, RMSNorm
from models.scratch.rotary import rotary_angles, rotary_frequencies, rotate
from models.tasks.decoding import greedy
from models.values.errors import ModelLoadError
from models.values.offset_bias import known_offsets
from models.values.record import Token
from tests.closeness import assert_close

N_LAYERS, N_HEADS, N_TOKENS, D_VOCAB, LONG = 3, 4, 13, 83, 4096
TINY = TransformerConfig(
    d_vocab=D_VOCAB,
    d_model=48,
    n_layers=N_LAYERS,
    n_heads=N_HEADS,
    n_kv_heads=2,
    d_ff=80,
    max_tokens=LONG,
    n_segments=0,
    norm="pre",
    norm_kind="rms",
    positions="rotary",
    activation="silu",
    gated=True,
    biases=False,
    layer_norm_eps=1e-5,
)
SPECIAL = {"pad_id": 0, "start_id": 2, "end_id": 3}


@torch.no_grad()
def randomised(model: nn.Module, seed: int) -> nn.Module:
    """Every weight away from its usual start, norms too."""
    torch.manual_seed(seed)
    for weight in model.parameters():
        weight.copy_(torch.randn_like(weight) * 0.2 + (0.7 if weight.dim() == 1 else 0))
    return model.eval()


@pytest.fixture(params=[4, 2, 1], ids=lambda n: f"{n} key heads")
def theirs(request: pytest.FixtureRequest) -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=D_VOCAB,
        hidden_size=48,
        num_hidden_layers=N_LAYERS,
        num_attention_heads=N_HEADS,
        num_key_value_heads=request.param,
        intermediate_size=80,
        max_position_embeddings=LONG,
        tie_word_embeddings=True,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0},
        attn_implementation="eager",
    )
    model = randomised(LlamaForCausalLM(config), 11)
    assert isinstance(model, LlamaForCausalLM)
    return model


@pytest.fixture
def ours() -> LanguageModel:
    model = randomised(LanguageModel(TINY), 6)
    assert isinstance(model, LanguageModel)
    return model


def ids(n_tokens: int = N_TOKENS, rows: int = 2) -> torch.Tensor:
    return torch.randint(0, D_VOCAB, (rows, n_tokens), generator=torch.Generator().manual_seed(2))


# -- beside transformers ----------------------------------------------------------------------------------------------


def test_a_llama_gives_the_same_logits_here(theirs: LlamaForCausalLM, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    ours = load_llama(tmp_path)
    mask = torch.ones(2, N_TOKENS, dtype=torch.bool)
    mask[1, 9:] = False
    with torch.inference_mode():
        expected = theirs(ids(), attention_mask=mask.long(), output_hidden_states=True)
        output, without = ours(ids(), mask), ours(ids()[:1])
    assert_close(output.logits[mask], expected.logits[mask])
    assert_close(without.logits[0], expected.logits[0])
    for mine, other in zip(output.hidden_states[:-1], expected.hidden_states[:-1], strict=True):
        assert_close(mine[mask], other[mask])


def test_recorded_weights_are_those_of_its_eager_attention(theirs: LlamaForCausalLM, tmp_path: Path) -> None:
    theirs.save_pretrained(tmp_path)
    with torch.inference_mode(), recording() as calls:
        load_llama(tmp_path)(ids()[:1])
        expected = theirs(ids()[:1], output_attentions=True).attentions
    tokens = tuple(Token(text=str(each)) for each in range(N_TOKENS))
    (record,) = records_from_calls(calls, name="tiny", tokens={"decoder": tokens}, n_layers={"decoder": N_LAYERS})
    n_shared = N_HEADS // theirs.config.num_key_value_heads
    for layer, weights in enumerate(expected):
        assert_close(torch.from_numpy(record.layer_weights(layer)), weights[0])
        for head in range(N_HEADS):
            np.testing.assert_array_equal(record.key[layer, head], record.key[layer, head // n_shared * n_shared])
            np.testing.assert_array_equal(record.value[layer, head], record.value[layer, head // n_shared * n_shared])


@pytest.mark.parametrize("n_kv_heads", [None, 2, 1])
def test_a_llama_of_ours_gives_the_same_logits_there(n_kv_heads: int | None, tmp_path: Path) -> None:
    model = randomised(LanguageModel(replace(TINY, n_kv_heads=n_kv_heads, max_tokens=32, rotary_base=500.0)), 6)
    assert isinstance(model, LanguageModel)
    save_llama(model, tmp_path, **SPECIAL)
    opened, report = AutoModelForCausalLM.from_pretrained(tmp_path, output_loading_info=True)
    assert isinstance(opened, LlamaForCausalLM)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    again = load_llama(tmp_path)
    assert again.config == model.config
    prompt = ids()[0]
    with torch.inference_mode():
        expected = opened.eval()(ids()).logits
        assert_close(model(ids()).logits, expected)
        assert_close(again(ids()).logits, expected)
        written = opened.generate(prompt[None], do_sample=False, attention_mask=torch.ones(1, N_TOKENS))[0].tolist()
        beam = greedy(model, prompt, n_new=32 - N_TOKENS, end_id=SPECIAL["end_id"])
    assert written == [*prompt.tolist(), *beam.ids]


def test_four_thousand_tokens_are_read_alike_and_recorded_without_a_mask_in_memory(
    ours: LanguageModel, tmp_path: Path
) -> None:
    save_llama(ours, tmp_path, **SPECIAL)
    theirs = LlamaForCausalLM.from_pretrained(tmp_path).eval()
    text = ids(LONG, rows=1)
    with torch.inference_mode():
        with recording() as calls:
            mine = ours.decoder(text).last[0]
        expected = theirs.model(text).last_hidden_state[0]
    assert_close(mine, expected)
    assert all(call.bias is None and call.is_causal for call in calls)
    tokens = tuple(Token(text=str(each)) for each in range(LONG))
    (record,) = records_from_calls(calls, name="tiny", tokens={"decoder": tokens}, n_layers={"decoder": N_LAYERS})
    for bias in record.bias:
        assert known_offsets(bias) is not None
        first, end = byte_bounds(bias)
        assert end - first < 8 * LONG + 8  # a number an offset, not one a pair
    late = record.weights(N_LAYERS - 1, 3)
    assert late[0, 0] == 1
    assert not late[0, 1:].any()
    assert_close(late[-1].sum(), 1)


def test_with_the_cache_every_token_is_read_once_and_the_logits_are_the_same(ours: LanguageModel) -> None:
    text = ids()
    with torch.inference_mode():
        whole = ours(text).logits
        cache = ours.new_cache()
        first = ours.all_logits(text[:, :5], cache)
        several = ours.all_logits(text[:, 5:9], cache)
        rest = [ours.next_logits(text[:, at : at + 1], cache) for at in range(9, N_TOKENS)]
    stepwise = torch.cat((first, several, torch.stack(rest, dim=1)), dim=1)
    assert_close(stepwise, whole)
    kept = cache.layers[0].own.extend(torch.zeros(2, 2, 0, 12), torch.zeros(2, 2, 0, 12))
    assert [part.shape for part in kept] == [(2, 2, N_TOKENS, 12)] * 2  # two heads of keys for four of queries


# -- its parts --------------------------------------------------------------------------------------------------------


def test_turned_vectors_have_products_that_only_the_distance_decides() -> None:
    frequencies = rotary_frequencies(12, 100.0)
    assert_close(frequencies * 100.0 ** (torch.arange(0, 12, 2) / 12), 1)
    query, key = torch.randn(2, 12, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    angles = rotary_angles(torch.arange(40), frequencies).double()  # [40, 6]
    queries, keys = (rotate(vector.expand(1, 1, 40, 12), angles)[0, 0] for vector in (query, key))
    assert_close(queries.norm(dim=-1), query.norm().expand(40))
    scores = queries @ keys.T  # [40, 40]
    for distance in (0, 1, 7):
        same = scores.diagonal(offset=-distance)
        assert_close(same, same[:1].expand_as(same))
    assert (scores[7, 0] - scores[0, 0]).abs() > 0.01
    pair = torch.stack((query[1], query[7]))
    angle = float(3 * frequencies[1])
    turn = torch.tensor([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    assert_close(queries[3, [1, 7]], turn @ pair)


def test_an_rms_norm_divides_by_the_size_and_leaves_the_mean() -> None:
    norm = randomised(RMSNorm(TINY), 1)
    x = torch.randn(3, 48) + 2
    expected = functional.rms_norm(x, (48,), norm.weight, eps=1e-5)
    with torch.no_grad():
        assert_close(norm(x), expected)
        assert (norm(x).mean(dim=-1).abs() > 0.5).all()


def test_a_gate_that_is_shut_lets_nothing_through() -> None:
    network = randomised(GatedFeedForward(TINY), 1)
    x = torch.randn(3, 48)
    with torch.no_grad():
        z = x @ network.gate.weight.T
        expected = (z * torch.sigmoid(z) * (x @ network.expand.weight.T)) @ network.contract.weight.T
        assert_close(network(x), expected)
        network.gate.weight.zero_()
        assert not network(x).any()
    assert all(each.bias is None for each in (network.gate, network.expand, network.contract))


@torch.no_grad()
def test_a_group_is_as_if_each_of_its_heads_had_the_same_keys_and_values() -> None:
    grouped = randomised(MultiHeadAttention(TINY, kind="decoder"), 3)
    whole = MultiHeadAttention(replace(TINY, n_kv_heads=None), kind="decoder").eval()
    for name in ("query", "output"):
        getattr(whole, name).load_state_dict(getattr(grouped, name).state_dict())
    for name in ("key", "value"):
        slices = getattr(grouped, name).weight.view(2, 12, 48)
        getattr(whole, name).weight.copy_(slices[[0, 0, 1, 1]].reshape(48, 48))
    x = torch.randn(2, 7, 48)
    assert_close(grouped(x), whole(x))


def test_an_encoder_may_turn_its_queries_and_keys_too() -> None:
    model = randomised(Encoder(replace(TINY, max_tokens=24)), 4)
    text = ids()
    with torch.inference_mode():
        last, elsewhere = model(text).last, model(text, position_ids=torch.arange(5, 5 + N_TOKENS)).last
        spread = model(text, position_ids=2 * torch.arange(N_TOKENS)).last
    assert_close(last, elsewhere)  # only distances count
    assert (last - spread).abs().max() > 0.01


# -- folders that do not fit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"norm": "post"},
        {"norm_kind": "layer"},
        {"positions": "learned"},
        {"n_segments": 2},
        {"biases": True},
        {"gated": False},
        {"activation": "gelu"},
    ],
)
def test_other_architectures_do_not_fit_the_layout_of_llama(change: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the layout of Llama"):
        save_llama(LanguageModel(replace(TINY, max_tokens=32, **change)), tmp_path, **SPECIAL)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model_type", "mistral"),
        ("hidden_act", "gelu"),
        ("tie_word_embeddings", False),
        ("attention_bias", True),
        ("rope_parameters", {"rope_type": "llama3", "rope_theta": 10000.0}),
        ("rope_parameters", [1]),
        ("hidden_size", 52),
        ("head_dim", 6),
        ("num_key_value_heads", 3),
        ("num_key_value_heads", 4),
        ("num_hidden_layers", 2),
        ("num_hidden_layers", 10_000_000),
        ("max_position_embeddings", "many"),
    ],
)
def test_a_folder_that_does_not_fit_is_named(ours: LanguageModel, field: str, value: object, tmp_path: Path) -> None:
    save_llama(ours, tmp_path, **SPECIAL)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps(config | {field: value}), encoding="utf-8")
    with pytest.raises(ModelLoadError, match=tmp_path.name):
        load_llama(tmp_path)


def test_the_base_of_older_configurations_is_read(ours: LanguageModel, tmp_path: Path) -> None:
    save_llama(ours, tmp_path, **SPECIAL)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    del config["rope_parameters"]
    for said, base in (({"rope_theta": 777.0, "rope_scaling": None}, 777.0), ({}, 10000.0)):
        (tmp_path / "config.json").write_text(json.dumps(config | said), encoding="utf-8")
        assert load_llama(tmp_path).config.rotary_base == base


def test_half_precision_weights_survive_a_round_trip(ours: LanguageModel, tmp_path: Path) -> None:
    save_llama(ours, tmp_path, torch.float16, **SPECIAL)
    opened = load_llama(tmp_path)
    assert opened.lm_head.unembed.weight is opened.decoder.embeddings.token.weight
    for name, weight in opened.state_dict().items():
        assert torch.equal(weight, ours.state_dict()[name].half().float()), name


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"n_kv_heads": 3}, "n_kv_heads"),
        ({"n_kv_heads": 0}, "n_kv_heads"),
        ({"n_heads": 16, "n_kv_heads": 4}, "d_head"),
        ({"rotary_base": 1.0}, "rotary_base"),
    ],
)
def test_what_cannot_be_built_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(ValueError, match=field):
        replace(TINY, **change)
