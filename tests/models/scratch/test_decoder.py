"""The encoder-decoder beside torch.nn.Transformer with the same weights, and what the recorder sees of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from models.recording.assemble import records_from_calls
from models.recording.recorder import recording
from models.scratch.config import TransformerConfig
from models.scratch.decoder import Decoder, DecoderLayer
from models.scratch.encoder import EncoderLayer
from models.scratch.encoder_decoder import EncoderDecoder
from models.values.record import Token
from tests.closeness import assert_close, is_close

TINY = TransformerConfig(
    d_vocab=61,
    d_model=48,
    n_layers=3,
    n_heads=4,
    d_ff=80,
    max_tokens=24,
    n_segments=0,
    positions="sinusoidal",
    activation="relu",
    layer_norm_eps=1e-5,
    embedding_norm=False,
)
VARIANTS = {
    "vaswani": TINY,
    "post-LN with a final norm": replace(TINY, final_norm=True),
    "pre-LN": replace(TINY, norm="pre"),
    "pre-LN, GELU, learned": replace(TINY, norm="pre", activation="gelu", positions="learned"),
}
N_SOURCE, N_TARGET = 11, 8


def randomised(model: nn.Module) -> nn.Module:
    """Every weight away from its usual start, norms and biases too, so that a swapped or unused one shows."""
    torch.manual_seed(5)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.15 + (0.5 if weight.dim() == 1 else 0))
    return model.eval()


def batch() -> dict[str, Tensor]:
    """Two pairs of sentences; both sides of the second are shorter and padded."""
    random = torch.Generator().manual_seed(3)
    source_mask = torch.ones(2, N_SOURCE, dtype=torch.bool)
    target_mask = torch.ones(2, N_TARGET, dtype=torch.bool)
    source_mask[1, 7:] = False
    target_mask[1, 5:] = False
    return {
        "source_ids": torch.randint(1, 61, (2, N_SOURCE), generator=random),
        "target_ids": torch.randint(1, 61, (2, N_TARGET), generator=random),
        "source_mask": source_mask,
        "target_mask": target_mask,
    }


def copy_attention(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
    parts = (ours.query, ours.key, ours.value)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_layer(theirs: nn.Module, ours: EncoderLayer | DecoderLayer) -> None:
    copy_attention(theirs.self_attn, ours.attention)
    norms = [ours.attention_norm, ours.feed_forward_norm]
    if isinstance(ours, DecoderLayer):
        copy_attention(theirs.multihead_attn, ours.cross.attention)
        norms.insert(1, ours.cross.norm)
    for number, norm in enumerate(norms, start=1):
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.expand.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.contract.state_dict())


@torch.no_grad()
def torch_transformer(ours: EncoderDecoder) -> nn.Transformer:
    """torch.nn.Transformer with our weights; it begins after the embeddings and ends before the logits."""
    config = ours.config
    choices = {"batch_first": True, "norm_first": config.norm == "pre", "activation": config.activation}
    measures = {"d_model": config.d_model, "nhead": config.n_heads, "dim_feedforward": config.d_ff}
    encoder_layer = nn.TransformerEncoderLayer(**measures, **choices)
    theirs = nn.Transformer(
        **measures,
        **choices,
        num_decoder_layers=config.n_layers,
        custom_encoder=nn.TransformerEncoder(
            encoder_layer, config.n_layers, nn.LayerNorm(config.d_model), enable_nested_tensor=False
        ),
    )
    for mine, other in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        for my_layer, other_layer in zip(mine.layers, other.layers, strict=True):
            copy_layer(other_layer, my_layer)
        if config.norms_output:
            other.norm.load_state_dict(mine.final_norm.state_dict())
        else:
            other.norm = None  # torch adds this norm to the paper's post-LN
    return theirs.eval()


@pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("padded", [False, True])
def test_it_equals_the_transformer_of_torch(config: TransformerConfig, padded: bool) -> None:
    ours = randomised(EncoderDecoder(config))
    theirs = torch_transformer(ours)
    given = batch()
    if not padded:
        given |= {"source_mask": None, "target_mask": None}
    hidden = {name: None if given[name] is None else ~given[name] for name in ("source_mask", "target_mask")}
    with torch.no_grad():
        expected = theirs(
            ours.encoder.embeddings(given["source_ids"]),
            ours.decoder.embeddings(given["target_ids"]),
            tgt_mask=torch.triu(torch.ones(N_TARGET, N_TARGET, dtype=torch.bool), diagonal=1),
            src_key_padding_mask=hidden["source_mask"],
            tgt_key_padding_mask=hidden["target_mask"],
            memory_key_padding_mask=hidden["source_mask"],
        )
        output = ours(**given)
    last = ours.decoder.final_norm(output.decoder_states[-1])
    assert_close(last, expected)
    assert_close(output.logits, expected @ ours.encoder.embeddings.token.weight.T)


@pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
def test_all_three_kinds_of_attention_are_recorded(config: TransformerConfig) -> None:
    model = randomised(EncoderDecoder(config))
    given = batch()
    with torch.inference_mode(), recording() as calls:
        model(**given)
    tokens = {
        "encoder": tuple(Token(text=str(each)) for each in range(N_SOURCE)),
        "decoder": tuple(Token(text=str(each)) for each in range(N_TARGET)),
    }
    n_layers = dict.fromkeys(("encoder", "decoder", "cross"), config.n_layers)
    for row, (n_source, n_target) in enumerate(((N_SOURCE, N_TARGET), (7, 5))):
        records = records_from_calls(calls, name="tiny", tokens=tokens, n_layers=n_layers, batch_index=row)
        weights = {
            record.kind: torch.stack([torch.from_numpy(record.layer_weights(layer)) for layer in range(3)])
            for record in records
        }
        assert weights["encoder"].shape == (3, 4, N_SOURCE, N_SOURCE)
        assert weights["decoder"].shape == (3, 4, N_TARGET, N_TARGET)
        assert weights["cross"].shape == (3, 4, N_TARGET, N_SOURCE)
        for of_kind in weights.values():
            assert_close(of_kind.sum(dim=-1), torch.ones(of_kind.shape[:-1]))
        assert not weights["decoder"].triu(diagonal=1).any()
        assert not weights["decoder"][..., n_target:].any() if row else True
        assert not weights["cross"][..., n_source:].any() if row else True
        assert weights["cross"][..., :n_source].all()


def test_a_target_token_changes_nothing_before_it() -> None:
    model = randomised(EncoderDecoder(TINY))
    given = batch()
    changed = given["target_ids"].clone()
    changed[:, 4] = (changed[:, 4] + 1) % 61
    with torch.inference_mode():
        before, after = model(**given).logits, model(**(given | {"target_ids": changed})).logits
    assert torch.equal(before[:, :4], after[:, :4])
    assert not is_close(before[:, 4], after[:, 4])


@pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
def test_every_weight_learns(config: TransformerConfig) -> None:
    model = randomised(EncoderDecoder(config)).train()
    given = batch()
    model(**given).logits[given["target_mask"]].square().mean().backward()
    # A bias of the keys shifts all scores of a row alike, which the softmax takes away again: it cannot learn.
    still = [
        name
        for name, weight in model.named_parameters()
        if not name.endswith("key.bias") and (weight.grad is None or not weight.grad.any())
    ]
    assert not still


def test_a_source_is_given_where_it_is_wanted_and_only_there() -> None:
    ids = batch()["target_ids"]
    with pytest.raises(ValueError, match="no source was given"):
        Decoder(TINY, with_cross=True)(ids)
    encoded = EncoderDecoder(TINY).read(ids)
    with pytest.raises(ValueError, match="no cross attention"):
        Decoder(TINY, with_cross=False)(ids, source=encoded)
