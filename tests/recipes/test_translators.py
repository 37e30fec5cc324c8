"""What the embedded translators learn from: what is held out, how words are cut and typed, and workers that share."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import AutoTokenizer

from models.checkpoints.bart import load_bart
from models.checkpoints.card import read_card
from models.opening.entries import ROOT
from models.opening.folders import load_folder
from models.text.familiarity import count_source_bigrams, known_sources
from models.text.source_words import known_words
from models.training.corpora.learned_sources import FALSE_ALARMS, as_sources, learned_sources
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID, UNKNOWN, spelling_wordpiece
from models.training.tasks.translation import TranslationTask
from models.training.trainer.fit import FitConfig, Fitter
from models.training.trainer.metric_lines import read_metrics
from models.training.trainer.processes import Worker, start_workers
from recipes.corpora.pairs import CHOSEN, HELD_OUT, Translated, read_pairs, split_pairs
from recipes.evaluation.translation.report import MEASURED, write_card
from recipes.sentences.everyday import is_held_out
from recipes.sentences.parallel.examples import EXAMPLES
from recipes.sentences.parallel.typed import careless, forms_of, in_any_case
from recipes.translators.of_collection import PLANS, CollectionPlan, collection_task, prepare
from recipes.translators.of_grammar import (
    Sentences,
    draw_sentences,
    parallel_tokenizer,
    target_pieces,
)
from recipes.translators.train import TranslatorRun, train
from recipes.translators.typed_pairs import PairGroup, TypedPairs, WordCutter
from tests.closeness import assert_close

SAID = ("The cat sleeps.", "A dog sees the cat!", "Who sees the dog?", "I see two cats.", "We don't sleep, do we?")
CPU = torch.device("cpu")


def sentences(n: int, seed: int = 0) -> list[str]:
    random = np.random.default_rng(seed)
    words = sorted({word.strip(".!?,") for text in SAID for word in text.split()})
    return [" ".join(random.choice(words, size=random.integers(2, 9))).capitalize() + "." for _ in range(n)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of its own in the form of the one in ../shared: some sentences with several translations."""
    folder = tmp_path_factory.mktemp("parallel")
    learned = dict.fromkeys(sentences(900))
    rows = [f"{said}\t{said.upper()}" for said in learned] + [f"{said}\t{said.lower()}" for said in list(learned)[:200]]
    for name in ("eng-spa", "eng-kor"):
        with lzma.open(folder / f"{name}.tsv.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join(f"{row}\tattribution" for row in rows))
    return folder


# -- what is held out -------------------------------------------------------------------------------------------------


def test_all_translations_of_a_sentence_are_on_one_side_however_it_is_written() -> None:
    said = [text for one in sentences(3000) for text in (one, one.lower().rstrip("."), one.upper())]
    split = split_pairs([Translated(source=text, targets=("x",)) for text in said], 0.2)

    def spoken(part: Sequence[Translated]) -> set[str]:
        return {one.source.lower().rstrip(".") for one in part}

    learned, chosen, reported = map(spoken, (split.learned, split.chosen, split.reported))
    assert not learned & (chosen | reported)
    assert not chosen & reported
    held_out = len(split.chosen) + len(split.reported)
    assert held_out / len(said) == pytest.approx(0.2, abs=0.03)
    assert len(split.chosen) / held_out == pytest.approx(CHOSEN, abs=0.05)


def test_what_few_sentences_hold_out_is_held_out_of_many_too() -> None:
    """A share that is smaller holds out a part of what a larger one does."""
    said = [Translated(source=text, targets=("x",)) for text in sentences(2000)]
    small, large = (split_pairs(said, HELD_OUT[language]) for language in ("es", "ko"))
    assert {*small.chosen, *small.reported} < {*large.chosen, *large.reported}


def test_translations_are_gathered_by_their_sentence(folder: Path) -> None:
    found = read_pairs(folder / "eng-spa.tsv.xz")
    assert len({one.source for one in found}) == len(found)
    assert all(target.lower() == one.source.lower() for one in found for target in one.targets)
    assert {len(one.targets) for one in found} == {1, 2}


# -- pieces and how they are typed ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pieces() -> Tokenizer:
    return spelling_wordpiece(sentences(300), 400, "éñ¿")


def test_no_word_of_the_letters_is_unknown_and_odd_apostrophes_are_plain_ones(pieces: Tokenizer) -> None:
    assert pieces.get_vocab_size() <= 400
    for text in ("Zzyzx QWERTY a1b2 señé", "¿x? (y) <z> & 100% @home #1", "x" * 99):
        assert UNKNOWN not in pieces.encode(text).tokens
    assert pieces.encode("don’t “go”").ids == pieces.encode('don\'t "go"').ids
    assert UNKNOWN in pieces.encode("日本").tokens


def test_words_are_cut_as_the_tokenizer_cuts_them_unless_pieces_are_passed_over(pieces: Tokenizer) -> None:
    random = np.random.default_rng(0)
    texts = [*sentences(60, 5), "Zzyzx señé, don't!", "日本 cat"]
    for text in texts:
        usual = pieces.encode(text, add_special_tokens=False).ids
        assert WordCutter(pieces).ids(text, random) == usual
        odd = WordCutter(pieces, dropped=1.0).ids(text, random)
        assert len(odd) >= len(usual)
        assert pieces.decode(odd) == pieces.decode(usual)
    cutter = WordCutter(pieces, dropped=1.0)
    assert len({tuple(cutter.ids("sleeps cats sees", random)) for _ in range(20)}) > 5


def test_a_word_means_the_same_in_every_case_in_which_it_is_typed() -> None:
    random = np.random.default_rng(1)
    typed = [in_any_case("Two cats sleep.", random) for _ in range(500)]
    assert {text.casefold().rstrip(".") for text in typed} == {"two cats sleep"}
    firsts = [text.split()[0] for text in typed]
    assert set(firsts) == forms_of("two") == {"two", "Two", "TWO"}
    assert 0.6 < firsts.count("Two") / 500 < 0.85
    assert 0.1 < np.mean([not text.endswith(".") for text in typed]) < 0.3
    assert in_any_case("?", random) == "?"


def test_a_batch_has_the_share_of_every_group_and_its_rows_begin_and_end(pieces: Tokenizer) -> None:
    groups = [
        PairGroup(sources=["the cat"], targets=["a dog"], share=3.0),
        PairGroup(sources=["two"], targets=["cats"], share=1.0),
    ]
    pairs = TypedPairs(groups, WordCutter(pieces), in_any_case, max_tokens=4)
    source, target = pairs.draw_pairs(np.random.default_rng(0), 400)
    assert len(source) == len(target) == 400
    assert (target[:, 0] == CLS_ID).all()
    for ids in (source, target):
        length = (ids != PAD_ID).sum(axis=1)
        assert (ids[np.arange(400), length - 1] == SEP_ID).all()
        assert length.max() <= 5
    is_cat = (target == pieces.encode("dog").ids[0]).any(axis=1)
    assert is_cat.mean() == pytest.approx(0.75, abs=0.08)


# -- what is unlike it ------------------------------------------------------------------------------------------------


def test_bits_are_those_of_witten_and_bell_by_hand() -> None:
    """The end, 0, is followed by 1 three times and by 2 once: once is not written down."""
    counted = count_source_bigrams([[1, 2, 0], [1, 2, 0], [1, 1, 0], [2, 0]], 4)
    total = 3 + 3 + 1 + 1 + 3  # eleven pieces
    unigram = (np.array([4, 4, 3, 0]) + 1) / (total + 4)
    after_end, after_one = (3 + 1 * unigram[1]) / 4, (2 + 1 * unigram[2]) / 3
    end_after_two = (3 + 1 * unigram[0]) / 4
    expected = -np.log2([after_end, after_one, end_after_two]).mean()
    assert_close(counted.bits([1, 2, 0]), expected)
    assert counted.bits([3, 3, 0]) > counted.bits([2, 1, 0]) > counted.bits([1, 2, 0])


def test_the_probabilities_after_a_piece_sum_to_one() -> None:
    counted = count_source_bigrams([[1, 2, 0], [1, 2, 0], [1, 1, 0], [1, 1, 0], [2, 3, 0]], 4)
    for before in range(4):
        assert_close(sum(2.0 ** -counted.surprises([before, piece])[1] for piece in range(4)), 1.0)


def test_the_limit_lets_the_share_of_false_alarms_pass_and_a_heap_of_words_does_not(
    pieces: Tokenizer, tmp_path: Path
) -> None:
    told = learned_sources([*SAID] * 3 + sentences(300), sentences(400, 9), pieces, forms_of)
    told.save(tmp_path)
    opened = known_sources(tmp_path, pieces.get_vocab_size())
    assert opened is not None
    unlike = [opened.familiarity(ids).is_unlike for ids in as_sources(sentences(400, 9), pieces)]
    assert np.mean(unlike) == pytest.approx(FALSE_ALARMS, abs=0.01)
    (strange,) = as_sources(["qxz jjv wwk"], pieces)
    assert opened.familiarity(strange).is_unlike
    assert_close(opened.bits(strange), told.bigrams.bits(strange))
    known = known_words(tmp_path)
    assert known is not None
    assert {"two", "Two", "TWO", "cats"} <= known
    assert "." not in known


@pytest.mark.parametrize("content", [b"", b"no tensors", None])
def test_a_file_of_bigrams_that_does_not_fit_is_left_out(content: bytes | None, tmp_path: Path) -> None:
    if content is None:
        count_source_bigrams([[1, 2, 0]] * 2, 4, limit=3.0).save(tmp_path)
        assert known_sources(tmp_path, 4) is not None
        assert known_sources(tmp_path, 5) is None
        return
    (tmp_path / "source-bigrams.safetensors").write_bytes(content)
    assert known_sources(tmp_path, 4) is None


# -- training ---------------------------------------------------------------------------------------------------------

SMALL = FitConfig(iterations=6, rows=8, warmup_iterations=2, measurements=2, learning_rate=1e-3)


@pytest.fixture(scope="module")
def plan(folder: Path) -> CollectionPlan:
    return replace(
        PLANS["es"],
        parallel=folder,
        config=SMALL,
        d_vocab=400,
        d_model=32,
        n_layers=1,
        n_heads=2,
        d_ff=48,
        grammar_pairs=200,
        parts=2,
    )


def asked(run: Path, plan: CollectionPlan) -> TranslatorRun:
    return TranslatorRun(
        language="es",
        run=run,
        plan=plan,
        pairs=0,
        d_model=0,
        layers=0,
        config=plan.config,
        device="cpu",
    )


@pytest.fixture(scope="module")
def run(plan: CollectionPlan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that two workers have ended."""
    run = tmp_path_factory.mktemp("run")
    prepare(run, plan)
    start_workers(train, (asked(run, plan),), 2)
    return run


def test_two_workers_leave_a_checkpoint_that_translates_and_tells_what_is_unlike(run: Path) -> None:
    lines = list(read_metrics(run / "metrics.jsonl"))
    assert [line["step"] for line in lines] == list(range(1, 7))
    assert {"held_out_loss", "held_out_exact_match"} <= lines[-1].keys()
    model = load_folder(run / "model", name="mine", device="cpu")
    writing = model.translate("The cat sleeps.")
    assert writing.familiarity is not None
    assert not writing.unknown_words
    assert model.translate("Zzyzx sleeps.").unknown_words == ("Zzyzx",)
    assert load_file(run / "model" / "model.safetensors")["model.shared.weight"].dtype == torch.float16


def test_the_card_says_what_was_learned_and_how(run: Path) -> None:
    card = read_card(run / "model")
    assert card.languages == ("en", "es")
    known = known_words(run / "model")
    assert known is not None
    assert f" {len({word.casefold() for word in known}):,} English words" in card.made_for
    text = (run / "model" / "README.md").read_text(encoding="utf-8")
    for part in ("CC BY 2.0 FR", "tatoeba.org", "6 iterations of 8 pairs", "2 processes", "| the grammar"):
        assert part in text
    write_card(run / "model", f"{MEASURED}\n\nmuch\n", EXAMPLES[:2])
    write_card(run / "model", f"{MEASURED}\n\nmore\n", EXAMPLES[:3])
    again = (run / "model" / "README.md").read_text(encoding="utf-8")
    assert again.endswith("more\n")
    assert "much" not in again
    assert "6 iterations of 8 pairs" in again
    assert read_card(run / "model").examples == tuple((each.label, each.text) for each in EXAMPLES[:3])
    assert read_card(run / "model").made_for == card.made_for


@pytest.mark.parametrize("interrupts", ["heard", "ignored"])
def test_workers_end_and_save_when_whoever_started_them_is_killed(tmp_path: Path, interrupts: str) -> None:
    """Else they would go on for ever, and two runs would write to one folder. A shell that starts a program in the
    background lets it ignore Ctrl+C."""
    program = f"""
from pathlib import Path
from tests.recipes.test_translators import wait_and_save
from models.training.trainer.processes import Worker, start_workers
if __name__ == "__main__":
    start_workers(wait_and_save, (Path({str(tmp_path)!r}),), 2)
"""
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    ignored = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN);" if interrupts == "ignored" else ""
    begin = f"import os, sys; {ignored} os.execv(sys.executable, [sys.executable, {str(file)!r}])"
    started = subprocess.Popen([sys.executable, "-c", begin], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        waiting = [tmp_path / f"waits-{rank}" for rank in (0, 1)]
        _until(lambda: all(path.exists() for path in waiting))
    finally:
        started.kill()
        started.wait()
    _until(lambda: all((tmp_path / f"saved-{rank}").exists() for rank in (0, 1)))


def wait_and_save(folder: Path, *, worker: Worker) -> None:
    """What a worker does in the test above."""
    try:
        (folder / f"waits-{worker.rank}").touch()
        while True:
            time.sleep(0.01)
    finally:
        (folder / f"saved-{worker.rank}").touch()


def _until(holds: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_two_workers_change_the_weights_as_one_would_that_has_both_their_rows(
    plan: CollectionPlan, run: Path, tmp_path: Path
) -> None:
    """One iteration without dropout: the mean of the gradients of two halves."""
    plain = replace(plan, dropout=0.0, config=replace(SMALL, iterations=1, optimizer="adamw"))
    prepare(tmp_path, plain)
    (tmp_path / "tokenizer.json").write_bytes((run / "tokenizer.json").read_bytes())
    start_workers(train, (asked(tmp_path, plain),), 2)
    task = collection_task(tmp_path, plain)
    fitter = Fitter(task, plain.config, CPU)
    halves = [task.loss(0, rows=4, seed=rank, device=CPU).total for rank in (0, 1)]
    torch.autograd.backward((halves[0] + halves[1]) / 2)
    torch.nn.utils.clip_grad_norm_(task.model.parameters(), plain.config.clip)
    for optimizer in fitter.optimizers:
        for group in optimizer.param_groups:
            group["lr"] = plain.config.rate(0)
        optimizer.step()
    found = load_file(tmp_path / "state.safetensors")
    differences = [
        (found[f"model.{name}"] - weight.detach()).abs().flatten() for name, weight in task.model.named_parameters()
    ]
    step = plain.config.rate(0)  # AdamW's first change of a weight; bfloat16 may turn it where there is no slope
    assert (torch.cat(differences) < 0.1 * step).float().mean() > 0.99


def test_a_batch_in_parts_of_like_length_has_the_loss_of_the_whole(plan: CollectionPlan, run: Path) -> None:
    whole, parts = (collection_task(run, replace(plan, dropout=0.0, parts=n)) for n in (1, 3))
    one, other = (task.loss(3, rows=12, seed=0, device=CPU) for task in (whole, parts))
    assert_close(one.total.item(), other.total.item())
    assert (one.n_asked, one.n_right, one.n_tokens) == (other.n_asked, other.n_right, other.n_tokens)


def test_smoothing_is_the_cross_entropy_with_a_little_of_every_token(plan: CollectionPlan, run: Path) -> None:
    tasks = [collection_task(run, replace(plan, dropout=0.0, smoothing=amount)) for amount in (0.0, 0.2)]
    plain, smooth = (task.loss(0, rows=8, seed=0, device=CPU).total.item() for task in tasks)
    assert_close(plain, _mean_over_tokens(tasks[0], lambda rows, right: rows[right]))
    mixed = _mean_over_tokens(tasks[1], lambda rows, right: 0.8 * rows[right] + 0.2 * rows.mean())
    assert_close(smooth, mixed)


def _mean_over_tokens(task: TranslationTask, cost) -> float:
    source, target = (
        torch.from_numpy(side.astype(np.int64)) for side in task.learned.draw_pairs(np.random.default_rng((0, 0)), 8)
    )
    with torch.inference_mode():
        logits = task.model(source, target[:, :-1], source != PAD_ID).logits
    rows = -torch.log_softmax(logits, dim=-1)  # [b, n, d_vocab]
    asked_for = target[:, 1:]
    found = [
        float(cost(rows[row, at], int(asked_for[row, at])))
        for row, at in zip(*np.nonzero(asked_for.numpy() != PAD_ID), strict=True)
    ]
    return float(np.mean(found))


def test_a_translator_to_korean_sets_out_from_another_one_and_reads_what_was_made_by_rule(
    plan: CollectionPlan, run: Path, tmp_path: Path
) -> None:
    start = run / "model"
    korean = replace(plan, language="ko", start=start, generated=0.4, generated_pairs=300, dropout=0.0)
    prepare(tmp_path, korean)
    generated = [line.split("\t") for line in (tmp_path / "generated.tsv").read_text(encoding="utf-8").splitlines()]
    assert len(generated) == 300
    assert not [source for source, _ in generated if is_held_out(source, HELD_OUT["ko"])]
    task = collection_task(tmp_path, korean)
    given = load_bart(start)
    pieces = AutoTokenizer.from_pretrained(start).get_vocab()
    ours = task.tokenizer.get_vocab()
    shared = sorted(ours.keys() & pieces.keys())
    assert {"[CLS]", "cats", "##s"} <= set(shared)
    for name in ("encoder.layers.0.attention.query.weight", "decoder.layers.0.cross.attention.key.weight"):
        assert torch.equal(task.model.get_parameter(name), given.get_parameter(name))
    found, expected = (model.encoder.embeddings.token.weight.detach() for model in (task.model, given))
    for piece in shared:
        assert torch.equal(found[ours[piece]], expected[pieces[piece]])
    with pytest.raises(ValueError, match="d_ff"):
        collection_task(tmp_path, replace(korean, d_ff=64))


# -- the grammar alone ------------------------------------------------------------------------------------------------


def test_korean_nouns_come_apart_before_their_particles_and_verbs_do_not() -> None:
    pieces = target_pieces({"소년은", "소년을", "소년들은", "읽어요", "그는", "책을"})
    assert {"소년", "##은", "##을", "##들은", "읽어요", "그", "##는"} <= pieces
    assert "책을" in pieces  # seen with one particle only
    assert "소년은" not in pieces


@pytest.mark.parametrize("language", ["es", "ko"])
def test_every_sentence_comes_back_from_its_pieces(language: str) -> None:
    learned = draw_sentences(language, 800, seed=1, held_out=False)
    assert isinstance(learned, Sentences)
    assert len(set(learned.sources)) == 800
    tokenizer = parallel_tokenizer(learned)
    for target in learned.targets:
        ids = tokenizer(target)["input_ids"]
        assert tokenizer.unk_token_id not in ids
        assert tokenizer.decode(ids, skip_special_tokens=True) == target
    typed = [careless(source, np.random.default_rng(number)) for number, source in enumerate(learned.sources)]
    assert not any(tokenizer.unk_token_id in ids for ids in tokenizer(typed)["input_ids"])
    assert 0.2 < np.mean([source[-1] not in ".?" for source in typed]) < 0.4
