"""What the viewer is sent of pictures and sound says where tokens stand, keeps what is seen and heard, and adds nothing
to text."""

from __future__ import annotations

import base64
import dataclasses

import numpy as np
import pytest

from models.values.places import AudioFrame, Image, Patch, Waveform
from models.values.record import Recording, Token
from viz.kit.demos.records import PAIR, random_record, recording_of, tokens_of
from viz.kit.language import read_in
from viz.kit.tokens import positioned_texts
from viz.viewer.about import describe_recording
from viz.viewer.html import ENTRY, ENTRY_OF_SOURCES, joined_modules, style, viewer_html
from viz.viewer.sources import LOUDEST, MOST_PEAKS, MOST_PIXELS, about_source

CLS = Token(text="[CLS]", is_special=True)
HALVES = (
    Token(text="(0, 0)", place=Patch(row=0, column=0, left=0, top=0, right=20, bottom=30)),
    Token(text="(0, 1)", place=Patch(row=0, column=1, left=20, top=0, right=40, bottom=30)),
)
"""Of a picture 40 pixels wide and 30 high."""


def recorded(tokens: tuple[Token, ...], source: Image | Waveform | None) -> Recording:
    return dataclasses.replace(recording_of(random_record(tokens=tokens)), source=source)


@pytest.fixture
def image() -> Image:
    return Image(pixels=np.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=np.uint8))


def test_of_text_nothing_is_said_that_was_not_said_before() -> None:
    about = describe_recording(recorded(tokens_of(PAIR), None), name="file")
    assert set(about) == {"id", "model", "segment_b_start", "kinds", "roles", "nearest", "palettes", "dtype"}
    assert set(about["kinds"][0]["queries"]) == {"texts", "wholes", "words", "segments", "special"}


def test_the_file_of_a_text_has_none_of_the_modules_of_sources(image: Image) -> None:
    text, picture = viewer_html(recorded(tokens_of(PAIR), None)), viewer_html(recorded((CLS, *HALVES), image))
    for only_there in ("source_pane_js", "source_sound_js", ".viewer .source"):
        assert only_there in picture
        assert only_there not in text
    assert "source_pane_js" not in joined_modules(ENTRY)
    assert set(style(ENTRY).splitlines()) < set(style(ENTRY_OF_SOURCES).splitlines())


def test_a_token_says_where_in_the_picture_it_stands(image: Image) -> None:
    axis = describe_recording(recorded((CLS, *HALVES), image), name="file")["kinds"][0]["queries"]
    assert axis["places"] == [None, [0, 0, 0.5, 1], [0.5, 0, 1, 1]]
    assert axis["named"] == [None, "patch row 0, column 0", "patch row 0, column 1"]


def test_places_are_named_in_the_language_that_is_spoken() -> None:
    tokens = (CLS, HALVES[1], Token(text="0.42 s", place=AudioFrame(start=0.42, end=0.44)))
    assert positioned_texts(tokens, (0, 1, 2)) == ("0 · [CLS]", "patch row 0, column 1", "0.42 to 0.44 s")
    with read_in("ko"):
        assert positioned_texts(tokens, (0, 1, 2)) == ("0 · [CLS]", "패치 0행 1열", "0.42~0.44초")


def test_a_small_picture_is_sent_as_it_is(image: Image) -> None:
    sent = about_source(image)["source"]
    assert (sent["kind"], sent["width"], sent["height"]) == ("picture", 40, 30)
    assert base64.b64decode(sent["pixels"]) == image.pixels.tobytes()


@pytest.mark.parametrize("shape", [(700, 1001), (1001, 300), (257, 5)])
def test_a_large_picture_is_averaged_and_keeps_its_proportions(shape: tuple[int, int]) -> None:
    """A picture whose colours are its places: a pixel that is sent has that of the middle of its block."""
    height, width = shape
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([255 * y / height, 255 * x / width, np.full(shape, 7.0)], axis=-1).astype(np.uint8)
    sent = about_source(Image(pixels=pixels))["source"]
    tall, wide = sent["height"], sent["width"]
    assert max(tall, wide) == MOST_PIXELS
    assert abs(tall / wide - height / width) * wide <= 1
    found = np.frombuffer(base64.b64decode(sent["pixels"]), np.uint8).reshape(tall, wide, 3)
    middle_y, middle_x = np.mgrid[0:tall, 0:wide] + 0.5
    assert np.abs(found[..., 0] - 255 * middle_y / tall).max() <= 2 + 128 / min(tall, 256)
    assert np.abs(found[..., 1] - 255 * middle_x / wide).max() <= 2 + 128 / min(wide, 256)
    assert set(found[..., 2].ravel()) == {7}


@pytest.mark.parametrize("n_samples", [3, MOST_PEAKS, 50_001])
def test_no_click_of_a_sound_is_lost(n_samples: int) -> None:
    samples = np.zeros(n_samples, np.float32)
    samples[n_samples // 3] = -0.25
    samples[-1] = 0.5
    sent = about_source(Waveform(samples=samples, rate=1000))["source"]
    low, high = np.frombuffer(base64.b64decode(sent["peaks"]), np.int8).reshape(2, sent["n"])
    assert sent["seconds"] == n_samples / 1000
    assert (high[-1], high.max(), low.min()) == (LOUDEST, LOUDEST, -round(LOUDEST / 2))
    assert int(low.argmin()) == pytest.approx(sent["n"] / 3, abs=1)
    assert np.count_nonzero((low != 0) | (high != 0)) == 2
