"""The training of the model that reads long texts: its rows, a smallest run, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from models.checkpoints.llama import load_llama
from models.opening.folders import load_folder
from models.scratch.attention import MultiHeadAttention
from models.scratch.config import PRESETS, TransformerConfig
from models.scratch.gpt import LanguageModel
from models.training.corpora.vocabulary import OWN_SPECIALS
from models.training.tasks.next_token import REPEATED_LEAST, START_ID, NextTokenTask, quote_again, repeat_random
from models.training.trainer.fit import MODEL, FitConfig
from models.training.trainer.metric_lines import read_metrics
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, open_data, prepare_data
from recipes.decoders.llama import STAGES, Ways, report_long, run, stages, task_of
from recipes.evaluation.long_texts import next_losses, rare_pieces, read_long_texts, steps_back
from tests.closeness import assert_close

TEXT = "the old dog saw a red house and then the man went home to his dog by way of a long road"
WORDS = TEXT.split()
CPU = torch.device("cpu")
SIZES = TransformerConfig(
    d_vocab=90,
    d_model=32,
    n_layers=2,
    n_heads=4,
    n_kv_heads=2,
    d_ff=48,
    max_tokens=64,
    n_segments=0,
    norm="pre",
    norm_kind="rms",
    positions="rotary",
    activation="silu",
    gated=True,
    biases=False,
    layer_norm_eps=1e-5,
)
CONFIG = FitConfig(iterations=6, rows=8, warmup_iterations=2, measurements=1)


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A folder with the text of a run: two books, of which one is held out."""
    random = np.random.default_rng(0)
    books = [
        "\n".join([title, *(" ".join(random.choice(WORDS, 9)).capitalize() + "." for _ in range(60))])
        for title in ("One", "Two")
    ]
    (tmp_path / "books.txt").write_text("\n\n".join(books), encoding="utf-8")
    prepare_data(tmp_path / "run", [tmp_path / "books.txt"], ["Two"], SIZES.d_vocab)
    return tmp_path / "run"


def sizes_of(data: TrainingData) -> TransformerConfig:
    return replace(SIZES, d_vocab=data.tokenizer.get_vocab_size())


def test_the_preset_is_small_enough_and_reads_what_is_asked() -> None:
    sizes = PRESETS["mini-llama"]
    with torch.device("meta"):
        model = LanguageModel(sizes)
    assert 2 * sum(weight.numel() for weight in model.parameters()) <= 12_000_000
    assert sizes.max_tokens == 4096 == max(length for _, lengths in STAGES for length in lengths)


def test_a_smallest_run_is_resumed_and_opens_in_both(prepared: Path) -> None:
    sizes = sizes_of(open_data(prepared))
    run(prepared, sizes, CONFIG, Ways(quoted=0.5), CPU)
    lines = list(read_metrics(prepared / "metrics.jsonl"))
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert lines[-1]["held_out_loss"] < np.log(sizes.d_vocab) + 1
    run(prepared, sizes, CONFIG, Ways(quoted=0.5), CPU)  # finished already: nothing more is learned
    assert len(list(read_metrics(prepared / "metrics.jsonl"))) == 6
    ours = load_folder(prepared / MODEL, name="tiny", device="cpu")
    assert (ours.info.family, ours.info.n_kv_heads, ours.info.n_heads) == ("llama", 2, 4)
    theirs = AutoModelForCausalLM.from_pretrained(prepared / MODEL, dtype=torch.float32).eval()
    assert isinstance(theirs, LlamaForCausalLM)
    given = AutoTokenizer.from_pretrained(prepared / MODEL)("The old dog saw", return_tensors="pt")
    with torch.inference_mode():
        expected = theirs(given["input_ids"], output_hidden_states=True).hidden_states
    recorded = ours.record("The old dog saw").hidden_states
    assert_close(recorded[1], expected[1][0])


def test_a_batch_follows_from_seed_and_iteration_alone(prepared: Path) -> None:
    data = open_data(prepared)
    sizes = sizes_of(data)
    losses = [
        float(task_of(sizes, data, 10, quoted=0.5, seed=3).loss(9, rows=4, seed=3, device=CPU).total.detach())
        for _ in range(2)
    ]
    assert losses[0] == losses[1]


def test_the_rows_grow_longer_along_the_way_and_are_as_long_for_every_worker() -> None:
    planned = stages(100, 4096)
    assert [stage.until for stage in planned] == [50, 80, 100]
    assert [max(stage.lengths) for stage in planned] == [512, 2048, 4096]
    assert all(stage.lengths == (64,) for stage in stages(100, 64))


def test_all_workers_draw_the_same_length(prepared: Path) -> None:
    task = task_of(sizes_of(open_data(prepared)), open_data(prepared), 10, quoted=0, seed=0)
    task.stages = stages(10, 4096)
    drawn = [[task._length(at, np.random.default_rng((seed, at))) for at in range(10)] for seed in range(3)]
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(set(drawn[0])) > 2
    assert max(drawn[0][:5]) <= 512


def test_a_row_that_quotes_ends_in_what_has_stood_before() -> None:
    ids = np.arange(40 * 200).reshape(200, 40)
    ids[:, 0] = START_ID
    rows = ids.copy()
    quote_again(rows, 0.5, np.random.default_rng(0))
    np.testing.assert_array_equal(rows[:, :30], ids[:, :30])
    quoting = (rows[:, 30:] != ids[:, 30:]).all(axis=1)
    assert 70 < quoting.sum() < 130
    starts = rows[quoting, 30] - ids[quoting, 1] + 1  # where the quoted part stands in its row
    assert starts.min() == 1
    assert starts.max() == 20
    np.testing.assert_array_equal(np.diff(rows[quoting, 30:], axis=1), 1)


def test_a_row_that_repeats_random_pieces_has_them_twice_and_says_what_nothing_leads_to() -> None:
    ids = np.zeros((200, 60), dtype=np.int64)
    ids[:, 0] = START_ID
    rows = ids.copy()
    is_unsaid = repeat_random(rows, 0.5, np.arange(90), np.random.default_rng(0))
    repeating = (rows != ids).any(axis=1)
    assert 70 < repeating.sum() < 130
    assert not is_unsaid[~repeating].any()
    assert (rows[:, 0] == START_ID).all()
    for row, unsaid in zip(rows[repeating], is_unsaid[repeating], strict=True):
        places = np.flatnonzero(row >= OWN_SPECIALS.first_piece)
        n_copies = next(n for n in range(2, 9) if len(places) % n == 0 and unsaid.sum() == len(places) // n + n - 1)
        first, *later = row[places].reshape(n_copies, -1)
        assert len(first) >= REPEATED_LEAST
        assert all((copy == first).all() for copy in later)
        assert unsaid[places[: len(first)]].all()


def test_a_finished_model_is_trained_on_with_rows_of_given_lengths(prepared: Path, tmp_path: Path) -> None:
    sizes = sizes_of(open_data(prepared))
    run(prepared, sizes, CONFIG, Ways(quoted=0.0), CPU)
    (prepared / MODEL).rename(tmp_path / "begin")
    for left in ("state.safetensors", "metrics.jsonl"):
        (prepared / left).unlink()
    slow = replace(CONFIG, iterations=1, learning_rate=1e-9)
    run(prepared, sizes, slow, Ways(begin=tmp_path / "begin", repeated=1.0, lengths=(32,)), CPU)
    before, after = (load_llama(folder).state_dict() for folder in (tmp_path / "begin", prepared / MODEL))
    for name, weight in before.items():
        assert_close(after[name], weight, tolerance=1e-3)


def test_grouped_heads_begin_with_the_queries_of_the_first_of_their_group() -> None:
    model = LanguageModel(SIZES)
    initialise(model, 0)
    for module in (module for module in model.modules() if isinstance(module, MultiHeadAttention)):
        queries, keys = module.query.weight.view(4, 8, 32), module.key.weight.view(2, 8, 32)
        assert torch.equal(keys, queries[[0, 2]])
        assert module.query.weight.std() > 0.05


def test_what_is_far_back_is_told_from_what_is_near() -> None:
    np.testing.assert_array_equal(steps_back(np.array([2, 7, 8, 7, 7, 2])), [0, 0, 0, 2, 1, 5])


def test_long_texts_are_scored_by_place_and_by_what_stood_before(
    prepared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recipes.evaluation.long_texts.FREQUENT", 10)
    monkeypatch.setattr("recipes.evaluation.long_texts.NEAR", 8)
    data = open_data(prepared)
    model = task_of(sizes_of(data), data, 1, quoted=0, seed=0).model.eval()
    assert data.held_out is not None
    found = read_long_texts(model, data.held_out, data.learned, n_tokens=64, n_rows=3, parts=3)
    assert list(found) == ["1 to 15", "16 to 31", "32 to 63", "rare, first time", "rare, again near", "rare, again far"]
    assert [found[name]["n"] for name in ("1 to 15", "16 to 31")] == [45, 48]
    assert 48 < found["32 to 63"]["n"] <= 96  # a row that begins near the end of the text is padded
    assert all(scores["n"] and 0 < scores["loss"] < 9 for scores in found.values())
    assert report_long(model, data).keys() >= {"32 to 63", "rare, again far"}
    frequent = np.bincount(data.learned.ids).argmax()
    assert not rare_pieces(data.learned, model.config.d_vocab)[[0, START_ID, frequent]].any()


def test_the_losses_of_a_row_are_those_of_its_logits() -> None:
    model = LanguageModel(SIZES).eval()
    ids = np.random.default_rng(0).integers(5, 90, 20)
    losses, right = next_losses(model, ids)
    with torch.inference_mode():
        logits = model(torch.from_numpy(ids[None, :-1])).logits[0].log_softmax(dim=-1)
    assert_close(losses, -logits[torch.arange(19), ids[1:]])
    np.testing.assert_array_equal(right, logits.argmax(dim=-1).numpy() == ids[1:])


def test_a_model_with_learned_positions_is_still_saved_as_a_gpt(prepared: Path, tmp_path: Path) -> None:
    data = open_data(prepared)
    sizes = replace(sizes_of(data), positions="learned", norm_kind="layer", gated=False, activation="gelu", biases=True)
    sizes = replace(sizes, n_kv_heads=None)
    tokenizer = task_of(sizes_of(data), data, 1, quoted=0, seed=0).tokenizer
    NextTokenTask(sizes, tokenizer, data.learned, n_tokens=(16,)).save(tmp_path / "gpt")
    assert load_folder(tmp_path / "gpt", name="gpt", device="cpu").info.family == "gpt2"
