"""A lesson that is being written: the tree of its YAML parts, edits by path, and the way back to text.

A draft may be incomplete and may have entries that a lesson does not know: all are kept, and the notes of its author,
the lines that begin with "#".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import yaml

from lessons.parameters import OneOf, Parameter, WholeNumber
from lessons.reading import Known, read_lesson
from lessons.registry import KINDS
from lessons.yaml_lines import Entries, Items, Scalar, YamlPart, read_yaml
from models.values.errors import LessonError
from models.values.wording import worded

Path = tuple[str | int, ...]
"""The way to a part of a lesson: names of entries and indices of items."""
DraftValue = str | Sequence["DraftValue"] | Mapping[str, "DraftValue"] | Scalar | Items | Entries
WIDE, LONG = 110, 70
"""The width of a written lesson, and the length from which a text has lines of its own."""
SAYS = ("title", "text", "question", "claim")
"""The texts that each step with a question has to have."""


@lru_cache(maxsize=8)
def read_draft(text: str) -> Entries:
    """Parse a lesson without checking its entries. Raises LessonError for a text that is no YAML or no map."""
    root = read_yaml(text)
    if not isinstance(root, Entries):
        raise LessonError((root.line, worded("a lesson begins with “title:”, and has its entries below.")))
    noted = _with_notes(root, _notes_by_scalar(text, sum(1 for _ in _scalars(root))))
    return noted if isinstance(noted, Entries) else root


def write_draft(draft: YamlPart) -> str:
    """Return the YAML of a draft with its notes: `read_draft` gives the same draft again."""
    text = _emit(draft, quoted=False)
    if read_yaml(text) != draft:  # what the styles for people cannot hold
        text = _emit(draft, quoted=True)
    lines = text.splitlines(keepends=True)
    scalars = zip(_scalars(draft), _scalars(read_yaml(text)), strict=True)
    for noted, written in reversed(list(scalars)):
        line = lines[written.line - 1]
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines[written.line - 1 : written.line - 1] = [f"{indent}{note}\n" for note in noted.notes]
    return "".join(lines)


def part_at(part: YamlPart | None, path: Path) -> YamlPart | None:
    """Return the part at the end of a path; None if there is none."""
    for name in path:
        if isinstance(part, Entries):
            part = {key.text: value for key, value in part.entries}.get(str(name))
        elif isinstance(part, Items) and isinstance(name, int) and name < len(part.items):
            part = part.items[name]
        else:
            return None
    return part


def text_at(part: YamlPart | None, *path: str | int) -> str:
    """Return the text at the end of a path without the blanks around it; empty if there is none."""
    found = part_at(part, path)
    return found.text.strip() if isinstance(found, Scalar) else ""


def texts_at(part: YamlPart | None, *path: str | int) -> tuple[str, ...]:
    """Return the texts of the list at the end of a path; none if there is no such list."""
    found = part_at(part, path)
    items = found.items if isinstance(found, Items) else ()
    return tuple(item.text.strip() for item in items if isinstance(item, Scalar))


def put(part: YamlPart | None, path: Path, value: DraftValue | None) -> YamlPart:
    """Return a part with another value at the end of a path; None takes the entry or item away."""
    if not path:
        return _part_of(value if value is not None else "")
    name, *others = path
    if isinstance(name, int):
        items = list(part.items) if isinstance(part, Items) else []
        there = items[name] if name < len(items) else None
        items[name : name + 1] = [] if value is None and not others else [put(there, tuple(others), value)]
        return Items(line=0, items=tuple(items))
    entries = list(part.entries) if isinstance(part, Entries) else []
    place = next((place for place, (key, _) in enumerate(entries) if key.text == name), len(entries))
    key, there = entries[place] if place < len(entries) else (Scalar(line=0, text=name), None)
    entries[place : place + 1] = [] if value is None and not others else [(key, put(there, tuple(others), value))]
    return Entries(line=0, entries=tuple(entries))


def complete_draft(draft: Entries, filler: str = "") -> Entries:
    """Return a draft with an entry for all that a lesson has to have; `filler` stands in place of empty words."""
    whole: YamlPart = draft
    for path, default in _needed_paths(draft, filler):
        part = part_at(whole, path)
        if part is None or (default and isinstance(part, Scalar) and not part.text.strip()):
            whole = put(whole, path, default)
    return whole if isinstance(whole, Entries) else draft


def _needed_paths(draft: Entries, filler: str) -> Iterator[tuple[Path, DraftValue]]:
    """Yield the paths that a lesson has to have, and what stands there if nothing does."""
    yield from ((("title",), filler), (("about",), filler), (("minutes",), ""), (("models",), ()))
    for number in range(max(1, n_steps(draft))):
        kind = KINDS.get(text_at(draft, "steps", number, "ask", "what"))
        says = SAYS if kind is None or kind.has_question else ("title", "text")
        yield from ((("steps", number, name), filler) for name in says)
        yield ("steps", number, "ask", "what"), ""
        for parameter in kind.parameters if kind else ():
            if parameter.is_required:
                yield ("steps", number, "ask", parameter.name), () if parameter.is_list else ""


def change_kind(ask: YamlPart | None, what: str) -> Entries:
    """Return a question of another kind: what both kinds can be given stays, and so does what no kind knows."""
    before, kind = KINDS.get(text_at(ask, "what")), KINDS[what]
    given = ask.entries if isinstance(ask, Entries) else ()
    kept = [
        (key, value)
        for key, value in given
        if key.text != "what" and (kind.parameter(key.text) or before is None or before.parameter(key.text) is None)
    ]
    names = {key.text for key, _ in kept}
    new = {parameter.name: _default(parameter) for parameter in kind.parameters if parameter.is_required}
    added = [(Scalar(line=0, text=name), _part_of(value)) for name, value in new.items() if name not in names]
    return Entries(line=0, entries=((Scalar(line=0, text="what"), Scalar(line=0, text=what)), *kept, *added))


def _default(parameter: Parameter) -> DraftValue:
    """Return what a required parameter begins with; empty if it has to be chosen."""
    if isinstance(parameter.read, OneOf):
        return next(iter(parameter.read.titles))
    if isinstance(parameter.read, WholeNumber):
        return str(parameter.read.low)
    return () if parameter.is_list else {"head": "previous"}.get(parameter.name, "")


def n_steps(draft: YamlPart) -> int:
    """Return the number of steps of a draft."""
    steps = part_at(draft, ("steps",))
    return len(steps.items) if isinstance(steps, Items) else 0


def find_mistakes(draft: Entries, known: Known) -> dict[Path, tuple[str, ...]]:
    """Return all that keeps a draft from being a lesson, by the path of the entry in question."""
    text = write_draft(complete_draft(draft))
    try:
        read_lesson(text, known)
    except LessonError as error:
        places = dict(reversed(list(_places(read_yaml(text), ()))))
        mistakes: dict[Path, tuple[str, ...]] = {}
        for line, says in error.mistakes:
            place = places.get(line, ())
            mistakes[place] = (*mistakes.get(place, ()), says)
        return mistakes
    return {}


def _places(part: YamlPart, path: Path) -> Iterator[tuple[int, Path]]:
    """Yield the lines of a written lesson with the paths of the entries on them, the outermost first."""
    if isinstance(part, Entries):
        for key, value in part.entries:
            yield key.line, (*path, key.text)
            yield from _places(value, (*path, key.text))
    elif isinstance(part, Items):
        for index, item in enumerate(part.items):
            yield from _places(item, (*path, index))
    else:
        yield part.line, path


def _part_of(value: DraftValue) -> YamlPart:
    if isinstance(value, Scalar | Items | Entries):
        return value
    if isinstance(value, str):
        return Scalar(line=0, text=value)
    if isinstance(value, Mapping):
        return Entries(
            line=0, entries=tuple((Scalar(line=0, text=name), _part_of(item)) for name, item in value.items())
        )
    return Items(line=0, items=tuple(map(_part_of, value)))


# -- notes ------------------------------------------------------------------------------------------------------------


def _notes_by_scalar(text: str, n_scalars: int) -> list[tuple[str, ...]]:
    """Return the notes before each scalar of a text that has been read; those at its end belong to the last one."""
    notes: list[list[str]] = [[]]
    end = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        between = text[end : event.start_mark.index]
        notes[-1] += [line[line.index("#") :].rstrip() for line in between.splitlines() if "#" in line]
        end = event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            notes.append([])
    last = notes.pop()
    notes[-1:] = [[*notes[-1], *last]] if notes else []
    return [tuple(before) for before in notes[:n_scalars]]


def _with_notes(part: YamlPart, notes: Sequence[tuple[str, ...]]) -> YamlPart:
    """Return a part whose scalars, in the order of the text, have these notes."""
    following = iter(notes)

    def attach(part: YamlPart) -> YamlPart:
        if isinstance(part, Scalar):
            return replace(part, notes=next(following, ()))
        if isinstance(part, Items):
            return replace(part, items=tuple(map(attach, part.items)))
        entries = [(replace(key, notes=next(following, ())), attach(value)) for key, value in part.entries]
        return replace(part, entries=tuple(entries))

    return attach(part)


def _scalars(part: YamlPart) -> Iterator[Scalar]:
    """Yield the names and texts of a part in the order of its text."""
    if isinstance(part, Scalar):
        yield part
    elif isinstance(part, Items):
        for item in part.items:
            yield from _scalars(item)
    else:
        for key, value in part.entries:
            yield key
            yield from _scalars(value)


# -- text -------------------------------------------------------------------------------------------------------------


def _emit(part: YamlPart, *, quoted: bool) -> str:
    """Write a part as YAML without notes, every text `quoted` or in the style that reads best."""
    begin = (yaml.StreamStartEvent(), yaml.DocumentStartEvent(explicit=False))
    end = (yaml.DocumentEndEvent(explicit=False), yaml.StreamEndEvent())
    written: str = yaml.emit((*begin, *_events(part, quoted), *end), allow_unicode=True, width=WIDE)
    return written


def _events(part: YamlPart, quoted: bool, *, is_name: bool = False) -> Iterator[yaml.Event]:
    if isinstance(part, Scalar):
        style = '"' if quoted else None if is_name else _style(part.text)
        yield yaml.ScalarEvent(None, None, (True, True), part.text, style=style)
    elif isinstance(part, Items):
        in_one_line = all(isinstance(item, Scalar) and item.text and " " not in item.text for item in part.items)
        yield yaml.SequenceStartEvent(None, None, implicit=True, flow_style=in_one_line)
        for item in part.items:
            yield from _events(item, quoted or (in_one_line and not _is_word(item)))
        yield yaml.SequenceEndEvent()
    else:
        yield yaml.MappingStartEvent(None, None, implicit=True, flow_style=not part.entries)
        for key, value in part.entries:
            yield from _events(key, quoted, is_name=True)
            yield from _events(value, quoted)
        yield yaml.MappingEndEvent()


def _is_word(part: YamlPart) -> bool:
    return isinstance(part, Scalar) and len(part.text) < LONG and part.text.isprintable()


def _style(text: str) -> str | None:
    """Return the style that reads best: lines for paragraphs, folded lines for a long text, and otherwise plain."""
    return "|" if "\n" in text.rstrip("\n") else ">" if len(text) > LONG or text.endswith("\n") else None
