"""The viewer follows the theme of what is around it, whenever that changes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.reader import Open, OpenFile, viewer_shows
from tests.browser.waiting import WAIT
from viz.kit.demos.records import SENTENCE, random_record, recording_of, tokens_of
from viz.kit.theme import DARK, LIGHT, Palette

MODULE = "**/frontend/*/*/components.js"
GROUND_OF_PAGE = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def expect_theme(page: Page, palette: Palette) -> None:
    """Letters of the viewer, and what is painted on its canvases, are of a palette."""
    expect(page.locator(".viewer")).to_have_css("color", rgb(palette.ink))
    page.wait_for_function(
        """(ground) => {
            const roots = [document, ...[...document.querySelectorAll("*")].map((node) => node.shadowRoot)];
            const grid = roots.map((root) => root?.querySelector(".viewer .map-grid")).find(Boolean);
            const canvas = grid.querySelector("canvas");
            const density = canvas.width / canvas.clientWidth;
            const plot = grid.dataset.plot.split(" ").map((side) => Number(side) * density);
            const { data } = canvas.getContext("2d").getImageData(...plot);
            let near = 0;
            for (let at = 0; at < data.length; at += 4) {
              near += ground.every((channel, index) => Math.abs(data[at + index] - channel) < 24);
            }
            return near > data.length / 4 / 10; // most weights are small: their cells are nearly the ground
        }""",
        arg=[int(palette.sequential[0][at : at + 2], 16) for at in (1, 3, 5)],
        timeout=WAIT,
    )


def test_the_theme_is_followed_and_one_that_changes_while_the_viewer_loads_leaves_no_blank(visit: Open) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page = visit("/_stcore/health")
    page.route(MODULE, hold)
    with page.expect_request(MODULE):
        page.goto(page.url.replace("/_stcore/health", "/attention?layer=0&head=0&picture=map"))
    for colour_scheme, palette in (("dark", DARK), ("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=colour_scheme)
        page.wait_for_function(f"ground => {GROUND_OF_PAGE} === ground", arg=rgb(palette.ground), timeout=WAIT)
    for route in held:
        route.continue_()
    viewer_shows(page, "Layer 0 · Head 0")
    expect_theme(page, DARK)
    page.emulate_media(color_scheme="light")
    expect_theme(page, LIGHT)


@pytest.mark.parametrize("begins_dark", [False, True])
def test_a_file_follows_the_system(open_file: OpenFile, begins_dark: bool) -> None:
    page = open_file(recording_of(random_record(tokens=tokens_of(SENTENCE))), dark=begins_dark)
    for colour_scheme, palette in (("light", LIGHT), ("dark", DARK), ("light", LIGHT)):
        page.emulate_media(color_scheme=colour_scheme)
        expect(page.locator("body")).to_have_css("background-color", rgb(palette.ground))
        expect_theme(page, palette)
