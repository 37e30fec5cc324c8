"""What the heads of a BERT are known to do, as the `heads.json` that lies beside its weights.

    python -m models.training.evaluation.known_heads --checkpoint models/pretrained/mini-bert \
        --dev ../shared/ud/en_ewt-dev.conllu --test ../shared/ud/en_ewt-test.conllu

Where the heads look is measured on the sentences of the second part of the treebank; what they know of grammar is
chosen on the first and judged on the second; whether "it" finds its noun, on the pairs of sentences of `which_noun`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from models.analysis.analysis import Need
from models.analysis.dependencies import ParsedSentence, counts_of
from models.analysis.measuring import HeadSums, sums_of, sums_of_even_attention
from models.analysis.roles import (
    LEAST_GAIN,
    LEAST_SHARE,
    antecedent_roles,
    measured_roles,
    nearest_roles,
    relation_roles,
)
from models.checkpoints.heads_file import heads_json
from models.opening.registry import load_folder
from models.scratch_models.encoder import ScratchModel
from models.training.evaluation.dependencies import attention_between, read_conllu
from models.training.evaluation.probes import turning, weights_of_it
from models.training.sentences.which_noun import NounPair, pairs
from models.values.head_roles import HeadRole, in_order
from models.values.record import AttentionRecord
from models.values.results.grammar import FEWEST_WORDS

FEWEST_IN_SENTENCE = 5
"""Shorter sentences are hardly more than their special tokens."""
N_PAIRS = 200


Roles = tuple[HeadRole, ...]


def known_heads(
    model: ScratchModel, dev: Sequence[ParsedSentence], test: Sequence[ParsedSentence], nouns: Sequence[NounPair]
) -> tuple[Roles, Roles]:
    """Every role of every head, head by head and what says most first: from a treebank in two parts, and from pairs of
    sentences with two nouns. Then, for every head without a role, what it comes nearest to in the texts."""
    texts = [" ".join(sentence.words) for sentence in test if len(sentence.words) >= FEWEST_IN_SENTENCE]
    read = attention_between(model)
    in_texts = measured(model.record(text).of("encoder") for text in texts)
    in_pairs = measured((model.record(*pair).of("encoder") for pair in pairwise(texts)), needs="pairs")
    found = [
        *(role for both in (*in_texts, *in_pairs) for role in measured_roles(*both)),
        *relation_roles(counts_of(dev, read), counts_of(test, read)),
        *antecedents(model, nouns),
    ]
    named = {(role.layer, role.head) for role in found}
    roles = sorted(in_order(found), key=lambda role: (role.layer, role.head))
    return tuple(roles), tuple(role for both in in_texts for role in nearest_roles(*both, named))


def measured(records: Iterable[AttentionRecord], *, needs: Need = "texts") -> list[tuple[HeadSums, HeadSums]]:
    """The measures of heads over some records, and those of attention that is spread evenly; nothing of no records. Of
    the records only sums are kept."""
    both: list[tuple[HeadSums, HeadSums]] = []
    for record in records:
        new = sums_of(record, needs=needs), sums_of_even_attention(record, needs=needs)
        both = [new if not both else (both[0][0] + new[0], both[0][1] + new[1])]
    return both


def antecedents(model: ScratchModel, asked: Sequence[NounPair]) -> list[HeadRole]:
    """The heads by which "it" looks at the noun that is meant, in both sentences of a pair."""
    if not asked:
        return []
    right_in_both, _ = turning(weights_of_it(model, asked))
    return list(antecedent_roles(right_in_both, len(asked)))


def main() -> None:
    """Read the command line and write the file to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="a BERT with its tokenizer")
    parser.add_argument("--dev", type=Path, required=True, help="the sentences by which heads are chosen")
    parser.add_argument("--test", type=Path, required=True, help="the sentences by which they are judged")
    parser.add_argument("--sentences", type=int, help="read no more than so many sentences of each part")
    arguments = parser.parse_args()
    model = load_folder(arguments.checkpoint, name=arguments.checkpoint.name, device="cpu")
    if not isinstance(model, ScratchModel):
        parser.error(f"{arguments.checkpoint} is not an encoder in the layout of BERT.")
    dev, test = (read_conllu(path)[: arguments.sentences] for path in (arguments.dev, arguments.test))
    about = {
        "measured_on": [arguments.dev.name, arguments.test.name, f"{N_PAIRS} pairs of models/training/sentences"],
        "least_share": LEAST_SHARE, "least_gain": LEAST_GAIN, "fewest_words": FEWEST_WORDS,
    }  # fmt: skip
    sys.stdout.write(heads_json(*known_heads(model, dev, test, pairs(N_PAIRS)), about))


if __name__ == "__main__":
    main()
