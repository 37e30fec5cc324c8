"""The help with repeated pieces, and the processes that share a run."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, draw_passage, make_batch
from models.training.corpora.corpus import Corpus
from models.training.trainer.processes import Worker, start_workers
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, prepare_data
from recipes.corpora.repetition import (
    RepetitionAids,
    RepetitionPlan,
    pieces_of,
    rarity,
    teach_head,
    where_it_should_look,
)
from recipes.evaluation.baselines import SharedPieces
from recipes.pretraining.curriculum import TrainingConfig
from recipes.pretraining.pretrain import run
from recipes.pretraining.trainer import Pretrainer, losses
from tests.closeness import assert_close

CONFIG = TransformerConfig(d_vocab=80, d_model=64, n_layers=2, n_heads=2, d_ff=64, max_tokens=32)
PLAN = RepetitionPlan(layer=0, head=1, after=512 * 3, steps=20)
TRAINING = TrainingConfig(
    pieces=512 * 8, pieces_per_batch=512, classroom_rows=4, sentence_rows=4, warmup_steps=2, repetition=PLAN
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Forty documents of sentences of eight pieces, each document with twelve pieces of its own."""
    random = np.random.default_rng(2)
    ids = [random.choice(np.arange(5, 80), 12)[random.integers(0, 12, (30, 8))] for _ in range(40)]
    return Corpus(
        ids=np.concatenate(ids).ravel().astype(np.int32),
        sentence_starts=np.arange(0, 40 * 30 * 8 + 1, 8),
        document_of=np.repeat(np.arange(40), 30).astype(np.int32),
    )


@pytest.fixture(scope="module")
def data(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    folder = tmp_path_factory.mktemp("run")
    text = folder / "text.txt"
    text.write_text("\n\n".join("Anna saw Ben.\nBen saw her. Then they went home." for _ in range(3)))
    made = prepare_data(folder, [text], [], d_vocab=60, passages=5)
    return replace(made, learned=corpus, classroom=None)


def pair(first: list[int], second: list[int]) -> Batch:
    ids = [2, *first, 3, *second, 3]
    return Batch(
        input_ids=torch.tensor([ids]),
        segment_ids=torch.tensor([[0] * (len(first) + 2) + [1] * (len(second) + 1)]),
        mask=None,
        masked=torch.tensor([], dtype=torch.int64),
        targets=torch.tensor([], dtype=torch.int64),
        next_labels=torch.tensor([0]),
    )


def test_a_piece_is_rare_if_few_stretches_of_text_have_it() -> None:
    ids = np.tile(np.array([5, 6], dtype=np.int32), 128 * 8)
    ids[3] = 7  # in the first of 16 stretches, of which every fourth is looked at
    corpus = Corpus(ids=ids, sentence_starts=np.array([0, ids.size]), document_of=np.zeros(1, dtype=np.int32))
    found = rarity(corpus, 9)
    assert_close(found[7], math.log(4 / 2))
    assert found[5] == found[6] == 0
    assert_close(found[8], math.log(4))
    assert (found[:5] == 0).all()


def test_a_head_should_look_at_the_same_piece_of_the_other_text() -> None:
    goal, repeated = where_it_should_look(pair([10, 11, 11], [12, 10, 4]))
    #                 0      1   2   3   4      5   6   7    8
    # the row is    [CLS]   10  11  11  [SEP]  12  10  [MASK] [SEP]
    assert repeated[0].nonzero().flatten().tolist() == [1, 6]
    assert goal[0, 1].nonzero().flatten().tolist() == [6]
    assert goal[0, 6].nonzero().flatten().tolist() == [1]
    for elsewhere in (0, 2, 3, 4, 5, 7, 8):
        assert goal[0, elsewhere].nonzero().flatten().tolist() == [0, 4, 8]


def test_the_amounts_are_those_of_the_shared_pieces(corpus: Corpus) -> None:
    rare = torch.zeros(20)
    rare[5:] = torch.arange(15) / 5  # 5 is in every stretch, 19 in the fewest
    aids = RepetitionAids(8, rare)
    batch = pair([5, 19, 19, 12], [19, 18, 5, 12])
    first, second = pieces_of(batch.input_ids, batch.segment_ids, 20)
    assert first[0].nonzero().flatten().tolist() == [5, 12, 19]
    assert second[0].nonzero().flatten().tolist() == [5, 12, 18, 19]
    *amounts, likeness = aids.shared(first, second)[0].tolist()
    assert_close(sum(amount**2 for amount in amounts), 2)  # 12 and 19; 5 is of the most frequent class
    assert amounts[-1] == 1
    one, other = rare[[5, 12, 19]].sum(), rare[[5, 12, 18, 19]].sum()
    assert_close(likeness, float(10 * one / (one * other).sqrt()))


def test_the_aids_can_be_answered(corpus: Corpus) -> None:
    aids = RepetitionAids(4, rarity(corpus, 80))
    batch = pair([10, 11, 12], [12, 10, 13])
    first, second = pieces_of(batch.input_ids, batch.segment_ids, 80)
    with torch.no_grad():
        aids.amounts.bias.copy_(aids.shared(first, second)[0])
        aids.stands_in_both.weight.copy_(torch.tensor([[30.0, 0, 0, 0]]))
    knows, ignores = torch.zeros(1, 9, 4), torch.zeros(1, 9, 4)
    knows[0, :, 0] = -1.0
    knows[0, [1, 3, 5, 6], 0] = 1.0
    with torch.no_grad():
        known, ignored = (float(aids((states, states), batch)) for states in (knows, ignores))
    assert known < 1e-3
    assert_close(ignored, 0.5 * math.log(2), tolerance=1e-3, magnitude=1)


def test_shared_pieces_tell_texts_apart_that_have_their_own(corpus: Corpus) -> None:
    judge = SharedPieces(corpus, 80, n_tokens=32, n_batches=4)
    batch = make_batch(corpus, batch_size=300, n_tokens=32, mask_rate=0.0, d_vocab=80, seed=9, iteration=4)
    right = judge.guess(batch) == batch.next_labels
    assert float(right.float().mean()) > 0.85


def test_a_head_learns_to_find_them_and_nothing_else_changes(corpus: Corpus) -> None:
    model = PretrainingModel(CONFIG).eval()
    initialise(model, seed=0)
    nn.init.normal_(model.encoder.embeddings.token.weight, std=0.1, generator=torch.Generator().manual_seed(1))
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    found = list(teach_head(model, corpus, layer=0, head=1, iterations=120))
    assert found[0][0] < 0.3
    assert found[-1][0] > 0.6
    assert found[-1][1] > 0.6
    for name, weight in model.named_parameters():
        same = weight == before[name]
        if name.startswith(("encoder.layers.0.attention.query", "encoder.layers.0.attention.key")):
            assert same[:32].all()
            assert not same[32:].any()
        else:
            assert same.all()
    batch = make_batch(corpus, batch_size=16, n_tokens=32, mask_rate=0.1, d_vocab=80, seed=3, iteration=1)
    goal, repeated = where_it_should_look(batch)
    with torch.inference_mode():
        x = model.encoder.embeddings(batch.input_ids, batch.segment_ids)
        attention = model.encoder.layers[0].attention
        query, key = (projection(x)[..., 32:] for projection in (attention.query, attention.key))
        weights = (query @ key.mT / 32**0.5).softmax(dim=-1)
    assert float((weights * goal).sum(dim=-1)[repeated].mean()) > 0.5


def new_trainer(data: TrainingData, config: TrainingConfig = TRAINING) -> Pretrainer:
    model = PretrainingModel(CONFIG)
    initialise(model, seed=0)
    return Pretrainer(config, model, data, torch.device("cpu"))


def test_the_help_resumes_and_may_begin_in_the_middle(data: TrainingData, tmp_path: Path) -> None:
    def after(trainer: Pretrainer) -> list[torch.Tensor]:
        trainer.iterate()
        return [weight.detach().clone() for weight in trainer.learning.parameters()]

    without = new_trainer(data, replace(TRAINING, repetition=None))
    for _ in range(3):
        without.iterate()
    without.save(tmp_path)
    first = new_trainer(data)
    first.resume(tmp_path)
    assert first.iteration == TRAINING.repetition_iteration == 3
    assert 0 < first.teach(PLAN) < 1
    first.iterate()
    first.save(tmp_path)
    assert first.aids is not None
    assert float(first.aids.amounts.bias.detach().abs().max()) > 0
    second = new_trainer(data)
    second.resume(tmp_path)
    for one, other in zip(after(first), after(second), strict=True):
        assert torch.equal(one, other)


def test_a_part_of_a_batch_is_some_of_its_rows(data: TrainingData) -> None:
    model = PretrainingModel(CONFIG).eval()
    initialise(model, seed=0)
    batch = make_batch(
        data.learned, batch_size=7, n_tokens=32, mask_rate=0.2, d_vocab=80, seed=1, iteration=0, draw=draw_passage
    )
    parts = [Worker(rank=rank, size=3).part(batch) for rank in range(3)]
    assert [len(part.input_ids) for part in parts] == [3, 2, 2]
    with torch.no_grad():
        whole = losses(model, [batch])[:2]
        summed = [sum(values) for values in zip(*(losses(model, [part])[:2] for part in parts), strict=True)]
    assert_close(list(whole), summed)
    assert (batch.next_labels != NO_LABEL).any()


def test_two_processes_learn_what_one_does(data: TrainingData, tmp_path: Path) -> None:
    states = []
    batch = make_batch(data.learned, batch_size=4, n_tokens=32, mask_rate=0.2, d_vocab=80, seed=1, iteration=9)
    for size in (1, 2):
        folder = tmp_path / str(size)
        folder.mkdir()
        config = replace(TRAINING, pieces=512 * 3, repetition=replace(PLAN, after=512))
        start_workers(run, (folder, data, CONFIG, config, torch.device("cpu")), size)
        opened = new_trainer(data)
        opened.resume(folder)
        assert opened.iteration == 3
        assert (folder / "model" / "model.safetensors").exists()
        with torch.inference_mode():
            states.append(opened.model(batch.input_ids, batch.segment_ids))
    assert_close(states[0].mlm, states[1].mlm, tolerance=0.03, magnitude=1)
    assert_close(states[0].nsp, states[1].nsp, tolerance=0.03, magnitude=1)
