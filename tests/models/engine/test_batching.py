"""Sentences of several readers in one pass: each gets what it gets alone, and nobody pays for another."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence

import pytest

from models import load
from models.engine.batching import BatchRule, Sentence, is_faster
from models.opening.entries import PRETRAINED, ROOT
from models.scratch_models.encoder import ScratchModel, load_scratch
from models.tasks.together import RecordsTogether
from models.text.prepare import PreparedText
from models.values.errors import TextError
from models.values.record import Recording
from tests.models.same_recordings import expect_same_recording

SENTENCE = "The animal didn't cross the street because it was too tired."
WORDS = ("the", "animal", "crossed", "a", "street", "[MASK]", "because", "it", "was", "tired", ",", "unbelievably")
RULE = BatchRule(tokens_of_a_pass=20, most_tokens=256, most_sentences=8)
LONGEST = 60.0


@pytest.fixture(scope="module")
def model() -> ScratchModel:
    """The smallest of the embedded ones, in our own encoder."""
    return load_scratch(ROOT / PRETRAINED / "tiny-bert" / "step-001708", name="tiny-bert", device="cpu")


class Watched:
    """A model, and how many texts each of its passes had. It cannot read some."""

    def __init__(self, model: ScratchModel, unreadable: str = "") -> None:
        self.info, self.model, self.unreadable = model.info, model, unreadable
        self.passes: list[int] = []
        self.prepare_together: Callable[..., PreparedText] = model.prepare_together

    def pass_group(self, text: PreparedText, /) -> Hashable:
        return self.model.pass_group(text)

    def record_all(self, texts: Sequence[PreparedText]) -> tuple[Recording, ...]:
        self.passes.append(len(texts))
        if any(token.text == self.unreadable for text in texts for token in text.tokens):
            raise TextError("It cannot be read.")
        return self.model.record_all(texts)


def some_text(generator: random.Random, most_words: int) -> str:
    return " ".join(generator.choices(WORDS, k=generator.randint(1, most_words)))


@pytest.mark.parametrize("seed", range(6))
def test_any_mixture_of_lengths_gives_each_what_it_gets_alone(model: ScratchModel, seed: int) -> None:
    generator = random.Random(seed)
    asked = [
        (some_text(generator, generator.choice((2, 12, 80))), some_text(generator, 12) if seed % 2 else None)
        for _ in range(generator.randint(2, 6))
    ]
    together = model.record_all([model.prepare_together(*each) for each in asked])
    for recording, (text, text_b) in zip(together, asked, strict=True):
        expect_same_recording(recording, model.record(text, text_b))


def test_the_model_that_opens_first_does_so_too_in_both_implementations() -> None:
    for name in ("headlight-bert", f"{PRETRAINED.as_posix()}/headlight-bert"):
        opened = load(name, device="cpu")
        assert isinstance(opened, RecordsTogether)
        texts = (SENTENCE, "He plays the piano in a band.", "Yes.")
        for recording, text in zip(
            opened.record_all([opened.prepare_together(text) for text in texts]), texts, strict=True
        ):
            expect_same_recording(recording, opened.record(text))


def sentences(model: RecordsTogether, *lengths: int) -> list[Sentence]:
    """Sentences of so many tokens, [CLS] and [SEP] counted."""
    return [Sentence(model=model, text=model.prepare_together("the " * (n - 2))) for n in lengths]


@pytest.mark.parametrize(
    ("batch", "more", "expected"),
    [
        ((15,), 15, True),
        ((15, 15, 15), 12, True),
        ((45,), 60, True),  # 75 tokens more in this pass, or 60 + 20 in another
        ((45, 45), 60, False),  # 90 more: both would be padded
        ((100,), 20, False),  # 100 more, or 20 + 20
        ((120,), 120, True),
        ((85, 85), 88, False),  # 264 tokens
        ((10,) * 7, 10, True),
        ((10,) * 8, 10, False),
    ],
)
def test_a_sentence_joins_where_that_saves_time(
    model: ScratchModel, batch: tuple[int, ...], more: int, expected: bool
) -> None:
    *waiting, last = sentences(model, *batch, more)
    assert is_faster(waiting, last, RULE) == expected


def test_sentences_of_two_models_are_never_read_together(model: ScratchModel) -> None:
    (one,), (other,) = sentences(model, 15), sentences(Watched(model), 15)
    assert not is_faster([one], other, RULE)
