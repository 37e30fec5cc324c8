"""The language that a person reads, and the sentences in it: catalogues of GNU gettext, a folder each in `locale/`.

What is written in the code is English, and is the key; a sentence without a translation stays English. The language
is that of the thread: a page sets it when it begins.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from models.values.wording import Message, filled, to_say

FOLDER = Path(__file__).resolve().parents[2] / "locale"
DOMAIN = "headlight"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "ko": "한국어"}
"""What each is called in itself."""
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)

__all__ = ["ENGLISH", "LANGUAGES", "language", "read_in", "said", "speak", "to_say", "tr", "trn"]


def language() -> str:
    """The language that is spoken now, as in LANGUAGES."""
    return _language.get()


def speak(name: str) -> None:
    """From now on this thread speaks a language of LANGUAGES; English, for any other."""
    _language.set(name if name in LANGUAGES else ENGLISH)


@contextmanager
def read_in(name: str) -> Iterator[None]:
    """Speak a language inside."""
    before = _language.get()
    speak(name)
    try:
        yield
    finally:
        _language.set(before)


def tr(template: str, /, **values: object) -> str:
    """A sentence in the language that is spoken: {name} stands for a value. Without values, braces are braces."""
    return filled(_catalogue(language()).gettext(template), _said_values(values))


def trn(one: str, many: str, n: int, /, **values: object) -> str:
    """A sentence that counts: {n} stands for the number, by which the language chooses a form."""
    return filled(_catalogue(language()).ngettext(one, many, n), _said_values({"n": n, **values}))


def said(text: str) -> str:
    """What the core has said, in the language that is spoken: a Message, or a sentence of `to_say`. Any other text
    stays as it is."""
    if not isinstance(text, Message):
        return tr(text) if text else text
    values = dict(text.values)
    if not text.plural:
        return tr(text.template, **values)
    return trn(text.template, text.plural, int(str(values.pop("n"))), **values)


def _said_values(values: dict[str, object]) -> dict[str, object]:
    return {name: said(value) if isinstance(value, Message) else value for name, value in values.items()}


@cache
def _catalogue(name: str) -> gettext.NullTranslations:
    if name == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [name], fallback=True)
