"""A draft comes back from its text as it was, with all that no form shows, whatever its author writes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lessons import KINDS
from lessons.drafts import (
    DraftValue,
    change_kind,
    complete_draft,
    find_mistakes,
    n_steps,
    part_at,
    put,
    read_draft,
    text_at,
    texts_at,
    write_draft,
)
from lessons.yaml_lines import Entries, Items, Scalar, YamlPart
from models.values.errors import LessonError
from tests.lessons.test_reading import GOOD, KNOWN

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
FILES = sorted(FOLDER.rglob("*.yaml"))
ODD = (
    *(
        "",
        " ",
        "a",
        "a: b",
        "#x",
        "a #b",
        "- a",
        "[x",
        "{",
        "\t",
        "a\tb",
        "\x00",
        "\u2028",
        "\x85",
        "é",
        "a\n\nb",
        " a",
    ),
    *("a ", "a\n b\n", "\n", "'", '"', "no", "5", "~", "null", "|", ">", "%", "@a", "`", "!", "&a", "*a", "? a", ": "),
    *("a:", "\ud800", "😀", "\U0010ffff", "a\r\nb", "\ufeff", "---", "...", "a\n---\nb", "a,b", "=", "<<", "##a"),
    *("한국어 " * 30, "x" * 200, "word " * 50, "x" * 1500, "a  b   c " * 20 + "z", "“{share}” of it: 5 %"),
)
"""Texts that YAML could take for something else."""


def notes_of(part: YamlPart) -> list[str]:
    """All notes of a draft in their order."""
    if isinstance(part, Scalar):
        return list(part.notes)
    if isinstance(part, Items):
        return [note for item in part.items for note in notes_of(item)]
    return [note for key, value in part.entries for note in (*key.notes, *notes_of(value))]


def odd_value(rng: random.Random, depth: int = 0) -> DraftValue:
    kind = rng.random()
    if depth > 4 or kind < 0.5:
        return rng.choice(ODD) + rng.choice(("", rng.choice(ODD)))
    if kind < 0.75:
        return [odd_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(ODD) + rng.choice(ODD): odd_value(rng, depth + 1) for _ in range(rng.randrange(4))}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_every_lesson_comes_back_with_its_notes(file: Path) -> None:
    draft = read_draft(file.read_text(encoding="utf-8"))
    text = write_draft(draft)
    again = read_draft(text)
    assert again == draft
    assert notes_of(again) == notes_of(draft)
    assert write_draft(again) == text
    assert complete_draft(draft) == draft


def test_odd_texts_come_back() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        values = {rng.choice(ODD): odd_value(rng) for _ in range(1 + rng.randrange(4))}
        draft = put(Entries(line=1, entries=()), (), values)
        assert read_draft(write_draft(draft)) == draft, seed


@pytest.mark.parametrize("text", ODD)
def test_a_note_stays_beside_an_odd_text(text: str) -> None:
    noted = read_draft("a: b\n# first\nc:\n  # second\n  - d\n  - e  # third\n# last\n")
    draft = put(noted, ("a",), text)
    again = read_draft(write_draft(draft))
    assert again == draft
    assert notes_of(again) == ["# first", "# second", "# third", "# last"] == notes_of(noted)


def test_an_entry_is_put_and_taken_away_and_the_others_stay() -> None:
    draft = read_draft(GOOD)
    changed = put(draft, ("steps", 0, "ask", "query"), "sat")
    assert text_at(changed, "steps", 0, "ask", "query") == "sat"
    assert put(changed, ("steps", 0, "ask", "query"), "cat") == draft
    assert part_at(put(draft, ("steps", 0, "own"), None), ("steps", 0, "own")) is None
    assert put(put(draft, ("steps", 1), {}), ("steps", 1), None) == draft
    assert texts_at(put(draft, ("models",), ["a", "b"]), "models") == ("a", "b")


def test_mistakes_are_found_at_their_entries() -> None:
    draft = read_draft(GOOD)
    assert find_mistakes(draft, KNOWN) == {}
    for path, value in (
        (("minutes",), "long"),
        (("steps", 0, "ask", "head"), "3-1"),
        (("steps", 0, "claim"), "{weight}"),
        (("steps", 0, "holds", 1), "nothing"),
        (("steps", 0, "ask", "query"), None),
        (("steps", 0, "colour"), "red"),
    ):
        assert list(find_mistakes(_entries(put(draft, path, value)), KNOWN)) == [path]


def _entries(part: YamlPart) -> Entries:
    assert isinstance(part, Entries)
    return part


def test_a_bare_draft_has_all_its_fields() -> None:
    draft = complete_draft(read_draft("title: A"))
    assert n_steps(draft) == 1
    places = {path[-1] for path in find_mistakes(draft, KNOWN)}
    assert places == {"about", "minutes", "models", "title", "text", "question", "claim", "what"}
    assert text_at(complete_draft(draft, "…"), "steps", 0, "question") == "…"


@pytest.mark.parametrize("old", KINDS)
def test_another_kind_of_question_keeps_what_it_can(old: str) -> None:
    given = {"what": old, "colour": "red"} | {parameter.name: "x" for parameter in KINDS[old].parameters}
    for new, kind in KINDS.items():
        changed = change_kind(put(None, (), given), new)
        names = {parameter.name for parameter in kind.parameters}
        assert text_at(changed, "what") == new
        assert text_at(changed, "colour") == "red"
        for key, value in changed.entries:
            assert key.text in names | {"what", "colour"}
            assert key.text not in given or value == Scalar(line=0, text={"what": new}.get(key.text, given[key.text]))


@pytest.mark.parametrize("text", ["", "- a", "a", "a: &b c"])
def test_what_is_no_draft_is_said(text: str) -> None:
    with pytest.raises(LessonError):
        read_draft(text)
