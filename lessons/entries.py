"""One map of a lesson, entry by entry: what is missing, unknown or of the wrong form is collected with its line."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.yaml_lines import Entries, Items, Scalar, YamlPart
from models.values.wording import Message, worded


class EntryReader:
    """Reads the entries of a map that may have the names `known`. What is wrong is added to `mistakes`."""

    def __init__(self, part: YamlPart, known: Sequence[str], what: Message, mistakes: list[tuple[int, str]]) -> None:
        self._what = what
        self._mistakes = mistakes
        self._line = part.line
        self._entries: dict[str, YamlPart] = {}
        if not isinstance(part, Entries):
            says = worded("{what} was expected here: names, each with a colon and what belongs to it.", what=what)
            self._add(part.line, says)
            return
        for name, value in part.entries:
            if name.text not in known:
                says = worded(
                    "{name} does not belong to {what}, only {known}.",
                    name=repr(name.text),
                    what=what,
                    known=", ".join(known),
                )
                self._add(name.line, says)
            self._entries[name.text] = value

    def part(self, name: str, *, is_required: bool = True) -> YamlPart | None:
        """Return an entry as it is."""
        part = self._entries.get(name)
        if part is None and is_required and (self._entries or name):
            self._add(self._line, worded("“{name}” is missing in {what}.", name=name, what=self._what))
        return part

    def line_and_text(self, name: str, *, longest: int, is_required: bool = True) -> tuple[int, str]:
        """Return a text with its line; empty if there is none."""
        part = self.part(name, is_required=is_required)
        if part is None:
            return self._line, ""
        if not isinstance(part, Scalar):
            says = worded(
                "“{name}” was expected to be a text. Put it in quotes if it begins with “[” or has a colon in it.",
                name=name,
            )
            self._add(part.line, says)
            return part.line, ""
        if is_required and not part.text.strip():
            self._add(part.line, worded("“{name}” is empty.", name=name))
        if len(part.text) > longest:
            says = worded(
                "“{name}” has {n} characters, expected at most {most}.",
                name=name,
                n=f"{len(part.text):,}",
                most=f"{longest:,}",
            )
            self._add(part.line, says)
        return part.line, part.text.strip()

    def text(self, name: str, *, longest: int) -> str:
        """Read a text of limited length."""
        return self.line_and_text(name, longest=longest)[1]

    def number(self, name: str, *, most: int) -> int:
        """Return a whole number from 1 to `most`."""
        line, text = self.line_and_text(name, longest=20)
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= most:
            return int(text)
        if text:
            says = worded(
                "“{name}” is {given}, expected a whole number from 1 to {most}.", name=name, given=repr(text), most=most
            )
            self._add(line, says)
        return 1

    def choice(self, name: str, options: Sequence[str]) -> str:
        """Read one of some words; the first is the default."""
        line, text = self.line_and_text(name, longest=40, is_required=False)
        if text and text not in options:
            says = worded(
                "“{name}” is {given}, expected one of {options}.",
                name=name,
                given=repr(text),
                options=", ".join(options),
            )
            self._add(line, says)
        return text if text in options else options[0]

    def list_of(self, name: str, *, most: int, fewest: int = 1, is_required: bool = True) -> tuple[YamlPart, ...]:
        """Return the items of a list."""
        part = self.part(name, is_required=is_required)
        if part is None:
            return ()
        if not isinstance(part, Items):
            says = worded("“{name}” was expected to be a list: a line for each, beginning with “- ”.", name=name)
            self._add(part.line, says)
            return ()
        if not fewest <= len(part.items) <= most:
            says = worded(
                "“{name}” has {n} items, expected {fewest} to {most}.",
                name=name,
                n=len(part.items),
                fewest=fewest,
                most=most,
            )
            self._add(part.line, says)
        return part.items

    def texts(
        self, name: str, *, most: int = 8, fewest: int = 1, is_required: bool = True
    ) -> tuple[tuple[int, str], ...]:
        """Return the texts of a list, each with its line."""
        lines = []
        for item in self.list_of(name, most=most, fewest=fewest, is_required=is_required):
            if isinstance(item, Scalar) and item.text.strip():
                lines.append((item.line, item.text.strip()))
            else:
                says = worded("an item of “{name}” was expected to be a text. Put it in quotes.", name=name)
                self._add(item.line, says)
        return tuple(lines)

    def map_of(self, name: str, *, most: int = 4) -> tuple[tuple[Scalar, YamlPart], ...]:
        """Return the entries of a map that may be left out; their names are words."""
        part = self.part(name, is_required=False)
        if part is None:
            return ()
        if not isinstance(part, Entries) or len(part.entries) > most:
            says = worded(
                "“{name}” was expected to be up to {most} questions, each with a name of its own.", name=name, most=most
            )
            self._add(part.line, says)
            return ()
        for word, _ in part.entries:
            if not (word.text.isascii() and word.text.isalpha() and word.text.islower() and len(word.text) <= 20):
                says = worded("{given} was expected to be one word in small letters.", given=repr(word.text))
                self._add(word.line, says)
        return part.entries

    def _add(self, line: int, says: Message) -> None:
        self._mistakes.append((line, says))
