"""The embedded classifiers are right on unseen sentences, and their generator makes sentences of their words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from transformers import AutoTokenizer

from models.checkpoints.bert import load_bert
from models.opening.entries import PRETRAINED, ROOT
from models.scratch.classification import ClassifierModel
from recipes.classifiers.classifier import accuracy, draw_texts, encoded, sentiment_tokenizer, typed

FOLDER, MEAN = ROOT / PRETRAINED / "sentiment", ROOT / PRETRAINED / "sentiment-mean"


@pytest.mark.parametrize("folder", [FOLDER, MEAN], ids=lambda folder: folder.name)
def test_it_is_right_on_sentences_that_it_has_not_seen(folder: Path) -> None:
    model, tokenizer = load_bert(folder), AutoTokenizer.from_pretrained(folder, local_files_only=True)
    assert isinstance(model, ClassifierModel)
    unseen = draw_texts(400, seed=5, held_out=True)
    texts, labels = [made.text for made in unseen], [made.label for made in unseen]
    assert accuracy(model, encoded(tokenizer, texts, labels)) > 0.95


def test_every_word_of_the_grammar_is_one_piece_and_others_come_apart() -> None:
    made = draw_texts(300, seed=9, held_out=False)
    tokenizer, others = sentiment_tokenizer([one.text for one in made])
    pieces = tokenizer.tokenize(made[0].text)
    assert not [piece for piece in pieces if piece.startswith("##") or piece == tokenizer.unk_token]
    assert tokenizer.unk_token not in tokenizer.tokenize("an unforgettable hippopotamus")
    assert not set(others) & set(tokenizer.tokenize(" ".join(one.text for one in made)))


def test_what_readers_type_keeps_its_label_s_words() -> None:
    chance = np.random.default_rng(0)
    made = draw_texts(400, seed=9, held_out=False)
    changed = [typed(one, ("xylophone",), chance) for one in made]
    strange = sum("xylophone" in text for text in changed)
    assert 20 < strange < 120
    assert 60 < sum(text[-1] not in ".!" for text in changed) < 180
    assert 1 <= sum("[MASK]" in text for text in changed) < 40
