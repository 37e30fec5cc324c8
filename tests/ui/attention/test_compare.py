"""The view "Compare" of the Attention page: its numbers are those of the library, and what cannot be is a sentence."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from models.analysis import compare, find_shifts
from models.opening.registry import REGISTRY
from models.opening.relatives import snapshots_beside
from models.values.record import AttentionRecord
from tests.closeness import assert_close
from tests.loaded import load
from tests.ui.test_pages import alone, messages
from tests.viz.viewer.test_payload import unpacked
from ui.attention.comparing import words_to_mask
from ui.state.choices import DEFAULTS

TEXT, WIDE = DEFAULTS["text"], DEFAULTS["other_text"]
TINY = next(name for name in REGISTRY if "/tiny-bert/" in name)


def opened(**choices: object) -> AppTest:
    app = alone(view="compare", **choices)
    assert not app.exception
    return app


def shown(app: AppTest) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What the browser is told, and its arrays."""
    assert not app.error, messages(app)
    (told,) = (json.loads(each.proto.json) for each in app.get("bidi_component") if "numbers" in each.proto.json)
    return told["about"], unpacked(base64.b64decode(told["numbers"]))[1]


def expect_comparison(
    app: AppTest,
    one: AttentionRecord,
    other: AttentionRecord,
    place: tuple[int, int | None],
    other_place: tuple[int, int | None] | None = None,
) -> dict[str, Any]:
    (layer, head), (other_layer, other_head) = place, other_place or place
    wanted = compare(one, other, one_layer=layer, other_layer=other_layer, one_head=head, other_head=other_head)
    about, arrays = shown(app)
    for name, expected in (("one", wanted.one), ("other", wanted.other), ("distances", wanted.distances)):
        assert_close(arrays[name], expected)
    assert about["rows"]["equal"] == [pair.is_equal for pair in wanted.rows]
    assert about["columns"]["equal"] == [pair.is_equal for pair in wanted.columns]
    return about


def test_two_sentences_of_an_encoder() -> None:
    app = opened(model="mini-bert", layer=2, head=5)
    model = load("mini-bert")
    about = expect_comparison(app, model.record(TEXT).of("encoder"), model.record(WIDE).of("encoder"), (2, 5))
    assert about["titles"]["one"] == f"“{TEXT}”"
    assert about["titles"]["other"] == f"“{WIDE}”"
    assert about["titles"]["difference"] == "wide − tired"


def test_the_comparison_opens_on_the_head_that_differs_most_and_offers_the_next_ones() -> None:
    app = opened(model="headlight-bert")
    about = shown(app)[0]
    assert about["title"].startswith("Layer 3 · Head 1")
    assert "“it”: from “animal” (20%) to “street” (38%)." == about["finding"]
    model = load("headlight-bert")
    most = find_shifts(*(model.record(text).of("encoder") for text in (TEXT, WIDE)))[:3]
    offered = [button for button in app.button if (button.key or "").startswith("differs-")]
    assert [button.key for button in offered] == [f"differs-{each.layer}-{each.head}" for each in most[1:]]
    offered[0].click().run()
    assert shown(app)[0]["title"].startswith(f"Layer {most[1].layer} · Head {most[1].head}")
    assert f"differs-{most[0].layer}-{most[0].head}" in {button.key for button in app.button}


def test_a_head_that_a_reader_has_turned_to_stays() -> None:
    assert shown(opened(model="headlight-bert", layer=1, head=6))[0]["title"].startswith("Layer 1 · Head 6")


def test_two_sentences_of_a_causal_model_and_the_mean_over_its_heads() -> None:
    app = opened(model="mini-gpt", layer=1, head="mean", kind="decoder")
    model = load("mini-gpt")
    expect_comparison(app, model.record(TEXT).of("decoder"), model.record(WIDE).of("decoder"), (1, None))


def test_two_sentences_in_the_cross_attention_of_a_translator() -> None:
    texts = "The house is red.", "The house is very red."
    app = opened(model="translator-es", kind="cross", layer=1, head=0, text=texts[0], other_text=texts[1])
    model = load("translator-es")
    one, other = (model.record(text).of("cross") for text in texts)
    about = expect_comparison(app, one, other, (1, 0))
    assert [about[axis]["texts"][at] for axis, at in (("rows", 4), ("columns", 3))] == ["| muy", "| very"]
    assert "La casa es muy roja." in messages(app)


def test_a_word_masked() -> None:
    app = opened(model="mini-bert", compared="mask", masked_word=1, layer=1, head=2)
    model = load("mini-bert")
    one = model.record(TEXT)
    other = model.record(TEXT.replace("animal", "[MASK]"))
    about = expect_comparison(app, one.of("encoder"), other.of("encoder"), (1, 2))
    assert about["names"]["other"] == "the sentence without “animal”"
    words = [word.text for word in words_to_mask(one)]
    assert words[:3] == ["the", "animal", "didn't"]
    assert "." not in words


def test_two_heads_of_two_layers() -> None:
    app = opened(model="mini-bert", compared="head", layer=0, head=1, other_layer=3, other_head="mean")
    record = load("mini-bert").record(TEXT).of("encoder")
    about = expect_comparison(app, record, record, (0, 1), (3, None))
    assert about["names"] == {"one": "Layer 0 · Head 1", "other": "Layer 3 · Mean over the heads"}


def test_two_models_of_one_tokenizer() -> None:
    text = "The film was not good."
    app = opened(model="sentiment", compared="model", text=text, layer=0, head=1)
    one, other = (load(name).record(text).of("encoder") for name in ("sentiment", "sentiment-mean"))
    about = expect_comparison(app, one, other, (0, 1))
    assert about["names"] == {"one": "sentiment", "other": "sentiment-mean"}
    assert app.query_params["other_model"] == "sentiment-mean"


def test_before_and_after_training() -> None:
    app = opened(model=TINY, compared="snapshot", layer=1, head=3)
    first = next(iter(snapshots_beside(TINY).values()))
    one, other = (load(name).record(TEXT).of("encoder") for name in (TINY, first))
    about = expect_comparison(app, one, other, (1, 3))
    assert about["names"] == {"one": "iteration 1,708", "other": "iteration 0"}
    app.selectbox(key="other_model").select(snapshots_beside(TINY)[604]).run()
    assert shown(app)[0]["names"]["other"] == "iteration 604"


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"other_text": " "}, "The other sentence is empty. Type one"),
        ({"compared": "snapshot"}, "mini-bert has no other snapshots of its training. Choose tiny-bert"),
        ({"compared": "model", "other_model": "mini-gpt"}, "does not read with the tokenizer of mini-bert"),
        ({"compared": "model", "other_model": "models/nowhere"}, "models/nowhere"),
        ({"compared": "mask", "model": "mini-gpt"}, "mini-gpt has not learned to read [MASK]"),
        ({"compared": "mask", "text": "?!"}, "There is no word in this sentence to mask"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_said_in_a_sentence(choices: dict[str, object], said: str) -> None:
    assert said in messages(opened(**{"model": "mini-bert", **choices}))


def test_texts_that_are_too_long_for_maps_side_by_side_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.attention.comparing.MOST_TOKENS", 12)
    assert "This text has 16 tokens, and texts of up to 12 can be set" in messages(opened(model="headlight-bert"))


def test_a_model_with_fewer_layers_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    model, smaller = load("mini-bert").record(TEXT), load(TINY).record(TEXT)
    monkeypatch.setattr("ui.attention.comparing.ask", lambda *_: replace(smaller, tokens=model.tokens))
    app = opened(model="mini-bert", compared="model", other_model=TINY, layer=3, head=1)
    assert f"{TINY} has layers 0 to 1, and layer 3 was asked for. Choose a lower layer." in messages(app)


def test_a_sentence_of_the_readers_own_is_what_the_other_begins_with() -> None:
    app = opened(model="mini-bert", text="Anna lost her <b>key</b>.")
    assert app.text_input(key="other_text").value == "Anna lost her <b>key</b>."
    assert "hardly a difference between this sentence and the other sentence" in shown(app)[0]["finding"]
