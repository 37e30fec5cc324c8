"""The choice of a question to the model: the question, the position, and the two answers that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.contrasts import number_of
from models.opening.registry import Model
from models.tasks.places import answers_of
from models.values.answers import MASK
from models.values.errors import SelectionError
from models.values.probing.contrast import AT_A_PLACE, AnswerLogits, AnswerOf, Contrast
from models.values.record import ModelInfo, Recording
from ui.desk.ask import ask, open_model, record_selection
from ui.state.choices import NOTHING, Selection
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.hide_words import TypedTexts, pick_hidden_word
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from viz.kit.labels import answer_text
from viz.kit.language import said, to_say, tr
from viz.kit.theme import percentage
from viz.kit.tokens import positioned_texts

QUESTIONS: dict[AnswerOf, str] = {
    "mask": to_say("The word behind [MASK]"),
    "next": to_say("The next token"),
    "sentence": to_say("Does B follow A?"),
    "label": to_say("The label of the text"),
    "token_label": to_say("The label of a word"),
    "replaced": to_say("Was a word replaced?"),
}
JUDGED: tuple[AnswerOf, ...] = ("sentence", "replaced")
"""Questions whose answers are the app's words, and not from a vocabulary or a checkpoint."""
LABELS = {"answer": to_say("Answer"), "rival": to_say("Rather than")}
FIRST = {"answer": to_say("best"), "rival": to_say("next best")}
BEST = 10
"""The number of answers that are offered; where any word may be one, others may be typed."""
ANY_WORD: tuple[AnswerOf, ...] = ("mask", "next")
NO_MASK = to_say(
    "There is no [MASK] in the sentence, or only after its end as the model reads it. Type a shorter sentence, with "
    "[MASK] where a word is missing."
)
NO_SECOND = to_say("Type a sentence B above: the question is whether it follows sentence A.")
OTHER_RIVAL = to_say("An answer is held against another one: here it is the best of the others.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAnswer:
    """A question with the texts as the model reads them, their recording, the answer's logits with all heads, and the
    two answers that are compared."""

    text: str
    text_b: str
    info: ModelInfo
    recording: Recording
    whole: AnswerLogits
    contrast: Contrast
    is_usual: bool
    """Whether question and answers are the defaults."""


def ask_the_model(words: DeltaGenerator, box: DeltaGenerator) -> AskedAnswer | None:
    """Draw the words to hide in `words` and the widgets for the question behind a button in `box`, and return the
    question; None, with the reason shown, if there is none."""
    chosen = selection()
    info, typed = open_model(chosen.model, chosen.device).info, chosen.texts
    possible = possible_answers(info)
    if not possible:
        say_why_not(lambda: ask(chosen.model, chosen.device, Model.answer_logits, *typed))
        return None
    usual = _usual_question(possible)
    question, texts = _question_of(possible, usual), typed
    with words:
        if question == "mask":
            texts = pick_hidden_word(typed).texts
    recording = record_selection(texts)
    say_notes(info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    popover = box.popover(tr("Question"), icon=":material/help:")
    is_asked = {"mask": bool(recording.predictions), "sentence": bool(chosen.text_b.strip())}
    if not is_asked.get(question, True):
        if len(possible) > 1:
            _pick_question(popover, possible, usual)
        st.info(plain(NO_MASK if question == "mask" else NO_SECOND), icon=":material/touch_app:")
        return None
    whole, contrast = _pick_answer(possible, usual, recording, texts, popover)
    return AskedAnswer(
        text=texts[0],
        text_b=texts[1] or "",
        info=info,
        recording=recording,
        whole=whole,
        contrast=contrast,
        is_usual=_is_usual(),
    )


def _usual_question(possible: Sequence[AnswerOf]) -> AnswerOf:
    """Return the question by default: the model's first, but for a pair of sentences without a hidden word whether B
    follows A."""
    chosen = selection()
    asks_of_pair = bool(chosen.text_b.strip()) and chosen.hidden == NOTHING and MASK not in chosen.text + chosen.text_b
    others = [question for question in possible if question != "sentence"]
    return "sentence" if "sentence" in possible and (asks_of_pair or not others) else others[0]


def possible_answers(info: ModelInfo) -> list[AnswerOf]:
    """Return the questions that a model can answer, its default first."""
    return [question for question, can in answers_of(info).items() if can]


def _question_of(possible: Sequence[AnswerOf], usual: AnswerOf) -> AnswerOf:
    """Return the chosen question, or the usual one if none is chosen or the model cannot answer it."""
    chosen = selection().question
    if chosen not in possible:
        choose(question="")
    return next((question for question in possible if question == chosen), usual)


def _pick_answer(
    possible: Sequence[AnswerOf], usual: AnswerOf, recording: Recording, texts: TypedTexts, popover: DeltaGenerator
) -> tuple[AnswerLogits, Contrast]:
    """Draw the widgets for the question, its position, the answer and its rival, and return the logits and the
    contrast."""
    question, chosen = _question_of(possible, usual), selection()
    first = ask(chosen.model, chosen.device, Model.answer_logits, *texts, of=question)
    where = _places_of(first, recording)
    if selection().answer_at not in where:
        choose(answer_at=NOTHING)
    if len(possible) > 1:
        _pick_question(popover, possible, usual)
    if len(where) > 1:
        _pick_place(popover, first, where)
    position = selection().answer_at
    whole = (
        first
        if position in {NOTHING, first.position}
        else ask(chosen.model, chosen.device, Model.answer_logits, *texts, of=question, position=position)
    )
    return whole, _contrast(whole, popover, chosen)


def _pick_question(place: DeltaGenerator, possible: Sequence[AnswerOf], usual: AnswerOf) -> None:
    names = {"": tr("{choice} (usual)", choice=QUESTIONS[usual])} | {
        question: said(QUESTIONS[question]) for question in possible
    }
    place.selectbox(tr("Asked"), list(names), key="question", format_func=names.__getitem__)


def _places_of(first: AnswerLogits, recording: Recording) -> list[int]:
    """Return the positions at which the model can be asked: the masks, or all words; for a decoder, every token."""
    if first.of == "mask":
        return [prediction.position for prediction in recording.predictions]
    if first.of not in AT_A_PLACE:
        return []
    return [position for position, token in enumerate(first.tokens) if first.of == "next" or not token.is_special]


def _pick_place(place: DeltaGenerator, first: AnswerLogits, where: Sequence[int]) -> None:
    tokens = dict(zip(where, positioned_texts([first.tokens[position] for position in where], where), strict=True))
    usual = tokens.get(first.position if first.position is not None else NOTHING, "")
    names = {NOTHING: tr("{choice} (usual)", choice=usual)} | tokens
    label = tr("After the token") if first.of == "next" else tr("At the token")
    place.selectbox(label, list(names), key="answer_at", format_func=names.__getitem__)


def _is_usual() -> bool:
    chosen = selection()
    return not (chosen.question or chosen.answer.strip() or chosen.rival.strip()) and chosen.answer_at == NOTHING


# -- the answer and its rival ----------------------------------------------------------------------------------------


def _contrast(whole: AnswerLogits, popover: DeltaGenerator, chosen: Selection) -> Contrast:
    """Return the answer, by default the best, and its rival, by default the best of the others."""
    best = whole.best(BEST)
    answer = _pick(popover, "answer", whole, best, chosen)
    others = [number for number in best if number != answer]
    if not others:
        return whole.contrast(answer)
    rival = _pick(popover, "rival", whole, others, chosen)
    if rival == answer:
        st.info(said(OTHER_RIVAL), icon=":material/info:")
        rival = others[0]
    return whole.contrast(answer, rival)


def _pick(place: DeltaGenerator, key: str, whole: AnswerLogits, best: Sequence[int], chosen: Selection) -> int:
    """Draw the choice of an answer, and return its index; the first of `best` by default."""
    words = {whole.choices[number]: number for number in best}
    typed = (st.session_state[key] or "").strip()
    if typed and typed not in words and whole.of not in ANY_WORD:
        st.session_state[key] = typed = ""
    options = ["", *words] if not typed or typed in words else ["", *words, st.session_state[key]]
    place.selectbox(
        said(LABELS[key]),
        options,
        key=key,
        accept_new_options=whole.of in ANY_WORD,
        format_func=lambda word: _option_label(whole, words, best[0], word, key),
    )
    typed = (st.session_state[key] or "").strip()
    if typed in words or not typed:
        return words.get(typed, best[0])
    try:
        return number_of(open_model(chosen.model, chosen.device), whole, typed)
    except SelectionError as error:
        st.warning(plain(str(error)), icon=":material/help:")
        return best[0]


def _option_label(whole: AnswerLogits, words: Mapping[str, int], usual: int, word: str, key: str) -> str:
    """Return the label of a choice, with its probability."""
    number = words.get(word, usual)
    if word and word not in words:
        return word
    choice = said(whole.choices[number]) if whole.of in JUDGED else answer_text(whole.choices[number], whole.of)
    shown = f"{choice}  ·  {percentage(float(whole.probabilities[number]))}"
    return shown if word else f"{said(FIRST[key])}: {shown}"
