"""The page of the site on which models read: fetched once, then without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from deploy.site import live
from tests.browser.files import served_files
from tests.browser.waiting import WAIT, eventually
from ui.state.portable import portable_model
from ui.widgets.asking.showcases import SHOWCASES

MODELS = ("mini-bert", "mini-llama", "translator-es")
N_GUESSES = 5
KEPT = "caches.open('headlight-models').then((cache) => cache.keys()).then((keys) => keys.length)"
"""How many files of models the browser has kept."""
HOSTILE = "<img src=x onerror=window.pwned=1> https://evil.example"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page with three small models: one has the sentences of Home's first chips, one says that it
    reads Korean, and one translates."""
    folder = tmp_path_factory.mktemp("site")
    words = replace(live.WORDS["en"], models={name: name for name in MODELS})
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(live.WORDS, "en", words)
        patched.setattr(live, "SHOWCASES", [replace(showcase, model="mini-bert") for showcase in SHOWCASES[:2]])
        reads_korean = replace(live._portable("mini-llama"), languages=("ko",))
        patched.setattr(live, "_portable", lambda name: reads_korean if name == "mini-llama" else portable_model(name))
        live.write_live(folder / "live", folder / "live" / live.MODELS, "en")
    with served_files(folder) as address:
        yield f"{address}live/index.html"


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(WAIT)
    yield context
    context.close()


def opened(window: BrowserContext, address: str) -> Page:
    page = window.new_page()
    page.goto(address)
    expect(page.locator(".viewer[data-painted$=exact]")).to_be_visible()
    return page


def test_the_address_says_what_is_on_show_and_begins_with_it(window: BrowserContext, site: str) -> None:
    page = opened(window, f"{site}?model=mini-bert&text={quote('The cat sleeps.')}&layer=2&head=3&picture=map")
    expect(page.get_by_role("textbox")).to_have_value("The cat sleeps.")
    expect(page.get_by_role("heading", name="Layer 2 · Head 3")).to_be_visible()
    page.get_by_role("textbox").fill("The dog sleeps.")
    eventually(page, lambda: parse_qs(urlsplit(page.url).query).get("text"), lambda text: text == ["The dog sleeps."])
    assert {name: value for name, (value,) in parse_qs(urlsplit(page.url).query).items()} == {
        "model": "mini-bert",
        "text": "The dog sleeps.",
        "layer": "2",
        "head": "3",
        "picture": "map",
    }


def test_chips_begin_their_sentences_and_are_left_for_another_model(window: BrowserContext, site: str) -> None:
    page = opened(window, site)
    first = [side.text for side in SHOWCASES[0].sides]
    expect(page.get_by_role("textbox")).to_have_value(first[0])
    expect(page.locator(".live-finding strong")).to_contain_text("“it” looks most at")
    chip = page.get_by_role("button", name=SHOWCASES[0].label)
    chip.click()
    expect(page.get_by_role("textbox")).to_have_value(first[1])
    chip.click()
    expect(page.get_by_role("textbox")).to_have_value(first[0])
    page.get_by_role("combobox", name="Model").first.select_option("mini-llama")
    expect(page.get_by_role("textbox")).to_have_value(live.FIRST["mini-llama"])
    expect(page.get_by_role("heading", name="The next token")).to_be_visible()


def test_a_head_is_switched_off_and_on_again(window: BrowserContext, site: str) -> None:
    page = opened(window, f"{site}?text={quote(live.FIRST['mini-bert'])}&layer=3&head=0")
    expect(page.get_by_role("heading", name="Behind mask")).to_be_visible()
    guesses = page.locator(".live-guesses ol").first
    before = eventually(page, guesses.inner_text, lambda said: said.count("%") == N_GUESSES)
    page.get_by_role("button", name="Switch off Layer 3 · Head 0").click()
    expect(page.get_by_role("heading", name="without Layer 3 · Head 0")).to_be_visible()
    best = before.split("\n")[0]
    expect(page.locator(".live-guesses p")).to_contain_text(f"With all heads: {best}")
    eventually(page, guesses.inner_text, lambda after: after != before)
    page.get_by_role("button", name="Layer 3 · Head 0 is off").click()
    expect(page.get_by_role("heading", name="without")).to_have_count(0)
    eventually(page, guesses.inner_text, lambda after: after == before)


def test_without_the_order_of_the_words_a_word_looks_alike_wherever_it_stands(
    window: BrowserContext, site: str
) -> None:
    page = opened(window, f"{site}?text=cat+dog+cat&layer=0&head=0&picture=arcs")
    page.get_by_role("option", name="dog").click()

    def looks_at_cats() -> list[float]:
        """The attention of the dog to both cats, in the first layer."""
        links = page.evaluate("JSON.parse(document.querySelector('.arcs-stage').dataset.arcs)")
        return [value for cat in (0, 2) for query, key, value in links if (query, key) == (1, cat)]

    as_written = eventually(page, looks_at_cats, lambda both: len(both) == len(set(both)) == 2)
    page.get_by_role("button", name="Hide the order of the words").click()
    eventually(page, looks_at_cats, lambda both: len(both) == 2 and len(set(both)) == 1)
    page.get_by_role("button", name="The order of the words is hidden").click()
    eventually(page, looks_at_cats, lambda both: both == as_written)


def test_after_the_first_visit_it_opens_without_a_network(window: BrowserContext, site: str) -> None:
    page = opened(window, site)
    page.get_by_role("textbox").fill("My dog is not here.")
    eventually(page, lambda: "not+here" in page.url, bool)
    page.evaluate("navigator.serviceWorker.ready")
    eventually(page, lambda: page.evaluate(KEPT), lambda n_files: n_files == 2)  # the settings and the weights
    window.set_offline(True)
    page.reload()
    expect(page.locator(".viewer[data-painted$=exact]")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_value("My dog is not here.")


def what_cannot_be_asked_is_said(page: Page, own: Locator, ask: Locator) -> None:
    said = page.locator(".lesson-own .lesson-status")
    for typed in ("", "  \u200b "):
        own.fill(typed)
        ask.click()
        expect(said.first).to_have_text("Still to be written: Your sentence.")
    own.fill("a" * 1001)
    ask.click()
    expect(said.first).to_have_text("“Your sentence”: 1001 letters, at most 1000 can be read.")
    own.fill("나는 어제 영화를 보았다.")
    ask.click()
    expect(said.last).to_have_text("This model does not read Hangul. Type an English sentence.")
    own.fill("a " * 400)
    ask.click()
    expect(said.last).to_have_text(re.compile(r"^Only the first \d+ tokens are read\.$"))


def test_a_lesson_is_predicted_answered_and_goes_on_where_it_was(window: BrowserContext, site: str) -> None:
    page = window.new_page()
    page.goto(f"{site.removesuffix('index.html')}{live.LESSONS}?lesson=attention&lesson_step=1")
    expect(page.locator(".lesson-covered .viewer[data-painted$=exact]")).to_be_visible()
    expect(page.locator(".lesson-claim")).to_have_count(0)
    page.get_by_role("group", name="Tap a token").get_by_role("button", name="cat", exact=True).click()
    expect(page.locator(".lesson-verdict")).to_contain_text("You said “cat”, and that is right.")
    expect(page.locator(".lesson-claim")).to_contain_text("“sat” looks at “cat”, the token before it, with ")
    expect(page.locator(".lesson-picture .viewer[data-painted$=exact]")).to_be_visible()
    expect(page.locator(".lesson-covered")).to_have_count(0)
    own, ask = page.get_by_role("textbox", name="Your sentence"), page.get_by_role("button", name="Ask the same")
    what_cannot_be_asked_is_said(page, own, ask)
    own.fill(f"The dog sees {HOSTILE}")
    ask.click()
    page.get_by_role("group", name="Which token looks?").get_by_role("button", name="sees").click()
    page.get_by_role("group", name="Tap a token").get_by_role("button", name="dog").click()
    expect(page.locator(".lesson-verdict").last).to_contain_text("You said “dog”")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Looking has a price")).to_be_visible()
    expect(page.get_by_role("slider", name="Move to your number")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready")
    eventually(page, lambda: page.evaluate(KEPT), lambda n_files: n_files == 2)  # the settings and the weights
    window.set_offline(True)
    page.reload()
    expect(page.get_by_role("slider", name="Move to your number")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".lesson-verdict")).to_contain_text("You said “cat”, and that is right.")
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_role("button", name="Go on: step 2 of 5")).to_be_visible()
    assert page.evaluate("typeof window.pwned") == "undefined"


def test_an_address_of_a_stranger_is_text_and_what_cannot_be_is_left_out(window: BrowserContext, site: str) -> None:
    page = opened(window, f"{site}?model=evil&layer=99&head=-1&picture=evil&text={quote(HOSTILE)}")
    expect(page.get_by_role("textbox")).to_have_value(HOSTILE)
    expect(page.get_by_role("heading", name="Layer")).to_be_visible()
    assert page.evaluate("typeof window.pwned") == "undefined"
    expect(page.locator("main a[href*=evil], main img")).to_have_count(0)
    page.goto(f"{site.removesuffix('index.html')}{live.LESSONS}?lesson=nowhere")
    expect(page.get_by_role("alert")).to_have_text("There is no lesson “nowhere”. These are all:")


def test_what_a_model_does_not_read_is_said_and_another_one_is_offered(window: BrowserContext, site: str) -> None:
    page = opened(window, site)
    field, note = page.get_by_role("textbox"), page.get_by_role("note")
    expect(note).to_be_hidden()
    field.fill("I like 😀 films.")
    expect(note).to_have_text("mini-bert has no token for “😀”. To it, an emoji or a sign that it never saw is [UNK].")
    field.fill("나는 어제 영화를 보았다.")
    expect(note).to_contain_text("This model does not read Hangul.")
    note.get_by_role("button", name="Open in a Korean model").click()
    expect(page.get_by_role("combobox", name="Model").first).to_have_value("mini-llama")
    expect(page.get_by_role("textbox")).to_have_value("나는 어제 영화를 보았다.")
    expect(page.get_by_role("note")).not_to_contain_text("Hangul")
    page.get_by_role("textbox").fill("The cat sleeps.")
    expect(page.get_by_role("note")).to_contain_text("This model hardly reads English.")


def test_a_model_that_is_not_there_is_said(window: BrowserContext, site: str) -> None:
    page = window.new_page()
    page.route("**/*.json", lambda route: route.fulfill(status=404))
    page.goto(site)
    expect(page.get_by_role("alert").first).to_contain_text("The model cannot be fetched: 404")


def test_a_frame_that_may_keep_nothing_reads(window: BrowserContext, site: str) -> None:
    """A learning platform shows a page without an origin."""
    errors: list[str] = []
    page = window.new_page()
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    lesson = f"{site.removesuffix('index.html')}{live.LESSONS}?lesson=attention&lesson_step=2&embed"
    for address, shows in ((site, ".viewer[data-painted$=exact]"), (lesson, "input[type=range]")):
        page.set_content(f'<iframe sandbox="allow-scripts" src="{address}" width="1000" height="700"></iframe>')
        expect(page.frame_locator("iframe").locator(shows).first).to_be_visible()
    expect(page.frame_locator("iframe").get_by_role("heading", level=2)).to_have_text("Looking has a price")
    expect(page.frame_locator("iframe").get_by_role("button", name="All lessons")).to_have_count(0)
    assert errors == []


def test_nothing_is_asked_of_another_host(window: BrowserContext, site: str) -> None:
    asked: list[str] = []
    errors: list[str] = []
    page = window.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(site)
    expect(page.locator(".viewer[data-painted$=exact]")).to_be_visible()
    page.goto(f"{site}?model=translator-es&kind=decoder&layer=1&head=2")
    expect(page.locator(".live-written")).to_have_text("Mi hermano tiene un perro negro.")
    expect(page.get_by_role("heading", name="Decoder · Layer 1 · Head 2")).to_be_visible()
    page.get_by_role("combobox", name="Attention").select_option("cross")
    eventually(page, lambda: page.url, lambda url: "kind=cross" in url)
    own = f"{urlsplit(site).scheme}://{urlsplit(site).netloc}/"
    assert [url for url in asked if not url.startswith((own, "blob:", "data:"))] == []
    assert errors == []
