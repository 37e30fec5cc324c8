"""A step of a layer as a picture: the input arrays, a sign, the output arrays, each with its shape.

The tables are those of viz/steps/panels.py. Weights run from 0 to 1; everything else is signed and centred at 0, and
tables that are added up share their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from models.values.arguments.check import check_arguments
from models.values.record import Array, Token
from models.values.steps import LayerWalk, RowTokens, Step, StepArray, StepName
from models.values.wording import to_say
from viz.attention.heatmap import KIND_TITLES
from viz.kit import theme as style
from viz.kit.language import said, tr
from viz.kit.theme import Theme, colour_end
from viz.steps.layout import Panel
from viz.steps.panels import panel_picture
from viz.steps.texts import step_text
from viz.steps.what_ifs import what_if_name

WEIGHTS = "A"
"""The symbol of the weights."""
SCORES_STEP: StepName = "mask"
"""The step whose output tells where a query may not look."""
TO_NORM = to_say("→|norm")
SIGNS: dict[StepName, tuple[str, str, str]] = {
    "embeddings": ("+", "=", ""),
    "embedding_norm": ("", TO_NORM, "→"),
    "attention_norm": ("", TO_NORM, "→"),
    "projections": ("", "→|W", ""),
    "rotation": ("", to_say("→|turn"), ""),
    "grouping": ("", to_say("→|own group"), ""),
    "scores": ("·", "=", ""),
    "scaling": ("", "→|× {scale}", ""),
    "mask": ("+", "=", ""),
    "softmax": ("", to_say("→|softmax"), ""),
    "weighted_sum": ("·", "=", ""),
    "concatenation": ("", to_say("→|concat"), ""),
    "output_projection": ("", "→|· W_O", ""),
    "attention_residual": ("+", "=", TO_NORM),
    "feed_forward_norm": ("", TO_NORM, "→"),
    "gate": ("⊙", "=", ""),
    "feed_forward": ("", "→|W₁, f", "→|W₂"),
    "feed_forward_residual": ("+", "=", TO_NORM),
}
"""The signs between two inputs, before the first output, and before a later one; small words after "|"."""
NORMS: tuple[StepName, ...] = ("embedding_norm", "attention_norm", "feed_forward_norm")
"""Before and after a norm the numbers are of different size, so their colours end at different numbers."""
OF_ALL_TOKENS: tuple[StepName, ...] = ("projections", "rotation", "grouping")
"""The steps that compute queries, keys and values of all tokens."""
STEPS_BEFORE_LAYERS: tuple[StepName, ...] = ("embeddings", "embedding_norm")
HEAD_STEPS: tuple[StepName, ...] = (
    "projections",
    "rotation",
    "grouping",
    "scores",
    "scaling",
    "mask",
    "softmax",
    "weighted_sum",
    "concatenation",
)
"""The steps that one head takes; all others are taken for all heads together."""
ATTENTION_STEPS: tuple[StepName, ...] = ("attention_norm", *HEAD_STEPS, "output_projection", "attention_residual")
DIMENSIONS = {
    "d_model": to_say("of the residual stream"),
    "d_head": to_say("of the head"),
    "d_heads": to_say("of all heads"),
    "d_groups": to_say("of all groups"),
    "d_ff": to_say("of the inner layer"),
    "d_embedding": to_say("of the embeddings"),
}


@check_arguments
def step_picture(
    walk: LayerWalk, name: StepName, *, row: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the inputs and outputs of a step; a frame follows the query token `row` through all of them.

    Raises SelectionError, with the reason, if this walk does not have the step.
    """
    step = walk.step(name)
    hidden = masked_cells(walk)
    arrays = (*step.inputs, *step.outputs)
    reaches = reaches_of(step)
    panels = [
        panel_of(walk, array, hidden=hidden, reach=reach, sign=sign)
        for array, reach, sign in zip(arrays, reaches, signs_of(walk, step), strict=True)
    ]
    if name == "scores":
        panels[1] = transpose_panel(panels[1])
    if name in OF_ALL_TOKENS and walk.kind != "cross":
        panels = [replace(panel, is_asking=True) for panel in panels]
    if name == "concatenation":
        panels[-1] = replace(panels[-1], marked=own_columns(walk, step.outputs[0]))
    if name == "grouping":
        panels[:2] = [replace(panel, marked=_group_columns(walk, panel.values)) for panel in panels[:2]]
    return panel_picture(
        panels,
        title=picture_title(walk, name),
        notes=notes(arrays, has_sinks=walk.sinks is not None),
        row=row,
        theme=theme,
        width=width,
    )


def picture_title(walk: LayerWalk, name: StepName) -> str:
    """Return a title, "Softmax · Layer 0 · Head 3", with a what-if if there is one; no head or layer for a step
    without."""
    kind = "decoder" if walk.kind == "cross" and name not in ATTENTION_STEPS else walk.kind
    numbers, where = dict(_place(walk, name)), [said(KIND_TITLES[kind]).removesuffix(" · ")]
    if "layer" in numbers:
        where.append(tr("Layer {layer}", layer=numbers["layer"]))
    if "head" in numbers:
        where.append(tr("Head {head}", head=numbers["head"]))
    changed = [] if walk.what_if is None else [said(what_if_name(walk.what_if, head=walk.head))]
    return " · ".join(part for part in (step_text(walk, name).title, *where, *changed) if part)


def step_file(walk: LayerWalk, name: StepName) -> str:
    """Return the file name for the numbers of a step: "step-softmax-layer-0-head-3"."""
    return "-".join(["step", name, *(f"{what}-{which}" for what, which in _place(walk, name))])


def _place(walk: LayerWalk, name: StepName) -> list[tuple[str, int]]:
    """Return the layer and the head of a step, as far as it belongs to one."""
    layer = [] if name in STEPS_BEFORE_LAYERS else [("layer", walk.layer)]
    head = [("head", walk.head)] if name in HEAD_STEPS else []
    return layer + head


def masked_cells(walk: LayerWalk) -> NDArray[np.bool_]:
    """Return a mask [n_query, n_key] of the cells where a query may not look, from the masked scores of the walk."""
    if SCORES_STEP not in walk.names:
        return np.zeros((len(walk.query_tokens), len(walk.key_tokens)), np.bool_)
    masked: NDArray[np.bool_] = np.isneginf(walk.step(SCORES_STEP).outputs[-1].values)
    return masked


def is_weights(array: StepArray) -> bool:
    """Return whether an array holds weights, from 0 to 1, rather than signed numbers."""
    return array.symbol == WEIGHTS and array.columns == "key"


def tokens_of_rows(walk: LayerWalk, rows: RowTokens) -> tuple[Token, ...]:
    """Return the tokens that label the rows of an array."""
    return walk.query_tokens if rows == "query" else walk.key_tokens


def shape_text(walk: LayerWalk, array: StepArray) -> str:
    """Return a shape in the field's letters: "[n_tokens, d_head] = [15, 32]"."""
    own = walk.query_tokens == walk.key_tokens
    rows = "n_tokens" if own else f"n_{array.rows}"
    columns = ("n_tokens" if own else "n_key") if array.columns == "key" else _width_letters(walk, array)
    return f"[{rows}, {columns}] = {list(array.values.shape)}"


def _width_letters(walk: LayerWalk, array: StepArray) -> str:
    of_columns = {
        "d_heads": f"{walk.info.n_heads}·d_head",
        "d_groups": f"{walk.info.n_kv_heads}·d_head",
        "pairs": "d_head/2" if 2 * array.values.shape[1] == walk.info.d_head else "n_pairs",
    }
    return of_columns.get(array.columns, array.columns)


def panel_of(
    walk: LayerWalk,
    array: StepArray,
    *,
    hidden: NDArray[np.bool_],
    reach: float,
    sign: str = "",
    values: Array | None = None,
) -> Panel:
    """Return the table of an array, or of other `values` of its shape, grey in the cells that are `hidden` or minus
    infinity.

    `hidden` counts for weights: they are 0 there, and a score is minus infinity already.
    """
    shown = array.values if values is None else values
    if is_weights(array):
        shown = np.where(hidden, np.float32(np.nan), shown)
    return Panel(
        symbol=array.symbol,
        name=array.name,
        shape=shape_text(walk, array),
        values=np.where(np.isneginf(shown), np.float32(np.nan), shown),
        rows=tokens_of_rows(walk, array.rows),
        columns=walk.key_tokens if array.columns == "key" else None,
        reach=reach,
        is_signed=not is_weights(array),
        sign=sign,
        is_asking=array.rows == "query",
    )


def transpose_panel(panel: Panel) -> Panel:
    """Return the keys transposed for the product: a column for every token."""
    letters, _, numbers = panel.shape.partition(" = ")
    turned = [", ".join(reversed(part.strip("[]").split(", "))) for part in (letters, numbers)]
    return replace(
        panel,
        symbol=f"{panel.symbol}ᵀ",
        shape=f"[{turned[0]}] = [{turned[1]}]",
        values=np.ascontiguousarray(panel.values.T),
        rows=panel.columns,
        columns=panel.rows,
        is_asking=False,
    )


def notes(arrays: Iterable[StepArray], *, has_sinks: bool = False) -> list[str]:
    """Return notes on the meaning of rows and columns, one for each kind in the picture."""
    shown = list(arrays)
    sentences: list[str] = []
    dimensions: str = ""
    for dimension_name in dict.fromkeys(DIMENSIONS[array.columns] for array in shown if array.columns in DIMENSIONS):
        dimensions = (
            tr("{some} or {last}", some=dimensions, last=dimension_name) if dimensions else said(dimension_name)
        )
    if dimensions:
        sentences.append(tr("A row is a token; a column without a name is a dimension {of_what}.", of_what=dimensions))
    if any(array.columns == "pairs" for array in shown):
        sentences.append(tr("A column of θ is a pair of dimensions: its angle in radians, whole turns left out."))
    if any(array.columns == "key" for array in shown):
        sentences.append(tr("A named column is a key token, which the row's query token looks at."))
    if any(is_weights(array) for array in shown):
        sums = tr("Every row of weights sums to 1 less the share of the sink.")
        sentences.append(sums if has_sinks else tr("Every row of weights sums to 1."))
    return sentences


def signs_of(walk: LayerWalk, step: Step) -> list[str]:
    between, first, later = SIGNS[step.name]
    inputs = ["", *[between] * (len(step.inputs) - 1)]
    outputs = [first, *[later] * (len(step.outputs) - 1)]
    factor = 1.0 if walk.what_if is not None and walk.what_if.name == "no_scaling" else walk.scale
    return [said(sign).format(scale=f"{factor:.4g}") for sign in (*inputs, *outputs)]


def reaches_of(step: Step) -> list[float]:
    """Return where the colours of every array end: shared by arrays with the same columns, except around a norm."""
    arrays = [*step.inputs, *step.outputs]
    if step.name in NORMS:
        return [colour_end(array.values) for array in arrays]
    return [1.0 if is_weights(array) else colour_end(*_alike(array, arrays)) for array in arrays]


def _alike(array: StepArray, arrays: Sequence[StepArray]) -> list[Array]:
    """Return the signed arrays with columns of the same kind; the columns of one head are some of those of all
    heads."""
    of_heads = ("d_head", "d_heads", "d_groups")
    same = of_heads if array.columns in of_heads else (array.columns,)
    return [other.values for other in arrays if other.columns in same and not is_weights(other)]


def own_columns(walk: LayerWalk, array: StepArray) -> tuple[int, int]:
    """Return the first and the last column of the head among all heads."""
    d_head = array.values.shape[1] // walk.info.n_heads
    return walk.head * d_head, (walk.head + 1) * d_head - 1


def _group_columns(walk: LayerWalk, values: Array) -> tuple[int, int]:
    """Return the first and the last column of the group of the head among all groups."""
    d_head = values.shape[1] // walk.info.n_kv_heads
    group = walk.head * walk.info.n_kv_heads // walk.info.n_heads
    return group * d_head, (group + 1) * d_head - 1


if __name__ == "__main__":
    from viz.steps.demo import demo_walk

    step_picture(demo_walk(), "scores", row=10).show()
