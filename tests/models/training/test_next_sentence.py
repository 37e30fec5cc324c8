"""The NSP head that is fitted alone: it learns, what it stands on stays, and what is written opens."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from models.checkpoints.bert import load_checkpoint, save_checkpoint
from models.checkpoints.folder import WEIGHTS
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import NextSentenceHead, PretrainingModel
from models.training.corpora.batches import draw_pair, draw_passage, draw_sentence
from models.training.corpora.corpus import Corpus
from models.training.corpora.data import save_corpus
from models.training.embedded.next_sentence import (
    ROWS_AT_ONCE,
    ReadPairs,
    Source,
    fit,
    fitted,
    joined,
    read_pairs,
    share_right,
    write,
)
from models.training.trainer.start import initialise

CONFIG = TransformerConfig(d_vocab=80, d_model=16, n_layers=1, n_heads=2, d_ff=32, max_tokens=64, dropout=0.0)
NSP = {f"{layer}.{name}" for layer in ("bert.pooler.dense", "cls.seq_relationship") for name in ("weight", "bias")}


@pytest.fixture
def model() -> PretrainingModel:
    made = PretrainingModel(CONFIG).eval()
    initialise(made, seed=0)
    return made


@pytest.fixture
def books() -> Corpus:
    """Forty documents of five sentences."""
    ids = np.random.default_rng(2).integers(5, 80, 40 * 5 * 8)
    return Corpus(
        ids=ids.astype(np.int32), sentence_starts=np.arange(0, 40 * 5 * 8 + 1, 8),
        document_of=np.repeat(np.arange(40), 5).astype(np.int32),
    )  # fmt: skip


def test_it_learns_what_the_states_tell_and_the_old_head_stays(model: PretrainingModel) -> None:
    torch.manual_seed(1)
    states = 4 * torch.randn(12_000, CONFIG.d_model)
    pairs = ReadPairs(states=states, labels=(states[:, 3] > 0).long())
    learned, unseen = pairs.rows(torch.arange(10_000)), pairs.rows(torch.arange(10_000, 12_000))
    assert isinstance(model.nsp, NextSentenceHead)
    before = share_right(model.nsp, unseen)
    kept = {name: weight.clone() for name, weight in model.nsp.state_dict().items()}
    after = share_right(fitted(model.nsp, learned), unseen)
    assert before < 0.7
    assert after > 0.9
    assert all(torch.equal(weight, kept[name]) for name, weight in model.nsp.state_dict().items())


def test_pairs_are_read_as_the_head_is_asked_and_lone_texts_are_left_out(
    model: PretrainingModel, books: Corpus
) -> None:
    source = Source(corpus="", n_tokens=32, n_pairs=2 * ROWS_AT_ONCE, draw=partial(draw_pair, same_document=1.0))
    read = joined(read_pairs(model, books, source))
    assert read.states.shape == (2 * ROWS_AT_ONCE, CONFIG.d_model)
    assert set(read.labels.tolist()) == {0, 1}
    passages = joined(
        read_pairs(model, books, Source(corpus="", n_tokens=64, n_pairs=4 * ROWS_AT_ONCE, draw=draw_passage))
    )
    assert 0 < len(passages.labels) < 4 * ROWS_AT_ONCE
    assert set(passages.labels.tolist()) == {0, 1}
    alone = Source(corpus="", n_tokens=32, n_pairs=ROWS_AT_ONCE, draw=draw_sentence)
    assert not len(joined(read_pairs(model, books, alone)).labels)


def test_the_head_alone_is_written_and_the_folder_opens(model: PretrainingModel, books: Corpus, tmp_path: Path) -> None:
    save_corpus(books, tmp_path / "learned.npz")
    folder = tmp_path / "model"
    save_checkpoint(model, folder, torch.float16)
    before = load_file(folder / WEIGHTS)
    given = load_checkpoint(folder).eval()
    sources = [Source(corpus="learned", n_tokens=32, n_pairs=3 * ROWS_AT_ONCE, draw=draw_pair)]
    head, told = fit(given, tmp_path, sources)
    assert told.startswith("86 pairs learned; of 10 others right: ")
    write(head, folder)
    after = load_file(folder / WEIGHTS)
    assert {name for name in after if not torch.equal(after[name], before[name])} == NSP
    assert {name: weight.dtype for name, weight in after.items()} == dict.fromkeys(before, torch.float16)
    opened = load_checkpoint(folder).eval()
    assert opened.nsp is not None
    states = torch.randn(5, 1, CONFIG.d_model)
    torch.testing.assert_close(opened.nsp(states), head(states), atol=2e-3, rtol=0)


def test_a_checkpoint_without_the_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lacks its NSP head"):
        fit(PretrainingModel(CONFIG, with_nsp=False), tmp_path, [])
