"""The page "Explanations": what is asked of the model, what the methods say, and which of them is to be believed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.analysis import attribute, attribution_methods, contrast_of
from models.analysis.attribution.evidence import Evidence
from models.opening.registry import DEFAULT_MODEL
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, build, save
from tests.ui.test_pages import alone, figures, helps, messages
from ui.heads.explanations import computed
from ui.heads.explanations.asking import MOST_TOKENS
from ui.heads.explanations.page import FEW as FIRST_METHODS
from ui.state.first_visit import FIRST_VISITS
from viz.heads.attribution.sentence import BELIEVED
from viz.kit.theme import whole_percent

PAGE = "pages/explanations.py"
CAPITAL = "The capital of France is [MASK]."
FEW = "mini-bert"
"""A model of few heads and words, which is soon explained."""
NOT_GOOD = "The film was not good."


def told(app: AppTest) -> str:
    text = " ".join(element.value for element in (*app.subheader, *app.markdown, *app.caption))
    return re.sub(r"\[([^\[\]]+)\]\(#word-[\w-]+\)", r"\1", text.replace("\\", "").replace(":gray[]", ""))


def drawn(app: AppTest) -> list[str]:
    """The titles of the pictures."""
    assert not app.exception
    assert not app.error
    return [json.loads(figure)["layout"]["title"]["text"] for figure in figures(app)]


def test_the_scores_are_those_of_the_library_and_the_finding_names_a_method() -> None:
    app = alone(PAGE, model=FEW, text=CAPITAL, method="alti", all_methods="yes")
    titles = drawn(app)
    model = load(FEW)
    contrast = contrast_of(model, CAPITAL)
    assert titles[0] == f"“{contrast.answer_text}” rather than “{contrast.rival_text}”: which words mattered"
    evidence = Evidence(model, CAPITAL, None, contrast)
    expected = attribute(model, CAPITAL, "alti", contrast=contrast).of_words(evidence.words)
    bars = json.loads(figures(app)[1])["data"][0]
    assert [text.split("<br>")[1] for text in bars["customdata"]] == [f"{score:.4f}" for score in expected]
    assert "The method to believe here is " in told(app) or "believe none of them" in told(app)
    assert "Raw attention is no explanation by itself" in told(app)


def test_formula_paper_and_cost_stand_where_a_method_is_chosen() -> None:
    app = alone(PAGE, model=FEW, text=CAPITAL, all_methods="yes")
    for method in attribution_methods():
        app.selectbox(key="method").select(method.name).run()
        assert method.paper in told(app)
        assert method.formula in helps(app)
        assert method.cost in helps(app)
        assert method.title in drawn(app)[1]


@pytest.mark.parametrize(
    ("judged_by", "titles"),
    [
        ("curves", ["Without the words named first", "With nothing but the words named first"]),
        ("numbers", ["Comprehensiveness (more is better)", "Sufficiency (less is better)"]),
        ("agreement", ["“{answer}” rather than “{rival}”: do the methods agree?"]),
    ],
)
def test_how_the_methods_are_judged(judged_by: str, titles: list[str]) -> None:
    contrast = contrast_of(load(FEW), CAPITAL)
    expected = [title.format(answer=contrast.answer_text, rival=contrast.rival_text) for title in titles]
    assert drawn(alone(PAGE, model=FEW, text=CAPITAL, judged_by=judged_by, all_methods="yes"))[2:] == expected


def test_the_answer_and_its_rival_are_chosen_or_typed() -> None:
    app = alone(PAGE, model=FEW, text=CAPITAL)
    app.selectbox(key="rival").select("moscow").run()
    assert drawn(app)[0].startswith("“paris” rather than “moscow”")
    assert app.query_params["rival"] in ("moscow", ["moscow"])
    typed = alone(PAGE, model=FEW, text=CAPITAL, answer="Dog", rival="paris")
    assert drawn(typed)[0].startswith("“dog” rather than “paris”")
    several = alone(PAGE, model=FEW, text=CAPITAL, answer="antidisestablishmentarianism")
    assert drawn(several)[0].startswith("“paris”")
    assert "no single piece" in messages(several)
    same = alone(PAGE, model=FEW, text=CAPITAL, answer="rome", rival="rome")
    assert drawn(same)[0].startswith("“rome” rather than “paris”")
    assert "held against another one" in messages(same)


@pytest.mark.parametrize(
    ("choices", "title"),
    [
        ({"model": "sentiment", "text": NOT_GOOD}, "“negative” rather than “positive”"),
        ({"model": "sentiment-mean", "text": NOT_GOOD}, "“negative” rather than “positive”"),
        ({"model": "tagger", "text": "They play with a watch.", "answer_at": 2}, "“VERB” rather than"),
        ({"model": FEW, "text": "Anna went home.", "text_b": "She was tired."}, "“is next” rather than"),
    ],
)
def test_every_kind_of_answer_is_explained(choices: dict[str, object], title: str) -> None:
    app = alone(PAGE, **choices, all_methods="yes")
    assert title in drawn(app)[0]
    assert len(drawn(app)) == 4


@pytest.mark.parametrize(("model", "n_words"), [("mini-gpt", 9), ("translator-es", None)])
def test_a_model_that_writes_opens_with_a_text_of_its_own_kind(model: str, n_words: int | None) -> None:
    app = alone(PAGE, model=model, all_methods="yes")
    assert len(drawn(app)) == 4
    assert "rather than" in drawn(app)[0]
    text = app.session_state["text"]
    assert "[MASK]" not in text
    bars = json.loads(figures(app)[1])["data"][0]
    assert len(bars["customdata"]) == (n_words or len(text[:-1].split()) + 1)  # what comes later has no bar


def test_with_a_mask_and_a_second_sentence_the_reader_says_what_is_asked() -> None:
    app = alone(PAGE, model=FEW, text="Anna saw a [MASK].", text_b="She bought [MASK].")
    assert app.selectbox(key="question").value == ""
    usual, first, second = app.selectbox(key="answer_at").options
    assert usual == f"{first} (usual)"
    assert (first.endswith("[MASK]"), second.endswith("[MASK]")) == (True, True)
    before = drawn(app)[0]
    app.selectbox(key="answer_at").select_index(2).run()
    assert drawn(app)[0] != before
    app.selectbox(key="question").select("sentence").run()
    assert "is next" in drawn(app)[0]


def test_a_sentence_without_a_mask_is_explained_at_once() -> None:
    app = alone(PAGE, text="The capital of France is Paris.", model=FEW, hidden=5)
    assert drawn(app)[0].startswith("“paris” rather than")
    assert app.session_state["text"] == "The capital of France is Paris."


def test_it_opens_with_the_word_crossed_out_that_the_answer_depends_on_and_the_answer_without_it() -> None:
    app = alone(PAGE)
    text, model = app.session_state["text"], load(DEFAULT_MODEL)
    evidence = Evidence(model, text, None, contrast_of(model, text))
    (word,) = (word for word in evidence.words if evidence.tokens[word[0]].text == "raining")
    without = model.answer_logits(text, of="mask", changes=evidence.without(word))
    best = without.best(1)[0]
    as_written, crossed_out = (line.value.replace("\\", "") for line in app.markdown if "Take your" in line.value)
    assert "~~" not in as_written
    assert "umbrella" in as_written
    assert "~~raining~~" in crossed_out
    assert "umbrella" not in crossed_out
    assert f"**{without.choices[best]}**" in crossed_out
    assert whole_percent(float(without.probabilities[best])) in crossed_out


def test_it_opens_with_three_methods_one_of_which_can_be_believed() -> None:
    app = alone(PAGE)
    (figure,) = figures(app)
    assert len(json.loads(figure)["layout"]["yaxis"]["ticktext"]) == len(FIRST_METHODS)
    assert BELIEVED in figure
    assert "“umbrella” depends most on “raining”." in told(app)


def test_a_method_can_be_believed_where_it_opens_in_korean() -> None:
    app = alone(PAGE, lang="ko")
    assert app.session_state["model"] == FIRST_VISITS["ko"].explained
    assert BELIEVED in figures(app)[0]


def test_the_labels_of_a_korean_classifier_are_said_in_korean() -> None:
    said = told(alone(PAGE, lang="ko", all_methods=True))
    assert "“긍정”의 확률이" in said
    assert "positive" not in said


def test_a_word_about_which_the_methods_disagree_is_named() -> None:
    text = "Anna lost her key, and now [MASK] is looking for it."
    assert "contradict each other about “anna”" in told(alone(PAGE, text=text))


def test_a_model_without_an_answer_says_so_with_a_way_out(tmp_path: Path) -> None:
    save(FAMILIES["bert"], tmp_path, model=build(FAMILIES["bert"], attention="eager").bert)
    app = alone(PAGE, model=str(tmp_path), text=NOT_GOOD)
    assert not app.exception
    assert "has no" in messages(app)
    (way_out,) = [button for button in app.button if button.label.startswith("Use ")]
    way_out.click().run()
    assert app.session_state["model"] == DEFAULT_MODEL
    assert figures(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the [MASK] sat " * 60, f"up to {MOST_TOKENS}"),
        ("[MASK]", "no word in this text"),
        ("", "Type a sentence"),
    ],
)
def test_what_cannot_be_explained_is_a_sentence(text: str, said: str) -> None:
    app = alone(PAGE, text=text or "   ")
    assert not app.exception
    assert said in messages(app) or app.error
    assert not figures(app)


def test_a_method_that_takes_minutes_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computed, "MOST_FLOW", 6**2)
    app = alone(PAGE, text="[MASK] of seven words is too long.", model=FEW, all_methods="yes")
    assert "Left out: attention flow" in told(app)
    assert "attention flow" not in app.selectbox(key="method").options
    assert len(drawn(app)) == 4
