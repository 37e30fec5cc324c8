"""The trainer of all tasks: it learns, it resumes as if it had never stopped, and what it leaves opens everywhere."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer, PreTrainedTokenizerFast

from models.scratch.config import TransformerConfig
from models.scratch.gpt import LanguageModel
from models.scratch.pretraining import IS_NEXT
from models.tasks.decoding import greedy
from models.training.corpora.batches import NO_LABEL, draw_pair, draw_passage, make_batch
from models.training.corpora.corpus import Corpus, Document, tokenize
from models.training.corpora.learned_sources import learned_sources
from models.training.corpora.vocabulary import cased_wordpiece, continuing_tokenizer, writing_tokenizer
from models.training.tasks.classification import ClassificationTask, encode_texts
from models.training.tasks.masked import (
    NEXT_SENTENCE_WEIGHT,
    MaskedTask,
    both_answers_alike,
    by_frequency,
    way_to_draw,
    with_documents,
)
from models.training.tasks.next_token import END_ID, START_ID, NextTokenTask
from models.training.tasks.translation import TranslationTask, encode_pairs
from models.training.trainer.fit import FitConfig, Fitter, Progress, fit
from models.training.trainer.metric_lines import read_metrics
from models.training.trainer.schedule import snapshot_iterations
from models.training.trainer.task import Task
from recipes.decoders.gpt import evaluate
from recipes.evaluation.baselines import count_bigrams
from tests.closeness import assert_close

CPU = torch.device("cpu")
LETTERS = tuple("abcdefgh")
SMALL = TransformerConfig(d_vocab=13, d_model=32, n_layers=1, n_heads=2, d_ff=64, max_tokens=16, layer_norm_eps=1e-5)
CONFIG = FitConfig(iterations=12, rows=8, warmup_iterations=2, measurements=2)


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return writing_tokenizer(cased_wordpiece(LETTERS), max_tokens=16)


def words(n: int, seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(LETTERS, size=random.integers(2, 7))) for _ in range(n)]


def copying(tokenizer: PreTrainedTokenizerFast) -> TranslationTask:
    learned, unseen = words(400, 0), words(60, 1)
    return TranslationTask(
        replace(SMALL, n_segments=0, dropout=0.1),
        tokenizer,
        encode_pairs(tokenizer, learned, learned, max_tokens=16),
        encode_pairs(tokenizer, unseen, unseen, max_tokens=16),
        sources=learned_sources(learned, unseen, tokenizer.backend_tokenizer),
    )


def corpus(tokenizer: PreTrainedTokenizerFast, seed: int = 0) -> Corpus:
    documents = [Document(title=str(n), sentences=tuple(words(9, seed + n))) for n in range(6)]
    return tokenize(documents, tokenizer.backend_tokenizer)


def next_token(tokenizer: PreTrainedTokenizerFast) -> NextTokenTask:
    own = continuing_tokenizer(cased_wordpiece(LETTERS), max_tokens=16)
    config = replace(SMALL, n_segments=0, norm="pre", activation="gelu_tanh")
    return NextTokenTask(
        config, own, corpus(tokenizer), corpus(tokenizer, 50), n_tokens=(8, 16), side=corpus(tokenizer, 9)
    )


def masked(tokenizer: PreTrainedTokenizerFast) -> MaskedTask:
    return MaskedTask(SMALL, tokenizer, corpus(tokenizer), corpus(tokenizer, 50), n_tokens=16)


def classification(tokenizer: PreTrainedTokenizerFast) -> ClassificationTask:
    texts = words(80, 3)
    encoded = encode_texts(tokenizer, texts, [text.count("a") % 2 for text in texts], max_tokens=16)
    return ClassificationTask(SMALL, tokenizer, ("even", "odd"), encoded, encoded)


TASKS = (copying, next_token, masked, classification)


def weights_after(fitter: Fitter, iterations: int) -> list[torch.Tensor]:
    for _ in range(iterations):
        fitter.iterate()
    return [weight.detach().clone() for weight in fitter.model.parameters()]


@pytest.mark.parametrize("make", TASKS)
def test_a_stopped_run_goes_on_as_if_it_had_not_been_stopped(
    make: Callable[[PreTrainedTokenizerFast], Task], tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    whole = Fitter(make(tokenizer), CONFIG, CPU)
    expected = weights_after(whole, CONFIG.iterations)
    seen: list[Progress] = []
    assert not fit(tmp_path, make(tokenizer), CONFIG, device=CPU, watch=seen.append, should_stop=lambda: len(seen) == 5)
    assert not (tmp_path / "model").exists()
    assert fit(tmp_path, make(tokenizer), CONFIG, device=CPU, watch=seen.append)
    resumed = Fitter(make(tokenizer), CONFIG, CPU)
    resumed.resume(tmp_path)
    assert [progress.iteration for progress in seen] == list(range(1, 13))
    assert (resumed.iteration, resumed.tokens) == (whole.iteration, whole.tokens)
    for one, other in zip(expected, resumed.model.parameters(), strict=True):
        assert torch.equal(one, other)
    lines = list(read_metrics(tmp_path / "metrics.jsonl"))
    assert [line["step"] for line in lines] == list(range(1, 13))
    assert [line["step"] for line in lines if "held_out_loss" in line] == [6, 12]


def test_masked_words_and_next_sentences_are_told_apart_each_beside_its_baseline(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    task = masked(tokenizer)
    assert fit(tmp_path, task, CONFIG, device=CPU)
    lines = list(read_metrics(tmp_path / "metrics.jsonl"))
    for line in lines:
        assert_close(line["loss"], line["masked_loss"] + NEXT_SENTENCE_WEIGHT * line.get("next_loss", 0.0))
        assert line["accuracy"] == line["masked_accuracy"]
    last = lines[-1]
    assert last["held_out_loss"] == pytest.approx(
        last["held_out_masked_loss"] + NEXT_SENTENCE_WEIGHT * last["held_out_next_loss"], rel=0.2
    )
    assert_close(last["held_out_next_loss_baseline"], math.log(2))
    assert 0 < last["held_out_masked_loss_baseline"] < math.log(SMALL.d_vocab) + 1


def test_who_says_only_how_frequent_pieces_are_pays_the_cross_entropy_of_the_counts() -> None:
    learned, targets = np.array([5, 5, 5, 6], np.int32), torch.tensor([5, 5, 6, 7])
    found = by_frequency(learned, targets, d_vocab=8)
    chances = np.array([4, 4, 2, 1]) / 12
    assert_close(found["masked_loss_baseline"], -np.log(chances).mean())
    assert found["masked_accuracy_baseline"] == 0.5


def test_who_always_says_that_b_does_not_follow_is_right_half_of_the_time() -> None:
    labels = torch.tensor([IS_NEXT, 1, 1, 1, NO_LABEL])
    never = torch.tensor([[0.0, 9.0]] * 5)
    assert both_answers_alike(never, labels)["next_accuracy"] == 0.5
    right = torch.tensor([[9.0, 0.0], [0.0, 9.0], [0.0, 9.0], [0.0, 9.0], [9.0, 0.0]])
    assert both_answers_alike(right, labels)["next_accuracy"] == 1.0
    assert both_answers_alike(right, labels)["next_loss"] < both_answers_alike(right, labels)["next_loss_baseline"]
    assert both_answers_alike(never[1:], labels[1:]) == {}


def test_a_classifier_goes_on_from_a_state_that_called_it_head(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    whole = Fitter(classification(tokenizer), CONFIG, CPU)
    weights_after(whole, 3)
    whole.save(tmp_path)
    state = tmp_path / "state.safetensors"
    with safe_open(state, framework="pt") as opened:
        metadata = opened.metadata()
    tensors = {
        re.sub(r"(?<=\.)classifier\.(?=pooler|classifier)", "head.", name): tensor
        for name, tensor in load_file(state).items()
    }
    assert {"model.head.classifier.weight", "optimizer.exp_avg.head.pooler.weight"} <= tensors.keys()
    save_file(tensors, state, metadata)
    resumed = Fitter(classification(tokenizer), CONFIG, CPU)
    resumed.resume(tmp_path)
    for one, other in zip(weights_after(whole, 2), weights_after(resumed, 2), strict=True):
        assert torch.equal(one, other)


def test_copying_is_learned_and_the_exact_matches_are_those_of_greedy_writing(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    task = copying(tokenizer)
    config = replace(CONFIG, iterations=220, rows=64, learning_rate=6e-3, snapshots=3, log_every=10, measurements=1)
    last: list[Progress] = []
    assert fit(tmp_path, task, config, device=CPU, watch=lambda progress: last.__setitem__(slice(None), [progress]))
    found = last[0].held_out
    assert found["accuracy"] > 0.8
    task.model.eval()
    unseen = words(60, 1)
    right = 0
    for text in unseen:
        source = torch.tensor([tokenizer(text)["input_ids"]])
        beam = greedy(task.model.writer(source), torch.tensor([START_ID]), n_new=15, end_id=END_ID)
        right += tokenizer.decode(list(beam.ids), skip_special_tokens=True) == text
    assert_close(right / len(unseen), found["exact_match"])
    assert sorted(folder.name for folder in (tmp_path / "snapshots").iterdir()) == [
        f"step-{iteration:06d}" for iteration in snapshot_iterations(220, 3)
    ]
    assert (tmp_path / "model" / "source-words.txt").read_text().split() == list(LETTERS)
    theirs = AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "model", dtype=torch.float32)
    opened = AutoTokenizer.from_pretrained(tmp_path / "model")
    batch = opened(unseen, return_tensors="pt", padding=True, return_token_type_ids=False)
    written = opened.batch_decode(theirs.generate(**batch, max_new_tokens=15, num_beams=1), skip_special_tokens=True)
    agreeing = sum(one == other for one, other in zip(written, unseen, strict=True)) / len(unseen)
    assert agreeing == pytest.approx(found["exact_match"], abs=0.05)  # half precision may turn a close call


def test_a_continuer_opens_with_transformers_and_has_learned(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    fit(tmp_path, next_token(tokenizer), CONFIG, device=CPU)
    lines = list(read_metrics(tmp_path / "metrics.jsonl"))
    assert lines[-1]["loss"] < lines[0]["loss"]
    AutoModelForCausalLM.from_pretrained(tmp_path / "model")
    assert AutoTokenizer.from_pretrained(tmp_path / "model")("a b")["input_ids"][0] == START_ID


def test_rows_of_text_begin_with_a_sentence_and_cross_borders_with_a_mark(tokenizer: PreTrainedTokenizerFast) -> None:
    task = next_token(tokenizer)
    text = corpus(tokenizer)
    beginnings = {tuple(text.ids[start : start + 2]) for start in text.sentence_starts[:-1]}
    rows = task.learned.rows(200, 16, np.random.default_rng(0))
    assert (rows[:, 0] == START_ID).all()
    assert {tuple(row[1:3]) for row in rows} <= beginnings
    plain = [int(piece) for piece in task.learned.ids if piece != END_ID]
    assert plain == text.ids.tolist()
    assert (task.learned.ids == END_ID).sum() == 6
    assert task.learned.ids[-1] == END_ID


def test_a_run_that_was_killed_takes_the_lost_iterations_again(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    seen: list[Progress] = []
    fit(tmp_path, copying(tokenizer), CONFIG, device=CPU, watch=seen.append, should_stop=lambda: len(seen) == 4)
    metrics = tmp_path / "metrics.jsonl"
    metrics.write_text(metrics.read_text() + json.dumps({"step": 5, "loss": 1.0}) + '\n{"step": 6, "lo')
    fit(tmp_path, copying(tokenizer), CONFIG, device=CPU)
    assert [line["step"] for line in read_metrics(metrics)] == list(range(1, 13))


def test_one_document_is_cut_so_that_a_pair_can_come_from_elsewhere(tokenizer: PreTrainedTokenizerFast) -> None:
    one = tokenize([Document(title="one", sentences=tuple(words(20, 0)))], tokenizer.backend_tokenizer)
    cut = with_documents(one)
    assert cut.document_of[0] != cut.document_of[-1]
    assert MaskedTask(SMALL, tokenizer, one, n_tokens=16).loss(0, rows=4, seed=0, device=CPU).n_tokens > 0
    alone = tokenize([Document(title="one", sentences=("a b",))], tokenizer.backend_tokenizer)
    with pytest.raises(ValueError, match="expected at least 2"):
        with_documents(alone)


@pytest.mark.parametrize("n_sentences", [2, 3, 40])
def test_half_of_the_pairs_follow_however_short_the_documents_are(
    tokenizer: PreTrainedTokenizerFast, n_sentences: int
) -> None:
    documents = [Document(title=str(n), sentences=tuple(words(n_sentences, n))) for n in range(30)]
    text = tokenize(documents, tokenizer.backend_tokenizer)
    batch = make_batch(
        text, batch_size=400, n_tokens=32, mask_rate=0.15, d_vocab=13, seed=0, iteration=0, draw=way_to_draw(text, 32)
    )
    asked = batch.next_labels[batch.next_labels != NO_LABEL]
    assert len(asked) > 150
    assert 0.35 < float((asked == IS_NEXT).float().mean()) < 0.65


def test_texts_that_cannot_be_cut_are_still_paired(tokenizer: PreTrainedTokenizerFast) -> None:
    alike = [Document(title=str(n), sentences=("a b", "c d")) for n in range(4)]
    text = tokenize([*alike, Document(title="one", sentences=("e f",))], tokenizer.backend_tokenizer)
    assert way_to_draw(text, 16) is draw_pair
    assert way_to_draw(corpus(tokenizer), 16) is draw_pair
    assert way_to_draw(corpus(tokenizer), 400) is draw_passage


@pytest.mark.parametrize(
    ("field", "value"), [("iterations", 0), ("rows", 0), ("learning_rate", 0.0), ("decay", 1.5), ("snapshots", -1)]
)
def test_a_recipe_that_cannot_be_names_its_field(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{field} is"):
        FitConfig(**{"iterations": 10, field: value})


def test_a_model_that_knows_nothing_is_as_good_as_chance_and_counting_is_better(
    tokenizer: PreTrainedTokenizerFast,
) -> None:
    model = LanguageModel(replace(SMALL, n_segments=0, max_tokens=128)).eval()
    for weight in model.parameters():
        weight.data.zero_()
    text = corpus(tokenizer)
    scores = evaluate(model, text, count_bigrams([text], SMALL.d_vocab))
    assert_close(scores["model"]["loss"], np.log(SMALL.d_vocab))
    assert scores["bigram"]["loss"] <= scores["unigram"]["loss"] < scores["model"]["loss"]
    assert scores["model"]["n"] == scores["bigram"]["n"] > 1000
