r"""Which head of a checkpoint knows which relation of grammar: `models.analysis.dependencies` over a treebank.

    python -m models.training.evaluation.dependencies --checkpoint models/pretrained/mini-bert \
        --dev ../shared/ud/en_ewt-dev.conllu --test ../shared/ud/en_ewt-test.conllu

Heads are chosen on the first part of a treebank and judged on the second; the scores are written as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path

from models.analysis.dependencies import ParsedSentence, WordAttention, counts_of, score
from models.opening.registry import Model, load_folder
from models.training.corpora.conllu import read_treebank


def read_conllu(path: Path) -> list[ParsedSentence]:
    """The sentences of a treebank; of the name of a relation the part before ":" is kept."""
    return [
        ParsedSentence(
            words=tuple(word.form for word in sentence.words),
            heads=tuple(word.head - 1 for word in sentence.words),
            relations=tuple(word.relation.partition(":")[0] for word in sentence.words),
        )
        for sentence in read_treebank(path.read_text(encoding="utf-8"))
    ]


def attention_between(model: Model) -> Callable[[ParsedSentence], WordAttention | None]:
    """A function that has the model read a sentence; None for one that is too long, or has a word without a piece."""

    def read(sentence: ParsedSentence) -> WordAttention | None:
        text = " ".join(sentence.words)
        ends = list(accumulate(len(word) + 1 for word in sentence.words))  # one past the space after each word
        record = model.record(text).of("encoder")
        words = [None if token.start is None else bisect_right(ends, token.start) for token in record.key_tokens]
        is_whole = max((token.end or 0 for token in record.key_tokens), default=0) == len(text)
        if not is_whole or len(set(words) - {None}) < len(sentence.words):
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
    sys.stdout.write(json.dumps([asdict(found) for found in score(dev, test)], indent=2) + "\n")


if __name__ == "__main__":
    main()
