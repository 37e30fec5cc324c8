"""Why positions are needed: a sentence and its words shuffled, with positions or without."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.opening.registry import Model
from models.values.errors import UnsupportedModelError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import AttentionRecord
from ui.desk.ask import ask
from ui.state.choices import DEFAULTS, Selection
from ui.state.first_visit import first_visit
from ui.state.plain import plain
from ui.state.selection import fit, is_turned, selection, show_head
from ui.widgets.asking.inputs import BITES
from ui.widgets.asking.pickers import layer_and_head, next_seed
from ui.widgets.frame import theme
from ui.widgets.missing import offer
from ui.widgets.notes import say_notes
from ui.widgets.pictures import below_buttons, numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.kit.language import tr
from viz.kit.theme import SHARE_FORMAT, bound_above
from viz.kit.tokens import token_texts
from viz.positions.shuffled import difference, difference_table, differences, moved_tokens, shuffled_map, written_map

EXCHANGED = dict(zip(BITES.values(), (249, 2457), strict=True))
"""The seeds by which the nouns of these sentences change places: “the man bites the dog”, “쥐가 고양이를 잡는다”."""
ROUNDING = 1e-4
"""The difference of weights that is due to rounding in float32."""


def why_section(model_positions: ModelPositions | None) -> None:
    if model_positions is None:  # the reason is shown above
        return
    chosen = selection()
    try:
        pair = ask(
            chosen.model,
            chosen.device,
            Model.record_shuffled,
            *chosen.texts,
            with_positions=chosen.with_positions,
            seed=seed_of(chosen),
        )
    except UnsupportedModelError as error:
        st.info(plain(str(error)), icon=":material/info:")
        offer(first_visit().model)
        return
    if not is_turned():
        show_head(*_where_order_counts(chosen))
    _compare_orders(pair, chosen)


def _where_order_counts(chosen: Selection) -> tuple[int, int]:
    """Return the layer and the head that attend most differently, with positions, to the words in another order."""
    pair = ask(
        chosen.model, chosen.device, Model.record_shuffled, *chosen.texts, with_positions=True, seed=seed_of(chosen)
    )
    return divmod(int(differences(pair).argmax()), pair.written.attention[0].n_heads)


def seed_of(chosen: Selection) -> int:
    """Return the seed of the order: until the reader shuffles anew, the one that exchanges the nouns of an example."""
    is_first = chosen.seed == DEFAULTS["seed"]
    return EXCHANGED.get((chosen.text, chosen.text_b), chosen.seed) if is_first else chosen.seed


def _with_or_without() -> DeltaGenerator:
    """Draw the choice of with or without positions; return the place beside it."""
    with_them, beside = st.columns([3, 9], vertical_alignment="center")
    with_them.segmented_control(
        tr("The model reads both"),
        [False, True],
        key="with_positions",
        required=True,
        label_visibility="collapsed",
        format_func=lambda with_positions: tr("with positions") if with_positions else tr("without positions"),
    )
    return beside


def _pick_order() -> None:
    """Draw the order of the second picture, and another shuffle."""
    order, again = st.columns([5, 3], vertical_alignment="bottom")
    order.toggle(
        tr("Back into the written order"),
        key="brought_back",
        help=tr(
            "Puts the rows and columns of the shuffled sentence back, so that a cell means the same two tokens in both "
            "pictures."
        ),
    )
    again.button(tr("Shuffle anew"), on_click=next_seed, icon=":material/shuffle:", width="stretch")


def _compare_orders(pair: ShuffledPair, chosen: Selection) -> None:
    """Draw both sentences, the difference of their attention, and both heatmaps."""
    written = pair.written
    beside = _with_or_without()
    say_notes(written.info, written.tokens, (chosen.text, chosen.text_b), written.note)
    if pair.order == tuple(range(len(pair.order))):
        nothing = tr("There is nothing to shuffle in this sentence: type at least two words.")
        st.info(nothing, icon=":material/edit:")
        return
    record = pair.written.attention[0]
    fit(pair.written)
    layer, head = selection().layer, selection().head_index
    of_all = differences(pair)  # [n_layers, n_heads]
    largest = float(of_all.max())
    beside.markdown(link_words(_verdict(record, difference(pair, layer=layer, head=head), largest)))
    pictures = st.container()
    if largest <= ROUNDING:
        says = tr(
            "The largest difference between two weights is under {largest}: rounding.", largest=bound_above(largest)
        )
        st.caption(link_words(says))
    _pick_order()
    layer_and_head(record)
    with pictures:
        left, right, widths = two_columns()
    first = written_map(pair, layer=layer, head=head, theme=theme(), width=widths[0])
    second = shuffled_map(
        pair, layer=layer, head=head, is_brought_back=chosen.brought_back, theme=theme(), width=widths[1]
    )
    below_buttons(first, second)
    with left:
        st.text(tr("Written:   {tokens}", tokens=" ".join(token_texts(pair.written.tokens))))
        picture(first, "written")
    with right:
        st.text(tr("Shuffled:  {tokens}", tokens=" ".join(moved_tokens(pair))))
        picture(second, "shuffled")
    numbers(lambda: difference_table(pair, layer=layer, head=head), "shuffled")


def _verdict(record: AttentionRecord, here: float, anywhere: float) -> str:
    """Say whether only the order of the attention differs, with the largest difference of this head and of all."""
    if anywhere <= ROUNDING:
        return tr(
            "**The same attention** in all {n} heads: the model cannot tell these two orders apart.",
            n=record.n_layers * record.n_heads,
        )
    return tr(
        "**Not the same attention:** the order counts. Two weights differ by up to {here} in this head, and by up to "
        "{anywhere} in all {n} heads.",
        here=f"{here:{SHARE_FORMAT}}",
        anywhere=f"{anywhere:{SHARE_FORMAT}}",
        n=record.n_layers * record.n_heads,
    )
