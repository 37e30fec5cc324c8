"""The browser tests wait for what they read, and the slow speeds are as slow as they say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.reader import Open, viewer_shows
from tests.browser.speed import SPEEDS
from tests.browser.waiting import at_rest

TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
READ_AT_ONCE = dict.fromkeys(
    (
        "all_inner_texts",
        "all_text_contents",
        "bounding_box",
        "count",
        "inner_html",
        "inner_text",
        "input_value",
        "is_checked",
        "is_disabled",
        "is_editable",
        "is_enabled",
        "is_hidden",
        "is_visible",
        "text_content",
    ),
    0,
) | {"get_attribute": 1}
"""What Playwright reads from a page as it is in that moment, and with how many arguments: `count` of a text has one."""
PAUSES = {"sleep", "wait_for_timeout"}


def read_at_once(source: str) -> list[str]:
    """Where a test rests, or reads what may still change; but not in a lambda, which is called until it holds."""
    tree = ast.parse(source)
    waited_for = {id(node) for found in ast.walk(tree) if isinstance(found, ast.Lambda) for node in ast.walk(found)}
    calls = [
        (node.lineno, node.func.attr, len(node.args))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and id(node) not in waited_for
    ]
    return [f"line {line}: {name}" for line, name, n in sorted(calls) if name in PAUSES or READ_AT_ONCE.get(name) == n]


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.stem)
def test_nothing_is_read_at_once_what_may_still_change(file: Path) -> None:
    assert read_at_once(file.read_text(encoding="utf-8")) == []


def test_reading_at_once_is_found() -> None:
    found = read_at_once(
        """
assert page.locator("p").inner_text() == "done"
page.wait_for_timeout(100)
becomes(page, lambda: page.locator("p").inner_text(), "done")
assert "done".count("d") == 1
"""
    )
    assert found == ["line 2: inner_text", "line 3: wait_for_timeout"]


FIVE_ANSWERS = """async () => {
  const [begun, came] = [performance.now(), []];
  await Promise.all([0, 1, 2, 3, 4].map((place) => fetch(`data:,${place}`).then(() => came.push(place))));
  return [came, performance.now() - begun];
}"""


@pytest.mark.parametrize(("name", "in_order"), [("slow", True), ("uneven", False)])
def test_answers_come_late_and_if_they_are_uneven_in_another_order(browser: Browser, name: str, in_order: bool) -> None:
    with browser.new_context() as context:
        SPEEDS[name].slow_down(context)
        page = context.new_page()
        page.goto("data:text/html,")
        came, took = page.evaluate(FIVE_ANSWERS)
    assert (came == sorted(came)) is in_order
    assert took >= 800


@pytest.mark.parametrize("speed", ["uneven"], indirect=True)
def test_a_page_is_not_at_rest_while_an_answer_is_on_its_way(visit: Open) -> None:
    page = visit("/attention", model="mini-bert")
    viewer_shows(page, "Layer 0 · Head 0")
    at_rest(page)
    page.get_by_role("button", name="Other views").click()
    page.get_by_role("menuitem", name="bertviz head view").click()
    at_rest(page)
    assert "view=head-view" in page.url
