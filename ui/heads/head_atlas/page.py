"""The page "Head atlas": all heads of a model by their measures over many texts, and the card of the chosen one.

It is a fragment: another head, measure or example redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.analysis.over_texts.atlas import about_measure
from models.analysis.over_texts.atlas_file import atlas_json
from models.values.head_roles import sort_roles
from models.values.record import Kind
from models.values.results.atlas import HeadAtlas
from ui.desk.ask import open_model
from ui.heads.head_atlas.card import head_card
from ui.heads.head_atlas.corpus import ReadersCorpus, about_sample, pick_corpus
from ui.heads.head_atlas.making import atlas_for
from ui.heads.head_atlas.wall import heads_wall
from ui.state.choices import ATLAS_PICTURES, DEFAULTS
from ui.state.plain import plain
from ui.state.selection import choose, fit_heads, is_turned, selection, show_head
from ui.widgets.about import say_about
from ui.widgets.asking.known_heads import go_to_known_head
from ui.widgets.asking.pickers import pick_kind
from ui.widgets.frame import part_of_page, theme
from ui.widgets.pictures import clickable_picture, numbers, two_columns
from viz.attention.hybrid import other_layers_note
from viz.attention.overview import picked_head
from viz.heads.atlas import likeness_plane, measure_scatter
from viz.heads.card import heads_table, relations_table, standing_out, strongest_table
from viz.heads.words import atlas_finding, grammar_finding
from viz.kit.language import said, to_say, tr
from viz.kit.parsing import MEAN

PICTURE_LABELS = {
    "wall": to_say("Wall"),
    "measures": to_say("Two measures"),
    "alike": to_say("Which look alike"),
}
N_FOUND = 10
_MAP, _FOUND, _RELATIONS = "atlas-map", "atlas-found", "atlas-relations"


@st.fragment
def head_atlas() -> None:
    """Draw the choices beside the model, and everything below."""
    with part_of_page():
        choices, below = (
            st.container(key="atlas-choices", horizontal=True, gap="small"),
            st.container(key="atlas-below"),
        )
        with below:
            corpus = pick_corpus(choices)
            _pick_picture(choices)
            if corpus is not None:
                _atlas_of(corpus)


def _atlas_of(corpus: ReadersCorpus) -> None:
    """Draw the heads of the model over some texts, or the button that computes them."""
    chosen = selection()
    info = open_model(chosen.model, chosen.device).info
    atlases = atlas_for(info.name, chosen.device, corpus)
    if atlases is None:
        return
    pick_kind(_kinds(atlases))
    shown = next(atlas for atlas in atlases if atlas.kind == selection().kind)
    known = () if shown.n_parsed else (role for role in info.head_roles if role.kind == shown.kind)
    shown = replace(shown, roles=sort_roles((*shown.roles, *(role for role in known if role.unit != "weight"))))
    _fit(shown)
    if note := other_layers_note(info):
        st.info(plain(note), icon=":material/info:")
    _pick_measures(shown)
    left, right, widths = two_columns(6, 5)
    with left:
        summary, evidence = atlas_finding(shown)
        st.markdown(plain(summary), help=f"{plain(evidence)} {about_sample()}")
        if shown.n_parsed:
            st.markdown(plain(grammar_finding(shown)))
        _picture(shown, widths[0])
    with right:
        head_card(shown, widths[1], is_known=bool(info.head_roles) and not corpus.key)
    _take_away(atlases, shown)


def _kinds(atlases: Sequence[HeadAtlas]) -> list[Kind]:
    """Return the kinds of attention of the atlases, and bring the chosen one among them."""
    kinds = [atlas.kind for atlas in atlases]
    if selection().kind not in kinds:
        choose(kind=kinds[0])
    return kinds


def _fit(atlas: HeadAtlas) -> None:
    """Bring the choices into the bounds of the atlas; the first visit opens on the head that stands out."""
    state, names = st.session_state, [measured.measure.name for measured in atlas.all_measures]
    chosen = selection()
    is_first = (chosen.layer, chosen.head) == (DEFAULTS["layer"], DEFAULTS["head"])
    if not is_turned() and (is_first or chosen.head == MEAN):
        show_head(*standing_out(atlas))
    fit_heads(atlas.n_layers, atlas.n_heads)
    if selection().head == MEAN:
        choose(head=0)
    for number, key in enumerate(("measure_x", "measure_y")):
        if state[key] not in names:
            state[key] = names[number]


def _pick_picture(place: DeltaGenerator) -> None:
    """Draw the choice of the picture of all heads."""
    place.segmented_control(
        tr("All heads"),
        list(ATLAS_PICTURES),
        key="atlas",
        format_func=lambda name: said(PICTURE_LABELS[name]),
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )


def _pick_measures(atlas: HeadAtlas) -> None:
    """Draw the choice of the measures of the picture."""
    titles = {measured.measure.name: said(measured.measure.title) for measured in atlas.all_measures}
    if selection().atlas == "wall":
        return
    one, other = st.columns(2)
    one.selectbox(tr("Horizontal"), list(titles), key="measure_x", format_func=titles.__getitem__)
    if selection().atlas == "measures":
        other.selectbox(tr("Vertical"), list(titles), key="measure_y", format_func=titles.__getitem__)


def _picture(atlas: HeadAtlas, width: int) -> None:
    """Draw all heads as tiles, or in one picture with the finder of heads."""
    chosen = selection()
    if chosen.atlas == "wall":
        heads_wall(atlas)
        _relations(atlas)
        return
    chosen_head = chosen.layer, chosen.head_index or 0
    figure = (
        measure_scatter(atlas, x=chosen.measure_x, y=chosen.measure_y, selected=chosen_head, theme=theme(), width=width)
        if chosen.atlas == "measures"
        else likeness_plane(atlas, selected=chosen_head, theme=theme(), width=width)
    )
    clickable_picture(figure, _MAP, _pick)
    if chosen.atlas == "measures":
        for measured in dict.fromkeys((chosen.measure_x, chosen.measure_y)):
            say_about(about_measure(measured), of=said(atlas.of(measured).measure.title))
    _finder(atlas)
    _relations(atlas)


def _finder(atlas: HeadAtlas) -> None:
    """Draw the lists of heads: by role, and by the chosen measure."""
    go_to_known_head(atlas.roles, st.container(), label=tr("Find a head that ..."))
    table = strongest_table(atlas, selection().measure_x, N_FOUND)
    st.dataframe(
        table,
        key=_FOUND,
        hide_index=True,
        height=210,
        on_select=lambda: _take_found(atlas),
        selection_mode="single-row",
        column_config={table.columns[2]: st.column_config.NumberColumn(format="%.4f")},
    )


def _relations(atlas: HeadAtlas) -> None:
    """Draw the list of grammatical relations, if the atlas was made of a treebank."""
    if atlas.relations:
        say_about("dependencies")
        share, relations = st.column_config.NumberColumn(format="percent"), relations_table(atlas)
        st.dataframe(
            relations,
            key=_RELATIONS,
            hide_index=True,
            height=210,
            selection_mode="single-row",
            on_select=lambda: _take_relation(atlas),
            column_config={relations.columns[3]: share, relations.columns[5]: share},
        )


def _pick() -> None:
    """Choose the head that was clicked in the picture."""
    choice = picked_head(st.session_state[_MAP])
    if choice is not None and choice[1] is not None:
        choose(layer=choice[0], head=choice[1])


def _take_found(atlas: HeadAtlas) -> None:
    """Choose the head that was selected in the list."""
    rows = st.session_state[_FOUND].selection.rows
    strongest = atlas.strongest(selection().measure_x, N_FOUND)
    if rows and 0 <= rows[0] < len(strongest):
        layer, head = strongest[rows[0]][:2]
        choose(layer=layer, head=head)


def _take_relation(atlas: HeadAtlas) -> None:
    """Choose the head of the selected grammatical relation."""
    rows = st.session_state[_RELATIONS].selection.rows
    if rows and 0 <= rows[0] < len(atlas.relations):
        chosen = atlas.relations[rows[0]]
        choose(layer=chosen.layer, head=chosen.head)


def _take_away(atlases: Sequence[HeadAtlas], shown: HeadAtlas) -> None:
    name = f"atlas-{plain(shown.model).replace('/', '-')}"
    numbers(lambda: heads_table(shown), name, label=tr("Download all measures (CSV)"))
    st.download_button(
        tr("Download the atlas (JSON)"),
        lambda: atlas_json(atlases),
        file_name=f"{name}.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
