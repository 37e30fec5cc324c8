"""How long a reader waits on a page: from the key to the changed picture, in headless Chromium.

    python -m benchmarks.pages --rounds 7
    python -m benchmarks.pages --rounds 7 --training

*A key* is typed and not sent: the model in the browser reads the sentence, of 16 tokens then. A visit is a new session
on a server that has the model open. No ratio: no peer has these pages; from issue to issue, they are compared with
themselves. With --training, once more while the training lab trains on the same machine, and what that costs a reader
is a ratio of one run. The viewer has a benchmark of its own, benchmarks/viewer.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect, sync_playwright

from lab.jobs.supervisor import Supervisor
from lab.limits import read_limits
from lab.presets import BERT_EXERCISE, PRESETS
from tests.browser.server import running_app
from tests.chromium import find_browser

PAGES = {
    "Queries, keys, values": "queries_keys_values?layer=0&head=0",
    "Step by step": "step_by_step?layer=0&head=0&step=softmax",
}
TYPED_ON = {"Home": "?text={text}", "Attention": "attention?text={text}&layer=3&head=1"}
SENTENCE = "The animal didn't cross the street because it was too tire"
FIRST_KEY, KEY = "d", "."
"""With these keys, and the special tokens, the sentence has 16 tokens."""
TITLE = ".js-plotly-plot .gtitle"
WORDS = (
    "house",
    "river",
    "mother",
    "garden",
    "window",
    "morning",
    "letter",
    "money",
    "horse",
    "summer",
    "table",
    "door",
    "king",
    "city",
    "ship",
    "fire",
    "road",
    "friend",
    "child",
    "winter",
)
NOTE_KEYS = """() => document.addEventListener("input", ({ timeStamp }) => {
  window.typedAt = performance.timeOrigin + timeStamp;
}, true)"""
AT_REST = """() => {
  const isRunning = document.querySelector("[data-testid=stApp]").dataset.testScriptState !== "notRunning";
  if (isRunning || !window.restsSince) window.restsSince = performance.now();
  return performance.now() - window.restsSince > 2000;
}"""
"""A page is drawn once more when its width is known: whether two seconds have passed without."""
TIME_TO_START = 60.0
"""Seconds that a training may take until its first iteration."""
Waits = dict[str, list[float]]


def main() -> None:
    """Read the command line, measure, write what a reader waits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--training", action="store_true", help="also while the training lab trains")
    arguments = parser.parse_args()
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        visit(browser, address)
        alone = measured(browser, address, arguments.rounds, words=WORDS[:10])
        _say_all("alone", alone)
        if arguments.training:
            with a_training():
                beside = measured(browser, address, arguments.rounds, words=WORDS[10:])
            _say_all("while a model is trained", beside)
            for name, seconds in beside.items():
                sys.stdout.write(f"{name:<40} ratio {median(seconds) / median(alone[name]):.2f}\n")
        browser.close()


def measured(browser: Browser, address: str, rounds: int, words: tuple[str, ...]) -> Waits:
    """Seconds for a visit, and on every page for a new sentence and another head."""
    waits = {"a visit": [visit(browser, address) for _ in range(rounds)]}
    for name, path in PAGES.items():
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.goto(f"{address}/{path}")
        _shown(page, "Layer 0 · Head 0")
        waits[f"{name}: a new sentence"] = [new_sentence(page, word) for word in words[:rounds]]
        waits[f"{name}: another head"] = [turn_head(page, head) for head in range(min(rounds, 7))]
        page.close()
    for name, path in TYPED_ON.items():
        waits[f"{name}: a key"] = keys(browser, f"{address}/{path.format(text=quote(SENTENCE))}", rounds)
    return waits


def keys(browser: Browser, address: str, rounds: int) -> list[float]:
    """Seconds from a key, typed into the sentence, to the picture of all heads; a first one has the model fetched."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(address)
    page.locator(".viewer[data-painted$=exact][data-heads=all]").wait_for(timeout=60_000)
    page.wait_for_function(AT_REST, timeout=60_000)
    page.evaluate(NOTE_KEYS)
    page.get_by_role("textbox", name="Sentence A").press("End")
    typed = [FIRST_KEY, *[KEY, "Backspace"] * rounds]
    waited = [_key(page, number, key) for number, key in enumerate(typed, start=1)]
    page.close()
    return [seconds for key, seconds in zip(typed, waited, strict=True) if key == KEY]


def _key(page: Page, number: int, key: str) -> float:
    page.get_by_role("textbox", name="Sentence A").press(key)
    viewer = page.locator(f".viewer[data-recording='typed {number}'][data-painted$=exact][data-heads=all]")
    expect(viewer).to_be_visible(timeout=60_000)
    seconds: float = viewer.evaluate("({ dataset }) => (Number(dataset.drawnAt) - window.typedAt) / 1000")
    return seconds


@contextmanager
def a_training() -> Iterator[None]:
    """The largest preset, in the way in which the lab trains it, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        supervisor = Supervisor(read_limits(os.environ | {"HEADLIGHT_LAB_RUNS": folder})).begin()
        started = supervisor.start(PRESETS["copy"][BERT_EXERCISE], None)
        metrics, until = Path(folder) / started.id / "metrics.jsonl", time.monotonic() + TIME_TO_START
        while not (metrics.exists() and metrics.stat().st_size) and time.monotonic() < until:
            time.sleep(0.2)
        try:
            yield
        finally:
            supervisor.delete(started.id)
            supervisor.end()


def visit(browser: Browser, address: str) -> float:
    """Seconds from the address to the picture, in a new session."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    begun = time.perf_counter()
    page.goto(f"{address}/queries_keys_values?layer=1&head=1")
    _shown(page, "Layer 1 · Head 1")
    seconds = time.perf_counter() - begun
    page.close()
    return seconds


def new_sentence(page: Page, word: str) -> float:
    """Seconds from Enter to the picture of a sentence that was never recorded."""
    field = page.get_by_label("Sentence A")
    field.fill(f"She was thinking of the {word} all day")
    begun = time.perf_counter()
    field.press("Enter")
    page.locator(".js-plotly-plot text", has_text=word).first.wait_for()
    return time.perf_counter() - begun


def turn_head(page: Page, head: int) -> float:
    """Seconds from the arrow key to the picture of the next head."""
    begun = time.perf_counter()
    page.get_by_role("slider").nth(1).press("ArrowRight")
    _shown(page, f"Head {head + 1}")
    return time.perf_counter() - begun


def _shown(page: Page, title: str) -> None:
    page.locator(TITLE).last.filter(has_text=title).wait_for(timeout=60_000)


def _say_all(how: str, waits: Waits) -> None:
    sys.stdout.write(f"{how}\n")
    for name, seconds in waits.items():
        middle, slowest = median(seconds), max(seconds)
        sys.stdout.write(f"{name:<40} median {middle:.3f} s   slowest {slowest:.3f} s   of {len(seconds)}\n")


if __name__ == "__main__":
    main()
