"""How a translator is told languages: by settings of its tokenizer, by a tag before the text, or by a task in words.

NLLB, M2M, mBART and SeamlessM4T have a token for every language; Marian reads ">>fra<<" and MADLAD "<2fr>" before the
text; T5 reads "translate English to German: ", which its configuration lists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from models.text.languages.ids import language_ids
from models.text.languages.turn import TokenizerTurn
from models.text.pieces import encode
from models.values.errors import SelectionError, TextError
from models.values.text.languages import ENGLISH, FRENCH, Languages, bare, nearest, of_language
from models.values.wording import worded

_TAG = re.compile(r">>\w[\w-]*<<|<2[a-z]{2,3}(?:_[A-Za-z]+)*>")
_TAG_AHEAD = re.compile(r"\s*(>>\w[\w-]*<<|<2[a-z]{2,3}(?:_[A-Za-z]+)*>)")
_PAIR = re.compile(r"translation_(\w+)_to_(\w+)")
"""How T5's configuration names a task of translation."""
_LETTER = "a"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageCodes:
    """The languages of a tokenizer, and how they are told.

    `ids` are the tokens of languages that the tokenizer itself adds to a text. `starts` says whether a decoder starts
    with that token, as mBART's; else it writes it first. `before` is what stands before a text in the place of these
    tokens, by source and target; a source may be empty.
    """

    languages: Languages
    ids: Mapping[str, int] = field(default_factory=dict)
    starts: bool = False
    before: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def choose(self, languages: Languages, *, source: str, target: str) -> Languages:
        """Return languages with others in use. Raises SelectionError for one that is not there, and for a pair that the
        model has no task for."""
        chosen = languages.choose(source=source, target=target)
        if self.before and chosen.target and (chosen.source, chosen.target) not in self.before:
            pairs = [f"{one} → {other}" for one, other in self.before]
            raise SelectionError(
                worded(
                    "This model does not translate from {source} into {target}. It knows these pairs: {pairs}.",
                    source=chosen.source,
                    target=chosen.target,
                    pairs=", ".join(pairs),
                )
            )
        return chosen

    @property
    def has_tags(self) -> bool:
        """Whether a language is a tag before the text."""
        return any(map(_TAG.match, self.before.values()))

    def typed_before(self, text: str) -> str:
        """Return what a person typed before a text to choose a language; empty if nothing.

        Raises TextError for the tag of a language that is not there.
        """
        if not self.has_tags:
            return next((prefix for prefix in self.before.values() if text.lstrip().startswith(prefix.strip())), "")
        tag = _TAG_AHEAD.match(text)
        if tag is None:
            return ""
        if tag[1] not in map(str.strip, self.before.values()):
            raise TextError(
                worded(
                    "The text begins with {tag}, and this model does not write that language. The nearest of its {n} "
                    "languages: {nearest}.",
                    tag=tag[1],
                    n=len(self.languages.targets),
                    nearest=", ".join(nearest(bare(tag[1]), self.languages.targets)),
                )
            )
        if not text[tag.end() :].strip():
            raise TextError(worded("The text has nothing but {tag}. Type a few words after it.", tag=tag[1]))
        return tag[1]


def language_codes_of(
    tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig, generation: Any, *, d_vocab: int
) -> LanguageCodes | None:
    """Return the languages that can be chosen for a model; None if there is no choice."""
    ids = {code: token_id for code, token_id in language_ids(tokenizer).items() if token_id < d_vocab}
    if ids:
        return _by_tokens(tokenizer, config, generation, ids)
    before = (_tags(tokenizer) or _tasks(config)) if config.is_encoder_decoder else {}
    if not before:
        return None
    sources = tuple(dict.fromkeys(source for source, _ in before if source))
    targets = tuple(dict.fromkeys(target for _, target in before))
    is_tagged = not sources
    target = (of_language(FRENCH, targets) or targets[0]) if is_tagged else ""
    languages = Languages(sources=sources, targets=targets, source=sources[0] if sources else "", target=target)
    return LanguageCodes(languages=languages, before=before)


def task_prefixes(config: PreTrainedConfig) -> tuple[str, ...]:
    """Return what a model was told before a text in training, as its configuration lists it."""
    tasks: Any = getattr(config, "task_specific_params", None)
    prefixes = (
        [task.get("prefix") for task in tasks.values() if isinstance(task, dict)] if isinstance(tasks, dict) else []
    )
    return tuple(dict.fromkeys(prefix for prefix in prefixes if isinstance(prefix, str) and prefix.strip()))


def _tasks(config: PreTrainedConfig) -> dict[tuple[str, str], str]:
    """The words before a text for each pair of languages."""
    tasks: Any = getattr(config, "task_specific_params", None)
    prefixes = {}
    for name, settings in tasks.items() if isinstance(tasks, dict) else ():
        pair, told = _PAIR.fullmatch(str(name)), settings.get("prefix") if isinstance(settings, dict) else None
        if pair is not None and isinstance(told, str) and told.strip():
            prefixes[pair[1], pair[2]] = told
    return prefixes


def _tags(tokenizer: PreTrainedTokenizerBase) -> dict[tuple[str, str], str]:
    """The tag of the vocabulary before a text, for each language that a model writes."""
    return {("", bare(piece)): f"{piece} " for piece in sorted(tokenizer.get_vocab()) if _TAG.fullmatch(piece)}


def _by_tokens(
    tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig, generation: Any, ids: Mapping[str, int]
) -> LanguageCodes:
    codes = tuple(ids)
    own: Any = tokenizer
    source = bare(own.src_lang or "")
    source = source if source in ids else of_language(ENGLISH, codes) or codes[0]
    if not config.is_encoder_decoder:
        return LanguageCodes(languages=Languages(sources=codes, source=source), ids=ids)
    said = (
        getattr(settings, name, None)
        for settings in (generation, config)
        for name in ("forced_bos_token_id", "decoder_start_token_id")
    )
    configured = next((code for token_id in said for code in codes if ids[code] == token_id), "")
    target = configured or bare(own.tgt_lang or "")
    if target not in ids or (not configured and target == source):
        others = [code for code in codes if code != source] or codes
        target = of_language(FRENCH, others) or of_language(ENGLISH, others) or others[0]
    languages = Languages(sources=codes, targets=codes, source=source, target=target)
    with TokenizerTurn(tokenizer, Lock(), languages):
        written: list[int] = encode(tokenizer, _LETTER, is_target=True)["input_ids"]
    return LanguageCodes(languages=languages, ids=ids, starts=written[-1] == ids[target])
