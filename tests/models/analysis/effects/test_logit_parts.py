"""The parts of a logit difference sum to it, and are those of the formula."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.analysis.contrasts import contrast_of
from models.analysis.effects.logit_parts import logit_parts, parts_of
from models.opening.registry import load
from models.scratch_models.encoder import ScratchModel
from models.values.results.effects import LogitParts, map_of
from tests.closeness import PARITY, assert_close
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened, question_to

MASKED = "The old [MASK] barked at the cat."
EMBEDDED = {
    "mini-bert": (MASKED, None),
    "mini-bert as a pair": ("He went to the shop.", "He bought bread."),
    "mini-gpt": ("The old dog barked at the", None),
    "translator-es": ("the old cat sleeps", "El gato"),
    "sentiment": ("a really good film", None),
}


def size_of_parts(found: LogitParts) -> float:
    """What the sum is made of: many parts cancel."""
    heads = sum(np.abs(each.values).sum() for each in found.heads)
    return float(heads + np.abs(found.feed_forward).sum() + abs(found.embeddings) + abs(found.biases))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_parts_sum_to_the_difference_in_every_family(name: str) -> None:
    found = logit_parts(opened(name), TEXT, contrast=question_to(name))
    assert_close(found.total, found.difference, magnitude=size_of_parts(found))
    assert any(np.abs(each.values).max() > 1e-4 for each in found.heads)


@pytest.mark.parametrize("name", EMBEDDED)
def test_the_parts_sum_to_the_difference_in_trained_models(name: str) -> None:
    text, text_b = EMBEDDED[name]
    found = logit_parts(load(name.split(maxsplit=1)[0], device="cpu"), text, text_b=text_b)
    assert_close(found.total, found.difference, magnitude=size_of_parts(found))
    assert max(np.abs(each.values).max() for each in found.heads) > 0.05


def test_a_head_of_a_pre_ln_decoder_adds_what_the_last_norm_and_the_unembedding_make_of_it() -> None:
    model = load("mini-gpt", device="cpu")
    text = EMBEDDED["mini-gpt"][0]
    contrast = contrast_of(model, text)
    found = logit_parts(model, text, contrast=contrast)
    layer, head, d_head = 2, 5, model.info.d_head
    record = model.record(text).of("decoder")
    with torch.no_grad():
        ids = torch.tensor([model.prepare(text).input_ids])
        last = model.model.decoder(ids).hidden_states[-1][0, contrast.position]
        norm, unembed = model.model.decoder.final_norm, model.model.lm_head.unembed.weight
        w_o = model.model.decoder.layers[layer].attention.output.weight[:, head * d_head : (head + 1) * d_head]
        added = w_o @ torch.from_numpy(record.head_output(layer, head)[contrast.position])
        scaled = (added - added.mean()) / (last.var(unbiased=False) + norm.eps).sqrt() * norm.weight
        expected = float(scaled @ (unembed[contrast.answer] - unembed[contrast.rival]))
    assert_close(map_of(found.heads, "decoder")[layer, head], expected)


def held(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    """A layer norm whose deviation is a constant."""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.square().mean(dim=-1, keepdim=True) + norm.eps).sqrt().detach() * norm.weight + norm.bias


def test_in_a_post_ln_encoder_they_are_the_gradients_of_a_pass_whose_norms_are_held() -> None:
    """The same model once more, straight from its formula: what heads and networks add are the leaves of the graph."""
    model = load("mini-bert", device="cpu")
    assert isinstance(model, ScratchModel)
    contrast = contrast_of(model, MASKED)
    found = logit_parts(model, MASKED, contrast=contrast)
    recording = model.record(MASKED)
    states, record = torch.tensor(recording.hidden_states), recording.of("encoder")
    at, encoder, mlm = contrast.position, model.model.encoder, model.model.mlm
    embedded = states[0, at].clone().requires_grad_()
    x, heads, networks = embedded, [], []
    for number, layer in enumerate(encoder.layers):
        outputs = np.stack([record.head_output(number, head)[at] for head in range(record.n_heads)])
        heads.append(torch.from_numpy(outputs).requires_grad_())
        x = held(layer.attention_norm, x + layer.attention.output(heads[-1].flatten()))
        networks.append(layer.feed_forward(x).detach().requires_grad_())
        x = held(layer.feed_forward_norm, x + networks[-1])
        assert_close(x, states[number + 1, at])
    z = mlm.transform(x)
    gated = z * (mlm.activation(z) / z).detach()
    logits = mlm.unembed(held(mlm.norm, gated))
    (logits[contrast.answer] - logits[contrast.rival]).backward()
    expected = np.stack([(each * each.grad).sum(dim=1).detach().numpy() for each in heads])
    assert_close(map_of(found.heads, "encoder"), expected, tolerance=PARITY)
    assert_close(found.feed_forward, [float((each * each.grad).sum().detach()) for each in networks], tolerance=PARITY)
    added = [float(part) for part in (embedded * embedded.grad).detach()]
    assert_close(found.embeddings, sum(added), tolerance=PARITY, magnitude=max(map(abs, added)))


def test_without_the_stream_nothing_is_added() -> None:
    """The parts follow the values: twice the output of a head is twice its part."""
    model = load("mini-gpt", device="cpu")
    text = EMBEDDED["mini-gpt"][0]
    contrast = contrast_of(model, text)
    streams, record = model.answer_streams(text, contrast=contrast), model.record(text).of("decoder")
    once = parts_of(streams, {"decoder": record})
    value = record.value.copy()
    value[1, 3] *= 2
    twice = parts_of(
        streams,
        {
            "decoder": type(record)(
                **{**{name: getattr(record, name) for name in type(record).__slots__}, "value": value}
            )
        },
    )
    ratio = map_of(twice.heads, "decoder") / map_of(once.heads, "decoder")
    assert_close(ratio[1, 3], 2)
    ratio[1, 3] = 1
    assert_close(ratio, 1)


@pytest.mark.network
def test_a_published_attribution_on_a_known_model() -> None:
    """GPT-2 small on indirect objects (Wang et al. 2022): L9H9 +1.96 and L9H6 +1.63, the name movers, L10H7 -1.43."""
    model = load("openai-community/gpt2", device="cpu")
    text = "When Mary and John went to the store, John gave a drink to"
    contrast = contrast_of(model, text, answer=" Mary", rival=" John")
    heads = map_of(logit_parts(model, text, contrast=contrast).heads, "decoder")
    assert_close(heads[9, 9], 1.96, tolerance=1, magnitude=1)  # their mean over many sentences
    assert_close(heads[9, 6], 1.63, tolerance=1, magnitude=1)
    assert_close(heads[10, 7], -1.43, tolerance=1, magnitude=1)
