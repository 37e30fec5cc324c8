"""How long a reader waits on a page: from the key to the changed picture, in headless Chromium.

    python -m benchmarks.pages --rounds 7

A visit is a new session on a server that has the model open. No ratio: no peer has these pages; from issue to issue,
they are compared with themselves.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

import run
from tests.browser.server import running_app

PAGES = {
    "Attention": "attention?layer=0&head=0",
    "Queries, keys, values": "queries_keys_values?layer=0&head=0",
    "Step by step": "step_by_step?layer=0&head=0&step=softmax",
}
TITLE = ".js-plotly-plot .gtitle"
WORDS = ("house", "river", "mother", "garden", "window", "morning", "letter", "money", "horse", "summer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=run.find_browser(), args=["--no-sandbox", "--disable-gpu"])
        visit(browser, address)
        visits = [visit(browser, address) for _ in range(rounds)]
        _say("a visit", visits)
        for name, path in PAGES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 1000})
            page.goto(f"{address}/{path}")
            _shown(page, "Layer 0 · Head 0")
            _say(f"{name}: a new sentence", [new_sentence(page, index) for index in range(rounds)])
            _say(f"{name}: another head", [turn_head(page, index) for index in range(min(rounds, 7))])
            page.close()
        browser.close()


def visit(browser: Browser, address: str) -> float:
    """Seconds from the address to the picture, in a new session."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    begun = time.perf_counter()
    page.goto(f"{address}/attention?layer=1&head=1")
    _shown(page, "Layer 1 · Head 1")
    seconds = time.perf_counter() - begun
    page.close()
    return seconds


def new_sentence(page: Page, index: int) -> float:
    """Seconds from Enter to the picture of a sentence that was never recorded."""
    field = page.get_by_label("Sentence A")
    field.fill(f"She was thinking of the {WORDS[index % len(WORDS)]} all day")
    begun = time.perf_counter()
    field.press("Enter")
    page.locator(".js-plotly-plot text", has_text=WORDS[index % len(WORDS)]).first.wait_for()
    return time.perf_counter() - begun


def turn_head(page: Page, head: int) -> float:
    """Seconds from the arrow key to the picture of the next head."""
    begun = time.perf_counter()
    page.get_by_role("slider").nth(1).press("ArrowRight")
    _shown(page, f"Head {head + 1}")
    return time.perf_counter() - begun


def _shown(page: Page, title: str) -> None:
    page.locator(TITLE).last.filter(has_text=title).wait_for(timeout=60_000)


def _say(name: str, seconds: list[float]) -> None:
    middle, slowest = median(seconds), max(seconds)
    sys.stdout.write(f"{name:<40} median {middle:.2f} s   slowest {slowest:.2f} s   of {len(seconds)}\n")


if __name__ == "__main__":
    main()
