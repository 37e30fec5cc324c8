"""The card of the chosen head: its name and measures, how far it looks, and texts that show it."""

from __future__ import annotations

import re

import streamlit as st

from models.opening.registry import Model
from models.values.history import Measure
from models.values.results.atlas import HeadAtlas, HeadExamples, TextShare
from ui.desk.ask import ask
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.asking.opening import brought_by_reader
from ui.widgets.asking.pickers import layer_and_head
from ui.widgets.frame import theme
from ui.widgets.pictures import picture
from ui.widgets.viewer import viewer
from viz.heads.card import offset_bars, piece_table
from viz.heads.words import head_findings
from viz.kit.language import said, to_say, tr
from viz.kit.theme import SHARE_FORMAT

PARTS = to_say("Texts"), to_say("How far it looks"), to_say("Pieces")
PLAIN_TEXT = re.compile(r"[A-Za-z ,']{12,80}\.")
"""A short sentence of plain words: such a text is shown first."""
_PART, _TEXT = "atlas_part", "atlas_text"


def head_card(atlas: HeadAtlas, width: int, *, is_known: bool) -> None:
    """Draw the chosen head with its findings, and one of: the texts that show it, its offsets, its pieces. If the roles
    of the heads are known (`is_known`), the viewer of the texts names them itself."""
    chosen = selection()
    place = {"layer": chosen.layer, "head": chosen.head_index or 0}
    part = st.segmented_control(
        tr("What shows it"),
        PARTS,
        default=PARTS[0],
        key=_PART,
        required=True,
        format_func=said,
        label_visibility="collapsed",
    )
    if part != PARTS[0] or not is_known:
        st.subheader(tr("Layer {layer} · Head {head}", **place))
        st.markdown("\n".join(f"- {plain(finding)}" for finding in head_findings(atlas, **place)))
    if part == PARTS[0]:
        examples = atlas.examples_of(**place)
        _texts(examples, atlas.of(examples.measure).measure, key=f"{_TEXT}-{place['layer']}-{place['head']}")
    elif part == PARTS[1]:
        picture(offset_bars(atlas, **place, theme=theme(), width=width), "head-offsets")
    else:
        number = st.column_config.NumberColumn(format="%.3f")
        table = piece_table(atlas, **place)
        st.dataframe(table, hide_index=True, column_config={table.columns[1]: number, table.columns[3]: number})
    layer_and_head(atlas, with_mean=False)


def _texts(examples: HeadExamples, measure: Measure, *, key: str) -> None:
    """Draw the list of the strongest and typical texts, and the chosen one in the viewer."""
    labelled = [
        *((tr("strongest: {share}", share=f"{text.share:{SHARE_FORMAT}}"), text) for text in examples.strongest),
        *((tr("typical: {share}", share=f"{text.share:{SHARE_FORMAT}}"), text) for text in examples.typical),
    ]
    if not labelled:
        st.info(tr("No text of the corpus has enough tokens that this measure counts."), icon=":material/info:")
        return
    title = said(measure.title)
    label = (
        tr("Texts, by the share of attention to {title}", title=title)
        if "token" in measure.title
        else tr("Texts, by: {title}", title=title)
    )
    st.selectbox(
        label,
        range(len(labelled)),
        index=next((number for number, (_, text) in enumerate(labelled) if PLAIN_TEXT.fullmatch(text.text)), 0),
        key=key,
        format_func=lambda number: f"{labelled[number][0]} · {labelled[number][1].text}",
    )
    shown: TextShare = labelled[st.session_state[key] or 0][1]
    chosen = selection()
    viewer(ask(chosen.model, chosen.device, Model.record, shown.text), key="atlas_viewer", shows="picture")
    st.button(
        tr("Take this text to the other pages"),
        icon=":material/output:",
        on_click=_take,
        args=(shown.text,),
        disabled=chosen.text == shown.text,
    )


def _take(text: str) -> None:
    choose(text=text, text_b="")
    brought_by_reader()
