"""The language of a reader: what a browser asks for, and what the browser side is told."""

from __future__ import annotations

import json

import pytest

from models.values.wording import worded, worded_n
from tests.models.checkpoints.test_heads_file import ROLE
from viz.heads.words import role_in_words
from viz.kit.language import FOLDER, browser_catalogue, language, preferred_language, read_in, said, write_count


@pytest.mark.parametrize(
    ("accepted", "wanted"),
    [
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
        ("en-US,en;q=0.9,ko;q=0.8", "en"),
        ("ko", "ko"),
        ("", "en"),
        ("de-DE,de;q=0.9,ko;q=0.5", "ko"),
        ("de,fr;q=0.5", "en"),
        ("en;q=0.1, KO ; q=0.2", "ko"),
        ("ko;q=0", "en"),
        ("*", "en"),
        ("ko;q=nine,en", "en"),
        (";;,,q=1", "en"),
        ("kok,en;q=0.5", "en"),
        ("ko;q=0,en;q=0.1", "en"),
    ],
)
def test_the_language_that_a_browser_likes_best_of_those_that_we_have(accepted: str, wanted: str) -> None:
    assert preferred_language(accepted) == wanted


def test_the_browser_side_is_told_its_sentences_and_of_english_nothing() -> None:
    assert browser_catalogue() is None
    with read_in("ko"):
        told = browser_catalogue()
    assert told == {"language": "ko"} | json.loads((FOLDER / "ko" / "browser.json").read_text(encoding="utf-8"))
    assert language() == "en"


def test_a_message_within_a_message_is_said_in_the_language_too() -> None:
    head = worded("Layer {layer} · Head {head}", layer=2, head=1)
    template = "{head}: “{query}” gives {share} of its attention to “{key}”."
    message = worded(template, head=head, query="it", share="88%", key="tired")
    assert said(message) == message == "Layer 2 · Head 1: “it” gives 88% of its attention to “tired”."
    with read_in("ko"):
        assert said(message).startswith("레이어 2 · 헤드 1: “it” 토큰은")
        assert said(worded_n("{n} student", "{n} students", 3)) == "학생 3명"


def test_what_heads_do_is_said_in_the_language_and_named_in_english() -> None:
    with read_in("ko"):
        told = role_in_words(ROLE)
    assert told["name"] == "attends to the previous token", "it stands in addresses"
    assert told["said"] == "주로 보는 곳: 바로 앞 토큰"
    assert "12,340" in told["numbers"]
    assert "attention" not in told["numbers"]


@pytest.mark.parametrize(
    ("count", "english", "korean"),
    [
        (22_912_345, "22.9 million", "2,290만"),
        (110_104_890, "110 million", "1억 1,000만"),
        (452_312, "452,000", "45만 2,000"),
        (999_999_999, "1 billion", "10억"),
        (7_241_748_480, "7.24 billion", "72억 4,000만"),
        (1_600_000_000_000, "1,600 billion", "1조 6,000억"),
        (9_876, "9,880", "9,880"),
        (512, "512", "512"),
        (0, "0", "0"),
    ],
)
def test_large_counts_are_written_in_the_units_of_the_language(count: int, english: str, korean: str) -> None:
    assert write_count(count) == english
    with read_in("ko"):
        assert write_count(count) == korean
