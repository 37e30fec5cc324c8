"""Pairs that a translator makes for itself: what is sampled, which candidate is kept, and what is asked at all."""

from __future__ import annotations

import lzma
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from models.checkpoints.bart import load_bart
from models.opening.registry import embedded_folder, load
from models.training.corpora.vocabulary import CLS_ID, PAD_ID, SEP_ID, UNKNOWN, grown_wordpiece
from recipes.corpora.pairs import HELD_OUT, collection
from recipes.evaluation.translation.consensus import expected_chrf, mutual_chrf
from recipes.evaluation.translation.scores import chrf
from recipes.pretraining.mean_of_runs import mean_of, write_mean
from recipes.sentences.everyday import is_held_out
from recipes.sentences.korean.written import written_pairs
from recipes.translators.of_collection import PLANS, collection_task, prepare
from recipes.translators.sampled import EPSILON, sampled_targets
from recipes.translators.self_made import (
    Translator,
    asked_sources,
    batches,
    open_translator,
    read_self_made,
    self_made,
    write_self_made,
)
from recipes.translators.typed_pairs import TypedPairs
from tests.closeness import assert_close

KOREAN = embedded_folder("translator-ko")
SAID = ["I like dogs.", "Tom is a doctor.", "She went to school.", "Are you hungry?", "He has two cats in the garden."]


@pytest.fixture(scope="module")
def translator() -> Translator:
    assert KOREAN is not None
    return open_translator(KOREAN)


# -- what is sampled --------------------------------------------------------------------------------------------------


def test_every_sampled_token_is_likely_enough_when_the_whole_target_is_read_at_once(translator: Translator) -> None:
    """So the cache, and the rows that go on when others have ended, are those of the same text."""
    cutter, different = translator.tokenizer.backend_tokenizer, set()
    for text in SAID:
        source = torch.tensor([[*cutter.encode(text, add_special_tokens=False).ids, SEP_ID]] * 2)
        random = torch.Generator().manual_seed(1)
        written = sampled_targets(translator.model, source, 12, n_new=14, random=random)
        assert written.shape == (24, 14)
        different |= {tuple(row) for row in written.tolist()}
        for row in written:
            ids = row[row != PAD_ID]
            assert (row[len(ids) :] == PAD_ID).all()
            assert SEP_ID not in ids[:-1]
            assert len(ids) == 14 or ids[-1] == SEP_ID
            before = torch.cat((torch.tensor([CLS_ID]), ids[:-1]))
            with torch.inference_mode():
                shares = translator.model(source[:1], before[None]).logits[0].softmax(dim=-1)  # [n_tokens, d_vocab]
            of_token = shares[torch.arange(len(ids)), ids]
            assert ((of_token > 0.99 * EPSILON) | (of_token >= 0.999 * shares.amax(dim=1))).all()
    assert len(different) > 2 * len(SAID)


def test_sampled_tokens_come_as_often_as_the_model_says(translator: Translator) -> None:
    cutter = translator.tokenizer.backend_tokenizer
    source = torch.tensor([[*cutter.encode("I don't know.", add_special_tokens=False).ids, SEP_ID]])
    first = sampled_targets(translator.model, source, 4000, n_new=1, random=torch.Generator().manual_seed(3))[:, 0]
    with torch.inference_mode():
        shares = translator.model(source, torch.tensor([[CLS_ID]])).logits[0, 0].softmax(dim=-1)
    kept = torch.where(shares >= EPSILON, shares, 0)
    found = torch.bincount(first, minlength=len(shares)) / 4000
    assert (found - kept / kept.sum()).abs().max() < 0.04
    assert (kept > 0).sum() > 1


# -- which one is kept ------------------------------------------------------------------------------------------------


def test_chrf_of_every_two_texts_is_that_of_the_report() -> None:
    texts = ["나는 개를 좋아해.", "나는 개가 좋다.", "난 개 좋아해.", "응.", "톰은 의사야.", ""]
    alike = mutual_chrf(texts)
    for row, text in enumerate(texts):
        for column, other in enumerate(texts):
            assert_close(100 * alike[row, column], chrf([text], [[other]]))


def test_the_text_that_most_others_resemble_is_expected_to_be_best() -> None:
    texts = ["나는 개를 좋아해.", "톰은 의사였다.", "나는 개를 좋아해!", "나는 개를 싫어해."]
    found = expected_chrf(texts)
    assert found.argmax() in {0, 2}
    assert found.argmin() == 1
    assert_close(found[3], np.mean([chrf([texts[3]], [[other]]) for other in texts[:3]]) / 100)
    assert expected_chrf(["a", "a"]).tolist() == [1.0, 1.0]


def test_each_source_comes_with_a_text_that_its_candidates_agree_on(translator: Translator, tmp_path: Path) -> None:
    found = {pair.source: pair for pair in self_made(translator, SAID, n=8)}
    assert set(found) == set(SAID)
    assert all(0 < pair.agreement <= 1 for pair in found.values())
    assert "의사" in found["Tom is a doctor."].target
    write_self_made(tmp_path / "run" / "made.tsv", found.values())
    least = float(np.median([pair.agreement for pair in found.values()])) - 0.001
    expected = [(pair.source, pair.target) for pair in found.values() if pair.agreement >= least]
    assert read_self_made(tmp_path / "run" / "made.tsv", least) == expected
    assert 0 < len(expected) < len(SAID)


def test_batches_have_one_length_and_lose_no_sentence(translator: Translator) -> None:
    cutter = translator.tokenizer.backend_tokenizer
    texts = [f"{text[:-1]} {'very ' * (number % 3)}much." for number in range(9) for text in SAID]
    found = list(batches(texts, cutter, 4))
    assert sorted(text for batch in found for text in batch) == sorted(texts)
    assert all(len(batch) <= 4 for batch in found)
    assert all(len({len(cutter.encode(text).ids) for text in batch}) == 1 for batch in found)


# -- what is asked ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parallel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection in the form of that in ../shared."""
    folder = tmp_path_factory.mktemp("parallel")
    does = ("can swim", "can sing", "saw a dog", "went home", "was tired", "will go", "had a book")
    who = ("Tom", "Mary", "I", "We", "You", "They", "She", "He")
    when = ("", " now", " today", " again", " here", " too")
    english = [f"{one} {what}{then}." for one in who for what in does for then in when]
    outside = ["Zzyzx is here.", "Dog a the of had swim home was book tired."]
    for name, rows in (("eng-spa", [*english, *outside]), ("eng-kor", english[::2])):
        with lzma.open(folder / f"{name}.tsv.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join(f"{row}\t나는 간다." for row in rows))
    return folder


def test_only_sentences_are_asked_that_are_inside_and_neither_held_out_nor_translated(
    translator: Translator, parallel: Path
) -> None:
    asked = asked_sources(translator, parallel, "ko")
    assert len(asked) > 15
    assert "Zzyzx is here." not in asked
    assert "Dog a the of had swim home was book tired." not in asked
    assert not [source for source in asked if is_held_out(source, HELD_OUT["ko"])]
    split = collection(parallel, "ko")
    assert not {one.source for part in (split.learned, split.chosen, split.reported) for one in part} & set(asked)
    model = load("translator-ko")
    for source in asked[:8]:
        writing = model.translate(source)
        assert not writing.unknown_words
        assert writing.familiarity is not None
        assert not writing.familiarity.is_unlike


# -- how it is learned ------------------------------------------------------------------------------------------------


def test_letters_that_a_vocabulary_lacks_come_behind_its_pieces(translator: Translator) -> None:
    given = translator.tokenizer.backend_tokenizer
    (lacking,) = [text for text in ["뷁 숍뷁"] if UNKNOWN in given.encode(text).tokens]
    grown = grown_wordpiece(given, [lacking, "나는 간다."])
    ids, before = grown.get_vocab(), given.get_vocab()
    assert {piece: ids[piece] for piece in before} == before
    assert UNKNOWN not in grown.encode(lacking).tokens
    assert grown.encode("They don’t know it.", add_special_tokens=False).ids == (
        given.encode("They don’t know it.", add_special_tokens=False).ids
    )


def test_a_translator_goes_on_with_its_own_pieces_and_learns_what_it_made(parallel: Path, tmp_path: Path) -> None:
    assert KOREAN is not None
    made = tmp_path / "made.tsv"
    made.write_text("I like cats.\t나는 고양이를 좋아해.\t0.9\nI hate cats.\t모르겠어.\t0.1\n", encoding="utf-8")
    plan = replace(
        PLANS["ko"],
        parallel=parallel,
        start=KOREAN,
        self_made=made,
        generated_pairs=300,
        grammar_pairs=200,
        dropout=0.0,
    )
    prepare(tmp_path, plan)
    task = collection_task(tmp_path, plan)
    assert isinstance(task.learned, TypedPairs)
    groups = task.learned.groups
    assert_close([group.share for group in groups], [0.45, 0.05, 0.20, 0.05, 0.25])
    assert list(zip(groups[-1].sources, groups[-1].targets, strict=True)) == [("I like cats.", "나는 고양이를 좋아해.")]
    assert not [source for group in groups for source in group.sources if is_held_out(source, HELD_OUT["ko"])]
    given = load_bart(KOREAN)
    n_given = given.config.d_vocab
    weight = task.model.encoder.embeddings.token.weight.detach()
    assert len(weight) >= n_given
    assert torch.equal(weight[:n_given], given.encoder.embeddings.token.weight)
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert UNKNOWN not in tokenizer.encode(" ".join(target for group in groups for target in group.targets)).tokens


def test_sentences_written_by_hand_are_pairs_each_once() -> None:
    pairs = written_pairs()
    assert len(dict(pairs)) == len(pairs) > 400
    for english, korean in pairs:
        assert english.isascii()
        assert english[-1] in ".?!"
        assert any("가" <= letter <= "힣" for letter in korean)
        assert korean[-1] in ".?!"


def test_the_mean_of_two_runs_keeps_the_rows_of_new_pieces(tmp_path: Path) -> None:
    start = {"matrix": torch.zeros(2, 3), "bias": torch.zeros(1, 2), "norm": torch.full((3,), 2.0)}
    reached = {"matrix": torch.ones(4, 3), "bias": torch.ones(1, 4), "norm": torch.zeros(3)}
    found = mean_of(start, reached)
    assert found["matrix"].tolist() == [[0.5] * 3] * 2 + [[1.0] * 3] * 2
    assert found["bias"].tolist() == [[0.5, 0.5, 1.0, 1.0]]
    assert found["norm"].tolist() == [1.0] * 3
    assert mean_of(start, reached, share=0.75)["norm"].tolist() == [0.5] * 3
    for wrong in (torch.ones(4, 2), torch.ones(1, 3)):
        with pytest.raises(ValueError, match="matrix"):
            mean_of(start, {"matrix": wrong})
    assert KOREAN is not None
    shutil.copytree(KOREAN, tmp_path / "model")
    write_mean(KOREAN, tmp_path / "model")
    given, written = (load_file(folder / "model.safetensors") for folder in (KOREAN, tmp_path / "model"))
    assert given.keys() == written.keys()
    assert all(torch.equal(given[name], written[name]) for name in given)
