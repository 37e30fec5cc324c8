"""The costs of attention: bytes beside the caches of real models and published numbers, blocks beside whole rows,
sampling beside transformers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import DeepseekV3Config, FalconConfig, Gemma2Config, Gemma3TextConfig, GPT2Config, LlamaConfig
from transformers import MinPLogitsWarper as MinP
from transformers import RepetitionPenaltyLogitsProcessor as RepetitionPenalty
from transformers import TemperatureLogitsWarper as Temperature
from transformers import TopKLogitsWarper as TopK
from transformers import TopPLogitsWarper as TopP

from models.inspection.costs.online_softmax import most_corrected, walk_blocks
from models.inspection.costs.public_shapes import PUBLIC_SHAPES, WITH_SINKS, other_sharing
from models.tasks.sampling import sampling_steps
from models.tasks.timing import TOP_K as DRAWN_FROM
from models.values.errors import MissingCapabilityError, RecordError, SelectionError
from models.values.record import AttentionRecord
from models.values.results.costs import CacheShape, shape_of
from tests.closeness import PARITY, assert_close
from tests.loaded import load

TEXT = "Once upon a time there was a little girl who lived in a small house."
SHAPES = {shape.name: shape for shape in PUBLIC_SHAPES}
EXACT = 1e-12
"""The rounding of float64 in an identity."""


# -- bytes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mini-llama", "mini-gpt", "models/pretrained/mini-llama"])
def test_the_bytes_are_those_of_a_real_cache(name: str) -> None:
    times = load(name).time_writing(TEXT, n_new=5)
    shape = shape_of(times.info)
    expected = [shape.cache_bytes(times.n_prompt + n, 4) for n in range(len(times.tokens))]
    assert list(times.cache_bytes) == expected
    assert shape.bytes_a_token(4) == expected[1] - expected[0]


def test_published_sizes_come_out() -> None:
    """Llama-2-7B takes 512 KiB a token in 16 bits, and grouping by four a quarter of it (Ainslie et al. 2023); the
    cache of DeepSeek-V2 is that of 2.25 groups of its heads (its Table 1)."""
    assert SHAPES["Llama-2-7B"].bytes_a_token(2) == 512 * 1024
    assert SHAPES["Llama-3-8B"].bytes_a_token(2) == 128 * 1024
    latent = SHAPES["DeepSeek-V2"]
    assert latent.numbers_a_layer == 2.25 * 2 * latent.d_head


def test_a_window_stops_the_growth() -> None:
    shape = SHAPES["Mistral-7B"]
    assert shape.cache_bytes(4096) == shape.cache_bytes(128_000) == 4096 * shape.bytes_a_token()
    some = SHAPES["Gemma-3-27B"]
    grown = some.cache_bytes(20_001) - some.cache_bytes(20_000)
    assert grown * some.n_layers == some.bytes_a_token() * (some.n_layers - some.n_windowed)


def test_sinks_are_kept_beside_the_window() -> None:
    assert WITH_SINKS.cache_bytes(4096) == WITH_SINKS.cache_bytes(128_000) == SHAPES["Llama-2-7B"].cache_bytes(4096)
    assert WITH_SINKS.cache_bytes(4095) == SHAPES["Llama-2-7B"].cache_bytes(4095)


def test_the_table_agrees_with_the_defaults_of_transformers() -> None:
    """Where the defaults of a configuration are those of the model of its paper, or of its family."""
    gpt2, llama, falcon, deepseek = GPT2Config(), LlamaConfig(), FalconConfig(), DeepseekV3Config()
    assert (gpt2.n_layer, gpt2.n_head, gpt2.n_embd // gpt2.n_head) == _sizes("GPT-2")
    assert (llama.num_hidden_layers, llama.num_attention_heads, llama.head_dim) == _sizes("Llama-2-7B")
    assert falcon.multi_query
    assert SHAPES["Falcon-7B"].sharing == "multi-query"
    assert (falcon.num_hidden_layers, falcon.num_attention_heads, falcon.hidden_size // 71) == _sizes("Falcon-7B")
    assert (deepseek.num_hidden_layers, deepseek.num_attention_heads, deepseek.v_head_dim) == _sizes("DeepSeek-V3")
    assert (deepseek.kv_lora_rank, deepseek.qk_rope_head_dim) == (
        SHAPES["DeepSeek-V3"].d_latent,
        SHAPES["DeepSeek-V3"].d_rotary,
    )
    for name, config in (("Gemma-2-9B", Gemma2Config), ("Gemma-3-27B", Gemma3TextConfig)):
        layers = config(num_hidden_layers=SHAPES[name].n_layers).layer_types
        assert layers.count("sliding_attention") == SHAPES[name].n_windowed


def _sizes(name: str) -> tuple[int, int, int]:
    shape = SHAPES[name]
    return shape.n_layers, shape.n_heads, shape.d_head


def test_sharing_takes_less_and_less() -> None:
    shared = other_sharing(SHAPES["Llama-2-7B"])
    assert [shape.sharing for shape in shared] == ["multi-head", "grouped", "multi-query", "latent"]
    assert [shape.bytes_a_token() for shape in shared[:3]] == [524_288, 131_072, 16_384]
    assert shared[3].numbers_a_layer == 512 + 64


def test_fused_attention_writes_no_square() -> None:
    shape = SHAPES["Llama-3-8B"]
    assert shape.weights_bytes(2000) == 4 * shape.weights_bytes(1000)
    assert shape.fused_bytes(2000) == 2 * shape.fused_bytes(1000)


def test_shapes_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(RecordError, match="divisor"):
        CacheShape(name="odd", n_layers=1, n_heads=8, n_kv_heads=3, d_head=4)
    with pytest.raises(RecordError, match="n_windowed"):
        replace(SHAPES["GPT-2"], window=10)


# -- times ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mini-llama", "models/pretrained/mini-llama", "mini-gpt"])
def test_both_ways_write_the_same(name: str) -> None:
    model = load(name)
    times, writing = model.time_writing(TEXT, n_new=12), model.continue_text(TEXT, n_new=12, top_k=DRAWN_FROM)
    assert times.tokens == tuple(token.chosen.text for token in writing.written)
    assert times.texts == tuple(token.text_so_far for token in writing.written)
    assert_close(times.difference, 0, tolerance=PARITY, magnitude=1)
    assert all(ms > 0 for ms in (*times.cached_ms, *times.uncached_ms))


def test_a_model_that_continues_no_text_says_so() -> None:
    with pytest.raises(MissingCapabilityError, match="cannot continue"):
        load("mini-bert").time_writing(TEXT)


# -- blocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mini-bert", "mini-llama", "translator-es"])
@pytest.mark.parametrize("block", [1, 4, 100])
def test_the_last_block_has_the_row_and_its_output(name: str, block: int) -> None:
    for record in load(name).record("The red house is small.").attention:
        layer, head, query = record.n_layers - 1, record.n_heads - 1, record.n_query - 1
        blocks = walk_blocks(record, layer=layer, head=head, query=query, block=block)
        assert_close(blocks[-1].weights, record.weights(layer, head)[query], tolerance=1e-6)
        assert_close(blocks[-1].output, record.head_output(layer, head)[query], tolerance=1e-6)
        assert len(blocks) == -(-record.n_key // block)


def test_every_block_is_the_softmax_of_what_has_come() -> None:
    record = load("mini-llama").record(TEXT).of("decoder")
    query = record.n_query - 1
    scores = record.scores(3, 2)[query].astype(np.float64)
    for block in walk_blocks(record, layer=3, head=2, query=query):
        seen = np.exp(scores[: block.stop] - scores[: block.stop].max())
        assert block.maximum == scores[: block.stop].max()
        assert_close(block.total, seen.sum(), tolerance=EXACT)
        assert_close(block.weights[: block.stop], seen / seen.sum(), tolerance=EXACT)
        assert not block.weights[block.stop :].any()


def test_blocks_that_a_query_may_not_see_change_nothing() -> None:
    record = load("mini-llama").record(TEXT).of("decoder")
    blocks = walk_blocks(record, layer=0, head=0, query=1)
    assert [block.is_masked for block in blocks] == [False] + [True] * (len(blocks) - 1)
    assert {block.correction for block in blocks[1:]} == {1.0}
    np.testing.assert_array_equal(blocks[-1].output, blocks[0].output)


def test_the_most_corrected_row_is_that_of_all() -> None:
    record = load("mini-bert").record("The red house is small and the old man is tall.").of("encoder")
    found = most_corrected(record, layer=1, head=3)
    rows = [walk_blocks(record, layer=1, head=3, query=query) for query in range(record.n_query)]
    corrected = [sum(block.correction < 1 for block in blocks[1:]) for blocks in rows]
    assert corrected[found] == max(corrected)
    assert max(corrected) not in corrected[found + 1 :]


def test_a_sink_and_a_row_that_sees_nothing() -> None:
    record = load("mini-llama").record(TEXT).of("decoder")
    sinks = np.full((record.n_layers, record.n_heads, 1), 0.5, np.float32)
    late = _masked_first(record)
    assert not walk_blocks(late, layer=0, head=0, query=0)[-1].output.any()
    for changed, query in ((replace(record, sinks=sinks), 9), (late, record.n_query - 1)):
        last = walk_blocks(changed, layer=1, head=1, query=query)[-1]
        assert_close(last.weights, changed.weights(1, 1)[query], tolerance=1e-6)
        assert_close(last.output, changed.head_output(1, 1)[query], tolerance=1e-6)


def _masked_first(record: AttentionRecord) -> AttentionRecord:
    """The record with the first block of keys hidden from all."""
    hidden = np.where(np.arange(record.n_key) < 4, -np.inf, 0).astype(np.float32)
    return replace(record, bias=tuple(bias + hidden for bias in record.bias))


def test_a_query_that_is_not_there_is_refused() -> None:
    with pytest.raises(SelectionError, match="99"):
        walk_blocks(load("mini-bert").record("a cat").of("encoder"), layer=0, head=0, query=99)


# -- sampling ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "warpers"),
    [
        ({"temperature": 0.7}, [Temperature(0.7)]),
        ({"top_k": 12}, [TopK(12)]),
        ({"top_p": 0.8}, [TopP(0.8)]),
        ({"min_p": 0.05}, [MinP(0.05)]),
        ({"repetition_penalty": 1.3}, [RepetitionPenalty(1.3)]),
        (
            {"repetition_penalty": 1.5, "temperature": 1.4, "top_k": 40, "top_p": 0.9, "min_p": 0.02},
            [RepetitionPenalty(1.5), Temperature(1.4), TopK(40), TopP(0.9), MinP(0.02)],
        ),
    ],
)
def test_sampling_is_that_of_transformers(options: dict[str, float], warpers: list[object]) -> None:
    model = load("mini-llama")
    logits = model.answer_logits(TEXT).logits.astype(np.float64)
    read = [2, 5, 5, *np.argsort(-logits)[:6].tolist()]
    expected = torch.tensor(logits)[None]
    for warper in warpers:
        expected = warper(torch.tensor([read]), expected)
    steps = sampling_steps(logits, read, **options)
    assert_close(steps[-1].probabilities, expected.softmax(-1)[0], tolerance=EXACT)
    assert [step.setting for step in steps] == ["model", *options]


def test_what_is_cut_is_counted() -> None:
    logits = np.log([0.5, 0.25, 0.125, 0.125])
    own, after_k, after_p = sampling_steps(logits, top_k=2, top_p=0.6)
    assert (own.n_kept, after_k.n_kept, after_p.n_kept) == (4, 2, 1)
    assert (after_k.n_cut, after_p.n_cut) == (2, 1)
    assert_close([after_k.cut, after_p.cut], [0.25, 1 / 3], tolerance=EXACT)
