"""What Home and Attention open on: what stands out in the sentence, until the reader turns to something else."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from models.opening.registry import DEFAULT_MODEL, REGISTRY, languages_of
from models.values.head_roles import sort_roles
from tests.findings import expected_finding
from tests.loaded import load
from tests.ui.test_pages import ATTENTION, HOME, alone, messages, viewed
from ui.state.choices import DEFAULTS
from ui.widgets.asking.inputs import EXAMPLES
from ui.widgets.finding import BACK, NOTHING_FOUND, TOO_LONG
from viz.heads.words import finding_in_words, role_name, role_numbers

FIRST, WIDE = (EXAMPLES[label][0] for label in ("it … tired", "it … wide"))
APPLE = "The boy took the apple from the tree and ate it."
KIMCHI = "할머니가 담근 김치를 우리가 모두 먹었다."
"""Sentences of no showcase."""
EMBEDDED = [name for name, entry in REGISTRY.items() if entry.is_embedded]


def said(app: AppTest) -> str:
    return " ".join(element.value for kind in (app.markdown, app.caption) for element in kind).replace("\\", "")


def said_of(layer: int, head: int, page: str, model: str) -> str:
    """What a page says at a head, without the links of words to their entries."""
    return re.sub(r"\[([^\]]*)\]\(#word-[\w-]+\)", r"\1", said(alone(page, model=model, layer=layer, head=head)))


def at(app: AppTest) -> tuple[object, object]:
    return app.session_state["layer"], app.session_state["head"]


def in_address(app: AppTest, name: str) -> str:
    found = app.query_params[name]
    return found if isinstance(found, str) else found[0]


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [button for button in app.button if button.label.replace("\\", "").startswith(label)]
    return button.click().run()


@pytest.mark.parametrize("page", [HOME, ATTENTION])
def test_it_opens_on_what_stands_out_and_says_it(page: str) -> None:
    app, (found, record) = alone(page, text=APPLE), expected_finding(APPLE)
    assert found is not None
    assert at(app) == (found.layer, found.head)
    assert all(sentence in said(app) for sentence in finding_in_words(found, record))
    (told,) = viewed(app)
    assert (told["layer"], told["head"], told["locked"]) == (found.layer, found.head, [found.query])
    assert not {"layer", "head"} & set(app.query_params)


@pytest.mark.parametrize("name", EMBEDDED)
def test_home_follows_every_model_that_is_there(name: str) -> None:
    text = KIMCHI if "ko" in languages_of(name) else APPLE
    app, (found, record) = alone(HOME, model=name, text=text), expected_finding(text, model=name)
    assert not app.exception
    assert not app.error
    if found is None:
        assert NOTHING_FOUND in said(app)
    else:
        assert at(app) == (found.layer, found.head)
        assert finding_in_words(found, record)[0] in said(app)
    assert at(app) != (0, 0) or found is not None


def test_another_sentence_is_searched_anew_until_the_reader_turns_the_head() -> None:
    app, (found, record) = alone(HOME, text=APPLE), expected_finding(APPLE)
    assert found is not None
    assert at(app) == (found.layer, found.head)
    assert finding_in_words(found, record)[0] in said(app)
    app.select_slider(key="layer").set_value(0 if found.layer else 1).run()
    turned = at(app)
    assert finding_in_words(found, record)[0] not in said(app)
    assert [in_address(app, name) for name in ("layer", "head")] == list(map(str, turned))
    app.text_input[0].set_value(f"{APPLE} He was happy.")
    app.button[0].click().run()
    assert at(app) == turned
    app = press(app, BACK)
    first, _ = expected_finding(f"{APPLE} He was happy.")
    assert first is not None
    assert at(app) == (first.layer, first.head)
    assert not {"layer", "head"} & set(app.query_params)


@pytest.mark.parametrize("named", [{"layer": 0, "head": 0}, {"layer": 0}, {"head": 0}, {"layer": 3, "head": "mean"}])
def test_an_address_that_names_a_layer_or_a_head_keeps_its_meaning(named: dict[str, object]) -> None:
    app = alone(ATTENTION, **named)
    assert at(app) == tuple((DEFAULTS | named)[name] for name in ("layer", "head"))
    app.text_input[0].set_value(WIDE)
    app.button[0].click().run()
    assert at(app) == tuple((DEFAULTS | named)[name] for name in ("layer", "head"))


def test_hiding_and_switching_off_take_the_word_and_the_head_along() -> None:
    found, record = expected_finding(APPLE)
    assert found is not None
    piece = record.key_tokens[found.key].text
    word = next(word for word in APPLE.rstrip(".").split() if piece in word.lower())
    app = press(alone(HOME, text=APPLE), f"Hide “{word}”")
    number = [typed.rstrip(".") for typed in APPLE.split()].index(word)
    assert (app.session_state["text"], app.session_state["hidden"]) == (APPLE, number)
    app = press(alone(HOME, text=APPLE), "Switch this head off")
    assert app.session_state["off"] == f"e{found.layer}.{found.head}"
    assert (app.session_state["text"], app.session_state["hidden"]) == (APPLE, number)
    app = press(alone(HOME, model="mini-gpt"), "Switch this head off")
    assert app.session_state["text"] == FIRST
    assert app.session_state["off"].startswith("d")


@pytest.mark.parametrize(
    ("text", "says"), [("Go.", NOTHING_FOUND), ("The dog saw a cat and ran away. " * 30, TOO_LONG)]
)
@pytest.mark.parametrize("page", [HOME, ATTENTION])
def test_where_nothing_stands_out_it_says_what_the_heads_do_and_offers_an_example(
    page: str, text: str, says: str
) -> None:
    app = alone(page, text=text)
    assert says in said(app)
    assert ("Where the 72 heads look most: " in said(app)) == (says == NOTHING_FOUND)
    assert len(offered(app)) == 1
    assert at(app) != (0, 0)
    assert not messages(app) or "cut" in messages(app)


@pytest.mark.parametrize("page", ["pages/queries_keys_values.py", "pages/step_by_step.py"])
@pytest.mark.parametrize("model", ["mini-bert", "mini-gpt"])
def test_pages_with_a_layer_and_a_head_say_what_it_is_known_for(page: str, model: str) -> None:
    """By its own measurements, or by the atlas of the model; and of a head that has no name what it comes nearest to,
    or nothing, where that was not measured."""
    info = load(model).info
    role = sort_roles(info.head_roles)[0]
    named = f"Layer {role.layer} · Head {role.head}: **{role_name(role)}**, {role_numbers(role)}."
    assert named in said_of(role.layer, role.head, page, model)
    known = {(each.layer, each.head) for each in info.head_roles}
    places = [(layer, head) for layer in range(info.n_layers) for head in range(info.n_heads)]
    layer, head = next(place for place in places if place not in known)
    told = said_of(layer, head, page, model)
    nearest = [each for each in info.nearest_roles if (each.layer, each.head) == (layer, head)]
    assert bool(nearest) == (model == "mini-bert")
    for each in nearest:
        name = f"**no known role**, nearest is “{role_name(each)}”, {role_numbers(each)}."
        assert f"Layer {layer} · Head {head}: {name}" in told
    assert told.count(f"Layer {layer} · Head {head}: **") == len(nearest)


def offered(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.label.startswith("Try “")]


def test_the_example_that_is_offered_has_most_words_of_the_text_and_is_shown() -> None:
    app = alone(HOME, text="Too wide.")
    assert [label.replace("\\", "") for label in offered(app)] == [f"Try “{WIDE}”"]
    app = press(app, "Try “")
    assert app.session_state["text"] == WIDE
    assert "**street**" in said(app)


@pytest.mark.parametrize(
    ("text", "warns"),
    [
        ("Der Hund bellte laut, weil er Angst hatte.", "does not look like English"),
        ("asdf qwer zxcv", "does not look like English"),
    ],
)
@pytest.mark.parametrize("page", [HOME, ATTENTION])
def test_that_the_model_cannot_read_a_text_is_said_once_and_above_the_picture(page: str, text: str, warns: str) -> None:
    app = alone(page, text=text)
    assert [warns in warning.value for warning in app.warning] == [True]
    assert not any(warns in info.value for info in app.info)
    kinds = [element.type for element in app.main]
    assert "bidi_component" in kinds[kinds.index("warning") :]
    assert len(offered(app)) == 1


LONG = "The animal crossed the street. " * 120


@pytest.mark.parametrize("page", [HOME, ATTENTION])
def test_there_is_a_way_out_of_a_model_that_cannot_be_opened(page: str) -> None:
    app = alone(page, model="nobody/has-this-model")
    assert app.error
    assert [each.value for each in app.selectbox if each.label == "Model"] == ["nobody/has-this-model"]
    app = press(app, f"Use {DEFAULT_MODEL}")
    assert not app.error
    assert viewed(app)


@pytest.mark.parametrize("page", [HOME, ATTENTION])
@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        ("The animal was \U0001f9ac.", "has no token for"),
        (LONG, "tokens"),
    ],
)
def test_home_says_as_attention_does_what_is_unknown_and_what_was_cut(page: str, text: str, said_of_it: str) -> None:
    app = alone(page, text=text)
    notes = " ".join(each.value for kind in (app.info, app.warning) for each in kind).replace("\\", "")
    assert said_of_it in notes


@pytest.mark.parametrize("page", [HOME, ATTENTION])
def test_home_says_as_attention_does_what_stands_behind_a_mask(page: str) -> None:
    guesses = [each.value for each in alone(page, text="The capital of France is [MASK].").text]
    assert any("[MASK] at position 6" in guess and "paris" in guess.lower() for guess in guesses)
