"""The part "Patch a pair": parts of one text patched into another, and the share of its answer that they restore."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from models.opening.registry import Model
from models.values.results.effects import PatchedWhat, Patching
from models.values.wording import Message, to_say, worded
from ui.desk.ask import ask
from ui.heads.switchboard.asks import patch_texts
from ui.heads.switchboard.examples import PARTNERS, partner_of
from ui.state.plain import plain
from ui.state.selection import at_most, choose, selection
from ui.widgets.about import say_about
from ui.widgets.asking.answer_line import answer_line
from ui.widgets.asking.pickers import pick_kind
from ui.widgets.asking.swap_word import swap_word
from ui.widgets.asking.which_answer import AskedAnswer
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.heads.effects import patching_map
from viz.heads.tables import patching_table
from viz.heads.traced import finding_of_patching
from viz.kit.language import said, tr

PATCHED_LABELS: dict[PatchedWhat, Message] = {
    "states": to_say("States"),
    "outputs": to_say("Head outputs"),
    "weights": to_say("Attention patterns"),
}
_SUGGESTED = "headlight_suggested_partner"
"""The session key for the second sentence that the page has suggested."""
WHAT_IS_PUT_IN = to_say(
    "**States:** what a layer reads at one token, the residual stream. **Head outputs:** what a head gives at all "
    "tokens, before W_O. **Attention patterns:** how a head looks, with the values of the second sentence."
)


def patch_part(asked: AskedAnswer) -> None:
    """Draw the second text, the choice of what is patched, and the pictures."""
    sentences, finding = st.container(key="large-sentences", gap="xxsmall"), st.empty()
    text, what = st.columns([1, 1], vertical_alignment="bottom")
    with text:
        other = _other(asked.text)
    with what:
        _what(asked)
    if not other:
        first, partner = next(iter(PARTNERS.items()))
        no_other = worded(
            "Type a second sentence as long as the first one that differs in a word, such as “{other}” beside “{one}” "
            "Or choose one of the examples above.",
            other=partner,
            one=first,
        )
        st.info(plain(no_other), icon=":material/edit:")
        return
    patching = _patch_chosen(asked, other, by_position=None)
    if patching is None:
        return
    with sentences:
        _sentences(asked, other)
    finding.markdown(plain(finding_of_patching(patching)))
    if patching.what == "states":
        picture(patching_map(patching, theme=theme(), width=column_widths(1)[0]), "patched-states")
        say_about("patching")
        numbers(lambda: patching_table(patching), "patched-states")
    else:
        _heads(asked, other, patching)


def _sentences(asked: AskedAnswer, other: str) -> None:
    """Draw both sentences with the model's answers in them."""
    chosen = selection()
    answers = ask(
        chosen.model,
        chosen.device,
        Model.answer_logits,
        other,
        asked.text_b or None,
        of=asked.whole.of,
        position=asked.whole.position,
    )
    answer_line(asked, asked.whole, "blue", tr("the first"))
    answer_line(replace(asked, text=other), answers, "orange", tr("the second"))


def _other(text: str) -> str:
    """Draw the field of the second text, and return it; the partner of an example by default."""
    other = selection().other
    if not other.strip() or other in PARTNERS or other == st.session_state.get(_SUGGESTED):
        st.session_state[_SUGGESTED] = partner_of(text) or swap_word(text)
        choose(other=st.session_state[_SUGGESTED])
    st.text_input(
        tr("Second sentence, into which parts of the first are put"),
        key="other",
        placeholder=next(iter(PARTNERS.values())),
        help=tr("It must have as many tokens as the first."),
    )
    return selection().other.strip()


def _what(asked: AskedAnswer) -> None:
    """Draw the choice of states, outputs or patterns, and of the kind of attention."""
    pick_kind(asked.recording.kinds)
    st.segmented_control(
        tr("What is put in"),
        list(PATCHED_LABELS),
        key="patched",
        format_func=lambda what: said(PATCHED_LABELS[what]),
        required=True,
        wrap=True,
        help=tr(WHAT_IS_PUT_IN),
    )


def _patch_chosen(asked: AskedAnswer, other: str, *, by_position: bool | None) -> Patching | None:
    chosen = selection()
    return patch_texts(
        chosen.model,
        chosen.device,
        asked.text,
        other,
        asked.text_b,
        what=chosen.patched,
        by_position=by_position,
        kind=chosen.kind,
        contrast=None if asked.is_usual else asked.contrast,
    )


def _heads(asked: AskedAnswer, other: str, patching: Patching) -> None:
    """Draw the map of layers and heads, and on request that of one head of every layer by tokens."""
    left, right, widths = two_columns()
    with left:
        picture(patching_map(patching, theme=theme(), width=widths[0]), "patched-heads")
        say_about("patching")
        numbers(lambda: patching_table(patching), "patched-heads")
    with right:
        st.toggle(
            tr("Token by token"),
            key="by_token",
            on_change=_begin_with_strongest,
            args=(patching,),
            help=tr("One pass for each head and token: this takes longer."),
        )
        by_token = _patch_chosen(asked, other, by_position=True) if selection().by_token else None
        if by_token is not None:
            _token_by_token(by_token, patching, widths[1])


def _begin_with_strongest(patching: Patching) -> None:
    """Choose the head with the largest effect."""
    choose(head=int(np.unravel_index(int(np.argmax(patching.effects)), patching.effects.shape)[1]))


def _token_by_token(by_token: Patching, patching: Patching, width: int) -> None:
    """Draw the effects of one head index in every layer, by tokens."""
    n_heads = patching.effects.shape[1]
    if not isinstance(selection().head, int):
        _begin_with_strongest(patching)
    at_most("head", n_heads - 1)
    if n_heads > 1:
        st.select_slider(tr("Head, in every layer"), range(n_heads), key="head")
    picture(patching_map(by_token, head=selection().head_index, theme=theme(), width=width), "patched-tokens")
    numbers(lambda: patching_table(by_token), "patched-tokens", label=tr("Download all heads and tokens (CSV)"))
