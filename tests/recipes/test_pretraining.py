"""Pretraining: a resumed run is the same run, and what is measured of a checkpoint."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

import recipes.evaluation.evaluate as evaluation
from models.checkpoints.bert import load_checkpoint
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import (
    Batch,
)
from models.training.corpora.corpus import Corpus
from models.training.trainer.optimizers import Optimizer
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, prepare_data
from recipes.evaluation.baselines import count_bigrams
from recipes.evaluation.evaluate import answered, evaluate, heads
from recipes.evaluation.samples import sample_pairs
from recipes.pretraining.curriculum import CURRICULUM, LAST_PHASE, TrainingConfig
from recipes.pretraining.pretrain import export, main, run
from recipes.pretraining.trainer import Pretrainer
from recipes.sentences.classroom.lexicon import TABLES
from recipes.sentences.classroom.passages import fill
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


def test_export_rounds_to_half_precision(data: TrainingData, config: TransformerConfig, tmp_path: Path) -> None:
    model = PretrainingModel(config)
    export(model, data, tmp_path)
    assert torch.equal(
        load_checkpoint(tmp_path).state_dict()["mlm.transform.weight"], model.mlm.transform.weight.half().float()
    )
