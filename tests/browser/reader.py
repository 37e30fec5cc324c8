"""What a reader does in the browser, and sees there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Download, Locator, Page, expect

from tests.browser.waiting import AGAIN, WAIT, at_rest, becomes, eventually
from ui.state.addresses import ALWAYS
from ui.state.choices import DEFAULTS
from ui.state.navigation import PAGES, section_of
from viz.kit.parsing import written

PICTURE = ".js-plotly-plot:visible"
"""While a page draws itself anew, Streamlit keeps the picture of before, invisible, beside the one that replaces it."""
Open = Callable[..., Page]
OpenFile = Callable[..., Page]
"""Opens a recording as the file that a reader takes away; keywords are those of `viewer_html`, and the window's."""


def shows(page: Page, text: str) -> None:
    expect(page.locator(f"{PICTURE} .gtitle").last).to_contain_text(text, timeout=WAIT)


def titled(page: Page, text: str) -> None:
    """Wait for a picture with that title."""
    expect(page.locator(f"{PICTURE} .gtitle").filter(has_text=text).first).to_be_visible(timeout=WAIT)


def download(page: Page, button: str) -> Download:
    """Press the first button whose name begins so, and wait for the file."""
    at_rest(page)
    with page.expect_download(timeout=WAIT) as waiting:
        page.get_by_role("button", name=button).first.click()
    return waiting.value


def downloaded_lines(page: Page, button: str) -> list[str]:
    """The lines of a table that a button gives."""
    return Path(download(page, button).path()).read_text(encoding="utf-8-sig").splitlines()


def downloaded_picture(page: Page) -> str:
    """The name of the file that the first picture is saved as, by the button that it shows under the pointer."""
    at_rest(page)
    page.locator(PICTURE).first.hover()
    return download(page, "Download plot as a PNG").suggested_filename


def fits_a_telephone(page: Page) -> None:
    """Wait until the first and the last picture fit a page of 390 px; nothing reaches over its edge then."""
    for picture in (page.locator(PICTURE).first, page.locator(PICTURE).last):
        expect(picture.locator("svg.main-svg").first).to_have_css("width", re.compile(r"^(2\d|3[0-5])\d"), timeout=WAIT)
    nothing_sticks_out(page)


def nothing_sticks_out(page: Page) -> None:
    """Once it is at rest, nothing reaches over the edge of a page of 390 px."""
    at_rest(page)
    eventually(page, lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= 390)


COVERED = """() => [...document.querySelectorAll(".js-plotly-plot")].filter((picture) => {
  const [title, buttons] = [".gtitle", ".modebar"].map((part) => picture.querySelector(part)?.getBoundingClientRect());
  return picture.checkVisibility() && title && buttons && title.right > buttons.left
    && title.bottom > buttons.top && title.top < buttons.bottom;
}).map((picture) => picture.querySelector(".gtitle").textContent)"""
"""The titles that plotly's buttons stand on."""


def no_button_covers_a_title(page: Page) -> None:
    """Once it is at rest, plotly's buttons stand beside the titles of all pictures."""
    at_rest(page)
    becomes(page, lambda: page.evaluate(COVERED), [])


def go_to(page: Page, name: str) -> None:
    """Go to a page by its name in the bar, or in the list of its section; once more where the page before took the
    click back. What a part of a page tells as it appears names that page, and Streamlit draws the page named last."""
    heading = page.get_by_role("heading", name=name, exact=True)
    section = section_of(next(entry for entry in PAGES if entry.title == name))
    for _ in range(WAIT // AGAIN):
        if section:
            page.get_by_test_id("stTopNavSection").filter(has_text=section).click()
            page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name).click()
        else:
            page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
        with suppress(AssertionError):
            return expect(heading).to_be_visible(timeout=AGAIN)
    return expect(heading).to_be_visible()


LINK = """(address) => {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate")); // as when the reader goes back to it
  return !window.isAnswered;
}"""
"""Says whether the server is asked for the page."""


def follow_link(page: Page, address: str) -> None:
    """Follow a link within the app, which loads nothing anew, and wait until the page is at rest. Choices that the
    address before names and this one does not get their defaults; model, sentence and head stay, as for any reader."""
    at_rest(page)
    path, asked = urlsplit(address).path, dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))
    before = dict(parse_qsl(urlsplit(page.url).query, keep_blank_values=True))
    undone = {name: written(DEFAULTS[name]) for name in before.keys() & DEFAULTS.keys() - ALWAYS}
    assert page.evaluate(LINK, f"{path}?{urlencode(undone | asked)}")
    at_rest(page)


def go_to_file(page: Page, file: Path, asked: list[str], errors: list[str]) -> None:
    """Open a file with the viewer and wait until all is drawn; note whatever else is `asked` for, and all `errors`."""
    page.on("request", lambda request: None if request.url == file.as_uri() else asked.append(request.url[:80]))
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    page.locator(".viewer[data-painted$=exact][data-heads=all]").wait_for()


def viewer_shows(page: Page, title: str) -> Locator:
    """Wait until the viewer has drawn the exact numbers of a head; gives its element. Of "Layer" alone, of any head."""
    found = page.locator(".viewer", has=page.locator(".title", has_text=title))
    named = re.search(r"Layer (\d+) · (?:Head (\d+)|mean)", title)
    head = rf"{named[1]} {named[2] or 'mean'} " if named else ""
    expect(found).to_have_attribute("data-painted", re.compile(f"{head}exact$"), timeout=WAIT)
    return found


def more_tools(page: Page) -> None:
    """Open what the viewer has behind "Options", unless it is open."""
    button = page.locator(".viewer .controls .panel-button")
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    expect(button).to_have_attribute("aria-expanded", "true", timeout=WAIT)


def three_digits(value: float) -> str:
    """A number as the viewer writes it: three significant digits, under a thousandth as a power of ten."""
    size = abs(value)
    if 0 < size < 0.001:
        return re.sub(r"e([+-])0*", r"e\1", f"{value:.2e}")
    return f"{value:.{max(2 - math.floor(math.log10(size)), 0) if size else 0}f}"


def per_cent(share: float) -> str:
    """A share as the viewer writes it in its lists."""
    return "<1%" if 0 < share < 0.005 else f"{math.floor(100 * share + 0.5)}%"


def turn_to_picture(page: Page, name: str) -> None:
    """Choose a picture of the viewer; what is neither "Arcs" nor "Map" stands among its options."""
    radio = page.locator(".viewer .controls").get_by_role("radio", name=name, exact=True)
    if not radio.is_visible():
        more_tools(page)
    radio.click()
    page.keyboard.press("Escape")


@contextmanager
def another_recording(page: Page) -> Iterator[None]:
    """What is done inside gives the viewer another text: wait until it has drawn something of that."""
    viewer = page.locator(".viewer[data-recording]")
    before = viewer.get_attribute("data-recording")
    yield
    expect(viewer).not_to_have_attribute("data-recording", str(before), timeout=WAIT)


def reads(page: Page, said: str) -> re.Match[str]:
    """Wait until the viewer says just that, a regular expression, of the cell under the pointer or the focus."""
    reading = page.locator(".viewer .readout .reading")
    found = re.fullmatch(said, eventually(page, reading.inner_text, re.compile(said).fullmatch))
    assert found is not None
    return found


def in_address(page: Page, **choices: str) -> None:
    """Wait until the address holds the choices."""
    for name, value in choices.items():
        wanted = re.compile(re.escape(urlencode({name: value})) + r"(&|$)")
        expect(page).to_have_url(wanted, timeout=WAIT)


def type_sentence(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Sentence A").fill(text)
    page.get_by_role("textbox", name="Sentence A").press("Enter")


def press_file(place: Page | Locator, name: str) -> None:
    """Open the menu of what can be taken away, and press a file."""
    place.get_by_role("button", name="Take away").click()
    place.get_by_role("group", name="Take away").get_by_role("button", name=f"{name}:").click()
