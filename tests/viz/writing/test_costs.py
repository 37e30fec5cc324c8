"""The pictures of what attention costs: every bar and line beside the numbers that it draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.inspection.costs.online_softmax import walk_blocks
from models.inspection.costs.public_shapes import PUBLIC_SHAPES, other_sharing
from models.tasks.sampling import sampling_steps
from models.values.errors import SelectionError
from models.values.results.costs import GIGABYTE, shape_of
from tests.closeness import assert_close
from viz.kit.demos.records import plausible_record
from viz.kit.theme import LIGHT, percentage
from viz.kit.tokens import plain_label
from viz.writing.blocks import block_bars, block_story, block_table, end_story, running_number
from viz.writing.demo_continuation import sample_times
from viz.writing.memory import (
    LENGTHS,
    byte_text,
    cache_lines,
    fitting_story,
    memory_table,
    sharing_bars,
    square_story,
    tokens_that_fit,
    weight_lines,
)
from viz.writing.sampling import cut_by, rows_of, sampling_bars, sampling_story, sampling_table
from viz.writing.timed import cache_growth, growth_story, times_story, times_table, token_times, writing_finding

SHAPES = {shape.name: shape for shape in PUBLIC_SHAPES}
LLAMA = SHAPES["Llama-2-7B"]
RECORD = plausible_record("[CLS] The man went to the shop . [SEP]")
BLOCKS = walk_blocks(RECORD, layer=1, head=2, query=3)


# -- written tokens ---------------------------------------------------------------------------------------------------


def test_the_cache_and_the_times_are_drawn_up_to_a_token() -> None:
    times = sample_times()
    (bars,) = cache_growth(times, number=10).data
    assert_close(bars.y, np.array(times.cache_bytes[:11]) / 1000)
    assert list(bars.marker.color) == [LIGHT.bar] * 10 + [LIGHT.accent]
    without, with_cache = token_times(times, number=10).data
    assert_close(without.y, np.cumsum(times.uncached_ms[:11]))
    assert_close(with_cache.y, np.cumsum(times.cached_ms[:11]))
    with pytest.raises(SelectionError, match="99"):
        token_times(times, number=99)


def test_what_is_said_of_the_times_is_what_was_measured() -> None:
    times = sample_times()
    ratio = sum(times.uncached_ms) / sum(times.cached_ms)
    assert f"{ratio:.1f} times as long" in times_story(times, number=len(times.tokens) - 1)
    assert "saved no time" in times_story(replace(times, uncached_ms=times.cached_ms), number=3)
    said = writing_finding(times, number=3)
    assert said.startswith("4 new tokens: ")
    for ms in (times.cached_ms, times.uncached_ms):
        assert f"{sum(ms[:4]):.3g} ms" in said
    assert said.endswith(f"takes up {byte_text(times.cache_bytes[3])}.")
    slow = replace(times, uncached_ms=[1000 * ms for ms in times.uncached_ms])
    assert f"{sum(times.uncached_ms[:4]):.3g} s without" in writing_finding(slow, number=3)
    assert list(times_table(times).cache_bytes) == list(times.cache_bytes)


def test_the_arithmetic_of_a_token_is_said_only_where_the_cache_agrees_with_it() -> None:
    times = sample_times()
    shape = shape_of(times.info)
    assert byte_text(times.cache_bytes[5]) in growth_story(times, shape, number=5)
    wrong = replace(shape, n_layers=shape.n_layers + 1)
    right = replace(times, cache_bytes=tuple(shape.cache_bytes(times.n_prompt + n, 4) for n in range(24)))
    assert f"{shape.n_layers} layers × 2" in growth_story(right, shape, number=5)
    assert "layers ×" not in growth_story(right, wrong, number=5)


# -- memory -----------------------------------------------------------------------------------------------------------


def test_every_model_has_its_line_and_its_name() -> None:
    figure = cache_lines(PUBLIC_SHAPES, bytes_a_number=2, limit=24 * GIGABYTE)
    for shape in PUBLIC_SHAPES:
        (line,) = [trace for trace in figure.data if trace.name == shape.name]
        assert_close(line.y, [shape.cache_bytes(n, 2) for n in LENGTHS])
        assert any(plain_label(shape.name, limit=None) in (note.text or "") for note in figure.layout.annotations)
    assert figure.layout.shapes[0].y0 == 24 * GIGABYTE


def test_the_longest_text_that_fits_is_the_longest() -> None:
    n = tokens_that_fit(LLAMA, 2, 24 * GIGABYTE)
    assert LLAMA.cache_bytes(n, 2) <= 24 * GIGABYTE < LLAMA.cache_bytes(n + 1, 2)
    assert f"{n:,} tokens" in fitting_story([LLAMA], bytes_a_number=2, limit=24 * GIGABYTE)
    assert "all of them fit" in fitting_story([SHAPES["GPT-2"]], bytes_a_number=2, limit=24 * GIGABYTE)


def test_eager_weights_fill_the_memory_where_it_is_said() -> None:
    told = square_story(LLAMA, limit=24 * GIGABYTE)
    most = max(n for n in range(10_000, 20_000) if LLAMA.weights_bytes(n) <= 24 * GIGABYTE)
    assert f"after {most:,} tokens" in told
    eager, fused = weight_lines(LLAMA).data
    assert_close(eager.y, [LLAMA.weights_bytes(n) for n in LENGTHS])
    assert_close(fused.y, [LLAMA.fused_bytes(n) for n in LENGTHS])


def test_sharing_is_drawn_and_written_down() -> None:
    shapes = other_sharing(LLAMA)
    (bars,) = sharing_bars(shapes, bytes_a_number=1).data
    assert_close(bars.x, [shape.bytes_a_token(1) for shape in shapes])
    table = memory_table(PUBLIC_SHAPES, bytes_a_number=2)
    assert list(table.cache_512) == [shape.cache_bytes(512) for shape in PUBLIC_SHAPES]
    assert all(source.startswith("https://huggingface.co/") for source in table.source)


@pytest.mark.parametrize(
    ("n_bytes", "text"), [(5120, "5,120 bytes"), (164_000, "164 KB"), (24e9, "24 GB"), (2.1e12, "2.1 TB")]
)
def test_bytes_are_readable(n_bytes: float, text: str) -> None:
    assert byte_text(n_bytes) == text


# -- blocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [900, 350])
def test_a_block_is_drawn_in_the_row_so_far(width: int) -> None:
    figure = block_bars(RECORD, BLOCKS, query=3, number=1, width=width)
    (bars,) = figure.data
    assert_close(bars.y if bars.orientation == "v" else bars.x, BLOCKS[1].weights)
    assert list(bars.marker.color) == [LIGHT.bar] * 4 + [LIGHT.accent] * 4 + [LIGHT.bar] * (RECORD.n_key - 8)
    with pytest.raises(SelectionError, match="block 9"):
        block_bars(RECORD, BLOCKS, query=3, number=9)


def test_what_a_block_changes_is_said() -> None:
    falling = walk_blocks(RECORD, layer=0, head=0, query=0, block=2)
    told = [block_story(falling, number=number) for number in range(len(falling))]
    assert sum("has come" in each for each in told) == sum(block.correction < 1 for block in falling[1:])
    for block, each in zip(falling, told, strict=True):
        assert running_number(block.total) in each
    assert list(block_table(falling).m) == [block.maximum for block in falling]
    masked = [replace(falling[0], scores=np.full(2, -np.inf))]
    assert "skipped" in block_story(masked, number=0)


def test_the_end_says_how_many_bytes_were_not_written() -> None:
    told = end_story(RECORD, BLOCKS, layer=1, head=2, query=3)
    assert byte_text(4 * RECORD.n_query * RECORD.n_key) in told


# -- sampling ---------------------------------------------------------------------------------------------------------


def test_tokens_that_are_cut_say_by_what() -> None:
    names = [f"w{number}" for number in range(40)]
    steps = sampling_steps(-0.2 * np.arange(40), [0, 3], repetition_penalty=1.5, top_k=6, top_p=0.6, min_p=0.3)
    rows = rows_of(steps, 8)
    (bars,) = sampling_bars(steps, names).data
    assert_close(bars.x[::2], steps[0].probabilities[rows])
    assert_close(bars.x[1::2], steps[-1].probabilities[rows])
    for row, choice in enumerate(rows):
        cut = cut_by(steps, choice)
        assert (cut is None) == (steps[-1].probabilities[choice] > 0)
        last = bars.text[2 * row + 1]
        assert last == percentage(float(steps[-1].probabilities[choice])) if cut is None else last.startswith("cut: ")
    shown = {cut_by(steps, choice) for choice in rows}
    assert {step.setting for step in steps if step.n_cut} <= shown
    told = sampling_story(steps, names)
    assert len(told) == len(steps) - 1
    assert f"{steps[2].n_cut} tokens" in told[1]
    assert list(sampling_table(steps, names).columns) == ["token", *(step.setting for step in steps)]
