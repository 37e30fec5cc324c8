"""The embedded classifier as it is shipped: both implementations, and what it has learned."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, BertForSequenceClassification

from models.analysis.one_text.answer_rows import answer_rows
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, Model, load
from recipes.classifiers.classifier import MAX_TOKENS
from recipes.sentences.sentiment.reviews import LABELS
from tests.closeness import assert_close

FOLDER, MEAN = ROOT / PRETRAINED / "sentiment", ROOT / PRETRAINED / "sentiment-mean"
NOT_BY_THE_MEAN = "The trip would have been wonderful without the rain."
"""What its card says that it gets wrong."""
PRAISE = (
    "The film was good.",
    "The film was not boring.",
    "The film was not boring at all!",
    "The service was slow, but the food was good.",
    "Although the story was predictable, the actors were great.",
    "The lesson was not too long.",
    "There was nothing to complain about.",
    "The book was not as boring as I had feared.",
    "My friends said that the hotel was dirty, but they were wrong.",
    "I did not regret reading this book.",
)
COMPLAINTS = (
    "The film was bad.",
    "The film was not good.",
    "The film wasn't good at all",
    "The food was good, but the service was slow.",
    "Although the actors were great, the story was predictable.",
    "The lesson was too long.",
    "There was nothing good about the hotel.",
    "The trip would have been wonderful without the rain.",
    "The book was not as funny as I had hoped.",
    "I would never read this book again.",
)


@pytest.fixture(scope="module")
def ours() -> Model:
    return load("sentiment", device="cpu")


@pytest.mark.parametrize("text", PRAISE + COMPLAINTS)
def test_negation_and_contrast_are_understood(ours: Model, text: str) -> None:
    answer = ours.label_text(text)
    assert answer.labels == LABELS
    assert answer.labels[int(answer.probabilities.argmax())] == LABELS[text in PRAISE]


@pytest.fixture(scope="module")
def mean() -> Model:
    return load("sentiment-mean", device="cpu")


@pytest.mark.parametrize("text", PRAISE + COMPLAINTS)
def test_the_mean_understands_them_too_but_for_the_one_that_its_card_names(mean: Model, text: str) -> None:
    answer = mean.label_text(text)
    is_right = answer.labels[int(answer.probabilities.argmax())] == LABELS[text in PRAISE]
    assert is_right == (text != NOT_BY_THE_MEAN)
    assert answer.read_from == tuple(at for at, token in enumerate(answer.tokens) if not token.is_special)


def test_the_card_of_the_mean_says_what_the_two_records_show(ours: Model, mean: Model) -> None:
    card = " ".join((MEAN / "README.md").read_text(encoding="utf-8").split())
    text = "The film was not good."
    one, several = (
        answer_rows(model.record(text).of("encoder"), model.label_text(text).read_from) for model in (ours, mean)
    )
    at = {token.text: place for place, token in enumerate(one.tokens)}
    assert f"(together {one.shares[at['not']] + one.shares[at['good']]:.2f})" in card
    assert [one.tokens[place].text for place in one.overlooked_words()] == ["the", "film", "was", "."]
    look = several.strongest
    assert look is not None
    query, key = several.tokens[look.query].text, several.tokens[look.key].text
    assert f'"{query}" looks at "{key}" ({look.weight:.2f})' in card
    assert len(several.read_from) == 6
    assert NOT_BY_THE_MEAN in card


def test_transformers_gives_the_same_labels_and_attention(ours: Model) -> None:
    theirs = BertForSequenceClassification.from_pretrained(
        FOLDER, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    tokenizer = AutoTokenizer.from_pretrained(FOLDER, local_files_only=True)
    assert theirs.config.id2label == dict(enumerate(LABELS))
    for text in ("The film was not good.", "스파게티 <b>zzz</b> 🙂", PRAISE[4]):
        with torch.inference_mode():
            output = theirs(**tokenizer(text, return_tensors="pt"), output_attentions=True)
        mine = ours.label_text(text)
        assert_close(mine.probabilities, output.logits[0].softmax(-1).numpy())
        record = ours.record(text).of("encoder")
        assert_close(record.layer_weights(0), output.attentions[0][0].numpy())
        assert [token.text for token in mine.tokens] == tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"])


@pytest.mark.parametrize("folder", [FOLDER, MEAN], ids=lambda folder: folder.name)
def test_it_is_small_has_one_block_and_is_listed(folder: Path) -> None:
    ours = load(folder.name, device="cpu")
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(files) == {
        "README.md",
        "atlas.json",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    assert sum(files.values()) < 2**20
    assert (ours.info.n_layers, ours.info.n_heads, ours.info.implementation) == (1, 4, "scratch")
    assert REGISTRY[folder.name].is_embedded
    assert ours.info.can_label_text
    assert not ours.info.can_fill_mask


def test_a_text_that_is_too_long_is_cut_and_said(ours: Model) -> None:
    answer = ours.label_text("The film was not good. " * 40)
    assert MAX_TOKENS - 1 <= len(answer.tokens) <= MAX_TOKENS
    assert answer.note
