"""The eight sentences of Home: each shows what its chip says, in its head, and the swing says what happens."""

from __future__ import annotations

import pytest

from models.analysis.one_text.row import strongest_in_row
from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from tests.loaded import load
from tests.ui.home.test_page import at, press, said
from tests.ui.test_pages import HOME, alone
from ui.home.showing import ANOTHER
from ui.widgets.asking.showcases import SHOWCASES, Showcase, Side, query_of

SIDES = [(showcase, side) for showcase in SHOWCASES for side in showcase.sides]
LOOKED_AT = {
    "tired": "animal",
    "wide": "street",
    "pizza": "pizza",
    "keys and cabinet": "keys",
    "river": "river",
    "robbed": "robbed",
    "question and answer": "anna",
    "not bad at all": "not",
    "into Korean": "red",
    "big": "trophy",
    "small": "trophy",
}
"""What the word of a side looks at most: the head turns with "tired" and "wide", not with "big" and "small"."""


def strongest(showcase: Showcase, side: Side) -> tuple[Finding, AttentionRecord]:
    model = load(showcase.model)
    recording = model.record(side.text, side.text_b) if side.text_b else model.record(side.text)
    query = query_of(recording, showcase, side)
    assert query is not None
    record = recording.of(showcase.kind)
    found = strongest_in_row(record, None, layer=side.layer, head=side.head, query=query)
    assert found is not None
    return found, record


@pytest.mark.parametrize(("showcase", "side"), SIDES, ids=[side.name or one.label for one, side in SIDES])
def test_the_word_of_a_showcase_looks_where_its_chip_says(showcase: Showcase, side: Side) -> None:
    found, record = strongest(showcase, side)
    assert record.key_tokens[found.key].text == LOOKED_AT[side.name or showcase.label]
    even = 1 / record.n_key
    assert found.weight > 2 * even
    if len(showcase.sides) == 1:
        assert found.weight > 0.5


def test_other_models_are_offered_examples_that_fit_them() -> None:
    app = alone(HOME, model="mini-gpt")
    assert not [button for button in app.button if button.key and button.key.startswith("showcase")]
    assert app.get("button_group")


def test_there_are_eight_and_each_differs_from_the_others() -> None:
    assert len(SHOWCASES) == 8
    assert len({(side.text, side.text_b) for _, side in SIDES}) == len(SIDES)


def test_home_opens_on_the_swing_and_says_both_sides() -> None:
    app = alone(HOME)
    assert at(app) == (3, 1)
    for side, key in (("tired", "animal"), ("wide", "street")):
        found, _ = strongest(SHOWCASES[0], next(one for one in SHOWCASES[0].sides if one.name == side))
        assert f"with “{side}”: **{key}** {found.weight:.0%}" in said(app)
    press(app, ANOTHER)
    assert app.session_state["text"] == SHOWCASES[3].sides[0].text


def test_the_other_side_keeps_the_head_and_the_row_that_a_reader_has_chosen() -> None:
    app = alone(HOME, layer=5, head=8, locked="2")
    (swing,) = app.get("button_group")
    swing.set_value("wide").run()
    assert app.session_state["text"].endswith("wide.")
    assert at(app) == (5, 8)
    assert app.session_state["locked"] == (2,)


@pytest.mark.parametrize("showcase", SHOWCASES, ids=[showcase.label for showcase in SHOWCASES])
def test_a_chip_brings_sentence_model_head_and_row(showcase: Showcase) -> None:
    app = press(alone(HOME), f"**{showcase.label}**")
    side = showcase.sides[0]
    assert not app.exception
    shown = {name: app.session_state[name] for name in ("text", "text_b", "model", "kind")}
    assert shown == {"text": side.text, "text_b": side.text_b, "model": showcase.model, "kind": showcase.kind}
    assert at(app) == (side.layer, side.head)
