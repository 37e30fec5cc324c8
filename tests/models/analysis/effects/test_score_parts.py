"""A score is the sum of what wrote its query and its key, and each term is that of the formula."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.analysis.effects.score_parts import score_parts
from models.opening.entries import PRETRAINED, ROOT
from models.values.errors import ArgumentError, SelectionError
from models.values.results.scores import ScoreParts, StreamPart
from tests.closeness import PARITY, assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened

MASKED = "The old [MASK] barked at the cat."
CONTINUED = "The old dog barked at the"
EMBEDDED = {
    "mini-bert": (MASKED, "He bought bread."),
    "headlight-bert": (MASKED, None),
    "headlight-ko": ("나는 학교에서 책을 읽었다.", None),
    "mini-gpt": (CONTINUED, None),
    "mini-llama": (CONTINUED, None),
    "translator-es": ("the old cat sleeps", "El gato"),
    "translator-ko": ("the old cat sleeps", None),
    "sentiment": ("a really good film", None),
    "sentiment-ko": ("정말 좋은 영화", None),
    "sentiment-mean": ("a really good film", None),
    "tagger": ("a really good film", None),
}


def expect_the_sum(found: ScoreParts) -> None:
    magnitude = float(np.abs(found.matrix).sum()) + abs(found.bias)
    assert_close(found.total, found.score, magnitude=magnitude)
    assert_close(found.by_query_part.sum() + found.bias, found.score, magnitude=magnitude)
    assert_close(found.by_key_part.sum() + found.bias, found.score, magnitude=magnitude)


def every_score(name: str, model: object, text: str, text_b: str | None = None) -> list[ScoreParts]:
    """One score of every kind of attention, in its first and its last layer."""
    return [
        score_parts(model, text, text_b=text_b, query=2, key=1, layer=layer, head=1, kind=record.kind)
        for record in model.record(text, text_b).attention
        for layer in (0, record.n_layers - 1)
    ]


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_pairs_sum_to_the_score_in_every_embedded_model(name: str) -> None:
    for found in every_score(name, load(name, device="cpu"), *EMBEDDED[name]):
        expect_the_sum(found)
        assert np.abs(found.matrix).max() > 0.05


@pytest.mark.parametrize("name", FAMILIES)
def test_the_pairs_sum_to_the_score_in_every_family(name: str) -> None:
    for found in every_score(name, opened(name), TEXT):
        expect_the_sum(found)
        _, layer, _ = found.place
        assert found.query_parts[-1] == StreamPart(of="biases")
        assert len({part.layer for part in found.query_parts if part.of == "head"}) >= layer


def test_a_model_without_biases_has_none_and_one_without_positions_in_its_stream_has_none_there() -> None:
    """RMS norms and rotary angles: all of the score is what tokens, heads and networks wrote."""
    model = load("mini-llama", device="cpu")
    found = score_parts(model, CONTINUED, query=4, key=1, layer=3, head=2)
    magnitude = float(np.abs(found.matrix).sum())
    assert_close(found.matrix[-1], 0, magnitude=magnitude)
    assert_close(found.matrix[:, -1], 0, magnitude=magnitude)
    assert {part.of for part in found.query_parts} == {"token", "head", "feed_forward", "biases"}


def test_what_a_model_adds_by_distance_is_the_bias() -> None:
    model = opened("t5")
    record = model.record(TEXT).of("encoder")
    found = score_parts(model, TEXT, query=3, key=1, layer=1, head=1, kind="encoder")
    assert_close(found.bias, record.bias_of(1, 1)[3, 1])
    assert abs(found.bias) > 1e-3


def held(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    """A layer norm whose deviation is a constant, written out."""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.square().mean(dim=-1, keepdim=True) + norm.eps).sqrt().detach() * norm.weight + norm.bias


def test_in_a_pre_ln_decoder_it_is_the_full_decomposition_by_hand() -> None:
    """Every term of the stream through the norm and W_Q or W_K: `decompose_resid` of TransformerLens, in torch."""
    model = load("mini-gpt", device="cpu")
    layer, head, query, key = 2, 5, 4, 1
    recording = model.record(CONTINUED)
    record, decoder = recording.of("decoder"), model.model.decoder
    rows = slice(head * model.info.d_head, (head + 1) * model.info.d_head)
    found = score_parts(model, CONTINUED, query=query, key=key, layer=layer, head=head)
    sides = []
    with torch.no_grad():
        ids = torch.tensor([model.prepare(CONTINUED).input_ids])
        states, norm = torch.tensor(recording.hidden_states), decoder.layers[layer].attention_norm
        for name, at in (("query", query), ("key", key)):
            terms = [decoder.embeddings.token(ids)[0, at], decoder.embeddings.position(torch.tensor(at))]
            biases = torch.zeros(model.info.d_model)
            for number in range(layer):
                block, w_o = decoder.layers[number], decoder.layers[number].attention.output
                outputs = [torch.from_numpy(record.head_output(number, h)[at]) for h in range(record.n_heads)]
                slices = w_o.weight.split(model.info.d_head, dim=1)
                terms += [w @ output for w, output in zip(slices, outputs, strict=True)]
                biases += w_o.bias
                middle = states[number, at] + block.attention(block.attention_norm(states[number])[None], None)[0, at]
                terms.append(block.feed_forward(block.feed_forward_norm(middle)))
            projection = getattr(decoder.layers[layer].attention, name)
            whole = states[layer, at]
            deviation = (whole.var(unbiased=False) + norm.eps).sqrt()
            stacked = torch.stack([*terms, biases])
            normed = (stacked - stacked.mean(dim=1, keepdim=True)) / deviation * norm.weight
            normed[-1] += norm.bias
            read = normed @ projection.weight[rows].T
            read[-1] += projection.bias[rows]
            sides.append(read.double())
    expected = sides[0] @ sides[1].T * model.info.d_head**-0.5
    assert_close(found.matrix, expected, tolerance=PARITY)
    assert [part.of for part in found.key_parts[:3]] == ["token", "position", "head"]


def test_in_a_post_ln_encoder_they_are_the_gradients_of_a_pass_whose_norms_are_held() -> None:
    """The same layers once more, straight from their formula; a part's term is its derivative times itself."""
    model = load("mini-bert", device="cpu")
    layer, head, query, key = 2, 1, 6, 3
    recording = model.record(MASKED)
    record, encoder = recording.of("encoder"), model.model.encoder
    prepared, d_head = model.prepare(MASKED), model.info.d_head
    embeddings = encoder.embeddings
    sides = []
    for name, at in (("query", query), ("key", key)):
        leaves = [
            table(torch.tensor(number)).detach().requires_grad_()
            for table, number in (
                (embeddings.token, prepared.input_ids[at]),
                (embeddings.position, at),
                (embeddings.segment, prepared.segment_ids[at]),
            )
        ]
        x = held(embeddings.norm, leaves[0] + leaves[1] + leaves[2])
        for number in range(layer):
            block = encoder.layers[number]
            outputs = [
                torch.from_numpy(record.head_output(number, h)[at]).requires_grad_() for h in range(record.n_heads)
            ]
            x = held(block.attention_norm, x + block.attention.output(torch.cat(outputs)))
            network = block.feed_forward(x).detach().requires_grad_()
            x = held(block.feed_forward_norm, x + network)
            leaves += [*outputs, network]
        rows = slice(head * d_head, (head + 1) * d_head)
        projection = getattr(encoder.layers[layer].attention, name)
        vector = projection.weight[rows] @ x + projection.bias[rows]
        gradients = [torch.autograd.grad(number, leaves, retain_graph=True) for number in vector]
        terms = torch.stack(
            [torch.stack([(g * leaf).sum() for g, leaf in zip(row, leaves, strict=True)]) for row in gradients], dim=1
        )
        sides.append(torch.cat([terms, (vector - terms.sum(dim=0))[None]]).detach().double())
    found = score_parts(model, MASKED, query=query, key=key, layer=layer, head=head)
    assert_close(found.matrix, sides[0] @ sides[1].T * d_head**-0.5, tolerance=PARITY)
    assert_close(found.score, record.scores(layer, head)[query, key])


def test_the_largest_come_first_whatever_their_sign() -> None:
    found = score_parts(load("mini-gpt", device="cpu"), CONTINUED, query=4, key=1, layer=2, head=5)
    values = [abs(pair.value) for pair in found.largest(5)]
    assert values == sorted(values, reverse=True)
    assert values[0] == np.abs(found.matrix).max()
    assert len(found.largest()) == 12
    whole = found.largest(found.matrix.size)
    assert_close(sum(pair.value for pair in whole), found.matrix.sum(), magnitude=np.abs(found.matrix).sum())
    with pytest.raises(ArgumentError):
        found.largest(0)


def test_in_cross_attention_the_keys_are_written_by_the_encoder() -> None:
    found = score_parts(
        load("translator-es", device="cpu"),
        "the old cat",
        text_b="El gato",
        query=2,
        key=1,
        layer=1,
        head=0,
        kind="cross",
    )
    assert {part.kind for part in found.key_parts if part.of == "head"} == {"encoder"}
    own = [part for part in found.query_parts if part.of == "head"]
    assert {part.kind for part in own} == {"decoder", "cross"}
    assert {part.layer for part in own if part.kind == "decoder"} == {0, 1}
    assert {part.layer for part in own if part.kind == "cross"} == {0}


def test_scores_that_are_none_are_refused() -> None:
    model = load("mini-gpt", device="cpu")
    for wrong in ({"key": 5}, {"query": 99}, {"layer": 9}, {"head": 99}, {"kind": "cross"}):
        with pytest.raises(SelectionError):
            score_parts(model, CONTINUED, **{"query": 3, "key": 1, "layer": 1, "head": 0, **wrong})


@pytest.mark.parametrize(("name", "text"), [("mini-bert", MASKED), ("mini-llama", CONTINUED)])
def test_both_implementations_give_the_same_pairs(name: str, text: str) -> None:
    """The folder opened by transformers, with its own projections, rotation and kernel."""
    ours, theirs = (
        score_parts(load(opened_as, device="cpu"), text, query=4, key=2, layer=2, head=3)
        for opened_as in (name, str(ROOT / PRETRAINED / name))
    )
    assert ours.query_parts == theirs.query_parts
    assert_close(theirs.matrix, ours.matrix, tolerance=PARITY)
