r"""Which head of a checkpoint knows which relation of grammar: `models.analysis.grammar.dependencies` over a treebank.

    python -m recipes.evaluation.heads.dependencies --checkpoint models/pretrained/mini-bert \
        --dev ../shared/ud/en_ewt-dev.conllu --test ../shared/ud/en_ewt-test.conllu

Heads are chosen on the first part of a treebank and judged on the second; the scores are written as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from models.analysis.grammar.conllu import parse_dependencies, read_treebank
from models.analysis.grammar.dependencies import (
    ParsedSentence,
    WordAttention,
    counts_of,
    score_relations,
    words_of_tokens,
)
from models.opening.folders import load_folder
from models.opening.registry import Model


def read_conllu(path: Path) -> list[ParsedSentence]:
    """The sentences of a treebank of which somebody has said what governs what."""
    sentences = map(parse_dependencies, read_treebank(path.read_text(encoding="utf-8")))
    return [sentence for sentence in sentences if sentence is not None]


def attention_between(model: Model) -> Callable[[ParsedSentence], WordAttention | None]:
    """A function that has the model read a sentence; None for one that is too long, or has a word without a piece."""

    def read(sentence: ParsedSentence) -> WordAttention | None:
        record = model.record(sentence.text).of("encoder")
        words = words_of_tokens(sentence, record.key_tokens)
        if words is None:
            return None
        return WordAttention(weights=[record.layer_weights(layer) for layer in range(record.n_layers)], words=words)

    return read


def main() -> None:
    """Read the command line and write the scores as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a BERT with its tokenizer")
    parser.add_argument("--dev", type=Path, required=True, help="the sentences by which heads are chosen")
    parser.add_argument("--test", type=Path, required=True, help="the sentences by which they are judged")
    arguments = parser.parse_args()
    read = attention_between(load_folder(arguments.checkpoint, name=arguments.checkpoint.name, device="cpu"))
    dev, test = (counts_of(read_conllu(path), read) for path in (arguments.dev, arguments.test))
    sys.stdout.write(json.dumps([asdict(found) for found in score_relations(dev, test)], indent=2) + "\n")


if __name__ == "__main__":
    main()
