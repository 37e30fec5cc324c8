"""Why positions are needed: a sentence and its words shuffled, with positions or without."""

from __future__ import annotations

import numpy as np
import streamlit as st

from models.analysis import compare_orders
from models.opening.registry import Model
from models.values.errors import UnsupportedModelError
from models.values.positions import ModelPositions, ShuffledPair
from models.values.record import AttentionRecord
from ui.desk.ask import ask
from ui.state.choices import DEFAULTS, Selection
from ui.state.first_visit import first_visit
from ui.state.plain import plain
from ui.state.selection import fit, is_turned, selection, show_head
from ui.state.sources import short_name
from ui.widgets.asking.inputs import BITES
from ui.widgets.asking.pickers import layer_and_head, next_seed
from ui.widgets.browser.comparison import draw_comparison
from ui.widgets.missing import offer
from ui.widgets.notes import say_notes
from ui.widgets.pictures import two_columns
from ui.widgets.words import link_words
from viz.attention.heatmap import attention_title
from viz.kit.language import said, to_say, tr
from viz.kit.theme import SHARE_FORMAT, bound_above
from viz.positions.shuffled import difference, differences, order_finding
from viz.viewer.comparison import MOST_TOKENS, ComparedWords

EXCHANGED = dict(zip(BITES.values(), (249, 2457), strict=True))
"""The seeds by which the nouns of these sentences change places: “the man bites the dog”, “쥐가 고양이를 잡는다”."""
LOST = to_say(
    "The same words stand in both sentences, and that is all the model sees here: nobody tells it which comes first. "
    "**Who does what to whom is lost.** Now switch to *with positions*."
)
FOUND = to_say(
    "Now each token also carries its position. The same words in another order get another attention: **the order "
    "counts.**"
)
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
    """Return the layer and the head in which, with positions, the attention of a word moves most."""
    pair = _with_positions(chosen)
    record = pair.written.attention[0]
    moved = np.zeros((record.n_layers, record.n_heads))
    for layer, head in np.ndindex(*moved.shape):
        shift = compare_orders(pair, layer=layer, head=head).shift
        moved[layer, head] = shift.moved if shift else 0
    layer, head = np.unravel_index(moved.argmax(), moved.shape)
    return int(layer), int(head)


def _with_positions(chosen: Selection) -> ShuffledPair:
    return ask(
        chosen.model, chosen.device, Model.record_shuffled, *chosen.texts, with_positions=True, seed=seed_of(chosen)
    )


def seed_of(chosen: Selection) -> int:
    """Return the seed of the order: until the reader shuffles anew, the one that exchanges the nouns of an example."""
    is_first = chosen.seed == DEFAULTS["seed"]
    return EXCHANGED.get((chosen.text, chosen.text_b), chosen.seed) if is_first else chosen.seed


def _with_or_without() -> None:
    """Draw the choice of with or without positions."""
    st.segmented_control(
        tr("The model reads both"),
        [False, True],
        key="with_positions",
        required=True,
        label_visibility="collapsed",
        format_func=lambda with_positions: tr("with positions") if with_positions else tr("without positions"),
    )


def _compare_orders(pair: ShuffledPair, chosen: Selection) -> None:
    """Draw arcs over both sentences, and say whether their attention differs."""
    written = pair.written
    _with_or_without()
    say_notes(written.info, written.tokens, (chosen.text, chosen.text_b), written.note)
    if pair.order == tuple(range(len(pair.order))):
        nothing = tr("There is nothing to shuffle in this sentence: type at least two words.")
        st.info(nothing, icon=":material/edit:")
        return
    record = written.attention[0]
    fit(written)
    largest = float(differences(pair).max())
    left, right, _widths = two_columns(3, 2)
    with left:
        _draw(pair, chosen, largest)
    with right:
        st.markdown(said(LOST if largest <= ROUNDING else FOUND))
        layer_and_head(record)
        st.button(tr("Shuffle anew"), on_click=next_seed, icon=":material/shuffle:")
        here = difference(pair, layer=selection().layer, head=selection().head_index)
        st.caption(link_words(_in_numbers(record, here, largest)))


def _draw(pair: ShuffledPair, chosen: Selection, largest: float) -> None:
    """Draw a head on both sentences, with the token held whose attention moves most where positions are read; `largest`
    is the largest difference between two weights of any head."""
    n_tokens = len(pair.order)
    if n_tokens > MOST_TOKENS:
        too_long = tr(
            "This text has {n} tokens, and texts of up to {most} can be set side by side. Shorten it.",
            n=n_tokens,
            most=MOST_TOKENS,
        )
        st.info(too_long, icon=":material/content_cut:")
        return
    record, layer, head = pair.written.attention[0], selection().layer, selection().head_index
    moves = compare_orders(_with_positions(chosen), layer=layer, head=head).shift
    comparison = compare_orders(pair, layer=layer, head=head, token=moves.rows[0] if moves else None)
    words = ComparedWords(
        one_title=tr("As written"),
        other_title=tr("Shuffled"),
        one=tr("as written"),
        other=tr("shuffled"),
        title=attention_title(record, layer, head),
        models=tr("Model: {model}", model=short_name(pair.written.info.public_name)),
        are_texts=True,
        finding=order_finding(comparison, is_same=largest <= ROUNDING, n_heads=record.n_layers * record.n_heads),
    )
    draw_comparison(comparison, words)


def _in_numbers(record: AttentionRecord, here: float, anywhere: float) -> str:
    """Return the largest difference between two weights of this head, and of all."""
    if anywhere <= ROUNDING:
        return tr(
            "The largest difference between two weights is under {largest}: rounding.", largest=bound_above(anywhere)
        )
    return tr(
        "Two weights differ by up to {here} in this head, and by up to {anywhere} in all {n} heads.",
        here=f"{here:{SHARE_FORMAT}}",
        anywhere=f"{anywhere:{SHARE_FORMAT}}",
        n=record.n_layers * record.n_heads,
    )
