"""What a first visit sends to an empty browser, and how long it takes to the first picture, in headless Chromium.

    python -m benchmarks.first_visit --rounds 5
    python -m benchmarks.first_visit --rounds 3 --megabits 20

Bytes are those on the wire, headers and the page's websocket included. Beside the wait stand the seconds that the main
thread of the page worked, which other work on the machine changes little. Beside it the same visit by a browser that
takes nothing compressed. With --megabits all of it comes over a network of that speed, with 20 milliseconds each way.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.server import running_app
from tests.chromium import find_browser

PAGES = {
    "Home": ("", ".viewer[data-painted$=exact]"),
    "Attention": ("attention", ".viewer[data-painted$=exact]"),
    "Positions": ("positions", ".js-plotly-plot .gtitle"),
}
"""The path of a page, and what is there once its picture is."""
PLAIN = {"Accept-Encoding": "identity"}
LATENCY = 40
"""Milliseconds for an answer, where a network is imitated."""
MEGABIT = 1e6 / 8
QUIET = 0.5
"""Seconds without anything arriving after which nothing more is waited for."""


@dataclass(slots=True, kw_only=True)
class Visit:
    """What arrived, and after how many seconds the picture was there."""

    requests: int = 0
    sent: int = 0
    busy: float = 0.0
    """Seconds that the processor worked for the page's main thread until the picture: no other work on the machine
    makes them more, as it does the seconds that a reader waits."""
    seconds: float = 0.0
    last: float = 0.0


def main() -> None:
    """Read the command line, visit, write what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=list(PAGES))
    parser.add_argument("--megabits", type=float, help="the speed of the network; without, that of this machine")
    arguments = parser.parse_args()
    with running_app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        for name in arguments.pages:
            visit(browser, address, name)  # the server opens the model
            for how, headers in (("compressed", {}), ("plain", PLAIN)):
                visits = [visit(browser, address, name, arguments.megabits, headers) for _ in range(arguments.rounds)]
                sys.stdout.write(line(name, how, visits))
        browser.close()


def line(name: str, how: str, visits: list[Visit]) -> str:
    """The medians of some visits."""
    sent, seconds = median(each.sent for each in visits), [each.seconds for each in visits]
    return (
        f"{name:<10} {how:<10} {median(each.requests for each in visits):4.0f} requests  {sent / 1e6:5.2f} MB  "
        f"picture after {median(seconds):5.2f} s, at most {max(seconds):5.2f} s; "
        f"the page worked {median(each.busy for each in visits):4.2f} s\n"
    )


def visit(
    browser: Browser, address: str, name: str, megabits: float | None = None, headers: dict[str, str] | None = None
) -> Visit:
    """Open a page in an empty window, wait for its picture, and until nothing more arrives."""
    path, picture = PAGES[name]
    context = browser.new_context(viewport={"width": 1440, "height": 900}, extra_http_headers=headers or {})
    page = context.new_page()
    page.set_default_timeout(120_000)
    session, found = context.new_cdp_session(page), Visit()
    for event, bytes_of in _ARRIVALS.items():
        session.on(event, lambda told, bytes_of=bytes_of: _arrived(found, bytes_of(told)))
    session.send("Network.enable")
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    if megabits is not None:
        speed = {"downloadThroughput": megabits * MEGABIT, "uploadThroughput": megabits * MEGABIT}
        session.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY, **speed})
    begun = time.perf_counter()
    page.goto(f"{address}/{path}")
    page.locator(picture).first.wait_for()
    found.seconds = time.perf_counter() - begun
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    found.busy = metrics["ThreadTime"]
    for _ in _until_quiet(found):
        page.wait_for_timeout(100)
    context.close()
    return found


_ARRIVALS: dict[str, Any] = {
    "Network.loadingFinished": lambda told: told["encodedDataLength"],
    "Network.webSocketFrameReceived": lambda told: len(told["response"]["payloadData"]) * 3 // 4,  # in base 64
}


def _arrived(found: Visit, n_bytes: int) -> None:
    found.requests += 1
    found.sent += n_bytes
    found.last = time.perf_counter()


def _until_quiet(found: Visit) -> Iterator[None]:
    while time.perf_counter() - found.last < QUIET:
        yield


if __name__ == "__main__":
    main()
