"""One query of a head: the key that answers it, number by number, all keys, and a second query beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.values.record import AttentionRecord, Recording
from ui.layers.queries.parts import answering_key, at, pick_order, where
from ui.state.choices import NOTHING, Selection
from ui.state.plain import plain
from ui.state.selection import choose
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.kit.calculation import score_as_text
from viz.kit.language import said, to_say, tr
from viz.kit.theme import SHARE_FORMAT
from viz.kit.tokens import token_texts
from viz.vectors.one_score import key_list, score_sum
from viz.vectors.query_bands import query_bands
from viz.vectors.query_key_value import Lookup, arithmetic, look_up, score_table, vector_table
from viz.vectors.two_queries import compared_bands

SCORE_COLUMNS = {
    "query_position": to_say("query_position"),
    "query_token": to_say("query_token"),
    "position": to_say("position"),
    "token": to_say("token"),
    "may_look": to_say("may_look"),
    "dot_product": to_say("dot_product"),
    "scaled": to_say("scaled"),
    "soft_capped": to_say("soft_capped"),
    "bias": to_say("bias"),
    "score": to_say("score"),
    "weight": to_say("weight"),
}
"""The labels of the columns of `score_table` on the page; files keep the names."""
BESIDE = (7, 5)
"""The shares of one score and of the list of all in the width of the page."""


def one_query(_recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    """Draw one query and the key that answers, number by number, all keys beside them, and below every number."""
    look = look_up(shown, **where(chosen))
    looks, key = [look], answering_key(look, shown, chosen)
    drawing: dict[str, Any] = {"order": chosen.order, "theme": theme(), "width": column_widths(1)[0]}
    with st.container(key="query-picture"):
        if chosen.frozen in (NOTHING, chosen.query):
            _one_score(look, shown, chosen, key)
            st.markdown(tr("**The same for all keys, with all numbers**"))
            picture(query_bands(shown, **where(chosen), answer=key, **drawing), "one-query")
        else:
            st.markdown(_ask_and_answer(look, shown, chosen))
            looks.append(look_up(shown, **at(chosen), position=chosen.frozen))
            picture(compared_bands(shown, **where(chosen), frozen=chosen.frozen, **drawing), "two-queries")
            _order_and_freeze(shown, chosen)
    key_text = token_texts(shown.key_tokens)[key]
    how = f"({key}): {arithmetic(look, key)}"
    st.markdown(link_words(f"**{plain(look.text)} → {plain(key_text)}** {plain(how)}"))
    with st.expander(tr("The scores as a table")):
        columns = {name: said(label) for name, label in SCORE_COLUMNS.items()}
        st.dataframe(_scores(looks), hide_index=True, column_config=columns)
    first, second = st.columns(2)
    with first:
        numbers(lambda: _scores(looks), "query-scores", label=tr("Download scores and weights (CSV)"))
    with second:
        numbers(
            lambda: pd.concat([vector_table(look) for look in looks]),
            "query-vectors",
            label=tr("Download all vectors (CSV)"),
        )


def _one_score(look: Lookup, shown: AttentionRecord, chosen: Selection, key: int) -> None:
    """Draw how the query and the key that answers make a score and a weight, beside those of all keys."""
    left, right, widths = two_columns(*BESIDE)
    with left:
        st.markdown(_ask_and_answer(look, shown, chosen))
        figure = score_sum(shown, **where(chosen), key=key, theme=theme(), width=widths[0])
        picture(figure, "one-score", alt=f"{look.text} → {token_texts(shown.key_tokens)[key]}: {arithmetic(look, key)}")
        _order_and_freeze(shown, chosen)
    with right:
        figure = key_list(shown, **where(chosen), order=chosen.order, answer=key, theme=theme(), width=widths[1])
        picture(figure, "all-scores", alt=tr("The score and the weight of each key"))


def _order_and_freeze(shown: AttentionRecord, chosen: Selection) -> None:
    """Draw the choice of the order of the keys, and the button that freezes the query."""
    order, freeze = st.columns(2, vertical_alignment="bottom")
    pick_order(order)
    _freeze(freeze, shown, chosen)


def _ask_and_answer(look: Lookup, shown: AttentionRecord, chosen: Selection) -> str:
    """Say in Markdown which word answers the query best, by which score and for which share of the attention, and which
    token answers better still."""
    texts, strongest = token_texts(shown.key_tokens), int(look.weights.argmax())
    key = answering_key(look, shown, chosen)
    facts = {
        "query": plain(look.text),
        "key": plain(texts[key]),
        "score": score_as_text(look.scores[key]),
        "share": f"{look.weights[key]:{SHARE_FORMAT}}",
    }
    if key == strongest:
        return link_words(
            tr(
                "**“{query}” asks, “{key}” answers:** a score of {score}, the highest, and so {share} of the "
                "attention.",
                **facts,
            )
        )
    answer = tr("**“{query}” asks, “{key}” answers:** a score of {score}, and so {share} of the attention.", **facts)
    best = tr(
        "The best answer is {key}’s: {score}, and so {share}.",
        key=plain(texts[strongest]),
        score=score_as_text(look.scores[strongest]),
        share=f"{look.weights[strongest]:{SHARE_FORMAT}}",
    )
    return link_words(f"{answer} {best}")


def _scores(looks: Sequence[Lookup]) -> pd.DataFrame:
    return pd.concat([score_table(look) for look in looks], ignore_index=True)


def _freeze(place: DeltaGenerator, shown: AttentionRecord, chosen: Selection) -> None:
    """Draw the button that freezes the query while another is chosen, or releases it."""
    texts = token_texts(shown.query_tokens)
    if chosen.frozen == NOTHING:
        place.button(
            tr("Freeze “{token}” to compare", token=plain(texts[chosen.query])),
            on_click=_hold,
            args=(chosen.query,),
            icon=":material/ac_unit:",
            help=tr("Keeps this query. Choose another token to see both."),
        )
        return
    place.button(
        tr("Release “{token}” ({position})", token=plain(texts[chosen.frozen]), position=chosen.frozen),
        on_click=_hold,
        args=(NOTHING,),
        icon=":material/lock_open:",
        type="primary",
    )
    if chosen.frozen == chosen.query:
        place.caption(tr("Frozen. Now choose another query token to see both."))


def _hold(position: int) -> None:
    choose(frozen=position)
