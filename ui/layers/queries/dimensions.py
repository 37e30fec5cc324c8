"""The dimensions of a query and its keys: what each adds to a score."""

from __future__ import annotations

from typing import Any

import streamlit as st

from models.values.record import AttentionRecord, Recording
from ui.layers.queries.parts import at, pick_order, position_labels, say, where
from ui.state.choices import NOTHING, Selection
from ui.state.selection import selection
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.vectors.dimension_story import dimension_story
from viz.vectors.neurons import dimension_bars, dimension_table, ranked_contributions, sentence_bars
from viz.vectors.query_key_value import look_up

CENTRED_HELP = to_say(
    "The softmax only sees differences: what a dimension gives to every key equally changes no weight. Centred, each "
    "key is compared with the mean of the keys that the query can see. Switched off, you see scale × q × k as it is."
)


def dimensions(_recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    """Draw what each dimension of the query and the keys adds to the scores."""
    order, key, centred = st.columns([5, 4, 4], vertical_alignment="bottom")
    pick_order(order)
    names = position_labels(shown.key_tokens)
    key.selectbox(
        tr("Score of"),
        [NOTHING, *range(len(names))],
        key="key_token",
        format_func=lambda place: tr("all keys, by weight") if place == NOTHING else names[place],
    )
    centred.toggle(tr("Centred over the keys"), key="centred", help=said(CENTRED_HELP))
    chosen = selection()
    asked: dict[str, Any] = where(chosen)
    drawing: dict[str, Any] = {"centred": chosen.centred, "theme": theme()}
    st.caption(
        tr(
            "A score is a sum over dimensions: scale × q × k. What a dimension gives to every key equally changes no "
            "weight, so the mean over the keys is subtracted."
        )
        if chosen.centred
        else tr(
            "A score is a sum over dimensions: scale × q × k. Here is each dimension as it is. What it gives to every "
            "key equally cancels out in the softmax."
        )
    )
    wanted = None if chosen.key_token == NOTHING else chosen.key_token
    if wanted is not None and not look_up(shown, **asked).visible[wanted]:
        unseen = tr("The query cannot look at this key. All keys are shown, by weight.")
        st.info(unseen, icon=":material/visibility_off:")
        wanted = None
    say(dimension_story(shown, **asked, key=wanted, centred=chosen.centred))
    left, right, widths = two_columns()
    with left:
        picture(dimension_bars(shown, **asked, key=wanted, **drawing, width=widths[0]), "query-dimensions")
    with right:
        picture(sentence_bars(shown, **at(chosen), **drawing, width=widths[1]), "text-dimensions")
    width = column_widths(1)[0]
    picture(ranked_contributions(shown, **asked, order=chosen.order, **drawing, width=width), "ranked-dimensions")
    numbers(lambda: dimension_table(shown, **asked, centred=chosen.centred), "dimensions")
