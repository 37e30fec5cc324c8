"""The part "Continue" of the page "BERT and GPT": a causal model continues the text, and each new token is
explained."""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.opening.registry import Model
from models.values.errors import MissingCapabilityError
from models.values.writing import Writing
from ui.desk.ask import ask
from ui.state.choices import N_NEW, WRITING_TEMPERATURES, WRITING_TOP_K
from ui.state.plain import plain
from ui.state.selection import at_most, choose, fit_heads, selection
from ui.widgets.asking.pickers import next_seed
from ui.widgets.asking.strongest import begin_with_strongest
from ui.widgets.browser.keys import letters_press
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.notes import say_notes
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.tokens import token_texts
from viz.writing.candidates import candidate_chances, candidate_table, first_tokens
from viz.writing.new_token import attention_table, new_token_attention, strongest_bars
from viz.writing.written import target_tokens

AHEAD = 10
"""The model writes multiples of this number of tokens, so that one more is often there at once."""
BACK_KEY, NEXT_KEY, MORE_KEY = "B", "N", "M"
"""Keyboard shortcuts; letters, because sliders use the arrow keys."""
ENDED = to_say("The text ends here: the model itself drew the token that ends a text.")


def continue_view(model: Model) -> None:
    """Draw the text so far, the choices, and for one new token the candidates and its attention."""
    try:
        writing = _continue_text(model)
    except MissingCapabilityError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    at_most("new_token", len(writing.written) - 1)
    _text(writing)
    _pick_token(writing)
    recording = writing.recording
    typed = [token for token in recording.tokens if token.start is not None]  # written tokens have no offsets
    say_notes(model.info, typed, (selection().text,), recording.note)
    _new_token(writing)
    letters_press({BACK_KEY: "token-back", NEXT_KEY: "token-next", MORE_KEY: "one-more"})


def _settings() -> None:
    """Show the choices of the number of tokens and of the sampling."""
    st.slider(tr("New tokens"), *N_NEW, key="n_new")
    st.select_slider(
        tr("Temperature"),
        WRITING_TEMPERATURES,
        key="writing_temperature",
        help=tr("Below 1, likely tokens become likelier; above 1, unlikely ones get a chance; 0 takes the likeliest."),
    )
    st.slider(
        tr("Top-k"),
        *WRITING_TOP_K,
        key="writing_top_k",
        format="%d" if selection().writing_top_k else tr("all"),
        help=tr("How many of the likeliest tokens may be drawn; 0 means all of them."),
    )


def _continue_text(model: Model) -> Writing:
    """Continue the text as chosen, and cut it to the chosen number of tokens."""
    chosen = selection()
    ahead = min(-(-chosen.n_new // AHEAD) * AHEAD, N_NEW[1])
    writing = ask(
        model.info.name,
        chosen.device,
        Model.continue_text,
        chosen.text,
        n_new=ahead,
        temperature=chosen.writing_temperature,
        top_k=chosen.writing_top_k,
        seed=chosen.seed,
    )
    return first_tokens(writing, chosen.n_new)


def _pick_token(writing: Writing) -> None:
    """Draw the choice of a new token: back, next, one more, another draw, the settings, and a slider."""
    last, number = len(writing.written) - 1, selection().new_token
    with st.container(horizontal=True, gap="small"):
        _turn_button(tr("Back"), "token-back", ":material/arrow_back:", BACK_KEY, to=number - 1, is_end=number == 0)
        _turn_button(
            tr("Next"), "token-next", ":material/arrow_forward:", NEXT_KEY, to=number + 1, is_end=number == last
        )
        st.button(
            tr("Write one more"),
            key="one-more",
            icon=":material/add:",
            shortcut=MORE_KEY,
            on_click=_one_more,
            disabled=selection().n_new >= N_NEW[1] or writing.is_finished,
            type="primary",
        )
        st.button(
            tr("Another draw"),
            icon=":material/casino:",
            key="another-draw",
            on_click=next_seed,
            disabled=selection().writing_temperature == 0,
            help=tr("The same odds, another roll of the dice."),
        )
        with st.popover(tr("How it draws")):
            _settings()
    if last > 0:
        st.select_slider(
            tr("New token"),
            range(last + 1),
            key="new_token",
            format_func=_labels(writing).__getitem__,
            label_visibility="collapsed",
        )


def _turn_button(label: str, key: str, icon: str, shortcut: str, *, to: int, is_end: bool) -> None:
    st.button(label, key=key, icon=icon, shortcut=shortcut, disabled=is_end, on_click=_go, args=(to,))


def _labels(writing: Writing) -> list[str]:
    """Return the labels of the new tokens."""
    texts = token_texts(target_tokens(writing))
    return [f"{number} · {plain(texts[token.position + 1])}" for number, token in enumerate(writing.written, start=1)]


def _go(to: int) -> None:
    choose(new_token=to)


def _one_more() -> None:
    """Write one more token, and choose it."""
    n_new = min(selection().n_new + 1, N_NEW[1])
    choose(n_new=n_new, new_token=n_new - 1)


def _text(writing: Writing) -> None:
    """Show the reader's text and the model's continuation, in large letters."""
    chosen = selection()
    before = writing.written[chosen.new_token - 1].text_so_far if chosen.new_token else ""
    until, whole = writing.token(chosen.new_token).text_so_far, writing.text
    new = until[len(before) :]
    parts = [
        f":gray[{plain(chosen.text)}]",
        _escape_on_one_line(before),
        _highlight_token(new),
        _escape_on_one_line(whole[len(until) :]),
    ]
    with st.container(key="large-sentences"):
        st.markdown("".join(parts))
    if writing.is_finished:
        st.caption(said(ENDED))


def _escape_on_one_line(text: str) -> str:
    return plain(text.replace("\n", " ⏎ "))


def _highlight_token(text: str) -> str:
    """Return a token in bold and colour, with surrounding spaces outside; "∅" if it is invisible."""
    word = text.strip()
    space = " " if text[:1].isspace() or not word else ""
    return f"{space}:orange-background[**{_escape_on_one_line(word) if word else '∅'}**]" + (
        " " if text[-1:].isspace() else ""
    )


def _new_token(writing: Writing) -> None:
    """Draw the attention of the chosen token, its candidates, and the numbers."""
    shown = writing.recording.of("decoder")
    fit_heads(shown.n_layers, shown.n_heads)
    begin_with_strongest(shown, [writing.token(selection().new_token).position])
    chosen = selection()
    where: dict[str, Any] = {"layer": chosen.layer, "head": chosen.head_index}
    rule: dict[str, Any] = {"temperature": chosen.writing_temperature, "top_k": chosen.writing_top_k}
    number = chosen.new_token
    figure = new_token_attention(writing, number=number, **where, theme=theme(), width=column_widths(1)[0])
    picture(figure, "new-token-attention")
    left, right, widths = two_columns()
    with left:
        picture(candidate_chances(writing, number=number, **rule, theme=theme(), width=widths[0]), "candidates")
        numbers(lambda: candidate_table(writing, **rule), "generation", label=tr("Download all candidates (CSV)"))
    with right:
        picture(strongest_bars(writing, number=number, **where, theme=theme(), width=widths[1]), "strongest")
        numbers(
            lambda: attention_table(writing, **where), "new-token-attention", label=tr("Download the attention (CSV)")
        )
