"""YAML of a stranger, with the line of everything in it: lists, maps and text, and nothing else.

Only the events of PyYAML's parser are read. No value is made of a tag, so nothing is run, and a text stays a text;
anchors are refused, so nothing grows (a billion laughs); depth and number of the parts are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import yaml

from models.values.errors import LessonError
from models.values.wording import Message, worded

MOST_BYTES = 64_000
MOST_PARTS = 4_000
DEEPEST = 8
"""A lesson is a map of a list of maps of maps of lists: five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A text on its line; `notes` are the lines before it that begin with "#"."""

    line: int = field(compare=False)
    text: str
    notes: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A YAML list, with its line."""

    line: int = field(compare=False)
    items: tuple[YamlPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """A YAML map with text keys, with its line."""

    line: int = field(compare=False)
    entries: tuple[tuple[Scalar, YamlPart], ...]


YamlPart = Scalar | Items | Entries


@lru_cache(maxsize=8)  # the page on which a lesson is written asks for the same text several times a rerun
def read_yaml(text: str) -> YamlPart:
    """Return the parts of a YAML text. Raises LessonError with the line of what is wrong."""
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        says = worded("the lesson has more than {most} bytes. Make two of it.", most=f"{MOST_BYTES:,}")
        raise LessonError((1, says))
    try:
        events = _limit_events(yaml.parse(text, Loader=yaml.SafeLoader))
        for event in events:
            if isinstance(event, (yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                root = _part(event, events, 0)
                _nothing_more(events)
                return root
    except yaml.MarkedYAMLError as error:
        mark = (_is_open_quote(error) and error.context_mark) or error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        raise LessonError((1 + line, _in_plain_words(error, [*text.splitlines(), ""][line]))) from None
    except yaml.YAMLError:  # a character that YAML does not have
        says = worded("there is a character in it that YAML does not allow. Save the file as plain UTF-8 text.")
        raise LessonError((1, says)) from None
    raise LessonError((1, worded("the lesson is empty. Begin with a title.")))


def _is_open_quote(error: yaml.MarkedYAMLError) -> bool:
    """Return whether a quote is not closed before the text ends; it is the line of the quote that is to be mended."""
    return "quoted scalar" in (error.context or "")


def _in_plain_words(error: yaml.MarkedYAMLError, line: str) -> Message:
    """Describe what is wrong with a line, in words of ours for what happens to authors most."""
    problem = error.problem or error.context or worded("it cannot be read")
    if _is_open_quote(error) or re.search(r":\s*(?:\"[^\"]*\"|'[^']*')\s*\S", line):
        return worded("a text that begins with a quote must end with the same one, and have no other of it inside.")
    if problem.startswith("mapping values"):
        return worded("a colon is not expected here. Put a text with a colon in quotes, or on the next line after “>”.")
    if "\t" in line:
        return worded("there is a tab in this line. Use spaces.")
    if re.search(r":\s*[\[{*&%@`]", line):
        return worded("a text that begins with a sign such as “[” must stand in quotes.")
    if problem.startswith(("expected <block", "could not find expected ':'")):
        return worded("this line must begin as far right as its neighbours, with a name and a colon.")
    return worded("this is no YAML: {why}.", why=problem)


def _limit_events(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    for n_parts, event in enumerate(events):
        line = 1 + event.start_mark.line
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise LessonError(
                (
                    line,
                    worded(
                        "a text that begins with “&” or “*” must stand in quotes: a lesson has no anchors and aliases."
                    ),
                )
            )
        if getattr(event, "tag", None):
            raise LessonError((line, worded("a lesson has no tags (!). Take it away.")))
        if n_parts > MOST_PARTS:
            says = worded("a lesson has at most {most} parts. Make two of it.", most=f"{MOST_PARTS:,}")
            raise LessonError((line, says))
        yield event


def _part(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> YamlPart:
    line = 1 + event.start_mark.line
    if depth > DEEPEST:
        raise LessonError((line, worded("this is nested too deeply for a lesson.")))
    if isinstance(event, yaml.ScalarEvent):
        return Scalar(line=line, text=event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        return Items(line=line, items=tuple(_items(events, depth + 1)))
    return Entries(line=line, entries=tuple(_entries(events, depth + 1)))


def _items(events: Iterator[yaml.Event], depth: int) -> Iterator[YamlPart]:
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            return
        yield _part(event, events, depth)


def _entries(events: Iterator[yaml.Event], depth: int) -> Iterator[tuple[Scalar, YamlPart]]:
    known: set[str] = set()
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            return
        name = _part(event, events, depth)
        if not isinstance(name, Scalar):
            raise LessonError((name.line, worded("a name before a colon must be plain text.")))
        if name.text in known:
            raise LessonError((name.line, worded("{name} stands here twice. Keep one of them.", name=repr(name.text))))
        known.add(name.text)
        yield name, _part(next(events), events, depth)


def _nothing_more(events: Iterator[yaml.Event]) -> None:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            line = 1 + event.start_mark.line
            raise LessonError((line, worded("a file holds one lesson. Take what follows “---” away.")))
