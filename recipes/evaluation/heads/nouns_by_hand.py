"""Which of two nouns is meant, in the pairs of sentences that were written by hand: the model's guess, and its heads'.

    python -m recipes.evaluation.heads.nouns_by_hand --checkpoint models/pretrained/headlight-bert

writes the table of a model card.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.analysis import strongest
from models.opening.folders import load_folder
from models.scratch_models.encoder import ScratchModel
from recipes.evaluation.probes import guessed_nouns, turning, weights_of_it
from recipes.sentences.which_noun.by_hand import pairs_by_hand, pairs_to_choose_by, pairs_to_report
from recipes.sentences.which_noun.pairs import NounPair

EARNED = 0.45
"""A head could be said to find the noun if "it" looked at the right one both times in so many of the pairs that are
reported, and of those by which it is chosen. Chance is 0.25."""


@torch.inference_mode()
def nouns_by_hand(reader: ScratchModel) -> dict[str, Any]:
    """Measure how often the noun that is meant is likelier behind [MASK], of the pairs whose nouns are one piece
    each; and in how many pairs "it" looks more at the right noun both times, in the head that does so most in one half
    of them, judged on the other."""
    asked = in_vocabulary(reader, pairs_by_hand())
    right = guessed_nouns(reader, asked)
    chosen, reported = (turning(weights_of_it(reader, half))[0] for half in (pairs_to_choose_by(), pairs_to_report()))
    layer, head, share = strongest(chosen)
    return {
        "n": len(asked),
        "right": float(np.mean(right)),
        "both": float(np.mean([all(hits) for hits in right])),
        "chosen (layer, head, share)": (layer, head, share),
        "n_chosen_by": len(pairs_to_choose_by()),
        "reported": float(reported[layer, head]),
        "n_reported": len(pairs_to_report()),
        "earned": int(((chosen >= EARNED) & (reported >= EARNED)).sum()),
    }


def in_vocabulary(reader: ScratchModel, asked: Sequence[NounPair]) -> list[NounPair]:
    """Return the pairs whose nouns are one piece each: of others no guess behind one [MASK] can be right."""
    vocabulary = reader.tokenizer.get_vocab()
    return [pair for pair in asked if all(noun in vocabulary for noun in pair.nouns)]


def nouns_by_hand_table(found: Mapping[str, Any]) -> list[str]:
    """Write what `nouns_by_hand` measured as a Markdown table."""
    layer, head, share = found["chosen (layer, head, share)"]
    best = f"“it” looks more at it in both: Layer {layer} · Head {head}, the best head of {found['n_chosen_by']} pairs"
    rows = {
        f"the noun is likelier behind `[MASK]` ({2 * found['n']} sentences)": found["right"],
        "in both sentences of a pair (0.25 is chance)": found["both"],
        f"{best}, in these": share,
        f"the same head in {found['n_reported']} other pairs (0.25 is chance)": found["reported"],
    }
    head_lines = ["| which of two nouns is meant: pairs written by hand | right |", "| --- | --- |"]
    return [*head_lines, *(f"| {what} | {value:.3f} |" for what, value in rows.items())]


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a BERT with its tokenizer")
    path = parser.parse_args().checkpoint
    model = load_folder(path, name=path.name, device="cpu")
    if not isinstance(model, ScratchModel):
        parser.error(f"{path} is not an encoder in the layout of BERT.")
    sys.stdout.write("\n".join(nouns_by_hand_table(nouns_by_hand(model))) + "\n")


if __name__ == "__main__":
    main()
