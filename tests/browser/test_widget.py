"""The widget of a notebook in a browser, with a model as anywidget gives one: what is told to the kernel and by it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.waiting import WAIT, eventually
from viz import viewer_widget
from viz.kit.demos.records import random_recording
from viz.viewer.widget import ViewerWidget

MODEL = """
async ([module, state]) => {
  const revive = (value) => {
    const bytes = value?.bytes && Uint8Array.from(atob(value.bytes), (character) => character.charCodeAt(0));
    if (bytes) return new DataView(bytes.buffer);
    const isTable = value && typeof value === "object" && !Array.isArray(value);
    return isTable ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)])) : value;
  };
  const held = revive(state), heard = {}, saved = [];
  window.model = {
    saved,
    get: (name) => held[name],
    set(name, value) {
      if (JSON.stringify(held[name]) === JSON.stringify(value)) return;
      held[name] = value;
      for (const hear of heard[`change:${name}`] ?? []) hear();
    },
    save_changes: () => saved.push(structuredClone({ layer: held.layer, head: held.head, locked: held.locked })),
    on: (event, hear) => (heard[event] ??= []).push(hear),
    off: (event, hear) => (heard[event] = heard[event].filter((one) => one !== hear)),
  };
  const { default: widget } = await import(URL.createObjectURL(new Blob([module], { type: "text/javascript" })));
  window.end = widget.render({ model: window.model, el: document.getElementById("cell") });
}
"""
STYLE_OF_NOTEBOOK = "<style>button { letter-spacing: 7px }</style>"


@pytest.fixture
def cell(browser: Browser) -> Iterator[tuple[Page, ViewerWidget]]:
    """A cell of 700 pixels in a dark notebook, with a widget in it."""
    widget = viewer_widget(random_recording(n_layers=3, n_heads=4), layer=1, head=2, picture="map")
    state = {name: widget.get_state([name])[name] for name in (*widget.trait_names(sync=True),) if name[0] != "_"}
    page = browser.new_page(viewport={"width": 740, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.set_default_timeout(WAIT)
    page.set_content(f"{STYLE_OF_NOTEBOOK}<body style='background: #111'><button>Run</button><div id=cell></div>")
    page.evaluate(MODEL, [widget._esm, plain(state)])
    page.locator(".viewer[data-painted$=exact]").wait_for()
    yield page, widget
    page.evaluate("window.end()")
    page.close()
    assert errors == []


def plain(value: Any) -> Any:
    """A state as JSON, bytes marked."""
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return json.loads(json.dumps(value, default=lambda other: None))


def test_it_shows_the_choice_of_the_kernel_and_hears_of_another(cell: tuple[Page, ViewerWidget]) -> None:
    page, _ = cell
    expect(page.locator(".title")).to_contain_text("Layer 1 · Head 2")
    page.evaluate("window.model.set('head', 3)")
    expect(page.locator(".title")).to_contain_text("Layer 1 · Head 3")
    assert page.evaluate("window.model.saved") == []


def test_a_click_is_told_to_the_kernel(cell: tuple[Page, ViewerWidget]) -> None:
    page, widget = cell
    page.get_by_role("grid", name=re.compile("query tokens by")).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    saved = eventually(page, lambda: page.evaluate("window.model.saved"), lambda told: told and told[-1]["locked"])
    widget.set_state({"locked": saved[-1]["locked"]})
    assert widget.locked == saved[-1]["locked"]


def test_no_style_crosses_between_it_and_the_notebook(cell: tuple[Page, ViewerWidget]) -> None:
    page, _ = cell
    expect(page.locator("#cell button").first).to_have_css("letter-spacing", "normal")
    outside = page.evaluate("document.adoptedStyleSheets.length + document.styleSheets.length")
    assert outside == 1


def test_it_is_dark_in_a_dark_notebook_and_light_when_that_turns_light(cell: tuple[Page, ViewerWidget]) -> None:
    page, _ = cell
    ink = "getComputedStyle(document.getElementById('cell').shadowRoot.querySelector('.viewer')).color"
    dark = page.evaluate(ink)
    page.evaluate("document.body.style.background = '#fff'")
    eventually(page, lambda: page.evaluate(ink), lambda colour: colour != dark)


def test_a_finding_is_said_above_the_picture_and_goes_again(cell: tuple[Page, ViewerWidget]) -> None:
    page, _ = cell
    said = page.locator(".finding")
    expect(said).to_be_hidden()
    page.evaluate("window.model.set('finding', ['<b>This</b> looks at that.', 'Usually not.'])")
    expect(said).to_have_text("<b>This</b> looks at that. Usually not.")
    page.evaluate("window.model.set('finding', [])")
    expect(said).to_be_hidden()


def test_without_a_ground_it_is_as_dark_as_the_ink_of_the_notebook(cell: tuple[Page, ViewerWidget]) -> None:
    """Also where the system has the other theme."""
    page, _ = cell
    ink = "getComputedStyle(document.getElementById('cell').shadowRoot.querySelector('.viewer')).color"
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.body.style.cssText = 'background: none; color: #111'")
    light = eventually(page, lambda: page.evaluate(ink), lambda colour: max(map(int, re.findall(r"\d+", colour))) < 128)
    page.emulate_media(color_scheme="light")
    page.evaluate("document.body.style.cssText = 'background: none; color: #eee'")
    assert eventually(page, lambda: page.evaluate(ink), lambda colour: colour != light)
