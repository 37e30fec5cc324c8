"""What writing costs: the embedded translator and GPT beside transformers' own `generate` on the same weights.

"generate" is transformers' loop with its cache; "search" is ours with ours, on the scratch model; "translate" and
"continue" are what a page asks for: the search, the candidates of every token, and the recording of everything. Times
are medians over rounds in one process, the variants in turn, for the sentences below.

    python -m benchmarks.writing --threads 1 --rounds 9
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

from models.checkpoints.bart import load_bart
from models.checkpoints.gpt2 import load_gpt2
from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.tasks.decoding import beam_search, greedy

TRANSLATOR, GPT = ROOT / PRETRAINED / "translator-es", ROOT / PRETRAINED / "mini-gpt"
SOURCES = (
    "The girl has a red skirt.",
    "The prince gave a ring to the princess yesterday.",
    "There are two black cats in the garden.",
)
PROMPT = "She opened the door and"
N_NEW, WIDTH, PENALTY = 40, 4, 0.6
Variants = dict[str, Callable[[], object]]


def main() -> None:
    """Read the command line, time, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    logging.getLogger("transformers").setLevel(logging.ERROR)
    say("| variant | milliseconds | ratio |")
    say("| --- | --- | --- |")
    for variants in (translation(1), translation(WIDTH), continuation()):
        milliseconds = timed(variants, arguments.rounds)
        peer = next(iter(milliseconds.values()))
        for name, value in milliseconds.items():
            say(f"| {name} | {value:.1f} | {value / peer:.2f} |")


def timed(variants: Variants, rounds: int) -> dict[str, float]:
    """The median milliseconds of every variant; the first round warms up."""
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(rounds + 1):
        for name, variant in variants.items():
            begun = time.perf_counter()
            variant()
            if number:
                taken[name].append(time.perf_counter() - begun)
    return {name: 1000 * median(seconds) for name, seconds in taken.items()}


def translation(width: int) -> Variants:
    """Three sentences into Spanish, greedily or with beams."""
    theirs, tokenizer = _theirs(AutoModelForSeq2SeqLM, TRANSLATOR)
    own, page = load_bart(TRANSLATOR), load_folder(TRANSLATOR, name="translator-es", device="cpu")
    start, end = theirs.config.decoder_start_token_id, theirs.config.eos_token_id
    sources = [torch.tensor([tokenizer(source)["input_ids"]]) for source in SOURCES]
    prompt = torch.tensor([start])
    beams = {"num_beams": width, "length_penalty": PENALTY} if width > 1 else {}

    def generate() -> None:
        for source in sources:
            theirs.generate(source, max_new_tokens=N_NEW, do_sample=False, **beams)

    @torch.inference_mode()
    def search() -> None:
        for source in sources:
            if width == 1:
                greedy(own.writer(source), prompt, n_new=N_NEW, end_id=end)
            else:
                beam_search(own.writer(source), prompt, width=width, n_new=N_NEW, end_id=end, length_penalty=PENALTY)

    def translate() -> None:
        for source in SOURCES:
            page.translate(source, width=width, length_penalty=PENALTY)

    how = "greedily" if width == 1 else f"with {width} beams"
    return {
        f"generate, 3 sentences {how}": generate,
        f"search, 3 sentences {how}": search,
        f"translate, 3 sentences {how}, recorded": translate,
    }


def continuation() -> Variants:
    """As many tokens after a beginning as the model writes before it ends the text itself, N_NEW at most; greedily."""
    theirs, tokenizer = _theirs(AutoModelForCausalLM, GPT)
    own, page = load_gpt2(GPT), load_folder(GPT, name="mini-gpt", device="cpu")
    ids = torch.tensor([tokenizer(PROMPT)["input_ids"]])
    n_new = len(page.continue_text(PROMPT, n_new=N_NEW, temperature=0.0).written)

    def generate() -> None:
        theirs.generate(ids, max_new_tokens=n_new, min_new_tokens=n_new, do_sample=False)

    def search() -> None:
        greedy(own, ids[0], n_new=n_new)

    def continued() -> None:
        page.continue_text(PROMPT, n_new=n_new, temperature=0.0)

    return {
        f"generate, {n_new} tokens": generate,
        f"search, {n_new} tokens": search,
        f"continue, {n_new} tokens, recorded": continued,
    }


def _theirs(opener: Any, folder: Path) -> tuple[Any, Any]:
    return opener.from_pretrained(folder, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(folder)


def say(line: str) -> None:
    """A line of the table."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
