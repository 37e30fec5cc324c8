"""What the heads of a BERT are known to do, as the `heads.json` that lies beside its weights.

    python -m recipes.evaluation.heads.known_heads --checkpoint models/pretrained/mini-bert \
        --dev ../shared/ud/en_ewt-dev.conllu --test ../shared/ud/en_ewt-test.conllu

Where the heads look is measured on the sentences of the second part of the treebank; what they know of grammar is
chosen on the first and judged on the second. What does not hold for sentences written by hand, too, is no role: the
file says of every role what it comes to there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from models.analysis.analysis import Need
from models.analysis.grammar.dependencies import ParsedSentence, RelationCounts, counts_of
from models.analysis.heads.measuring import HeadSums, sums_of, sums_of_even_attention
from models.analysis.over_texts.roles import (
    LEAST_GAIN,
    LEAST_SHARE,
    measured_roles,
    nearest_roles,
    relation_roles,
)
from models.checkpoints.heads_file import heads_json
from models.opening.folders import load_folder
from models.scratch_models.encoder import ScratchModel
from models.values.head_roles import HeadRole, RoleByHand, sort_roles
from models.values.record import AttentionRecord
from models.values.results.grammar import FEWEST_WORDS
from recipes.evaluation.heads.dependencies import attention_between, read_conllu
from recipes.evaluation.heads.roles_by_hand import roles_by_hand
from recipes.sentences.grammar_by_hand import SENTENCES as BY_HAND
from recipes.sentences.grammar_by_hand import grammar_by_hand

FEWEST_IN_SENTENCE = 5
"""Shorter sentences are hardly more than their special tokens."""


Relations = tuple[dict[str, RelationCounts], dict[str, RelationCounts]]
"""The counts of each relation between words, in the part to choose by and in the part to judge by."""


class MeasuredHeads(NamedTuple):
    """Every role of every head, head by head and what says most first; for every head without one what it comes
    `nearest` to; and what the treebank's roles come to `by_hand`, those among them that do not hold there."""

    roles: tuple[HeadRole, ...]
    nearest: tuple[HeadRole, ...]
    by_hand: tuple[RoleByHand, ...]


def known_heads(
    model: ScratchModel, test: Sequence[ParsedSentence], relations: Relations, by_hand: Sequence[ParsedSentence] = ()
) -> MeasuredHeads:
    """Measure the heads on the second part of a treebank, with the `relations` of both, and hold what they say to
    sentences written by hand, if there are any."""
    texts = [" ".join(sentence.words) for sentence in test if len(sentence.words) >= FEWEST_IN_SENTENCE]
    in_texts = measured(model.record(text).of("encoder") for text in texts)
    in_pairs = measured((model.record(*pair).of("encoder") for pair in pairwise(texts)), needs="pairs")
    found = [
        *(role for both in (*in_texts, *in_pairs) for role in measured_roles(*both)),
        *relation_roles(*relations),
    ]
    roles = sorted(sort_roles(found), key=lambda role: (role.layer, role.head))
    checked = roles_by_hand(model, roles, relations[0], by_hand) if by_hand else []
    refuted = {(role.layer, role.head, role.name) for role in checked if not role.holds}
    held = tuple(role for role in roles if (role.layer, role.head, role.name) not in refuted)
    named = {(role.layer, role.head) for role in held}
    nearest = tuple(role for both in in_texts for role in nearest_roles(*both, named))
    return MeasuredHeads(held, nearest, tuple(checked))


def relations_of(model: ScratchModel, dev: Sequence[ParsedSentence], test: Sequence[ParsedSentence]) -> Relations:
    """Count what the heads do between words in a relation, in both parts of a treebank."""
    read = attention_between(model)
    return counts_of(dev, read), counts_of(test, read)


def measured(records: Iterable[AttentionRecord], *, needs: Need = "texts") -> list[tuple[HeadSums, HeadSums]]:
    """The measures of heads over some records, and those of attention that is spread evenly; nothing of no records. Of
    the records only sums are kept."""
    both: list[tuple[HeadSums, HeadSums]] = []
    for record in records:
        new = sums_of(record, needs=needs), sums_of_even_attention(record, needs=needs)
        both = [new if not both else (both[0][0] + new[0], both[0][1] + new[1])]
    return both


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
        "measured_on": [arguments.dev.name, arguments.test.name],
        "held_to": f"{len(grammar_by_hand())} sentences of {BY_HAND.name}",
        "least_share": LEAST_SHARE,
        "least_gain": LEAST_GAIN,
        "fewest_words": FEWEST_WORDS,
    }
    relations = relations_of(model, dev, test)
    sys.stdout.write(heads_json(*known_heads(model, test, relations, grammar_by_hand()), about))


if __name__ == "__main__":
    main()
