"""A page that reads, opened from disk without a network: a stranger types, sees every head and hides a word.

The numbers are those that PyTorch gives with the same weights in 8 bits.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from safetensors.torch import load as read_weights
from safetensors.torch import save_file

from models import load
from models.checkpoints.eight_bits import SCALE, portable_model
from models.checkpoints.portable import portable_copy
from models.model import Model
from models.opening.registry import embedded_folder
from models.text.source_words import known_words
from models.values.record import Recording, Token
from models.values.record.portable import PortableModel
from tests.browser.engine_texts import save_gpt2_in_bytes
from tests.browser.reader import Open, another_recording, go_to_file, press_file, viewer_shows
from tests.browser.waiting import WAIT
from tests.closeness import assert_close
from viz.kit.language import read_in
from viz.kit.tokens import token_texts
from viz.viewer.live import live_html

NAME = "mini-bert"
SENTENCE = "The animal didn't cross the street because it was too tired."
TYPED = "I put the naïve [MASK] on the table."
HOSTILE = "<img src=x onerror=window.pwned=1> </script><script>window.pwned=1</script> &amp; 😀"
READ = 120_000
"""Milliseconds until the model is unpacked and has read a text, on a busy machine."""
OpenLive = Callable[..., Page]


def folder_of(name: str) -> Path:
    folder = embedded_folder(name)
    assert folder is not None
    return folder


def packed(name: str) -> PortableModel:
    """An embedded model as it travels, with the words that a translator has read."""
    folder = folder_of(name)
    return replace(portable_model(folder, name), source_words=tuple(known_words(folder) or ()))


@pytest.fixture(scope="module")
def rounded(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The model with the weights that travel, in PyTorch."""
    return load_rounded(folder_of(NAME), portable_model(folder_of(NAME), NAME), tmp_path_factory.mktemp("rounded"))


def load_rounded(original: Path, portable: PortableModel, place: Path) -> Model:
    """Open a copy of a model with the weights that travel."""
    folder = place / original.name
    shutil.copytree(original, folder)
    stored = read_weights(portable.weights)
    unused = read_weights((folder / "model.safetensors").read_bytes())
    numbers = {name: tensor.float() for name, tensor in (unused | stored).items() if not name.endswith(SCALE)}
    for name in filter(lambda name: name + SCALE in stored, stored):
        numbers[name] = numbers[name] * stored[name + SCALE][:, None]
    save_file(numbers, folder / "model.safetensors")
    return load(str(folder), device="cpu")


@pytest.fixture
def open_live(browser: Browser, tmp_path: Path) -> Iterator[OpenLive]:
    """Opens a page that reads. At the end nothing but the file was asked for, and no error and no script ran."""
    asked: list[str] = []
    errors: list[str] = []
    pages: list[Page] = []

    def _open(
        *,
        name: str = NAME,
        sentence: str = SENTENCE,
        lang: str = "en",
        width: int = 1366,
        portable: PortableModel | None = None,
    ) -> Page:
        with read_in(lang):
            made = live_html(
                load(name, device="cpu").record(sentence),
                portable or packed(name),
                {"layer": 1, "head": 1 if portable else 4},
            )
        file = tmp_path / "live.html"
        file.write_text(made, encoding="utf-8")
        page = browser.new_context(viewport={"width": width, "height": 768}, offline=True).new_page()
        page.set_default_timeout(READ)
        go_to_file(page, file, asked, errors)
        pages.append(page)
        return page

    yield _open
    for page in pages:
        assert page.evaluate("typeof window.pwned") == "undefined"
        page.context.close()
    assert [address for address in asked if not address.startswith(("blob:", "data:"))] == []
    assert errors == []


def type_text(page: Page, text: str) -> None:
    """Type, and wait until the newest text has been read and drawn."""
    with another_recording(page):
        page.get_by_role("textbox").fill(text)


def test_what_is_typed_is_read_with_the_numbers_of_pytorch(open_live: OpenLive, rounded: Model) -> None:
    page = open_live()
    expect(page.get_by_role("textbox")).to_have_value(SENTENCE.lower())
    type_text(page, TYPED)
    expect_table(page, rounded.record(TYPED), head=4)


def expect_table(page: Page, recording: Recording, *, head: int) -> None:
    """Hold the table of a head of layer 1 to a recording."""
    viewer_shows(page, f"Layer 1 · Head {head}")
    page.locator(".viewer").get_by_role("radio", name="Map").click()
    with page.expect_download() as waiting:
        press_file(page, "CSV")
    table = list(csv.reader(Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert table[0][1:] == [f"{place} · {text}" for place, text in enumerate(token_texts(recording.tokens))]
    said = np.array([[0 if number == "masked" else float(number) for number in row[1:]] for row in table[1:]])
    assert_close(said, recording.attention[0].weights(1, head), tolerance=1e-4)


def test_a_strangers_gpt2_reads_bytes_and_writes_on(open_live: OpenLive, tmp_path: Path) -> None:
    folder = tmp_path / "gpt2"
    save_gpt2_in_bytes(folder)
    portable = portable_copy(folder, "gpt2")
    model = load_rounded(folder, portable, tmp_path / "rounded")
    text = "The animal didn't cross the 😀 street "
    page = open_live(name=str(folder), sentence="A tired animal", portable=portable)
    expect(page.get_by_role("textbox")).to_have_value("A tired animal")
    type_text(page, text)
    expect_table(page, model.record(text), head=1)
    (step,) = model.continue_text(text, n_new=1, temperature=0).written
    best = page.locator(".live-guesses section > ol bdi").first
    expect(best).to_have_text(*token_texts([Token(text=step.chosen.text)]))
    page.locator(".live-guesses section > ol").get_by_role("button").first.click()
    expect(page.get_by_role("textbox")).to_have_value(re.compile(rf"^{re.escape(text)}[\s\S]+$"))


def test_a_word_is_hidden_guessed_and_put_back(open_live: OpenLive, rounded: Model) -> None:
    page = open_live(sentence="I drink a cup of tea.")
    words = page.get_by_role("group", name="Hide a word")
    words.get_by_role("button", name="cup", exact=True).click()
    expect(page.get_by_role("textbox")).to_have_value("i drink a [MASK] of tea.")
    (mask,) = rounded.fill_mask("i drink a [MASK] of tea.")
    best = page.locator(".live-guesses section > ol bdi")
    expect(best).to_have_text([choice.text for choice in mask.choices], timeout=READ)
    by_layer = rounded.predict_by_layer("i drink a [MASK] of tea.")
    page.get_by_text("The first word after every layer").click()
    firsts = [by_layer.vocabulary[int(row.argmax())] for row in by_layer.log_probabilities]
    expect(page.locator(".live-guesses details bdi")).to_have_text(firsts)
    words.get_by_role("button", name="Put back: cup").click()
    expect(page.get_by_role("textbox")).to_have_value("i drink a cup of tea.")
    expect(best).to_have_count(0, timeout=READ)


def test_what_a_stranger_types_stays_text(open_live: OpenLive) -> None:
    page = open_live()
    type_text(page, HOSTILE)
    expect(page.locator(".live-words bdi").filter(has_text="onerror")).to_be_visible()
    expect(page.locator(".viewer img, .live img")).to_have_count(0)
    page.get_by_role("textbox").fill("   ")
    expect(page.get_by_role("status").first).to_have_text("Type a few words.")


def test_a_long_text_is_cut_and_that_is_said(open_live: OpenLive) -> None:
    page = open_live(width=390)
    type_text(page, "a cat " * 20_000)
    expect(page.get_by_role("status").first).to_have_text("Only the first 128 tokens are read.")
    type_text(page, "a" * 10_000)
    expect(page.get_by_role("status").first).to_have_text("Only the first 2560 letters are read.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_file_says_what_the_model_is_and_speaks_korean(open_live: OpenLive) -> None:
    page = open_live(lang="ko")
    expect(page.locator("label", has_text="문장을 입력하세요")).to_be_visible()
    page.get_by_text("이 모델에 대하여").click()
    expect(page.locator(".live-origin")).to_contain_text("apache-2.0")
    expect(page.locator(".live-origin")).to_contain_text(portable_model(folder_of(NAME), NAME).sha256)


def test_the_terms_of_the_weights_travel_with_them() -> None:
    name = "headlight-ko"
    made = live_html(
        load(name, device="cpu").record("학교에서 [MASK]를 봤다."), portable_model(folder_of(name), name), {}
    )
    notice = (folder_of(name) / "NOTICE").read_text(encoding="utf-8")
    assert json.dumps(notice)[1:-1].replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026") in made


def test_the_app_gives_the_page_for_models_that_can_travel(visit: Open, browser: Browser, tmp_path: Path) -> None:
    page = visit(model=NAME, layer=1, head=2)
    viewer = viewer_shows(page, "Layer 1 · Head 2")
    with page.expect_download(timeout=WAIT) as waiting:
        press_file(viewer, "LIVE")
    assert waiting.value.suggested_filename == "attention-live-mini-bert.html"
    waiting.value.save_as(tmp_path / "live.html")
    again = browser.new_context(offline=True).new_page()
    again.goto((tmp_path / "live.html").as_uri())
    again.locator(".viewer[data-painted='encoder 1 2 exact']").wait_for(timeout=READ)
    again.context.close()


def test_a_decoder_writes_on(open_live: OpenLive) -> None:
    page = open_live(name="mini-llama", sentence="The cat sat on the")
    guesses = page.locator(".live-guesses section > ol")
    best = guesses.get_by_role("button").first
    expect(best).to_be_visible(timeout=READ)
    model = load("mini-llama", device="cpu")
    word = model.continue_text("the cat sat on the", n_new=1, temperature=0).written[0].chosen.text
    expect(best).to_have_text(word)
    best.click()
    expect(page.get_by_role("textbox")).to_have_value(f"the cat sat on the {word}")
    expect(page.locator(".viewer .arcs-stage")).to_be_visible()
    expect(page.get_by_role("group", name="Hide a word").get_by_role("button")).to_have_count(0)


def test_a_translator_writes_what_the_app_writes_and_shows_all_its_attention(open_live: OpenLive) -> None:
    name, typed = "translator-es", "My brother has a black dog."
    page = open_live(name=name, sentence="I like to dance.")
    type_text(page, typed)
    written = page.locator(".live-written")
    expect(written).to_have_text(load(name, device="cpu").translate(typed).text)
    expect(page.get_by_role("group", name="Hide a word").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("button", name="Hide the order")).to_be_hidden()
    page.get_by_role("combobox", name="Attention").select_option("cross")
    viewer_shows(page, "Cross-attention · Layer 1 · Head 4")
    with another_recording(page):
        page.get_by_role("button", name="Switch off Cross-attention · Layer 1 · Head 4").click()
    title = page.get_by_role("heading", name="Translation, without Cross-attention · Layer 1 · Head 4")
    expect(title).to_be_visible()
    never_read = "My zyzzyva doesn't eat kohlrabi."
    type_text(page, never_read)
    words = load(name, device="cpu").translate(never_read).unknown_words
    named = ", ".join(f"“{word}”" for word in words)
    expect(page.locator(".live-note")).to_have_text(
        f"{name} does not know {len(words)} of the 5 words: {named}. The translation of them is a guess."
    )
    type_text(page, HOSTILE)
    expect(page.locator(".live-translation img, .live-translation script")).to_have_count(0)
