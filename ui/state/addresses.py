"""Write the reader's choices into the address of the app, and parse them; an address is untrusted text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote_plus

from ui.shared.links import MOST_CHARACTERS, links
from ui.state.choices import CHOICES, DEFAULTS, Selection
from viz.kit.parsing import written

ALWAYS = frozenset({"text", "model", "layer", "head"})
"""Choices that the address contains even where they are the default."""
MAX_LINK = 2000
"""The most characters of an address, URL-encoded: servers refuse longer ones."""
SHORT_LINK = "link"
"""The URL parameter with the short name of long choices that the server keeps."""
_GIVEN_AWAY = ("lesson_text",)
"""Choices that are never shortened: a lesson in a link opens on any server."""


def read_address(address: Mapping[str, str]) -> dict[str, Any]:
    """Parse the choices in an address; invalid ones are left out."""
    chosen: dict[str, Any] = {}
    for name in filter(address.__contains__, CHOICES):
        try:
            chosen[name] = CHOICES[name].parse(address[name])
        except ValueError:
            continue
    return chosen


def to_address(selection: Selection) -> dict[str, str]:
    """Return the URL parameters of a selection: sentence, model, layer and head always, others unless they are the
    default."""
    values = {name: getattr(selection, name) for name in CHOICES}
    return {name: written(value) for name, value in values.items() if name in ALWAYS or value != DEFAULTS[name]}


def shorten_address(address: Mapping[str, str], keep: Callable[[Mapping[str, str]], str | None]) -> dict[str, str]:
    """Shorten an address to MAX_LINK: its longest values are replaced by a name from `keep`, or dropped if it returns
    None."""
    length = {name: len(quote_plus(value)) for name, value in address.items()}
    room, long = MAX_LINK - sum(map(length.__getitem__, set(address) - set(_GIVEN_AWAY))), []
    for name in sorted(set(address) - set(_GIVEN_AWAY), key=length.__getitem__, reverse=True):
        if room >= 0:
            break
        long.append(name)
        room += length[name]
    if not long:
        return dict(address)
    link = keep({name: address[name] for name in long})
    return {name: value for name, value in address.items() if name not in long} | ({SHORT_LINK: link} if link else {})


def expand_address(address: Mapping[str, str]) -> dict[str, str]:
    """Return the address with the values of its short link, if the server still has them."""
    values = links().find(address[SHORT_LINK]) if SHORT_LINK in address else None
    return (values or {}) | dict(address)


def is_lost(address: Mapping[str, str]) -> bool:
    """Return whether an address has a short link that this server does not know."""
    return SHORT_LINK in address and links().find(address[SHORT_LINK]) is None


def fit_into_a_link(texts: Iterable[str]) -> bool:
    """Return whether these texts fit into an address or a short link."""
    return sum(map(len, texts)) < MOST_CHARACTERS
