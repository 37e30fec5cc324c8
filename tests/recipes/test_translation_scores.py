"""BLEU and chrF are those of sacrebleu, to the last digits that it prints."""

from __future__ import annotations

import re
import string

import numpy as np
import pytest

from recipes.evaluation.translation.scores import bleu, chrf
from tests.closeness import assert_close

WRITTEN = (
    "El gato duerme.",
    "A las 10.30 hay 1,000 perros: ¡ven!",
    "No lo sé, no lo sé.",
    "톰은 학교에 갔다.",
    "Sí.",
    "Quiero un perro-lobo de 3-4 años.",
)
REFERENCES = (
    ("El gato está durmiendo.", "Duerme el gato."),
    ("A las 10.30 hay 1.000 perros.",),
    ("No lo sé.", "Ni idea."),
    ("톰은 학교에 갔어.", "톰은 학교에 갔다."),
    ("Claro que sí.",),
    ("Quiero un perro lobo, de 3-4 años.", "Un perro."),
)


def test_the_scores_of_a_small_set_are_those_that_sacrebleu_prints() -> None:
    """sacrebleu 2.6.0: nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp and chrF2|nc:6|nw:0|space:no."""
    assert_close(bleu(WRITTEN, REFERENCES), 44.891110544)
    assert_close(chrf(WRITTEN, REFERENCES), 66.465659986)


def test_the_scores_of_random_texts_are_those_of_sacrebleu() -> None:
    sacrebleu = pytest.importorskip("sacrebleu", reason="the group test of pyproject.toml has it")
    random = np.random.default_rng(0)
    signs = [*"abcd 12 áñ가나", *string.punctuation, " ", " ", " "]

    def text() -> str:
        drawn = "".join(random.choice(signs, size=random.integers(1, 40))).strip() or "a"
        return re.sub(r"[.,]{2,}", ".", drawn)  # mteval takes the second of ",.5" for a part of the number

    for n in (1, 3, 20):
        for _ in range(20):
            references = [[text() for _ in range(random.integers(1, 4))] for _ in range(n)]
            written = [text() if random.random() < 0.4 else each[0][::-1] or "a" for each in references]
            streams = [[each[at] if at < len(each) else None for each in references] for at in range(3)]
            assert_close(bleu(written, references), sacrebleu.corpus_bleu(written, streams).score)
            assert_close(chrf(written, references), sacrebleu.corpus_chrf(written, streams).score)


def test_the_best_there_is_and_nothing_right() -> None:
    for score in (bleu, chrf):
        assert_close(score([each[0] for each in REFERENCES], REFERENCES), 100)
        assert score(["x"] * len(REFERENCES), REFERENCES) == 0
