"""The page "Queries, keys, values" on the embedded model, on other kinds of models, and on whatever a link may ask."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from models.analysis import score_parts
from models.analysis.one_text.row import strongest_in_row
from models.opening.registry import DEFAULT_MODEL
from tests.closeness import assert_close
from tests.loaded import load
from tests.ui.masked_words.test_page import said, whole
from tests.ui.test_pages import alone, figures, messages
from ui.layers.queries.page import MOST_BUTTONS
from ui.state.addresses import read_address, to_address
from ui.state.choices import NOTHING, PARTS, Selection
from ui.state.plain import NOTHING_SEEN
from viz.vectors.dimension_story import dimension_story
from viz.vectors.head_story import head_story
from viz.vectors.score_words import N_PAIRS, with_sign

PAGE = "pages/queries_keys_values.py"
SENTENCE = "the dog saw the cat"
ODD = "나는 학교에 간다 🙂 שלום <script>alert(1)</script> $x$ `c` ![i](http://h/p.png)"


def title(app: AppTest) -> str:
    """The title of the first picture that has one."""
    titles = (json.loads(figure)["layout"]["title"]["text"] for figure in figures(app))
    return next(str(title) for title in titles if title)


def test_it_opens_with_the_first_word_and_the_model_s_own_numbers() -> None:
    app = alone(PAGE, text=SENTENCE, layer=2, head=5)
    whole(app)
    assert "query" in title(app)
    assert "(position 1)" in title(app)
    record = load(DEFAULT_MODEL).record(SENTENCE).of("encoder")
    found = strongest_in_row(record, None, layer=2, head=5, query=1)
    assert found is not None
    assert f"after the [softmax](#word-softmax) {found.weight:.4f}" in said(app)
    assert app.query_params["query"] in ("1", ["1"])


def test_a_token_is_chosen_by_a_click_and_frozen_beside_another() -> None:
    app = alone(PAGE, text=SENTENCE)
    app.button_group(key="query").set_value(2).run()
    assert "(position 2)" in title(app)
    next(button for button in app.button if button.label.startswith("Freeze")).click().run()
    assert "Now choose another query" in said(app)
    app.button_group(key="query").set_value(5).run()
    assert "beside" in title(app)
    assert app.query_params["frozen"] in ("2", ["2"])
    next(button for button in app.button if button.label.startswith("Release")).click().run()
    whole(app)
    assert "beside" not in title(app)


def test_equal_tokens_stay_two_buttons() -> None:
    app = alone(PAGE, text=SENTENCE, query=4)
    labels = app.button_group(key="query").options
    assert len(set(labels)) == len(labels) == 7
    assert "(position 4)" in title(app)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "text", [SENTENCE, "[MASK]", "word " * 100, "나는 학교에 간다 🙂 שלום <script>alert(1)</script> $x$"]
)
def test_every_view_of_every_text_is_a_picture_or_a_sentence(part: str, text: str) -> None:
    app = alone(PAGE, part=part, text=text, frozen=2, order="weight", key_token=1)
    whole(app)
    assert not app.error
    assert figures(app) or app.get("iframe") or app.warning


def test_a_long_text_has_a_list_of_tokens_and_bertviz_refuses_it() -> None:
    app = alone(PAGE, text="word " * 150, query=77, part="neuron-view")
    assert app.selectbox(key="query").value == 77
    assert len(app.selectbox(key="query").options) > MOST_BUTTONS
    assert "the bands of one query" in messages(app)
    assert not app.get("iframe")


@pytest.mark.parametrize("part", PARTS)
def test_a_mean_over_the_heads_has_no_query_and_says_so(part: str) -> None:
    app = alone(PAGE, head="mean", part=part)
    whole(app)
    assert "no query of its own" in messages(app)
    assert [slider.value for slider in app.select_slider] == [0, 0]
    assert figures(app) or app.get("iframe")


def test_what_a_link_asks_too_much_of_is_brought_into_bounds() -> None:
    app = alone(PAGE, layer=999, head=999, query=999, frozen=999, key_token=999, part="nonsense", order="nonsense")
    whole(app)
    assert not app.error
    info = load(DEFAULT_MODEL).info
    assert f"Layer {info.n_layers - 1} · Head {info.n_heads - 1}" in title(app)
    assert "(position 1)" in title(app)


def test_its_choices_are_read_from_an_address_and_written_to_it() -> None:
    chosen = Selection(part="plane", query=3, frozen=0, key_token=2, order="weight", centred=False)
    assert Selection(**read_address(to_address(chosen))) == chosen
    assert read_address({"query": "-1", "frozen": "x", "order": "size", "part": "<b>", "centred": "1"}) == {}


def test_why_a_key_is_looked_at_is_the_sum_of_the_model_itself() -> None:
    app = alone(PAGE, part="why", text=SENTENCE, query=2, layer=3, head=1)
    app.selectbox(key="key_token").select(5).run()
    whole(app)
    parts = score_parts(load(DEFAULT_MODEL), SENTENCE, query=2, key=5, layer=3, head=1)
    assert f"Of its score {with_sign(parts.score)}" in said(app)
    assert f"The score {with_sign(parts.score)} of “dog” for “cat”" in title(app)
    assert len(json.loads(figures(app)[0])["layout"]["shapes"]) == N_PAIRS


def test_a_key_that_a_decoder_may_not_see_is_not_taken_apart() -> None:
    app = alone(PAGE, part="why", model="mini-gpt", text=SENTENCE, query=1, layer=2, head=1, key_token=3)
    whole(app)
    assert "cannot look at this key" in messages(app)
    assert "of “the” for “[CLS]”" in title(app)


def test_the_dimensions_of_one_key_and_not_centred() -> None:
    app = alone(PAGE, part="dimensions", text=SENTENCE, query=2)
    assert "What guides “" in title(app)
    app.selectbox(key="key_token").select(5).run()
    assert "to “" in title(app)
    before = figures(app)
    app.toggle(key="centred").set_value(False).run()
    whole(app)
    assert figures(app) != before
    assert "cancels out in the softmax" in said(app)


def test_dimensions_and_the_whole_head_come_with_their_story() -> None:
    record = load(DEFAULT_MODEL).record(SENTENCE).of("encoder")
    for key in (None, 3):
        app = alone(
            PAGE, part="dimensions", text=SENTENCE, query=2, layer=1, head=1, key_token=NOTHING if key is None else key
        )
        told = said(app).replace("\\", "").replace(NOTHING_SEEN, "")
        for sentence in dimension_story(record, layer=1, head=1, position=2, key=key):
            assert sentence in told
    app = alone(PAGE, part="maps", text=SENTENCE, layer=1, head=1)
    told = said(app).replace("\\", "").replace(NOTHING_SEEN, "")
    for sentence in head_story(record, layer=1, head=1):
        assert sentence in told


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("part", PARTS)
def test_an_encoder_with_a_decoder_shows_all_three_kinds(tiny: Callable[[str], Path], kind: str, part: str) -> None:
    app = alone(PAGE, model=tiny("t5"), kind=kind, part=part, text="the animal was tired", text_b="it was", query=1)
    whole(app)
    assert not app.error
    assert figures(app) or app.get("iframe")
    if part == "bands" and kind != "cross":
        assert "position bias" in figures(app)[-1].replace("<br>", " ")


@pytest.mark.parametrize(("family", "shown"), [("gpt2", "masked"), ("gemma2", "bounded at ±"), ("llama", "masked")])
def test_masks_soft_caps_and_grouped_keys_are_said(tiny: Callable[[str], Path], family: str, shown: str) -> None:
    app = alone(PAGE, model=tiny(family), text="the animal was tired", query=1, layer=0, head=0)
    whole(app)
    assert shown in figures(app)[-1].replace("<br>", " ")
    if family == "llama":
        assert "grouped keys" in said(app)
        prose = re.sub(r"\[([^\]]+)\]\(#word-[^)]*\)", r"\1", said(app))
        assert "Heads 0 and 1 share one head of keys and values" in prose
    hidden = alone(PAGE, model=tiny(family), text="the animal was tired", query=0, part="dimensions", key_token=3)
    whole(hidden)
    assert "cannot look at this key" in messages(hidden)


def test_the_table_of_the_page_is_the_record_s() -> None:
    app = alone(PAGE, text=SENTENCE, layer=1, head=3, query=2)
    table = app.dataframe[0].value
    record = load(DEFAULT_MODEL).record(SENTENCE).of("encoder")
    assert_close(table["weight"], record.weights(1, 3)[2])
    assert_close(table["score"], record.scores(1, 3)[2])
