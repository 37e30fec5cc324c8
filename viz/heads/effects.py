"""Figures of the effects of heads on an answer: a map of all heads, patching maps, and the parts of a logit.

Signed numbers lie around 0 in the middle of the colours; a logit is a sum of bars, the longest of the heads first.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.errors import SelectionError
from models.values.head_roles import head_places
from models.values.probing.contrast import Contrast
from models.values.record import Kind
from models.values.results.effects import Ablation, HeadImportance, HeadMap, LogitParts, Patching, map_of
from viz.heads.likelihood import likelier
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, lying_bars
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.labels import answer_text
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme
from viz.kit.tokens import escape, token_texts

WAYS = {
    "zero": to_say("Without a head: it gives nothing."),
    "uniform": to_say("Without a head: it looks at all that it may see alike."),
    "mean": to_say("Without a head: it gives its mean over a corpus."),
    "resample": to_say("Without a head: it gives what it gives in another text."),
}
PATCHED = {
    "states": to_say(
        "What a layer reads in the clean text, put into the corrupted one: 0 where nothing of the answer comes back, 1 "
        "where all does ({clean} instead of {corrupted}). Zhang and Nanda 2024, section 2."
    ),
    "outputs": to_say(
        "What a head gives in the clean text, put into the corrupted one: 0 where nothing of the answer comes back, 1 "
        "where all does ({clean} instead of {corrupted}). Zhang and Nanda 2024, section 2."
    ),
    "weights": to_say(
        "How a head looks in the clean text, put into the corrupted one: 0 where nothing of the answer comes back, 1 "
        "where all does ({clean} instead of {corrupted}). Zhang and Nanda 2024, section 2."
    ),
}
KIND_WORDS = {"encoder": to_say("encoder"), "decoder": to_say("decoder"), "cross": to_say("cross")}
ASKED_OF = {
    "mask": to_say("mask"),
    "next": to_say("next"),
    "sentence": to_say("sentence"),
    "label": to_say("label"),
    "token_label": "token_label",
    "replaced": to_say("replaced"),
}
"""The kind of question, in a word."""
ALONG = {"position": to_say("Token of the clean text"), "head": to_say("Head"), "all tokens": to_say("All tokens")}
ALL_NUMBERED = 12
"""Up to so many layers each has its number beside it."""
FAINT = 4
"""The colours of a map of probabilities reach at least so many times the change that counts: a smaller one is faint."""
HEADS_NAMED = 12
LEAST_NAMED = 0.1
"""The number of heads with bars of their own, and the least share of the largest part; the others share a bar. So do
feed-forward networks."""


def contrast_title(contrast: Contrast) -> str:
    """Return the answer and its rival as markup: "“dog” rather than “wolf”"."""
    answer, rival = (escape(answer_text(text, contrast.of)) for text in (contrast.answer_text, contrast.rival_text))
    if contrast.rival is None:
        return f"“{answer}”"
    return tr("“{answer}” rather than “{rival}”", answer=answer, rival=rival)


def answer_words(contrast: Contrast) -> str:
    """Return the answer alone, as plain text: "“dog”". NOT escaped for HTML."""
    return f"“{answer_text(contrast.answer_text, contrast.of)}”"


@check_arguments
def head_map(
    head_map: HeadMap,
    *,
    title: str,
    number: str,
    note: str,
    reach: float | None = None,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw a number for every head: layers from top to bottom, heads from left to right. `number` names the quantity,
    `note` explains it, `reach` ends the scale of colours; the `title` is markup."""
    n_layers, n_heads = head_map.values.shape
    figure = signed_map(
        head_map.values,
        x=Axis(title=tr("Head"), places=range(n_heads), noun=tr("Head")),
        y=Axis(title=tr("Layer"), places=range(n_layers), noun=tr("Layer")),
        number=number,
        title=title,
        text=note,
        reach=reach,
        theme=theme,
        width=width,
    )
    return _number_layers(figure, n_layers)


@check_arguments
def ablation_map(
    ablation: Ablation, *, kind: Kind | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw how the logit difference changes without each head of a kind of attention, by default the first."""
    chosen = kind or ablation.shapes[0][0]
    values = map_of(ablation.maps(), chosen)
    text = tr(
        "Below 0 the head had helped the answer: −0.7 halves how many times as likely it is as its rival. With all "
        "heads {likelier}, a logit difference of {difference} ({asked}). Michel et al. 2019, section 2.2.",
        likelier=escape(likelier(ablation.contrast, ablation.whole)),
        difference=style.number(ablation.whole, digits=2, plus=True),
        asked=said(ASKED_OF[ablation.contrast.of]),
    )
    return head_map(
        HeadMap(kind=chosen, values=values),
        title=tr("{answers}, without each head", answers=contrast_title(ablation.contrast)),
        number=tr("change"),
        note=f"{said(WAYS[ablation.by])} {text}",
        theme=theme,
        width=width,
    )


@check_arguments
def probability_map(
    ablation: Ablation, *, least: float, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw how the probability of the answer changes without each head of the first kind of attention; the heads that
    change it by `least` or more are framed, and counted in the note."""
    heads = ablation.probability_maps()[0]
    sizes = np.abs(heads.values)  # [n_layers, n_heads]
    layers, columns = np.nonzero(sizes >= least)
    note = tr(
        "With all heads it is {before}. {n} of {all} heads, which are framed, change it by {least} percentage points "
        "or more, each switched off by itself.",
        before=style.percentage(float(np.exp(ablation.whole_log_probability))),
        n=len(layers),
        all=sizes.size,
        least=f"{100 * least:.0f}",
    )
    figure = head_map(
        heads,
        title=tr("How the probability of {answer} changes without each head", answer=_answer_markup(ablation.contrast)),
        number=tr("change of the probability"),
        note=note,
        reach=max(float(np.nanmax(sizes)), FAINT * least),
        theme=theme,
        width=width,
    )
    frame = {"color": style.PALETTES[theme].ink, "width": 2}
    for layer, head in zip(layers.tolist(), columns.tolist(), strict=True):
        figure.add_shape(type="rect", x0=head - 0.46, x1=head + 0.46, y0=layer - 0.44, y1=layer + 0.44, line=frame)
    return figure


def _answer_markup(contrast: Contrast) -> str:
    return f"“{escape(answer_text(contrast.answer_text, contrast.of))}”"


@check_arguments
def importance_map(
    importance: HeadImportance, *, kind: Kind | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the gradient's estimate of how the logit difference changes without each head."""
    chosen = kind or importance.signed[0].kind
    return head_map(
        HeadMap(kind=chosen, values=map_of(importance.signed, chosen)),
        title=tr("{answers}, estimated without each head", answers=contrast_title(importance.contrast)),
        number=tr("estimate"),
        note=tr("To first order: minus the sum of weights times gradients. Michel et al. 2019, equation 2."),
        theme=theme,
        width=width,
    )


@check_arguments
def patching_map(
    patching: Patching, *, head: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw how much of the clean answer patching restores, layer by token or layer by head; effects of three axes need
    a `head`. Raises SelectionError without it."""
    values, axes = patching.effects, list(patching.axes)
    if len(axes) == 3:
        if head is None or not 0 <= head < values.shape[1]:
            raise SelectionError(f"head {head} was asked for, expected 0 to {values.shape[1] - 1}.")
        values, axes = values[:, head], ["layer", "position"]
    if axes == ["layer"]:
        values, axes = values[:, None], ["layer", "all tokens"]
    words = token_texts(patching.clean_tokens) if axes[1] == "position" else ()
    named = said(ALONG[axes[1]])
    text = tr(
        PATCHED[patching.what],
        clean=style.number(patching.clean, digits=2, plus=True),
        corrupted=style.number(patching.corrupted, digits=2, plus=True),
    )
    figure = signed_map(
        values,
        x=Axis(title=named, places=range(values.shape[1]), noun=named, words=words),
        y=Axis(title=tr("Layer"), places=range(len(values)), noun=tr("Layer")),
        number=tr("comes back"),
        title=tr("{answers}, patched", answers=contrast_title(patching.contrast)),
        text=text,
        reach=1.0,
        theme=theme,
        width=width,
    )
    return _number_layers(figure, len(values))


@check_arguments
def logit_bars(parts: LogitParts, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw the parts of a logit difference as bars: embeddings, the strongest heads, networks, biases; they sum to
    it."""
    listed = _listed_parts(parts)
    palette, end = style.PALETTES[theme], max(abs(value) for _, value in listed) or 1.0
    bars = [
        Bar(
            place=place,
            label=name,
            value=value,
            text=style.number(value, digits=2, plus=True),
            hover=(name, style.number(value, plus=True)),
            colour=palette.bar if value >= 0 else palette.accent,
        )
        for place, (name, value) in enumerate(listed)
    ]
    total = style.number(parts.difference, digits=2, plus=True)
    return lying_bars(
        bars,
        scale=Scale(low=-1.2 * end, high=1.2 * end, title="", number="+.1f"),
        title=tr("{answers}: {total} as a sum", answers=contrast_title(parts.contrast), total=total),
        note=tr(
            "L5 · H8: Layer 5, Head 8. What each adds to the residual stream, read by the answer, norms held at their "
            "statistics. What it does through later layers counts as theirs. Elhage et al. 2021."
        ),
        theme=theme,
        width=width,
    )


def _listed_parts(parts: LogitParts) -> list[tuple[str, float]]:
    """Return the parts that are worth a bar, each with its name; the small ones are summed."""
    several = len(parts.heads) > 1
    heads = [
        (_short_name(part.kind, layer, head) if several else f"L{layer} · H{head}", float(part.values[layer, head]))
        for part in parts.heads
        for layer, head in head_places(*part.values.shape)
    ]
    heads.sort(key=lambda named: -abs(named[1]))
    networks = [(tr("feed-forward {layer}", layer=layer), float(part)) for layer, part in enumerate(parts.feed_forward)]
    first, last = (tr("embeddings"), parts.embeddings), (tr("biases"), parts.biases)
    least = LEAST_NAMED * max(abs(value) for _, value in (first, *heads, *networks, last))
    named = [part for part in heads[:HEADS_NAMED] if abs(part[1]) >= least]
    others = heads[len(named) :]
    small = [value for _, value in networks if abs(value) < least]
    listed = [first, *named]
    if others:
        listed.append((tr("{n} other heads", n=len(others)), sum(value for _, value in others)))
    listed += [part for part in networks if abs(part[1]) >= least]
    if small:
        listed.append((tr("{n} other feed-forward networks", n=len(small)), sum(small)))
    return [*listed, last]


def _short_name(kind: Kind, layer: int, head: int) -> str:
    return tr("{kind} L{layer} · H{head}", kind=said(KIND_WORDS[kind]), layer=layer, head=head)


def _number_layers(figure: go.Figure, n_layers: int) -> go.Figure:
    """Number every layer of the map if there are few."""
    return figure.update_yaxes(tickvals=list(range(n_layers))) if n_layers <= ALL_NUMBERED else figure


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_parts, demo_patching

    patching_map(demo_patching()).show()
    logit_bars(demo_parts()).show()
