"""A stranger's model: it lives in a process of its own, with limits of memory and of time, and is asked from here.

Nobody else waits for it. A process that takes too much is ended, which is said in a sentence, and begun anew when the
model is asked again. On Windows and macOS the time is limited, and the memory is not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any, TypeVar
from weakref import finalize

from models.opening.guest_answers import read_frame, write_frame
from models.values import errors
from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.errors import HeadlightError, ModelError, ModelLoadError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import Kind, MaskPrediction, ModelInfo, Recording
from models.values.steps import LayerWalk, WhatIf
from models.values.writing import TokenGuesses, Writing

ROOT = Path(__file__).resolve().parents[2]
_ERRORS: dict[str, type[HeadlightError]] = {
    name: found for name, found in vars(errors).items() if isinstance(found, type) and issubclass(found, HeadlightError)
}
MEGABYTE = 1024**2
WEIGHTS, COPIES = "model.safetensors", 8
"""So often the weights may be in memory: as the file has them, often in half precision, in float32, and once more."""
_LONGEST_MESSAGE = 1000
_SECRETS = ("TOKEN", "SECRET", "PASSWORD", "KEY")
"""What is in the name of a variable that a stranger's model is not told."""
_TIME_TO_DIE = 10.0
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestLimits:
    """What the process of a stranger's model may take: memory beyond that of torch and the weights, and time by the
    clock."""

    megabytes: float = 3000
    opening_seconds: float = 180
    seconds: float = 60


USUAL = GuestLimits()


class GuestModel:
    """A model in a process of its own, which is asked one question at a time. Ended when nobody holds it any more."""

    def __init__(self, folder: Path, *, name: str, limits: GuestLimits = USUAL) -> None:
        """Open the model in a checkpoint folder. Raises ModelLoadError if it does not open within the limits."""
        self.limits = limits
        self._folder, self._name = folder, name
        self._asking = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.info: ModelInfo = self._opened()

    def close(self) -> None:
        """End the process; the next question begins a new one."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    # -- the questions, as `models.opening.registry.Model` has them

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run a text, or a pair, and keep everything."""
        return self._ask(Recording, "record", text, text_b)

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: int = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, with positions or without."""
        return self._ask(ShuffledPair, "record_shuffled", text, text_b, with_positions=with_positions, seed=seed)

    def walk(
        self, text: str, text_b: str | None = None, *, kind: Kind = "encoder", layer: int, head: int,
        what_if: WhatIf | None = None,
    ) -> LayerWalk:  # fmt: skip
        """Every step of a layer for one head."""
        return self._ask(LayerWalk, "walk", text, text_b, kind=kind, layer=layer, head=head, what_if=what_if)

    def positions(self) -> ModelPositions:
        """How the model tells positions apart."""
        return self._ask(ModelPositions, "positions")

    def fill_mask(self, text: str, top_k: int = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """The best words for every [MASK]."""
        found: tuple[MaskPrediction, ...] = self._ask(tuple, "fill_mask", text, top_k, text_b)
        return found

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability that `text_b` follows `text`."""
        return self._ask(float, "next_sentence", text, text_b)

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        """The whole distribution of every [MASK]."""
        return self._ask(MaskedText, "masked_words", text, text_b)

    def predict_by_layer(self, text: str, mask: int = 0, text_b: str | None = None) -> LayerwisePrediction:
        """What the MLM head reads in the hidden state of one [MASK] after every layer."""
        return self._ask(LayerwisePrediction, "predict_by_layer", text, mask, text_b)

    def fill_jointly(
        self, text: str, text_b: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> JointFilling:
        """Every [MASK] filled, the surest first; `progress` hears of the end alone."""
        filling = self._ask(JointFilling, "fill_jointly", text, text_b)
        if progress is not None:
            progress(len(filling.steps), len(filling.steps))
        return filling

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word."""
        return self._ask(AskedWord, "ask_word", word)

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """For every token the probability that somebody replaced it."""
        return self._ask(ReplacedTokens, "find_replaced", text, text_b)

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """For every token the probabilities of the labels."""
        return self._ask(TokenLabels, "label_tokens", text, text_b)

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """The probabilities of the labels of the text."""
        return self._ask(TextLabels, "label_text", text, text_b)

    def translate(self, text: str, *, width: int = 1, length_penalty: float = 0.6) -> Writing:
        """What it writes for a source, greedily or with a beam search of that width."""
        return self._ask(Writing, "translate", text, width=width, length_penalty=length_penalty)

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: float = 1.0, top_k: int = 0, seed: int = 0
    ) -> Writing:
        """What it writes after a text; the temperature 0 takes the likeliest token, `top_k` 0 draws from all."""
        return self._ask(Writing, "continue_text", text, n_new=n_new, temperature=temperature, top_k=top_k, seed=seed)

    def guess_tokens(self, text: str) -> TokenGuesses:
        """Every token of a text, guessed from both sides, or from the tokens before it."""
        return self._ask(TokenGuesses, "guess_tokens", text)

    # -- the process ---------------------------------------------------------------------------------------------------

    def _ask(self, expected: type[Answer], question: str, *words: object, **choices: object) -> Answer:
        """The answer to a question. Raises what the model raises, and ModelError if it took too much."""
        with self._asking:
            if self._process is None or self._process.poll() is not None:
                self._opened()
            return self._heard(expected, self.limits.seconds, (question, words, choices))

    def _opened(self) -> ModelInfo:
        """Begin the process, which says what it has opened."""
        self.close()
        megabytes = self.limits.megabytes + COPIES * (self._folder / WEIGHTS).stat().st_size / MEGABYTE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "models.opening.guest_process", str(self._folder), self._name, f"{megabytes}"],
            cwd=ROOT, env=_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        finalize(self, _end, self._process)
        try:
            return self._heard(ModelInfo, self.limits.opening_seconds)
        except HeadlightError:
            self.close()  # it has said why it has nothing to answer with
            raise

    def _heard(self, expected: type[Answer], seconds: float, question: object = None) -> Answer:
        """What the process says next, within so many seconds; whatever else comes of it is an error, and its end."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("The process of a model has no pipes.")
        is_late = Event()

        def give_up() -> None:
            is_late.set()
            process.kill()

        watch = Timer(seconds, give_up)
        watch.daemon = True
        watch.start()
        try:
            if question is not None:
                write_frame(process.stdin, question)
            said = read_frame(process.stdout)
            return self._understood(expected, said)
        except (OSError, EOFError, ValueError, TypeError, LookupError, RecursionError, MemoryError) as error:
            if isinstance(error, HeadlightError):
                raise
            self.close()
            raise self._ended(seconds if is_late.is_set() else None) from error
        finally:
            watch.cancel()

    def _understood(self, expected: type[Answer], said: Any) -> Answer:
        """The answer, or the error that is said instead. Raises TypeError for an answer to another question."""
        if "error" in said:
            message = str(said["message"])[:_LONGEST_MESSAGE].replace(str(self._folder), self._name)
            kind = _ERRORS[said["error"]]
            raise kind(self._name, message) if issubclass(kind, ModelError) else kind(message)
        answer = said["answer"]
        if not isinstance(answer, expected):
            raise TypeError(f"{type(answer).__name__} came, expected {expected.__name__}.")
        return answer

    def _ended(self, seconds: float | None) -> ModelLoadError:
        if seconds is not None:
            why = f"took more than {seconds:g} seconds, and was ended."
        else:
            why = "ended without an answer, perhaps because it needs more memory than this server gives it."
        return ModelLoadError(
            self._name, f"{self._name}, which somebody uploaded, {why} Take a shorter text or another model."
        )


def _environment() -> dict[str, str]:
    """What the process may know: nothing that is secret, and not the network of the hub."""
    told = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in _SECRETS)}
    return told | {
        "HF_HUB_OFFLINE": "1", "MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false",
    }  # fmt: skip


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, and let go of its pipes."""
    process.kill()
    process.wait(timeout=_TIME_TO_DIE)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # a question that was never sent
                continue
