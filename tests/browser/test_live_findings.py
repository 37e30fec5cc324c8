"""A live page finds the same head, word and sentence in a text as the app does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from models.analysis.one_text.habits import head_habits
from models.analysis.one_text.row import strongest_in_row
from models.analysis.one_text.standing_out import stands_out
from models.opening.registry import embedded_folder
from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from models.values.text.english import is_english
from models.values.text.particles import particle_markings
from tests.browser.files import served_files
from tests.browser.test_engine import OPEN
from tests.closeness import assert_close
from tests.loaded import load
from ui.state.portable import TAGGER, portable_model
from ui.widgets.atlases import embedded_atlas
from viz.heads.words import finding_in_words, habits_in_words
from viz.kit.language import read_in
from viz.viewer.engine import engine_script
from viz.viewer.html import joined_modules

TEXTS = {
    "headlight-bert": (
        "The animal didn't cross the street because it was too tired.",
        "My dog loves pizza but my cat hates it.",
        "The keys to the cabinet are on the table.",
        "Anna lost her key, and now she is looking for it.",
        "The teacher gave the student the book, and the student gave the teacher the pen.",
        "It’s not Holmes's letter, 😀 and nobody knows whose hippopotamus that was.",
        "The sun.",
        "a [MASK] is a",
        "El perro negro duerme sobre la mesa de la cocina.",
    ),
    "mini-llama": ("Alice met the Hatter at the gate, and it was hippopotamus weather.",),
    "headlight-ko": (
        "강아지가 고양이를 어제 마당에서 쫓았다.",
        "아버지께서는 학교에서도 책을 읽지 않으신다.",
        "어제 친구와 함께 영화를 봤는데 정말 재미있었다.",
        "나는 숙제를 안 했다.",
        "그는 못생긴 개를 데리고 집으로 갔지만, 개는 배가 고팠다.",
        "뷁 ㅋㅋㅋ [MASK] 좋다",
    ),
}
READ = """([text, tables]) => {
  const { pieces, layers, states, attention: [{ kind }] } = reader.read(text);
  const columns = live_words_js.columnsOf(pieces, text, {});
  window.finding = new finding_js.Finding(tables, (choices) => finding.draw(choices));
  document.body.replaceChildren(finding.node);
  finding.read({ pieces, layers, columns, text, isCausal: kind === "decoder" });
  const isOurs = finding.search(finding.layer === null ? null : states[finding.layer], { isUnread: false });
  const markings = finding.markings(pieces, columns);
  return { found: finding.found, said: finding.found && finding.inWords(finding.found), isOurs, markings };
}"""
ELSEWHERE = "(place) => finding.draw({ layer: place.layer, head: place.head === 0 ? 1 : 0, locked: [] })"
HELD = "(locked) => finding.draw({ ...finding.found, locked })"
ROW = "([tables, place]) => finding_search_js.strongestInRow(finding.reading, tables, place)"


@pytest.fixture
def pages(browser: Browser) -> Iterator[Any]:
    """Opens a page in a language that has the engine, the findings and a model."""
    opened: list[Page] = []
    folder = embedded_folder("headlight-bert")
    assert folder is not None
    with served_files(Path(folder).parent) as address:

        def _open(name: str, language: str) -> Page:
            page = browser.new_page()
            opened.append(page)
            page.goto(address)
            with read_in(language):
                page.add_script_tag(content=f"{engine_script('reader.js')}\n{joined_modules('finding.js')}")
            page.evaluate(OPEN, name)
            return page

        yield _open
        for page in opened:
            page.close()


def found_by_app(name: str, text: str) -> tuple[Finding | None, AttentionRecord, bool]:
    """Return the finding of the app, its record, and whether it takes the text for one that the model reads."""
    record = load(name).record(text).attention[0]
    labels = load(TAGGER).label_tokens(text)
    is_ours = is_english(labels.tokens) or name != "headlight-bert"
    if not is_ours or name == "mini-llama":  # the page of a model without parts of speech does not search
        return None, record, is_ours
    return (
        stands_out(record, embedded_atlas(name, "encoder"), labels if name == "headlight-bert" else None),
        record,
        True,
    )


def expect_same(said: dict[str, Any] | None, expected: Finding | None, text: str) -> None:
    assert (said is None) == (expected is None), text
    if said is None or expected is None:
        return
    place = ("layer", "head", "query", "key")
    assert [said[part] for part in place] == [getattr(expected, part) for part in place], text
    assert said["isByKey"] == (expected.against == "key"), text
    for part in ("weight", "expected"):
        assert_close(said[part], getattr(expected, part), tolerance=1e-4, magnitude=1, err_msg=f"{text} {part}")


def test_what_stands_out_is_said_where_it_is_and_a_button_leads_there(pages: Any) -> None:
    page, tables = pages("headlight-bert", "en"), dict(portable_model("headlight-bert").findings)
    said, button = page.locator(".live-finding strong"), page.get_by_role("button", name="Show what stands out")
    told = page.evaluate(READ, [TEXTS["headlight-bert"][1], tables])
    page.evaluate(ELSEWHERE, told["found"])
    expect(said).to_have_text("")
    button.click()
    expect(said).to_have_text(told["said"][0])
    expect(button).to_be_hidden()
    page.evaluate(HELD, [1])
    expect(said).to_contain_text("“my” looks most at")
    expect(button).to_be_visible()
    page.evaluate(HELD, [1, told["found"]["query"]])
    expect(said).to_have_text(told["said"][0])
    assert page.evaluate(READ, ["The sun.", tables])["found"] is None
    page.evaluate("finding.draw({ layer: 0, head: 0, locked: [] })")
    expect(said).to_have_text("Nothing stands out in this sentence.")
    habits = habits_in_words(head_habits(load("headlight-bert").record("The sun.").attention[0]))
    expect(page.locator(".live-finding")).to_contain_text(f"sentence. {habits}")


@pytest.mark.parametrize(("name", "language"), [("headlight-bert", "en"), ("headlight-ko", "ko"), ("mini-llama", "en")])
def test_the_page_finds_and_says_what_the_app_does(pages: Any, name: str, language: str) -> None:
    page, tables = pages(name, language), dict(portable_model(name).findings)
    n_found = 0
    for text in TEXTS[name]:
        expected, record, is_ours = found_by_app(name, text)
        told = page.evaluate(READ, [text, tables])
        assert told["isOurs"] == is_ours, text
        expect_same(told["found"], expected, text)
        if expected is not None:
            n_found += 1
            with read_in(language):
                assert told["said"] == list(finding_in_words(expected, record))
        for layer, head, query in rows_of(record):
            row = strongest_in_row(record, embedded_atlas(name, record.kind), layer=layer, head=head, query=query)
            place = {"layer": layer, "head": head, "query": query}
            expect_same(page.evaluate(ROW, [tables, place]), row, f"{text} {place}")
        if name == "headlight-ko":
            assert told["markings"] == list(particle_markings(record.query_tokens)), text
    assert n_found > 1 or name == "mini-llama"


def rows_of(record: AttentionRecord) -> Sequence[tuple[int, int, int]]:
    """Return some rows: of [CLS], of a word in the middle, of the last token."""
    return [(0, 1, 0), (record.n_layers - 1, 2, record.n_query // 2), (2, 3, record.n_query - 1)]
