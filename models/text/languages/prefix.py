"""The language codes before the text of a translator, and the note about them for a person."""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.text.languages.codes import LanguageCodes
from models.values.text.languages import Languages, bare
from models.values.wording import join_sentences, to_say, worded

_TAG_OF_OTHERS = re.compile(
    r"\s*(>>\w[\w-]*<<|<2\w+>|__\w{2,3}__|[a-z]{3}_[A-Z][a-z]{3}(?!\w)|[a-z]{2}_[A-Z]{2}(?!\w))"
)
"""How other models of many languages are told one in the text: Marian, MADLAD, M2M, NLLB, mBART."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldText:
    """The words `before` a text, how many of its characters are skipped for them, and the languages that were taken,
    in a sentence; empty if there are none."""

    before: str = ""
    skip: int = 0
    note: str = ""


def find_prefix(text: str, codes: LanguageCodes | None, languages: Languages | None) -> ToldText:
    """Return a text with what chooses its languages; what a person typed for that goes before what is chosen.

    Raises TextError for the tag of a language that the model does not know.
    """
    if codes is None or languages is None:
        return ToldText()
    if codes.ids:
        tag = _TAG_OF_OTHERS.match(text)
        note = _describe_languages(languages.source, languages.target)
        return ToldText(note=join_sentences(note, _describe_tag(tag[1]) if tag and tag[1] not in codes.ids else ""))
    typed = codes.typed_before(text)
    if typed and codes.has_tags:
        return ToldText(
            skip=text.index(typed), note=_describe_languages("", bare(typed))
        )  # Marian reads it at the very beginning
    if typed:
        source, target = next(pair for pair, before in codes.before.items() if before == typed)
        return ToldText(note=_describe_languages(source, target))
    before = codes.before.get((languages.source, languages.target), "")
    return ToldText(before=before, note=_describe_languages(languages.source, languages.target) if before else "")


def _describe_languages(source: str, target: str) -> str:
    if not source:
        return worded("Translated into {target}.", target=target)
    if not target:
        return worded("Read as {source}.", source=source)
    note = worded("Read as {source}, translated into {target}.", source=source, target=target)
    return join_sentences(note, to_say("Both are the same language: expect a copy.") if source == target else "")


def _describe_tag(tag: str) -> str:
    return worded(
        "{tag} at the beginning is read as ordinary text: choose the languages of this model, they are not typed.",
        tag=tag,
    )
