"""The page "Positions": sinusoids, learned tables, rotary angles, ALiBi, T5's buckets, and a shuffled sentence.

What is drawn below the model is a fragment: another section or slider redraws it, and nothing else of the page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from models.errors import UnsupportedModelError
from models.positions import ModelPositions, ShuffledPair
from models.record import Array, AttentionRecord
from models.registry import DEFAULT_MODEL
from ui.cache import positions, shuffle_differences, shuffled
from ui.frame import part_of_page, readable_errors, theme
from ui.inputs import examples, sentences
from ui.pickers import layer_and_head
from ui.pictures import numbers, picture, two_columns
from ui.plain import plain
from ui.selection import (
    ALIBI_HEADS,
    BASES,
    BUCKETS,
    LENGTHS,
    MAX_DISTANCES,
    MEAN,
    SHIFTS,
    WIDTHS,
    Selection,
    selection,
)
from ui.viewport import SIDE_BY_SIDE, column_widths, page_width
from viz.positions_alibi import alibi_lines, alibi_map, slope_bars, slope_table
from viz.positions_buckets import BucketRule, bias_lines, bias_map, bias_table, bucket_chart, bucket_table
from viz.positions_formulas import (
    Exact,
    alibi_slopes,
    example_vectors,
    frequencies,
    rotary_scores,
    shift_matrix,
    shifted,
    sinusoids,
    spread_at_distance,
)
from viz.positions_learned import (
    MOST_POSITIONS,
    distance_profiles,
    position_table,
    profile_table,
    similarity_map,
    table_map,
)
from viz.positions_rotary import rotary_circle, rotary_curve, rotary_map, rotary_table, turn_chart, turn_table
from viz.positions_shuffled import difference, difference_table, moved_tokens, shuffled_map, written_map
from viz.positions_sinusoidal import (
    dot_product_curve,
    dot_product_map,
    dot_product_table,
    encoding_map,
    encoding_table,
    encoding_waves,
    shift_circle,
)
from viz.tokens import token_texts

SCHEME_LABELS = {
    "sinusoidal": "Sinusoidal",
    "learned": "Learned",
    "rotary": "Rotary",
    "alibi": "ALiBi",
    "buckets": "T5 buckets",
    "why": "Why positions",
}
T5 = "google-t5/t5-small"
D_ROTARY, BASE = 64, 10000
"""The width of a head and the base that stand in where the model has no rotary angles: those of RoFormer and Llama."""
STARTED_AS_SINUSOIDS = (
    f"{DEFAULT_MODEL} is an exception: its table started as small sinusoids, so that a short training is enough, and "
    "has learned on from there. You can still see them."
)
MOST_SEEDS = 1000
ROUNDING = 1e-4
"""Up to this difference of weights two pictures are the same but for rounding in float32."""


@st.fragment
def position_explorer() -> None:
    """Everything below the model. Reads and writes the shared selection."""
    with part_of_page():
        found = _of_the_model(selection())
        st.segmented_control(
            "Section", list(SCHEME_LABELS), key="scheme", format_func=SCHEME_LABELS.__getitem__, required=True,
            wrap=True, label_visibility="collapsed",
        )  # fmt: skip
        SECTIONS[st.session_state["scheme"]](found)


def _of_the_model(chosen: Selection) -> ModelPositions | None:
    """What the chosen model does, in a sentence; a model that cannot be opened leaves the formulas to look at."""
    found: ModelPositions | None = None
    with readable_errors():
        found = positions(chosen.model, chosen.device)
        st.markdown(_said(found))
    return found


def _said(found: ModelPositions) -> str:
    """One sentence of Markdown about the scheme of a model."""
    name = plain(found.info.name)
    if found.table is not None:
        n_positions, width = found.table.shape
        how = "learns its positions" if found.scheme == "learned" else "adds sinusoids"
        return f"**{name} {how}:** a table of {n_positions:,} vectors of {width:,} dimensions, one for each position."
    if found.frequencies is not None:
        n_pairs = len(found.frequencies)
        return f"**{name} turns its queries and keys** (rotary positions): {n_pairs} pairs of dimensions in every head."
    if found.slopes is not None:
        return f"**{name} takes from the scores of far keys** (ALiBi): one slope for each of {len(found.slopes)} heads."
    if found.bias_by_distance is not None:
        n_heads = len(found.bias_by_distance)
        return f"**{name} adds a learned bias to its scores** (T5's relative buckets), by distance, in {n_heads} heads."
    return plain(found.why)


# -- sinusoidal -------------------------------------------------------------------------------------------------------


def _sinusoidal(_found: ModelPositions | None) -> None:
    st.markdown(
        "The first transformer adds these waves to its tokens: fast ones in the first dimensions, slow ones in the "
        "last, as the digits of a number change fast at its end and slowly at its front."
    )
    first, second, third = st.columns(3)
    first.slider("Length (positions)", *LENGTHS, key="length")
    second.slider("d_model (dimensions)", *WIDTHS, step=2, key="d_model")
    third.select_slider("Base", BASES, key="base", format_func=lambda base: f"{base:,}")
    chosen = selection()
    size = chosen.length, chosen.d_model, chosen.base
    power = rf"{chosen.base}^{{2i/{chosen.d_model}}}"
    _equations(rf"PE(pos, 2i) = \sin(pos / {power})", rf"PE(pos, 2i+1) = \cos(pos / {power})")
    left, right, widths = two_columns()
    with left:
        picture(encoding_map(*size, theme=theme(), width=widths[0]), "sinusoidal-encoding")
        numbers(lambda: encoding_table(*size), "sinusoidal-encoding")
    with right:
        _pick("Pair of dimensions", "pair", chosen.d_model // 2)
        pair = selection().pair
        picture(encoding_waves(*size, pair=pair, theme=theme(), width=widths[1]), "waves")
    st.subheader("How alike two positions are")
    left, right, widths = two_columns()
    with left:
        picture(dot_product_map(*size, theme=theme(), width=widths[0]), "dot-products")
    with right:
        _equations(r"PE(p) \cdot PE(q) = \sum_{i} \cos\big((p - q)\,\omega_i\big)", r"\omega_i = base^{-2i/d}")
        picture(dot_product_curve(*size, theme=theme(), width=widths[1]), "dot-product-curve")
        numbers(lambda: dot_product_table(*size), "dot-products")
    st.subheader("A shift is a rotation")
    _shift(chosen)


def _shift(chosen: Selection) -> None:
    """The pair at two positions and their shifts, the matrix that does it, and how well."""
    left, right, widths = two_columns()
    with right:
        st.slider("Shift k (positions)", *SHIFTS, key="shift")
        pair, shift = selection().pair, selection().shift
        turns = frequencies(chosen.d_model, chosen.base)
        matrix = shift_matrix(shift, float(turns[pair]))
        st.markdown(
            "To look at the token *k* places further, a head can turn each pair by a fixed angle, wherever it stands. "
            f"For pair {pair} and *k* = {shift} that is multiplication with"
        )
        st.latex(
            rf"R({shift}) = \begin{{pmatrix}} {matrix[0, 0]:.4f} & {matrix[0, 1]:.4f} \\ "
            rf"{matrix[1, 0]:.4f} & {matrix[1, 1]:.4f} \end{{pmatrix}}"
        )
        vector = r"\begin{pmatrix} PE_{2i} \\ PE_{2i+1} \end{pmatrix}"
        st.latex(rf"{vector}_{{pos+k}} = R(k) {vector}_{{pos}}")
        encoding = sinusoids(chosen.length + shift, chosen.d_model, chosen.base)
        worst = np.abs(shifted(encoding[: chosen.length], shift, turns) - encoding[shift:]).max()
        st.markdown(
            f"Computed for all {chosen.length} positions and {chosen.d_model // 2} pairs, the two sides differ by at "
            f"most **{worst:.1e}**."
        )
    with left:
        circle = shift_circle(
            chosen.length, chosen.d_model, chosen.base, pair=pair, shift=shift, theme=theme(), width=widths[0]
        )
        picture(circle, "shift-as-rotation")


# -- learned ----------------------------------------------------------------------------------------------------------


def _learned(found: ModelPositions | None) -> None:
    st.markdown(
        "BERT and GPT-2 start from random vectors, one for each position, and learn them like words. Nobody tells them "
        "that position 4 lies beside position 5: look whether they have found out."
    )
    if found is None or found.table is None:
        if found is not None:
            st.info(f"{plain(found.info.name)} has no table of positions to show.", icon=":material/info:")
        _offer(DEFAULT_MODEL)
        return
    table, name = found.table, found.info.name
    formula = sinusoids(len(table), table.shape[1] // 2 * 2, BASE)
    _equations(r"x_{pos} = E_{token} + P_{pos}", r"similarity(p, q) = \frac{P_p \cdot P_q}{|P_p|\,|P_q|}")
    if name.endswith(DEFAULT_MODEL):
        st.caption(STARTED_AS_SINUSOIDS)
    _side_by_side(table, formula, name)
    widths = column_widths(1)
    profiles = distance_profiles(table, formula, name=name, theme=theme(), width=widths[0])
    picture(profiles, "distance-profiles")
    numbers(lambda: profile_table(table, formula), "distance-profiles")


def _side_by_side(table: Array, formula: Array, name: str) -> None:
    """Map and similarities of the model's table, and of the sinusoids of the same size beside it."""
    both = ((table, name, "positions"), (formula, "sinusoidal, same size", "sinusoids"))
    *places, widths = two_columns()
    for place, (rows, title, file_name) in zip(places, both, strict=True):
        with place:
            figure = table_map(rows, title=f"Positions: {title}", theme=theme(), width=widths[0])
            picture(figure, f"{file_name}-table")
            numbers(partial(position_table, rows), f"{file_name}-table")
    *places, widths = two_columns()
    for place, (rows, title, file_name) in zip(places, both, strict=True):
        with place:
            figure = similarity_map(rows, title=f"Similarity: {title}", theme=theme(), width=widths[0])
            picture(figure, f"{file_name}-similarity")
    if len(table) > MOST_POSITIONS:
        st.caption(f"Similarities are those of the first {MOST_POSITIONS} of {len(table):,} positions.")


# -- rotary -----------------------------------------------------------------------------------------------------------


def _rotary(found: ModelPositions | None) -> None:
    st.markdown(
        "Llama, Qwen and ModernBERT add nothing to the tokens. They turn each pair of dimensions of a query and of a "
        "key by an angle that grows with the position. What is left in their dot product is the difference of the two."
    )
    turns = _turns(found)
    first, second, third = st.columns(3)
    with first:
        _pick("Pair of dimensions", "pair", len(turns))
    second.slider("Distance (positions)", *SHIFTS, key="shift")
    third.slider("Length (positions)", *LENGTHS, key="length")
    chosen = selection()
    _equations(r"(R_m q)\cdot(R_n k) = q \cdot R_{n-m}\, k", r"R_m = \text{turn pair } i \text{ by } m\,\omega_i")
    left, right, widths = two_columns()
    with left:
        picture(turn_chart(turns, pair=chosen.pair, theme=theme(), width=widths[0]), "rotary-angles")
        numbers(lambda: turn_table(turns), "rotary-angles")
    with right:
        circle = rotary_circle(
            turns, pair=chosen.pair, distance=chosen.shift, seed=chosen.seed, theme=theme(), width=widths[1]
        )
        picture(circle, "rotary-circle")
    st.subheader("Only the distance is left")
    scores = rotary_scores(*example_vectors(len(turns), seed=chosen.seed), chosen.length, turns)
    st.markdown(
        "The same made-up query and key stand at every position: two vectors of length 1, drawn by chance, not taken "
        f"from the model. Scores of the same distance differ by at most **{spread_at_distance(scores):.1e}**."
    )
    st.button("Another query and key", on_click=_next_seed, icon=":material/casino:")
    left, right, widths = two_columns()
    with left:
        picture(rotary_map(turns, chosen.length, seed=chosen.seed, theme=theme(), width=widths[0]), "rotary-scores")
    with right:
        picture(rotary_curve(turns, chosen.length, seed=chosen.seed, theme=theme(), width=widths[1]), "rotary-curve")
        numbers(lambda: rotary_table(turns, chosen.length, seed=chosen.seed), "rotary-curve")


def _turns(found: ModelPositions | None) -> Exact:
    """The angles of the model, or, said so, those of the formula."""
    if found is not None and found.frequencies is not None:
        st.caption(f"The angles are those of {plain(found.info.name)}, of its first layer.")
        return found.frequencies.astype(np.float64)
    st.caption(
        f"{_name_of(found)} does not turn its queries and keys. These are the angles of the formula, base^(−2i/d), "
        f"with the defaults of the paper: d = {D_ROTARY} dimensions in a head and base {BASE:,}."
    )
    return frequencies(D_ROTARY, BASE)


# -- ALiBi ------------------------------------------------------------------------------------------------------------


def _alibi(found: ModelPositions | None) -> None:
    st.markdown(
        "BLOOM and MPT take from every score in proportion to the distance. Each head has its own slope, so that some "
        "see near and some see far. Nothing is learned, and texts may be longer than those of the training."
    )
    first, second, third = st.columns(3)
    slopes = _slopes(found, first)
    with second:
        _pick("Head", "bias_head", len(slopes))
    third.slider("Length (positions)", *LENGTHS, key="length")
    chosen = selection()
    _equations(r"score(i, j) = \frac{q_i \cdot k_j}{\sqrt{d}} - m_h\,(i - j)", r"m_h = 2^{-8h/n}, \; h = 1 \dots n")
    left, right, widths = two_columns()
    with left:
        bias = alibi_map(slopes, chosen.length, head=chosen.bias_head, theme=theme(), width=widths[0])
        picture(bias, "alibi-bias")
    with right:
        lines = alibi_lines(slopes, chosen.length, head=chosen.bias_head, theme=theme(), width=widths[1])
        picture(lines, "alibi-lines")
    picture(slope_bars(slopes, head=chosen.bias_head, theme=theme(), width=column_widths(1)[0]), "alibi-slopes")
    numbers(lambda: slope_table(slopes), "alibi-slopes")


def _slopes(found: ModelPositions | None, place: DeltaGenerator) -> Exact:
    """The slopes of the model, or, said so, those of the paper for a number of heads that is chosen at `place`."""
    if found is not None and found.slopes is not None:
        st.caption(f"The slopes are those of {plain(found.info.name)}.")
        return found.slopes.astype(np.float64)
    st.caption(
        f"{_name_of(found)} has no such slopes. These are those of the paper, for as many heads as you like; a number "
        "of heads that is no power of two borrows from the next one, as the authors' code does."
    )
    return alibi_slopes(place.slider("Number of heads", *ALIBI_HEADS, key="alibi_heads"))


# -- T5 ---------------------------------------------------------------------------------------------------------------


def _buckets(found: ModelPositions | None) -> None:
    st.markdown(
        "T5 learns a number for each head and distance, and adds it to the score. Far distances share a number: they "
        "are sorted into buckets that get wider, as we say “yesterday” and “years ago”."
    )
    st.latex(r"score(i, j) = q_i \cdot k_j + b_{h,\;bucket(j - i)}")
    if found is None or found.bias_by_distance is None:
        st.info(
            f"{_name_of(found)} has no such numbers: they are learned, so it takes a T5 to show them. The buckets "
            "themselves are a formula, and stand below.",
            icon=":material/info:",
        )
        _offer(T5)
    else:
        _learned_bias(found, found.bias_by_distance)
    first, second, third = st.columns(3, vertical_alignment="bottom")
    first.select_slider("Buckets", BUCKETS, key="buckets")
    second.select_slider("Largest distance", MAX_DISTANCES, key="max_distance")
    third.toggle("Both directions, as in the encoder", key="both_ways")
    chosen = selection()
    rule = BucketRule(both_ways=chosen.both_ways, n_buckets=chosen.buckets, max_distance=chosen.max_distance)
    picture(bucket_chart(rule, theme=theme(), width=column_widths(1)[0]), "t5-buckets")
    numbers(lambda: bucket_table(rule), "t5-buckets")


def _learned_bias(found: ModelPositions, bias: Array) -> None:
    """The bias of all heads as a map, and that of one as a line."""
    st.caption(
        f"The bias of {plain(found.info.name)}, of the first layer of its encoder, which lends it to the others."
    )
    _pick("Head", "bias_head", len(bias))
    left, right, widths = two_columns()
    with left:
        picture(
            bias_map(bias, found.distances, title="What each head adds to a score", theme=theme(), width=widths[0]),
            "t5-bias",
        )
        numbers(lambda: bias_table(bias, found.distances), "t5-bias")
    with right:
        head = selection().bias_head
        picture(bias_lines(bias, found.distances, head=head, theme=theme(), width=widths[1]), "t5-bias-head")


# -- why positions ----------------------------------------------------------------------------------------------------


def _why(found: ModelPositions | None) -> None:
    st.markdown(
        "Read the same words in another order. **Without positions** each token looks at the same tokens as before, "
        "only the rows and columns have changed places: the model cannot tell who bites whom. **With "
        "positions** it can."
    )
    sentences()
    examples()
    if found is None:  # why the model cannot be opened is said above
        return
    chosen = selection()
    try:
        pair = shuffled(*_asked(chosen), with_positions=chosen.with_positions, seed=chosen.seed)
    except UnsupportedModelError as error:
        st.info(plain(str(error)), icon=":material/info:")
        _offer(DEFAULT_MODEL)
        return
    _how_to_read()
    _compared(pair, chosen)


def _how_to_read() -> None:
    """With or without positions, in which order the second picture stands, and another shuffle."""
    with_them, order, again = st.columns([4, 5, 3], vertical_alignment="bottom")
    with_them.segmented_control(
        "The model reads both", [False, True], key="with_positions", required=True,
        format_func=lambda with_positions: "with positions" if with_positions else "without positions",
    )  # fmt: skip
    order.toggle(
        "Back into the written order", key="brought_back",
        help="Rows and columns of the shuffled sentence, so that a cell means the same two tokens in both pictures.",
    )  # fmt: skip
    again.button("Shuffle anew", on_click=_next_seed, icon=":material/shuffle:", width="stretch")


def _compared(pair: ShuffledPair, chosen: Selection) -> None:
    """Both sentences, how far their attention is apart, and both heatmaps."""
    if pair.written.note:
        st.info(plain(pair.written.note), icon=":material/info:")
    if pair.order == tuple(range(len(pair.order))):
        st.info("There is nothing to shuffle in this sentence: type at least two words.", icon=":material/edit:")
        return
    st.text(f"Written:   {' '.join(token_texts(pair.written.tokens))}")
    st.text(f"Shuffled:  {' '.join(moved_tokens(pair))}")
    record = pair.written.attention[0]
    _keep_within(record)
    layer_and_head(record)
    layer, head = selection().layer, selection().head_index
    of_all = shuffle_differences(*_asked(chosen), with_positions=chosen.with_positions, seed=chosen.seed)
    st.markdown(_verdict(record, difference(pair, layer=layer, head=head), float(of_all.max())))
    left, right, widths = two_columns()
    with left:
        picture(written_map(pair, layer=layer, head=head, theme=theme(), width=widths[0]), "written")
    with right:
        second = shuffled_map(
            pair, layer=layer, head=head, is_brought_back=chosen.brought_back, theme=theme(), width=widths[1]
        )
        picture(second, "shuffled")
    numbers(lambda: difference_table(pair, layer=layer, head=head), "shuffled")


def _asked(chosen: Selection) -> tuple[str, str, str, str]:
    return chosen.model, chosen.device, chosen.text, chosen.text_b


def _verdict(record: AttentionRecord, here: float, anywhere: float) -> str:
    """Whether the attention is the same but for the order, with the largest difference of this head and of all."""
    measured = (
        f"Largest difference of two weights: **{here:.1e}** in this head, **{anywhere:.1e}** in all "
        f"{record.n_layers} × {record.n_heads} heads."
    )
    if anywhere <= ROUNDING:
        return f"{measured} **The same attention**, up to rounding: only rows and columns have changed places."
    return f"{measured} **Not the same attention:** the order counts."


def _keep_within(record: AttentionRecord) -> None:
    """Bring layer and head into the bounds of the record. Call before their widgets are drawn."""
    state = st.session_state
    state["layer"] = min(state["layer"], record.n_layers - 1)
    if state["head"] != MEAN:
        state["head"] = min(state["head"], record.n_heads - 1)


# -- shared -----------------------------------------------------------------------------------------------------------


def _pick(label: str, key: str, n_choices: int) -> None:
    """A slider from 0 to n_choices - 1, whatever the address says; a single choice needs none."""
    st.session_state[key] = min(st.session_state[key], n_choices - 1)
    if n_choices > 1:
        st.slider(label, 0, n_choices - 1, key=key)


def _equations(*parts: str) -> None:
    """Formulas in LaTeX: in one line where there is room, below each other on a telephone."""
    for line in parts if page_width() < SIDE_BY_SIDE else (r" \qquad ".join(parts),):
        st.latex(line)


def _name_of(found: ModelPositions | None) -> str:
    return "This model" if found is None else plain(found.info.name)


def _offer(model: str) -> None:
    st.button(f"Use {model}", on_click=_use, args=(model,), type="primary")


def _use(model: str) -> None:
    st.session_state["model"] = model


def _next_seed() -> None:
    st.session_state["seed"] = (st.session_state["seed"] + 1) % MOST_SEEDS


SECTIONS: dict[str, Callable[[ModelPositions | None], None]] = {
    "sinusoidal": _sinusoidal,
    "learned": _learned,
    "rotary": _rotary,
    "alibi": _alibi,
    "buckets": _buckets,
    "why": _why,
}
