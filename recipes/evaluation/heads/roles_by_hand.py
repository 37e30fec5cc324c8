"""Hold what a treebank says of heads to sentences that were written by hand: a head keeps a name that both give it.

    python -m recipes.evaluation.heads.roles_by_hand models/pretrained/headlight-bert

writes what did not hold, by the `heads.json` of that folder, as a table of a model card.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from models.analysis import find_measure
from models.analysis.grammar.dependencies import ParsedSentence, RelationCounts, counts_of
from models.analysis.grammar.relations import relation_title
from models.analysis.heads.measuring import HeadSums, sums_of, sums_of_even_attention
from models.analysis.over_texts.roles import is_role, usual_offset
from models.checkpoints.heads_file import read_by_hand
from models.scratch_models.encoder import ScratchModel
from models.values.head_roles import HeadRole, RoleByHand
from models.values.record import AttentionRecord
from models.values.results.grammar import DIRECTIONS, Direction
from recipes.evaluation.heads.dependencies import attention_between

Measured = tuple[HeadSums, HeadSums]
"""The measures of heads over some records, and those of attention that is spread evenly over the same."""


def roles_by_hand(
    model: ScratchModel, roles: Iterable[HeadRole], dev: Mapping[str, RelationCounts], by_hand: Sequence[ParsedSentence]
) -> list[RoleByHand]:
    """Measure roles on sentences written by hand; the offset that a relation is held against is that of `dev`.

    Roles of pairs of texts are left out: no two sentences written by hand follow each other.
    """
    measured = sum_measures(model.record(sentence.text).of("encoder") for sentence in by_hand)
    relations = counts_of(by_hand, attention_between(model))
    found = (
        _of_relation(role, dev, relations) if role.unit == "words" else _of_measure(role, measured) for role in roles
    )
    return [role for role in found if role is not None]


def sum_measures(records: Iterable[AttentionRecord]) -> Measured:
    """Sum the measures of heads over some records, of which only sums are kept. Raises ValueError for no records."""
    both: Measured | None = None
    for record in records:
        new = sums_of(record), sums_of_even_attention(record)
        both = new if both is None else (both[0] + new[0], both[1] + new[1])
    if both is None:
        raise ValueError("no records were given, expected at least one.")
    return both


def _of_measure(role: HeadRole, measured: Measured) -> RoleByHand | None:
    """A role that is a share of attention."""
    sums, even = measured
    names = [measure.name for measure in sums.measures]
    if role.name not in names:
        return None
    row = names.index(role.name)
    n = int(sums.counts[row])
    return _judged(role, sums.totals[row, role.layer, role.head] / n, even.totals[row].mean() / n, n)


def _of_relation(
    role: HeadRole, dev: Mapping[str, RelationCounts], by_hand: Mapping[str, RelationCounts]
) -> RoleByHand | None:
    """A role in grammar."""
    relation, direction = relation_of(role.name)
    counts = by_hand.get(relation)
    if counts is None:
        return None
    way = DIRECTIONS.index(direction)
    right = counts.right[way, role.layer, role.head] / counts.n
    return _judged(role, right, counts.offsets.get(usual_offset(dev[relation]), 0) / counts.n, counts.n)


def _judged(role: HeadRole, share: float | np.float64, baseline: float | np.float64, n: int) -> RoleByHand:
    return RoleByHand(
        layer=role.layer,
        head=role.head,
        name=role.name,
        share=float(share),
        baseline=float(baseline),
        n=n,
        holds=is_role(float(share), float(baseline)),
    )


def relation_of(name: str) -> tuple[str, Direction]:
    """Split the name of a role in grammar: "obj from the dependent" is the relation "obj", from the dependent."""
    return next((name.removesuffix(f" {way}"), way) for way in DIRECTIONS if name.endswith(f" {way}"))


def refuted_table(by_hand: Iterable[RoleByHand]) -> list[str]:
    """Write the roles that did not hold as a Markdown table."""
    refuted = [role for role in by_hand if not role.holds]
    head = ["| no role: by the sentences written by hand | head | share | baseline | over |", "|" + " --- |" * 5]
    return head + [
        f"| {_title(role.name)} | Layer {role.layer} · Head {role.head} | {role.share:.2f} | {role.baseline:.2f} "
        f"| {role.n:,} |"
        for role in refuted
    ]


def _title(name: str) -> str:
    if " " in name:
        return relation_title(*relation_of(name))
    measure = find_measure(name)
    return name if measure is None else str(measure.title)


def main() -> None:
    """Read the command line and print the table of a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a checkpoint with its heads.json")
    sys.stdout.write("\n".join(refuted_table(read_by_hand(parser.parse_args().folder))) + "\n")


if __name__ == "__main__":
    main()
