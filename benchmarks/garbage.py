"""An hour of a class in minutes: what memory does over thousands of runs of a page, and how long a run takes.

    python -m benchmarks.garbage --runs 10000
    python -m benchmarks.garbage --runs 2000 --after-every-run

Each variant has a process of its own, in which Streamlit runs the page for one reader after the other, as fast as it
can. With --after-every-run as Streamlit does it by itself: everything is looked at after each run.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from statistics import quantiles

from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.browser.server import ROOT
from ui.desk.garbage import collect_beside, resident_bytes

PAGE = "pages/queries_keys_values.py"
SMALL = """
import streamlit as st

class Knot:
    def __init__(self):
        self.me, self.content = self, bytearray(500_000)

for _ in range(10):
    Knot()
st.text_input("A sentence", key="text")
"""
"""A page that leaves 5 MB of garbage a run, far more than ours."""
RUNS_A_READER = 25
SETTLED = 0.2
"""The share of the runs after which caches are full: growth is counted from there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What some runs took: seconds of each, and memory at every tenth of them."""

    runs: int
    seconds: tuple[float, ...]
    bytes_by_tenth: tuple[int, ...]

    @property
    def grown_bytes(self) -> int:
        """How much more memory there was at the end than once the caches were full."""
        return self.bytes_by_tenth[-1] - self.bytes_by_tenth[int(SETTLED * len(self.bytes_by_tenth))]

    @property
    def p95(self) -> float:
        """The seconds in which 19 of 20 runs were done."""
        return quantiles(self.seconds, n=20)[-1]


def main() -> None:
    """Read the command line, measure, write what memory did."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--after-every-run", action="store_true", help="as Streamlit does it by itself")
    parser.add_argument("--small", action="store_true", help="a page of a few lines that leaves much garbage")
    parser.add_argument("--most", type=float, default=float("inf"), help="fail if memory grows by more MiB")
    arguments = parser.parse_args()
    if not arguments.after_every_run:
        collect_beside()
    config.set_option("runner.postScriptGC", arguments.after_every_run)
    page = SMALL if arguments.small else (ROOT / PAGE).read_text(encoding="utf-8")
    found = measured(page, runs=arguments.runs)
    megabytes = ", ".join(f"{each / 1024**2:,.0f}" for each in found.bytes_by_tenth)
    print(f"{found.runs:,} runs: {megabytes} MiB at every tenth; grown by {found.grown_bytes / 1024**2:,.0f} MiB")
    print(f"a run: {sorted(found.seconds)[found.runs // 2]:.3f} s, 19 of 20 within {found.p95:.3f} s")
    if found.grown_bytes > arguments.most * 1024**2:
        raise SystemExit(f"Memory grew by more than {arguments.most:,.0f} MiB.")


def measured(page: str, *, runs: int) -> Measured:
    """Run a page so often, a new reader after every few runs."""
    seconds, memory = [], []
    reader = AppTest.from_string(page, default_timeout=60)
    for number in range(runs):
        if number % RUNS_A_READER == 0:
            reader = AppTest.from_string(page, default_timeout=60)
        begun = time.perf_counter()
        reader.run()
        seconds.append(time.perf_counter() - begun)
        if reader.exception:
            raise RuntimeError(f"The page failed: {reader.exception[0].message}")
        if (number + 1) % (runs // 10) == 0:
            memory.append(resident_bytes())
    return Measured(runs=runs, seconds=tuple(seconds), bytes_by_tenth=tuple(memory))


if __name__ == "__main__":
    main()
