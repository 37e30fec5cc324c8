"""The page "Switchboard": what stands there is what the library computes, for models of every kind."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import transformers as hf
from streamlit.testing.v1 import AppTest

from models.analysis import ablate, contrast_of, head_paths, logit_parts, patch
from models.analysis.registry import find_analysis
from models.opening.registry import DEFAULT_MODEL
from models.values.probing.changes import Changes, HeadEdit
from models.values.results.effects import PatchedWhat
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES, save
from tests.ui.test_pages import alone, figures, helps, messages
from ui.heads.switchboard import ways
from ui.heads.switchboard.examples import MASKED_PAIRS, PARTNERS
from ui.heads.switchboard.off import read_heads, toggle_heads, write_heads
from ui.state.first_visit import FIRST_VISITS
from ui.widgets.asking.korean import KOREAN_PAIRS
from viz.heads.findings import finding_of_heads
from viz.heads.switches import answers_of_both
from viz.heads.traced import finding_of_parts, finding_of_patching, finding_of_paths
from viz.kit.theme import percentage

PAGE = "pages/switchboard.py"
pytestmark = pytest.mark.usefixtures("few_texts")
TEXT, OTHER = next(iter(MASKED_PAIRS.values()))
KOREAN, (KOREAN_TEXT, _) = FIRST_VISITS["ko"], next(iter(KOREAN_PAIRS.values()))
FEW = "mini-bert"
"""A model of few heads, so that a page of it is soon there."""


def whole(app: AppTest) -> AppTest:
    assert not app.exception
    assert "Something went wrong" not in messages(app)
    return app


def said(app: AppTest) -> str:
    text = " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")
    return re.sub(r"\[([^\[\]]+)\]\(#word-[\w-]+\)", r"\1", text)


def explained(app: AppTest) -> str:
    """What stands behind the signs "?"."""
    return " ".join(element.proto.help for element in app.markdown).replace("\\", "")


def titled(app: AppTest, title: str) -> dict[str, Any]:
    specs = [json.loads(each) for each in figures(app)]
    return next(spec for spec in specs if title in spec["layout"]["title"]["text"])


def bars(app: AppTest, title: str) -> list[float]:
    """The values of the bars of a picture, which plotly sends as a list or as bytes in base64."""
    values = next(trace["x"] for trace in titled(app, title)["data"] if trace["type"] == "bar")
    sent = values if isinstance(values, list) else np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return [float(value) for value in sent]


@pytest.mark.parametrize(
    ("model_name", "text", "address"),
    [(DEFAULT_MODEL, TEXT, {}), (KOREAN.model, KOREAN_TEXT, {"model": KOREAN.model, "text": KOREAN_TEXT})],
)
def test_it_opens_with_a_head_switched_off_without_which_the_answer_is_another(
    model_name: str, text: str, address: dict[str, str]
) -> None:
    app = whole(alone(PAGE, **address))
    model = load(model_name)
    ablation = ablate(model, text)
    deciding = ablation.groups[int(ablation.differences.argmin())][0]
    assert app.multiselect(key="switched-off").value == [deciding]
    kind, layer, head = deciding
    edit = HeadEdit(kind=kind, layer=layer, head=head, by="zero")
    after_logits = model.answer_logits(text, changes=Changes(heads=(edit,))).logits
    before, after = model.answer_logits(text), float(ablation.differences.min())
    best, now = (before.choices[logits.argmax()] for logits in (before.logits, after_logits))
    assert now != best
    assert all(line in said(app) for line in (f":blue[**{best}**]", f":orange[**{now}**]"))
    assert f"{after:+.2f}".replace("-", "−") in explained(app)


def test_the_answers_are_those_of_the_model_without_the_heads_of_the_address() -> None:
    app = whole(alone(PAGE, model=FEW, off="e1.2-e3.7-e99.0", taken_away="uniform"))
    model, off = load(FEW), [("encoder", 1, 2), ("encoder", 3, 7)]
    assert app.multiselect(key="switched-off").value == off
    edits = tuple(HeadEdit(kind="encoder", layer=layer, head=head, by="uniform") for _, layer, head in off)
    without = model.answer_logits(TEXT, changes=Changes(heads=edits))
    before = model.answer_logits(TEXT)
    ids = answers_of_both(before, without, 5)
    expected = [*before.probabilities[ids], *without.probabilities[ids]]
    assert_close(bars(app, "What the model answers"), expected)


def test_buttons_and_the_list_switch_heads_and_the_address_follows() -> None:
    app = alone(PAGE, model=FEW)
    next(button for button in app.button if button.label == "All on").click().run()
    assert app.query_params["off"] in ("none", ["none"])
    assert "All heads are on" in said(app)
    app.multiselect(key="switched-off").set_value([("encoder", 0, 1), ("encoder", 2, 5)]).run()
    assert app.query_params["off"] in ("e0.1-e2.5", ["e0.1-e2.5"])
    assert "Without Layer 0 · Head 1 and Layer 2 · Head 5" in said(app)
    next(button for button in app.button if button.label == "All off").click().run()
    assert "Without any head" in said(whole(app))


@pytest.mark.parametrize("way", ["mean", "resample"])
def test_a_head_that_is_off_may_give_a_mean_or_what_it_gives_elsewhere(way: str) -> None:
    app = whole(alone(PAGE, model=FEW, taken_away=way, off="e3.7"))
    zero = whole(alone(PAGE, model=FEW, off="e3.7"))
    assert "Without Layer 3 · Head 7" in said(app)
    assert bars(app, "What the model answers") != bars(zero, "What the model answers")
    if way == "mean":
        assert f"Mean over {ways.N_TEXTS} sentences" in said(app)
    else:
        assert app.text_input(key="other").value == OTHER


def test_every_head_says_what_the_library_finds() -> None:
    app = whole(alone(PAGE, model=FEW, board="heads", by_gradient="yes"))
    assert finding_of_heads(ablate(load(FEW), TEXT)) in said(app)
    assert "Spearman's rho is" in said(app)
    for title in ("without each head", "estimated without each head", "without each layer", "Right answers as heads"):
        assert titled(app, title)


@pytest.mark.parametrize("what", ["states", "outputs", "weights"])
def test_a_pair_is_patched_as_the_library_does_it(what: PatchedWhat) -> None:
    app = whole(alone(PAGE, model=FEW, board="patch", patched=what))
    assert finding_of_patching(patch(load(FEW), TEXT, OTHER, what=what)) in said(app)


def test_heads_are_patched_token_by_token_if_that_is_asked_for() -> None:
    app = whole(alone(PAGE, model=FEW, board="patch", patched="outputs"))
    app.toggle(key="by_token").set_value(True).run()
    found = patch(load(FEW), TEXT, OTHER, what="outputs")
    strongest = int(np.unravel_index(found.effects.argmax(), found.effects.shape)[1])
    assert app.select_slider(key="head").value == strongest
    assert len(figures(whole(app))) == 2


def test_a_pair_that_is_not_equally_long_is_one_clear_sentence() -> None:
    app = whole(alone(PAGE, model=FEW, board="patch", other="John lost it."))
    assert "expected as many of both" in messages(app)
    app = whole(alone(PAGE, model=FEW, board="patch", text="Dogs and [MASK] ran."))
    assert "Type a second sentence" in messages(app)


def test_the_parts_of_the_logit_and_the_paths_into_a_head() -> None:
    model = load(FEW)
    app = whole(alone(PAGE, model=FEW, board="sum", receiver="e2.1", with_paths="yes"))
    parts = logit_parts(model, TEXT)
    assert finding_of_parts(parts) in said(app)
    assert_close(sum(bars(app, "as a sum")), parts.difference, tolerance=1e-3, magnitude=1)
    assert finding_of_paths(head_paths(model, TEXT, ("encoder", 2, 1))) in said(app)


def test_a_typed_answer_and_rival_are_what_is_compared() -> None:
    app = whole(alone(PAGE, model=FEW, answer="it", rival="they", off="e3.7"))
    contrast = contrast_of(load(FEW), TEXT, answer="it", rival="they")
    answers = load(FEW).answer_logits(TEXT)
    chance = percentage(float(answers.probabilities[contrast.answer]))
    before = f"{answers.difference(contrast):+.2f}".replace("-", "−")
    assert f"the probability of “it” goes from {chance}" in said(app)
    assert f"the logit of “it” less that of “they” goes from {before}" in explained(app)
    assert "no single piece" in messages(whole(alone(PAGE, model=FEW, answer="unbelievablest")))
    assert "held against another one" in messages(whole(alone(PAGE, model=FEW, answer="it", rival="it")))


@pytest.mark.parametrize(
    ("model", "expected"),
    [("translator-es", "cross attention"), ("mini-gpt", "What it writes"), ("sentiment", "“negative”"), ("tagger", "")],
)
@pytest.mark.parametrize("board", ["switches", "heads", "patch", "sum"])
def test_models_of_every_kind_answer(model: str, expected: str, board: str) -> None:
    is_slow = (board, model) == ("heads", "translator-es")  # each of its heads is switched off in turn
    short = {"text": "A cat."} if is_slow else {}
    app = whole(alone(PAGE, model=model, board=board, **short))
    assert not app.error
    assert figures(app)
    if board == "switches":
        assert expected in said(app)


def test_a_translator_without_its_cross_attention_writes_something_else() -> None:
    model, text = load("translator-es"), "The girl has a red skirt."
    layers, per_layer = range(model.info.n_layers), range(model.info.n_heads)
    heads = [HeadEdit(kind="cross", layer=layer, head=head, by="zero") for layer in layers for head in per_layer]
    off = write_heads([(edit.kind, edit.layer, edit.head) for edit in heads])
    app = whole(alone(PAGE, model="translator-es", text=text, off=off, kind="cross"))
    assert model.translate(text).text in said(app)
    written = model.write_without(text, heads=heads).text
    assert written != model.translate(text).text
    assert all(word in said(app) for word in written.split())


@pytest.mark.parametrize("model", ["translator-es", "mini-gpt"])
@pytest.mark.parametrize("way", ["uniform", "mean", "resample"])
def test_what_is_written_without_heads_is_shown_as_far_as_there_is_such_a_thing(model: str, way: str) -> None:
    app = whole(alone(PAGE, model=model, taken_away=way))
    assert not app.error
    assert ("What it writes with all heads" in said(app)) == (way != "resample")
    assert ("still to be written" in said(app)) == (way == "resample")


def test_heads_of_another_model_do_not_stay_switched_off() -> None:
    app = whole(alone(PAGE, model=FEW, off="e5.8"))
    assert "1 of 32 heads off" in titled(app, "heads off")["layout"]["title"]["text"]


def test_two_sentences_are_asked_whether_one_follows_the_other() -> None:
    app = whole(alone(PAGE, model=FEW, text="He went to the shop.", text_b="He bought some bread.", off="e0.0"))
    assert "is next" in said(app)
    assert "Type a sentence B" in messages(alone(PAGE, model=FEW, question="sentence"))


def test_a_sentence_without_a_mask_is_answered_at_once_and_stays_as_typed() -> None:
    app = whole(alone(PAGE, model=FEW, text="The cat sat on the mat."))
    assert figures(app)
    app.button_group(key="hidden_word").set_value(1).run()
    assert app.session_state["text"] == "The cat sat on the mat."
    best = load(FEW).answer_logits("The [MASK] sat on the mat.")
    assert f"The :blue[**{best.choices[best.best(1)[0]]}**] sat on the mat" in said(whole(app))


def test_a_model_that_answers_nothing_leaves_a_way_out(tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    hf.BertModel.from_pretrained(folder).save_pretrained(folder)  # without what sits on top of it
    app = whole(alone(PAGE, model=folder))
    assert "has no weights for it" in messages(app)
    assert not figures(app)
    next(button for button in app.button if button.label == f"Use {DEFAULT_MODEL}").click().run()
    assert figures(whole(app))


@pytest.mark.parametrize(
    "text", ["", "   ", "[MASK]", "[MASK] " * 40, "long story " * 300 + "[MASK]", "🙂 [MASK] <script>alert(1)</script>"]
)
def test_odd_text_gets_a_picture_or_a_sentence(text: str) -> None:
    app = whole(alone(PAGE, model="models/pretrained/tiny-bert/step-001708", text=text))
    assert figures(app) or messages(app)


def test_a_switched_head_is_written_and_read_the_same_and_foreign_heads_are_left_out() -> None:
    recording = load("translator-es").record("The girl has a red skirt.", "La niña")
    off = (("encoder", 0, 1), ("cross", 1, 5))
    assert write_heads(off) == "e0.1-c1.5"
    assert read_heads("c1.5-e0.1-e7.7-d0.77", recording) == off
    assert read_heads("none", recording) == read_heads("", recording) == ()
    assert toggle_heads(off, [("cross", 1, 5)]) == off[:1]
    layer = [("cross", 1, head) for head in range(6)]
    assert set(toggle_heads(off, layer)) == {*off, *layer}
    assert write_heads(()) == "none"


def test_every_example_has_a_partner_and_is_its_partners_partner() -> None:
    assert all(PARTNERS[other] == text for text, other in PARTNERS.items())
    model = load(DEFAULT_MODEL)
    for first, second in MASKED_PAIRS.values():
        assert len(model.record(first).tokens) == len(model.record(second).tokens)


@pytest.mark.parametrize(
    ("board", "names"),
    [
        ("switches", ["ablation"]),
        ("heads", ["ablation", "importance", "pruning"]),
        ("patch", ["patching"]),
        ("sum", ["logit_parts", "paths"]),
    ],
)
def test_every_result_names_its_formula_its_paper_and_its_cost(board: str, names: list[str]) -> None:
    app = whole(alone(PAGE, model=FEW, board=board, by_gradient="yes", with_paths="yes"))
    told = said(app) + helps(app)
    for name in names:
        about = find_analysis(name)
        assert all(each in told for each in (about.formula, about.paper, about.cost))
