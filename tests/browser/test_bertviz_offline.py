"""bertviz's views in a browser, in a frame like Streamlit's: drawn without a network, safe, legible, usable."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame, Page, Route, expect

from models.values.record import Token
from tests.browser.speed import Speed
from tests.browser.waiting import becomes, box_of, eventually
from tests.closeness import CloseTo, assert_at_most
from viz.bertviz.limits import view_height
from viz.bertviz.views import head_view, model_view, neuron_view
from viz.kit.demos.records import PAIR, random_record, tokens_of
from viz.kit.tokens import token_texts

PAGE = "http://localhost/"
SANDBOX = "allow-same-origin allow-scripts allow-forms allow-modals allow-popups allow-downloads"  # as Streamlit's
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "\"'`\\",
    "a\u2028b",
    "${window.pwned=1}",
    "&amp;",
)

Show = Callable[..., Frame]


@pytest.fixture
def show(browser: Browser, speed: Speed) -> Iterator[Show]:
    """Puts a document into a frame of a page. At the end there may be no request, no error and no foreign script."""
    pages: list[Page] = []
    complaints: list[str] = []

    def answer(route: Route, document: str) -> None:
        if route.request.url == PAGE:
            route.fulfill(body=document, content_type="text/html; charset=utf-8")
        else:
            complaints.append(f"requested {route.request.url}")
            route.abort()

    def _show(document: str, *, width: int = 1100, height: int = 700, strict: bool = True) -> Frame:
        page = browser.new_page(viewport={"width": width, "height": 900})
        pages.append(page)
        speed.slow_down_page(page, online=False)
        if strict:
            page.on("pageerror", lambda error: complaints.append(error.stack or str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        frame = (
            f'<!DOCTYPE html><body style="margin:0"><iframe srcdoc="{html.escape(document)}" sandbox="{SANDBOX}"'
            f' style="border:none;width:100%;height:{height}px"></iframe>'
        )
        page.route("**/*", lambda route: answer(route, frame))
        page.goto(PAGE)
        inner = page.frames[1]
        inner.wait_for_selector("#vis svg")
        return inner

    yield _show
    for page in pages:
        assert [frame.evaluate("typeof window.pwned") for frame in page.frames] == ["undefined", "undefined"]
        page.close()
    assert complaints == []


def labels(frame: Frame, side: str) -> tuple[str, ...]:
    return texts_of(frame, f"#{side} text")


def shown_tokens(frame: Frame) -> tuple[str, ...]:
    return texts_of(frame, "text.token")


def texts_of(frame: Frame, selector: str) -> tuple[str, ...]:
    """Texts to the letter, which `expect` would not compare: it takes every kind of space for the same."""
    texts = frame.evaluate("name => [...document.querySelectorAll(name)].map(node => node.textContent)", selector)
    return tuple(texts)


def opacities(frame: Frame, head: int) -> dict[tuple[int, int], float]:
    """What the lines of a head show: (query, key) -> opacity."""
    lines = frame.evaluate(
        """head => [...document.querySelectorAll(`.headAttention[head-index="${head}"] line`)].map(line =>
        ["left-token-index", "right-token-index", "stroke-opacity"].map(name => Number(line.getAttribute(name))))""",
        head,
    )
    return {(int(query), int(key)): opacity for query, key, opacity in lines}


def luminance(colour: str) -> float:
    channels = np.array([float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def test_head_view_draws_the_weights_of_the_layer_that_is_chosen(show):
    record = random_record(n_layers=3, n_heads=4, key_tokens=tokens_of("el animal no cruzó la calle"))
    frame = show(head_view(record, layer=1, head=2))
    becomes(frame, lambda: labels(frame, "left"), token_texts(record.query_tokens))
    becomes(frame, lambda: labels(frame, "right"), token_texts(record.key_tokens))
    for layer in (1, 2):
        frame.select_option("#layer", str(layer))
        weights = record.weights(layer, 2)
        drawn = {(int(query), int(key)): weights[query, key] for query, key in np.argwhere(weights >= 0.005)}
        becomes(frame, lambda: opacities(frame, 2), CloseTo(drawn, tolerance=1e-4, magnitude=1))
    becomes(frame, lambda: set(opacities(frame, 1).values()), {0})


def test_heads_are_switched_by_mouse_and_by_keyboard(show):
    frame = show(head_view(random_record(n_heads=3), head=0))
    squares = frame.get_by_role("checkbox")
    squares.nth(1).click()
    squares.nth(2).press("Enter")
    squares.nth(0).press(" ")
    for place, checked in enumerate(["false", "true", "true"]):
        expect(squares.nth(place)).to_have_attribute("aria-checked", checked)
    becomes(frame, lambda: set(opacities(frame, 0).values()), {0})
    eventually(frame, lambda: max(opacities(frame, 1).values()), lambda strongest: strongest > 0.1)


def test_parts_of_a_sentence_pair(show):
    tokens = tokens_of(PAIR)
    texts = token_texts(tokens)
    record = random_record(tokens=tokens)
    frame = show(head_view(record, head=0, segment_b_start=8))
    frame.select_option("#filter", label="B → A")
    becomes(frame, lambda: (labels(frame, "left"), labels(frame, "right")), (texts[8:], texts[:8]))
    strongest = CloseTo(record.weights(0, 0)[8:, :8].max(), tolerance=1e-4, magnitude=1)
    becomes(frame, lambda: max(opacities(frame, 0).values()), strongest)


def test_model_view_opens_any_head(show):
    record = random_record(n_layers=3, n_heads=4)
    texts = token_texts(record.query_tokens)
    frame = show(model_view(record), width=390, height=500)
    expect(frame.locator(".attn_background")).to_have_count(12)
    frame.get_by_role("button", name="Layer 2 · Head 3").press("Enter")
    becomes(frame, lambda: shown_tokens(frame), (*texts, *texts))
    expect(frame.locator("text.detail")).to_have_text(["Layer 2 · Head 3"])
    eventually(frame, lambda: box_of(frame.locator("rect.detail")), lambda box: 0 <= box["x"] <= 390 - box["width"])
    frame.get_by_role("button", name="Layer 2 · Head 3").dispatch_event("click")
    expect(frame.locator(".detail")).to_have_count(0)


def products(frame: Frame) -> np.ndarray:
    """What the neuron view says it shows: query times key for every key that is not hidden, else NaN."""
    return np.array(
        frame.evaluate(
            """() => [...document.querySelectorAll("#expanded > #product .vector")].map(vector =>
            [...vector.querySelectorAll(".element")].map(element =>
            vector.style.opacity === "0" ? NaN : Number(element.getAttribute("data-value"))))"""
        ),
        dtype=float,
    )


def test_neuron_view_multiplies_the_query_that_is_chosen_and_hides_what_it_may_not_see(show):
    record = random_record(causal=True)
    frame = show(neuron_view(record, layer=1, head=2, position=5), width=1300)
    query = frame.get_by_role("button", name="position 9")
    for position in (5, 9):
        seen = record.query[1, 2, position] * record.key[1, 2]
        seen[position + 1 :] = np.nan
        becomes(frame, lambda: products(frame), CloseTo(seen))
        query.focus()
    dots = "[...document.querySelectorAll('#expanded .dotproduct')].map(dot => Number(dot.getAttribute('data-value')))"
    scores = record.scores(1, 2)[9, :10]
    becomes(frame, lambda: frame.evaluate(dots)[:10], CloseTo(scores - scores.mean()))


def strengths(frame: Frame, column: str) -> np.ndarray:
    """How strong the colours of a column of the neuron view are, 0 to 1."""
    dots = column == "dotproducts"
    return np.array(
        frame.evaluate(
            """([column, mark, property]) => [...document.querySelectorAll(`#expanded > #${column} ${mark}`)].map(
            element => Number(element.style.getPropertyValue(property)))""",
            [column, ".dotproduct" if dots else ".element", "fill-opacity" if dots else "opacity"],
        )
    )


def test_neuron_view_shows_small_numbers_beside_a_dimension_that_dominates(show):
    record = random_record()
    shared = np.zeros(8, np.float32)
    shared[3] = 40  # all scores become large, and no weight changes
    query = record.query.copy()
    query[..., 3] = 5
    record = replace(record, query=query, key=record.key + shared)
    frame = show(neuron_view(record, layer=1, head=2, position=5), width=1300)
    scores = record.scores(1, 2)[5]
    signs = "[...document.querySelectorAll('#expanded .dotproduct')].map(dot => dot.style.fill)"
    eventually(frame, lambda: strengths(frame, "dotproducts"), lambda found: np.ptp(found) > 0.5)
    assert len(set(frame.evaluate(signs))) == 2  # some above the mean, some below
    order = np.argsort(np.abs(scores - scores.mean()))
    found = strengths(frame, "dotproducts")[order]
    assert_at_most(found[:-1], found[1:])
    others = np.delete(strengths(frame, "product").reshape(16, 8), 3, axis=1)
    assert np.median(others) > 0.05  # beside products of 200


def test_neuron_view_of_a_pair_of_cross_attention_and_of_hostile_tokens(show):
    tokens = tokens_of(PAIR)
    frame = show(neuron_view(random_record(tokens=tokens), layer=0, head=0, position=3, segment_b_start=8))
    frame.select_option("#filter", label="B → A")
    texts = token_texts(tokens)
    becomes(frame, lambda: texts_of(frame, "#expanded > #leftText text"), texts[8:])
    becomes(frame, lambda: texts_of(frame, "#expanded > #rightText text"), texts[:8])
    cross = random_record(tokens=[Token(text=text) for text in HOSTILE], key_tokens=tokens_of("el animal"))
    frame = show(neuron_view(cross, layer=1, head=2, position=5))
    becomes(frame, lambda: products(frame), CloseTo(cross.query[1, 2, 5] * cross.key[1, 2]))
    becomes(frame, lambda: texts_of(frame, "#expanded > #leftText text"), token_texts(cross.query_tokens))
    eventually(frame, lambda: box_of(frame.locator("#vis svg").first), lambda box: box["height"] >= 6 * 26)


def test_hostile_tokens_are_shown_and_do_nothing(show):
    tokens = [Token(text=text) for text in HOSTILE]
    record = random_record(tokens=tokens)
    frame = show(head_view(record, segment_b_start=2))
    becomes(frame, lambda: labels(frame, "left"), token_texts(tokens))
    assert token_texts(tokens)[:2] == HOSTILE[:2]
    frame = show(model_view(record, segment_b_start=2))
    frame.get_by_role("button", name="Layer 0 · Head 0").press("Enter")
    becomes(frame, lambda: shown_tokens(frame)[:2], HOSTILE[:2])


def test_even_markup_that_slips_in_can_neither_run_nor_call_out(show):
    slip = '<script>window.pwned=1</script><img src="https://example.org/x" onerror="window.pwned=1">'
    show(head_view(random_record()).replace('<div id="vis">', slip + '<div id="vis">'), strict=False)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", ["head", "model"])
def test_text_and_lines_stand_out(browser, view, theme):
    record = random_record(n_layers=12, n_heads=12)
    document = head_view(record, theme=theme) if view == "head" else model_view(record, theme=theme)
    page = browser.new_page()
    page.set_content(document)
    ground, inks, lines = page.evaluate(
        """() => [getComputedStyle(document.documentElement).backgroundColor,
        [...document.querySelectorAll("#vis > svg > text, #left text, label, select")].map(
            element => getComputedStyle(element)[element instanceof SVGElement ? "fill" : "color"]),
        [...document.querySelectorAll("#vis line")].map(line => getComputedStyle(line).stroke)]"""
    )
    page.close()
    assert len(inks) >= 16
    assert min(contrast(ink, ground) for ink in set(inks)) >= 4.5
    assert min(contrast(line, ground) for line in set(lines)) >= 3


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("view", ["head", "model"])
@pytest.mark.parametrize("segment_b_start", [None, 8])
def test_the_frame_is_as_high_as_the_picture(show, view, width, segment_b_start):
    tokens = tokens_of(PAIR.replace("gall", "internationalization"))
    record = random_record(n_layers=3, n_heads=2 if view == "model" else 12, tokens=tokens)
    draw = head_view if view == "head" else model_view
    height = view_height(record, view, segment_b_start=segment_b_start)
    frame = show(draw(record, segment_b_start=segment_b_start), width=width, height=height)
    measured, bottom, reach, right = frame.evaluate(
        """() => [document.documentElement.scrollHeight, document.querySelector("svg").getBoundingClientRect().bottom,
        document.documentElement.scrollWidth, Math.max(...[...document.querySelectorAll("#vis text")].map(
            text => text.getBoundingClientRect().right))]"""
    )
    assert measured <= height
    assert height - bottom < 60
    assert right <= max(reach, width)
    left = frame.evaluate(
        "Math.min(...[...document.querySelectorAll('#vis text')].map(text => text.getBoundingClientRect().left))"
    )
    assert left >= 0
