"""Which answer of the model is explained: what it is asked, where, and which two of its answers are held together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.contrasts import number_of
from models.tasks.places import answers_of
from models.values.errors import MissingCapabilityError, SelectionError
from models.values.probing.contrast import AT_A_PLACE, AnswerLogits, AnswerOf, Contrast
from models.values.record import ModelInfo, Recording
from ui.state.choices import Selection
from ui.state.selection import selection
from ui.widgets.answers import answer_logits, open_model, record
from ui.widgets.hide_words import hide_words
from ui.widgets.missing import say_why_not
from ui.widgets.notes import say_notes
from ui.widgets.plain import plain
from viz.kit.theme import percentage
from viz.kit.tokens import positioned_texts, spelled

QUESTIONS: dict[AnswerOf, str] = {
    "mask": "The word behind [MASK]",
    "next": "The next token",
    "sentence": "Does B follow A?",
    "label": "The label of the text",
    "token_label": "The label of a word",
    "replaced": "Was a word replaced?",
}
LABELS = {"answer": "Answer", "rival": "Rather than"}
MOST_TOKENS = 128
BEST = 10
"""Answers that are offered; where any word may be one, others may be typed."""
ANY_WORD: tuple[AnswerOf, ...] = ("mask", "next")
NO_MASK = (
    "There is no [MASK] in the sentence. Click a word above to hide it, or type [MASK] where a word is missing: then "
    "the page shows which other words the model's guess is made of."
)
TOO_LONG = (
    "This text has {n:,} tokens; this page explains answers to texts of up to {most}. The methods ask the model again "
    "and again without some of the words. Type a shorter text, or one sentence of it."
)


def asked_contrast() -> Contrast | None:
    """The answer and its rival that the reader has chosen; None where there is no answer, and why is said."""
    chosen = selection()
    model = open_model(chosen.model, chosen.device)
    recording = record(chosen.model, chosen.device, chosen.text, chosen.text_b)
    say_notes(recording.info, recording.tokens, (chosen.text, chosen.text_b), recording.note)
    n_tokens = sum(each.n_query for each in recording.attention if each.kind != "cross")
    if n_tokens > MOST_TOKENS:
        st.info(TOO_LONG.format(n=n_tokens, most=MOST_TOKENS), icon=":material/content_cut:")
        return None
    possible = _possible(model.info, recording, chosen)
    if not possible:
        _say_why(model.info, chosen)
        return None
    return _chosen(possible, recording, chosen)


def _possible(info: ModelInfo, recording: Recording, chosen: Selection) -> list[AnswerOf]:
    """What the model can be asked about these texts, first what it is asked first."""
    there: dict[AnswerOf, bool] = {"mask": bool(recording.predictions), "sentence": bool(chosen.text_b.strip())}
    return [of for of, can in answers_of(info).items() if can and there.get(of, True)]


def _say_why(info: ModelInfo, chosen: Selection) -> None:
    if info.can_fill_mask and "cross" not in info.kinds:
        hide_words()
        st.info(plain(NO_MASK), icon=":material/touch_app:")
        return
    say_why_not(lambda: _refused(info, chosen))


def _refused(info: ModelInfo, chosen: Selection) -> None:
    """Ask all the same: the model says itself what it lacks."""
    if not any(answers_of(info).values()):
        answer_logits(chosen.model, chosen.device, chosen.text, chosen.text_b)
    raise MissingCapabilityError(
        info.name, f"{info.name} has no answer to this text alone. Type a sentence B, or choose another model."
    )


def _chosen(possible: Sequence[AnswerOf], recording: Recording, chosen: Selection) -> Contrast:
    """The widgets of one line: what is asked, at which token, the answer, its rival, and other words to hide."""
    state = st.session_state
    if state["question"] not in possible:
        state["question"] = possible[0]
    of: AnswerOf = state["question"]
    places = _places(of, recording)
    several, many = len(possible) > 1, len(places) > 1
    line = iter(st.columns(2 + several + many + (of == "mask"), vertical_alignment="bottom"))
    if several:
        next(line).selectbox("Asked", possible, key="question", format_func=QUESTIONS.__getitem__)
    position = state["answer_at"] if state["answer_at"] in places else None
    said = answer_logits(chosen.model, chosen.device, chosen.text, chosen.text_b, of=of, position=position)
    if many:
        _pick_place(next(line), said, places)
    contrast = _contrast(said, next(line), next(line), chosen)
    if of == "mask":
        with next(line).popover("Hide another word", icon=":material/visibility_off:", width="stretch"):
            hide_words()
    return contrast


def _places(of: AnswerOf, recording: Recording) -> list[int]:
    """The tokens at which the model can be asked."""
    if of == "mask":
        return [prediction.position for prediction in recording.predictions]
    tokens = recording.attention[-1].query_tokens
    return [at for at, token in enumerate(tokens) if of == "next" or not token.is_special] if of in AT_A_PLACE else []


def _pick_place(place: DeltaGenerator, said: AnswerLogits, places: Sequence[int]) -> None:
    if st.session_state["answer_at"] not in places:
        st.session_state["answer_at"] = said.position
    names = dict(zip(places, positioned_texts([said.tokens[at] for at in places], places), strict=True))
    after = "After the token" if said.of == "next" else "At the token"
    place.selectbox(after, places, key="answer_at", format_func=names.__getitem__)


# -- the answer and its rival ----------------------------------------------------------------------------------------


def _contrast(said: AnswerLogits, first: DeltaGenerator, second: DeltaGenerator, chosen: Selection) -> Contrast:
    """The answer, by default the best, and its rival, by default the best of the others."""
    best = said.best(BEST)
    answer = _pick(first, "answer", said, best, chosen)
    others = [each for each in best if each != answer]
    if not others:
        return said.contrast(answer)
    rival = _pick(second, "rival", said, others, chosen)
    if rival == answer:
        st.info("An answer is held against another one: here it is the best of the others.", icon=":material/info:")
        rival = others[0]
    return said.contrast(answer, rival)


def _pick(place: DeltaGenerator, key: str, said: AnswerLogits, best: Sequence[int], chosen: Selection) -> int:
    """The number of the choice that the reader picks or types; the first of the best while they have picked none."""
    words = {said.choices[number]: number for number in best}
    typed = (st.session_state[key] or "").strip()
    if typed and typed not in words and said.of not in ANY_WORD:
        st.session_state[key] = typed = ""
    options = ["", *words] if not typed or typed in words else ["", *words, st.session_state[key]]
    place.selectbox(
        LABELS[key], options, key=key, accept_new_options=said.of in ANY_WORD,
        format_func=lambda word: _named(said, words, best[0], word),
    )  # fmt: skip
    typed = (st.session_state[key] or "").strip()
    if typed in words or not typed:
        return words.get(typed, best[0])
    try:
        return number_of(open_model(chosen.model, chosen.device), said, typed)
    except SelectionError as error:
        st.warning(plain(str(error)), icon=":material/help:")
        return best[0]


def _named(said: AnswerLogits, words: Mapping[str, int], usual: int, word: str) -> str:
    """A choice as the list shows it, with its probability."""
    number = words.get(word, usual)
    if word and word not in words:
        return word
    shown = f"{spelled(said.choices[number])}  ·  {percentage(float(said.probabilities[number]))}"
    return shown if word else f"best: {shown}"
