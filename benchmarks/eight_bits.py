"""What 8 bits cost: the size of the weights for a browser, and how often the best word behind a mask is another one.

Each piece of the first texts of a sample is hidden in turn; the encoder reads them with its own weights in float32, and
with those in 8 bits, one scale for each row.

    python -m benchmarks.eight_bits --texts 200
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load
from tokenizers import Tokenizer
from torch import Tensor

from models.checkpoints.bert import huggingface_names, load_checkpoint
from models.checkpoints.eight_bits import SCALE, TOKENIZER, portable_model
from models.opening.registry import embedded_folder
from models.scratch.pretraining import PretrainingModel

SAMPLES = Path(__file__).resolve().parents[1] / "models" / "analysis" / "over_texts" / "sample"
TEXTS = {"mini-bert": "sentences.txt", "headlight-bert": "sentences.txt", "headlight-ko": "korean.txt"}
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How two models answer the same masks."""

    n_masks: int
    n_same: int
    largest_change: float
    """Of the probability of the best word."""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=200, help="texts of the sample")
    parser.add_argument("--models", nargs="+", choices=TEXTS, default=list(TEXTS))
    asked = parser.parse_args(arguments)
    print("model | weights, MB | in 8 bits | packed | masks | another best word | largest change of its probability")
    for name in asked.models:
        lines = (SAMPLES / TEXTS[name]).read_text(encoding="utf-8").splitlines()
        print(measure(name, [line for line in lines if line.strip()][: asked.texts]))


def measure(name: str, texts: list[str]) -> str:
    """Return the line of a model."""
    folder = embedded_folder(name)
    if folder is None:
        raise ValueError(f"{name} is not embedded.")
    portable = portable_model(folder, name)
    own, rounded = load_checkpoint(folder), load_checkpoint(folder)
    fill_rounded(rounded, portable.weights)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    agreement = compare(own, rounded, tokenizer, texts)
    sizes = [(folder / "model.safetensors").stat().st_size, len(portable.weights), len(gzip.compress(portable.weights))]
    return " | ".join(
        (
            name,
            *(f"{size / MEGABYTE:.1f}" for size in sizes),
            str(agreement.n_masks),
            f"{1 - agreement.n_same / agreement.n_masks:.2%}",
            f"{agreement.largest_change:.3f}",
        )
    )


def fill_rounded(model: PretrainingModel, weights: bytes) -> None:
    """Give a model the weights of a file in 8 bits, as the browser reads them."""
    stored = load(weights)
    numbers = {
        name: weight.float() * stored[name + SCALE][:, None] if name + SCALE in stored else weight.float()
        for name, weight in stored.items()
        if not name.endswith(SCALE)
    }
    known = huggingface_names(model.config.n_layers)
    own = {ours: numbers[theirs] for ours, theirs in known.items() if theirs in numbers}
    model.load_state_dict(own, strict=False)


@torch.inference_mode()
def compare(own: PretrainingModel, rounded: PretrainingModel, tokenizer: Tokenizer, texts: list[str]) -> Agreement:
    """Return how often both have the same best word behind each piece of the texts."""
    n_masks, n_same, largest = 0, 0, 0.0
    for ids, places in hidden_in_turn(tokenizer, texts):
        before, after = (_probabilities(model, ids, places) for model in (own, rounded))  # [n_masks, d_vocab]
        best = before.argmax(dim=-1, keepdim=True)  # [n_masks, 1]
        n_masks += len(places)
        n_same += int((after.argmax(dim=-1, keepdim=True) == best).sum())
        largest = max(largest, float((after - before).gather(-1, best).abs().max()))
    return Agreement(n_masks=n_masks, n_same=n_same, largest_change=largest)


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
