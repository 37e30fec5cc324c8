"""Positions that are added to the tokens: sinusoids and learned tables."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from models.values.positions import ModelPositions
from models.values.record import Array
from ui.layers.positions.parts import BASE, equations, pick
from ui.state.choices import BASES, LENGTHS, SHIFTS, WIDTHS, Selection
from ui.state.first_visit import first_visit
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.missing import offer
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.kit.theme import bound_above
from viz.positions.formulas import frequencies, shift_encoding, shift_matrix, sinusoids
from viz.positions.learned import (
    MOST_POSITIONS,
    distance_profiles,
    position_table,
    profile_table,
    similarity_map,
    table_map,
)
from viz.positions.sinusoidal import (
    dot_product_curve,
    dot_product_map,
    dot_product_table,
    encoding_map,
    encoding_table,
    encoding_waves,
    shift_circle,
)

FROM_SINUSOIDS = "mini-bert"
STARTED_AS_SINUSOIDS = to_say(
    "mini-bert is an exception: its table started as small sinusoids, to make a short training enough, and "
    "learned from there. You can still see them."
)


def sinusoidal_section(_found: ModelPositions | None) -> None:
    first, second, third = st.columns(3)
    first.slider(tr("Length (positions)"), *LENGTHS, key="length")
    second.slider(tr("d_model (dimensions)"), *WIDTHS, step=2, key="d_model")
    third.select_slider(tr("Base"), BASES, key="base", format_func=lambda base: f"{base:,}")
    chosen = selection()
    size = chosen.length, chosen.d_model, chosen.base
    left, right, widths = two_columns()
    with left:
        picture(encoding_map(*size, theme=theme(), width=widths[0]), "sinusoidal-encoding")
        numbers(lambda: encoding_table(*size), "sinusoidal-encoding")
    with right:
        pick(tr("Pair of dimensions"), "pair", chosen.d_model // 2)
        pair = selection().pair
        picture(encoding_waves(*size, pair=pair, theme=theme(), width=widths[1]), "waves")
    waves = tr(
        "The first transformer adds these waves to its tokens: fast ones in the first dimensions, slow ones in the "
        "last. It is like counting: the last digit changes fast, the first one slowly."
    )
    st.markdown(waves)
    power = rf"{chosen.base}^{{2i/{chosen.d_model}}}"
    equations(rf"PE(pos, 2i) = \sin(pos / {power})", rf"PE(pos, 2i+1) = \cos(pos / {power})")
    st.subheader(tr("How alike two positions are"))
    left, right, widths = two_columns()
    with left:
        picture(dot_product_map(*size, theme=theme(), width=widths[0]), "dot-products")
    with right:
        equations(r"PE(p) \cdot PE(q) = \sum_{i} \cos\big((p - q)\,\omega_i\big)", r"\omega_i = base^{-2i/d}")
        picture(dot_product_curve(*size, theme=theme(), width=widths[1]), "dot-product-curve")
        numbers(lambda: dot_product_table(*size), "dot-products")
    st.subheader(tr("A shift is a rotation"))
    _shift(chosen)


def _shift(chosen: Selection) -> None:
    """Draw a pair at two positions and their shifts, the matrix of the shift, and its error."""
    left, right, widths = two_columns()
    with right:
        st.slider(tr("Shift k (positions)"), *SHIFTS, key="shift")
        pair, shift = selection().pair, selection().shift
        turns = frequencies(chosen.d_model, chosen.base)
        matrix = shift_matrix(shift, float(turns[pair]))
        multiplied = tr(
            "To look *k* places further on, a [head](#word-head) can turn each pair by a fixed angle, wherever it is. "
            "For pair {pair} and *k* = {shift}, that means multiplying by",
            pair=pair,
            shift=shift,
        )
        st.markdown(multiplied)
        st.latex(
            rf"R({shift}) = \begin{{pmatrix}} {matrix[0, 0]:.4f} & {matrix[0, 1]:.4f} \\ "
            rf"{matrix[1, 0]:.4f} & {matrix[1, 1]:.4f} \end{{pmatrix}}"
        )
        vector = r"\begin{pmatrix} PE_{2i} \\ PE_{2i+1} \end{pmatrix}"
        st.latex(rf"{vector}_{{pos+k}} = R(k) {vector}_{{pos}}")
        encoding = sinusoids(chosen.length + shift, chosen.d_model, chosen.base)
        worst = np.abs(shift_encoding(encoding[: chosen.length], shift, turns) - encoding[shift:]).max()
        off = tr(
            "Worked out for all {positions} positions and {pairs} pairs, the two sides differ by less than "
            "**{worst}**.",
            positions=chosen.length,
            pairs=chosen.d_model // 2,
            worst=bound_above(worst),
        )
        st.markdown(off)
    with left:
        circle = shift_circle(
            chosen.length, chosen.d_model, chosen.base, pair=pair, shift=shift, theme=theme(), width=widths[0]
        )
        picture(circle, "shift-as-rotation")


def learned_section(model_positions: ModelPositions | None) -> None:
    asked = tr(
        "BERT and GPT-2 start from random vectors, one for each position, and learn them as they learn words. Nobody "
        "tells them that position 4 is next to position 5. Did they find out?"
    )
    st.markdown(asked)
    if model_positions is None or model_positions.table is None:
        if model_positions is not None:
            none = tr("{model} has no table of positions to show.", model=plain(model_positions.info.name))
            st.info(none, icon=":material/info:")
            offer(first_visit().model)
        return
    table, name = model_positions.table, model_positions.info.name
    formula = sinusoids(len(table), table.shape[1] // 2 * 2, BASE)
    alike = tr(r"similarity(p, q) = \frac{P_p \cdot P_q}{|P_p|\,|P_q|}")
    equations(r"x_{pos} = E_{token} + P_{pos}", alike)
    if name.endswith(FROM_SINUSOIDS):
        st.caption(said(STARTED_AS_SINUSOIDS))
    _side_by_side(table, formula, name)
    widths = column_widths(1)
    profiles = distance_profiles(table, formula, name=name, theme=theme(), width=widths[0])
    picture(profiles, "distance-profiles")
    numbers(lambda: profile_table(table, formula), "distance-profiles")


def _side_by_side(table: Array, formula: Array, name: str) -> None:
    """Draw map and similarities of the model's table, and of sinusoids of the same size beside it."""
    both = ((table, name, "positions"), (formula, tr("sinusoidal, same size"), "sinusoids"))
    *places, widths = two_columns()
    for place, (rows, title, file_name) in zip(places, both, strict=True):
        with place:
            figure = table_map(rows, title=tr("Positions: {title}", title=title), theme=theme(), width=widths[0])
            picture(figure, f"{file_name}-table")
            numbers(partial(position_table, rows), f"{file_name}-table")
    *places, widths = two_columns()
    for place, (rows, title, file_name) in zip(places, both, strict=True):
        with place:
            figure = similarity_map(rows, title=tr("Similarity: {title}", title=title), theme=theme(), width=widths[0])
            picture(figure, f"{file_name}-similarity")
    if len(table) > MOST_POSITIONS:
        first = tr(
            "The similarities are those of the first {n} of {all} positions.", n=MOST_POSITIONS, all=f"{len(table):,}"
        )
        st.caption(first)
