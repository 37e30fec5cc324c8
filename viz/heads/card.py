"""The card of a head: a histogram of the offsets that it attends to, and tables of the pieces it looks from and at."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.head_roles import SPECIAL, head_places
from models.values.results.atlas import FURTHEST, HeadAtlas
from models.values.results.grammar import DIRECTIONS, RelationScore
from viz.heads.plain_names import title_of_score
from viz.heads.words import role_name
from viz.kit import theme as style
from viz.kit.figures.bars import Bar, Scale, standing_bars
from viz.kit.language import ENGLISH, read_in, said, tr
from viz.kit.theme import Theme
from viz.kit.tokens import spelled_apart


@check_arguments
def offset_bars(
    atlas: HeadAtlas, *, layer: int, head: int, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw the share of a head's attention at each offset of key and query, over all texts."""
    shares, palette = atlas.offsets[layer, head], style.PALETTES[theme]
    bars = [
        Bar(
            place=place,
            label=_offset(place - FURTHEST),
            value=float(share),
            text=_percent(float(share)),
            hover=(_in_words(place - FURTHEST), style.percentage(float(share))),
            colour=palette.bar,
        )
        for place, share in enumerate(shares)
    ]
    rest = max(0.0, 1 - float(shares.sum()))
    return standing_bars(
        bars,
        scale=Scale(high=max(0.1, 1.15 * float(shares.max())), title=tr("mean weight")),
        title=tr("Layer {layer} · Head {head}: how far it looks", layer=layer, head=head),
        note=tr(
            "Key position less query position, mean over {n} word pieces; the ends hold all that is farther away. "
            "{share} goes to special tokens.",
            n=f"{atlas.n_pieces:,}",
            share=_percent(rest) or "0%",
        ),
        theme=theme,
        width=width,
    )


def piece_table(atlas: HeadAtlas, *, layer: int, head: int) -> pd.DataFrame:
    """Return a table of the pieces that a head looks from and at most: columns looks from, its largest weight, looks
    at, weight from the others."""
    pieces = atlas.pieces_of(layer, head)
    n_rows = max(len(pieces.queries), len(pieces.keys))
    queries, keys = ([*side, *[None] * (n_rows - len(side))] for side in (pieces.queries, pieces.keys))
    texts = [iter(spelled_apart([piece.text for piece in side])) for side in (pieces.queries, pieces.keys)]
    return pd.DataFrame(
        {
            tr("looks from"): [piece and next(texts[0]) for piece in queries],
            tr("its largest weight"): [piece and piece.share for piece in queries],
            tr("looks at"): [piece and next(texts[1]) for piece in keys],
            tr("weight from the others"): [piece and piece.share for piece in keys],
        }
    )


def heads_table(atlas: HeadAtlas) -> pd.DataFrame:
    """Return all heads with all measures and their first role as an English table for a file: columns layer, head,
    name, then one for each measure."""
    rows = head_places(atlas.n_layers, atlas.n_heads)
    named = {place: atlas.roles_of(*place) for place in rows}
    with read_in(ENGLISH):
        names = [role_name(named[place][0]) if named[place] else "" for place in rows]
    table = pd.DataFrame({"layer": [layer for layer, _ in rows], "head": [head for _, head in rows], "name": names})
    for measure in atlas.all_measures:
        table[measure.measure.name] = measure.values.ravel()
    return table


def strongest_table(atlas: HeadAtlas, measure: str, n_heads: int) -> pd.DataFrame:
    """Return the heads with the highest values of a measure: columns layer, head, the measure's title, name."""
    strongest_heads = atlas.strongest(measure, n_heads)
    names = [atlas.roles_of(layer, head) for layer, head, _ in strongest_heads]
    return pd.DataFrame(
        {
            tr("layer"): [layer for layer, _, _ in strongest_heads],
            tr("head"): [head for _, head, _ in strongest_heads],
            said(atlas.of(measure).measure.title): [value for _, _, value in strongest_heads],
            tr("what it does"): [role_name(roles[0]) if roles else "" for roles in names],
        }
    )


def relations_table(atlas: HeadAtlas) -> pd.DataFrame:
    """Return the best head for every relation of grammar, the surest first: columns relation, layer, head, right, fixed
    offset, its right, words."""
    relations = atlas.relations
    return pd.DataFrame(
        {
            tr("the head looks"): [title_of_score(relation) for relation in relations],
            tr("layer"): [relation.layer for relation in relations],
            tr("head"): [relation.head for relation in relations],
            tr("right"): [relation.right for relation in relations],
            tr("best fixed offset"): [_offset_from(relation) for relation in relations],
            tr("right by it"): [relation.right_by_offset for relation in relations],
            tr("words"): [relation.n for relation in relations],
        }
    )


def standing_out(atlas: HeadAtlas) -> tuple[int, int]:
    """Return (layer, head) of the head that is farthest above its baseline, special tokens aside; without any role, the
    one whose rows are the least even."""
    named = next((role for role in atlas.roles if role.name != SPECIAL), None)
    if named is not None:
        return named.layer, named.head
    layer, head = np.unravel_index(int(np.nan_to_num(atlas.of("confidence").values).argmax()), atlas.offsets.shape[:2])
    return int(layer), int(head)


def _offset_from(score: RelationScore) -> str:
    """Return the signed fixed offset from the word that the head looks from to the other one."""
    return f"{score.offset if score.direction == DIRECTIONS[0] else -score.offset:+d}".replace("-", "−")


def _offset(offset: int) -> str:
    if abs(offset) == FURTHEST:
        return f"{'≤' if offset < 0 else '≥'} {offset:+d}".replace("-", "−")
    return f"{offset:+d}".replace("-", "−") if offset else "0"


def _in_words(offset: int) -> str:
    n = abs(offset)
    if not offset:
        return tr("itself")
    if offset < 0:
        return tr("{n} or more before", n=n) if n == FURTHEST else tr("{n} before", n=n)
    return tr("{n} or more after", n=n) if n == FURTHEST else tr("{n} after", n=n)


def _percent(share: float) -> str:
    """Return a share as the label above a bar; empty if it rounds to 0."""
    return f"{share:.0%}" if share >= 0.005 else ""


if __name__ == "__main__":
    from viz.heads.demos.atlas import demo_atlas

    offset_bars(demo_atlas(), layer=0, head=1).show()
