"""How long a browser takes to draw bertviz's views: the measure behind `viz.bertviz.limits.MAX_LINES`.

    python -m benchmarks.bertviz_views

Needs Chromium. Two kinds of weights: normally distributed scores, where most weights are too small to draw, and uniform
ones, the worst case. Time until the second frame after the change is painted.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections.abc import Callable
from math import isqrt

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from models.values.record import AttentionRecord
from tests.chromium import find_browser
from viz.bertviz.limits import MAX_LINES, View
from viz.bertviz.views import head_view, model_view
from viz.kit.demos.records import random_record, tokens_of

N_LAYERS, N_HEADS = 12, 12
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def processor_time(browser: Browser) -> float:
    """Seconds that all processes of the browser have worked; other load on the machine does not count."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return sum(float(process["cpuTime"]) for process in processes)


def cost(page: Page, browser: Browser, action: Callable[[], object]) -> str:
    start, worked = time.perf_counter(), processor_time(browser)
    action()
    page.evaluate(PAINTED)
    return f"{time.perf_counter() - start:.1f} s ({processor_time(browser) - worked:.1f} s of work)"


def measure(browser: Browser, view: View, record: AttentionRecord) -> str:
    """A line of results for one record: first drawing, then the reader's next action."""
    document = head_view(record) if view == "head" else model_view(record)
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    first = cost(page, browser, lambda: page.set_content(document, timeout=120_000))
    if view == "head":
        action = cost(page, browser, lambda: page.select_option("#layer", "1"))
    else:
        action = cost(page, browser, lambda: page.mouse.click(300, 300))
    n_lines = page.locator("#vis line").count()
    page.close()
    return f"{len(document) / 1e6:.1f} MB, {n_lines:,} lines, drawn in {first}, after an action {action}"


def main() -> None:
    """Read the command line, draw, write how long each picture took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, nargs="+", help="lengths of the texts (17, and the limit of each view)")
    arguments = parser.parse_args()
    n_pictures: dict[View, int] = {"head": N_HEADS, "model": N_LAYERS * N_HEADS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for view, n in n_pictures.items():
            most = isqrt(MAX_LINES[view] // n)
            for n_tokens in arguments.tokens or (17, most):
                tokens = tokens_of("word " * n_tokens)
                peaked = random_record(n_layers=N_LAYERS, n_heads=N_HEADS, tokens=tokens)
                uniform = dataclasses.replace(peaked, query=np.zeros_like(peaked.query))
                for kind, record in (("peaked", peaked), ("uniform", uniform)):
                    sys.stdout.write(f"{view} view, {n_tokens} tokens, {kind}: {measure(browser, view, record)}\n")
                    sys.stdout.flush()
        browser.close()


if __name__ == "__main__":
    main()
