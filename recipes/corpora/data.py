"""The text of a run, tokenized once and kept beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from models.training.corpora.corpus import Corpus, Document, read_documents, split_documents, tokenize
from models.training.corpora.vocabulary import SpecialIds, train_wordpiece
from recipes.sentences.classroom.passages import Classroom

CLASSROOM_SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingData:
    """The text to learn from, the text held out, the classroom sentences (None where there are none), and the tokenizer
    learned on all that is learned from."""

    tokenizer: Tokenizer
    learned: Corpus
    held_out: Corpus | None
    classroom: Corpus | None = None
    classroom_held_out: Corpus | None = None


def prepare_data(
    folder: Path,
    paths: Sequence[Path],
    held_out_titles: Sequence[str],
    d_vocab: int,
    *,
    passages: int = 0,
    tokenizer: Tokenizer | None = None,
) -> TrainingData:
    """Read, split and tokenize the text, with `passages` classroom passages of every family, or reopen what an earlier
    sitting of the same run left in `folder`. The vocabulary is that of `tokenizer`, else one of `d_vocab` pieces is
    learned. Raises ValueError if nothing was left there and no text is given."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "learned.npz").exists():
        if not paths:
            raise ValueError(f"{folder} holds no text that was prepared, and no text files were given.")
        learned, held_out = split_documents(read_documents(paths), held_out_titles)
        classroom = list(classroom_documents(passages, held_out=False))
        trained = tokenizer or train_wordpiece(
            (sentence for document in (*learned, *classroom) for sentence in document.sentences), d_vocab
        )
        trained.save(str(folder / "tokenizer.json"))
        unseen = list(classroom_documents(passages // 20, held_out=True))
        for name, documents in (("held-out", held_out), ("classroom", classroom), ("classroom-held-out", unseen)):
            if documents:
                save_corpus(tokenize(documents, trained), folder / f"{name}.npz")
        save_corpus(tokenize(learned, trained), folder / "learned.npz")
    return open_data(folder)


def open_data(folder: Path) -> TrainingData:
    """What has been prepared in the folder of a run."""
    return TrainingData(
        tokenizer=Tokenizer.from_file(str(folder / "tokenizer.json")),
        learned=load_corpus(folder / "learned.npz"),
        held_out=corpus_if_there(folder / "held-out.npz"),
        classroom=corpus_if_there(folder / "classroom.npz"),
        classroom_held_out=corpus_if_there(folder / "classroom-held-out.npz"),
    )


def classroom_documents(passages: int, *, held_out: bool, retold: bool = False) -> Iterator[Document]:
    """Each classroom passage as a document, in an order that mixes nothing: rows are drawn at random anyway."""
    for passage in Classroom(CLASSROOM_SEED, retold=retold).passages(passages, held_out=held_out):
        yield Document(title=passage.family, sentences=passage.sentences)


def save_corpus(corpus: Corpus, path: Path) -> None:
    """Write a corpus, to be opened by `load_corpus`."""
    special = np.array(astuple(corpus.special))
    np.savez(
        path, ids=corpus.ids, sentence_starts=corpus.sentence_starts, document_of=corpus.document_of, special=special
    )


def corpus_if_there(path: Path) -> Corpus | None:
    """What `save_corpus` has written; None if there is no such file."""
    return load_corpus(path) if path.exists() else None


def load_corpus(path: Path) -> Corpus:
    """What `save_corpus` has written."""
    with np.load(path) as arrays:
        own = SpecialIds(*arrays["special"].tolist()) if "special" in arrays else SpecialIds()
        return Corpus(
            ids=arrays["ids"],
            sentence_starts=arrays["sentence_starts"],
            document_of=arrays["document_of"],
            special=own,
        )
