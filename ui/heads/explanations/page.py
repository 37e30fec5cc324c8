"""The page "Explanations": which words an answer depends on, by many methods, and which of them to believe.

The question and the computation belong to the page; the pictures are a fragment: another method redraws it, and nothing
else of the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from models.analysis import attribution_methods, choose_method
from models.analysis.attribution.belief import findings
from models.values.results.attribution import NO_WORDS, Attribution
from ui.heads.explanations.asking import asked_contrast
from ui.heads.explanations.computed import Explained, Judgement, attribute_answer, judge_attributions
from ui.state.choices import JUDGED_BY
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.about import say_about
from ui.widgets.frame import part_of_page, theme
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.heads.attribution.explained import faithfulness_curves, word_bars
from viz.heads.attribution.faithful import agreement_map, agreement_table, faithfulness_table, fall_map
from viz.heads.attribution.side_by_side import attribution_table, picked_method, side_by_side
from viz.kit.language import said, to_say, tr

JUDGED_LABELS = dict(zip(JUDGED_BY, (to_say("Curves"), to_say("At 1 to 50 %"), to_say("Do they agree?")), strict=True))
ONE_ANSWER = to_say(
    "This holds for this answer and nothing else: another sentence, or another rival, may make another method right. "
    "Leaving words out one by one is judged by what it does itself, which favours it."
)
_MAP = "methods"


def explanations() -> None:
    """Draw everything below the sentences: the question, the attributions, and their faithfulness."""
    contrast = asked_contrast()
    if contrast is None:
        return
    chosen = selection()
    asked = chosen.model, chosen.device, chosen.text, chosen.text_b, contrast
    explained = attribute_answer(*asked)
    if explained is None:
        return
    if not explained.attributions[0].n_words:
        st.info(tr(NO_WORDS), icon=":material/edit:")
        return
    explained_explorer(explained, None if explained.not_judged else judge_attributions(*asked, explained=explained))
    for reason in dict.fromkeys(why for _, why in explained.left_out):
        titles = ", ".join(title for title, why in explained.left_out if why == reason)
        st.caption(tr("Left out: {method}. {why}", method=plain(titles), why=plain(reason)))


@st.fragment
def explained_explorer(explained: Explained, judged: Judgement | None) -> None:
    """Draw the attributions of every method with the findings, then one method, and how the methods are judged."""
    with part_of_page():
        best = choose_method(judged.fractions) if judged else None
        believable = best.method if best else ""
        shown = explained.of(selection().method) or explained.of(believable) or explained.attributions[0]
        left, right, widths = two_columns(3, 1)
        with left:
            figure = side_by_side(
                explained.attributions,
                chosen=shown.method,
                believed=believable,
                scores={curve.method: curve.score for curve in judged.fractions.curves} if judged else None,
                theme=theme(),
                width=widths[0],
            )
            clickable_picture(figure, _MAP, lambda: _pick(explained))
        with right:
            _say(judged)
            if explained.not_judged:
                st.caption(said(explained.not_judged))
            numbers(lambda: attribution_table(explained.attributions), "explanations")
        left, right, widths = two_columns()
        with left:
            _one_method(explained, shown, believable, widths[0])
        with right:
            if judged is not None:
                _draw_judgement(judged, widths[1])


def _say(judged: Judgement | None) -> None:
    """Say which method is the most faithful."""
    if judged is None:
        st.markdown(tr("These are opinions. **Which one is right is not known until words are left out.**"))
        return
    first, *others = findings(judged.fractions)
    st.markdown(f"**{plain(first)}**")
    st.markdown(link_words(plain(" ".join(map(said, others)))))
    st.caption(tr(ONE_ANSWER))


def _one_method(explained: Explained, shown: Attribution, believable: str, width: int) -> None:
    """Draw a method with its formula, its paper, its cost, and its score for every word."""
    titles = {attribution.method: said(attribution.title) for attribution in explained.attributions}
    if selection().method not in titles:
        choose(method="")
    first = said(explained.attributions[0].title)
    usual = (
        tr("★ the one to believe: {method}", method=titles[believable])
        if believable
        else tr("{method} (the first)", method=first)
    )
    st.selectbox(tr("Method"), ["", *titles], key="method", format_func=lambda name: titles.get(name, usual))
    about = next(method for method in attribution_methods() if method.name == shown.method)
    say_about(about)
    picture(word_bars(shown, theme=theme(), width=width), "explanation-of-one-method")


def _draw_judgement(judged: Judgement, width: int) -> None:
    st.segmented_control(
        tr("How far they can be believed"),
        JUDGED_BY,
        key="judged_by",
        format_func=lambda by: said(JUDGED_LABELS[by]),
        required=True,
        wrap=True,
    )
    DRAWN[selection().judged_by](judged, width)


def _curves(judged: Judgement, width: int) -> None:
    for nothing_else, name in ((False, "without-the-words"), (True, "with-the-words-alone")):
        curves = faithfulness_curves(judged.steps, nothing_else=nothing_else, theme=theme(), width=width)
        picture(curves, name)
    numbers(lambda: faithfulness_table(judged.steps), "faithfulness-in-steps")


def _falls(judged: Judgement, width: int) -> None:
    for nothing_else, name in ((False, "comprehensiveness"), (True, "sufficiency")):
        picture(fall_map(judged.fractions, nothing_else=nothing_else, theme=theme(), width=width), name)
    numbers(lambda: faithfulness_table(judged.fractions), "faithfulness")


def _agreement(judged: Judgement, width: int) -> None:
    picture(agreement_map(judged.fractions, theme=theme(), width=width), "agreement-of-methods")
    numbers(lambda: agreement_table(judged.fractions), "agreement-of-methods")


DRAWN: dict[str, Callable[[Judgement, int], None]] = dict(zip(JUDGED_BY, (_curves, _falls, _agreement), strict=True))


def _pick(explained: Explained) -> None:
    """Choose the clicked method."""
    method = picked_method(st.session_state[_MAP], [attribution.method for attribution in explained.attributions])
    if method is not None:
        choose(method=method)
