"""Why a head looks at a key: the score as a sum over what wrote the query and the key."""

from __future__ import annotations

import streamlit as st

from models.analysis import score_parts
from models.values.errors import MissingCapabilityError, UnsupportedModelError
from models.values.record import AttentionRecord, Recording
from ui.desk.ask import ask
from ui.layers.queries.parts import answering_key, position_labels, where
from ui.state.choices import NOTHING, Selection
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.about import say_about
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.missing import offer
from ui.widgets.pictures import numbers, picture
from viz.kit.language import said, to_say, tr
from viz.vectors.query_key_value import look_up
from viz.vectors.score_arcs import score_arcs
from viz.vectors.score_words import finding_of_score, pairs_in_words, score_table

WHY_HELP = to_say(
    "A score is the product of a query and a key, and both are sums of what was written below: by the embeddings, by "
    "every head and by every feed-forward network. So the score is a sum over pairs. The norms between are held at "
    "their statistics."
)


def why_this_key(recording: Recording, shown: AttentionRecord, chosen: Selection) -> None:
    """Draw the pairs that make up the score of the chosen query and key."""
    key = _pick_key(shown, chosen)
    if key is None:
        return
    try:
        text, text_b = chosen.texts
        parts = ask(
            chosen.model,
            chosen.device,
            score_parts,
            text,
            text_b=text_b,
            kind=shown.kind,
            layer=chosen.layer,
            head=chosen.head_index or 0,
            query=chosen.query,
            key=key,
        )
    except (MissingCapabilityError, UnsupportedModelError) as error:
        st.info(plain(str(error)), icon=":material/info:")
        offer("mini-bert")
        return
    finding, rest = finding_of_score(parts, recording)
    st.markdown(f"**{plain(finding)}** {plain(rest)}", help=said(WHY_HELP))
    figure = score_arcs(parts, theme=theme(), width=column_widths(1)[0])
    picture(figure, "score-parts", alt=tr("The largest pairs: {pairs}", pairs=pairs_in_words(parts)))
    say_about("score_parts")
    numbers(lambda: score_table(parts), "score-parts", label=tr("Download all pairs (CSV)"))


def _pick_key(shown: AttentionRecord, chosen: Selection) -> int | None:
    """Draw the choice of the key, and return it: by default the word that the query looks at most."""
    names = position_labels(shown.key_tokens)
    place, _ = st.columns([4, 8])
    place.selectbox(
        tr("Score of"),
        [NOTHING, *range(len(names))],
        key="key_token",
        format_func=lambda place: tr("the strongest key") if place == NOTHING else names[place],
    )
    look, wanted = look_up(shown, **where(chosen)), selection().key_token
    if wanted != NOTHING and not look.visible[wanted]:
        unseen = tr("The query cannot look at this key. The strongest key is shown.")
        st.info(unseen, icon=":material/visibility_off:")
        wanted = NOTHING
    if wanted != NOTHING:
        return wanted
    strongest = answering_key(look, shown, chosen)
    return strongest if look.visible[strongest] else None
