"""Words that a model does not know, which it reads as its one token for everything unknown, by their sort.

A tokenizer without a piece for a word or a sign puts "[UNK]" there (Devlin et al. 2018, section 4; "<unk>" elsewhere).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from models.values.record import Token
from models.values.text.unknown import UNKNOWN_TOKENS

LONGEST_WORD = 100
"""Characters: WordPiece does not take a longer word apart (`max_input_chars_per_word` of the tokenizers library)."""
MULTILINGUAL = "multilingual"
"""Names in a model card for many languages that are not listed."""
SCRIPTS = {"en": ("LATIN",), "es": ("LATIN",), "ko": ("HANGUL",)}
"""How the languages of our registry are written, by their ISO 639-1 codes, as Unicode names letters."""
Sort = Literal["word", "script", "sign", "long"]
"""A word of a script that the model reads; one of another script; one with an emoji or another sign; a too long one."""
_TYPED_TOKEN = re.compile(r"\[[A-Z]+\]|<[a-z]+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownWord:
    """A word, or some signs side by side, as the reader typed it; `script` as Unicode names it, empty for signs."""

    text: str
    sort: Sort
    script: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownText:
    """The unknown `words` of a text in their order, each time they occur, of its `n_words` words; signs are no words.

    All that is unknown is `read_as` one token. Of `n_unplaced` tokens the tokenizer does not say where they stand.
    `spelled` are words for which there are pieces, letters mostly, in a script that none of the model's languages has.
    """

    words: tuple[UnknownWord, ...]
    n_words: int
    n_unplaced: int = 0
    read_as: str = ""
    spelled: tuple[UnknownWord, ...] = ()

    def of(self, *sorts: Sort) -> tuple[str, ...]:
        """The unknown words of these sorts, each once."""
        return tuple(dict.fromkeys(word.text for word in self.words if word.sort in sorts))

    @property
    def n_unknown(self) -> int:
        """How many of the words are unknown."""
        return sum(word.sort != "sign" for word in self.words)

    @property
    def is_mostly_unknown(self) -> bool:
        """Whether most of the words are, or are only spelled."""
        return 2 * (self.n_unknown + len(self.spelled)) > self.n_words

    @property
    def scripts(self) -> tuple[str, ...]:
        """The other scripts that its words are written in, each once."""
        return tuple(dict.fromkeys(word.script for word in (*self.words, *self.spelled) if word.sort == "script"))


def find_unknown(tokens: Sequence[Token], texts: Sequence[str], languages: Collection[str] = ()) -> UnknownText:
    """Return the unknown words of `texts`, sentence A and perhaps B, among the tokens that a model reads.

    `languages` are those of the model, as in SCRIPTS, empty where nobody knows; a script of which it knows a word here
    is none of the others. "[UNK]" that the reader typed is what it says, and no finding.
    """
    spans = _word_spans(tokens)
    unknown = [token for token in tokens if token.text in UNKNOWN_TOKENS and not token.is_special]
    placed = {
        _place(token): None
        for token in unknown
        if token.start is not None
        and token.start != token.end
        and texts[token.segment][token.start : token.end] != token.text
    }
    written = {
        place: texts[place[0]][slice(*span)]
        for place, span in spans.items()
        if not _TYPED_TOKEN.fullmatch(texts[place[0]][slice(*span)])
    }
    known = {script for place, text in written.items() if place not in placed for script in scripts_of(text)}
    read = known | scripts_of_languages(languages)
    return UnknownText(
        words=tuple(_classify(written[place], read) for place in placed if place in written),
        n_words=sum(any(map(str.isalnum, text)) for text in written.values()),
        n_unplaced=sum(token.start is None or token.start == token.end for token in unknown),
        read_as=unknown[0].text if unknown else "",
        spelled=tuple(
            _classify(text, scripts_of_languages(languages))
            for place, text in written.items()
            if place not in placed and not may_read(text, languages)
        ),
    )


def scripts_of(text: str) -> frozenset[str]:
    """The scripts of the letters of a text, as Unicode names them: "LATIN", "HANGUL", "CJK"."""
    return frozenset(_script(letter) for letter in unicodedata.normalize("NFKC", text) if letter.isalpha())


def scripts_of_languages(languages: Collection[str]) -> frozenset[str]:
    """How these languages are written; in Latin letters where nobody knows a model's language."""
    return frozenset(script for language in languages for script in SCRIPTS.get(language, ())) or frozenset({"LATIN"})


def may_read(text: str, languages: Collection[str]) -> bool:
    """Whether a model of these languages may have learned the letters of a text; yes where nobody knows them."""
    if not languages or MULTILINGUAL in languages:
        return True
    return scripts_of(text) <= scripts_of_languages(languages) | {"LATIN"}


def unread_script(texts: Sequence[str], languages: Collection[str]) -> str:
    """Return the script of most words of the texts if a model of these languages reads another one; empty otherwise.

    Empty too where nobody knows the languages. Unlike `find_unknown` it needs no tokens.
    """
    if not languages or MULTILINGUAL in languages:
        return ""
    words = [word for text in texts for word in _TYPED_TOKEN.sub(" ", text).split() if any(map(str.isalpha, word))]
    by_script = Counter(script for word in words for script in scripts_of(word))
    script, count = by_script.most_common(1)[0] if by_script else ("", 0)
    return script if 2 * count > len(words) and script not in scripts_of_languages(languages) else ""


def _place(token: Token) -> tuple[int, int]:
    """The word of a token, or, for one without, its beginning, which is no word's number."""
    return token.segment, token.word if token.word is not None else -1 - (token.start or 0)


def _word_spans(tokens: Sequence[Token]) -> dict[tuple[int, int], tuple[int, int]]:
    """From where to where each word of the texts reaches, by `_place`, in their order."""
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for token in tokens:
        if token.start is not None and token.end is not None and not token.is_special:
            start, end = spans.get(_place(token), (token.start, token.end))
            spans[_place(token)] = min(start, token.start), max(end, token.end)
    return spans


def _classify(text: str, read: Collection[str]) -> UnknownWord:
    """An unknown word with its sort: what is likeliest to be why."""
    other = sorted(scripts_of(text).difference(read))
    if other:
        return UnknownWord(text=text, sort="script", script=other[0])
    if len(text) > LONGEST_WORD:
        return UnknownWord(text=text, sort="long")
    is_word = all(map(_is_of_a_word, text))
    return UnknownWord(text=text, sort="word" if is_word else "sign")


def _is_of_a_word(character: str) -> bool:
    """Whether it is a letter, a digit, a mark on one, or a mark between words: everything but symbols and emoji."""
    return unicodedata.category(character)[0] in "LNMP" or character.isspace()


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """The first word of the letter's name is its script; those of Latin-1 ("ª") have names of their own."""
    return "LATIN" if ord(letter) < 256 else unicodedata.name(letter, "UNKNOWN").split()[0]
