"""What a model can be asked: a Protocol for every capability, and `Model`, which has them all.

A question stands here once, with its arguments and its answer. Whoever does not answer it by itself inherits what
`otherwise` does: an adapter says why it cannot (`models.tasks.questions`), a guest asks its process (`opening.guest`).
docs/add-a-capability.md says which files a new one touches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Protocol, Self, TypeVar

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
from models.values.arguments.check import check_questions
from models.values.errors import MissingCapabilityError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit
from models.values.probing.circuits import HeadCircuits
from models.values.probing.contrast import AnswerLogits, AnswerOf, AnswersUnder, Contrast
from models.values.probing.gradients import Gradients, GradientsBy
from models.values.probing.stream import AnswerStreams, LayerInputs
from models.values.record import Kind, MaskPrediction, ModelInfo, Recording
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

NO_LANGUAGES = to_say(
    "{model} is not told which languages to read and to write, so none can be chosen. Leave the languages out, or "
    "choose a model of many languages, such as facebook/nllb-200-distilled-600M."
)

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
"""What is said of a model without the capability, after its name."""
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

Reply = TypeVar("Reply")


class Capable(Protocol):
    """A model that describes itself, and that can be asked."""

    info: ModelInfo

    def __init_subclass__(cls, *, hands_on: bool = False, **options: Any) -> None:
        """Check the arguments of every question that a class answers, or `hands_on` to somebody else."""
        super().__init_subclass__(**options)
        check_questions(cls, besides=Capable, with_defaults=hands_on)

    def otherwise(self, reply: type[Reply], capability: str, question: str, *words: object, **choices: object) -> Reply:
        """The answer, of the class `reply`, to a question that the model's own class does not answer, or an error."""


class Records(Capable, Protocol):
    """What every model of ours can do: read a text, and show what its attention does with it."""

    def record(self, text: str, text_b: str | None = None) -> Recording:
        """Run a text, or a pair, and keep everything."""
        return self.otherwise(Recording, RECORDING, "record", text, text_b)

    def record_shuffled(
        self, text: str, text_b: str | None = None, *, with_positions: bool, seed: Seed = 0
    ) -> ShuffledPair:
        """The text as it is written and with its tokens shuffled, with positions or without."""
        return self.otherwise(
            ShuffledPair, RECORDING, "record_shuffled", text, text_b, with_positions=with_positions, seed=seed
        )

    def walk(
        self, text: str, text_b: str | None = None, *, kind: Kind = "encoder", layer: int, head: int,
        what_if: WhatIf | None = None,
    ) -> LayerWalk:  # fmt: skip
        """Every step of a layer for one head."""
        return self.otherwise(
            LayerWalk, RECORDING, "walk", text, text_b, kind=kind, layer=layer, head=head, what_if=what_if
        )

    def positions(self) -> ModelPositions:
        """How the model tells positions apart."""
        return self.otherwise(ModelPositions, RECORDING, "positions")


class FillsMasks(Capable, Protocol):
    """A model with an LM head for masked words."""

    def masked_words(self, text: str, text_b: str | None = None) -> MaskedText:
        """The whole distribution of every [MASK]."""
        return self.otherwise(MaskedText, MASKED_WORDS, "masked_words", text, text_b)

    def fill_mask(self, text: str, top_k: Count = 5, text_b: str | None = None) -> tuple[MaskPrediction, ...]:
        """The best words for every [MASK]."""
        found: tuple[MaskPrediction, ...] = self.otherwise(tuple, MASKED_WORDS, "fill_mask", text, top_k, text_b)
        return found

    def predict_by_layer(self, text: str, mask: int = 0, text_b: str | None = None) -> LayerwisePrediction:
        """What the MLM head reads in the hidden state of one [MASK] after every layer."""
        return self.otherwise(LayerwisePrediction, MASKED_WORDS, "predict_by_layer", text, mask, text_b)

    def fill_jointly(
        self, text: str, text_b: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> JointFilling:
        """Every [MASK] filled, the surest first; `progress` is told (done, of), if only at the end."""
        filling = self.otherwise(JointFilling, MASKED_WORDS, "fill_jointly", text, text_b)
        if progress is not None:
            progress(len(filling.masks), len(filling.masks))
        return filling

    def ask_word(self, word: str) -> AskedWord:
        """How the vocabulary spells a word."""
        return self.otherwise(AskedWord, MASKED_WORDS, "ask_word", word)


class JudgesNextSentence(Capable, Protocol):
    """A model with an NSP head."""

    def next_sentence(self, text: str, text_b: str) -> float:
        """The probability that `text_b` follows `text`."""
        return self.otherwise(float, NEXT_SENTENCE, "next_sentence", text, text_b)


class FindsReplaced(Capable, Protocol):
    """A discriminator, as ELECTRA's."""

    def find_replaced(self, text: str, text_b: str | None = None) -> ReplacedTokens:
        """For every token the probability that somebody replaced it."""
        return self.otherwise(ReplacedTokens, REPLACED_TOKENS, "find_replaced", text, text_b)


class LabelsTokens(Capable, Protocol):
    """A model with a classifier for every token."""

    def label_tokens(self, text: str, text_b: str | None = None) -> TokenLabels:
        """For every token the probabilities of the labels."""
        return self.otherwise(TokenLabels, LABELS_OF_TOKENS, "label_tokens", text, text_b)


class LabelsTexts(Capable, Protocol):
    """A model with a classifier for texts."""

    def label_text(self, text: str, text_b: str | None = None) -> TextLabels:
        """The probabilities of the labels of the text."""
        return self.otherwise(TextLabels, LABELS_OF_TEXTS, "label_text", text, text_b)


class Translates(Capable, Protocol):
    """An encoder-decoder with its LM head."""

    def translate(
        self, text: str, *, width: Count = 1, length_penalty: Annotated[float, Between(-10, 10)] = 0.6,
        source_language: str = "", target_language: str = "",
    ) -> Writing:  # fmt: skip
        """What it writes for a source, greedily or with a beam search of that width; in the languages that it was last
        told, if no others are named."""
        return self.in_languages(source=source_language, target=target_language).otherwise(
            Writing, TRANSLATION, "translate", text, width=width, length_penalty=length_penalty
        )

    def in_languages(self, *, source: str = "", target: str = "") -> Self:
        """The same model, told to read and to write other languages; an empty code leaves what is.

        Raises SelectionError for a language that it does not know, MissingCapabilityError if it is never told any.
        """
        if source.strip() or target.strip():
            raise MissingCapabilityError(self.info.name, worded(NO_LANGUAGES, model=self.info.name))
        return self


class ContinuesTexts(Capable, Protocol):
    """A decoder on its own with its LM head."""

    def continue_text(
        self, text: str, *, n_new: int = 20, temperature: NotNegative = 1.0, top_k: Index = 0, seed: Seed = 0
    ) -> Writing:
        """What it writes after a text; the temperature 0 takes the likeliest token, `top_k` 0 samples from all."""
        return self.otherwise(
            Writing, NEXT_TOKENS, "continue_text", text, n_new=n_new, temperature=temperature, top_k=top_k, seed=seed
        )


class GuessesTokens(Capable, Protocol):
    """A model with an LM head of either kind."""

    def guess_tokens(self, text: str) -> TokenGuesses:
        """Every token of a text, guessed from both sides, or from the tokens before it."""
        return self.otherwise(TokenGuesses, MASKED_WORDS, "guess_tokens", text)


class Probed(Capable, Protocol):
    """A model whose answers can be followed into its layers: what becomes of them when something is changed inside."""

    def answer_logits(
        self, text: str, text_b: str | None = None, *, of: AnswerOf | None = None, position: int | None = None,
        changes: Changes = NO_CHANGES,
    ) -> AnswerLogits:  # fmt: skip
        """What the model answers at one place, by default at the first that a reader would ask about."""
        return self.otherwise(
            AnswerLogits, RECORDING, "answer_logits", text, text_b, of=of, position=position, changes=changes
        )

    def answers_under(
        self, text: str, text_b: str | None = None, *, contrast: Contrast, changes: Sequence[Changes],
        progress: Callable[[int, int], None] | None = None,
    ) -> AnswersUnder:  # fmt: skip
        """The answer and its rival under each of some changes; `progress` is told (done, of), if only at the end."""
        found = self.otherwise(
            AnswersUnder, RECORDING, "answers_under", text, text_b, contrast=contrast, changes=tuple(changes)
        )
        if progress is not None:
            progress(len(changes), len(changes))
        return found

    def write_without(self, text: str, *, heads: Sequence[HeadEdit], n_new: int = 20) -> Writing:
        """What a decoder writes, the likeliest token each time, while some heads give something else."""
        return self.otherwise(Writing, NEXT_TOKENS, "write_without", text, heads=tuple(heads), n_new=n_new)

    def gradients(
        self, text: str, text_b: str | None = None, *, contrast: Contrast,
        changes: Sequence[Changes] = (NO_CHANGES,), by: GradientsBy = "weights",
    ) -> tuple[Gradients, ...]:  # fmt: skip
        """The gradients of the logit difference under each of some changes."""
        found: tuple[Gradients, ...] = self.otherwise(
            tuple, RECORDING, "gradients", text, text_b, contrast=contrast, changes=tuple(changes),
            by=by,
        )  # fmt: skip
        return found

    def layer_inputs(self, text: str, text_b: str | None = None) -> tuple[LayerInputs, ...]:
        """What every layer of every stack reads."""
        found: tuple[LayerInputs, ...] = self.otherwise(tuple, RECORDING, "layer_inputs", text, text_b)
        return found

    def head_circuits(self, text: str, text_b: str | None = None) -> tuple[HeadCircuits, ...]:
        """The matrices of every head, found by what they do to a text."""
        found: tuple[HeadCircuits, ...] = self.otherwise(tuple, RECORDING, "head_circuits", text, text_b)
        return found

    def answer_streams(self, text: str, text_b: str | None = None, *, contrast: Contrast) -> AnswerStreams:
        """Everything that is added up on the way to an answer."""
        return self.otherwise(AnswerStreams, RECORDING, "answer_streams", text, text_b, contrast=contrast)


class Model(
    Records, FillsMasks, JudgesNextSentence, FindsReplaced, LabelsTokens, LabelsTexts, Translates, ContinuesTexts,
    GuessesTokens, Probed, Protocol,
):  # fmt: skip
    """What every model of ours can be asked, whoever runs it; `info` says to which questions it has an answer."""


QUESTIONS: Mapping[str, Callable[[Model], Callable[..., Any]]] = {
    "record": lambda model: model.record,
    "record_shuffled": lambda model: model.record_shuffled,
    "walk": lambda model: model.walk,
    "positions": lambda model: model.positions,
    "masked_words": lambda model: model.masked_words,
    "fill_mask": lambda model: model.fill_mask,
    "predict_by_layer": lambda model: model.predict_by_layer,
    "fill_jointly": lambda model: model.fill_jointly,
    "ask_word": lambda model: model.ask_word,
    "next_sentence": lambda model: model.next_sentence,
    "find_replaced": lambda model: model.find_replaced,
    "label_tokens": lambda model: model.label_tokens,
    "label_text": lambda model: model.label_text,
    "translate": lambda model: model.translate,
    "continue_text": lambda model: model.continue_text,
    "guess_tokens": lambda model: model.guess_tokens,
    "answer_logits": lambda model: model.answer_logits,
    "write_without": lambda model: model.write_without,
    "answers_under": lambda model: model.answers_under,
    "gradients": lambda model: model.gradients,
    "layer_inputs": lambda model: model.layer_inputs,
    "head_circuits": lambda model: model.head_circuits,
    "answer_streams": lambda model: model.answer_streams,
}
"""The questions by name, for whoever hears of one as a word: a cache by its keys, a process by a pipe."""
