"""What a text of thousands of tokens costs in the embedded model that reads 4,096: seconds and memory.

Of its chapter, as often as the length needs it: "eager" is transformers' own way to the weights of the same
checkpoint (output_attentions=True, which keeps every one), "record" is ours, from the text to the Recording; then what
the pages ask for with such a recording: "overview" (what the viewer is sent of all heads), "a head" (the weights of
one), "one head off" (the next token without it), "every head" (each taken away by itself), "gradient" (its estimate),
"atlas" (the measures of all heads). Each stands in a process of its own, so that its memory is its own: the growth at
its highest.

    python -m benchmarks.long_texts --lengths 512 1024 2048 4096
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.recording import MEBIBYTE, peak, restart_peak
from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate
from models.analysis.effects.importance import head_importance
from models.analysis.over_texts.sums import atlas_sums
from models.model import Model
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, load
from models.values.errors import ModelNotFoundError
from viz.viewer.payload import overview_and_weights

NAME = "mini-llama"
WORK = ("eager", "record", "overview", "a head", "one head off", "every head", "gradient", "atlas")


def main() -> None:
    """Read the command line and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 1024, 2048, 4096], help="numbers of tokens")
    parser.add_argument("--work", nargs="+", choices=WORK, default=list(WORK))
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (1)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of which the median is taken (3)")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    if arguments.one:
        _say("{:.4f} {:.1f}".format(*measured(arguments.work[0], arguments.lengths[0], arguments.rounds)))
        return
    _say("| seconds (MiB) | " + " | ".join(f"{n:,}" for n in arguments.lengths) + " |")
    _say("| --- " * (len(arguments.lengths) + 1) + "|")
    for work in arguments.work:
        cells = (_apart(work, n, arguments.threads, arguments.rounds) for n in arguments.lengths)
        _say(f"| {work} | " + " | ".join(f"{seconds:.2f} ({mebibytes:,.0f})" for seconds, mebibytes in cells) + " |")


def _apart(work: str, n_tokens: int, threads: int, rounds: int) -> tuple[float, float]:
    """Seconds and mebibytes of one cell, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.long_texts", "--one", "--work", work, "--lengths", str(n_tokens)]
    same = ["--threads", str(threads), "--rounds", str(rounds)]
    done = subprocess.run([*command, *same], check=True, capture_output=True, text=True)
    seconds, mebibytes = map(float, done.stdout.split())
    return seconds, mebibytes


def measured(work: str, n_tokens: int, rounds: int) -> tuple[float, float]:
    """The median seconds of some work over so many tokens, and by how many MiB the process grew at its highest."""
    model = load(NAME, device="cpu")
    run = prepared(work, model, text_of(model, n_tokens))
    before = restart_peak()
    seconds = [_seconds(run) for _ in range(rounds)]
    return median(seconds), max(peak() - before, 0) / MEBIBYTE


def prepared(work: str, model: Model, text: str) -> Callable[[], object]:
    """A function that does some work once; what it needs beforehand is done."""
    if work == "eager":
        return eager(text)
    if work == "record":
        model.record("once upon a time")  # what is loaded once is no cost of a text
        return lambda: model.record(text)
    record, contrast = model.record(text).of("decoder"), contrast_of(model, text)
    runs: dict[str, Callable[[], object]] = {
        "overview": lambda: list(overview_and_weights(record)),
        "a head": lambda: record.weights(2, 3),
        "one head off": lambda: ablate(model, text, [("decoder", 2, 3)], contrast=contrast),
        "every head": lambda: ablate(model, text, contrast=contrast),
        "gradient": lambda: head_importance(model, text, contrast=contrast),
        "atlas": lambda: atlas_sums(record, text),
    }
    return runs[work]


def eager(text: str) -> Callable[[], object]:
    """Transformers' own way to all weights."""
    folder = ROOT / PRETRAINED / NAME
    theirs = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    ids = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")["input_ids"]  # [1, n_tokens]

    @torch.inference_mode()
    def once() -> object:
        return theirs(ids, output_attentions=True, output_hidden_states=True)

    return once


def text_of(model: Model, n_tokens: int) -> str:
    """The chapter of the model, cut or repeated to about so many tokens."""
    entry = REGISTRY.get(NAME)
    if entry is None or entry.long_example is None:
        raise ModelNotFoundError(NAME, f"{NAME} is not part of this copy, expected in {PRETRAINED / NAME}.")
    words = entry.long_example[1].split()
    a_word = len(model.record(" ".join(words[:200])).tokens) / 200
    wanted = round(n_tokens / a_word)
    return " ".join((words * (wanted // len(words) + 1))[:wanted])


def _seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
