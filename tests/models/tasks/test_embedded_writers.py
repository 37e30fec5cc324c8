"""The embedded models that write, as they are shipped: both implementations, what they have learned, and their size."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from models import load
from models.opening.registry import PRETRAINED, ROOT, Model
from models.training.evaluation.translation_report import answers, unseen_pairs
from models.training.sentences.parallel import Language

LARGEST = 24 * 10**6
"""Bytes that the models of this kind may take together."""
EMBEDDED = ("translator-es", "translator-ko", "mini-gpt", "sentiment")
FAMILIAR = {
    "translator-es": {
        "The girl has a red skirt.": "La niña tiene una falda roja.",
        "I do not drink cold water.": "No bebo agua fría.",
        "the boy likes dogs": "Al niño le gustan los perros.",
    },
    "translator-ko": {
        "The girl has a red skirt.": "소녀는 빨간 치마가 있어요.",
        "I do not drink cold water.": "저는 차가운 물을 마시지 않아요.",
        "the boy likes dogs": "소년은 개를 좋아해요.",
    },
}


@cache
def opened(name: str) -> Model:
    return load(name, device="cpu")


@pytest.mark.parametrize("language", ["es", "ko"])
def test_sentences_of_unseen_content_are_translated_letter_by_letter(language: Language) -> None:
    found = answers(opened(f"translator-{language}"), unseen_pairs(language, 60))
    assert np.mean([answer.is_exact for answer in found]) >= 0.95


@pytest.mark.parametrize("name", FAMILIAR)
def test_the_sentences_of_the_page_come_out_right(name: str) -> None:
    for source, target in FAMILIAR[name].items():
        written = opened(name).translate(source)
        assert (written.text, written.unknown_words, written.is_finished) == (target, (), True)


@pytest.mark.parametrize("name", FAMILIAR)
def test_a_word_that_was_never_learned_is_told(name: str) -> None:
    assert opened(name).translate("The computer is near my Sister.").unknown_words == ("computer", "near", "Sister")


def test_cross_attention_shows_that_the_adjective_changes_its_place() -> None:
    writing = opened("translator-es").translate("The girl has a red skirt.")
    cross = writing.recording.of("cross")
    weights = np.mean([cross.mean_weights(layer) for layer in range(cross.n_layers)], axis=0)  # [n_query, n_key]
    sources = [token.text for token in cross.key_tokens]
    looked_at = {token.chosen.text: sources[int(weights[token.position].argmax())] for token in writing.written}
    assert (looked_at["falda"], looked_at["roja"]) == ("skirt", "red")
    assert sources.index("red") < sources.index("skirt")


@pytest.mark.parametrize("name", FAMILIAR)
def test_transformers_writes_the_same_and_attends_alike(name: str) -> None:
    ours, theirs = opened(name), opened(str(ROOT / PRETRAINED / name))
    for source in FAMILIAR[name]:
        one, other = ours.translate(source), theirs.translate(source)
        assert one.text == other.text
        for kind in ("encoder", "decoder", "cross"):
            mine, yours = one.recording.of(kind), other.recording.of(kind)
            for layer in range(mine.n_layers):
                np.testing.assert_allclose(mine.layer_weights(layer), yours.layer_weights(layer), atol=1e-5)


@pytest.mark.parametrize("name", ["translator-es", "translator-ko", "mini-gpt"])
def test_transformers_has_the_same_states(name: str) -> None:
    target = None if name == "mini-gpt" else "El libro"
    one, other = (
        opened(folder).record("The man has a book.", target) for folder in (name, str(ROOT / PRETRAINED / name))
    )
    np.testing.assert_allclose(one.hidden_states, other.hidden_states, atol=4e-5)
    np.testing.assert_allclose(one.final_state, other.final_state, atol=4e-5)
    is_pre_norm = not np.array_equal(one.hidden_states[-1], one.final_state)
    assert is_pre_norm == (name == "mini-gpt")


def test_all_of_them_together_are_small() -> None:
    folders = [ROOT / PRETRAINED / name for name in EMBEDDED]
    assert sum(file.stat().st_size for folder in folders for file in folder.iterdir()) <= LARGEST
