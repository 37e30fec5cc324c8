"""A recording in a notebook: a picture, over it the viewer in a frame that no text can leave, and all of it small."""

from __future__ import annotations

import base64
import json
import re
import sys
import xml.etree.ElementTree as ET
import zlib
from html import unescape
from html.parser import HTMLParser
from typing import Any, Literal
from urllib.parse import unquote

import numpy as np
import pytest

from models.opening.registry import load
from models.values.record import Recording, Token, record_of_weights
from tests.closeness import assert_close
from tests.viz.viewer.test_html import HOSTILE
from viz import show
from viz.kit.demos.records import random_record, random_recording, recording_of, tokens_of
from viz.kit.language import read_in
from viz.painter import output
from viz.viewer import notebook
from viz.viewer.html import FRONTEND, modules, read_source, script_digest
from viz.viewer.joining import without_comments
from viz.viewer.notebook import notebook_html
from viz.viewer.packing import CODES_16
from viz.viewer.stored import DIGITS, stored_text

LIMIT = 150_000
"""Bytes that the output of a cell takes in the file of a notebook, of a sentence of 16 tokens."""
OF_BROWSER = re.compile(r'^const DIGITS = "(.*)";$', re.MULTILINE)
RFC_1924 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"


class Elements(HTMLParser):
    """The elements of some markup with their attributes, and the text between them."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def frame_of(markup: str) -> str:
    """The document in the frame of a cell."""
    return str(Elements(markup).seen[2][1]["srcdoc"])


def unpacked(markup: str, name: str = "numbers") -> bytes:
    """Return the content of a script of the document, decompressed."""
    stored = re.search(rf'<script type="text/plain" id="{name}">(.*?)</script>', frame_of(markup))
    written = bytes.maketrans(DIGITS, RFC_1924)
    return zlib.decompress(base64.b85decode(stored[1].encode().translate(written)))


def arrays_of(packed: bytes) -> tuple[Any, dict[str, bytes]]:
    """The header and the arrays of a container, as stored_weights.js reads them."""
    length = int.from_bytes(packed[:4], "little")
    header = json.loads(packed[4 : 4 + length])
    start = 4 + length + -(4 + length) % 8
    parts = {
        array["name"]: packed[start + array["offset"] : start + array["offset"] + array["shape"][0]]
        for array in header["arrays"]
    }
    return header["meta"], parts


def test_a_recording_shows_a_picture_and_over_it_the_viewer() -> None:
    recording = random_recording()
    markup = recording._repr_html_()
    elements = Elements(markup)
    assert [tag for tag, _ in elements.seen] == ["div", "img", "iframe"]
    assert elements.text == ""
    assert markup == notebook_html(recording)
    assert elements.seen[2][1]["sandbox"] == "allow-scripts allow-downloads"


@pytest.mark.parametrize("of", ["en", "ko"])
def test_the_output_of_sixteen_tokens_takes_150_kb(of: Literal["en", "ko"]) -> None:
    recording = load("headlight-bert").record("The animal didn't cross the street because it was too tired.")
    assert len(recording.tokens) == 16
    shown = show(recording)
    with read_in(of):
        made = shown._repr_mimebundle_() | {"text/plain": repr(shown)}
    assert len(json.dumps(made, ensure_ascii=False).encode()) < LIMIT


def test_it_holds_every_weight_and_no_mean() -> None:
    recording = random_recording(n_layers=3, n_heads=4, n_tokens=16)
    meta, parts = arrays_of(unpacked(notebook_html(recording, layer=2)))
    assert meta["choices"]["layer"] == 2
    planes = np.frombuffer(parts["overviews encoder"], np.uint8).astype(np.int64)
    codes = (planes[: planes.size // 2] + 256 * planes[planes.size // 2 :]).reshape(3, 4, 16, 16)
    weights = np.array([[recording.attention[0].weights(layer, head) for head in range(4)] for layer in range(3)])
    assert_close(np.sqrt(weights), codes / CODES_16, step=1 / CODES_16)
    assert set(meta["about"]["kinds"][0]["refused"]) == {"scores", "value_weighted", "output_weighted"}
    assert list(parts) == ["overviews encoder"]


def test_another_quantity_that_is_chosen_is_there() -> None:
    meta, parts = arrays_of(unpacked(notebook_html(random_recording(n_layers=1, n_heads=2), quantity="scores")))
    assert meta["about"]["kinds"][0]["refused"] == {}
    assert {"heads encoder 0 0", "heads encoder 0 1"} <= set(parts)


def test_rows_with_sums_of_their_own_keep_them() -> None:
    tokens = tokens_of("a b c d")
    given = np.full((1, 2, 4, 4), 0.2, np.float32)
    record = record_of_weights(
        kind="encoder", query_tokens=tokens, key_tokens=tokens, weights=list(given), keeps_sums=True
    )
    _, parts = arrays_of(unpacked(notebook_html(recording_of(record))))
    assert np.full(4, 0.8, np.float32).tobytes() in parts["heads encoder 0 1"]


def test_no_text_leaves_the_frame() -> None:
    recording = recording_of(random_record(tokens=[Token(text=text) for text in HOSTILE[:4]]), name="</iframe>\"'<b>")
    plain = recording_of(random_record(tokens=tokens_of("a b")))
    for made in (notebook_html(recording, height=500), notebook_html(plain, height=500)):
        elements = Elements(made)
        assert [tag for tag, _ in elements.seen] == ["div", "img", "iframe"]
        assert elements.text == ""
        assert "height: 500px" in str(elements.seen[2][1]["style"])
        inside = Elements(str(elements.seen[2][1]["srcdoc"]))
        assert [tag for tag, _ in inside.seen if tag == "script"] == ["script"] * 3
        assert "allow-same-origin" not in made


def test_no_other_script_may_run() -> None:
    markup = notebook_html(random_recording())
    document = frame_of(markup)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', document)[1]
    boot = re.search(r'<script type="module">(.*?)</script>', document, re.DOTALL)[1]
    allowed = re.search(r"script-src (.*?);", policy)[1]
    viewer = unpacked(markup, "code").decode()
    assert allowed == f"'{script_digest(boot)}' '{script_digest(viewer)}'"
    assert policy.startswith("default-src 'none'")


def picture_of(recording: Recording) -> tuple[str, bytes]:
    """The picture under the frame of a cell, which is the one beside it as well."""
    outputs = recording._repr_mimebundle_()
    address = str(Elements(outputs["text/html"]).seen[1][1]["src"])
    kind, content = re.fullmatch(r"data:image/([\w+]+)(?:;base64)?,(.*)", address, re.DOTALL).groups()
    assert outputs.keys() == {"text/html", f"image/{kind}"}
    beside = outputs[f"image/{kind}"]
    if kind == "svg+xml":
        assert unquote(content).translate(output.SWAPPED) == beside
        return kind, beside.encode()
    assert content == beside
    return kind, base64.b64decode(content)


def test_the_picture_is_an_svg_and_a_png_where_that_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = random_recording()
    kind, content = picture_of(recording)
    assert kind == "svg+xml"
    assert ET.fromstring(content.decode()).tag.endswith("svg")
    monkeypatch.setattr(output, "LARGEST_SVG", len(content) - 1)
    kind, content = picture_of(recording)
    assert kind == "png"
    assert content.startswith(b"\x89PNG")


def test_text_of_five_digits_is_the_same_on_both_sides() -> None:
    (digits,) = OF_BROWSER.findall(notebook.BOOT.read_text(encoding="utf-8"))
    assert digits.encode() == DIGITS
    assert len(set(digits)) == 85
    for content in (b"", b"a", bytes(range(256)) * 3):
        text = stored_text(content)
        assert unescape(text) == text
        assert not set(text) & set("\"'&<>\\")
        assert zlib.decompress(base64.b85decode(text.encode().translate(bytes.maketrans(DIGITS, RFC_1924)))) == content


@pytest.mark.parametrize("n_bytes", range(9, 14))
def test_text_of_five_digits_is_that_of_the_standard(n_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zlib, "compress", lambda content, _: content)
    content = bytes(range(250, 256)) * 3
    expected = base64.b85encode(content[:n_bytes]).translate(bytes.maketrans(RFC_1924, DIGITS))
    assert stored_text(content[:n_bytes]) == expected.decode()


def test_a_long_text_has_a_map_as_its_picture() -> None:
    short, long = (random_recording(n_tokens=n, n_layers=1, n_heads=1) for n in (16, notebook.MOST_IN_ARCS + 1))
    assert b"strongest links" in picture_of(short)[1]
    assert b"strongest links" not in picture_of(long)[1]


@pytest.mark.parametrize("name", modules())
def test_a_script_without_comments_says_the_same(name: str) -> None:
    """Whole lines are left out, and ends of lines outside of every string."""
    source = read_source(name)
    kept = without_comments(source)
    assert not re.search(r"^\s*(//|/\*|\*/)", kept, re.MULTILINE)
    remaining = iter(kept.splitlines())
    line = next(remaining, None)
    for written in source.splitlines():
        if line is not None and written.strip().startswith(line) and line:
            left_out = written.strip()[len(line) :].strip()
            assert not left_out or left_out.startswith("// ")
            assert all(line.count(quote) % 2 == 0 for quote in '"`') or not left_out
            line = next(remaining, None)
    assert line is None


def test_the_first_script_of_a_cell_is_no_module_of_the_viewer() -> None:
    assert notebook.BOOT.is_relative_to(FRONTEND)
    assert notebook.BOOT.name not in modules()


def test_without_viz_a_notebook_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viz.viewer.notebook", None)
    assert random_recording()._repr_mimebundle_() is None
    assert random_recording()._repr_html_() is None
