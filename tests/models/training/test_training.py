"""The trainer: what it masks, what it pairs, and that it resumes as if it had never stopped."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

import models.training.evaluation.evaluate as evaluation
from models.checkpoints.bert import load_checkpoint
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
from models.training.corpora.corpus import Corpus, Document, read_documents, split
from models.training.corpora.data import TrainingData, prepare_data
from models.training.embedded.pretrain import export, main, run
from models.training.evaluation.baselines import count_bigrams
from models.training.evaluation.evaluate import answered, evaluate, heads
from models.training.evaluation.samples import sample_pairs
from models.training.sentences.classroom import fill
from models.training.sentences.lexicon import TABLES
from models.training.trainer.curriculum import CURRICULUM, LAST_PHASE, TrainingConfig
from models.training.trainer.muon import orthogonalised
from models.training.trainer.optimizers import Optimizer
from models.training.trainer.pretraining import Pretrainer
from models.training.trainer.start import initialise
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


TRAINING = TrainingConfig(pieces=512 * 12, pieces_per_batch=512, classroom_rows=4, sentence_rows=4, warmup_steps=2)


def weights_after(trainer: Pretrainer, iterations: int) -> list[torch.Tensor]:
    for _ in range(iterations):
        trainer.iterate()
    return [weight.detach().clone() for weight in trainer.model.parameters()]


def new_trainer(data: TrainingData, config: TransformerConfig, optimizer: Optimizer = "muon") -> Pretrainer:
    model = PretrainingModel(replace(config, dropout=0.1))
    initialise(model, seed=0)
    return Pretrainer(replace(TRAINING, optimizer=optimizer), model, data, torch.device("cpu"))


@pytest.mark.parametrize("optimizer", get_args(Optimizer))
def test_a_resumed_run_is_the_same_run(
    data: TrainingData, config: TransformerConfig, optimizer: Optimizer, tmp_path: Path
) -> None:
    whole = weights_after(new_trainer(data, config, optimizer), 6)
    first = new_trainer(data, config, optimizer)
    weights_after(first, 3)
    first.save(tmp_path)
    second = new_trainer(data, config, optimizer)
    second.resume(tmp_path)
    assert second.iteration == 3
    for one, other in zip(whole, weights_after(second, 3), strict=True):
        assert torch.equal(one, other)


def test_a_run_learns_and_leaves_a_checkpoint_that_opens(
    data: TrainingData, config: TransformerConfig, tmp_path: Path
) -> None:
    run(tmp_path, data, config, replace(TRAINING, pieces=512 * 64, snapshots=4), torch.device("cpu"))
    metrics = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert metrics[-1]["mlm_loss"] < np.log(config.d_vocab) - 0.8
    finished = load_checkpoint(tmp_path / "model")
    assert finished.config == config
    kept = sorted((tmp_path / "snapshots").iterdir())
    assert [folder.name for folder in kept] == ["step-000000", "step-000001", "step-000008", "step-000064"]
    first, last = (load_checkpoint(folder).encoder.embeddings.token.weight for folder in (kept[0], kept[-1]))
    assert torch.equal(last, finished.encoder.embeddings.token.weight)
    assert not torch.equal(first, last)
    assert AutoTokenizer.from_pretrained(tmp_path / "model").tokenize("Anna saw Ben")[0] == "anna"


def test_the_heads_of_a_checkpoint_are_named_for_every_measure(
    data: TrainingData, config: TransformerConfig, tmp_path: Path
) -> None:
    model = PretrainingModel(config)
    initialise(model, seed=0)
    export(model, data, tmp_path)
    pair = ("Anna saw Ben.", "Then Anna went home.")
    found = heads(tmp_path, pair, [pair])
    assert list(found) == ["previous", "next", "same", "special", "repeated"]
    for measured in found.values():
        layer, head, share = measured["strongest (layer, head, share)"]
        assert measured["all"][layer][head] == np.max(measured["all"])
        assert_close(share, np.max(measured["all"]), step=1e-3)
        assert 0 < share < 1


def test_evaluation_of_a_fresh_model_is_no_better_than_chance(data: TrainingData, config: TransformerConfig) -> None:
    model = PretrainingModel(config).eval()
    initialise(model, seed=0)
    counts = count_bigrams([data.learned], config.d_vocab)
    scores = evaluate(model, data.learned, counts, n_batches=4, batch_size=16, n_tokens=32)
    for asked in (scores.behind_mask, scores.as_trained):
        assert asked.model.loss == pytest.approx(np.log(config.d_vocab), abs=0.5)
        assert asked.bigram.loss < asked.unigram.loss < asked.model.loss
        assert asked.model.top_1 <= asked.model.top_5
        assert asked.unigram.n == asked.model.n > 100
    assert scores.n_pairs == 64


def test_a_model_that_repeats_what_it_reads_is_right_on_kept_pieces_alone(
    data: TrainingData, config: TransformerConfig
) -> None:
    model = PretrainingModel(config).eval()
    initialise(model, seed=0)
    with torch.no_grad():  # the layers add nothing, the positions neither: every piece finds itself in the embeddings
        for layer in model.encoder.layers:
            for last in (layer.attention.output, layer.feed_forward.contract):
                last.weight.zero_()
                last.bias.zero_()
        words = model.encoder.embeddings.token.weight
        words -= words.mean(dim=1, keepdim=True)
        words /= words.norm(dim=1, keepdim=True)
        model.encoder.embeddings.position.weight.zero_()
        model.encoder.embeddings.segment.weight.zero_()
        model.mlm.transform.weight.copy_(torch.eye(config.d_model))
        model.mlm.transform.bias.fill_(10.0)  # there GELU is a line, and the norm takes it away again
    counts = count_bigrams([data.learned], config.d_vocab)
    scores = evaluate(model, data.learned, counts, n_batches=8, batch_size=16, n_tokens=64)
    assert_close(scores.kept.top_1, 1)
    assert scores.kept_adds == pytest.approx(0.1, abs=0.04)
    assert scores.behind_mask.model.top_1 == 0
    assert scores.as_trained.model.top_1 == pytest.approx(scores.kept_adds, abs=0.02)
    assert scores.as_trained.unigram == scores.behind_mask.unigram
    assert scores.behind_mask.bigram.loss > scores.as_trained.bigram.loss  # the piece before is hidden more often


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


def test_a_checkpoint_is_judged_in_its_own_vocabulary(data: TrainingData, tmp_path: Path) -> None:
    text = write_books(tmp_path / "books.txt", n=3)
    prepared = prepare_data(tmp_path / "run", [text], [], 0, tokenizer=data.tokenizer)
    assert prepared.tokenizer.get_vocab() == data.tokenizer.get_vocab()
    with pytest.raises(ValueError, match="no text files were given"):
        prepare_data(tmp_path / "nowhere", [], [], 0)


def test_neighbours_are_sampled_from_one_document() -> None:
    starts = np.array([0, 12, 24, 30, 42, 54, 66])  # the third sentence is too short
    corpus = Corpus(
        ids=np.arange(66, dtype=np.int32),
        sentence_starts=starts,
        document_of=np.array([0, 0, 0, 0, 1, 1], np.int32),
    )

    class Tokenizer:
        """Writes the first number of a sentence."""

        def decode(self, ids: list[int]) -> str:
            return str(ids[0])

    assert sample_pairs(corpus, Tokenizer(), 2) == [("0", "12"), ("42", "54")]


def test_processes_share_no_graphics_card(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["--text", "books.txt", "--run", str(tmp_path), "--processes", "2", "--device", "cuda"]
    monkeypatch.setattr("sys.argv", ["pretrain", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert "--processes 2" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_next_sentences_are_asked_with_masks_and_whole(
    data: TrainingData, config: TransformerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Batch] = []
    answer = evaluation._logits

    def listen(model: PretrainingModel, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        asked.append(batch)
        return answer(model, batch)

    monkeypatch.setattr(evaluation, "_logits", listen)
    model = PretrainingModel(config).eval()
    evaluate(
        model, data.learned, count_bigrams([data.learned], config.d_vocab), n_batches=2, batch_size=16, n_tokens=32
    )
    for hidden, masked, whole in zip(asked[::3], asked[1::3], asked[2::3], strict=True):
        assert (hidden.input_ids.flatten()[masked.masked] == 4).all()
        assert (masked.input_ids.flatten()[masked.masked] != 4).any()
        assert torch.equal(masked.next_labels, whole.next_labels)
        assert (masked.input_ids != whole.input_ids).any()
        assert not (whole.input_ids == 4).any()
        untouched = torch.ones(masked.input_ids.numel(), dtype=torch.bool)
        untouched[masked.masked] = False
        assert torch.equal(masked.input_ids.flatten()[untouched], whole.input_ids.flatten()[untouched])


def test_baselines_are_distributions_and_count_neighbours_within_a_document() -> None:
    corpus = Corpus(
        ids=np.array([5, 6, 5, 6, 5, 7, 8], dtype=np.int32),
        sentence_starts=np.array([0, 4, 6, 7]),
        document_of=np.array([0, 0, 1], dtype=np.int32),
    )
    counts = count_bigrams([corpus], 9)
    guess = counts.guess(np.array([5, 7, 4])).exp()
    assert_close(guess.sum(dim=1), torch.ones(3))
    assert_close(guess[1], counts.unigram_guess(1)[0].exp())  # 7 ends its document: 8 does not follow it
    # 5 is followed by 6, 6 and 7: three times by two kinds of pieces; 6 is 2 of 7 pieces, with one added to 9 counts
    assert_close(guess[0, 6], 2 / 5 + 2 / 5 * 3 / 16)


def test_the_words_that_a_passage_decides_are_asked_one_at_a_time(
    data: TrainingData, config: TransformerConfig
) -> None:
    model = PretrainingModel(config).eval()
    passage = fill("pronouns", "The <{person}> said so.|It was <{person.himself}>.", {"person": TABLES["person"][1]})
    spelled = data.tokenizer.encode("The boy said so. It was himself.")
    answer = spelled.tokens[2], spelled.ids[2]
    with torch.no_grad():
        model.mlm.unembed.bias[:] = 0
        model.mlm.unembed.bias[answer[1]] = 1000.0  # it always says the piece after "the"
    is_one_piece = spelled.tokens[1:4] == ["the", "boy", "said"]
    expected = 0.5 if is_one_piece else 0.0
    assert answered(model, data.tokenizer, [passage])["all"] == expected


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
        spectrum = torch.linalg.svdvals(orthogonalised(torch.randn(shape, generator=random)))
        assert spectrum.min() > 0.5
        assert spectrum.max() < 1.4
    flat = torch.randn((8, 24), generator=random)
    u, _, vh = torch.linalg.svd(flat, full_matrices=False)
    assert torch.nn.functional.cosine_similarity(orthogonalised(flat).flatten(), (u @ vh).flatten(), dim=0) > 0.95


def test_the_curriculum_and_the_rate_cover_the_run() -> None:
    training = TrainingConfig(pieces=20_000_000)
    phases = [training.phase(iteration) for iteration in range(training.iterations)]
    assert list(dict.fromkeys(phases)) == [*CURRICULUM, LAST_PHASE]
    rates = [training.rate(iteration) for iteration in range(training.iterations)]
    assert max(rates) == training.learning_rate
    assert rates[0] < rates[100]
    assert rates[-1] < training.learning_rate / 50


def test_snapshots_lie_from_start_to_end_and_ever_farther_apart() -> None:
    iterations = TrainingConfig(pieces=10_000_000, snapshots=10).snapshot_iterations()
    distances = np.diff(iterations)
    assert len(iterations) == 10
    assert (iterations[0], iterations[-1]) == (0, TrainingConfig(pieces=10_000_000).iterations)
    assert (np.diff(distances[1:]) > 0).all()
    assert [len(TrainingConfig(snapshots=n).snapshot_iterations()) for n in (0, 1, 2, 3)] == [0, 0, 2, 3]


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
    learned, held_out = split(read_documents([tmp_path / "books.txt"]), ["Second"])
    assert [document.title for document in learned] == ["First"]
    assert [document.title for document in held_out] == ["Second"]
    with pytest.raises(ValueError, match="Third"):
        split(learned, ["Third"])


def test_initial_positions_know_their_neighbours(config: TransformerConfig) -> None:
    model = PretrainingModel(config)
    initialise(model, seed=0)
    positions = model.encoder.embeddings.position.weight.detach()
    near, far = positions[10] @ positions[11], positions[10] @ positions[60]
    assert near > far
    attention = model.encoder.layers[0].attention
    assert torch.equal(attention.query.weight, attention.key.weight)


def test_export_rounds_to_half_precision(data: TrainingData, config: TransformerConfig, tmp_path: Path) -> None:
    model = PretrainingModel(config)
    export(model, data, tmp_path)
    assert torch.equal(
        load_checkpoint(tmp_path).state_dict()["mlm.transform.weight"], model.mlm.transform.weight.half().float()
    )


def test_a_corpus_counts_what_it_holds(data: TrainingData) -> None:
    corpus: Corpus = data.learned
    assert corpus.sentence_starts[-1] == corpus.n_pieces
    assert corpus.n_sentences == 12 * 30 * 2
