"""Faithfulness of explanation methods in numbers, and how far the methods agree.

Comprehensiveness and sufficiency are those of DeYoung et al. 2020, "ERASER", section 4.2: by how much the probability
of the answer falls without the words that a method names first, and by how much with nothing but them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import Array
from models.values.results.attribution import Faithfulness, FaithfulnessCurve
from viz.heads.effects import answer_words, contrast_title
from viz.kit import theme as style
from viz.kit.figures.bar_legends import LETTER
from viz.kit.figures.cells import Cells, Frame, cell_map, cell_text
from viz.kit.figures.signed_map import Axis, signed_map
from viz.kit.language import said, to_say, tr
from viz.kit.theme import Theme
from viz.kit.tokens import SHORT, plain_label
from viz.kit.tokens import width as columns

RANDOM = to_say("random order")
WIDEST_CELL, ROW = 90, 26
LONGEST = 30
"""Columns of text that the title of a method may take."""


@check_arguments
def fall_map(
    judged: Faithfulness, *, nothing_else: bool = False, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw by how much the answer falls without the words ranked first, or with `nothing_else` with them alone: a row
    for each method, the most faithful on top, and one for the mean of the random orders; a column for each fraction,
    and the mean."""
    size, palette = style.sizes(width), style.PALETTES[theme]
    best = sorted(judged.curves, key=lambda curve: -curve.score)
    rows = [(said(curve.title), _falls(curve, nothing_else)) for curve in best]
    if judged.random:
        rows.append((said(RANDOM), np.mean([_falls(curve, nothing_else) for curve in judged.random], axis=0)))
    names = [*(f"{fraction:.0%}" for fraction in judged.fractions), tr("mean")]
    values = np.stack([falls for _, falls in rows]).astype(np.float32)  # [n_rows, n_fractions + 1]
    longest = SHORT if size.compact else LONGEST
    shown = [plain_label(title, limit=longest) for title, _ in rows]
    left = 0.56 * size.label * min(max(columns(title) for title, _ in rows), longest) + 2 * size.gap
    cell = min((size.page - left - size.gap) / len(names), WIDEST_CELL)
    hover = [[_hover(title, name, fall) for name, fall in zip(names, falls, strict=True)] for title, falls in rows]
    top, wide, tall = 2.6 * size.title + 2 * size.label, cell * len(names), float(ROW * len(rows))
    return cell_map(
        Cells(values=values.clip(min=0), rows=shown, columns=names, hover=hover),
        Frame(left=left, right=size.gap, top=top, wide=wide, tall=tall),
        title=tr("Sufficiency (less is better)") if nothing_else else tr("Comprehensiveness (more is better)"),
        text=_note(judged, nothing_else),
        inside=[
            cell_text(
                row,
                column,
                style.number(round(100 * float(value)) + 0.0, digits=0),
                palette=palette,
                strength=max(float(value), 0.0),
                font=size.label if cell > 4 * LETTER * size.label else size.caption - 1,
            )
            for (row, column), value in np.ndenumerate(values)
        ],
        theme=theme,
        size=size,
    )


def _hover(title: str, share: str, fall: float) -> str:
    return f"<b>{title}</b><br>" + tr("{share}: falls by {fall}", share=share, fall=style.number(float(fall)))


def _falls(curve: FaithfulnessCurve, nothing_else: bool) -> Array:
    """Return by how much the answer falls at every fraction, and on average [n_fractions + 1]."""
    falls = curve.whole - (curve.with_only if nothing_else else curve.without)
    falls_and_mean: Array = np.append(falls, falls.mean()).astype(np.float32)
    return falls_and_mean


def _note(judged: Faithfulness, nothing_else: bool) -> str:
    answer = answer_words(judged.contrast)
    what = (
        tr(
            "By how many points of a hundred the probability of {answer} falls with nothing but the words that a "
            "method names first.",
            answer=answer,
        )
        if nothing_else
        else tr(
            "By how many points of a hundred the probability of {answer} falls without the words that a method names "
            "first.",
            answer=answer,
        )
    )
    how = tr(
        "Of {words} words these parts are {counts}, at least one. The most faithful method is on top; {random} is the "
        "mean of {n}. DeYoung et al. 2020, section 4.2.",
        words=len(judged.words),
        counts=", ".join(map(str, judged.n_left_out)),
        random=said(RANDOM),
        n=len(judged.random),
    )
    return f"{what} {how}"


@check_arguments
def agreement_map(judged: Faithfulness, *, theme: Theme = "light", width: int = style.WIDEST) -> go.Figure:
    """Draw Spearman's rank correlation of the scores of the words between every two methods."""
    titles = [said(curve.title) for curve in judged.curves]
    axis = [Axis(title=side, places=range(len(titles)), noun=side, words=titles) for side in ("", "")]
    return signed_map(
        judged.agreement,
        x=axis[0],
        y=axis[1],
        number=tr("Spearman's rho"),
        title=tr("{answers}: do the methods agree?", answers=contrast_title(judged.contrast)),
        text=tr(
            "1: two methods put the words in the same order; 0: they have nothing to do with each other; below 0: one "
            "puts last what the other puts first. Empty where a method gives all words the same. Agreement is no "
            "proof: methods may agree and be wrong."
        ),
        reach=1.0,
        is_square=True,
        theme=theme,
        width=width,
    )


def faithfulness_table(judged: Faithfulness) -> pd.DataFrame:
    """Return the columns method, fraction, words left out, probability without them, with them alone, comprehensiveness
    and sufficiency: all methods, then every random order."""
    return pd.DataFrame(
        [
            {
                "method": curve.title,
                "fraction": fraction,
                "words": n_words,
                "without": float(without),
                "with only": float(alone),
                "comprehensiveness": curve.whole - float(without),
                "sufficiency": curve.whole - float(alone),
            }
            for curve in (*judged.curves, *judged.random)
            for fraction, n_words, without, alone in zip(
                judged.fractions, judged.n_left_out, curve.without, curve.with_only, strict=True
            )
        ]
    )


def agreement_table(judged: Faithfulness) -> pd.DataFrame:
    """Return the columns method, then Spearman's rho with every method."""
    titles = [curve.title for curve in judged.curves]
    return pd.concat([pd.DataFrame({"method": titles}), pd.DataFrame(judged.agreement, columns=titles)], axis=1)


if __name__ == "__main__":
    from viz.heads.demos.effects import demo_faithfulness

    fall_map(demo_faithfulness()).show()
    agreement_map(demo_faithfulness()).show()
