"""Ten tasks in a notebook, in Headlight, bertviz and attnview: how much is written, how long it takes, what is stored.

    python -m benchmarks.notebooks                  # prints the table
    python -m benchmarks.notebooks --write          # writes it into docs/performance.md, too
    python -m benchmarks.notebooks --longest 64     # quickly, to see that it runs

Needs Chromium, IPython, and bertviz and attnview beside it (pip install bertviz attnview): a library that is not
installed is left out. The attention is that of a BERT of transformers with random weights, which every reader of the
three has; the last value of a cell is what a notebook stores.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from transformers import BartConfig, BartModel, BertConfig, BertModel

from tests.chromium import find_browser

LIBRARIES = {"headlights": "Headlight", "bertviz": "bertviz", "attnview": "attnview"}
TASKS: dict[str, dict[str, str]] = {
    "the attention of a model": {
        "headlights": "from headlights import show\nshow(outputs, tokens)",
        "bertviz": "from bertviz import head_view\nhead_view(outputs.attentions, tokens, html_action='return')",
        "attnview": "from attnview import display_cache\n"
        "cache = {f'blocks.{n}.attn.hook_pattern': layer[0] for n, layer in enumerate(outputs.attentions)}\n"
        "display_cache(cache, tokens=tokens)",
    },
    "an array of one's own": {
        "headlights": "from headlights import show\nshow(array, tokens)",
        "bertviz": "import torch\nfrom bertviz import head_view\n"
        "head_view([torch.tensor(array)[None, None]], tokens, html_action='return')",
        "attnview": "from attnview import display\ndisplay([array], tokens=tokens)",
    },
    "all heads at a glance": {
        "headlights": "from headlights import show\nshow(outputs, tokens)",
        "bertviz": "from bertviz import model_view\nmodel_view(outputs.attentions, tokens, html_action='return')",
    },
    "cross attention": {
        "headlights": "from headlights import show\nshow(both, query_tokens=written, key_tokens=tokens, kind='cross')",
        "bertviz": "from bertviz import head_view\n"
        "head_view(encoder_attention=both.encoder_attentions, decoder_attention=both.decoder_attentions, "
        "cross_attention=both.cross_attentions, encoder_tokens=tokens, decoder_tokens=written, html_action='return')",
        "attnview": "from attnview import display\n"
        "display(both.cross_attentions[0][0], query_tokens=written, key_tokens=tokens)",
    },
    "an SVG for a paper": {
        "headlights": "from headlights import show\n"
        "shown = show(outputs, tokens, layer=1, head=2)\nshown.save(folder / 'head.svg', picture='map')\nshown",
    },
    "a long text": {
        "headlights": "from headlights import show\nshow(long, long_tokens)",
        "bertviz": "from bertviz import head_view\nhead_view(long, long_tokens, html_action='return')",
        "attnview": "from attnview import display_cache\n"
        "cache = {f'blocks.{n}.attn.hook_pattern': layer[0] for n, layer in enumerate(long)}\n"
        "display_cache(cache, tokens=long_tokens)",
    },
}
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGINS, ENDS = "<!-- benchmarks.notebooks -->\n", "\n<!-- end -->"
PAINTED = {"headlights": "[data-painted]", "bertviz": "svg", "attnview": ".destination"}
"""What is there when a picture is."""
PATIENCE = 15_000
"""Milliseconds after which no picture comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One task in one library: statements, seconds until Python has the output, and the output itself."""

    lines: int
    seconds: float
    markup: str

    @property
    def size(self) -> int:
        """The bytes that a notebook stores."""
        return len(json.dumps(self.markup, ensure_ascii=False).encode())

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the output loads scripts from."""
        return tuple(sorted(set(re.findall(r"https?://([\w.-]+)/[^\s\"'<>]*(?:jquery|d3|require)", self.markup))))

    @property
    def has_still(self) -> bool:
        """Whether there is a picture where no script runs."""
        return 'src="data:image/' in self.markup


def given(n_tokens: int, folder: Path) -> dict[str, Any]:
    """Return what a reader has before the first task: outputs of models, arrays, tokens."""
    torch.manual_seed(0)
    tokens = [f"w{index}" for index in range(16)]
    bert = BertModel(BertConfig(vocab_size=4100, hidden_size=48, num_hidden_layers=6, num_attention_heads=12))
    bert.set_attn_implementation("eager")
    bert.train(mode=False)
    sizes: dict[str, Any] = {
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
    }
    bart = BartModel(BartConfig(vocab_size=50, d_model=32, encoder_ffn_dim=32, decoder_ffn_dim=32, **sizes))
    bart.set_attn_implementation("eager")
    bart.train(mode=False)
    with torch.inference_mode():
        outputs = bert(torch.arange(16)[None], output_attentions=True)
        source, target = torch.arange(16)[None], torch.arange(9)[None]
        both = bart(input_ids=source, decoder_input_ids=target, output_attentions=True)
    n_heads = 4 if n_tokens <= 512 else 2
    long = tuple(torch.randn(1, n_heads, n_tokens, n_tokens).softmax(-1) for _ in range(2 if n_tokens <= 512 else 1))
    return {
        "outputs": outputs,
        "tokens": tokens,
        "array": outputs.attentions[0][0, 0].numpy().tolist(),
        "both": both,
        "written": tokens[:9],
        "long": long,
        "long_tokens": [f"w{index}" for index in range(n_tokens)],
        "folder": folder,
    }


def attempt(code: str, values: Mapping[str, Any]) -> Tried:
    """Run the cell of a task; its last statement is the output. Imports are not timed."""
    shell = import_module("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.push(dict(values))
    lines = code.splitlines()
    shell.run_cell("\n".join(line for line in lines if " import " in line)).raise_error()
    start = time.perf_counter()
    with redirect_stdout(io.StringIO()):
        ran = shell.run_cell(code)
    ran.raise_error()
    markup = ran.result._repr_html_()
    return Tried(lines=len(lines), seconds=time.perf_counter() - start, markup=markup)


def seconds_to_picture(browser: Browser, markup: str, library: str, folder: Path) -> float | None:
    """Return the seconds until a browser without a network shows the output; None if nothing comes."""
    path = folder / "cell.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{markup}", encoding="utf-8")
    context = browser.new_context()
    context.route(re.compile("^https?://"), lambda route: route.abort())
    page = context.new_page()
    start = time.perf_counter()
    page.goto(path.as_uri())
    place = page.frame_locator("iframe") if "<iframe" in markup else page
    try:
        place.locator(PAINTED[library]).first.wait_for(timeout=PATIENCE)
    except PlaywrightError:
        return None
    finally:
        passed = time.perf_counter() - start
        context.close()
    return passed


def cell_of(tried: Tried | None) -> str:
    """Return what a task took, as a cell of the table."""
    return (
        "not there" if tried is None else f"1 cell, {tried.lines} lines, {tried.seconds:.2f} s, {megabytes(tried.size)}"
    )


def megabytes(size: int) -> str:
    """Return a number of bytes as a reader says it."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def stranger_of(tried: Tried) -> str:
    """Return what somebody sees who opens the notebook without its kernel, and without trust."""
    trusted = f"the viewer, from {', '.join(tried.hosts)}" if tried.hosts else "the viewer, from the file alone"
    return f"{trusted}; not trusted: {'a picture' if tried.has_still else 'nothing'}"


def rows(libraries: list[str], browser: Browser, longest: int, folder: Path) -> list[list[str]]:
    """Return the table, a row a task, a column a library."""
    table: list[list[str]] = []
    first: dict[str, Tried | None] = {}
    values = given(min(longest, 512), folder)
    for task, codes in TASKS.items():
        tried = {name: attempt(codes[name], values) if name in codes else None for name in libraries}
        first = first or tried
        length = f", {len(values['long_tokens'])} tokens" if task == "a long text" else ""
        table.append([f"{task}{length}", *(cell_of(tried[name]) for name in libraries)])
    longer = given(longest, folder)
    table.append(
        [f"a long text, {longest} tokens", *(cell_of(attempt(TASKS["a long text"][n], longer)) for n in libraries)]
    )
    shown = [one for one in first.values() if one is not None]
    table.append(["size of the saved notebook, 16 tokens", *(megabytes(one.size) for one in shown)])
    table.append(["opened by a stranger", *map(stranger_of, shown)])
    pairs = zip(libraries, shown, strict=True)  # every library has the first task
    times = [seconds_to_picture(browser, one.markup, name, folder) for name, one in pairs]
    drawn = ["no picture without a network" if taken is None else f"{taken:.1f} s" for taken in times]
    return [*table, ["from opening to the first picture", *drawn]]


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--longest", type=int, default=2048, help="tokens of the longest text (default: 2048)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args(arguments)
    libraries = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        table = rows(libraries, browser, options.longest, Path(folder))
        browser.close()
    heading = ["task", *(LIBRARIES[name] for name in libraries)]
    lines = "".join(f"| {' | '.join(row)} |\n" for row in (heading, ["---"] * len(heading), *table))
    sys.stdout.write(lines)
    if options.write:
        before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGINS)
        _, ends, after = rest.partition(ENDS)
        DOCUMENT.write_text(f"{before}{BEGINS}\n{lines}{ends}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
