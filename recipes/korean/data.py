"""Prepare the text of a run once: cut into pieces, the held-out part apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, normalizers

from models.training.corpora.corpus import Corpus, Document
from models.training.corpora.vocabulary import special_ids
from recipes.corpora.data import load_corpus, save_corpus
from recipes.korean.questions import PARTICLES
from recipes.korean.texts import (
    BLOCK_LINES,
    HELD_OUT_REVIEWS,
    PARALLEL,
    PROSE,
    REVIEWS,
    SENTENCES,
    Line,
    read_lines,
    read_parallel,
    read_reviews,
    split_sentences,
)

SOURCES = (REVIEWS, PROSE, SENTENCES, PARALLEL)
HELD_OUT = "-held-out"
TOKENIZER, STARTS = "tokenizer.json", "starts.npy"
CHUNK = 4096
"""Sentences that are cut at a time."""


def prepare(folder: Path, korean: Path, parallel: Path, tokenizer_file: Path) -> None:
    """Cut all text into pieces and leave it in `folder`, unless it is there."""
    if (folder / TOKENIZER).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    prose = list(read_lines(korean / f"{PROSE}.tsv.xz"))
    sentences = list(read_lines(korean / f"{SENTENCES}.tsv.xz"))
    pairs = list(read_parallel(parallel / f"{PARALLEL}.tsv.xz"))
    parts: dict[str, Iterable[Document]] = {
        REVIEWS: _lone(text for _, text in read_reviews(korean, REVIEWS)),
        REVIEWS + HELD_OUT: _lone(text for _, text in read_reviews(korean, HELD_OUT_REVIEWS)),
        PROSE: _blocks(prose, held_out=False),
        PROSE + HELD_OUT: _blocks(prose, held_out=True),
        SENTENCES: _lone(line.text for line in sentences if not line.is_held_out),
        SENTENCES + HELD_OUT: _lone(line.text for line in (*sentences, *pairs) if line.is_held_out),
        PARALLEL: _lone(line.text for line in pairs if not line.is_held_out),
    }
    for name, documents in parts.items():
        save_corpus(cut_documents(list(documents), tokenizer), folder / f"{name}.npz")
    np.save(folder / STARTS, starts_of_words(tokenizer))
    tokenizer.save(str(folder / TOKENIZER))


def cut_documents(documents: Sequence[Document], tokenizer: Tokenizer) -> Corpus:
    """Cut clean sentences into pieces, without special tokens; `texts.clean` has normalised them but for capitals."""
    quick = Tokenizer.from_str(tokenizer.to_str())
    quick.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    sentences = [(number, text) for number, document in enumerate(documents) for text in document.sentences]
    ids: list[NDArray[np.int32]] = []
    document_of: list[int] = []
    for first in range(0, len(sentences), CHUNK):
        chunk = sentences[first : first + CHUNK]
        encodings = quick.encode_batch_fast([text for _, text in chunk], add_special_tokens=False)
        for (number, _), encoding in zip(chunk, encodings, strict=True):
            if encoding.ids:
                ids.append(np.array(encoding.ids, dtype=np.int32))
                document_of.append(number)
    starts = np.concatenate(([0], np.cumsum([piece.size for piece in ids], dtype=np.int64)))
    return Corpus(
        ids=np.concatenate(ids),
        sentence_starts=starts,
        document_of=np.array(document_of, dtype=np.int32),
        special=special_ids(tokenizer),
    )


def open_texts(folder: Path) -> dict[str, Corpus]:
    """Open what `prepare` left: the sources, and the held-out part of three of them."""
    names = (*SOURCES, *(name + HELD_OUT for name in SOURCES if name != PARALLEL))
    return {name: load_corpus(folder / f"{name}.npz") for name in names}


def starts_of_words(tokenizer: Tokenizer) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell for every piece whether a word begins with it [d_vocab]."""
    ids = tokenizer.get_vocab()
    starts = np.ones(len(ids), dtype=np.bool_)
    for piece, number in ids.items():
        starts[number] = not piece.startswith("##") or len(piece) == 2
    return starts


def beginnings_of_words(tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Return for every piece the same letters at the beginning of a word, 을 for ##을; itself where there is none."""
    ids = tokenizer.get_vocab()
    beginnings = np.arange(len(ids))
    for piece, number in ids.items():
        beginnings[number] = ids.get(piece.removeprefix("##"), number)
    return beginnings


def kinds_of_pieces(tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Return for every piece the number of its kind of particle [d_vocab]; -1 for one that is no particle."""
    ids = tokenizer.get_vocab()
    kinds = np.full(len(ids), -1)
    for number, forms in enumerate(PARTICLES.values()):
        kinds[[ids[f"##{particle}"] for particle in forms]] = number
    return kinds


def _lone(texts: Iterable[str]) -> Iterator[Document]:
    return (Document(title="", sentences=(text,)) for text in texts)


def _blocks(lines: Iterable[Line], *, held_out: bool) -> Iterator[Document]:
    """Yield neighbouring paragraphs of one source as a document."""
    numbered = enumerate(lines)
    for (source, _), block in groupby(numbered, key=lambda pair: (pair[1].source, pair[0] // BLOCK_LINES)):
        kept = [line.text for _, line in block if line.is_held_out == held_out]
        sentences = tuple(sentence for text in kept for sentence in split_sentences(text))
        if sentences:
            yield Document(title=source, sentences=sentences)
