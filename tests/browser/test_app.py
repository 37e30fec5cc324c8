"""The app as a reader meets it: a real server, a real browser, the embedded model, no network."""

from __future__ import annotations

import json
import os
import re
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from models.opening.registry import DEFAULT_MODEL
from tests.browser.reader import (
    WAIT,
    Open,
    another_recording,
    at_rest,
    go_to,
    in_address,
    more_tools,
    type_sentence,
    viewer_shows,
)
from ui.serving.icon_font import ABOUT
from ui.state.navigation import PAGES, SECTIONS, section_of


def test_a_sentence_a_layer_and_a_head(go_on: Open) -> None:
    page = go_on(layer=0, head=0)
    viewer_shows(page, "Layer 0 · Head 0")
    with another_recording(page):
        type_sentence(page, "The cat sat on the mat")
        in_address(page, text="The cat sat on the mat")
    viewer_shows(page, "Layer 0 · Head 0").get_by_role("grid").last.press("End")
    expect(page.locator(".viewer .readout")).to_contain_text("0 · [CLS] → 7 · [SEP]")
    layer, head = page.get_by_role("slider", name="Layer"), page.get_by_role("slider", name="Head")
    layer.press("ArrowRight")
    viewer_shows(page, "Layer 1 · Head 0")
    in_address(page, layer="1")
    head.press("ArrowRight")
    viewer_shows(page, "Layer 1 · Head 1")
    in_address(page, layer="1", head="1", text="The cat sat on the mat")


def test_a_copied_link_restores_the_view(go_on: Open, visit: Open) -> None:
    page = go_on(text="one two three", text_b="four five", layer=3, head=2, quantity="scores", special="hidden")
    viewer_shows(page, "Layer 3 · Head 2")
    copied = parse_qs(urlsplit(page.url).query)
    again = visit(**{name: values[0] for name, values in copied.items()})
    viewer = viewer_shows(again, "Layer 3 · Head 2")
    expect(viewer.get_by_label("Show", exact=True)).to_have_value("scores")
    more_tools(again)
    expect(viewer.get_by_label("Special tokens")).to_have_value("hidden")
    expect(again.get_by_role("textbox", name="Sentence B (optional)")).to_have_value("four five")


def test_every_page_is_in_the_bar_or_in_a_list_that_it_names(go_on: Open) -> None:
    page = go_on("/lessons", width=1440)
    links = [entry.title for entry in PAGES if not section_of(entry)]
    sections = page.get_by_test_id("stTopNavSection")
    for width in (1440, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        at_rest(page)
        expect(page.get_by_test_id("stTopNavLink")).to_have_text(links, timeout=WAIT)
        expect(sections).to_have_text([re.compile(name) for name in SECTIONS])  # and no "more" for what does not fit
    for at, listed in enumerate(SECTIONS.values()):
        sections.nth(at).click()
        expect(page.get_by_test_id("stTopNavDropdownLink")).to_have_text([entry.title for entry in listed])
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stTopNavDropdownLink")).to_have_count(0)
    go_to(page, "Masked words")


def test_home_may_be_installed_and_the_sentence_is_kept_across_pages(go_on: Open) -> None:
    page = go_on("/")
    viewer_shows(page, "Layer")
    a_browser_may_install_the_page_and_its_small_font_draws_every_used_icon(page)
    type_sentence(page, "kept from page to page")
    in_address(page, text="kept from page to page")
    page.get_by_role("link", name="Attention").first.click()
    expect(page.get_by_role("heading", name="Attention")).to_be_visible()
    in_address(page, text="kept from page to page")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("kept from page to page")
    at_rest(page)
    page.go_back()
    expect(page).to_have_url(re.compile(r"^[^?]*://[^/]+/\?"), timeout=WAIT)
    in_address(page, text="kept from page to page")


def test_a_model_that_is_not_there_is_said_and_forgotten(go_on: Open) -> None:
    page = go_on(model="![x](http://example.com/x.png)")
    expect(page.get_by_role("alert")).to_be_visible(timeout=WAIT)
    expect(page.locator("img[src*=example]")).to_have_count(0)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=re.compile(rf"^{DEFAULT_MODEL}\s+embedded")).click()
    viewer_shows(page, "Layer")


def test_everything_runs_offline_by_itself(server: str) -> None:
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    with urllib.request.urlopen(server, timeout=10) as answer:
        assert not re.findall(rb"(?:src|href)=.https?://", answer.read())


@pytest.mark.parametrize("path", ["/", "/attention"])
def test_the_way_out_of_a_model_that_is_not_there_changes_the_choice_for_good(go_on: Open, path: str) -> None:
    page = go_on(path, model="bert-base-uncased")
    expect(page.get_by_role("button", name=f"Use {DEFAULT_MODEL}")).to_be_visible(timeout=WAIT)
    at_rest(page)  # a change during the first run of a page that a link opens may lose to the link
    page.get_by_role("button", name=f"Use {DEFAULT_MODEL}").click()
    in_address(page, model=DEFAULT_MODEL)
    at_rest(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    if path != "/":
        expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile(f"^{DEFAULT_MODEL}"))
    type_sentence(page, "The [MASK] slept.")
    in_address(page, text="The [MASK] slept.", model=DEFAULT_MODEL)
    expect(page.get_by_role("alert")).to_have_count(0)


def a_browser_may_install_the_page_and_its_small_font_draws_every_used_icon(page: Page) -> None:
    """As one sign: a name that the font does not have is written out in letters, many times as wide."""
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert '"display":"standalone"' in found["data"]
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # which a context of a test is, and some Chromiums say so
    expect(page.locator('[data-testid="stIconMaterial"]').first).to_be_visible()
    widths = page.evaluate(
        """async (names) => {
            const family = getComputedStyle(document.querySelector('[data-testid="stIconMaterial"]')).fontFamily;
            await document.fonts.load(`20px ${family}`);
            return names.map((name) => {
                const sign = document.createElement("span");
                sign.style.cssText = `font: 20px ${family}; position: absolute; white-space: nowrap`;
                sign.textContent = name;
                document.body.append(sign);
                const { width } = sign.getBoundingClientRect();
                sign.remove();
                return width;
            });
        }""",
        json.loads(ABOUT.read_text(encoding="utf-8"))["icons"],
    )
    assert set(widths) == {20}
