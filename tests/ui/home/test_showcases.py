"""The sentences of Home, in two languages: each shows what its chip says, and the swing says what happens."""

from __future__ import annotations

import pytest

from models.analysis.one_text.row import strongest_in_row
from models.values.record import AttentionRecord, word_ranges
from models.values.results.finding import Finding
from tests.loaded import load
from tests.ui.home.test_page import at, press, said
from tests.ui.test_pages import HOME, alone
from ui.home.showing import ANOTHER
from ui.widgets.asking.korean import KOREAN_EXAMPLES
from ui.widgets.asking.showcases import KOREAN_SHOWCASES, OF_LANGUAGES, SHOWCASES, Showcase, Side, query_of
from viz.attention.transform import select
from viz.attention.words import to_words

ALL = [showcase for offered in OF_LANGUAGES for showcase in offered]
SIDES = [(showcase, side) for showcase in ALL for side in showcase.sides]
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
    "어머니께서": "어머니",
    "아버지께서": "아버지",
    "강아지가 고양이를": "고양이",
    "강아지를 고양이가": "강아지",
    "a far subject": "아버지",
    "아팠다": "아팠",
    "탔다": "탔",
    "아프다": "아프",
    "내린다": "내린",
    "타고": "타",
    "듣고": "듣",
    "안": "했",
    "못": "했",
    "재미있었다": "재미있",
    "재미없었다": "재미없",
}
"""What the word of a side looks at most: the head turns with "tired" and "wide", not with "big" and "small"."""
TURNS = ("강아지가 고양이를", "아버지께서")
"""The first sides of the Korean showcases in which one word looks elsewhere; in the others each arc is clear."""
CLEAR = 0.5
MOVES = 0.2
"""By how much the share of both words changes at least between the sides of the first Korean showcase."""


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
        assert found.weight > CLEAR


@pytest.mark.parametrize("showcase", KOREAN_SHOWCASES, ids=[showcase.label for showcase in KOREAN_SHOWCASES])
def test_a_korean_showcase_is_clear_on_every_side_or_turns_with_the_particles(showcase: Showcase) -> None:
    found = [strongest(showcase, side)[0] for side in showcase.sides]
    if showcase.sides[0].name not in TURNS:
        assert min(one.weight for one in found) > CLEAR or showcase.model != KOREAN_SHOWCASES[0].model
        return
    first, second = found
    assert (first.layer, first.head, first.query) == (second.layer, second.head, second.query)
    assert first.key != second.key


def test_the_far_subject_of_the_korean_showcase_is_far() -> None:
    showcase = next(one for one in KOREAN_SHOWCASES if one.label == "a far subject")
    found, record = strongest(showcase, showcase.sides[0])
    words = word_ranges(record.query_tokens)
    query, key = (next(n for n, word in enumerate(words) if place in word) for place in (found.query, found.key))
    assert query - key == 5


def test_other_models_are_offered_examples_that_fit_them() -> None:
    app = alone(HOME, model="mini-gpt")
    assert not [button for button in app.button if button.key and button.key.startswith("showcase")]
    assert app.get("button_group")


def test_each_differs_from_the_others_and_a_model_has_those_of_one_language() -> None:
    assert len(SHOWCASES) == 8
    english, korean = ({one.model for one in offered} for offered in OF_LANGUAGES)
    assert not english & korean
    assert len({(side.text, side.text_b) for _, side in SIDES}) == len(SIDES)


def test_home_opens_on_the_swing_and_says_both_sides() -> None:
    app = alone(HOME)
    assert at(app) == (3, 1)
    tired, wide = (f"{strongest(SHOWCASES[0], side)[0].weight:.0%}" for side in SHOWCASES[0].sides)
    assert f"**it** looks at **animal** ({tired}); with “wide”, at **street** ({wide})." in said(app)
    press(app, ANOTHER)
    assert app.session_state["text"] == SHOWCASES[3].sides[0].text


def test_the_first_korean_showcase_moves_from_one_object_to_the_other() -> None:
    """The verb looks at the word that is its object, and hardly at the same word as its subject."""
    rows = word_rows(KOREAN_SHOWCASES[0])
    for before, after, word in ((*rows, "고양이"), (*rows[::-1], "강아지")):
        assert before[word] - after[word] > MOVES


def test_the_honorific_verb_looks_twice_as_much_at_whoever_is_honoured() -> None:
    showcase = next(one for one in KOREAN_SHOWCASES if one.sides[0].name == "아버지께서")
    for row, honoured, other in zip(word_rows(showcase), ("아버지", "어머니"), ("어머니", "아버지"), strict=True):
        assert row[honoured] > 2 * row[other]
    assert KOREAN_EXAMPLES["honorific"] == (showcase.sides[0].text, "")


def word_rows(showcase: Showcase) -> list[dict[str, float]]:
    """Return the attention of the whole word of each side to the other words, by their first pieces; both sides have
    the same pieces."""
    recordings = [load(showcase.model).record(side.text) for side in showcase.sides]
    assert not {token.text for token in recordings[0].tokens} ^ {token.text for token in recordings[1].tokens}
    rows: list[dict[str, float]] = []
    for side, recording in zip(showcase.sides, recordings, strict=True):
        words = to_words(select(recording.of("encoder"), layer=side.layer, head=side.head))
        query = query_of(recording, showcase, side)
        assert query is not None
        row = words.values[words.query_positions.index(query)]
        rows.append({recording.tokens[at].text: float(row[column]) for column, at in enumerate(words.key_positions)})
    return rows


def test_home_opens_in_korean_on_the_swing_and_says_both_sides() -> None:
    app = alone(HOME, lang="ko")
    showcase = KOREAN_SHOWCASES[0]
    assert (app.session_state["model"], app.session_state["text"]) == (showcase.model, showcase.sides[0].text)
    assert at(app) == (showcase.sides[0].layer, showcase.sides[0].head)
    first, other = (f"{strongest(showcase, side)[0].weight:.0%}" for side in showcase.sides)
    told = f"**쫓았다** → **고양이를** {first} · “{showcase.sides[1].name}”: **강아지를** {other}"
    assert told in said(app)


def test_the_other_side_keeps_the_head_and_the_row_that_a_reader_has_chosen() -> None:
    app = alone(HOME, layer=5, head=8, locked="2")
    (swing,) = app.get("button_group")
    swing.set_value("wide").run()
    assert app.session_state["text"].endswith("wide.")
    assert at(app) == (5, 8)
    assert app.session_state["locked"] == (2,)


@pytest.mark.parametrize("showcase", ALL, ids=[showcase.label for showcase in ALL])
def test_a_chip_brings_sentence_model_head_and_row(showcase: Showcase) -> None:
    model = next(offered for offered in OF_LANGUAGES if showcase in offered)[0].model
    app = press(alone(HOME, model=model), f"**{showcase.label}**")
    side = showcase.sides[0]
    assert not app.exception
    shown = {name: app.session_state[name] for name in ("text", "text_b", "model", "kind")}
    assert shown == {"text": side.text, "text_b": side.text_b, "model": showcase.model, "kind": showcase.kind}
    assert at(app) == (side.layer, side.head)
