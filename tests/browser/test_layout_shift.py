"""What a reader looks at stays where it is while the rest of a page loads (https://web.dev/articles/cls)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reader import Open
from tests.browser.waiting import RERUNS, at_rest

GOOD = 0.1
"""The layout shift up to which a page counts as good."""
SHIFT = """() => new Promise((done) => {
  new PerformanceObserver((list, observer) => {
    observer.disconnect();
    let [largest, sum, start, last] = [0, 0, -Infinity, -Infinity];
    for (const { value, startTime, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (startTime - last > 1000 || startTime - start > 5000) [sum, start] = [0, startTime]; // a new window of shifts
      sum += value;
      last = startTime;
      largest = Math.max(largest, sum);
    }
    done(largest);
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(0), 2000); // a page that never shifts has no entry to be told of
})"""
"""Reads the largest sum of a window of shifts, of at most 5 seconds and without a pause of one."""
LOADS = 3
WAITS_FOR_THE_BROWSER = "/make_a_lesson"
"""A page that is drawn once more when the browser has said what it has kept."""
ON_A_TELEPHONE = ("head_atlas", "make_a_lesson", "training_lab")
"""Pages that `test_first_screen.py` does not open, or not so: it holds the same of all others."""
ON_A_LAPTOP = ("head_atlas", "make_a_lesson", "step_by_step", "switchboard", "training_lab")
BETWEEN = (("", 640), ("head_atlas", 863), ("lessons", 863), ("positions", 863), ("switchboard", 640))
"""Pages with lines that break at the width of a tablet, or of half a screen."""
TELEPHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
"""The user agent of a telephone, by which the app draws a page until it knows the width."""


@pytest.mark.parametrize("path", ON_A_TELEPHONE)
def test_a_page_does_not_jump_while_it_loads_on_a_telephone(visit: Open, path: str) -> None:
    opened_without_a_jump(lambda: visit(f"/{path}", width=390, height=844, agent=TELEPHONE))


@pytest.mark.parametrize("path", ON_A_LAPTOP)
def test_a_page_does_not_jump_while_it_loads_on_a_laptop(visit: Open, path: str) -> None:
    opened_without_a_jump(lambda: visit(f"/{path}", width=1366))


@pytest.mark.parametrize(("path", "width"), BETWEEN)
def test_a_page_does_not_jump_while_it_loads_beside_another_window(visit: Open, path: str, width: int) -> None:
    opened_without_a_jump(lambda: visit(f"/{path}", width=width))


@pytest.mark.parametrize("width", [863, 864])
def test_a_page_is_drawn_for_its_width_at_once_where_a_telephone_ends(visit: Open, width: int) -> None:
    page = visit("/positions", width=width)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    at_rest(page)
    assert page.evaluate(RERUNS) == 1


def opened_without_a_jump(opened: Callable[[], Page]) -> Page:
    """Open a page and hold that it is drawn for its width at once, and that nothing moves meanwhile. A page that jumps
    does so each time; on a machine with other work, one that does not may, once."""
    shifts: list[float] = []
    while not shifts or (shifts[-1] >= GOOD and len(shifts) < LOADS):
        page = opened()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        at_rest(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        at_rest(page)
        assert page.evaluate(RERUNS) == (2 if WAITS_FOR_THE_BROWSER in page.url else 1)
        shifts.append(page.evaluate(SHIFT))
    assert min(shifts) < GOOD, shifts
    return page
