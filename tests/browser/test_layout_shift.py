"""What a reader looks at stays where it is while the rest of a page loads (https://web.dev/articles/cls)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.reader import Open
from tests.browser.waiting import at_rest

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
  const nothing = () => done(0); // a page that never shifts has no entry to be told of
  if (!performance.getEntriesByType("layout-shift").length) setTimeout(nothing, 2000);
})"""
"""Reads the largest sum of a window of shifts, of at most 5 seconds and without a pause of one."""
TELEPHONE, LAPTOP = 390, 1366


@pytest.mark.parametrize("width", [TELEPHONE, LAPTOP])
@pytest.mark.parametrize("path", ["/head_atlas", "/step_by_step", "/switchboard", "/training_lab"])
def test_a_page_does_not_jump_while_it_loads(visit: Open, path: str, width: int) -> None:
    page = visit(path, width=width)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    at_rest(page)
    assert page.evaluate(SHIFT) < GOOD
