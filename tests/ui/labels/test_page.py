"""The page "Labels": the verdict on a text, the labels of its words, and the attention behind both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, build, save
from tests.models.tasks.test_answers import labelled
from tests.ui.masked_words.test_page import said, whole
from tests.ui.test_pages import alone, figures, messages
from ui.widgets.asking.inputs import LABEL_EXAMPLES
from viz.kit.theme import percentage
from viz.predictions.judgements import labelled_words
from viz.predictions.mask_attention import strongest_look
from viz.predictions.word_chips import describe_labels

LABELS = "pages/labels.py"
NOT_BAD = next(iter(LABEL_EXAMPLES.values()))[0]
NOT_GOOD, WATCH = "The film was not good.", "They play with a watch."


def alternatives(app: AppTest) -> list[str]:
    """The text alternatives of the pictures."""
    return [chart.proto.alt for chart in app.get("plotly_chart")]


def test_both_labels_stand_there_at_once() -> None:
    app = alone(LABELS)
    whole(app)
    assert app.text_input[0].value == NOT_BAD
    assert "The whole text: :blue[**positive**]" in said(app)
    assert "which looks most at **not**: 93%" in said(app)
    words = labelled_words(load("tagger").label_tokens(NOT_BAD))
    assert describe_labels(words) in alternatives(app)
    assert "not: particle, bad: adjective" in describe_labels(words)
    shaded, chips = figures(app)[:2]
    assert "93%" in shaded
    assert all(word in chips for word in (*words.texts, "helping verb", "■ verbs"))


def test_an_own_sentence_is_answered_by_the_right_models_whichever_is_chosen() -> None:
    for model in (DEFAULT_MODEL, "tagger", "sentiment"):
        app = alone(LABELS, model=model, text=WATCH)
        whole(app)
        assert describe_labels(labelled_words(load("tagger").label_tokens(WATCH))) in alternatives(app)
        assert "The whole text: :blue[**negative**]" in said(app)
        assert (f"{DEFAULT_MODEL} gives no labels" in said(app)) == (model == DEFAULT_MODEL)


def test_the_verdict_rests_on_the_head_that_is_chosen() -> None:
    app = alone(LABELS, model="sentiment", text=NOT_GOOD, head=2)
    whole(app)
    attention = load("sentiment").record(NOT_GOOD).of("encoder")
    heads, row = (json.loads(figure) for figure in figures(app)[2:])
    assert "all heads of layer 0" in heads["layout"]["title"]["text"]
    assert "Layer 0 · Head 2" in row["layout"]["title"]["text"]
    assert row["data"][0]["customdata"][4].endswith(percentage(float(attention.weights(0, 2)[0][4])))
    app.select_slider(key="head").set_value("mean").run()
    whole(app)
    assert "mean over 4 heads" in figures(app)[3]
    app.button_group(key="example").set_value("but").run()
    whole(app)
    assert app.text_input[0].value == "The food was good, but the service was slow."


def test_a_word_is_chosen_and_shows_what_it_looks_at() -> None:
    app = alone(LABELS, text=WATCH, labelled="words", layer=1, head=7, query=5)
    whole(app)
    model = load("tagger")
    assert "this is where “watch” looks" in said(app)
    row = json.loads(figures(app)[-1])
    assert "Layer 1 · Head 7" in row["layout"]["title"]["text"]
    weights = model.record(WATCH).of("encoder").weights(1, 7)[5]
    assert row["data"][0]["customdata"][2].endswith(percentage(float(weights[2])))
    app = alone(LABELS, text=WATCH, labelled="words", query=99)
    whole(app)
    assert app.session_state["query"] == labelled_words(model.label_tokens(WATCH)).least_sure


def test_another_label_opens_on_its_own_strongest_head() -> None:
    app = alone(LABELS, text=WATCH, head=3, layer=0)
    app.button_group(key="labelled").set_value("words").run()
    whole(app)
    record = load("tagger").record(WATCH).of("encoder")
    layer, head, _ = strongest_look(record, [app.session_state["query"]])
    assert (app.session_state["layer"], app.session_state["head"]) == (layer, head)


@pytest.mark.parametrize(
    ("family", "head", "shown"),
    [
        ("electra", "ForPreTraining", "replaced"),
        ("bert", "ForTokenClassification", "LABEL_"),
        ("bert", "ForSequenceClassification", "LABEL_"),
    ],
)
def test_the_labels_of_any_other_model_stand_alone(family: str, head: str, shown: str, tmp_path: Path) -> None:
    folder, _ = labelled(family, head, tmp_path)
    app = alone(LABELS, model=folder, text="the animal was tired")
    whole(app)
    assert shown in figures(app)[0] + said(app)
    assert "pronoun" not in " ".join(alternatives(app))


@pytest.mark.parametrize("text", ["", "  ", "</script> <b> $x$ 🙂 עברית", "not good " * 300, "[MASK] [MASK]"])
def test_odd_texts_get_labels_or_a_sentence(text: str) -> None:
    app = alone(LABELS, text=text, layer=77, head=99)
    whole(app)
    assert len(figures(app)) == 4 or messages(app)


def test_a_head_without_weights_is_said_to_be_untrained(tmp_path: Path) -> None:
    save(FAMILIES["bert"], tmp_path, model=build(FAMILIES["bert"], attention="eager").bert)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": ["BertForTokenClassification"]}))
    app = alone(LABELS, model=tmp_path, text="the animal was tired")
    whole(app)
    assert "no classifier for tokens" in messages(app)
    assert "untrained" in messages(app)


@pytest.mark.parametrize("name", ["attention", "step_by_step", "queries_keys_values", "positions"])
def test_the_other_pages_open_the_embedded_classifier(name: str) -> None:
    app = alone(f"pages/{name}.py", model="sentiment", text=NOT_GOOD)
    whole(app)
    assert figures(app)
