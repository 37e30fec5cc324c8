"""What a translator learns that is shown the sentences of a grammar and nothing else (docs/parallel.md): a lesson, in
which every word is a piece."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from transformers import PreTrainedTokenizerFast

from models.scratch.config import TransformerConfig
from models.text.source_words import words_as_read
from models.training.corpora.learned_sources import learned_sources
from models.training.corpora.vocabulary import cased_wordpiece, writing_tokenizer
from models.training.tasks.translation import EncodedPairs, TranslationTask, encode_pairs
from recipes.sentences.parallel import Language, pairs
from recipes.sentences.parallel.typed import careless

PARTICLES = (
    "들에게",
    "들은",
    "들이",
    "들을",
    "들과",
    "에서",
    "에게",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "와",
    "과",
    "로",
)
"""The endings of Korean nouns in the grammar, the longest first; 들 marks several."""
STEM_ENDINGS = 2
"""With so many different endings a word comes apart where they begin: nouns, and an adjective here and there."""
PRONOUNS = ("저", "그", "그녀", "우리", "그들")
MAX_TOKENS = 64
LEARNED_SEED, HELD_OUT_SEED = 1, 2
HELD_OUT_PAIRS = 4000


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sources and their targets, line by line."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]


def draw_sentences(language: Language, n: int, *, seed: int, held_out: bool) -> Sentences:
    """`n` different pairs of the grammar."""
    found: dict[str, str] = {}
    for pair in pairs(language, seed, held_out):
        found.setdefault(pair.source, pair.target)
        if len(found) == n:
            break
    return Sentences(tuple(found), tuple(found.values()))


def parallel_tokenizer(sentences: Sentences) -> PreTrainedTokenizerFast:
    """Every word is a piece; a Korean noun and its particle are two. What no sentence had is [UNK]."""
    cut = cased_wordpiece([])
    english = {word for source in sentences.sources for word in words_as_read(cut, source)}
    english |= {word[0].lower() + word[1:] for word in english}
    written = {word for target in sentences.targets for word in words_as_read(cut, target)}
    return writing_tokenizer(cased_wordpiece([*sorted(english), *sorted(target_pieces(written))]), MAX_TOKENS)


def target_pieces(words: AbstractSet[str]) -> set[str]:
    """The words, those apart that are a noun with one of the PARTICLES; a particle begins with ##."""
    endings: dict[str, set[str]] = {pronoun: set(PARTICLES) for pronoun in PRONOUNS}
    for stem, particle in filter(None, map(_cut, words)):
        endings.setdefault(stem, set()).add(particle)
    nouns = {stem for stem, found in endings.items() if len(found) >= STEM_ENDINGS}
    parts = {word: _cut(word) for word in words}
    apart = {word: part for word, part in parts.items() if part is not None and part[0] in nouns}
    return (words - apart.keys()) | {piece for stem, particle in apart.values() for piece in (stem, f"##{particle}")}


def _cut(word: str) -> tuple[str, str] | None:
    """A word before and from its particle, if it may end in one."""
    for particle in PARTICLES:
        if word.endswith(particle) and len(word) > len(particle):
            return word.removesuffix(particle), particle
    return None


def grammar_task(language: Language, n_pairs: int, *, d_model: int, layers: int) -> TranslationTask:
    """The task of one language; everything in it follows from the numbers given."""
    learned = draw_sentences(language, n_pairs, seed=LEARNED_SEED, held_out=False)
    unseen = draw_sentences(language, HELD_OUT_PAIRS, seed=HELD_OUT_SEED, held_out=True)
    tokenizer = parallel_tokenizer(learned)
    config = TransformerConfig(
        d_vocab=len(tokenizer),
        d_model=d_model,
        n_layers=layers,
        n_heads=d_model // 32,
        d_ff=4 * d_model,
        max_tokens=MAX_TOKENS,
        n_segments=0,
        layer_norm_eps=1e-5,
    )
    typed = as_typed(learned)
    return TranslationTask(
        config,
        tokenizer,
        _encoded(tokenizer, typed, learned.targets),
        _encoded(tokenizer, unseen.sources, unseen.targets),
        sources=learned_sources(typed, unseen.sources, tokenizer.backend_tokenizer),
    )


def as_typed(learned: Sentences) -> list[str]:
    """The sources as this translator reads them, some typed carelessly."""
    chance = np.random.default_rng(LEARNED_SEED)
    return [careless(source, chance) for source in learned.sources]


def _encoded(tokenizer: PreTrainedTokenizerFast, sources: Sequence[str], targets: Sequence[str]) -> EncodedPairs:
    """Pairs as ids, within the positions of the model."""
    return encode_pairs(tokenizer, sources, targets, max_tokens=MAX_TOKENS)
