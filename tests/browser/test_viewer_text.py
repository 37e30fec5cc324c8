"""The text view and the blocks of a pair: every number that they say or paint is the record's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page, expect

from models.values.record import AttentionRecord, Recording, Token
from tests.browser.reader import WAIT, OpenFile, more_tools, press_file
from tests.browser.waiting import becomes, box_of, eventually
from tests.closeness import CloseTo
from viz.attention.matrix import Matrix
from viz.attention.sentence_pairs import pair_blocks
from viz.attention.transform import prepare
from viz.kit.demos.records import PAIR, plausible_record, random_record, random_recording, recording_of, tokens_of
from viz.kit.tokens import positioned_texts, token_texts

KOREAN = "우리는 학교에서 점심을 먹고 도서관으로 갔다 그리고 늦게까지 책을 읽었다"
ARABIC = "ذهب الولد إلى المدرسة في الصباح"
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "",
    "the",
    "the",
    "a" * 3000,
)

HOOKS = """(() => {
  const prototype = CanvasRenderingContext2D.prototype;
  const seen = (context) => context.canvas.parentElement?.matches(".token-stage, .pair-stage");
  const before = (name, then) => {
    const original = prototype[name];
    prototype[name] = function (...values) {
      if (seen(this)) then(this, ...values);
      return original.apply(this, values);
    };
  };
  window.painted = { texts: [], lines: [] };
  before("clearRect", () => { window.painted = { texts: [], lines: [] }; });
  before("fillText", (context, text, x, y) => {
    const { a, e, f } = context.getTransform();
    window.painted.texts.push({ text, x: x + e / a, y: y + f / a, colour: context.fillStyle });
  });
  before("stroke", (context) => window.painted.lines.push({ colour: context.strokeStyle, alpha: context.globalAlpha }));
})()"""

ShowFile = Callable[..., Page]


@pytest.fixture
def show(open_file: OpenFile) -> ShowFile:
    """Opens a record's text view, which tells what it paints."""

    def _show(record: AttentionRecord | Recording, *, width: int = 1440, **choices: Any) -> Page:
        recording = record if isinstance(record, Recording) else recording_of(record)
        return open_file(recording, width=width, touch=width < 500, script=HOOKS, **({"picture": "text"} | choices))

    return _show


def letters(texts: list[str] | tuple[str, ...]) -> tuple[Token, ...]:
    """One token a text, between special ones."""
    inner = [Token(text=text, word=place, segment=0, is_special=False) for place, text in enumerate(texts)]
    first, last = (Token(text=name, word=None, segment=0, is_special=True) for name in ("[CLS]", "[SEP]"))
    return (first, *inner, last)


def query(page: Page, index: int) -> Locator:
    return page.locator(f"[data-side=query] [data-index='{index}']")


def key(page: Page, index: int) -> Locator:
    return page.locator(f"[data-side=key] [data-index='{index}']")


def chip(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def away(page: Page) -> None:
    page.mouse.move(2, 2)


def strongest(values: NDArray[np.floating[Any]], names: tuple[str, ...], *, count: int = 5) -> list[str]:
    """What is mentioned: the largest numbers with their tokens, long ones cut."""
    places = np.argsort(-values, kind="stable")[:count]
    cut = [name if len(name) <= 20 else name[:19] + "…" for name in names]
    return [f"{cut[place]} {values[place]:.3f}" for place in places]


def key_names(matrix: Matrix) -> tuple[str, ...]:
    return positioned_texts(matrix.key_tokens, matrix.key_positions)


def query_names(matrix: Matrix) -> tuple[str, ...]:
    return positioned_texts(matrix.query_tokens, matrix.query_positions)


def says(page: Page, mentions: list[str], *, subject: str | None = None, line: int = 0) -> None:
    expect(page.locator(".token-found").nth(line).locator(".token-mention")).to_have_text(mentions, timeout=WAIT)
    if subject is not None:
        expect(page.locator(".token-subject")).to_have_text(subject)


def numbers_beside(page: Page, names: tuple[str, ...], *, column: int = 0) -> dict[int, str]:
    """The numbers painted on the line of each token of the right list, by the token's place."""
    texts = painted(page)
    found: dict[int, str] = {}
    rows = sorted({text["y"] for text in texts if text["text"] in set(names)})
    for place, y in enumerate(rows):
        on_line = sorted((text["x"], text["text"]) for text in texts if abs(text["y"] - y) < 1)
        numbers = [text for _, text in on_line if re.fullmatch(r"[+-]?\d+\.\d{3}", text)]
        if numbers:
            found[place] = numbers[column]
    return found


def painted(page: Page, what: str = "texts") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("what => window.painted[what]", what)
    return found


def lines(page: Page) -> list[dict[str, Any]]:
    return painted(page, "lines")


def test_pointed_locked_and_looked_at_in_a_causal_text(show: ShowFile) -> None:
    record = plausible_record(causal=True)
    matrix = prepare(record, layer=1, head=2)
    names = key_names(matrix)
    page = show(record, layer=1, head=2)
    becomes(page, lambda: len(lines(page)), np.count_nonzero(~matrix.masked))

    query(page, 4).hover()
    says(page, strongest(matrix.values[4, :5], names), subject="4 · ' looks at")
    beside = {place: f"{matrix.values[4, place]:.3f}" for place in range(5)}  # and none at a masked key
    becomes(page, lambda: numbers_beside(page, token_texts(record.key_tokens)), beside)
    becomes(page, lambda: len(lines(page)), 5)

    query(page, 4).click()
    query(page, 9).click(modifiers=["Shift"])
    both = matrix.values[[4, 9]].sum(axis=0)
    for _ in ("right after the click", "when the pointer is elsewhere"):
        says(page, strongest(both[:10], names), subject="2 tokens (4 · ', 9 · because) together give")
        away(page)
    beside = {place: f"{both[place]:.3f}" for place in range(10)}
    becomes(page, lambda: numbers_beside(page, token_texts(record.key_tokens)), beside)
    expect(page.locator("[data-side=query] [aria-selected=true]")).to_have_count(2)

    query(page, 6).hover()
    says(page, strongest(matrix.values[6, :7], names), subject="6 · cross looks at")
    key(page, 3).hover()
    looking = [place for place in range(record.n_query) if not matrix.masked[place, 3]]
    column = np.where(matrix.masked[:, 3], -1, matrix.values[:, 3])
    says(page, strongest(column, query_names(matrix)), subject="3 · didn is looked at by")
    becomes(page, lambda: len(lines(page)), len(looking))

    query(page, 9).click(modifiers=["Shift"])
    away(page)
    says(page, strongest(matrix.values[4, :5], names), subject="4 · ' looks at")
    chip(page, "Release all").click()
    expect(page.locator(".token-subject")).to_contain_text("Point at a token")
    expect(chip(page, "Release all")).to_be_disabled()


def test_by_keyboard(show: ShowFile) -> None:
    record = random_record()
    matrix = prepare(record, layer=0, head=1)
    names = key_names(matrix)
    page = show(record, layer=0, head=1)
    chip(page, "Running text").focus()
    page.keyboard.press("Tab")
    expect(query(page, 0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(query(page, 2)).to_be_focused()
    said = ", ".join(strongest(matrix.values[2], names))
    expect(page.get_by_role("option", name=f"2 · animal: looks at {said}")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.press("Shift+Space")
    expect(query(page, 2)).to_have_attribute("aria-selected", "true")
    both = matrix.values[[2, len(names) - 1]].sum(axis=0)
    says(page, strongest(both, names), subject="2 tokens (2 · animal, 15 · [SEP]) together give")
    page.keyboard.press("Home")
    says(page, strongest(matrix.values[0], names))
    page.keyboard.press("ArrowRight")
    expect(key(page, 0)).to_be_focused()
    says(page, strongest(matrix.values[:, 0], query_names(matrix)), subject="0 · [CLS] is looked at by")
    query(page, 3).click()  # the pointer stays there
    page.keyboard.press("ArrowDown")
    says(page, strongest(matrix.values[4], names), subject="4 · ' looks at")
    query(page, 7).hover()
    says(page, strongest(matrix.values[7], names), subject="7 · the looks at")
    page.keyboard.press("Escape")
    expect(page.locator("[data-side=query] [aria-selected=true]")).to_have_count(0)
    expect(page.locator(".token-pane [tabindex='0']")).to_have_count(2)  # one stop for each list


def test_several_heads_and_the_mean(show: ShowFile) -> None:
    record = random_record(n_heads=24)
    names = token_texts(record.key_tokens)
    page = show(record, layer=1, head=3)
    chip(page, "Head 0").click()
    chip(page, "Head 5").click()
    query(page, 2).hover()
    shown = [prepare(record, layer=1, head=head) for head in (3, 0, 5)]
    for place, matrix in enumerate(shown):
        says(page, strongest(matrix.values[2], key_names(matrix)), line=place)
        beside = {row: f"{value:.3f}" for row, value in enumerate(matrix.values[2])}
        becomes(page, lambda place=place: numbers_beside(page, names, column=place), beside)
    expect(page.locator(".token-head")).to_have_text(["Head 3", "Head 0", "Head 5"])
    expect(page.locator(".viewer .title")).to_have_text("Layer 1 · Heads 3, 0, 5")
    becomes(page, lambda: len({line["colour"] for line in lines(page)}), 3)
    many = [head for head in range(24) if head != 6]  # no room for the numbers of so many
    for head in sorted({*many} - {3, 0, 5}):
        chip(page, f"Head {head}").click()
    query(page, 2).hover()
    expect(page.locator(".token-subject")).to_contain_text(f"(4 of {len(many)} heads)")
    expect(page.locator(".token-footnote")).to_contain_text("the mean of these heads")
    average = np.mean([prepare(record, layer=1, head=head).values[2] for head in many], axis=0)
    becomes(page, lambda: numbers_beside(page, names), {row: f"{value:.3f}" for row, value in enumerate(average)})

    chip(page, "Mean").click()
    expect(page.locator(".head-chip[aria-pressed=true]")).to_have_count(1)
    mean = prepare(record, layer=1)
    query(page, 2).hover()
    says(page, strongest(mean.values[2], key_names(mean)))
    chip(page, "Head 6").click()
    away(page)
    expect(page.locator(".viewer")).to_contain_text("Layer 1 · Head 6")
    chip(page, "Head 6").click()
    expect(chip(page, "Head 6")).to_have_attribute("aria-pressed", "true")  # the last one stays


@pytest.mark.parametrize(
    "choices",
    [
        {"quantity": "scores"},
        {"quantity": "value_weighted"},
        {"words": True},
        {"special": "hidden"},
        {"special": "hidden_renormalised", "words": True},
    ],
)
def test_what_is_shown_is_what_the_switches_say(show: ShowFile, choices: dict[str, Any]) -> None:
    record = plausible_record(PAIR)
    matrix = prepare(record, layer=0, head=1, **choices)
    signed = "+" if choices.get("quantity") == "scores" else ""
    page = show(record, layer=0, head=1, **choices)
    query(page, 2).hover()
    expect(page.locator(".token-subject")).to_contain_text("looks at")
    beside = {place: f"{value:{signed}.3f}" for place, value in enumerate(matrix.values[2])}
    becomes(page, lambda: numbers_beside(page, token_texts(matrix.key_tokens)), beside)


def test_scores_are_summed_with_their_signs(show: ShowFile) -> None:
    record = random_record()
    scores = prepare(record, layer=0, head=0, quantity="scores").values
    page = show(record, layer=0, head=0, quantity="scores", locked=[1, 6])
    both = scores[[1, 6]].sum(axis=0)
    beside = {place: f"{value:+.3f}" for place, value in enumerate(both)}
    becomes(page, lambda: numbers_beside(page, token_texts(record.key_tokens)), beside)


def test_the_threshold_and_the_strongest_of_a_row_decide_which_lines_there_are(show: ShowFile) -> None:
    record = random_record()
    values = prepare(record, layer=0, head=0).values
    page = show(record, layer=0, head=0, threshold=0.1)
    becomes(page, lambda: len(lines(page)), np.count_nonzero(values >= 0.1))
    more_tools(page)
    page.get_by_label("Strongest of a row").select_option("1")
    expect(page.locator(".token-view")).to_be_visible()
    becomes(page, lambda: len(lines(page)), np.count_nonzero(values.max(axis=1) >= 0.1))
    scaled = show(record, layer=0, head=0, scale="row", top=1)
    becomes(scaled, lambda: {round(line["alpha"], 4) for line in lines(scaled)}, {1.0})


def test_64_tokens_as_a_list_and_512_as_running_text(show: ShowFile) -> None:
    recording = random_recording(n_tokens=64, n_layers=1, n_heads=2)
    page = show(recording, layer=0, head=0, height=2400)
    becomes(page, lambda: len(lines(page)), 400)
    expect(page.locator(".token-footnote")).to_have_text("Lines: the 400 strongest of 4,096.")
    values = np.sort(prepare(recording.of("encoder"), layer=0, head=0).values.ravel())[-400:]
    alphas = CloseTo(0.03 + 0.97 * values)
    becomes(page, lambda: sorted(line["alpha"] for line in lines(page)), alphas)

    recording = random_recording(n_tokens=512, n_layers=1, n_heads=2)
    matrix = prepare(recording.of("encoder"), layer=0, head=0)
    page = show(recording, layer=0, head=0)
    becomes(page, lambda: lines(page), [])
    eventually(page, lambda: page.locator(".token-option").count(), lambda options: 0 < options < 600)
    query(page, 12).click()
    away(page)
    says(page, strongest(matrix.values[12], key_names(matrix)))
    best = int(matrix.values[12].argmax())
    expect(key(page, best)).to_be_in_viewport()  # was scrolled to
    key(page, best).hover()
    says(page, strongest(matrix.values[:, best], query_names(matrix)))
    query(page, 12).focus()
    page.keyboard.press("End")
    expect(query(page, 511)).to_be_focused()
    expect(query(page, 511)).to_be_in_viewport()
    says(page, strongest(matrix.values[511], key_names(matrix)))


def test_4096_tokens(show: ShowFile) -> None:
    recording = random_recording(n_tokens=4096, n_layers=1, n_heads=1)
    matrix = prepare(recording.of("encoder"), layer=0, head=0)
    page = show(recording, layer=0, head=0)
    query(page, 3).click()
    query(page, 7).click(modifiers=["Shift"])
    away(page)
    says(page, strongest(matrix.values[[3, 7]].sum(axis=0), key_names(matrix)))
    eventually(page, lambda: page.locator(".token-option").count(), lambda options: 0 < options < 1000)
    page.keyboard.press("Escape")
    page.locator("[data-side=key]").evaluate("pane => { pane.scrollTop = 0; }")
    key(page, 5).hover()
    says(page, strongest(matrix.values[:, 5], query_names(matrix)), subject="5 · t is looked at by")


def test_korean_runs_like_text_and_arabic_from_right_to_left(show: ShowFile) -> None:
    korean = random_record(tokens=letters(list(KOREAN.replace(" ", ""))))
    page = show(korean, layer=0, head=0, across=True, width=390)
    tops = [box_of(query(page, place))["y"] for place in range(korean.n_query)]
    assert len(set(tops)) > 1
    assert tops == sorted(tops)
    query(page, 3).tap()
    matrix = prepare(korean, layer=0, head=0)
    says(page, strongest(matrix.values[3], key_names(matrix)), subject="3 · 는 looks at")
    becomes(page, lambda: lines(page), [])
    key(page, 4).tap()
    says(page, strongest(matrix.values[:, 4], query_names(matrix)), subject="4 · 학 is looked at by")
    key(page, 4).tap()
    expect(page.locator(".token-subject")).to_have_text("3 · 는 looks at")

    arabic = random_record(tokens=letters(ARABIC.split()))
    page = show(arabic, layer=0, head=0)
    assert box_of(key(page, 1))["x"] < box_of(query(page, 1))["x"]  # the text begins at the right
    chip(page, "Running text").click()
    expect(page.locator("[data-side=query]")).to_have_attribute("aria-orientation", "horizontal")
    first, second = box_of(query(page, 1)), box_of(query(page, 2))
    assert (first["x"] > second["x"], first["y"] == second["y"]) == (True, True)
    query(page, 1).focus()
    page.keyboard.press("ArrowLeft")
    expect(query(page, 2)).to_be_focused()


def test_hostile_repeated_and_single_tokens(show: ShowFile) -> None:
    record = random_record(tokens=letters(HOSTILE))
    matrix = prepare(record, layer=0, head=0)
    page = show(record, layer=0, head=0)
    query(page, 5).hover()
    says(page, strongest(matrix.values[5], key_names(matrix)), subject="5 · the looks at")
    single = random_record(tokens=tokens_of("hello"))
    page = show(single, layer=0, head=0, width=390)
    query(page, 0).tap()
    says(page, ["0 · hello 1.000"])
    nothing = show(random_record(tokens=tokens_of("[CLS] [SEP]")), layer=0, head=0, special="hidden")
    expect(nothing.locator(".token-subject")).to_contain_text("Every token here is special")


def test_cross_attention_has_two_texts(show: ShowFile) -> None:
    record = random_record(tokens=tokens_of("Das Tier war müde ."), key_tokens=tokens_of("It was so very tired ."))
    matrix = prepare(record, layer=0, head=0)
    page = show(record, kind="cross", layer=0, head=0)
    query(page, 3).hover()
    says(page, strongest(matrix.values[3], key_names(matrix)), subject="3 · müde looks at")


def test_the_picture_to_take_away_has_heads_numbers_and_what_is_locked(show: ShowFile) -> None:
    record = random_record()
    page = show(record, layer=0, head=0, heads=[0, 2], locked=[4])
    with page.expect_download() as download:
        press_file(page, "SVG")
    drawing = ET.fromstring(download.value.path().read_text(encoding="utf-8"))
    texts = ["".join(node.itertext()) for node in drawing.iter("{http://www.w3.org/2000/svg}text")]
    for head in (0, 2):
        matrix = prepare(record, layer=0, head=head)
        assert {f"{value:.3f}" for value in matrix.values[4]} <= set(texts)
        said = ", ".join(strongest(matrix.values[4], key_names(matrix)))
        assert f"Head {head}: {said}" in " ".join(texts)
    assert {"Head 0", "Head 2", *token_texts(record.query_tokens)} <= set(texts)


@pytest.mark.parametrize("head", [3, "mean"])
def test_the_blocks_of_a_pair_are_those_of_the_figure(show: ShowFile, head: int | str) -> None:
    record = plausible_record(PAIR)
    shares = pair_blocks(record, layer=2, head=None if head == "mean" else int(head))
    page = show(record, picture="blocks", layer=2, head=head, words=True, special="hidden")
    for row, start in enumerate(shares.index):
        for column, end in enumerate(shares.columns):
            share = shares.to_numpy()[row, column]
            cell = page.locator(f"[data-row='{row}'][data-column='{column}']")
            expect(cell).to_have_attribute("aria-label", f"from {start} to {end}: {share:.3f} ({share:.0%})")
    percents = [f"{share:.0%}" for share in shares.to_numpy().ravel()]
    becomes(page, lambda: [text["text"] for text in painted(page) if text["text"].endswith("%")], percents)
    page.locator("[data-row='1'][data-column='0']").hover()
    expect(page.locator(".pair-said")).to_have_text(
        f"from B to A: {shares.loc['B', 'A']:.3f} ({shares.loc['B', 'A']:.0%})"
    )
    page.locator(".pair-cell[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pair-said")).to_contain_text(f"from [CLS] to B: {shares.loc['[CLS]', 'B']:.3f}")
    expect(page.locator(".pair-note")).to_contain_text("Always the weights of all word pieces")


def test_the_blocks_of_a_long_pair_are_added_up_little_by_little(show: ShowFile) -> None:
    a, b = (" ".join([word] * 550) for word in ("tea", "milk"))
    record = random_record(tokens=tokens_of(f"[CLS] {a} [SEP] {b} [SEP]"), n_layers=1, n_heads=2)
    shares = pair_blocks(record, layer=0, head=1)
    page = show(record, picture="blocks", layer=0, head=1)
    across = shares.loc["A", "B"]
    expect(page.locator("[data-row='0'][data-column='1']")).to_have_attribute(
        "aria-label", f"from A to B: {across:.3f} ({across:.0%})"
    )


def test_without_a_pair_the_blocks_say_why(show: ShowFile) -> None:
    page = show(random_record(), picture="blocks", layer=0, head=0)
    expect(page.locator(".pair-said")).to_contain_text("no sentence B")
    cross = random_record(tokens=tokens_of(PAIR), key_tokens=tokens_of("Das Tier ."))
    page = show(cross, picture="blocks", kind="cross", layer=0, head=0)
    expect(page.locator(".pair-said")).to_contain_text("from one text to another")
