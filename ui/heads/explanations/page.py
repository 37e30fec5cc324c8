"""The page "Explanations": which words an answer depends on, by many methods, and which of them to believe.

The question and the computation belong to the page; the pictures are a fragment: another method redraws it, and nothing
else of the page.
"""

from __future__ import annotations

import streamlit as st

from models.analysis import attribution_methods, choose_method
from models.analysis.attribution.belief import better_than_random, findings
from models.values.probing.contrast import Contrast
from models.values.results.attribution import NO_WORDS, Attribution, Faithfulness
from ui.heads.explanations.asking import asked_answer
from ui.heads.explanations.computed import (
    Explained,
    answer_without,
    attribute_answer,
    judge_attributions,
    judge_in_steps,
)
from ui.state.choices import JUDGED_BY
from ui.state.plain import plain
from ui.state.selection import choose, selection
from ui.widgets.about import say_about
from ui.widgets.asking.answer_line import answer_line
from ui.widgets.asking.which_answer import AskedAnswer
from ui.widgets.frame import part_of_page, theme
from ui.widgets.pictures import clickable_picture, numbers, picture, two_columns
from ui.widgets.words import link_words
from viz.heads.attribution.explained import faithfulness_curves, word_bars
from viz.heads.attribution.faithful import agreement_map, agreement_table, faithfulness_table, fall_map
from viz.heads.attribution.side_by_side import attribution_table, picked_method, side_by_side
from viz.heads.attribution.verdict import contradiction, main_word, verdict
from viz.kit.language import said, to_say, tr

JUDGED_LABELS = dict(zip(JUDGED_BY, (to_say("Curves"), to_say("At 1 to 50 %"), to_say("Do they agree?")), strict=True))
ONE_ANSWER = to_say(
    "This holds for this answer only: for another sentence, another method may be right. Leaving a word out is judged "
    "by leaving words out, which favours it."
)
_MAP = "methods"
FEW = ("raw", "leave_out", "integrated")
"""The methods that are shown first: where the model looks, what happens without a word, and what the gradients say."""
OneAnswer = tuple[str, str, str, str, Contrast]
"""The model, its device, the texts, and the answer with its rival."""


def explanations() -> None:
    """Draw everything below the sentences: the answer, the attributions, and their faithfulness."""
    answer = asked_answer()
    if answer is None:
        return
    lines = st.container(key="large-sentences")
    with lines:
        answer_line(answer, answer.whole, "blue", "")
    chosen = selection()
    asked = chosen.model, chosen.device, answer.text, answer.text_b, answer.contrast
    explained = attribute_answer(*asked)
    if explained is None:
        return
    if not explained.attributions[0].n_words:
        st.info(tr(NO_WORDS), icon=":material/edit:")
        return
    judged = None if explained.not_judged else judge_attributions(*asked, explained=explained)
    best = choose_method(judged) if judged else None
    believed = explained.of(best.method) if best else None
    if believed is not None:
        with lines:
            _without_main_word(asked, answer, believed)
    explained_explorer(asked, explained, judged)


def _without_main_word(asked: OneAnswer, answer: AskedAnswer, believed: Attribution) -> None:
    """Draw the sentence once more, with the word crossed out that the answer depends on most, and the answer then."""
    word, stacks = main_word(believed), [stack for stack, _ in believed.places]
    if stacks[word[0]] != stacks[0]:  # a word that the decoder has written stands in no sentence of the reader
        return
    without = answer_without(*asked, word=word)
    if without is not None:
        answer_line(answer, without, "orange", "", crossed_out=[believed.tokens[number] for number in word])


@st.fragment
def explained_explorer(asked: OneAnswer, explained: Explained, judged: Faithfulness | None) -> None:
    """Draw three methods with the verdict; on request all of them, one in detail, and how they are judged."""
    with part_of_page():
        best = choose_method(judged) if judged else None
        believable = best.method if best else ""
        shown = explained.of(selection().method) or explained.of(believable) or explained.attributions[0]
        left, right, widths = two_columns(3, 2)
        with left:
            figure = side_by_side(
                _first_methods(explained, believable),
                chosen=shown.method if selection().all_methods else "",
                believed=believable,
                beats={curve.method: better_than_random(judged, curve) for curve in judged.curves} if judged else None,
                theme=theme(),
                width=widths[0],
            )
            clickable_picture(figure, _MAP, lambda: _pick(explained, believable))
        with right:
            _say(explained, judged, believable)
        st.toggle(tr("All {n} methods, and how they are judged", n=len(explained.attributions)), key="all_methods")
        if selection().all_methods:
            _all_methods(asked, explained, shown, judged, believable)


def _first_methods(explained: Explained, believable: str) -> tuple[Attribution, ...]:
    """Return the methods that are drawn: all, or the few that differ most in kind, with the one to believe."""
    if selection().all_methods:
        return explained.attributions
    few = [method for method in FEW if explained.of(method) is not None]
    if believable and believable not in few:
        few = [*few[:-1], believable]
    return tuple(one for one in explained.attributions if one.method in few) or explained.attributions


def _say(explained: Explained, judged: Faithfulness | None, believable: str) -> None:
    """Say which word the answer hangs on, and which method can be believed."""
    if judged is None:
        st.markdown(tr("These are opinions. **Which one is right is not known until words are left out.**"))
        if explained.not_judged:
            st.caption(said(explained.not_judged))
        return
    st.subheader(plain(verdict(explained.attributions, believable)), anchor=False)
    disputed = contradiction(_first_methods(explained, believable))
    st.markdown(plain(disputed or said(findings(judged)[0])))
    st.caption(tr(ONE_ANSWER))


def _all_methods(
    asked: OneAnswer, explained: Explained, shown: Attribution, judged: Faithfulness | None, believable: str
) -> None:
    """Draw one method in detail, beside how all of them are judged."""
    left, right, widths = two_columns()
    with left:
        _one_method(explained, shown, believable, widths[0])
    with right:
        if judged is not None:
            st.markdown(link_words(plain(" ".join(map(said, findings(judged))))))
            _draw_judgement(asked, explained, judged, widths[1])
    numbers(lambda: attribution_table(explained.attributions), "explanations")
    for reason in dict.fromkeys(why for _, why in explained.left_out):
        titles = ", ".join(title for title, why in explained.left_out if why == reason)
        st.caption(tr("Left out: {method}. {why}", method=plain(titles), why=plain(reason)))


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


def _draw_judgement(asked: OneAnswer, explained: Explained, judged: Faithfulness, width: int) -> None:
    st.segmented_control(
        tr("How far they can be believed"),
        JUDGED_BY,
        key="judged_by",
        format_func=lambda by: said(JUDGED_LABELS[by]),
        required=True,
        wrap=True,
    )
    judged_by = selection().judged_by
    if judged_by == "curves":
        _curves(judge_in_steps(*asked, explained=explained), width)
    elif judged_by == "numbers":
        _falls(judged, width)
    else:
        picture(agreement_map(judged, theme=theme(), width=width), "agreement-of-methods")
        numbers(lambda: agreement_table(judged), "agreement-of-methods")


def _curves(steps: Faithfulness | None, width: int) -> None:
    if steps is None:
        return
    for nothing_else, name in ((False, "without-the-words"), (True, "with-the-words-alone")):
        curves = faithfulness_curves(steps, nothing_else=nothing_else, theme=theme(), width=width)
        picture(curves, name)
    numbers(lambda: faithfulness_table(steps), "faithfulness-in-steps")


def _falls(judged: Faithfulness, width: int) -> None:
    for nothing_else, name in ((False, "comprehensiveness"), (True, "sufficiency")):
        picture(fall_map(judged, nothing_else=nothing_else, theme=theme(), width=width), name)
    numbers(lambda: faithfulness_table(judged), "faithfulness")


def _pick(explained: Explained, believable: str) -> None:
    """Choose the clicked method, and show it among all."""
    drawn = [attribution.method for attribution in _first_methods(explained, believable)]
    method = picked_method(st.session_state[_MAP], drawn)
    if method is not None:
        choose(method=method, all_methods=True)
