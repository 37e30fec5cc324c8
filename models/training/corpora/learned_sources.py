"""The sources that a translator was trained on: their words, and a measure of how unlike them a sentence is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from models.text.familiarity import SourceBigrams, count_source_bigrams, known_sources
from models.text.source_words import FILE, known_words, words_as_read
from models.training.corpora.vocabulary import SEP_ID

FALSE_ALARMS = 0.05
"""Of unseen sentences of the very kind that was learned, so many are called unlike it: the limit is chosen so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSources:
    """Written beside a checkpoint: words, as `words_as_read` gives them, and a bigram model with its limit."""

    words: frozenset[str]
    bigrams: SourceBigrams

    def save(self, folder: Path) -> None:
        """Write both files into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text("\n".join(sorted(self.words)) + "\n", encoding="utf-8")
        self.bigrams.save(folder)


def learned_sources(
    typed: Sequence[str],
    unseen: Sequence[str],
    tokenizer: Tokenizer,
    forms: Callable[[str], Iterable[str]] = lambda word: (word,),
) -> LearnedSources:
    """Count the sources as they are `typed` for the training; `unseen` ones, which are not learned, set the limit.

    `forms` are those in which a word is typed at other times.
    """
    read = {word for source in typed for word in words_as_read(tokenizer, source) if any(map(str.isalpha, word))}
    words = {form for word in read for form in forms(word)}
    counted = count_source_bigrams(as_sources(typed, tokenizer), tokenizer.get_vocab_size())
    limit = float(np.quantile([counted.bits(ids) for ids in as_sources(unseen, tokenizer)], 1 - FALSE_ALARMS))
    return LearnedSources(words=frozenset(words), bigrams=replace(counted, limit=limit))


def as_sources(texts: Sequence[str], tokenizer: Tokenizer) -> Iterable[list[int]]:
    """The ids of texts as an encoder reads them, with the token that ends each."""
    return ([*encoded.ids, SEP_ID] for encoded in tokenizer.encode_batch(list(texts), add_special_tokens=False))


def read_learned_sources(folder: Path, d_vocab: int) -> LearnedSources:
    """Read the files that `LearnedSources.save` wrote. Raises FileNotFoundError if it is not there."""
    words, bigrams = known_words(folder), known_sources(folder, d_vocab)
    if words is None or bigrams is None:
        raise FileNotFoundError(f"{folder} does not say what was learned from.")
    return LearnedSources(words=words, bigrams=bigrams)
