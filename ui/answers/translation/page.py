"""The page "Translation": a translation token by token, with the attention of each position.

Everything below the sentence is a fragment: another layer or part redraws it, and nothing else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.opening.registry import REGISTRY, Model
from models.text.source_words import words_of
from models.text.unknown import find_unknown
from models.values.record import ModelInfo
from models.values.writing import Writing
from ui.answers.translation.alignment import alignment_part
from ui.answers.translation.heads import pick_heads, pick_mean
from ui.answers.translation.search import GREEDY, search_part
from ui.desk.ask import ask, open_model
from ui.state.choices import TRANSLATION_PARTS, Selection
from ui.state.plain import in_bold, plain
from ui.state.selection import at_most, choose, fit, selection
from ui.state.sources import short_name
from ui.widgets.asking.inputs import FIRST_TRANSLATOR
from ui.widgets.asking.unread import why_unread
from ui.widgets.browser.keys import letters_press
from ui.widgets.browser.player import turning_line
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import part_of_page, theme
from ui.widgets.missing import say_why_not
from ui.widgets.notes import how_many_unknown, unknown_signs, what_it_is_for
from ui.widgets.pictures import numbers, picture, two_columns
from ui.widgets.viewer import viewer
from viz.attention.transform import rows_of_weights
from viz.kit.language import said, shown, to_say, tr
from viz.kit.theme import whole_percent
from viz.kit.tokens import token_texts
from viz.writing.translation import translation_picture
from viz.writing.written import candidate_bars, short_words, tokens_table, written_tokens

TRANSLATORS = (FIRST_TRANSLATOR, "translator-ko")
_PARTS = (to_say("Token by token"), to_say("Alignment"), to_say("Beam search"), to_say("All attention"))
PART_LABELS = dict(zip(TRANSLATION_PARTS, _PARTS, strict=True))
BACK_KEY, NEXT_KEY = "B", "N"
"""Keyboard shortcuts; letters, because the slider uses the arrow keys."""
T5_TASKS = ("translate English to German: ", "translate English to French: ", "translate English to Romanian: ")
"""The task prefixes of T5's training (Raffel et al. 2020, appendix D), for configurations without tasks."""
T5_HINT = to_say("T5 does what the first words of the text tell it to do. Put a task in front of the sentence:")
HOW_TO_READ = to_say(
    "**How to read it.** In every [layer](#word-layer), the last token so far sends its [query](#word-query) out "
    "twice: to the tokens written so far (**masked self-attention**: what comes later is hidden), and to the tokens of "
    "the source (**cross attention**: the [keys](#word-key) and [values](#word-value) come from the encoder). From "
    "what it brings back, the model gives every token of its vocabulary a probability."
)


@st.fragment
def translation_explorer() -> None:
    """Draw everything below the sentence."""
    with part_of_page(FIRST_TRANSLATOR):
        chosen = selection()
        info = open_model(chosen.model, chosen.device).info
        if not info.can_translate:
            offered = [name for name in TRANSLATORS if name in REGISTRY]
            say_why_not(lambda: ask(chosen.model, chosen.device, Model.translate, chosen.text), offered=offered)
            return
        _task(info, chosen.text)
        writing = _translate(chosen)
        is_at_home = _result(writing, chosen.text)
        _pick_part()
        PARTS_DRAWN[selection().translation](writing)
        if is_at_home:
            st.caption(plain(what_it_is_for(info.name)))


def _translate(chosen: Selection) -> Writing:
    """Translate the sentence with the chosen search. Greedy search ignores the length penalty."""
    penalty = chosen.penalty if chosen.beams > GREEDY else 0.0
    return ask(chosen.model, chosen.device, Model.translate, chosen.text, width=chosen.beams, length_penalty=penalty)


def _pick_part() -> None:
    """Draw the choice of the view and, where one head may be shown, that of the mean over all."""
    with st.container(
        key="translation-line", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.segmented_control(
            tr("View"),
            list(PART_LABELS),
            key="translation",
            format_func=lambda part: said(PART_LABELS[part]),
            required=True,
            wrap=True,
            label_visibility="collapsed",
        )
        if selection().translation in TRANSLATION_PARTS[:2]:
            pick_mean()


def _task(info: ModelInfo, text: str) -> None:
    """Draw buttons for T5's task prefixes, unless the text begins with one or the languages are chosen."""
    tasks = info.task_prefixes or (T5_TASKS if info.family == "t5" else ())
    is_told = info.languages is not None and info.languages.target != ""
    begins = text.lower().startswith(("translate ", *(task.strip().lower() for task in tasks)))
    if not tasks or is_told or begins:
        return
    st.info(said(T5_HINT), icon=":material/translate:")
    with st.container(horizontal=True):
        for task in tasks:
            st.button(task.strip().rstrip(":"), key=f"task-{task}", on_click=_put_in_front, args=(task,))


def _put_in_front(task: str) -> None:
    choose(text=task + selection().text.strip())


def _outside(writing: Writing, text: str) -> str:
    """Describe how the source is unlike the translator's training data: unknown words and signs, unfamiliar sentences,
    and the model's purpose; empty if it is not."""
    info, sentences = writing.info, []
    name = short_name(info.name)
    words = [word for word in writing.unknown_words if any(map(str.isalnum, word))]
    if words:
        sentences.append(how_many_unknown(name, len(words), max(len(words), len(words_of(text))), words))
        sentences.append(
            tr("The translation of it is a guess.") if len(words) == 1 else tr("The translation of them is a guess.")
        )
    if writing.familiarity is not None and writing.familiarity.is_unlike:
        sentences.append(
            tr(
                "{model} has learned from sentences unlike this one: do not trust what it writes. A small language "
                "model of those sentences needs {bits} bits a piece for this one, and more than {limit} means unlike.",
                model=name,
                bits=f"{writing.familiarity.bits:.1f}",
                limit=f"{writing.familiarity.limit:.1f}",
            )
        )
    if sentences:
        sentences.append(what_it_is_for(info.name))
    sentences.append(unknown_signs(find_unknown(writing.recording.tokens, (text,)), name))
    return " ".join(shown(sentence) for sentence in sentences if sentence)


def _result(writing: Writing, text: str) -> bool:
    """Draw the warnings, and the translation in large letters; return whether the text is of the kind that the
    translator was made for."""
    outside = "" if why_unread(writing.info.name, (text,)) else _outside(writing, text)
    if outside:
        st.warning(plain(outside), icon=":material/help:")
    if writing.recording.note:
        st.info(plain(writing.recording.note), icon=":material/info:")
    if not writing.is_finished:
        st.info(
            tr("The translation was cut after {n} tokens: the model had not finished.", n=len(writing.written)),
            icon=":material/content_cut:",
        )
    with st.container(key="large-sentences"):
        text = in_bold(writing.text)
        st.markdown(f":blue[{text}]" if text else tr("(nothing but the end)"))
    return not outside


# -- one position ----------------------------------------------------------------------------------------------------


def _token(writing: Writing) -> None:
    """Draw the token at the chosen position: its attention, and its alternatives."""
    layer, head = pick_heads(writing.recording.of("cross"))
    number = _pick_position(writing)
    st.markdown(_say_source(writing, number, layer, head))
    width = column_widths(1)[0]
    picture(
        translation_picture(writing, number=number, layer=layer, head=head, theme=theme(), width=width),
        "translation-step",
    )
    left, right, widths = two_columns(5, 4)
    with left:
        picture(candidate_bars(writing, number=number, theme=theme(), width=widths[0]), "translation-candidates")
        numbers(
            lambda: tokens_table(writing), "translation-steps", label=tr("Download all tokens and candidates (CSV)")
        )
    with right:
        _so_far(writing, number)
        st.markdown(said(HOW_TO_READ))
    letters_press({BACK_KEY: "writing-back", NEXT_KEY: "writing-next"})


def _say_source(writing: Writing, number: int, layer: int | None, head: int | None) -> str:
    """Say in Markdown at which token of the source the model looks most as it writes a token."""
    record = writing.recording.of("cross")
    weights = rows_of_weights(record, [writing.token(number).position], layer=layer, head=head)[0]  # [n_source]
    strongest = int(weights.argmax())
    return tr(
        "To write {word}, it looks most at {source}: {share} of its attention to the source.",
        word=in_bold(short_words(written_tokens(writing))[number]),
        source=in_bold(token_texts(record.key_tokens)[strongest]),
        share=f"**{whole_percent(float(weights[strongest]))}**",
    )


def _pick_position(writing: Writing) -> int:
    """Draw Back, Next and a slider over the written tokens, and return the chosen position."""
    last = len(writing.written) - 1
    at_most("at_step", last)
    names = [f"{number} · {plain(word)}" for number, word in enumerate(short_words(written_tokens(writing)))]
    at_step = selection().at_step
    with turning_line("at_step"):
        _turn_button(tr("Back"), "writing-back", ":material/arrow_back:", BACK_KEY, by=-1, is_end=at_step == 0)
        _turn_button(tr("Next"), "writing-next", ":material/arrow_forward:", NEXT_KEY, by=1, is_end=at_step == last)
        if last:
            st.select_slider(
                tr("Position"),
                range(last + 1),
                key="at_step",
                format_func=names.__getitem__,
                label_visibility="collapsed",
            )
    return selection().at_step


def _turn_button(label: str, key: str, icon: str, shortcut: str, *, by: int, is_end: bool) -> None:
    st.button(label, key=key, icon=icon, shortcut=shortcut, on_click=_go, args=(by,), disabled=is_end)


def _go(by: int) -> None:
    choose(at_step=selection().at_step + by)


def _so_far(writing: Writing, number: int) -> None:
    """Draw the text up to a token, with the token in bold."""
    before = writing.written[number - 1].text_so_far if number else ""
    after = writing.token(number).text_so_far
    added = after[len(before) :] if after.startswith(before) else ""
    if not number and not added:
        st.markdown(tr("Nothing is written yet."))
    elif added.strip():
        st.markdown(tr("Written: {text}", text=f"{plain(before)} {in_bold(added)}"))
    else:
        st.markdown(tr("Written: {text}", text=plain(after)))


# -- the whole pair ----------------------------------------------------------------------------------------------------


def _all(writing: Writing) -> None:
    """Draw encoder, decoder and cross attention of the whole pair in the viewer."""
    st.caption(
        tr(
            "All attention of one pass over the whole translation. A row of the decoder belongs to a token that is "
            "already there, and chooses the next one."
        )
    )
    fit(writing.recording)
    viewer(writing.recording, key="translation_viewer")


PARTS_DRAWN = dict(zip(TRANSLATION_PARTS, (_token, alignment_part, search_part, _all), strict=True))
