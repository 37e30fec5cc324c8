"""The text of a run, tokenized once and kept beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from models.training.corpus import Corpus, read_documents, split, tokenize
from models.training.vocabulary import train_wordpiece


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingData:
    """The text to learn from, the text held out (None if nothing was), and the tokenizer learned on the first."""

    tokenizer: Tokenizer
    learned: Corpus
    held_out: Corpus | None


def prepare_data(folder: Path, paths: Sequence[Path], held_out_titles: Sequence[str], d_vocab: int) -> TrainingData:
    """Read, split and tokenize the text, or reopen what an earlier sitting of the same run left in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "learned.npz").exists():
        learned, held_out = split(read_documents(paths), held_out_titles)
        trained = train_wordpiece((sentence for document in learned for sentence in document.sentences), d_vocab)
        trained.save(str(folder / "tokenizer.json"))
        if held_out:
            _save(tokenize(held_out, trained), folder / "held-out.npz")
        _save(tokenize(learned, trained), folder / "learned.npz")
    return TrainingData(
        tokenizer=Tokenizer.from_file(str(folder / "tokenizer.json")),
        learned=_load(folder / "learned.npz"),
        held_out=_load(folder / "held-out.npz") if (folder / "held-out.npz").exists() else None,
    )


def _save(corpus: Corpus, path: Path) -> None:
    np.savez(path, ids=corpus.ids, sentence_starts=corpus.sentence_starts, document_of=corpus.document_of)


def _load(path: Path) -> Corpus:
    with np.load(path) as arrays:
        return Corpus(ids=arrays["ids"], sentence_starts=arrays["sentence_starts"], document_of=arrays["document_of"])
