"""Names that begin with a prefix, and the part of the app that has models of such names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSource:
    """Where models come from that are in no list: a part of the app that makes some, and gives them names of its own.

    `knows` says whether a name is one of its names, `folder_of` where that model lies (it raises ModelNotFoundError for
    one that is gone), `is_strangers` whether somebody else has made it: it is then opened in a process of its own.
    `languages_of` gives the ISO 639-1 codes of the languages that it reads, as far as they are known.
    """

    knows: Callable[[str], bool]
    folder_of: Callable[[str], Path]
    is_strangers: Callable[[str], bool]
    languages_of: Callable[[str], tuple[str, ...]]


_sources: dict[str, FolderSource] = {}


def register(prefix: str, source: FolderSource) -> None:
    """Open names that begin with `prefix` by way of a source from now on; the app does this at its start."""
    _sources[prefix] = source


def source_of(name: str) -> FolderSource | None:
    """The registered source of a name, None for one of the list, of the hub, or of a folder."""
    return next((source for prefix, source in _sources.items() if name.startswith(prefix) and source.knows(name)), None)


def is_strangers(name: str) -> bool:
    """Whether a model was brought by a stranger, so that it is opened in a process of its own."""
    source = source_of(name)
    return source is not None and source.is_strangers(name)
