"""Words that a newcomer meets open their entry of the glossary where they stand.

In prose, such a word is a link of Markdown to its entry, `[queries](#word-query)`: a component without a picture hears
the clicks on those, and Enter is one. What cannot hold a link, as the label of a slider, has the entry as its help.
"""

from __future__ import annotations

import re

from ui.state.plain import plain
from ui.widgets.browser_side import in_each_language
from viz.kit.glossary import entry, slug
from viz.kit.language import ENGLISH, language

MODULE = "page_words.js"
"""The browser side, which lies beside the viewer's: a browser fetches it, and the entries, once for all pages."""
_KEY = "headlight_words"

_STYLE = """
[popover] {
  position: fixed; inset: auto; box-sizing: border-box; max-width: min(26rem, calc(100vw - 1rem)); margin: 0;
  padding: 1rem;
  border: 1px solid var(--st-border-color); border-radius: 0.5rem; background: var(--st-background-color);
  color: var(--st-text-color); font-size: 1rem; line-height: 1.4; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 25%);
}
p { margin: 0.25rem 0; }
code { font-size: 0.875rem; opacity: 0.8; }
"""

_words = in_each_language(
    _KEY,
    module=MODULE,
    html='<div popover="auto" role="dialog" tabindex="-1"><strong></strong><p></p><code></code></div>',
    css=_STYLE,
)


def open_words() -> None:
    """Let the words of a page be opened. Draw it once, before anything else of the page."""
    _words(key=_KEY, height=1)


FORMS: dict[str, str] = {
    "word piece": r"##\w|\bword pieces?\b",
    "layer": r"\blayers?\b",
    "head": r"\bheads?\b",
    "query": r"\bquer(?:y|ies)\b",
    "key": r"\bkeys?\b",
    "value": r"\bvalues?\b",
    "scores": r"\bscores?\b",
    "softmax": r"\bsoftmax\b",
    "weights": r"\bweights?\b",
    "logit": r"\blogits?\b",
    "[CLS]": r"\\?\[CLS\\?\]",
    "[SEP]": r"\\?\[SEP\\?\]",
}
"""Patterns of the words in English prose, where characters may be escaped. [MASK] is explained in the input field."""
PARTICLES = "은|는|이|가|을|를|의|에|와|과|로|도|만|들|마다|부터|까지|보다|입니다|이라|이란|란|라고"
"""Particles after a Korean word: "키가" is of "키", "키보드" is not. The browser side has the same."""


def linked(markdown: str, *words: str) -> str:
    """Return Markdown in which the first occurrence of each of these words, of all if none are named, is a link to its
    entry. For texts that are assembled from parts; a text in one piece contains its links itself."""
    for word in words or FORMS:
        if f"(#word-{slug(word)})" not in markdown:
            markdown = _with_link(markdown, word)
    return markdown


def _with_link(markdown: str, word: str) -> str:
    return re.sub(form_of(word), lambda found: _link(found[0], slug(word)), markdown, count=1, flags=re.IGNORECASE)


def form_of(word: str) -> str:
    """Return the pattern of a word in prose of the current language: that of the name of its entry."""
    called = entry(word).word.partition("(")[0]
    if language() == ENGLISH or called.isascii():
        return FORMS[word]
    return rf"(?<!\w){re.escape(called)}(?=(?:{PARTICLES})|\W|$)"


def _link(text: str, to: str) -> str:
    escaped = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", text)
    return f"[{escaped}](#word-{to})"


def help_of(*words: str) -> str:
    """Return the help of a label: the entries of words, as Markdown."""
    return "\n\n".join(f"**{plain(each.word)}**: {plain(each.meaning)}" for each in map(entry, words))
