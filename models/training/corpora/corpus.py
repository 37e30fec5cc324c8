"""From text files to one long array of word pieces with its sentence and document borders.

A file is UTF-8 text, plain or .xz; an empty line ends a document, every other line is a paragraph. A table beside it
(books.tsv beside books.txt.xz) may name the documents in its column "title"; else the first line is the title.
"""

from __future__ import annotations

import csv
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from models.training.corpora.vocabulary import OWN_SPECIALS, SpecialIds, special_ids

_SENTENCE_END = re.compile(r"""(?<=[.!?])["')]*\s+(?=["'(]*[A-Z0-9])""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text of one origin."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """`ids` [n_pieces], all sentences end to end; `sentence_starts` [n_sentences + 1] cuts them, its last entry is
    n_pieces; `document_of` [n_sentences] says which document a sentence belongs to; `special` is of its vocabulary."""

    ids: NDArray[np.int32]
    sentence_starts: NDArray[np.int64]
    document_of: NDArray[np.int32]
    special: SpecialIds = OWN_SPECIALS

    @property
    def n_pieces(self) -> int:
        """How many word pieces there are."""
        return int(self.ids.size)

    @property
    def n_sentences(self) -> int:
        """How many sentences there are."""
        return int(self.document_of.size)


def read_documents(paths: Iterable[Path]) -> Iterator[Document]:
    """The documents of all files, in order. Raises FileNotFoundError for a path that is not there."""
    for path in paths:
        titles = _titles(path)
        for number, paragraphs in enumerate(_paragraphs(path)):
            title = titles[number] if number < len(titles) else paragraphs[0]
            yield Document(title=title, sentences=tuple(_sentences(paragraphs)))


def split_documents(
    documents: Iterable[Document], held_out_titles: Sequence[str]
) -> tuple[list[Document], list[Document]]:
    """(documents to learn from, documents held out whole). Raises ValueError for a title that no document has."""
    learned: list[Document] = []
    held_out: list[Document] = []
    for document in documents:
        (held_out if document.title in held_out_titles else learned).append(document)
    missing = set(held_out_titles) - {document.title for document in held_out}
    if missing:
        raise ValueError(f"no document has the title {', '.join(sorted(missing))}.")
    return learned, held_out


def tokenize(documents: Sequence[Document], tokenizer: Tokenizer) -> Corpus:
    """Turn every sentence into word pieces, without special tokens."""
    ids: list[NDArray[np.int32]] = []
    lengths: list[int] = []
    document_of: list[int] = []
    for number, document in enumerate(documents):
        for encoding in tokenizer.encode_batch_fast(list(document.sentences), add_special_tokens=False):
            if encoding.ids:
                ids.append(np.array(encoding.ids, dtype=np.int32))
                lengths.append(len(encoding.ids))
                document_of.append(number)
    starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return Corpus(
        ids=np.concatenate(ids),
        sentence_starts=starts,
        document_of=np.array(document_of, dtype=np.int32),
        special=special_ids(tokenizer),
    )


def _paragraphs(path: Path) -> Iterator[list[str]]:
    paragraphs: list[str] = []
    is_packed = path.suffix.lower() == ".xz"
    with lzma.open(path, "rt", encoding="utf-8") if is_packed else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                paragraphs.append(line.strip())
            elif paragraphs:
                yield paragraphs
                paragraphs = []
    if paragraphs:
        yield paragraphs


def _titles(path: Path) -> list[str]:
    table = path.with_name(path.name.split(".")[0] + ".tsv")
    if not table.exists():
        return []
    with table.open(encoding="utf-8", newline="") as rows:
        return [row["title"] for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _sentences(paragraphs: Sequence[str]) -> Iterator[str]:
    return (part for paragraph in paragraphs for part in _SENTENCE_END.split(paragraph) if part.strip())
