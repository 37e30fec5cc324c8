"""Technical words that open their glossary entry in place.

In prose, such a word is a Markdown link to its entry, `[queries](#word-query)`, and an invisible component handles
clicks and Enter. Text that cannot hold a link, such as the label of a slider, has the entry as its help.
"""

from __future__ import annotations

import re

from ui.state.plain import plain
from ui.widgets.browser.browser_side import in_each_language
from viz.kit.glossary import entry, slug
from viz.kit.language import ENGLISH, language

MODULE = "page_words.js"
"""The frontend module, beside the viewer's; a browser fetches it and the entries once for all pages."""
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
    """Draw the invisible component that opens glossary entries, once, before anything else of the page."""
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
"""The patterns of the words in English prose, in which characters may be escaped. [MASK] is explained in its input
field."""
PARTICLES = "은|는|이|가|을|를|의|에|와|과|로|도|만|들|마다|부터|까지|보다|입니다|이라|이란|란|라고"
"""Particles after a Korean word: "키가" contains "키", "키보드" does not. The frontend has the same list."""


def link_words(markdown: str, *words: str) -> str:
    """Link the first occurrence of each of these words, of all words by default, to its glossary entry.

    For text that is assembled from parts; other text contains its links.
    """
    for word in words or FORMS:
        if f"(#word-{slug(word)})" not in markdown:
            markdown = _with_link(markdown, word)
    return markdown


def _with_link(markdown: str, word: str) -> str:
    return re.sub(form_of(word), lambda match: _link(match[0], slug(word)), markdown, count=1, flags=re.IGNORECASE)


def form_of(word: str) -> str:
    """Return the pattern of a word in the prose of the current language, from the name of its entry."""
    name = entry(word).word.partition("(")[0]
    if language() == ENGLISH or name.isascii():
        return FORMS[word]
    return rf"(?<!\w){re.escape(name)}(?=(?:{PARTICLES})|\W|$)"


def _link(text: str, to: str) -> str:
    escaped = re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", text)
    return f"[{escaped}](#word-{to})"


def help_of(*words: str) -> str:
    """Return the glossary entries of words as Markdown, for the help of a label."""
    return "\n\n".join(f"**{plain(item.word)}**: {plain(item.meaning)}" for item in map(entry, words))
