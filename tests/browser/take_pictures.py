"""Take the pictures of docs/images, and the one for chats, anew: `python -m tests.browser.take_pictures [NAME ...]`.

Each is a page as its address shows it, as tall as it is, with few colours: a picture stays in the history for ever.
"""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from models.inspection.by_hand.goals import previous_head
from tests.browser.reader import turn_to_picture, viewer_shows
from tests.browser.server import ROOT, running_app
from tests.browser.waiting import WAIT, WATCH, at_rest
from tests.chromium import find_browser
from ui.layers.by_hand.kept import write_head
from ui.serving.installing import ICONS
from ui.serving.link_cards import CARD
from ui.state.choices import Selection
from ui.state.first_visit import FIRST_VISITS
from ui.state.selection import to_address

FOLDER = ROOT / "docs" / "images"
WIDE = 1440
COLOURS = 256
CONTENT = "Math.ceil(document.querySelector('[data-testid=stMainBlockContainer]').getBoundingClientRect().height)"

ALICE = (
    "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or "
    "twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, and "
    "what is the use of a book, thought Alice, without pictures or conversations? "
)
"""How "Alice's Adventures in Wonderland" begins (Lewis Carroll, 1865)."""


FIRST_VISIT, KOREAN = Selection(), FIRST_VISITS["ko"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What is shown: a page, the choices in its address, and what is done there before the picture is taken."""

    page: str
    choices: Selection = FIRST_VISIT
    dark: bool = False
    do: Callable[[Page], None] = at_rest


def the_head(page: Page) -> None:
    viewer_shows(page, "Layer 3 · Head 1")


def in_korean(page: Page) -> None:
    expect(page.locator(".viewer .title")).to_have_text("레이어 3 · 헤드 2", timeout=WAIT)
    expect(page.locator(".viewer")).to_have_attribute("data-painted", re.compile("exact$"), timeout=WAIT)
    at_rest(page)


def locked_tokens(page: Page) -> None:
    """The pair as text, with two tokens locked: "to" and "of", which look at "shop" and "milk"."""
    viewer_shows(page, "Layer 2 · Head 8")
    turn_to_picture(page, "Sentence")
    for token in (5, 17):
        page.locator(f"[data-side=query] [data-index='{token}']").click(modifiers=["Shift"])
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    at_rest(page)


def enlarged(page: Page) -> None:
    viewer_shows(page, "Layer 0 · Head 2")
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()


def arcs(page: Page) -> None:
    expect(page.locator(".viewer .arcs-said")).to_contain_text("looks at", timeout=WAIT)


def predicted(page: Page) -> None:
    """A step of a lesson, once its question is answered."""
    page.get_by_role("button", name="Skip").click()
    viewer_shows(page, "Layer")


def what_if_softer(page: Page) -> None:
    expect(page.locator(".gtitle").filter(has_text="temperature").first).to_be_visible(timeout=WAIT)


def by_hand(page: Page) -> None:
    """A head that looks at the letter before, with all its words right."""
    expect(page.get_by_text(re.compile("hidden words right"))).to_be_visible(timeout=WAIT)


def costs(page: Page) -> None:
    expect(page.locator(".gtitle").filter(has_text="The cache grows").first).to_be_visible(timeout=WAIT)


def copied(page: Page) -> None:
    """A model that has learned to copy, once it is asked."""
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text(re.compile("Done: "))).to_be_visible(timeout=10 * WAIT)
    expect(page.get_by_text("How it does on text that it never saw")).to_be_visible(timeout=WAIT)


PICTURES = {
    "home": Picture(page="", do=arcs),
    "lessons": Picture(page="lessons", choices=Selection(lesson="attention", lesson_step=1), do=predicted),
    "compare": Picture(page="attention", choices=Selection(view="compare", layer=3, head=1)),
    "attention-light": Picture(page="attention", choices=Selection(layer=3, head=1), do=the_head),
    "attention-korean": Picture(
        page="attention",
        choices=Selection(model=KOREAN.model, text=KOREAN.text, layer=3, head=2, lang="ko"),
        do=in_korean,
    ),
    "attention-dark": Picture(
        page="attention",
        dark=True,
        do=locked_tokens,
        choices=Selection(
            text="The old man went to the shop.", text_b="He bought some bread and a bottle of milk.", layer=2, head=8
        ),
    ),
    "attention-long": Picture(
        page="attention", choices=Selection(text=ALICE * 3, layer=0, head=2, picture="map"), do=enlarged
    ),
    "queries-keys-values": Picture(page="queries_keys_values", choices=Selection(layer=3, head=1, query=10)),
    "step-by-step": Picture(
        page="step_by_step",
        dark=True,
        do=what_if_softer,
        choices=Selection(layer=3, head=1, step="softmax", what_if="temperature", temperature=4.0),
    ),
    "positions": Picture(page="positions"),
    "by-hand": Picture(page="by_hand", do=by_hand, choices=Selection(matrices=write_head(previous_head(3)))),
    "head-atlas": Picture(page="head_atlas"),
    "masked-words": Picture(page="masked_words"),
    "labels": Picture(page="labels"),
    "next-sentence": Picture(page="next_sentence", dark=True),
    "translation": Picture(page="translation"),
    "translation-alignment": Picture(
        page="translation",
        choices=Selection(model="translator-ko", translation="alignment", text="The boy reads an interesting book."),
    ),
    "explanations": Picture(page="explanations"),
    "bert-and-gpt": Picture(page="bert_and_gpt", choices=Selection(layer=1, head=3)),
    "what-attention-costs": Picture(page="what_attention_costs", do=costs),
    "switchboard": Picture(page="switchboard"),
    "attention-over-time": Picture(page="training_lab", choices=Selection(lab="over-time")),
    "training-lab": Picture(page="training_lab", do=copied),
}


def take_card(browser: Browser, address: str) -> Image.Image:
    """The picture of Home that a reader can send; other chats show it beside a link to Headlight."""
    with opened(browser, dark=False) as page:
        page.goto(address)
        arcs(page)
        page.get_by_role("button", name="A picture to send").click()
        with page.expect_download() as download:
            page.get_by_role("group", name="A picture to send").get_by_role("button", name="PNG").click()
        return Image.open(download.value.path())


def address_of(choices: Selection) -> dict[str, str]:
    """What differs from a first visit: a page with sentences of its own opens with one of those."""
    usual = to_address(FIRST_VISIT)
    return {name: text for name, text in to_address(choices).items() if usual.get(name) != text}


def take(browser: Browser, address: str, picture: Picture) -> Image.Image:
    """The page as a picture, from its top to its end."""
    with opened(browser, dark=picture.dark) as page:
        page.goto(f"{address}/{picture.page}?{urlencode(address_of(picture.choices))}")
        expect(page.get_by_role("heading").first).to_be_visible(timeout=WAIT)
        at_rest(page)
        picture.do(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=WAIT)
        at_rest(page)
        page.set_viewport_size({"width": WIDE, "height": page.evaluate(CONTENT)})
        at_rest(page)
        page.mouse.move(0, 0)
        return Image.open(io.BytesIO(page.screenshot()))


@contextmanager
def opened(browser: Browser, *, dark: bool) -> Iterator[Page]:
    """A new window of a projector's width."""
    context = browser.new_context(
        viewport={"width": WIDE, "height": 1000}, color_scheme="dark" if dark else "light", locale="en-GB"
    )
    context.set_default_timeout(WAIT)
    context.add_init_script(f"({WATCH})()")
    yield context.new_page()
    context.close()


def write(picture: Image.Image, file: Path) -> None:
    """Save it with few colours."""
    few = picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


def main() -> None:
    """Take those that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"which ones: {', '.join(PICTURES)}, card; all if none"
    )
    known = [*PICTURES, "card"]
    chosen = parser.parse_args().names or known
    unknown = sorted(set(chosen) - set(known))
    if unknown:
        parser.error(f"there is no picture {', '.join(unknown)}; expected some of {', '.join(known)}.")
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        for name in chosen:
            if name == "card":
                write(take_card(browser, address), ICONS / CARD)
            else:
                write(take(browser, address, PICTURES[name]), FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
