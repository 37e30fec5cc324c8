"""Measure a checkpoint of headlight-ko: held-out text, hidden particles, hidden words.

    python -m recipes.korean.ask --run RUN [--checkpoint FOLDER] [--shows]

Without --checkpoint the state of the run itself is asked, whether or not it still goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from safetensors import safe_open
from tokenizers import Tokenizer

from models.checkpoints.bert import load_checkpoint
from models.scratch.pretraining import PretrainingModel
from recipes.korean.data import TOKENIZER, open_texts
from recipes.korean.measures import Measures, guess
from recipes.korean.questions import HiddenPiece, read_particle_questions, read_word_questions
from recipes.korean.start import SIZES

SCALE = 8.0
"""How many times more held-out rows are asked than while the run goes on."""


def load_state_of_run(folder: Path, d_vocab: int) -> PretrainingModel:
    """Return the model of a run as it was last saved."""
    model = PretrainingModel(replace(SIZES, d_vocab=d_vocab))
    with safe_open(folder / "state.safetensors", framework="pt") as tensors, torch.no_grad():
        for name, weight in model.named_parameters():
            weight.copy_(tensors.get_tensor(f"model.{name}"))
    return model.eval()


def ask(
    model: PretrainingModel, tokenizer: Tokenizer, questions: Sequence[HiddenPiece], n: int
) -> list[tuple[HiddenPiece, list[str]]]:
    """Return the questions of which none of the `n` best guesses is right, with these."""
    answers = [(question, guess(model, tokenizer, question.text, n)) for question in questions]
    return [(question, guesses) for question, guesses in answers if not question.accepted & {*guesses}]


def main() -> None:
    """Read the command line, ask, and write the results as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of a run of recipes.korean.train")
    parser.add_argument("--checkpoint", type=Path, help="a checkpoint to be asked in place of the run's state")
    parser.add_argument("--scale", type=float, default=SCALE, help="how many times the rows of held-out text")
    parser.add_argument("--shows", action="store_true", help="list the questions that were answered wrong")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.run / TOKENIZER))
    given = arguments.checkpoint
    model = load_checkpoint(given) if given else load_state_of_run(arguments.run, tokenizer.get_vocab_size())
    measures = Measures(open_texts(arguments.run), tokenizer, scale=arguments.scale)
    particles, words = read_particle_questions(), read_word_questions()
    wrong_particles, wrong_words = ask(model, tokenizer, particles, 1), ask(model, tokenizer, words, 5)
    numbers = {
        **measures.measure(model),
        "particles": len(particles) - len(wrong_particles),
        "of_particles": len(particles),
        "wrong_particles": Counter(question.kind for question, _ in wrong_particles),
        "words": len(words) - len(wrong_words),
        "of_words": len(words),
    }
    shown = [f"{question.text}\t{' '.join(guesses)}" for question, guesses in (*wrong_particles, *wrong_words)]
    sys.stdout.write("\n".join([json.dumps(numbers, ensure_ascii=False), *(shown if arguments.shows else [])]) + "\n")


if __name__ == "__main__":
    main()
