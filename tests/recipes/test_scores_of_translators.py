"""What the embedded translators have learned, and the scores on their cards."""

from __future__ import annotations

import re

import pytest

from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import Model
from recipes.evaluation.translation.alignment import alignment_scores, read_aligned
from recipes.evaluation.translation.grammar import answers, unseen_pairs
from recipes.evaluation.translation.scores import chrf
from tests.models.tasks.test_embedded_writers import LANGUAGES, opened
from ui.state.choices import DEFAULTS

MEASURED = re.compile(r"as the page searches \| [\d,]+ \| ([\d.]+) \|")


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_grammar_was_learned(name: str) -> None:
    """Nearly letter by letter; whoever has learned other sentences, too, may choose another word."""
    found = answers(opened(name), unseen_pairs(LANGUAGES[name], 60))
    assert chrf([each.written for each in found], [[each.pair.target] for each in found]) >= 75


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_card_has_the_scores_of_these_weights(name: str) -> None:
    """Measured once more on the pairs that lie here: the few of them tell the score but roughly."""
    card = (ROOT / PRETRAINED / name / "README.md").read_text(encoding="utf-8")
    (said,) = MEASURED.findall(card)
    if name == "translator-es":
        pairs = read_aligned()
        found = answers_to(opened(name), [pair.source for pair in pairs])
        assert chrf(found, [[pair.target] for pair in pairs]) == pytest.approx(float(said), abs=12)
        rates = alignment_scores(opened(name), pairs)
        assert f"| {rates.best.name} | {rates.reported:.3f} " in card
        assert f"| {rates.diagonal:.3f} |" in card


def answers_to(model: Model, texts: list[str]) -> list[str]:
    return [model.translate(text, width=DEFAULTS["beams"]).text for text in texts]
