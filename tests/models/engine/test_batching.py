"""Sentences of several readers in one pass: each gets what it gets alone, and nobody pays for another."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from models import load
from models.engine.batching import BatchRule, Sentence, is_faster
from models.engine.local import LocalEngine
from models.opening.registry import PRETRAINED, ROOT
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
        self.prepared: Callable[..., PreparedText] = model.prepared

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
    together = model.record_all([model.prepared(*each) for each in asked])
    for recording, (text, text_b) in zip(together, asked, strict=True):
        expect_same_recording(recording, model.record(text, text_b))


def test_the_model_that_opens_first_does_so_too_in_both_implementations() -> None:
    for name in ("headlight-bert", f"{PRETRAINED.as_posix()}/headlight-bert"):
        opened = load(name, device="cpu")
        assert isinstance(opened, RecordsTogether)
        texts = (SENTENCE, "He plays the piano in a band.", "Yes.")
        for recording, text in zip(opened.record_all([opened.prepared(text) for text in texts]), texts, strict=True):
            expect_same_recording(recording, opened.record(text))


def sentences(model: RecordsTogether, *lengths: int) -> list[Sentence]:
    """Sentences of so many tokens, [CLS] and [SEP] counted."""
    return [Sentence(model=model, text=model.prepared("the " * (n - 2))) for n in lengths]


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


# -- by turns ---------------------------------------------------------------------------------------------------------


class Readers:
    """Threads that ask an engine while its only turn is taken, so that they wait in the order in which they ask."""

    def __init__(self, model: Watched) -> None:
        self.engine, self._model, self._n = LocalEngine(1), model, 0
        self._threads = ThreadPoolExecutor(max_workers=16)

    def ask(self, text: str, *, client: str, look: Callable[[], None] | None = None) -> Future[Recording]:
        found = self._threads.submit(self.engine.record, self._model, text, client=client, look=look)
        self._n += 1
        self.until(lambda: self.engine.turns.n_waiting == self._n)
        return found

    def until(self, holds: Callable[[], bool]) -> None:
        pause, left = threading.Event(), LONGEST
        while not holds():
            pause.wait(0.002)
            left -= 0.002
            assert left > 0

    @contextmanager
    def busy(self) -> Iterator[None]:
        with self.engine.turns.one("somebody else"):
            yield


def test_what_waits_is_one_pass_and_each_gets_its_own(model: ScratchModel) -> None:
    watched = Watched(model)
    readers = Readers(watched)
    texts = ("One sentence.", "Another sentence, longer.", "The third of them.")
    with readers.busy():
        asked = [readers.ask(text, client=str(n)) for n, text in enumerate(texts)]
    for found, text in zip(asked, texts, strict=True):
        expect_same_recording(found.result(timeout=LONGEST), model.record(text))
    assert watched.passes == [3]


def test_who_comes_alone_is_read_at_once_and_alone(model: ScratchModel) -> None:
    watched = Watched(model)
    engine = LocalEngine(1)
    for _ in range(2):
        expect_same_recording(engine.record(watched, SENTENCE, client="reader"), model.record(SENTENCE))
    assert watched.passes == [1, 1]
    assert engine.turns.n_waiting == 0


@pytest.mark.parametrize("place", range(3))
def test_an_error_in_one_sentence_is_told_to_that_reader_alone(model: ScratchModel, place: int) -> None:
    watched = Watched(model, unreadable="tired")
    readers = Readers(watched)
    texts = ["The cat sat.", "A street.", "The animal."]
    texts[place] = f"It was {watched.unreadable}."
    with readers.busy():
        asked = [readers.ask(text, client=str(n)) for n, text in enumerate(texts)]
    for n, (found, text) in enumerate(zip(asked, texts, strict=True)):
        if n == place:
            with pytest.raises(TextError, match="cannot be read"):
                found.result(timeout=LONGEST)
        else:
            expect_same_recording(found.result(timeout=LONGEST), model.record(text))
    assert readers.engine.turns.n_waiting == 0
    assert watched.passes[0] == 3


def test_a_reader_who_leaves_frees_the_place(model: ScratchModel) -> None:
    watched, left = Watched(model), threading.Event()
    readers = Readers(watched)

    def look() -> None:
        if left.is_set():
            raise InterruptedError

    with readers.busy():
        leaves = readers.ask("Somebody who leaves.", client="a", look=look)
        stays = readers.ask("Somebody who stays.", client="b", look=lambda: None)
        left.set()
        with pytest.raises(InterruptedError):
            leaves.result(timeout=LONGEST)
        assert readers.engine.turns.n_waiting == 1
    assert stays.result(timeout=LONGEST).tokens == model.record("Somebody who stays.").tokens
    assert watched.passes == [1]


def test_a_client_has_a_second_sentence_in_a_batch_only_if_no_other_is_left_waiting(model: ScratchModel) -> None:
    for n_of_another, expected in ((0, [3]), (1, [1, 1, 2])):
        watched = Watched(model)
        readers = Readers(watched)
        with readers.busy():
            asked = [readers.ask("The cat sat.", client="many tabs") for _ in range(3)]
            asked += [readers.ask("The cat " * 60, client="another") for _ in range(n_of_another)]
        for found in asked:
            found.result(timeout=LONGEST)
        assert watched.passes == expected


def test_a_translator_is_recorded_with_what_its_decoder_writes() -> None:
    translator, engine = load("translator-es", device="cpu"), LocalEngine(1)
    expect_same_recording(engine.record(translator, SENTENCE, client="reader"), translator.record(SENTENCE))
