"""A window that is used again is that of a reader who was never there."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.speed import SPEEDS, Speed
from tests.browser.windows import EMPTY, Windows

STORE = """async () => {
  document.cookie = "seen=1; max-age=1000";
  localStorage.setItem("seen", "1");
  sessionStorage.setItem("seen", "1");
  await (await caches.open("seen")).put("/seen", new Response("1"));
  const opening = indexedDB.open("seen");
  await new Promise((done) => { opening.onsuccess = done; });
  opening.result.close();
}"""
FOUND = """async () => [
  document.cookie.includes("seen"), localStorage.length, sessionStorage.length, (await caches.keys()).length,
  (await indexedDB.databases()).length,
]"""
NOTHING = [False, 0, 0, 0, 0]


def test_nothing_that_a_page_has_stored_is_found_by_the_next(browser: Browser, server: str) -> None:
    windows = Windows(browser, server)
    first = windows.open(width=1440, dark=False, speed=Speed())
    first.goto(f"{server}{EMPTY}")
    first.evaluate(STORE)
    assert first.evaluate(FOUND) == [True, 1, 1, 1, 1]
    windows.close(first)
    second = windows.open(width=390, dark=True, speed=Speed())
    assert second.context is first.context
    second.goto(f"{server}{EMPTY}")
    assert second.evaluate(FOUND) == NOTHING
    assert second.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [390, True]
    windows.close(second)


def test_two_readers_at_once_and_one_with_a_slow_network_have_windows_of_their_own(
    browser: Browser, server: str
) -> None:
    windows = Windows(browser, server)
    pages = [windows.open(width=1440, dark=False, speed=each) for each in (Speed(), Speed(), SPEEDS["slow"])]
    assert len({page.context for page in pages}) == 3
    for page in pages:
        windows.close(page)
    assert pages[2].context not in browser.contexts
