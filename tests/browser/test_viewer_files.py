"""The file of the viewer opens from a disk without asking for anything, and gives its picture and numbers away."""

from __future__ import annotations

import base64
import csv
import io
import re
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from models.values.record import Token
from tests.browser.reader import Open, OpenFile, press_file, viewer_shows
from tests.closeness import assert_close
from viz.attention.transform import matrix_csv, prepare
from viz.kit.demos.records import (
    PAIR,
    SENTENCE,
    plausible_record,
    random_record,
    random_recording,
    recording_of,
    tokens_of,
)
from viz.kit.theme import DARK, LIGHT
from viz.viewer import html as module

CELLS = Path(module.__file__).with_name("frontend") / "map_cells.js"
WORTH_READING = float(re.findall(r"WORTH_READING = ([\d.]+)", CELLS.read_text(encoding="utf-8"))[0])
"""The share of the scale from which on a cell has a number."""
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "]]>",
    "&amp;",
    'a,"b"',
    "\ud800",
    "مرحبا",
    "עולם",
    "한국어",
    "😀",
    "the",
    "the",
    "\x00",
)


def taken(page: Page, name: str) -> tuple[str, bytes]:
    """Press a button; the name and the content of the file that comes."""
    with page.expect_download() as download:
        press_file(page, name)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def rows(table: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table.decode("utf-8-sig"), newline="")))


def compare_tables(ours: bytes, expected: bytes) -> None:
    found, wanted = rows(ours), rows(expected)
    assert found[0] == wanted[0]
    assert [row[0] for row in found] == [row[0] for row in wanted]
    as_number = {"masked": -1.0}
    numbers = [
        [[as_number.get(cell) or float(cell) for cell in row[1:]] for row in table[1:]] for table in (found, wanted)
    ]
    assert_close(*numbers)


def pixels(page: Page, content: bytes, kind: str, width: int, height: int) -> Any:
    """An image as the browser draws it [height, width, 4]."""
    data = page.evaluate(
        """async ({ address, width, height }) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            const canvas = Object.assign(document.createElement("canvas"), { width, height });
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0, width, height);
            const bytes = context.getImageData(0, 0, width, height).data;
            const parts = Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, index) => index * 8192);
            return btoa(parts.map((at) => String.fromCharCode(...bytes.subarray(at, at + 8192))).join(""));
        }""",
        {"address": f"data:{kind};base64,{base64.b64encode(content).decode()}", "width": width, "height": height},
    )
    return np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4).astype(int)


def texts_of(drawing: ET.Element) -> list[str]:
    """The texts of a drawing, without the marks that keep the direction of one from the next."""
    return ["".join(text.itertext()).strip("\u2068\u2069") for text in drawing.iter(f"{SVG}text")]


PAINTED = """(context) => {
    const raster = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
    Object.assign(raster.getContext("2d"), { fillStyle: "#cc0000" }).fillRect(0, 0, 1, 1);
    const line = (...points) => {
        context.beginPath();
        context.moveTo(...points[0]);
        for (const point of points.slice(1)) context.lineTo(...point);
        context.stroke();
    };
    Object.assign(context, { fillStyle: "#ffffff", imageSmoothingEnabled: false });
    context.fillRect(0, 0, 400, 300);
    context.drawImage(raster, 20, 20, 60, 40);
    Object.assign(context, { strokeStyle: "rgb(0 0 255 / 0.5)", lineWidth: 9, lineCap: "round" });
    line([100, 20], [180, 60], [100, 60]);
    Object.assign(context, { lineCap: "butt", globalAlpha: 0.4 });
    context.setLineDash([12, 6]);
    line([100, 80], [380, 80]);
    context.setLineDash([]);
    context.save();
    context.beginPath();
    context.rect(200, 10, 80, 60);
    context.clip();
    context.beginPath();
    context.rect(240, 0, 200, 50);
    context.clip();
    context.globalAlpha = 1;
    context.fillStyle = "green";
    context.fillRect(0, 0, 400, 300);
    context.restore();
    context.fillRect(390, 290, -30, -20);
    context.globalAlpha = 1;
    const arcs = [[0, 2 * Math.PI, false, 120], [0, 1, true, 170], [5, 1, false, 220], [0, -9, true, 270]];
    context.fillStyle = "teal";
    for (const [start, end, backwards, y] of arcs) {
        context.beginPath();
        context.arc(50, y, 18, start, end, backwards);
        context.fill();
        context.beginPath();
        context.moveTo(90, y);
        context.arc(120, y, 18, start, end, backwards);
        context.closePath();
        context.stroke();
    }
    context.save();
    context.translate(300, 180);
    context.rotate(-0.7);
    context.translate(10, 5);
    context.fillStyle = "#804000";
    context.fillRect(0, 0, 60, 20);
    context.strokeRect(0, 30, 60, 20);
    context.beginPath();
    context.bezierCurveTo(0, 0, 40, 60, 90, 0);
    context.arc(0, 0, 30, 1, 3);
    context.fill();
    Object.assign(context, { fillStyle: "#000000", font: "italic 700 24px sans-serif", textBaseline: "middle" });
    context.fillText("turned", 20, -20);
    context.restore();
    context.fillStyle = "#000000";
    let x = 150;
    for (const textBaseline of ["top", "middle", "alphabetic", "bottom"]) {
        for (const textAlign of ["left", "right", "center", "start", "end"]) {
            Object.assign(context, { textAlign, textBaseline, font: "10px sans-serif", direction: "rtl" });
            context.fillText("rtl.", (x += 9), 250);
            context.direction = "ltr";
            context.fillText("ltr", x, 280);
        }
    }
}"""


def test_the_context_for_svg_draws_what_a_canvas_draws(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<body></body>")
    page.evaluate(f"() => {{ {module.joined_modules()}\nwindow.SvgContext = svg_context_js.SvgContext; }}")
    drawing, painted = page.evaluate(
        f"""() => {{
            const paint = {PAINTED};
            const canvas = Object.assign(document.createElement("canvas"), {{ width: 400, height: 300 }});
            paint(canvas.getContext("2d"));
            const context = new SvgContext();
            paint(context);
            const title = 'a < b & "c" \\u0000\\ud800';
            return [context.document({{ width: 400, height: 300, title, description: title }}), canvas.toDataURL()];
        }}"""
    )
    ET.fromstring(drawing)
    ours = pixels(page, drawing.encode(), "image/svg+xml", 400, 300)
    theirs = pixels(page, base64.b64decode(painted.split(",")[1]), "image/png", 400, 300)
    differences = np.abs(ours - theirs).max(axis=-1)
    page.close()
    assert (differences > 60).mean() < 0.003


@pytest.mark.parametrize("picture", ["map", "text"])
def test_the_picture_is_the_same_as_svg_and_as_png_and_is_fit_for_print(open_file: OpenFile, picture: Any) -> None:
    page = open_file(recording_of(plausible_record()), layer=1, head=4, picture=picture)
    name, drawing = taken(page, "SVG")
    assert name == "attention-layer-1-head-4.svg"
    name, image = taken(page, "PNG")
    assert name == "attention-layer-1-head-4.png"
    width = struct.unpack(">I", image[16:20])[0]
    assert width >= 1900
    assert image[37:41] == b"pHYs"
    assert struct.unpack(">I", image[41:45])[0] * 0.0254 >= 300
    root = ET.fromstring(drawing)
    small = round(float(root.attrib["width"])), round(float(root.attrib["height"]))
    assert small[0] * 3 == width
    drawn, painted = pixels(page, drawing, "image/svg+xml", *small), pixels(page, image, "image/png", *small)
    differences = np.abs(drawn - painted).max(axis=-1)
    assert differences.mean() < 2.5  # the edges of letters
    assert (differences > 100).mean() < 0.006
    assert (painted.min(axis=-1) < 200).mean() > 0.01  # there is a picture
    texts = texts_of(root)
    assert texts[0] == "Layer 1 · Head 4 · Weights"
    assert {"Every row sums to 1. Scale: 0 to 1.", "Model: demo"} <= set(texts)
    for token in SENTENCE.split():
        assert any(token in text for text in texts[1:])


def test_token_texts_stay_text_in_every_file(open_file: OpenFile) -> None:
    tokens = [Token(text=text, word=index) for index, text in enumerate(HOSTILE)]
    record = random_record(tokens=tokens)
    page = open_file(recording_of(record, name="<b>\x01&</b>"), dark=True, layer=1, head=2)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h1")).to_have_text("Attention of <b>␁&</b> · Headlight")
    root = ET.fromstring(taken(page, "SVG")[1])
    assert root.find(f"{SVG}rect").attrib["fill"] == DARK.ground
    texts = texts_of(root)
    assert any(text.startswith("</script>") for text in texts)
    assert {"]]>", "&amp;", "مرحبا"} <= set(texts)
    assert not list(root.iter(f"{SVG}script"))
    compare_tables(taken(page, "CSV")[1], matrix_csv(prepare(record, layer=1, head=2)))


@pytest.mark.parametrize(
    "choices",
    [
        {"layer": 1, "head": 2},
        {"layer": 0, "head": "mean", "words": True, "special": "hidden_renormalised"},
        {"layer": 0, "head": 1, "quantity": "scores"},
        {"layer": 1, "head": 0, "quantity": "output_weighted", "words": True, "special": "hidden"},
    ],
    ids=str,
)
def test_the_file_opens_with_the_choices_and_its_table_has_their_numbers(
    open_file: OpenFile, choices: dict[str, Any]
) -> None:
    record = random_record(tokens=tokens_of(PAIR), causal=True)
    page = open_file(recording_of(record), **choices)
    name, table = taken(page, "CSV")
    named = {"scores": "-scores", "output_weighted": "-output-weighted"}.get(choices.get("quantity", ""), "")
    assert name == f"attention-layer-{choices['layer']}-head-{choices['head']}{named}.csv"
    head = None if choices["head"] == "mean" else choices["head"]
    compare_tables(table, matrix_csv(prepare(record, **{**choices, "head": head})))


def test_numpy_opens_what_the_file_gives_away(open_file: OpenFile) -> None:
    tokens = tokens_of("한국어 😀 a")
    cross = random_record(tokens=tokens, key_tokens=tokens_of(SENTENCE), n_layers=3)
    recording = recording_of(random_record(), random_record(tokens=tokens, causal=True), cross)
    page = open_file(recording, kind="cross", layer=2, head=1)
    name, content = taken(page, "NPZ")
    assert name == "attention-cross-all-heads.npz"
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        assert str(arrays["model"]) == "demo"
        assert list(arrays["query_tokens"]) == ["한국어", "😀", "a"]
        for layer, head in np.ndindex(3, 3):
            assert_close(arrays["weights"][layer, head], cross.weights(layer, head))
            norms = np.linalg.norm(cross.value[layer, head], axis=-1)
            assert_close(arrays["value_norms"][layer, head], norms)
        np.testing.assert_array_equal(arrays["output_norms"], cross.output_norms)
    name, table = taken(page, "CSV")
    assert name == "attention-cross-layer-2-head-1.csv"
    compare_tables(table, matrix_csv(prepare(cross, layer=2, head=1)))


def test_a_file_that_does_not_hold_all_heads_says_which(open_file: OpenFile, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = random_recording(n_tokens=200, n_layers=4, n_heads=8)
    monkeypatch.setattr(module, "MOST", 17 * 4 * (2 * 200 * 8 + 2 * 200 + 399))
    page = open_file(recording, layer=2, head=3, width=390)
    expect(page.locator(".take-away .held")).to_contain_text("all numbers of all heads of layers 1 to 2.")
    press_file(page, "NPZ")
    expect(page.locator(".take-away").get_by_role("alert")).to_contain_text("where this file was made")
    compare_tables(taken(page, "CSV")[1], matrix_csv(prepare(recording.attention[0], layer=2, head=3)))
    expect(page.locator(".take-away").get_by_role("alert")).to_be_hidden()


def test_the_menu_of_files_is_reached_by_keyboard_and_says_what_came(open_file: OpenFile) -> None:
    page = open_file(recording_of(plausible_record()))
    opens = page.get_by_role("button", name="Take away")
    opens.focus()
    page.keyboard.press("Enter")
    group = page.get_by_role("group", name="Take away")
    expect(group.get_by_role("button").locator("b")).to_have_text(["PNG", "SVG", "CSV", "NPZ"])
    page.keyboard.press("Tab")
    expect(group.get_by_role("button", name="PNG:")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".csv")
    expect(page.locator(".take-away").get_by_role("status")).to_contain_text("attention-layer-0-head-0.csv, ")
    expect(page.locator("body")).to_have_css("background-color", f"rgb{tuple(bytes.fromhex(LIGHT.ground[1:]))}")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", f"rgb{tuple(bytes.fromhex(DARK.ground[1:]))}")


def test_what_a_server_says_instead_of_a_file_is_said_and_all_else_stays(visit: Open) -> None:
    page = visit(layer=1, head=2)
    viewer = viewer_shows(page, "Layer 1 · Head 2")
    alert = viewer.locator(".take-away").get_by_role("alert")
    page.route("**/head.csv*", lambda route: route.abort())
    press_file(viewer, "CSV")
    expect(alert).to_have_text("No CSV file. The server is not answering. Try again in a moment.")
    page.route("**/head.csv*", lambda route: route.fulfill(status=400, body="There is no <b>such</b> head."))
    press_file(viewer, "CSV")
    expect(alert).to_have_text("No CSV file. There is no <b>such</b> head.")
    page.unroute("**/head.csv*")
    with page.expect_download():
        press_file(viewer, "CSV")
    expect(alert).to_be_hidden()
    viewer_shows(page, "Layer 1 · Head 2")


@pytest.mark.parametrize("n_tokens", [16, 60])
def test_labels_of_a_drawing_have_room_in_another_font(open_file: OpenFile, n_tokens: int) -> None:
    page = open_file(random_recording(n_tokens=n_tokens, n_layers=1, n_heads=1))
    drawing = taken(page, "SVG")[1].decode()
    wide = "<style>svg text { letter-spacing: 0.11em; font-family: sans-serif }</style>"
    page.set_content(wide + drawing[drawing.index("<svg") :])
    touching = page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll("svg text")]
              .map((node) => [node.textContent, node.getBoundingClientRect()]);
            const titles = boxes.filter(([text]) => /^.?(query|key) token|^.?weight/.test(text));
            const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            const others = (title) => boxes.filter(([text]) => text !== title);
            return titles.flatMap(([title, place]) => others(title).filter(([, box]) => meet(place, box)));
        }"""
    )
    assert touching == []


def test_cells_that_are_nearly_empty_have_no_numbers(open_file: OpenFile) -> None:
    record = plausible_record("[CLS] the cat sat on the mat . [SEP]", n_layers=1)
    weights = record.weights(0, 0)
    assert weights.min() < WORTH_READING < weights.max()
    page = open_file(recording_of(record), layer=0, head=0)
    drawing = ET.fromstring(taken(page, "SVG")[1])
    written = [text for text in texts_of(drawing) if re.fullmatch(r"[01]\.\d{2,4}", text)]
    assert len(written) == (weights >= WORTH_READING).sum()
