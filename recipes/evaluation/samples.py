"""Sentences and pairs of a corpus, spread over it: what the heads of a model are watched on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.training.corpora.corpus import Corpus


def sample_texts(corpus: Corpus, tokenizer: Tokenizer, n: int) -> list[str]:
    """Sentences of a corpus of 10 to 60 pieces, spread over it."""
    return [_sentence(corpus, tokenizer, at) for at in _spread(_fitting(corpus), n)]


def sample_pairs(corpus: Corpus, tokenizer: Tokenizer, n: int) -> list[tuple[str, str]]:
    """Neighbours of 10 to 60 pieces each, of one document, spread over a corpus."""
    fitting = _fitting(corpus)
    documents = corpus.document_of
    first = [at for at, after in pairwise(fitting) if after == at + 1 and documents[at] == documents[after]]
    return [
        (_sentence(corpus, tokenizer, at), _sentence(corpus, tokenizer, at + 1)) for at in _spread(np.array(first), n)
    ]


def _fitting(corpus: Corpus) -> NDArray[np.intp]:
    lengths = np.diff(corpus.sentence_starts)
    return np.flatnonzero((lengths >= 10) & (lengths <= 60))


def _spread(sentences: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    return sentences[np.linspace(0, sentences.size - 1, n).astype(np.int64)]


def _sentence(corpus: Corpus, tokenizer: Tokenizer, at: int) -> str:
    start, end = corpus.sentence_starts[at : at + 2]
    text: str = tokenizer.decode(corpus.ids[start:end].tolist())
    return text
