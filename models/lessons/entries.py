"""One map of a lesson, entry by entry: what is missing, unknown or of the wrong form is collected with its line."""

from __future__ import annotations

from collections.abc import Sequence

from models.lessons.yaml_lines import Entries, Items, Scalar, YamlPart


class EntryReader:
    """Reads the entries of a map that may have the names `known`. What is wrong is added to `mistakes`."""

    def __init__(self, part: YamlPart, known: Sequence[str], what: str, mistakes: list[tuple[int, str]]) -> None:
        self._what = what
        self._mistakes = mistakes
        self._line = part.line
        self._entries: dict[str, YamlPart] = {}
        if not isinstance(part, Entries):
            self._add(part.line, f"{what} was expected here: names, each with a colon and what belongs to it.")
            return
        for name, value in part.entries:
            if name.text not in known:
                self._add(name.line, f"{name.text!r} does not belong to {what}, only {', '.join(known)}.")
            self._entries[name.text] = value

    def part(self, name: str, *, is_required: bool = True) -> YamlPart | None:
        """An entry as it is."""
        found = self._entries.get(name)
        if found is None and is_required and (self._entries or name):
            self._add(self._line, f"“{name}” is missing in {self._what}.")
        return found

    def lined(self, name: str, *, longest: int, is_required: bool = True) -> tuple[int, str]:
        """A text with its line; empty if there is none."""
        found = self.part(name, is_required=is_required)
        if found is None:
            return self._line, ""
        if not isinstance(found, Scalar):
            self._add(found.line, f"“{name}” was expected to be a text. Put it in quotes if it has a colon in it.")
            return found.line, ""
        if is_required and not found.text.strip():
            self._add(found.line, f"“{name}” is empty.")
        if len(found.text) > longest:
            self._add(found.line, f"“{name}” has {len(found.text):,} characters, expected at most {longest:,}.")
        return found.line, found.text.strip()

    def text(self, name: str, *, longest: int) -> str:
        """A text."""
        return self.lined(name, longest=longest)[1]

    def number(self, name: str, *, most: int) -> int:
        """A whole number from 1 to `most`."""
        line, text = self.lined(name, longest=20)
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= most:
            return int(text)
        if text:
            self._add(line, f"“{name}” is {text!r}, expected a whole number from 1 to {most}.")
        return 1

    def choice(self, name: str, options: Sequence[str]) -> str:
        """One of some words; the first if nothing is said."""
        line, text = self.lined(name, longest=40, is_required=False)
        if text and text not in options:
            self._add(line, f"“{name}” is {text!r}, expected one of {', '.join(options)}.")
        return text if text in options else options[0]

    def list_of(self, name: str, *, most: int, fewest: int = 1, is_required: bool = True) -> tuple[YamlPart, ...]:
        """The items of a list."""
        found = self.part(name, is_required=is_required)
        if found is None:
            return ()
        if not isinstance(found, Items):
            self._add(found.line, f"“{name}” was expected to be a list: a line for each, beginning with “- ”.")
            return ()
        if not fewest <= len(found.items) <= most:
            self._add(found.line, f"“{name}” has {len(found.items)} items, expected {fewest} to {most}.")
        return found.items

    def texts(
        self, name: str, *, most: int = 8, fewest: int = 1, is_required: bool = True
    ) -> tuple[tuple[int, str], ...]:
        """The texts of a list, each with its line."""
        found = []
        for item in self.list_of(name, most=most, fewest=fewest, is_required=is_required):
            if isinstance(item, Scalar) and item.text.strip():
                found.append((item.line, item.text.strip()))
            else:
                self._add(item.line, f"an item of “{name}” was expected to be a text. Put it in quotes.")
        return tuple(found)

    def map_of(self, name: str, *, most: int = 4) -> tuple[tuple[Scalar, YamlPart], ...]:
        """The entries of a map that may be left out; their names are words."""
        found = self.part(name, is_required=False)
        if found is None:
            return ()
        if not isinstance(found, Entries) or len(found.entries) > most:
            self._add(found.line, f"“{name}” was expected to be up to {most} questions, each with a name of its own.")
            return ()
        for word, _ in found.entries:
            if not (word.text.isascii() and word.text.isalpha() and word.text.islower() and len(word.text) <= 20):
                self._add(word.line, f"{word.text!r} was expected to be one word in small letters.")
        return found.entries

    def _add(self, line: int, says: str) -> None:
        self._mistakes.append((line, says))
