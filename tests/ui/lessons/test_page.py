"""The page "Lessons" as a reader uses it."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from lessons.picture_files import write_picture
from tests.loaded import load
from ui.lessons.answering.receipts import read_receipt
from ui.lessons.library import first_lesson, own_lessons, pack_lesson
from ui.lessons.taste import TAPPED
from ui.state.choices import GIVEN_LESSON
from viz.attention.covered import COVERED

ROOT = Path(__file__).resolve().parents[3]
LESSONS = "pages/lessons.py"
BEGIN = first_lesson()

IN_LIST = re.compile(r"\*\*(\S+) \d+ · .+\*\*  \n")
"""A title in the list of lessons, after its sign."""


def opened(path: str = LESSONS, **choices: object) -> AppTest:
    app = AppTest.from_file(str(ROOT / path), default_timeout=390)
    for name, value in choices.items():
        app.query_params[name] = str(value)
    return app.run()


def said(app: AppTest) -> str:
    kinds = (app.title, app.subheader, app.markdown, app.warning, app.error, app.success, app.info)
    return without_marks(" ".join(element.value for kind in kinds for element in kind))


def without_marks(text: str) -> str:
    """Return Markdown without its escapes, its bold letters and the links to the glossary."""
    return re.sub(r"\[([^\[\]]+)\]\(#word-[\w-]+\)", r"\1", text.replace("\\", "").replace("**", ""))


def drawn(app: AppTest) -> str:
    """The figures of a page, its viewer, and the caption of a sentence whose tokens are covered."""
    figures = [figure.proto.spec for figure in app.get("plotly_chart")]
    viewers = [part.proto.json for part in app.get("bidi_component") if "lesson-viewer" in part.proto.id]
    return " ".join([*figures, *viewers, *(caption.value for caption in app.caption if caption.value == COVERED)])


def key(app: AppTest, begins: str) -> str:
    return next(
        each.key for kind in (app.button, app.button_group) for each in kind if (each.key or "").startswith(begins)
    )


def press(app: AppTest, begins: str) -> AppTest:
    return app.button(key=key(app, begins)).click().run()


def test_the_list_leads_to_a_lesson_and_back() -> None:
    app = opened()
    assert [each.key for each in app.button if each.key] == [f"begin-{name}" for name in own_lessons()]
    app = press(press(app, "begin-heads"), "lesson-next")
    assert app.subheader[0].value == "What a head is :gray[· step 2 of 7]"
    assert app.query_params["lesson"] in ("heads", ["heads"])
    assert app.query_params["lesson_step"] in ("1", ["1"])
    app = press(app, "all-lessons")
    assert app.button(key="begin-heads").label == "Go on: step 2 of 7"
    assert {name: rings(app)[name] for name in ("attention", "heads")} == {"attention": "○", "heads": "◔"}


def rings(app: AppTest) -> dict[str, str]:
    """The signs of the lessons of the list."""
    signs = [title[1] for element in app.markdown if (title := IN_LIST.match(element.value))]
    return dict(zip(own_lessons(), signs, strict=True))


def test_a_word_that_is_tapped_above_the_list_is_answered_by_the_model() -> None:
    app = opened().button_group(key=TAPPED).set_value("dog").run()
    assert "No. In this head “it” looks most at “pizza”" in said(app)
    app = app.button_group(key=TAPPED).set_value("pizza").run()
    assert "Right. In this head “it” looks most at “pizza”" in said(app)
    assert not press(press(app, "begin-heads"), "all-lessons").get("button_group")


def test_a_lesson_that_there_is_not_is_said_above_the_list() -> None:
    app = opened(lesson="nowhere")
    assert "There is no lesson “nowhere”. These are all:" in said(app)
    assert set(rings(app)) == set(own_lessons())
    assert "There is no lesson" not in said(opened())


def test_a_lesson_is_done_when_its_last_step_is_answered() -> None:
    last = len(own_lessons()["attention"].lesson.steps) - 1
    app = press(opened(lesson="attention", lesson_step=last), "all-lessons")
    assert rings(app)["attention"] == "◕"
    app = press(app, "begin-attention")
    app = press(press(app, "skip-"), "all-lessons")
    assert rings(app) == dict.fromkeys(own_lessons(), "○") | {"attention": ":material/check_circle:"}
    assert app.button(key="begin-attention").label == "Read again"


def test_the_titles_of_lessons_hold_no_links() -> None:
    titles = [title[0] for element in opened().markdown if (title := IN_LIST.match(element.value))]
    assert len(titles) == len(own_lessons())
    assert not [title for title in titles if "#word-" in title]


def test_a_right_prediction_is_right_and_a_wrong_one_is_not() -> None:
    def tapped(label: str) -> str:
        app = opened(lesson="attention", lesson_step=1)
        group = app.button_group(key=key(app, "tap-"))
        at = ["[CLS]", "the", "cat", "sat", "on", "the (2)", "mat", ".", "[SEP]"].index(label)
        return said(group.set_value(at).run())

    assert "You said “cat”, and that is right." in tapped("cat")
    assert "You said “mat”; the answer is “cat”." in tapped("mat")


def test_next_is_filled_only_after_the_answer() -> None:
    app = opened(lesson="attention", lesson_step=2)
    kinds = {button.key: button.proto.type for button in app.button}
    assert kinds[key(app, "guess-")] == "primary"
    assert kinds["lesson-next"] == "secondary"
    app = press(app, "skip-")
    assert app.button(key="lesson-next").proto.type == "primary"


def test_a_number_is_guessed_on_a_line_that_proposes_none() -> None:
    app = opened(lesson="attention", lesson_step=2)
    slider = app.select_slider[0]
    assert slider.value is None
    assert app.button(key=key(app, "guess-")).disabled
    assert "1.00" not in said(app)
    app = slider.set_value(list(slider.options).index("0.50") - 1).run()
    assert not app.button(key=key(app, "guess-")).disabled
    app = press(app, "guess-")
    assert "You said 0.50. It is more: 1.00." in said(app)
    assert "1.00, in every row of every head" in said(app)


def test_what_was_predicted_is_kept_on_another_page() -> None:
    app = AppTest.from_file(str(ROOT / "ui" / "script.py"), default_timeout=390).run()
    app = app.switch_page(f"../{LESSONS}").run()
    app = press(press(app, "begin-masks"), "skip-")
    app = app.switch_page("../pages/masked_words.py").run()
    app = app.switch_page(f"../{LESSONS}").run()
    assert "You skipped the prediction" in said(app)


def test_the_same_is_asked_about_ones_own_sentence() -> None:
    app = press(opened(lesson="what-bert-learned", lesson_step=0), "skip-")
    assert "Still to be written: Your sentence." in said(type_own(app, " "))
    assert "1450 letters, at most 1000 can be read" in said(type_own(app, "a" * 1450))
    app = type_own(app, "The dog chased the cat.")
    assert "Write [MASK]" in said(app)
    app = type_own(app, "The capital of Italy is [MASK].")
    app = press(app, "skip-own")
    assert "Of all 30,522 the model finds “rome” likeliest." in said(app)


def type_own(app: AppTest, text: str) -> AppTest:
    (field,) = [each for each in app.text_input if (each.key or "").endswith("-text")]
    field.set_value(text)
    (send,) = [each for each in app.button if each.label == "Ask the same"]
    return send.click().run()


def test_the_tokens_of_ones_own_sentence_are_tapped() -> None:
    app = press(opened(lesson="attention", lesson_step=1), "skip-")
    app = type_own(app, "Dogs chase cats.")
    app = app.button_group(key=key(app, "own-")).set_value(3).run()
    assert "Which token does “cats” look at most in Layer 0 · Head 2?" in said(app)
    app = press(app, "skip-own")
    assert '"locked": [3]' in drawn(app), "the row in question is held"
    assert "“cats” gives “chase” " in said(app)


SUITCASE = "The trophy didn't fit in the suitcase because it was too big."


def test_the_tokens_that_are_compared_in_ones_own_sentence_are_tapped() -> None:
    step = next(at for at, each in enumerate(own_lessons()["heads"].lesson.steps) if each.ask.words("among"))
    app = press(opened(lesson="heads", lesson_step=step), "skip-")
    app = type_own(app, SUITCASE)
    app = app.button_group(key=key(app, "own-")).set_value(12).run()
    compared = next(each.key or "" for each in app.button_group if "-among-" in (each.key or ""))
    assert not [each for each in app.button if (each.key or "").startswith("skip-own")]
    tokens = [token.text for token in load("headlight-bert").record(SUITCASE).tokens]
    among = ["trophy", "suitcase"]
    app = app.button_group(key=compared).set_value([tokens.index(word) for word in among]).run()
    tapped = next(each.options for each in app.button_group if (each.key or "").startswith("tap-own"))
    assert [str(getattr(each, "content", each)) for each in tapped] == among
    told = said(press(app, "skip-own"))
    assert "[CLS]” with" not in told
    assert "most at" not in told.split("You skipped")[-1], "of two tokens, none need have the most attention"
    assert "Looking alike at all tokens that it may see would give each 5.9%" in told


def test_a_door_key_is_not_the_key_of_a_head() -> None:
    step = own_lessons()["what-bert-learned"].lesson.steps[3]
    assert "key" in step.text
    assert not links_in(opened(lesson="what-bert-learned", lesson_step=3))
    assert "[key](#word-key)" in links_in(opened(lesson="queries-keys-values", lesson_step=0))


def links_in(app: AppTest) -> list[str]:
    return [each for element in app.markdown for each in re.findall(r"\[\w+\]\(#word-key\)", element.value)]


def given(text: str, **choices: Any) -> AppTest:
    return opened(lesson=GIVEN_LESSON, lesson_text=pack_lesson(text), **choices)


def test_a_lesson_of_a_link_is_read_and_its_untrue_claim_is_said() -> None:
    app = press(given(BEGIN.replace("answer is dog", "answer is cat")), "skip-")
    assert "does not hold here" in said(app)
    assert "answer is dog, expected: is cat" in said(app)


@pytest.mark.parametrize(("packed_text", "says"), [("AAAA", "whole lesson"), (pack_lesson("title: x"), "Line 1")])
def test_a_link_without_a_lesson_is_a_sentence_and_the_list(packed_text: str, says: str) -> None:
    app = opened(lesson=GIVEN_LESSON, lesson_text=packed_text)
    assert not app.exception
    assert says in said(app)
    assert app.button(key="begin-attention")


def test_a_step_in_a_frame_is_nothing_but_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.lessons.page.is_framed", lambda: True)
    app = opened(lesson="attention", lesson_step=1)
    assert not app.exception
    assert app.title[0].value == own_lessons()["attention"].lesson.steps[1].title
    assert not {"all-lessons", "lesson-back", "lesson-next"} & {button.key for button in app.button}
    assert "You skipped the prediction" in said(press(app, "skip-"))


OWN = """
title: My own
about: A lesson.
minutes: 1
models: [mini-bert]
then: heads
steps:
  - title: Read this
    text: No question here.
    ask: {what: nothing, text: The cat sat., query: sat, head: previous}
    view: attention
  - title: Choose
    text: A question of mine.
    question: Which are animals?
    ask: {what: written, options: [cat, dog, map], right: [cat, dog]}
    claim: Right, {right} of them.
"""


def test_a_step_without_a_question_is_read_and_the_lesson_says_which_one_follows() -> None:
    picture = BytesIO()
    Image.new("RGB", (30, 20), "navy").save(picture, "PNG")
    text = OWN.replace("    view", f"    picture: {write_picture(picture.getvalue())}\n    view", 1)
    app = opened(lesson=GIVEN_LESSON, lesson_text=pack_lesson(text), lesson_step=0)
    assert not app.exception
    assert len(app.get("image")) == 1
    assert '"locked": [3]' in drawn(app)
    assert "Now your own sentence" not in said(app)
    app = press(app, "lesson-next")
    app = app.button_group(key=key(app, "tap-")).set_value(1).run()
    assert "Right, 2 of them." in said(app)
    receipt = read_receipt(next(code.value for code in app.code))
    assert receipt is not None
    assert receipt.marks == "r", "what is only read is no mark"
    app = press(app, "lesson-after")
    assert "How many heads there are" in said(app)
