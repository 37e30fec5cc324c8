"""The address is a text that anybody may have written."""

from __future__ import annotations

import re

import pytest

from ui.state.choices import Selection
from ui.state.selection import MAX_LINK, read_address, to_address
from ui.widgets.plain import NOTHING_SEEN, plain


@pytest.mark.parametrize(
    "chosen",
    [
        Selection(),
        Selection(text="한국어 & <b>", text_b="b=1&model=x", model="org/name", layer=11, head="mean", view="head-view"),
        Selection(
            task="two", beside="attention", mask=3, top_k=20, asked="a&b=c", other="[MASK] ?", direction="A to B"
        ),
        Selection(kind="cross", quantity="scores", words=True, special="hidden_renormalised", device="cuda"),
    ],
)
def test_an_address_restores_what_it_was_made_from(chosen: Selection) -> None:
    assert Selection(**read_address(to_address(chosen))) == chosen


def test_sentence_model_layer_and_head_are_always_in_the_address() -> None:
    assert {"text", "model", "layer", "head"} == set(to_address(Selection()))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("layer", "-1"), ("layer", "1e3"), ("layer", "٣"), ("layer", "99999"), ("head", "best"), ("device", "cuda:0"),
        ("kind", "decoder "), ("words", "true"), ("view", "../secret"), ("special", ""), ("quantity", "<script>"),
        ("task", "three"), ("beside", ""), ("mask", "-1"), ("top_k", "7"), ("top_k", "1e9"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_dropped(name: str, value: str) -> None:
    assert read_address({name: value, "unknown": "1", "text": "kept"}) == {"text": "kept"}


def test_a_long_sentence_stays_out_of_the_address() -> None:
    assert "text" not in to_address(Selection(text="x" * (MAX_LINK + 1)))


def test_markdown_of_a_reader_stays_text() -> None:
    text = "![x](http://host/p.png) :red[a] <b> $e$ `c` www.evil.example a@evil.example -> 10:30"
    assert plain(text).replace("\\", "").replace(NOTHING_SEEN, "") == text
    for half in re.split(re.escape(NOTHING_SEEN), plain(text).replace("\\", "")):
        assert not re.search(r"://|www\.|\w@|:\w|->", half)
    assert plain("![x](u)") == r"\!\[x\]\(u\)"
