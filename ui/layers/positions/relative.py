"""Positions that work on queries, keys and scores: rotary angles, ALiBi, T5's buckets."""

from __future__ import annotations

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.inspection.source import source_of_step
from models.values.positions import ModelPositions
from models.values.record import Array
from ui.layers.positions.parts import BASE, equations, name_of, pick
from ui.state.choices import ALIBI_HEADS, BUCKETS, LENGTHS, MAX_DISTANCES, SHIFTS
from ui.state.plain import plain
from ui.state.selection import selection
from ui.widgets.asking.pickers import next_seed
from ui.widgets.browser.viewport import column_widths
from ui.widgets.frame import theme
from ui.widgets.missing import offer
from ui.widgets.pictures import numbers, picture, two_columns
from viz.kit.language import tr
from viz.kit.theme import bound_above
from viz.positions.alibi import alibi_lines, alibi_map, slope_bars, slope_table
from viz.positions.buckets import BucketRule, bias_lines, bias_map, bias_table, bucket_chart, bucket_table
from viz.positions.formulas import Exact, alibi_slopes, example_vectors, frequencies, rotary_scores, spread_at_distance
from viz.positions.rotary import rotary_circle, rotary_curve, rotary_map, rotary_table, turn_chart, turn_table

T5 = "google-t5/t5-small"
D_ROTARY = 64
"""The width of a head where the model has no rotary angles: that of RoFormer and Llama."""


def rotary_section(model_positions: ModelPositions | None) -> None:
    turned = tr(
        "Llama, Qwen and ModernBERT add nothing to the tokens. They turn each pair of dimensions of a query and a key "
        "by an angle that grows with the position. In the dot product, only the difference of the two angles is left."
    )
    st.markdown(turned)
    turns = _turns(model_positions)
    first, second, third = st.columns(3)
    with first:
        pick(tr("Pair of dimensions"), "pair", len(turns))
    second.slider(tr("Distance (positions)"), *SHIFTS, key="shift")
    third.slider(tr("Length (positions)"), *LENGTHS, key="length")
    chosen = selection()
    rule = tr(r"R_m = \text{turn pair } i \text{ by } m\,\omega_i")
    equations(r"(R_m q)\cdot(R_n k) = q \cdot R_{n-m}\, k", rule)
    left, right, widths = two_columns()
    with left:
        picture(turn_chart(turns, pair=chosen.pair, theme=theme(), width=widths[0]), "rotary-angles")
        numbers(lambda: turn_table(turns), "rotary-angles")
    with right:
        circle = rotary_circle(
            turns, pair=chosen.pair, distance=chosen.shift, seed=chosen.seed, theme=theme(), width=widths[1]
        )
        picture(circle, "rotary-circle")
    st.subheader(tr("Only the distance is left"))
    scores = rotary_scores(*example_vectors(len(turns), seed=chosen.seed), chosen.length, turns)
    spread = tr(
        "The same made-up query and key at every position: two random vectors of length 1, not taken from the model. "
        "Scores at the same distance differ by less than **{spread}**.",
        spread=bound_above(spread_at_distance(scores)),
    )
    st.markdown(spread)
    st.button(tr("Another query and key"), on_click=next_seed, icon=":material/casino:")
    left, right, widths = two_columns()
    with left:
        picture(rotary_map(turns, chosen.length, seed=chosen.seed, theme=theme(), width=widths[0]), "rotary-scores")
    with right:
        picture(rotary_curve(turns, chosen.length, seed=chosen.seed, theme=theme(), width=widths[1]), "rotary-curve")
        numbers(lambda: rotary_table(turns, chosen.length, seed=chosen.seed), "rotary-curve")
    _lines_that_turn()


def _lines_that_turn() -> None:
    """Show the source code of the rotation in the transformer from scratch."""
    with st.expander(tr("**The lines that do it**, in the transformer from scratch of this app.")):
        for lines in source_of_step("rotation")[1:]:
            st.caption(tr("{path}, from line {line}", path=plain(lines.path), line=lines.first_line))
            st.code(lines.code, language="python")


def _turns(model_positions: ModelPositions | None) -> Exact:
    """Return the angles of the model, or else those of the formula, and say which."""
    if model_positions is not None and model_positions.frequencies is not None:
        st.caption(tr("These are the angles of {model}, in its first layer.", model=plain(model_positions.info.name)))
        return model_positions.frequencies.astype(np.float64)
    of_paper = tr(
        "{model} does not turn its queries and keys. These angles follow the formula base^(−2i/d) with the defaults of "
        "the paper: d = {d} dimensions in a head, and base {base}.",
        model=name_of(model_positions),
        d=D_ROTARY,
        base=f"{BASE:,}",
    )
    st.caption(of_paper)
    return frequencies(D_ROTARY, BASE)


def alibi_section(model_positions: ModelPositions | None) -> None:
    lowered = tr(
        "BLOOM and MPT lower every score in proportion to the distance. Each head has its own slope, so some see near "
        "and some see far. Nothing is learned, and texts can be longer than those in training."
    )
    st.markdown(lowered)
    first, second, third = st.columns(3)
    slopes = _slopes(model_positions, first)
    with second:
        pick(tr("Head"), "bias_head", len(slopes))
    third.slider(tr("Length (positions)"), *LENGTHS, key="length")
    chosen = selection()
    score = tr(r"score(i, j) = \frac{q_i \cdot k_j}{\sqrt{d}} - m_h\,(i - j)")
    equations(score, r"m_h = 2^{-8h/n}, \; h = 1 \dots n")
    left, right, widths = two_columns()
    with left:
        bias = alibi_map(slopes, chosen.length, head=chosen.bias_head, theme=theme(), width=widths[0])
        picture(bias, "alibi-bias")
    with right:
        lines = alibi_lines(slopes, chosen.length, head=chosen.bias_head, theme=theme(), width=widths[1])
        picture(lines, "alibi-lines")
    picture(slope_bars(slopes, head=chosen.bias_head, theme=theme(), width=column_widths(1)[0]), "alibi-slopes")
    numbers(lambda: slope_table(slopes), "alibi-slopes")


def _slopes(model_positions: ModelPositions | None, place: DeltaGenerator) -> Exact:
    """Return the slopes of the model, or else those of the paper for a number of heads chosen at `place`, and say
    which."""
    if model_positions is not None and model_positions.slopes is not None:
        st.caption(tr("The slopes are those of {model}.", model=plain(model_positions.info.name)))
        return model_positions.slopes.astype(np.float64)
    of_paper = tr(
        "{model} has no such slopes. These are from the paper, for as many heads as you like. A number of heads that "
        "is not a power of two borrows from the next one, as in the authors' code.",
        model=name_of(model_positions),
    )
    st.caption(of_paper)
    return alibi_slopes(place.slider(tr("Number of heads"), *ALIBI_HEADS, key="alibi_heads"))


def bucket_section(model_positions: ModelPositions | None) -> None:
    added = tr(
        "T5 learns a number for each head and distance, and adds it to the score. Far distances share a number: they "
        "are sorted into buckets that get wider, just as we say “yesterday” but “years ago”."
    )
    st.markdown(added)
    st.latex(tr(r"score(i, j) = q_i \cdot k_j + b_{h,\;bucket(j - i)}"))
    if model_positions is None or model_positions.bias_by_distance is None:
        none = tr(
            "{model} has no such numbers: they are learned, so it takes a T5 to show them. The buckets themselves are "
            "a formula, shown below.",
            model=name_of(model_positions),
        )
        st.info(none, icon=":material/info:")
        offer(T5)
    else:
        _learned_bias(model_positions, model_positions.bias_by_distance)
    first, second, third = st.columns(3, vertical_alignment="bottom")
    first.select_slider(tr("Buckets"), BUCKETS, key="buckets")
    second.select_slider(tr("Largest distance"), MAX_DISTANCES, key="max_distance")
    third.toggle(tr("Both directions, as in the encoder"), key="both_ways")
    chosen = selection()
    rule = BucketRule(both_ways=chosen.both_ways, n_buckets=chosen.buckets, max_distance=chosen.max_distance)
    picture(bucket_chart(rule, theme=theme(), width=column_widths(1)[0]), "t5-buckets")
    numbers(lambda: bucket_table(rule), "t5-buckets")


def _learned_bias(model_positions: ModelPositions, bias: Array) -> None:
    """Draw the bias of all heads as a map, and that of one as a line."""
    of_model = tr(
        "The bias of {model}, in the first layer of its encoder; the other layers use it too.",
        model=plain(model_positions.info.name),
    )
    st.caption(of_model)
    pick(tr("Head"), "bias_head", len(bias))
    left, right, widths = two_columns()
    with left:
        picture(
            bias_map(
                bias,
                model_positions.distances,
                title=tr("What each head adds to a score"),
                theme=theme(),
                width=widths[0],
            ),
            "t5-bias",
        )
        numbers(lambda: bias_table(bias, model_positions.distances), "t5-bias")
    with right:
        head = selection().bias_head
        picture(bias_lines(bias, model_positions.distances, head=head, theme=theme(), width=widths[1]), "t5-bias-head")
