"""The rows that a training reads: which pieces are masked, which sentences are paired, how rows are packed."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
import torch

from models.engine.content_words import content_positions, content_words
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.batches import (
    N_SPECIAL,
    NO_LABEL,
    Batch,
    draw_pair,
    draw_passage,
    draw_sentence,
    make_batch,
    make_batches,
    mask_pieces,
)
from models.training.corpora.corpus import Corpus, Document, read_documents, split_documents
from models.training.trainer.muon import orthogonalise
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, prepare_data
from tests.closeness import assert_close

VERBS = ("saw", "heard", "followed", "found", "left", "met")
NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Henry")


def write_books(path: Path, n: int = 12) -> Path:
    random = np.random.default_rng(5)
    books = []
    for _ in range(n):
        hero = random.choice(NAMES)
        lines = [f"{hero} {random.choice(VERBS)} {random.choice(NAMES)}. Then {hero} went home." for _ in range(30)]
        books.append("\n".join(lines))
    path.write_text("\n\n".join(books), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    folder = tmp_path_factory.mktemp("run")
    return prepare_data(folder, [write_books(folder / "books.txt")], [], d_vocab=120, passages=20)


@pytest.fixture
def config(data: TrainingData) -> TransformerConfig:
    d_vocab = data.tokenizer.get_vocab_size()
    return TransformerConfig(d_vocab=d_vocab, d_model=32, n_layers=1, n_heads=2, d_ff=64, max_tokens=256)


def test_content_words_are_those_that_grammar_does_not_ask_for(data: TrainingData) -> None:
    encoding = data.tokenizer.encode("Then Anna found 12 of them, but Henrietta didn't.")
    words = [
        "".join(encoding.tokens[at].removeprefix("##") for at in positions) for positions in content_positions(encoding)
    ]
    assert words == ["anna", "found", "henrietta"]


def test_all_pieces_of_a_content_word_are_masked_together(data: TrainingData, config: TransformerConfig) -> None:
    model = PretrainingModel(config).eval()
    with torch.no_grad():
        model.mlm.unembed.bias[:] = 0
        model.mlm.unembed.bias[data.tokenizer.token_to_id("anna")] = 1000.0  # it always says so
    found = content_words(model, data.tokenizer, ["Anna saw Anna.", "They saw Henrietta."])
    assert found["n"] == 5
    assert_close(found["top_1"], 2 / 5)
    assert found["top_1"] <= found["top_5"]


def test_masks_fall_on_pieces_alone_and_in_the_shares_of_the_paper() -> None:
    random = np.random.default_rng(0)
    ids = random.integers(N_SPECIAL, 5000, size=(400, 100))
    ids[:, 0], ids[:, 50], ids[:, 90:] = 2, 3, 0
    changed, chosen, targets = mask_pieces(ids, random, 0.15, 5000)
    before, after = ids.reshape(-1), changed.reshape(-1)
    assert (before[chosen] >= N_SPECIAL).all()
    np.testing.assert_array_equal(before[chosen], targets)
    untouched = np.setdiff1d(np.arange(before.size), chosen)
    np.testing.assert_array_equal(before[untouched], after[untouched])
    assert chosen.size / (before >= N_SPECIAL).sum() == pytest.approx(0.15, abs=0.01)
    assert (after[chosen] == 4).mean() == pytest.approx(0.8, abs=0.02)
    assert (after[chosen] == targets).mean() == pytest.approx(0.1, abs=0.02)


def test_pairs_are_neighbours_or_come_from_two_documents(data: TrainingData) -> None:
    corpus = data.learned
    random = np.random.default_rng(0)
    starts = set(corpus.sentence_starts.tolist())
    labels = []
    for _ in range(300):
        first, second, label = draw_pair(corpus, random, 29)
        labels.append(label)
        assert 0 < len(first)
        assert 0 < len(second)
        assert len(first) + len(second) <= 29
        joined = np.concatenate((first, second))
        windows = np.lib.stride_tricks.sliding_window_view(corpus.ids, joined.size)
        borders = np.flatnonzero((windows == joined).all(axis=1)) + len(first)
        if label == IS_NEXT:
            assert any(int(border) in starts for border in borders)
    assert np.mean(labels) == pytest.approx(0.5, abs=0.1)


def test_a_batch_is_packed_and_depends_on_its_step_alone(data: TrainingData) -> None:
    def batch(iteration: int) -> tuple[torch.Tensor, torch.Tensor]:
        made = make_batch(
            data.learned, batch_size=8, n_tokens=32, mask_rate=0.2, d_vocab=100, seed=1, iteration=iteration
        )
        assert (made.input_ids[:, 0] == 2).all()
        assert ((made.input_ids == 3).sum(dim=1) == 2).all()
        return made.input_ids, made.targets

    assert all(torch.equal(one, other) for one, other in zip(batch(4), batch(4), strict=True))
    assert not torch.equal(batch(4)[0], batch(5)[0])


def test_rows_sorted_by_length_are_the_same_rows_with_less_padding(data: TrainingData) -> None:
    settings = {"batch_size": 30, "n_tokens": 64, "mask_rate": 0.0, "d_vocab": 100, "seed": 1, "iteration": 3}
    whole, parts = (make_batches(data.classroom, draw=draw_passage, parts=n, **settings) for n in (1, 3))

    def rows(batches: list[Batch]) -> list[tuple[list[int], int]]:
        return sorted(
            (ids[ids != 0].tolist(), int(label))
            for batch in batches
            for ids, label in zip(batch.input_ids, batch.next_labels, strict=True)
        )

    assert len(parts) == 3
    assert rows(whole) == rows(parts)
    assert sum(batch.input_ids.numel() for batch in parts) < sum(batch.input_ids.numel() for batch in whole)


def test_passages_are_read_whole_and_paired_by_their_labels(data: TrainingData) -> None:
    corpus = data.classroom
    random = np.random.default_rng(0)
    labels = []
    for _ in range(300):
        first, second, label = draw_passage(corpus, random, 200)
        labels.append(label)
        assert (label == NO_LABEL) == (second.size == 0)
        if label == IS_NEXT:
            windows = np.lib.stride_tricks.sliding_window_view(corpus.ids, first.size + second.size)
            assert (windows == np.concatenate((first, second))).all(axis=1).any()
        elif label != NO_LABEL:
            assert not np.array_equal(first, second)
    paired = [label for label in labels if label != NO_LABEL]
    assert np.mean([label == IS_NEXT for label in paired]) == pytest.approx(0.5, abs=0.12)
    assert 0.2 < len(paired) / len(labels) < 0.7


def test_a_sentence_alone_is_one_of_the_text(data: TrainingData) -> None:
    corpus = data.learned
    random = np.random.default_rng(0)
    starts = corpus.sentence_starts
    known = {tuple(corpus.ids[starts[at] : starts[at + 1]].tolist()) for at in range(corpus.n_sentences)}
    drawn = [draw_sentence(corpus, random, 200) for _ in range(50)]
    assert {tuple(first.tolist()) for first, _, _ in drawn} <= known
    assert all(second.size == 0 and label == NO_LABEL for _, second, label in drawn)
    assert max(first.size for first, _, _ in (draw_sentence(corpus, random, 2) for _ in range(20))) <= 3


def test_muon_steps_along_all_directions_alike() -> None:
    random = torch.Generator().manual_seed(0)
    for shape in ((8, 24), (24, 8)):
        spectrum = torch.linalg.svdvals(orthogonalise(torch.randn(shape, generator=random)))
        assert spectrum.min() > 0.5
        assert spectrum.max() < 1.4
    flat = torch.randn((8, 24), generator=random)
    u, _, vh = torch.linalg.svd(flat, full_matrices=False)
    assert torch.nn.functional.cosine_similarity(orthogonalise(flat).flatten(), (u @ vh).flatten(), dim=0) > 0.95


def test_documents_are_cut_at_empty_lines_and_named_by_their_table(tmp_path: Path) -> None:
    (tmp_path / "books.txt").write_text("One fish. Two fish!\nRed fish.\n\n\nBlue fish?\n", encoding="utf-8")
    assert list(read_documents([tmp_path / "books.txt"])) == [
        Document(title="One fish. Two fish!", sentences=("One fish.", "Two fish!", "Red fish.")),
        Document(title="Blue fish?", sentences=("Blue fish?",)),
    ]
    (tmp_path / "books.tsv").write_text("id\ttitle\n1\tFirst\n2\tSecond\n", encoding="utf-8")
    (tmp_path / "BOOKS.TXT.XZ").write_bytes(lzma.compress((tmp_path / "books.txt").read_bytes()))
    (tmp_path / "BOOKS.tsv").write_bytes((tmp_path / "books.tsv").read_bytes())
    packed, plain = (list(read_documents([tmp_path / name])) for name in ("BOOKS.TXT.XZ", "books.txt"))
    assert packed == plain
    learned, held_out = split_documents(read_documents([tmp_path / "books.txt"]), ["Second"])
    assert [document.title for document in learned] == ["First"]
    assert [document.title for document in held_out] == ["Second"]
    with pytest.raises(ValueError, match="Third"):
        split_documents(learned, ["Third"])


def test_initial_positions_know_their_neighbours(config: TransformerConfig) -> None:
    model = PretrainingModel(config)
    initialise(model, seed=0)
    positions = model.encoder.embeddings.position.weight.detach()
    near, far = positions[10] @ positions[11], positions[10] @ positions[60]
    assert near > far
    attention = model.encoder.layers[0].attention
    assert torch.equal(attention.query.weight, attention.key.weight)


def test_a_corpus_counts_what_it_holds(data: TrainingData) -> None:
    corpus: Corpus = data.learned
    assert corpus.sentence_starts[-1] == corpus.n_pieces
    assert corpus.n_sentences == 12 * 30 * 2
