"""Direct paths between two heads: what the receiver is given less of, by hand, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.analysis.contrasts import contrast_of
from models.analysis.effects.paths import head_paths, part_at
from models.opening.registry import load
from models.values.errors import SelectionError
from models.values.probing.changes import Changes, HeadEdit
from tests.closeness import assert_close, is_close
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened, question_to

MASKED = "The old [MASK] barked at the cat."
CONTINUED = "The old dog barked at the"


def held(norm: nn.LayerNorm, total: Tensor, part: Tensor) -> Tensor:
    """Return a part of a sum as a norm hands it on, divided by the deviation of the whole sum."""
    deviation = (total.var(dim=-1, keepdim=True, unbiased=False) + norm.eps).sqrt()
    return (part - part.mean(dim=-1, keepdim=True)) / deviation * norm.weight


def receiver_without(attention: nn.Module, read: Tensor, less: Tensor, *, part: str, head: int, bias: Tensor) -> Tensor:
    """The output of one head whose queries, keys or values read less [n_tokens, d_head]."""
    d_head = attention.query.weight.shape[0] // attention.n_heads
    rows = slice(head * d_head, (head + 1) * d_head)
    made = {
        name: (read - less if name == part else read) @ getattr(attention, name).weight[rows].T
        + getattr(attention, name).bias[rows]
        for name in ("query", "key", "value")
    }
    return ((made["query"] @ made["key"].T) * d_head**-0.5 + bias).softmax(dim=-1) @ made["value"]


def effects_by_hand(model: object, text: str, receiver: tuple[str, int, int], outputs: list[Tensor]) -> np.ndarray:
    contrast = contrast_of(model, text)
    kind, layer, head = receiver
    edits = [HeadEdit(kind=kind, layer=layer, head=head, output=output.numpy()) for output in outputs]
    under = model.answers_under(text, contrast=contrast, changes=[Changes(), *(Changes(heads=(e,)) for e in edits)])
    return under.differences[1:] - under.differences[0]


def test_in_a_pre_ln_decoder_it_is_the_part_of_the_stream_that_the_norm_hands_on() -> None:
    model = load("mini-gpt", device="cpu")
    recording = model.record(CONTINUED)
    record = recording.of("decoder")
    sender, receiver = ("decoder", 0, 2), ("decoder", 2, 5)
    layers = model.model.decoder.layers
    with torch.no_grad():
        x = torch.tensor(recording.hidden_states[2])
        part = torch.from_numpy(record.head_output(0, 2)) @ layers[0].attention.output.weight[:, 64:96].T
        less = held(layers[2].attention_norm, x, part)
        bias = torch.full((len(x), len(x)), -torch.inf).triu(1)
        read = layers[2].attention_norm(x)
        outputs = [
            receiver_without(layers[2].attention, read, less, part=each, head=5, bias=bias)
            for each in ("query", "key", "value")
        ]
    found = head_paths(model, CONTINUED, receiver, senders=[sender])
    stream = model.answer_streams(CONTINUED, contrast=found.contrast).answering
    assert_close(part_at(stream, record, sender, 2), less)
    assert_close(found.effects[0], effects_by_hand(model, CONTINUED, receiver, outputs), tolerance=1e-4, magnitude=1)
    assert np.abs(found.effects).max() > 1e-3


def test_in_a_post_ln_encoder_it_goes_through_the_norms_between() -> None:
    model = load("mini-bert", device="cpu")
    recording = model.record(MASKED)
    record = recording.of("encoder")
    sender, receiver = ("encoder", 0, 5), ("encoder", 1, 1)
    first, second = model.model.encoder.layers[:2]
    with torch.no_grad():
        x = torch.tensor(recording.hidden_states[0])
        part = torch.from_numpy(record.head_output(0, 5)) @ first.attention.output.weight[:, 160:192].T
        summed = x + first.attention(x[None])[0]
        less = held(first.attention_norm, summed, part)
        middle = first.attention_norm(summed)
        less = held(first.feed_forward_norm, middle + first.feed_forward(middle), less)
        read = torch.tensor(recording.hidden_states[1])
        bias = torch.zeros(len(x), len(x))
        outputs = [
            receiver_without(second.attention, read, less, part=each, head=1, bias=bias)
            for each in ("query", "key", "value")
        ]
    found = head_paths(model, MASKED, receiver)
    assert len(found.senders) == 8
    at = found.senders.index(sender)
    assert_close(found.effects[at], effects_by_hand(model, MASKED, receiver, outputs), tolerance=1e-4, magnitude=1)


def test_with_exact_norms_a_pre_ln_path_is_a_patch_of_what_the_norm_makes_of_the_rest() -> None:
    """The input of the receiver without the sender's part, through the model's own norm; nothing is linear here."""
    model = load("mini-gpt", device="cpu")
    recording = model.record(CONTINUED)
    record = recording.of("decoder")
    sender, receiver = ("decoder", 0, 2), ("decoder", 2, 5)
    layers = model.model.decoder.layers
    with torch.no_grad():
        x = torch.tensor(recording.hidden_states[2])
        part = torch.from_numpy(record.head_output(0, 2)) @ layers[0].attention.output.weight[:, 64:96].T
        read, norm = layers[2].attention_norm(x), layers[2].attention_norm
        bias = torch.full((len(x), len(x)), -torch.inf).triu(1)
        outputs = [
            receiver_without(layers[2].attention, read, read - norm(x - part), part=each, head=5, bias=bias)
            for each in ("query", "key", "value")
        ]
    found = head_paths(model, CONTINUED, receiver, senders=[sender], norms="exact")
    assert_close(found.effects[0], effects_by_hand(model, CONTINUED, receiver, outputs), tolerance=1e-4, magnitude=1)
    frozen = head_paths(model, CONTINUED, receiver, senders=[sender])
    assert (found.norms, frozen.norms) == ("exact", "held")
    assert not is_close(found.effects, frozen.effects, tolerance=1e-3)


def test_with_exact_norms_a_post_ln_path_is_a_patch_through_every_norm_of_the_model() -> None:
    """The path is direct: nothing changes in the sums of other heads and networks."""
    model = load("mini-bert", device="cpu")
    recording = model.record(MASKED)
    sender, receiver = ("encoder", 0, 5), ("encoder", 1, 1)
    first, second = model.model.encoder.layers[:2]
    with torch.no_grad():
        x = torch.tensor(recording.hidden_states[0])
        output = torch.from_numpy(recording.of("encoder").head_output(0, 5))
        summed = x + first.attention(x[None])[0]
        middle = first.attention_norm(summed)
        network = first.feed_forward(middle)
        without = first.attention_norm(summed - output @ first.attention.output.weight[:, 160:192].T)
        read, less = (first.feed_forward_norm(start + network) for start in (middle, without))
        outputs = [
            receiver_without(second.attention, read, read - less, part=each, head=1, bias=torch.zeros(len(x), len(x)))
            for each in ("query", "key", "value")
        ]
    found = head_paths(model, MASKED, receiver, senders=[sender], norms="exact")
    assert_close(found.effects[0], effects_by_hand(model, MASKED, receiver, outputs), tolerance=1e-4, magnitude=1)
    assert not is_close(found.effects, head_paths(model, MASKED, receiver, senders=[sender]).effects, tolerance=1e-3)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_norm_of_the_whole_is_the_same_exact_and_held(name: str) -> None:
    """So that the two ways differ by nothing but the deviation of what lacks a part."""
    streams = opened(name).answer_streams(TEXT, contrast=question_to(name)).streams
    n_norms = 0
    for sub_layer in (each for stream in streams for each in stream.sub_layers):
        for norm, whole in (
            (sub_layer.norm, sub_layer.carried + sub_layer.added),
            (sub_layer.read_norm, sub_layer.carried),
        ):
            if norm is not None:
                held_rows = [norm.linear(row, position) + norm.shift for position, row in enumerate(whole)]
                assert_close(norm.exact(whole), np.stack(held_rows))
                assert not is_close(norm.exact(2 * whole), 2 * norm.exact(whole), tolerance=1e-2)
                n_norms += 1
    assert n_norms >= len(streams)


def test_the_parts_of_all_below_make_up_what_a_head_reads() -> None:
    """In a model that adds nothing but heads: the rest of the stream is what the embeddings and the networks add."""
    model = load("mini-gpt", device="cpu")
    contrast = contrast_of(model, CONTINUED)
    stream = model.answer_streams(CONTINUED, contrast=contrast).answering
    record = model.record(CONTINUED).of("decoder")
    last = stream.attention("decoder", 2)
    heads = sum(part_at(stream, record, ("decoder", layer, head), 2) for layer in (0, 1) for head in range(8))
    others = stream.embeddings + sum(
        each.added if each.part == "feed_forward" else each.projection.bias
        for each in stream.sub_layers[: stream.sub_layers.index(last)]
    )
    rest = np.stack([last.read_norm.linear(row, position) for position, row in enumerate(others)])
    with torch.no_grad():
        read = model.model.decoder.layers[2].attention_norm(torch.tensor(last.carried)).numpy()
    assert_close(heads + rest + last.read_norm.shift, read)


def test_paths_that_are_none_are_refused() -> None:
    model = load("mini-gpt", device="cpu")
    for receiver, senders in (
        (("decoder", 0, 0), None),
        (("decoder", 1, 0), [("decoder", 1, 1)]),
        (("cross", 1, 0), None),
    ):
        with pytest.raises(SelectionError):
            head_paths(model, CONTINUED, receiver, senders=senders)
