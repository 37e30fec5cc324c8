"""Arcs on their way to another head."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.files import served_files
from viz.viewer.html import FRONTEND

MOVING = """async () => {
  const { Turning } = await import("/turning.js");
  const turning = new Turning(() => {});
  const links = (...words) => words.map((word) => ({ query: word, key: 0, value: 0.5, strength: 0.5 }));
  const queries = (drawn) => drawn.map(({ query }) => query).sort();
  turning.between(links(1, 7), {}, "8");
  const [moved, shorter] = [turning.between(links(2), {}, "8"), turning.between(links(1), {}, "3")];
  return [queries(moved), queries(shorter), queries(turning.between(links(2), {}, "3"))];
}"""
"""The words that look: on the way to another head, then at once in a shorter text, then in another head of that."""


def test_arcs_on_their_way_are_not_drawn_over_a_shorter_text(browser: Browser) -> None:
    page = browser.new_page()
    with served_files(FRONTEND) as address:
        page.goto(f"{address}turning.js")
        moved, shorter, moved_on = page.evaluate(MOVING)
    page.close()
    assert (moved, shorter, moved_on) == ([1, 2, 7], [1], [1, 2])
