"""Every kind of attention that `show` takes: the numbers in the recording are those that were given."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import PIL.Image
import pytest
import torch
import transformers as hf
from numpy.typing import NDArray
from torch import nn

from models.values.record import Kind, Recording
from tests.closeness import assert_close
from tests.viz.given.weights import TOKENS, real_model, softmaxed, some_ids, token_names
from viz import show

N = len(TOKENS)
ONE, HEADS, LAYERS = softmaxed(N, N), softmaxed(3, N, N), softmaxed(2, 3, N, N)


def all_weights(recording: Recording, kind: Kind) -> NDArray[np.float32]:
    record = recording.of(kind)
    return np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])


def expect(recording: Recording, kind: Kind, layers: Sequence[Any]) -> None:
    """Fail unless a recording has the weights of layers [1, n_heads, n_query, n_key]."""
    given = np.stack([layer.detach().float().numpy()[0] for layer in layers])
    assert_close(all_weights(recording, kind), given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(ONE, ONE[None, None], id="a head"),
        pytest.param(HEADS, HEADS[None], id="heads"),
        pytest.param(LAYERS, LAYERS, id="layers"),
        pytest.param(LAYERS[:, None], LAYERS, id="layers of a batch of one"),
        pytest.param(LAYERS[:1], LAYERS[:1], id="a batch of one"),
        pytest.param(LAYERS[None], LAYERS, id="a batch of one of layers"),
        pytest.param(list(ONE), ONE[None, None], id="a list of rows"),
        pytest.param([list(head) for head in torch.tensor(HEADS)], HEADS[None], id="lists of rows that are tensors"),
        pytest.param(torch.tensor(LAYERS).to_sparse(), LAYERS, id="a sparse tensor"),
        pytest.param({"attention": torch.tensor(LAYERS)}, LAYERS, id="a dictionary"),
        pytest.param({1: LAYERS[1], 0: LAYERS[0]}, LAYERS, id="layers by number"),
        pytest.param({"layer.1": LAYERS[1], "layer.0": LAYERS[0]}, LAYERS, id="layers by a name with a number"),
        pytest.param(list(LAYERS), LAYERS, id="a list of layers"),
        pytest.param(tuple(LAYERS[:, None]), LAYERS, id="a tuple of layers of a batch of one"),
        pytest.param(ONE.tolist(), ONE[None, None], id="nested lists"),
        pytest.param(LAYERS.tolist(), LAYERS, id="deeply nested lists"),
        pytest.param(LAYERS.astype(np.float64), LAYERS, id="float64"),
        pytest.param(torch.tensor(LAYERS, requires_grad=True), LAYERS, id="a tensor with a graph"),
        pytest.param([torch.tensor(layer) for layer in LAYERS], LAYERS, id="a list of tensors"),
        pytest.param(np.tril(np.ones((N, N), int)) * np.eye(N, dtype=int), np.eye(N)[None, None], id="whole numbers"),
    ],
)
def test_the_recording_has_the_numbers_that_were_given(given: Any, expected: NDArray[np.float32]) -> None:
    shown = show(given, TOKENS)
    (kind,) = shown.recording.kinds
    assert_close(all_weights(shown.recording, kind), expected)
    assert [token.text for token in shown.recording.tokens] == TOKENS


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_shown_as_it_was_rounded(dtype: torch.dtype) -> None:
    rounded = torch.tensor(LAYERS).to(dtype)
    shown = show(rounded, TOKENS)
    assert_close(all_weights(shown.recording, "encoder"), rounded.float())
    assert shown.recording.info.notes == ()


def test_what_was_given_stays_as_it_was() -> None:
    given = LAYERS.copy()
    show(given, TOKENS)
    given[0, 0, 0, 0] = 0  # still writable
    assert_close(given[1], LAYERS[1])


def test_an_item_of_a_batch_is_chosen() -> None:
    batch = softmaxed(2, 4, 3, N, N)  # [n_layers, n_batch, n_heads, n_query, n_key]
    assert_close(all_weights(show(batch, TOKENS, item=2).recording, "encoder"), batch[:, 2])
    assert_close(all_weights(show(list(batch), TOKENS, item=1).recording, "encoder"), batch[:, 1])
    assert_close(all_weights(show(batch[0], TOKENS, item=3).recording, "encoder"), batch[:1, 3])
    assert_close(all_weights(show(batch[0, 0], TOKENS, item=2).recording, "encoder"), batch[:1, 0, 2:3])


@pytest.mark.parametrize("averaged", [True, False])
def test_the_second_output_of_multihead_attention(averaged: bool) -> None:
    torch.manual_seed(0)
    layer, states = nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(1, N, 8)
    _, weights = layer(states, states, states, average_attn_weights=averaged)  # [1, N, N] or [1, 2, N, N]
    shown = show(weights, TOKENS)
    assert_close(all_weights(shown.recording, "encoder"), weights.detach().reshape(1, -1, N, N))


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "gpt2", "llama", "gpt_oss"])
def test_outputs_of_a_pass(family: str) -> None:
    model = real_model(family)
    outputs = model(some_ids(9), output_attentions=True)
    kind: Kind = "decoder" if family in ("gpt2", "llama", "gpt_oss") else "encoder"
    for given in (outputs, outputs.attentions):
        shown = show(given, token_names(9))
        assert shown.recording.kinds == (kind,)
        expect(shown.recording, kind, outputs.attentions)
    assert bool(shown.recording.info.notes) is (family == "gpt_oss")  # its sinks take a part of every row


@pytest.mark.parametrize("family", ["bart", "t5"])
def test_outputs_of_an_encoder_and_a_decoder(family: str) -> None:
    outputs = real_model(family)(input_ids=some_ids(8), decoder_input_ids=some_ids(5), output_attentions=True)
    shown = show(outputs, query_tokens=token_names(5), key_tokens=[*token_names(7), "</s>"])
    assert shown.recording.kinds == ("encoder", "decoder", "cross")
    expect(shown.recording, "encoder", outputs.encoder_attentions)
    expect(shown.recording, "decoder", outputs.decoder_attentions)
    expect(shown.recording, "cross", outputs.cross_attentions)
    assert len(shown.recording.of("cross").key_tokens) == 8
    assert shown.recording.of("encoder").query_tokens[-1].is_special
    alone = show(outputs.cross_attentions, query_tokens=token_names(5), key_tokens=token_names(8))
    expect(alone.recording, "cross", outputs.cross_attentions)


@pytest.mark.parametrize("cache", ["dynamic", "static", "none"])
@pytest.mark.parametrize("family", ["llama", "gemma2"])
def test_a_generation_is_one_causal_matrix(family: str, cache: str) -> None:
    model, prompt = real_model(family), some_ids(6)
    written = model.generate(
        prompt,
        max_new_tokens=7,
        min_new_tokens=7,
        do_sample=False,
        output_attentions=True,
        return_dict_in_generate=True,
        use_cache=cache != "none",
        **({"cache_implementation": "static"} if cache == "static" else {}),
    )
    whole = model(written.sequences[:, :-1], output_attentions=True).attentions  # what was read, in one pass
    names = token_names(written.sequences.shape[1])
    for given in (written, written.attentions):
        shown = show(given, names)
        assert shown.recording.kinds == ("decoder",)
        assert_close(
            all_weights(shown.recording, "decoder"), np.stack([layer.detach()[0] for layer in whole]), tolerance=4e-5
        )
    assert len(shown.recording.tokens) == len(names) - 1  # the last token was written, and not read


def test_a_translation_that_was_written_has_three_kinds() -> None:
    model, source = real_model("bart"), some_ids(8)
    written = model.generate(
        source,
        max_new_tokens=5,
        min_new_tokens=5,
        num_beams=1,
        do_sample=False,
        output_attentions=True,
        return_dict_in_generate=True,
    )
    whole = model(input_ids=source, decoder_input_ids=written.sequences[:, :-1], output_attentions=True)
    shown = show(written, query_tokens=token_names(written.sequences.shape[1]), key_tokens=token_names(8))
    for kind, layers in (
        ("encoder", whole.encoder_attentions),
        ("decoder", whole.decoder_attentions),
        ("cross", whole.cross_attentions),
    ):
        expected = np.stack([layer.detach()[0] for layer in layers])
        assert_close(all_weights(shown.recording, kind), expected, tolerance=4e-5)
    alone = show(written.cross_attentions, key_tokens=token_names(8))
    assert alone.recording.kinds == ("cross",)


class ActivationCache:
    """A stand-in for the cache that TransformerLens returns, with its dictionary."""

    def __init__(self, cache_dict: dict[str, Any]) -> None:
        self.cache_dict = cache_dict


def test_a_cache_of_transformer_lens() -> None:
    causal = np.tril(softmaxed(3, 1, 2, N, N)) / np.tril(softmaxed(3, 1, 2, N, N)).sum(-1, keepdims=True)
    cache = {f"blocks.{layer}.attn.hook_pattern": torch.tensor(causal[layer]) for layer in range(3)}
    cache |= {"blocks.0.attn.hook_q": torch.zeros(1, N, 2, 4), "hook_embed": torch.zeros(1, N, 8)}
    for given in (cache, ActivationCache(cache)):
        recording = show(given, TOKENS).recording
        assert_close(all_weights(recording, "decoder"), causal[:, 0])
    del cache["blocks.1.attn.hook_pattern"]
    recording = show(cache, TOKENS).recording
    assert_close(all_weights(recording, "decoder"), causal[[0, 2], 0])
    assert "Layers 0 to 1 here are the layers 0, 2" in str(recording.info.notes[0])
    alone = show({"blocks.2.attn.hook_pattern": torch.tensor(causal[2])}, TOKENS)
    assert "Layer 0 here is layer 2" in str(alone.recording.info.notes[0])


def test_patches_of_a_picture() -> None:
    config = hf.ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=32, patch_size=8
    )
    torch.manual_seed(0)
    model = hf.ViTModel._from_config(config, attn_implementation="eager").eval()
    picture = np.random.default_rng(0).integers(0, 256, (64, 32, 3)).astype(np.uint8)
    outputs = model(torch.randn(1, 3, 32, 32), output_attentions=True)
    recording = show(outputs, grid=(4, 4), image=picture).recording
    expect(recording, "encoder", outputs.attentions)
    assert recording.tokens[0].is_special
    place = recording.tokens[1 + 4 * 2 + 3].place
    assert (place.row, place.column, place.left, place.top, place.bottom) == (2, 3, 24, 32, 48)
    assert recording.source is not None
    np.testing.assert_array_equal(recording.source.pixels, picture)
    assert show(outputs, grid=(4, 4)).recording.source is None


def test_words_that_look_at_patches() -> None:
    weights = softmaxed(2, 3, 6)
    recording = show(weights, query_tokens=token_names(3), grid=(2, 3)).recording
    record = recording.of("cross")
    assert [token.text for token in record.query_tokens] == token_names(3)
    assert [token.place.row for token in record.key_tokens if token.place] == [0, 0, 0, 1, 1, 1]


def test_rows_that_do_not_sum_to_1_are_said_and_kept() -> None:
    given = LAYERS * np.linspace(0.2, 0.9, N, dtype=np.float32)[:, None]
    shown = show(given, TOKENS)
    assert_close(all_weights(shown.recording, "encoder"), given)
    assert "sum to 0.2 to 0.9" in str(shown.recording.info.notes[0])
    without = LAYERS.copy()
    without[0, 0, 3] = 0
    assert "sum to 0 to 1" in str(show(without, TOKENS).recording.info.notes[0])
    over = np.minimum(LAYERS * 3, 1)
    assert_close(all_weights(show(over, TOKENS).recording, "encoder"), over)


def test_padding_is_cut() -> None:
    tokenizer_mask = [[1] * N + [0] * 3]
    padded = np.full((2, 1, 3, N + 3, N + 3), np.nan, np.float32)  # rows of padding may be anything
    padded[:, 0, :, :N, :N] = LAYERS
    for tokens in (TOKENS, [*TOKENS, *["[PAD]"] * 3]):
        recording = show(tuple(torch.tensor(padded)), tokens, mask=torch.tensor(tokenizer_mask)).recording
        assert_close(all_weights(recording, "encoder"), LAYERS)
        assert [token.text for token in recording.tokens] == TOKENS


def test_padding_in_front_of_a_source_is_cut_from_the_columns_of_cross_attention() -> None:
    outputs = real_model("bart")(input_ids=some_ids(8), decoder_input_ids=some_ids(5), output_attentions=True)
    mask = [0, 0, 1, 1, 1, 1, 1, 1]
    recording = show(outputs, query_tokens=token_names(5), key_tokens=token_names(8), mask=mask).recording
    assert recording.of("cross").n_key == recording.of("encoder").n_query == 6
    assert recording.of("decoder").n_key == 5
    assert_close(recording.of("cross").weights(0, 1), outputs.cross_attentions[0][0, 1, :, 2:].detach())


def test_a_second_sentence() -> None:
    recording = show(ONE, TOKENS, sentence_b_start=6).recording
    assert recording.segment_b_start == 6
    assert [token.segment for token in recording.tokens] == [0] * 6 + [1] * (N - 6)
    assert show(ONE, sentence_b_start=6).recording.segment_b_start == 6


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK"])
def test_a_picture_of_pillow_keeps_its_colours(mode: str) -> None:
    red = PIL.Image.new("RGB", (8, 8), (254, 0, 0)).convert(mode)
    source: Any = show(softmaxed(4, 4), grid=(2, 2), image=red).recording.source
    assert source.pixels[0, 0].tolist() == list(red.convert("RGB").getpixel((0, 0)))
    tensor = torch.tensor(source.pixels).permute(2, 0, 1)[None]  # [1, 3, height, width]
    again: Any = show(softmaxed(4, 4), grid=(2, 2), image=tensor).recording.source
    np.testing.assert_array_equal(again.pixels, source.pixels)


def test_tokens_know_their_words_and_which_are_special() -> None:
    pieces = ["<s>", "ĠThe", "Ġun", "believ", "able", "</s>"]
    words = [token.word for token in show(softmaxed(6, 6), pieces).recording.tokens]
    assert words == [None, 0, 1, 1, 1, None]
    assert [token.word for token in show(softmaxed(3, 3), ["two", "words", "."]).recording.tokens] == [0, 1, 2]


def test_without_tokens_positions_are_shown() -> None:
    assert [token.text for token in show(softmaxed(2, 3, 3)).recording.tokens] == ["0", "1", "2"]


def test_show_needs_numpy_alone() -> None:
    question = """
import sys
import numpy as np, viz
shown = viz.show(np.eye(3), ["a", "b", "c"])
shown._repr_html_(); repr(shown)
heavy = {"torch", "streamlit", "pandas", "plotly", "transformers", "bertviz", "PIL"} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""
    subprocess.run([sys.executable, "-c", question], check=True)
