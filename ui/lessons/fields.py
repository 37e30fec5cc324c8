"""The fields of the form of a lesson: each shows one entry of the draft, and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from lessons.drafts import DraftValue, Path, text_at, texts_at
from lessons.parameters import WholeNumber
from lessons.yaml_lines import Entries
from ui.lessons.draft import put_in_draft
from ui.state.plain import plain
from viz.kit.language import said, shown, to_say

EMPTY = to_say("Fill this in.")
TEXT_HIGH = 92
"""The height of a field of several lines, in CSS pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonForm:
    """A draft with the mistakes in it, by the paths of their entries."""

    draft: Entries
    mistakes: Mapping[Path, tuple[str, ...]]

    def line(self, path: Path, label: str, *, most: int, optional: bool = False) -> None:
        """Draw a text of one line."""
        value = text_at(self.draft, *path)
        st.text_input(said(label), key=bind(path, value), max_chars=most, **_writes(path))
        self.say_mistakes(path, is_empty=not value and not optional)

    def lines(self, path: Path, label: str, *, most: int) -> None:
        """Draw a text of several lines."""
        value = text_at(self.draft, *path)
        st.text_area(said(label), key=bind(path, value), max_chars=most, height=TEXT_HIGH, **_writes(path))
        self.say_mistakes(path, is_empty=not value)

    def number(self, path: Path, label: str, *, low: int, high: int, optional: bool = False) -> None:
        """Draw a field for a whole number."""
        text = text_at(self.draft, *path)
        try:
            value = WholeNumber(low, high)(text)
        except ValueError:
            value = None
        write = _whole_or_nothing if optional else _whole
        st.number_input(said(label), low, high, step=1, key=bind(path, value), **_writes(path, write))
        self.say_mistakes(path, is_empty=not text and not optional)

    def choice(
        self,
        path: Path,
        label: str,
        titles: Mapping[str, str],
        *,
        optional: bool = False,
    ) -> None:
        """Draw a choice of words, each with its title; a word that is none of them stays, and stands first."""
        value = text_at(self.draft, *path)
        options = list(titles) if value in titles or not value else [value, *titles]
        st.selectbox(
            said(label),
            ["", *options] if optional and "" not in options else options,
            key=bind(path, value if value or optional else None),
            format_func=lambda name: shown(titles.get(name, name)) or "–",
            placeholder="…",
            **_writes(path, _or_nothing if optional else None),
        )
        self.say_mistakes(path, is_empty=not value and not optional)

    def several(
        self, path: Path, label: str, titles: Mapping[str, str], *, most: int, optional: bool = False, new: bool = False
    ) -> None:
        """Draw a choice of several words; `new` lets the reader write others."""
        value = list(texts_at(self.draft, *path))
        options = list(dict.fromkeys([*titles, *value]))
        st.multiselect(
            said(label),
            options,
            key=bind(path, value),
            max_selections=max(most, len(value)),
            accept_new_options=new,
            format_func=lambda name: shown(titles.get(name, name)),
            placeholder="…",
            **_writes(path, _or_nothing if optional else list),
        )
        self.say_mistakes(path, is_empty=not value and not optional)

    def say_mistakes(self, path: Path, *, is_empty: bool = False) -> None:
        """Say what is wrong with an entry, under its field."""
        if is_empty:
            say_mistake(said(EMPTY))
            return
        for place, mistakes in self.mistakes.items():
            if place[: len(path)] == path:
                for mistake in mistakes:
                    say_mistake(plain(mistake))


def say_mistake(markdown: str) -> None:
    """Say one mistake, under the field that it is about."""
    st.caption(f":red[:material/error: {markdown}]")


def key_of(path: Path) -> str:
    """Return the key of the widget of an entry."""
    return "-".join(map(str, ("lesson-field", *path)))


def bind(path: Path, value: Any) -> str:
    """Return the key of the widget of an entry, which shows this value.

    A value is only sent if it has changed elsewhere: otherwise the browser would lose what is typed meanwhile.
    """
    key = key_of(path)
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return key


def _writes(path: Path, write: Callable[[Any], DraftValue | None] | None = None) -> dict[str, Any]:
    """Return the settings of a widget that writes its value to the draft."""

    def take() -> None:
        value = st.session_state[key_of(path)]
        put_in_draft(path, write(value) if write else value or "")

    return {"on_change": take}


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)


def _whole_or_nothing(value: int | None) -> str | None:
    return None if value is None else str(value)


def _or_nothing(value: str | Sequence[str] | None) -> DraftValue | None:
    """Return a value; None for an empty one, whose entry may be left out."""
    return (value if isinstance(value, str) else list(value)) if value else None
