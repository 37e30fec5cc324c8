"""The current language and translations into it: GNU gettext catalogues, one folder for each language in `locale/`.

What is written in the code is English, and is the key; a sentence without a translation stays English. The language
is that of the thread: a page sets it when it begins.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from models.values.wording import Message, fill_gaps, to_say

FOLDER = Path(__file__).resolve().parents[2] / "locale"
DOMAIN = "headlight"
BROWSER = "browser.json"
"""The sentences of the browser side, beside the catalogue that they come from."""
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "ko": "한국어"}
"""The languages by code, each with its own name for itself."""
_ACCEPTED = re.compile(r"(?:^|,)\s*([A-Za-z]+)(?:-[\w-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*(?=,|$)")
Work = TypeVar("Work")
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "browser_catalogue",
    "in_this_language",
    "language",
    "preferred_language",
    "read_in",
    "said",
    "shown",
    "speak",
    "to_say",
    "tr",
    "trn",
    "write_count",
]


def language() -> str:
    """Return the code of the current language, one of LANGUAGES."""
    return _language.get()


def speak(name: str) -> None:
    """Set the current language of this thread, one of LANGUAGES; English for any other name."""
    _language.set(name if name in LANGUAGES else ENGLISH)


@contextmanager
def read_in(name: str) -> Iterator[None]:
    """Switch to a language within the context."""
    before = _language.get()
    speak(name)
    try:
        yield
    finally:
        _language.set(before)


def tr(template: str, /, **values: object) -> str:
    """Translate a sentence to the current language and fill in `values` for {name}. Without values, braces are
    braces."""
    return fill_gaps(_catalogue(language()).gettext(template), _said_values(values))


def trn(one: str, many: str, n: int, /, **values: object) -> str:
    """Translate a sentence with a count, {n}, by which the language chooses the plural form."""
    return fill_gaps(_catalogue(language()).ngettext(one, many, n), _said_values({"n": n, **values}))


def said(text: str) -> str:
    """Translate text of the core, a Message or a sentence of `to_say`, to the current language. Any other text stays as
    it is."""
    if not isinstance(text, Message):
        return tr(text) if text else text
    values = dict(text.values)
    if not text.plural:
        return tr(text.template, **values)
    return trn(text.template, text.plural, int(str(values.pop("n"))), **values)


def shown(text: str) -> str:
    """Translate a Message to the current language. Any other text stays as it is: it may be a reader's, or a token, and
    have a translation by chance."""
    return said(text) if isinstance(text, Message) else text


def write_count(count: int) -> str:
    """Return a large count to three digits, in the units that the current language counts in: "22.9 million", and in
    Korean "2,290만", "1억 1,000만"."""
    rounded = round(count, 3 - len(str(count)))
    if language() == "ko":
        parts = []
        for unit, size in (("조", 10**12), ("억", 10**8), ("만", 10**4), ("", 1)):
            whole, rounded = divmod(rounded, size)
            parts += [f"{whole:,}{unit}"] * (whole > 0)
        return " ".join(parts) or "0"
    for unit, size in (("billion", 10**9), ("million", 10**6)):
        if rounded >= size:
            return f"{rounded / size:,g} {unit}"
    return f"{rounded:,}"


def in_this_language(work: Callable[[], Work]) -> Callable[[], Work]:
    """Wrap a function so that it runs in the current language when called later or by another thread."""
    spoken = language()

    def working() -> Work:
        with read_in(spoken):
            return work()

    return working


def browser_catalogue() -> dict[str, Any] | None:
    """Return the translations for the browser side, {language, sentences}; None for English."""
    return None if language() == ENGLISH else {"language": language(), **_browser_sentences(language())}


def preferred_language(accepted: str) -> str:
    """Return the language of LANGUAGES that a browser prefers, from its Accept-Language (RFC 9110, section 12.5.4):
    "ko-KR,ko;q=0.9,en;q=0.8". English if it names none of them."""
    liked: dict[str, float] = {}
    for name, quality in _ACCEPTED.findall(accepted):
        weight = float(quality or 1)
        if weight > 0 and name.lower() in LANGUAGES:
            liked[name.lower()] = max(weight, liked.get(name.lower(), 0.0))
    return max(liked, key=lambda name: liked[name], default=ENGLISH)


@cache
def _browser_sentences(name: str) -> dict[str, Any]:
    place = FOLDER / name / BROWSER
    kept: dict[str, Any] = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {"sentences": {}}
    return kept


def _said_values(values: dict[str, object]) -> dict[str, object]:
    return {name: said(value) if isinstance(value, Message) else value for name, value in values.items()}


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    if name == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [name], fallback=True)
