"""The value of `show` gives files, a table, some heads, a short line. Nothing displays by itself."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from models.values.errors import ArgumentError, SelectionError
from tests.closeness import assert_close
from tests.viz.given.weights import TOKENS, softmaxed, token_names
from viz import show
from viz.kit.demos.records import random_recording
from viz.kit.theme import DARK, LIGHT
from viz.painter.colours import ramp

N = len(TOKENS)
LAYERS = softmaxed(4, 5, N, N)
PICTURES = ("arcs", "map", "overview")
SVG = "{http://www.w3.org/2000/svg}"


def texts_in(path: Path) -> list[str]:
    return [element.text or "" for element in ET.parse(path).iter(f"{SVG}text")]


def test_it_prints_in_a_line_and_shows_the_viewer_in_a_cell() -> None:
    shown = show(LAYERS, TOKENS, layer=2, head=3)
    assert repr(shown) == f"<attention of your model: encoder 4 layers × 5 heads, {N} × {N} tokens>"
    cell = shown._repr_html_()
    assert "<iframe srcdoc=" in cell
    assert "allow-scripts" in cell


def test_a_head_is_a_table_with_the_tokens_as_labels() -> None:
    table = show(LAYERS, TOKENS).head(2, 3)
    assert list(table.index) == list(table.columns) == TOKENS
    assert_close(table.to_numpy(), LAYERS[2, 3])
    assert_close(table.loc["street", "animal"], LAYERS[2, 3][7, 2])
    with pytest.raises(SelectionError, match="layers 0 to 3"):
        show(LAYERS, TOKENS).head(4, 0)


def test_some_heads_are_chosen() -> None:
    shown = show(LAYERS, TOKENS).heads(2, [4, 1])
    assert (shown.choices["layer"], list(shown.choices["heads"])) == (2, [4, 1])
    assert list(show(LAYERS, TOKENS).heads(1).choices["heads"]) == [0, 1, 2, 3, 4]
    with pytest.raises(SelectionError, match="head 5"):
        shown.heads(2, [5])


def test_the_overview_of_some_heads_has_their_numbers_alone(tmp_path: Path) -> None:
    shown = show(LAYERS, TOKENS)
    every = texts_in(shown.save(tmp_path / "all.svg", picture="overview"))
    some = texts_in(shown.heads(2, [4, 1]).save(tmp_path / "some.svg", picture="overview"))
    assert [text for text in every if text.isdigit()] == [*"01234", *"0123"]
    assert [text for text in some if text.isdigit()] == ["1", "4", "2"]


def test_the_files_of_its_endings(tmp_path: Path) -> None:
    shown = show(LAYERS, TOKENS)
    assert shown.save(tmp_path / "x.html", head=2).read_text("utf-8").startswith("<!DOCTYPE html>")
    with np.load(shown.save(str(tmp_path / "x.NPZ"))) as arrays:
        assert_close(arrays["weights"], LAYERS)
    with pytest.raises(ArgumentError, match=r"'.gif', expected one of .html, .svg, .png, .npz"):
        shown.save(tmp_path / "x.gif")
    with pytest.raises(SelectionError, match="head 9"):
        shown.save(tmp_path / "x.svg", head=9)
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.parametrize("picture", PICTURES)
def test_a_picture_is_svg_with_its_texts_and_no_other_file(picture: str, tmp_path: Path) -> None:
    path = show(LAYERS, TOKENS, layer=1, head=3).save(tmp_path / "x.svg", picture=picture)
    content = path.read_text("utf-8")
    assert not re.findall(r"href|url\(|@import|<script|<image", content)
    title = "All heads" if picture == "overview" else "Layer 1 · Head 3"
    texts = texts_in(path)
    assert texts[0] == title
    assert "Model: your model" in texts
    if picture != "overview":
        assert {token for token in TOKENS if token[0] != "["} <= set(texts)


@pytest.mark.parametrize("picture", PICTURES)
def test_a_png_is_the_same_picture_for_a_print(picture: str, tmp_path: Path) -> None:
    shown = show(LAYERS, TOKENS, layer=1, head=3)
    svg = ET.parse(shown.save(tmp_path / "x.svg", picture=picture)).getroot()
    image = Image.open(io.BytesIO(shown.save(tmp_path / "x.png", picture=picture).read_bytes()))
    assert image.size == tuple(round(3 * float(svg.attrib[side])) for side in ("width", "height"))
    assert round(image.info["dpi"][0]) == 300
    assert len(image.convert("RGB").getcolors(image.width * image.height) or ()) > 20


def test_the_cells_of_a_map_have_the_colours_of_their_weights(tmp_path: Path) -> None:
    weights = np.diag(np.linspace(0, 1, 5)).astype(np.float32)
    image = Image.open(show(weights, token_names(5)).save(tmp_path / "x.png", picture="map")).convert("RGB")
    seen = {f"#{bytes(colour).hex()}" for _, colour in image.getcolors(image.width * image.height)}
    colours = ramp(LIGHT.sequential)
    assert {colours[round(share * 63)] for share in (0.25, 0.5, 0.75, 1)} <= seen
    assert LIGHT.masked in seen  # where a query gives nothing


def test_an_arc_joins_the_words_with_the_strongest_link(tmp_path: Path) -> None:
    weights = np.full((1, 1, N, N), 0.02, np.float32)
    weights[0, 0, 7, 2] = 0.8  # "street" looks at "animal"
    path = show(weights, TOKENS).save(tmp_path / "x.svg", picture="arcs")
    curves = [element for element in ET.parse(path).iter(f"{SVG}path") if element.get("stroke")]
    assert len(curves) == 1
    places = {element.text: float(element.attrib["x"]) for element in ET.parse(path).iter(f"{SVG}text")}
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", curves[0].attrib["d"])]
    assert_close([numbers[0], numbers[-2]], [places["street"], places["animal"]], tolerance=1e-3)
    assert "80%" in places
    assert any("Special tokens get" in (text or "") for text in places)


def test_a_picture_in_the_dark_theme(tmp_path: Path) -> None:
    content = show(LAYERS, TOKENS).save(tmp_path / "x.svg", theme="dark").read_text("utf-8")
    assert DARK.ground in content
    assert LIGHT.ground not in content


def test_arcs_between_two_texts(tmp_path: Path) -> None:
    weights = np.full((4, 6), 0.05, np.float32)
    weights[1, 4] = 0.75
    shown = show(weights, query_tokens=["a0", "a1", "a2", "a3"], key_tokens=[f"b{place}" for place in range(6)])
    texts = texts_in(shown.save(tmp_path / "x.svg", picture="arcs"))
    assert {"a1", "b4", "75%"} <= set(texts)
    assert any("Not every row sums to 1" in text for text in texts)


def test_hostile_tokens_stay_text(tmp_path: Path) -> None:
    hostile = ["<script>alert(1)</script>", "]]>", "&amp;", "\x00\x1b", "\u202e", '"', "\ud800"]
    shown = show(softmaxed(7, 7), hostile, name="<b>&")
    for picture in PICTURES:
        path = shown.save(tmp_path / "x.svg", picture=picture)
        ET.parse(path)  # well formed
        assert "<script" not in path.read_text("utf-8")
        shown.save(tmp_path / "x.png", picture=picture)
    assert "<script>alert" not in shown.save(tmp_path / "x.html").read_text("utf-8")


def test_a_long_text_shares_cells_and_says_so(tmp_path: Path) -> None:
    shown = show(softmaxed(300, 300), token_names(300))
    path = shown.save(tmp_path / "x.svg", picture="map")
    assert path.stat().st_size < 1_000_000
    assert any("largest of 3 × 3 weights" in text for text in texts_in(path))
    for picture in ("arcs", "overview"):
        assert shown.save(tmp_path / "y.svg", picture=picture).stat().st_size < 1_000_000


def test_a_recording_of_ours_is_shown_as_it_is() -> None:
    recording = random_recording(n_layers=3)
    shown = show(recording, layer=2)
    assert shown.recording is recording
    assert shown.widget().layer == shown.choices["layer"] == 2
    with pytest.raises(ArgumentError, match="has its tokens"):
        show(recording, TOKENS)
