"""The names of heads hold for sentences written by hand, too."""

from __future__ import annotations

import json

import pytest

from models.analysis import find_measure, head_measures
from models.analysis.grammar.dependencies import RelationCounts, counts_of
from models.analysis.over_texts.roles import LEAST_GAIN, LEAST_SHARE, is_role
from models.checkpoints.heads_file import FILE, read_by_hand
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import load
from models.values.head_roles import RoleByHand
from models.values.results.grammar import DIRECTIONS
from recipes.evaluation.heads.dependencies import attention_between
from recipes.evaluation.heads.roles_by_hand import relation_of, sum_measures
from recipes.sentences.grammar_by_hand import KOREAN_SENTENCES, SENTENCES, grammar_by_hand
from tests.closeness import assert_close
from tests.models.checkpoints.test_heads_file import BY_ATLAS, MEASURED

LEEWAY = 0.02
"""Where two words get nearly the same, another processor may find the other one larger."""
TEXTS = [measure for measure in head_measures() if measure.needs == "texts"]

BY_HAND = [name for name in MEASURED if read_by_hand(ROOT / PRETRAINED / name)]
SENTENCES_OF = {"headlight-ko": KOREAN_SENTENCES}
"""The sentences of models that do not read English."""


@pytest.mark.parametrize("name", BY_HAND)
def test_every_role_holds_for_sentences_written_by_hand_and_what_does_not_is_no_role(name: str) -> None:
    """Roles of the attention to tokens and of grammar, measured anew; those of pairs of texts are the treebank's."""
    model = load(name)
    written = read_by_hand(ROOT / PRETRAINED / name)
    roles = {(role.layer, role.head, role.name) for role in model.info.head_roles}
    kept = {(role.layer, role.head, role.name) for role in written if role.holds}
    assert kept <= roles
    assert {find_measure(role) for _, _, role in roles - kept} <= set(head_measures()) - set(TEXTS)
    assert not roles & {(role.layer, role.head, role.name) for role in written if not role.holds}
    sentences = grammar_by_hand(SENTENCES_OF.get(name, SENTENCES))
    assert json.loads((ROOT / PRETRAINED / name / FILE).read_text("utf-8"))["held_to"].startswith(f"{len(sentences)} ")
    relations = counts_of(sentences, attention_between(model))
    shares, _ = sum_measures(model.record(sentence.text).of("encoder") for sentence in sentences)
    for role in written:
        row = [measure.name for measure in shares.measures].index(role.name) if " " not in role.name else None
        share = (
            share_of_relation(role, relations)
            if row is None
            else shares.totals[row, role.layer, role.head] / shares.counts[row]
        )
        assert_close(share, role.share, tolerance=LEEWAY, magnitude=1.0, err_msg=f"{role}")
        assert role.holds == is_role(role.share, role.baseline)


def share_of_relation(role: RoleByHand, counts: dict[str, RelationCounts]) -> float:
    """How many of the words of a relation the head of a role has right."""
    relation, direction = relation_of(role.name)
    found = counts[relation]
    assert found.n == role.n
    return float(found.right[DIRECTIONS.index(direction), role.layer, role.head]) / found.n


@pytest.mark.parametrize("name", BY_ATLAS)
def test_a_name_that_an_atlas_gives_holds_for_sentences_written_by_hand(name: str) -> None:
    """A head that just passed on the long sentences of books may do a little less of it in short ones."""
    model = load(name)
    recordings = [model.record(sentence.text) for sentence in grammar_by_hand()[::10]]
    for kind in {role.kind for role in model.info.head_roles if role.unit == "weight"}:
        shares, even = sum_measures(recording.of(kind) for recording in recordings)
        names = [measure.name for measure in shares.measures]
        for role in (role for role in model.info.head_roles if role.kind == kind):
            row = names.index(role.name)
            share = shares.totals[row, role.layer, role.head] / shares.counts[row]
            baseline = even.totals[row].mean() / shares.counts[row]
            assert share > max(0.85 * LEAST_SHARE, baseline + LEAST_GAIN), f"{role} has {share:.2f}"
