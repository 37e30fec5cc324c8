"""The page "By hand": the reader writes the matrices of a head for a goal, and sees what it does.

Everything below the heading is a fragment: another number redraws the map and the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from models.inspection.by_hand.goals import GOALS, N_LAYERS, check_heads, solve, strongest_letter, targets_of
from models.inspection.by_hand.heads import MOST_LETTERS, HandHead, HandRun, read_words, run_heads, zero_head
from models.inspection.by_hand.least_squares import fit_heads
from ui.layers.by_hand.grid import matrices_grid
from ui.layers.by_hand.kept import can_undo, heads_of, keep_heads, undo
from ui.layers.by_hand.sheet import sheet_button
from ui.layers.by_hand.words import HINTS, NAMES, TASKS, say_verdict
from ui.state.selection import selection
from ui.widgets.browser.viewport import SIDE_BY_SIDE, page_width
from ui.widgets.frame import part_of_page, theme
from ui.widgets.pictures import picture, two_columns
from viz.kit.language import said, to_say, tr
from viz.steps.by_hand import hand_picture
from viz.steps.hand_arcs import hand_arcs

_LAYER, _HINTS, _FIT = "hand_layer", "headlight_hints", "hand_fit"
SHARES = (11, 10)
"""The relative widths of the matrices and of the map."""
ABOUT = to_say(
    "A token is six numbers: a 1 in the row of its letter, and its place on a circle of eight steps, as cosine and "
    "sine. [START] has no letter. A token sees itself and those before it; [scores](#word-scores) are divided by √4."
)

SQUARES = to_say(
    "The product W_Q W_Kᵀ whose scores come closest, by the sum of squares over random words, to 10 where the goal "
    "wants it to look and 0 elsewhere, and then the nearest product of rank 4. A softmax asks for less: the right "
    "score has to be the highest."
)


@st.fragment
def hand_explorer() -> None:
    """Draw the task, the matrices, the map and the verdict."""
    with part_of_page():
        matrices, map_place, widths = two_columns(*SHARES)
        with matrices:
            _choose_goal()
            heads, layer = heads_of(selection()), _layer()
            letters, names = read_words(selection().hand_words)
            run = run_heads(heads, letters, names)
            place = st.container() if page_width() < SIDE_BY_SIDE else map_place
            with place.container(key="hand-looks"):
                st.markdown(say_verdict(check_heads(selection().goal, heads)))
                _arcs(run, layer, widths[1])
            matrices_grid(heads[layer], layer=layer, goal=selection().goal, names=names)
            _buttons(heads)
            _hints()
            st.text_input(
                tr("Your letters or words, up to {n}, four of them different", n=MOST_LETTERS), key="hand_words"
            )
            st.caption(said(ABOUT))
        with map_place:
            _draw(run, layer, tr("Your head"), "by-hand", widths[1])
            _compare(run, layer, widths[1])
            sheet_button(heads[layer], run, layer)


def _choose_goal() -> None:
    """Draw the three levels, the task, and the layer where there are two."""
    st.segmented_control(
        tr("Level"),
        GOALS,
        key="goal",
        format_func=lambda goal: said(NAMES[goal]),
        required=True,
        wrap=True,
        label_visibility="collapsed",
    )
    chosen = selection()
    st.markdown(said(TASKS[chosen.goal]))
    n_layers = N_LAYERS[chosen.goal]
    if n_layers > 1:
        st.segmented_control(
            tr("Layer"),
            range(n_layers),
            key=_LAYER,
            default=0,
            format_func=lambda layer: tr("Layer {layer}", layer=layer),
            required=True,
            label_visibility="collapsed",
        )


def _layer() -> int:
    """Return the layer whose matrices and map are shown."""
    chosen = st.session_state.get(_LAYER) or 0
    return int(chosen) if chosen < N_LAYERS[selection().goal] else 0


def _arcs(run: HandRun, layer: int, width: int) -> None:
    """Draw where each letter looks, where it should, and which letter it hands on."""
    is_last = layer == len(run.weights) - 1
    strongest = [strongest_letter(run, query) for query in range(len(run.record.query_tokens))] if is_last else []
    figure = hand_arcs(
        run.weights[layer],
        tokens=run.record.query_tokens,
        hands_on=["" if letter is None else run.names[letter] for letter in strongest],
        goal=targets_of(selection().goal, run.letters) if is_last else {},
        theme=theme(),
        width=width,
    )
    picture(figure, "by-hand-arcs", alt=tr("Above the letters where they look, below where they should look."))


def _draw(run: HandRun, layer: int, name: str, key: str, width: int) -> None:
    """Draw the map and the output of a layer; the cells of the goal are framed in the last one."""
    goal = selection().goal
    n_layers = len(run.weights)
    figure = hand_picture(
        run.weights[layer],
        run.output[layer],
        tokens=run.record.query_tokens,
        letters=run.names,
        goal=targets_of(goal, run.letters) if layer == n_layers - 1 else {},
        title=name if n_layers == 1 else tr("{head} · Layer {layer}", head=name, layer=layer),
        theme=theme(),
        width=width,
    )
    picture(figure, key)


def _compare(run: HandRun, layer: int, width: int) -> None:
    """Draw what least squares find for the same words, if the reader asks for it."""
    if not st.toggle(tr("Compare with least squares"), key=_FIT, help=said(SQUARES)):
        return
    goal = selection().goal
    fitted = fit_heads(goal)
    _draw(run_heads(fitted, run.letters, run.names), layer, tr("Least squares"), "by-hand-fit", width)
    st.markdown(say_verdict(check_heads(goal, fitted)))


# -- help -------------------------------------------------------------------------------------------------------------


def _buttons(heads: Sequence[HandHead]) -> None:
    """Draw Undo, All zero, Hint and Solution."""
    goal = selection().goal
    with st.container(horizontal=True, gap="xsmall"):
        st.button(tr("Undo"), key="hand-undo", icon=":material/undo:", disabled=not can_undo(), on_click=undo)
        st.button(tr("All zero"), key="hand-zero", on_click=_empty, args=(len(heads),))
        st.button(
            tr("Hint"),
            key="hand-hint",
            icon=":material/lightbulb:",
            disabled=_n_hints() == len(HINTS[goal]),
            on_click=_next_hint,
        )
        st.button(tr("Solution"), key="hand-solution", on_click=_show_solution)


def _empty(n_layers: int) -> None:
    keep_heads({layer: zero_head(layer) for layer in range(n_layers)})


def _show_solution() -> None:
    keep_heads(dict(enumerate(solve(selection().goal))))


def _n_hints() -> int:
    """Return the number of hints that the reader has asked for at this level."""
    return int(st.session_state.get(_HINTS, {}).get(selection().goal, 0))


def _next_hint() -> None:
    st.session_state[_HINTS] = {**st.session_state.get(_HINTS, {}), selection().goal: _n_hints() + 1}


def _hints() -> None:
    """Draw the hints that were asked for."""
    for number, hint in enumerate(HINTS[selection().goal][: _n_hints()], start=1):
        st.markdown(f"{number}. {said(hint)}")
