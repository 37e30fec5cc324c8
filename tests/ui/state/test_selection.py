"""The address is a text that anybody may have written."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from streamlit.testing.v1 import AppTest

from ui.shared.links import MOST_CHARACTERS as MAX_CHARACTERS
from ui.shared.links import ShortLinks
from ui.state.addresses import MAX_LINK, expand_address, is_lost, read_address, shorten_address, to_address
from ui.state.choices import Selection
from ui.state.plain import NOTHING_SEEN, plain


@pytest.mark.parametrize(
    "chosen",
    [
        Selection(),
        Selection(text="한국어 & <b>", text_b="b=1&model=x", model="org/name", layer=11, head="mean", view="head-view"),
        Selection(
            task="two", beside="attention", mask=3, top_k=20, asked="a&b=c", other="[MASK] ?", direction="A to B"
        ),
        Selection(kind="cross", quantity="scores", words=True, special="hidden_renormalised", device="cuda"),
        Selection(picture="text", heads=(2, 0, 5), head=2, across=True, locked=(4, 1), threshold=0.05, top=3),
        Selection(locked=(), zoom=(2.5, 0.25, 3.0), scale="row", known="looks at a word’s determiner"),
    ],
)
def test_an_address_restores_what_it_was_made_from(chosen: Selection) -> None:
    assert Selection(**read_address(to_address(chosen))) == chosen


def test_sentence_model_layer_and_head_are_always_in_the_address() -> None:
    assert {"text", "model", "layer", "head"} == set(to_address(Selection()))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layer", "-1"),
        ("layer", "1e3"),
        ("layer", "٣"),
        ("layer", "99999"),
        ("head", "best"),
        ("device", "cuda:0"),
        ("kind", "decoder "),
        ("words", "true"),
        ("view", "../secret"),
        ("special", ""),
        ("quantity", "<script>"),
        ("task", "three"),
        ("beside", ""),
        ("mask", "-1"),
        ("top_k", "7"),
        ("top_k", "1e9"),
    ],
)
def test_what_does_not_fit_is_dropped(name: str, value: str) -> None:
    assert read_address({name: value, "unknown": "1", "text": "kept"}) == {"text": "kept"}


@pytest.mark.parametrize("text", ["x" * (MAX_LINK + 1), "가나다 " * 300, "a" * (MAX_CHARACTERS - 100)])
def test_a_long_sentence_stands_behind_a_short_link(text: str, tmp_path: Path, monkeypatch) -> None:
    kept = ShortLinks(tmp_path / "shared.sqlite")
    monkeypatch.setattr("ui.state.addresses.links", lambda: kept)
    chosen = Selection(text=text, text_b="short", layer=3)
    address = shorten_address(to_address(chosen), kept.keep)
    assert len(urlencode(address)) <= MAX_LINK
    assert address["text_b"] == "short"
    assert Selection(**read_address(expand_address(address))) == chosen
    assert not is_lost(address)
    assert is_lost({"link": "0123456789abcdef"})
    assert expand_address({"link": "'; DROP TABLE links", "layer": "3"}) == {
        "link": "'; DROP TABLE links",
        "layer": "3",
    }


def test_what_the_server_cannot_keep_is_left_out(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    for links, text in (
        (ShortLinks(in_the_way / "shared.sqlite"), "x" * 3000),
        (ShortLinks(tmp_path / "s"), "x" * MAX_CHARACTERS),
    ):
        address = shorten_address(to_address(Selection(text=text, layer=3)), links.keep)
        assert "text" not in address
        assert "link" not in address
        assert address["layer"] == "3"


def test_links_that_were_not_used_for_the_longest_go(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("ui.shared.links.MOST_LINKS", 3)
    links = ShortLinks(tmp_path / "shared.sqlite")
    names = [links.keep({"text": str(number)}) for number in range(5)]
    found = [links.find(str(name)) for name in names]
    assert found == [None, None, {"text": "2"}, {"text": "3"}, {"text": "4"}]
    assert ShortLinks(tmp_path / "shared.sqlite").find(str(names[4])) == {"text": "4"}


def test_markdown_of_a_reader_stays_text() -> None:
    text = "![x](http://host/p.png) :red[a] <b> $e$ `c` www.evil.example a@evil.example -> 10:30"
    assert plain(text).replace("\\", "").replace(NOTHING_SEEN, "") == text
    for half in re.split(re.escape(NOTHING_SEEN), plain(text).replace("\\", "")):
        assert not re.search(r"://|www\.|\w@|:\w|->", half)
    assert plain("![x](u)") == r"\!\[x\]\(u\)"


# -- an address that comes late ---------------------------------------------------------------------------------------


def small_page() -> None:
    import streamlit as st

    from ui.state.selection import remember_choices

    st.session_state["was_cut"] = st.session_state.get("headlight_run_was_cut")
    with remember_choices("small"):
        st.text_input("Sentence", key="text")
        st.number_input("Layer", key="layer", min_value=0)
        st.button("Work")
        if st.session_state.get("ask_again", 0):
            st.session_state["ask_again"] -= 1
            st.rerun()


@pytest.fixture
def small() -> AppTest:
    app = AppTest.from_function(small_page).run()
    app.number_input[0].set_value(1).run()
    return app


def first_value(app: AppTest, name: str) -> str:
    found = app.query_params[name]
    return found if isinstance(found, str) else found[0]


def send_with(app: AppTest, address: dict[str, list[str] | str]) -> None:
    app.query_params.clear()
    app.query_params.update(address)
    app.run()
    assert not app.exception


def test_what_was_typed_is_not_taken_back_by_a_click_that_was_made_before_the_answer(small: AppTest) -> None:
    """The browser sends the click with the address that it had when the sentence was typed."""
    before = dict(small.query_params)
    small.text_input[0].set_value("A sentence that was just typed.").run()
    small.number_input[0].set_value(2)
    send_with(small, before)
    assert small.session_state["text"] == "A sentence that was just typed."
    assert small.session_state["layer"] == 2
    assert first_value(small, "text") == "A sentence that was just typed."
    assert first_value(small, "layer") == "2"


def test_what_was_typed_is_not_taken_back_by_a_button_that_cuts_the_run_short(small: AppTest) -> None:
    before = dict(small.query_params)
    small.text_input[0].set_value("A sentence that was just typed.").run()
    small.session_state["headlight_run_was_cut"] = True
    small.button[0].click()
    send_with(small, before)
    assert small.session_state["text"] == "A sentence that was just typed."


def test_a_click_during_the_first_run_of_a_link_stays() -> None:
    """It comes with the link as it was opened, and not as that run has written it."""
    app = AppTest.from_function(small_page)
    link = {"layer": "3"}
    send_with(app, link)
    app.number_input[0].set_value(1)
    send_with(app, link)
    assert app.session_state["layer"] == 1
    assert first_value(app, "layer") == "1"
    send_with(app, link)  # by going back
    assert app.session_state["layer"] == 3


def test_a_run_that_another_one_cuts_short_is_known_as_that(small: AppTest) -> None:
    small.session_state["ask_again"] = 1
    small.run()
    assert small.session_state["was_cut"] is True
    assert small.session_state["headlight_run_was_cut"] is False
    small.run()
    assert small.session_state["was_cut"] is False


def test_whoever_goes_back_or_opens_a_link_gets_what_stands_in_the_address(small: AppTest) -> None:
    before = dict(small.query_params)
    text = small.session_state["text"]
    small.text_input[0].set_value("A sentence that was just typed.").run()
    send_with(small, before)
    assert small.session_state["text"] == text
    assert small.session_state["layer"] == 1
    send_with(small, before | {"text": "From a link.", "layer": "0"})
    assert (small.session_state["text"], small.session_state["layer"]) == ("From a link.", 0)


def read_while_another_run_writes() -> None:
    from threading import Event, Thread

    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from ui.state.choices import DEFAULTS
    from ui.state.selection import is_from_link, selection

    context, is_over = get_script_run_ctx(), Event()
    assert context is not None
    shared, address = context.session_state._state, context.session_state._state.query_params

    def write() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            shared[f"other {number % 500}"] = number
            address.set_with_no_forward_msg(f"other {number % 500}", "x")
            if number % 500 == 0:
                address.clear_with_no_forward_msg()
                for other in range(1, 500):
                    del shared[f"other {other}"]

    for name, value in DEFAULTS.items():
        st.session_state[name] = value
    writer = Thread(target=write)
    writer.start()
    try:
        for _ in range(300):
            assert selection().top_k == DEFAULTS["top_k"]
            assert not is_from_link("top_k")
    finally:
        is_over.set()
        writer.join()


def test_choices_are_read_while_a_run_that_was_replaced_still_writes() -> None:
    assert not AppTest.from_function(read_while_another_run_writes).run(timeout=60).exception
