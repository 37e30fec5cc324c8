"""What 8 bits cost: the size of the weights for a browser, and how often the best word is another one.

An encoder is asked for each piece of the first texts of a sample, which is hidden in turn; a decoder for the piece
after each; a translator for each piece of the translation that it writes with its own weights. All read with their own
weights in float32, and with those in 8 bits, one scale for each row.

    python -m benchmarks.eight_bits --texts 200
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor
from transformers import BartForConditionalGeneration, GPT2LMHeadModel, LlamaForCausalLM

from models.checkpoints.bert import huggingface_names, load_checkpoint
from models.checkpoints.eight_bits import SCALE, TOKENIZER, portable_model
from models.opening.registry import embedded_folder
from models.scratch.pretraining import PretrainingModel

SAMPLES = Path(__file__).resolve().parents[1] / "models" / "analysis" / "over_texts" / "sample"
TEXTS = {"mini-bert": "sentences.txt", "headlight-bert": "sentences.txt", "headlight-ko": "korean.txt"}
WRITERS = {"mini-gpt": GPT2LMHeadModel, "mini-llama": LlamaForCausalLM}
TRANSLATORS = ("translator-es", "translator-ko")
MOST_WRITTEN = 64
"""Tokens of a translation."""
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How two models answer the same questions."""

    n_asked: int
    n_same: int
    largest_change: float
    """Of the probability of the best word."""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=200, help="texts of the sample")
    parser.add_argument(
        "--models", nargs="+", choices=[*TEXTS, *WRITERS, *TRANSLATORS], default=[*TEXTS, *WRITERS, *TRANSLATORS]
    )
    asked = parser.parse_args(arguments)
    print(
        "model | weights, MB | in 8 bits | packed | words asked | another best word | largest change of its probability"
    )
    for name in asked.models:
        lines = (SAMPLES / TEXTS.get(name, "sentences.txt")).read_text(encoding="utf-8").splitlines()
        print(measure(name, [line for line in lines if line.strip()][: asked.texts]))


def measure(name: str, texts: list[str]) -> str:
    """Return the line of a model."""
    folder = embedded_folder(name)
    if folder is None:
        raise ValueError(f"{name} is not embedded.")
    portable = portable_model(folder, name)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    answers = _of_encoder if name in TEXTS else _of_writer if name in WRITERS else _of_translator
    agreement = compare(answers(folder, portable.weights, tokenizer, texts))
    sizes = [(folder / "model.safetensors").stat().st_size, len(portable.weights), len(gzip.compress(portable.weights))]
    return " | ".join(
        (
            name,
            *(f"{size / MEGABYTE:.1f}" for size in sizes),
            str(agreement.n_asked),
            f"{1 - agreement.n_same / agreement.n_asked:.2%}",
            f"{agreement.largest_change:.3f}",
        )
    )


def rounded_numbers(weights: bytes) -> dict[str, Tensor]:
    """Return the weights of a file in 8 bits in float32, as the browser reads them."""
    stored = load(weights)
    return {
        name: weight.float() * stored[name + SCALE][:, None] if name + SCALE in stored else weight.float()
        for name, weight in stored.items()
        if not name.endswith(SCALE)
    }


@torch.inference_mode()
def compare(answers: Iterable[tuple[Tensor, Tensor]]) -> Agreement:
    """Return how often both models have the same best word, from their probabilities [n_asked, d_vocab]."""
    n_asked, n_same, largest = 0, 0, 0.0
    for before, after in answers:
        best = before.argmax(dim=-1, keepdim=True)  # [n_asked, 1]
        n_asked += len(best)
        n_same += int((after.argmax(dim=-1, keepdim=True) == best).sum())
        largest = max(largest, float((after - before).gather(-1, best).abs().max()))
    return Agreement(n_asked=n_asked, n_same=n_same, largest_change=largest)


def _of_encoder(
    folder: Path, weights: bytes, tokenizer: Tokenizer, texts: list[str]
) -> Iterator[tuple[Tensor, Tensor]]:
    own, rounded = load_checkpoint(folder), load_checkpoint(folder)
    numbers, known = rounded_numbers(weights), huggingface_names(rounded.config.n_layers)
    rounded.load_state_dict({ours: numbers[name] for ours, name in known.items() if name in numbers}, strict=False)
    for ids, places in hidden_in_turn(tokenizer, texts):
        yield _probabilities(own, ids, places), _probabilities(rounded, ids, places)


def _of_writer(folder: Path, weights: bytes, tokenizer: Tokenizer, texts: list[str]) -> Iterator[tuple[Tensor, Tensor]]:
    models = _opened_twice(WRITERS[folder.name], folder, weights)
    for text in texts:
        ids = torch.tensor([tokenizer.encode(text).ids])  # [1, n_tokens]
        own, rounded = (model(ids).logits[0].softmax(dim=-1) for model in models)  # [n_tokens, d_vocab]
        yield own, rounded


def _of_translator(
    folder: Path, weights: bytes, tokenizer: Tokenizer, texts: list[str]
) -> Iterator[tuple[Tensor, Tensor]]:
    models = _opened_twice(BartForConditionalGeneration, folder, weights)
    for text in texts:
        ids = torch.tensor([tokenizer.encode(text).ids])  # [1, n_tokens]
        written = models[0].generate(ids, num_beams=1, do_sample=False, max_length=MOST_WRITTEN)[:, :-1]
        own, rounded = (model(ids, decoder_input_ids=written).logits[0].softmax(dim=-1) for model in models)
        yield own, rounded


def _opened_twice(kind: type[Any], folder: Path, weights: bytes) -> tuple[Any, Any]:
    """Open a checkpoint with its own weights, and with those in 8 bits."""
    own, rounded = (kind.from_pretrained(folder, dtype=torch.float32).eval() for _ in range(2))
    rounded.load_state_dict(rounded_numbers(weights), strict=False)
    rounded.tie_weights()
    return own, rounded


def hidden_in_turn(tokenizer: Tokenizer, texts: list[str]) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield of each text its ids with one piece hidden in each row [n_masks, n_tokens], and where [n_masks]."""
    mask = tokenizer.encode("[MASK]", add_special_tokens=False).ids[0]
    for text in texts:
        ids = torch.tensor(tokenizer.encode(text).ids)  # [n_tokens]
        places = torch.arange(1, len(ids) - 1)  # [n_masks]
        rows = ids.repeat(len(places), 1)  # [n_masks, n_tokens]
        rows[torch.arange(len(places)), places] = mask
        yield rows, places


def _probabilities(model: PretrainingModel, ids: Tensor, places: Tensor) -> Tensor:
    if model.mlm is None:
        raise ValueError("The model has no MLM head.")
    states = model.encoder(ids).last[torch.arange(len(places)), places]  # [n_masks, d_model]
    logits: Tensor = model.mlm(states)
    return logits.softmax(dim=-1)  # [n_masks, d_vocab]


if __name__ == "__main__":
    main()
