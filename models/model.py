"""The questions that a model answers, each declared once, and the words for a model that cannot answer one."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

from models.values.answers import (
    AskedWord,
    JointFilling,
    LayerwisePrediction,
    MaskedText,
    ReplacedTokens,
    TextLabels,
    TokenLabels,
)
from models.values.arguments.bounds import Between, Count, Index, NotNegative, Seed
from models.values.arguments.check import check_answers, check_arguments
from models.values.errors import MissingCapabilityError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, HeadPlace
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, AnswerOf, AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs, ScoreStreams
from models.values.record import Array, Kind, MaskPrediction, ModelInfo, Recording
from models.values.results.costs import WritingTimes
from models.values.results.lens import JacobianLens
from models.values.steps import LayerWalk, WhatIf
from models.values.wording import to_say, worded
from models.values.writing import TokenGuesses, Writing

RECORDING = "recording"
MASKED_WORDS = "masked words"
NEXT_SENTENCE = "next sentence"
REPLACED_TOKENS = "replaced tokens"
LABELS_OF_TOKENS = "labels of tokens"
LABELS_OF_TEXTS = "labels of texts"
TRANSLATION = "translation"
NEXT_TOKENS = "next tokens"
ANSWERS = "answers"
"""Any of them but the recording."""

LACKS: dict[str, str] = {
    RECORDING: to_say("cannot be recorded"),
    MASKED_WORDS: to_say("has no LM head for masked words"),
    NEXT_SENTENCE: to_say("has no NSP head, which judges the next sentence"),
    REPLACED_TOKENS: to_say("cannot find replaced tokens"),
    LABELS_OF_TOKENS: to_say("has no classifier for tokens"),
    LABELS_OF_TEXTS: to_say("has no classifier for texts"),
    TRANSLATION: to_say("cannot translate"),
    NEXT_TOKENS: to_say("cannot continue a text"),
    ANSWERS: to_say("answers no question that Headlight asks"),
}
"""Words for a model without the capability, after its name."""
ADVICE: dict[str, str] = {
    RECORDING: to_say("Choose another model, such as headlight-bert."),
    MASKED_WORDS: to_say("Choose a model that has one, such as headlight-bert."),
    NEXT_SENTENCE: to_say("Choose a model that has one, such as headlight-bert."),
    REPLACED_TOKENS: to_say("Choose an ELECTRA discriminator, such as google/electra-base-discriminator."),
    LABELS_OF_TOKENS: to_say("Choose a model whose configuration says ForTokenClassification."),
    LABELS_OF_TEXTS: to_say("Choose a model whose configuration says ForSequenceClassification."),
    TRANSLATION: to_say("Choose a model with an encoder and a decoder, such as translator-es."),
    NEXT_TOKENS: to_say("Choose a model that reads from left to right, such as mini-llama."),
    ANSWERS: to_say("Its attention can be shown; for answers, choose another model, such as headlight-bert."),
}
"""Advice for what to do instead."""
UNTRAINED = to_say(
    "its configuration names it, but it is untrained: its weights are not in the checkpoint, so its answers would be "
    "random"
)
NO_WEIGHTS = to_say("its checkpoint has no weights for it")
NO_LANGUAGES = to_say(
    "{model} is not told which languages to read and to write, so none can be chosen. Leave the languages out, or "
    "choose a model of many languages, such as facebook/nllb-200-distilled-600M."
)
TellProgress = Callable[[int, int], None]
"""Is called with (done, of); an exception from it ends the work."""


class Model(ABC):
    """A model that answers questions about a text.

    An adapter overrides the questions that it can answer. Every other one raises MissingCapabilityError, which names
    the model, what it lacks, and a model that has it. `info` says beforehand what can be answered. All questions raise
    TextError for a text that is empty or too long, and ArgumentError or SelectionError for arguments that do not fit.
    """

    info: ModelInfo

    def __init_subclass__(cls, **options: Any) -> None:
        """Check the arguments of every question that a class answers against the declarations below."""
        super().__init_subclass__(**options)
        check_answers(cls, {name: vars(Model)[name] for name in QUESTIONS})

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run a text, or a pair of texts, and return queries, keys and values of every attention layer.

        An encoder-decoder reads `text_b` in its decoder; without it, what its decoder reads is written by the model,
        the likeliest token each time. No task prefix is added: type "translate English to German: " yourself for T5.
        """
        raise self.lacks(RECORDING)

    @check_arguments
    def record_texts(self, texts: Sequence[str]) -> tuple[Recording, ...]:
        """Return what `record` gives for every text; several share a pass where each gets in it what it gets alone."""
        return tuple(self.record(text) for text in texts)

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: Seed = 0
    ) -> ShuffledPair:
        """Record a text as it is written and with its tokens shuffled, with positions or without. Raises
        UnsupportedModelError for a model that cannot be told positions."""
        raise self.lacks(RECORDING)

    def walk(
        self,
        text: str,
        text_b: str | None = None,
        *,
        kind: Kind = "encoder",
        layer: int,
        head: int,
        what_if: WhatIf | None = None,
    ) -> LayerWalk:
        """Return every step of a layer for one head, optionally with one step changed."""
        raise self.lacks(RECORDING)

    def positions(self) -> ModelPositions:
        """Return how the model tells positions apart."""
        raise self.lacks(RECORDING)

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        """Return the distribution over the vocabulary at every [MASK]; no rows if there is none."""
        raise self.lacks(MASKED_WORDS)

    def fill_mask(self, text: str, top_k: Count = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """Return the `top_k` most probable words for every [MASK]. Raises TextError if there is none."""
        raise self.lacks(MASKED_WORDS)

    def predict_by_layer(
        self, text: str, mask: int = 0, text_b: str | None = None, *, lens: JacobianLens | None = None
    ) -> LayerwisePrediction:
        """Return what the LM head reads after every layer at one [MASK], counted from 0, or of a causal model for the
        token after the text: from the states as they are, or through a `lens`."""
        raise self.lacks(MASKED_WORDS)

    def fill_jointly(self, text: str, text_b: str | None = None, progress: TellProgress | None = None) -> JointFilling:
        """Fill every [MASK], the surest first, reading the text again after each."""
        raise self.lacks(MASKED_WORDS)

    def ask_word(self, word: str) -> AskedWord:
        """Return how the vocabulary spells a word."""
        raise self.lacks(MASKED_WORDS)

    def guess_tokens(self, text: str) -> TokenGuesses:
        """Guess every token of a text, from both sides, or from the tokens before it."""
        raise self.lacks(MASKED_WORDS)

    def next_sentence(self, text: str, text_b: str, *, exchange_segments: bool = False) -> float:
        """Return the probability that `text_b` follows `text`, perhaps each with the segment vector of the other."""
        raise self.lacks(NEXT_SENTENCE)

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """Return for every token the probability that it was replaced (ELECTRA's discriminator)."""
        raise self.lacks(REPLACED_TOKENS)

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """Return for every token the probabilities of the labels."""
        raise self.lacks(LABELS_OF_TOKENS)

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """Return the probabilities of the labels of a text."""
        raise self.lacks(LABELS_OF_TEXTS)

    def translate(
        self,
        text: str,
        *,
        width: Count = 1,
        length_penalty: Annotated[float, Between(-10, 10)] = 0.6,
        source_language: str = "",
        target_language: str = "",
    ) -> Writing:
        """Translate a text, greedily or by a beam search of `width`; in the model's own languages if none are named.
        The `length_penalty` is that of Wu et al. 2016, section 7; 0 for none."""
        if source_language.strip() or target_language.strip():
            self.in_languages(source=source_language, target=target_language)
        raise self.lacks(TRANSLATION)

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """Return the same model with other languages to read and to write; an empty code leaves what is.

        Raises SelectionError for a language that it does not know, MissingCapabilityError if it is never told any.
        """
        if source.strip() or target.strip():
            raise MissingCapabilityError(self.info.name, worded(NO_LANGUAGES, model=self.info.name))
        return self

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: NotNegative = 1.0, top_k: Index = 0, seed: Seed = 0
    ) -> Writing:
        """Continue a text by at most `n_new` tokens, each sampled from softmax(logits / temperature) of the `top_k`
        likeliest tokens (0: all). The temperature 0 takes the likeliest; the same seed gives the same text."""
        raise self.lacks(NEXT_TOKENS)

    def write_without(self, text: str, *, heads: Sequence[HeadEdit], n_new: int = 20) -> Writing:
        """Continue a text, the likeliest token each time, while the output of some heads is changed."""
        raise self.lacks(NEXT_TOKENS)

    def time_writing(self, text: str, *, n_new: Count = 48) -> WritingTimes:
        """Continue a text by `n_new` drawn tokens, with a key/value cache and without, and time each of them."""
        raise self.lacks(NEXT_TOKENS)

    def answer_logits(
        self,
        text: str,
        text_b: str | None = None,
        *,
        of: AnswerOf | None = None,
        position: int | None = None,
        changes: Changes = NO_CHANGES,
    ) -> AnswerLogits:
        """Return the logits of the answer at one place, by default at the first that a reader would ask about."""
        raise self.lacks(RECORDING)

    def answers_under(
        self,
        text: str,
        text_b: str | None = None,
        *,
        contrast: Contrast,
        changes: Sequence[Changes],
        progress: TellProgress | None = None,
    ) -> AnswersUnder:
        """Return the logits of an answer and its rival under each of some changes."""
        raise self.lacks(RECORDING)

    def gradients(
        self,
        text: str,
        text_b: str | None = None,
        *,
        contrast: Contrast,
        changes: Sequence[Changes] = (NO_CHANGES,),
        by: GradientsBy = "weights",
    ) -> tuple[Gradients, ...]:
        """Return the gradients of the logit difference under each of some changes."""
        raise self.lacks(RECORDING)

    def jacobians(self, text: str, text_b: str | None = None) -> Array:
        """Return how the last state of the first [MASK], or of the token that is continued, changes with the state
        there before every layer [n_layers, d_model, d_model]: derivatives of feature i, by row, by feature j."""
        raise self.lacks(RECORDING)

    def layer_inputs(self, text: str, text_b: str | None = None) -> tuple[LayerInputs, ...]:
        """Return what every layer of every stack reads."""
        raise self.lacks(RECORDING)

    def head_circuits(self, text: str, text_b: str | None = None) -> tuple[HeadCircuits, ...]:
        """Return the matrices of every head (Elhage et al. 2021), found by what they do to a text."""
        raise self.lacks(RECORDING)

    def answer_streams(self, text: str, text_b: str | None = None, *, contrast: Contrast) -> AnswerStreams:
        """Return all vectors that are added up on the way to an answer."""
        raise self.lacks(RECORDING)

    def score_streams(
        self, text: str, text_b: str | None = None, *, place: HeadPlace, query: Index, key: Index
    ) -> ScoreStreams:
        """Return the streams that the query and the key of one score of a head are read from."""
        raise self.lacks(RECORDING)

    def lacks(self, capability: str) -> MissingCapabilityError:
        """Return the error for a capability that the model does not have."""
        return missing(self.info, capability, NO_WEIGHTS)


_NO_QUESTIONS = {"in_languages", "lacks", "record_texts"}
QUESTIONS = tuple(name for name in vars(Model) if not name.startswith("_") and name not in _NO_QUESTIONS)
"""The questions by name, for a cache by its keys and for a process by a pipe."""


def missing(info: ModelInfo, capability: str, why: str, *, lacks: str = "") -> MissingCapabilityError:
    """Return the error for a capability that a model does not have.

    `why` is half a sentence. `lacks` replaces the first words, where those of LACKS would not be true of the model.
    """
    reason = UNTRAINED if capability in info.untrained else why
    return MissingCapabilityError(
        info.name,
        worded(
            "{model} {lacks}: {why}. {advice}",
            model=info.name,
            lacks=lacks or LACKS[capability],
            why=reason,
            advice=ADVICE[capability],
        ),
    )
