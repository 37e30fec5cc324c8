"""The page "By hand": what is written into the matrices is drawn, judged and kept, and can be taken back."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from models.inspection.by_hand.goals import GOALS, HIDDEN, N_LAYERS, Goal, check_heads, solve
from models.inspection.by_hand.heads import LETTERS, MOST_LETTERS, letters_of, read_words, run_heads, zero_head
from models.inspection.by_hand.least_squares import fit_heads
from tests.ui.test_pages import alone, figures
from ui.layers.by_hand import grid, sheet
from ui.layers.by_hand.kept import read_head, write_head
from ui.layers.by_hand.words import HINTS, say_verdict
from ui.state.choices import CHOICES, DEFAULTS
from viz.kit.language import read_in
from viz.kit.theme import number

BY_HAND = "pages/by_hand.py"


def said(app: AppTest) -> str:
    return " ".join(element.value for element in app.markdown).replace("\\", "")


def press(app: AppTest, key: str) -> None:
    app.button(key=f"hand-{key}").click().run()
    assert not app.exception


def verdict(goal: Goal, n_right: int) -> str:
    return f"{n_right} of {len(HIDDEN[goal])} hidden words right"


@pytest.mark.parametrize("goal", GOALS)
def test_the_solution_is_right_and_can_be_taken_back(goal: Goal) -> None:
    app = alone(BY_HAND, goal=goal)
    assert verdict(goal, 0) in said(app)
    assert app.button(key="hand-undo").disabled
    press(app, "solution")
    assert verdict(goal, len(HIDDEN[goal])) in said(app)
    link = app.query_params["matrices"]
    again = alone(BY_HAND, goal=goal, matrices="".join(link))
    assert verdict(goal, len(HIDDEN[goal])) in said(again)
    press(app, "zero")
    assert verdict(goal, 0) in said(app)
    press(app, "undo")
    assert verdict(goal, len(HIDDEN[goal])) in said(app)
    press(app, "undo")
    assert verdict(goal, 0) in said(app)


def test_each_level_keeps_its_own_numbers() -> None:
    app = alone(BY_HAND)
    press(app, "solution")
    app.segmented_control(key="goal").set_value("same").run()
    assert verdict("same", 0) in said(app)
    app.segmented_control(key="goal").set_value("previous").run()
    assert verdict("previous", len(HIDDEN["previous"])) in said(app)


def test_hints_come_one_after_another() -> None:
    app = alone(BY_HAND)
    for n_hints in range(1, 4):
        press(app, "hint")
        assert [hint.replace("\\", "") in said(app) for hint in HINTS["previous"]] == [n < n_hints for n in range(3)]
    assert app.button(key="hand-hint").disabled


def test_least_squares_are_drawn_beside_and_judged_alike() -> None:
    app = alone(BY_HAND)
    arcs, before = figures(app)
    app.toggle(key="hand_fit").set_value(True).run()
    same_arcs, mine, fitted = figures(app)
    assert (same_arcs, mine) == (arcs, before)
    assert mine != fitted
    assert verdict("previous", check_heads("previous", fit_heads("previous")).n_right) in said(app)


def test_words_of_ones_own_are_in_the_picture() -> None:
    for drawn in figures(alone(BY_HAND, hand_words="mouse cheese mouse")):
        assert "mouse" in drawn
        assert "cheese" in drawn


@pytest.mark.parametrize(
    ("typed", "letters", "names"),
    [
        ("a b c a b", "ABCAB", LETTERS),
        ("dab", "DAB", LETTERS),
        ("the cat the", "ABA", ("the", "cat", "C", "D")),
        ("가나가", "ABA", ("가", "나", "C", "D")),
        ("one two three four five one", "ABCDA", ("one", "two", "three", "four")),
        ("a b a b a b a b a b", "ABABABA", LETTERS),
        ("", "", LETTERS),
    ],
)
def test_words_are_read_as_four_letters(typed: str, letters: str, names: tuple[str, ...]) -> None:
    assert read_words(typed) == (letters_of(letters), names)


@pytest.mark.parametrize("typed", ["", "   ", "x" * 300, "a " * 90, "😀 <b>"])
def test_any_text_is_drawn(typed: str) -> None:
    app = alone(BY_HAND, hand_words=typed)
    assert not app.exception
    assert not app.error
    assert figures(app)
    assert len(read_words(typed)[0]) <= MOST_LETTERS


def test_matrices_come_back_from_their_text() -> None:
    for goal in GOALS:
        for layer, head in enumerate(solve(goal)):
            again = read_head(write_head(head), layer)
            for name in ("query", "key", "value"):
                assert np.array_equal(getattr(again, name), getattr(head, name))
    assert write_head(zero_head(1)) == ""
    fullest = ".".join(["9" * 72] * 3 + ["i" * 120])
    assert CHOICES["matrices"].parse(fullest) == fullest
    assert sum(N_LAYERS.values()) == 4


@pytest.mark.parametrize("wrong", ["z", "1.1.1.1.1", "1" * 500, "-1"])
def test_a_wrong_text_in_a_link_is_dropped(wrong: str) -> None:
    with pytest.raises(ValueError, match=re.escape(wrong)):
        CHOICES["matrices"].parse(wrong)
    assert verdict("previous", 0) in said(alone(BY_HAND, matrices=wrong))


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        {"number": 1, "head": "copy-1", "numbers": "1"},
        {"number": 1, "head": "previous-0", "numbers": "<b>"},
        {"number": 1, "head": "previous-0", "numbers": 5},
    ],
)
def test_what_a_browser_sends_is_checked(monkeypatch: pytest.MonkeyPatch, sent: object) -> None:
    state = {**DEFAULTS, grid._KEY: {"edited": sent}}
    monkeypatch.setattr(st, "session_state", state)
    grid._take_numbers("previous-0", 0)
    assert state["matrices"] == ""


def test_a_mistake_says_where_the_head_looked() -> None:
    said_of_all = say_verdict(check_heads("same", (zero_head(0),))).replace("\\", "")
    assert "“A A”" in said_of_all
    assert "gives “1 · A” only 33%" in said_of_all, "it looks at no other token more"
    assert re.search(
        r"looks at “\w+ · \w+” \(\d+%\) instead of",
        say_verdict(check_heads("same", fit_heads("previous"))).replace("\\", ""),
    )


# -- the sheet --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_sheet_has_blanks_and_its_key_the_numbers_of_the_row(language: str) -> None:
    heads = solve("copy")
    run = run_heads(heads, letters_of("ABCA"))
    with read_in(language):
        questions, key = sheet.row_sheet(heads[1], run, 1).split('<div class="key">')
    n = len(run.record.query_tokens)
    for values in (run.output[1, -1], run.weights[1, -1], run.record.scores(1, 0)[-1]):
        assert all(f"<td>{sheet._as_text(float(value))}</td>" in key for value in values)
    assert questions.count("<td></td>") == 4 + n * (4 + 4) + 4
    assert "<td></td>" not in key


def test_own_words_stay_text_on_the_sheet() -> None:
    letters, names = read_words("<b>x</b> y")
    printed = sheet.row_sheet(zero_head(0), run_heads((zero_head(0),), letters, names), 0)
    assert "<b>" not in printed
    assert "&lt;b&gt;x" in printed


def test_the_command_writes_a_row_that_can_be_worked_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "row.html"
    monkeypatch.setattr(sys, "argv", ["ui.layers.by_hand.sheet", "--language", "ko", "--out", str(out)])
    sheet.main()
    key = out.read_text(encoding="utf-8").split('<div class="key">')[1]
    largest = float(np.exp(2 * np.sqrt(2)))  # 2 · 2 · √2 / √4 is the score of the token before
    assert number(largest, digits=2) in key
