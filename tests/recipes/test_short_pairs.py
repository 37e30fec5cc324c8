"""Short pairs: the 200 that are asked, the passages that others are drawn from, and the training on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from models.checkpoints.bert import save_checkpoint
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.corpus import Document, tokenize
from models.training.corpora.vocabulary import train_wordpiece
from models.training.trainer.start import initialise
from recipes.corpora.data import TrainingData, save_corpus
from recipes.corpora.short_pairs import ShortPairs, content_pieces
from recipes.evaluation.short_pairs.asked import README_EXAMPLE, content_stems, is_near_copy, read_short_pairs
from recipes.evaluation.short_pairs.score import CHOOSING, REPORTING, area_under_curve, score_short_pairs
from recipes.pretraining.headlight import EVERYDAY, WEB, WHICH_NOUN
from recipes.pretraining.short_pairs import ShortPairsConfig, ShortPairsTrainer
from recipes.sentences.follow_up.pairs import SHARING, SHARING_OF_NEXT, PassagePairs
from recipes.sentences.follow_up.passages import FollowUp, Hero, read_passages, told_of, transitions
from tests.closeness import assert_close

COPIED = FollowUp(steps=("The waiter brought us the bill.", "She reached for her purse."))
PASSAGES = (
    COPIED,
    FollowUp(steps=("He was cold.", "He lit the stove.", "Soon his hands were warm.")),
    FollowUp(steps=("The stove had cracked.", "A smith mended it.")),
)
NOUNS = ["cat", "dog", "bird", "king", "ship", "tree", "song", "lamp", "door", "road", "snow", "bell"]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    said = [" ".join(passage.steps) for passage in read_passages()[::9]]
    return train_wordpiece([*said, " ".join(NOUNS)] * 2, 3000)


@pytest.fixture(scope="module")
def data(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainingData, Path]:
    random, folder = np.random.default_rng(0), tmp_path_factory.mktemp("text")

    def documents(n: int) -> list[Document]:
        told = [[random.choice(NOUNS, 4) for _ in range(200)] for _ in range(n)]
        return [
            # but for the nouns function words alone: two sentences share a content word, or none
            Document(
                title="", sentences=tuple(f"The {a} and the {b} were with the {c} of a {d}." for a, b, c, d in each)
            )
            for each in told
        ]

    corpus = tokenize(documents(2), tokenizer)
    for name in (WEB, EVERYDAY, WHICH_NOUN):
        save_corpus(corpus, folder / f"{name}.npz")
    return TrainingData(tokenizer=tokenizer, learned=corpus, held_out=None), folder


def test_there_are_fifty_pairs_of_each_kind_and_each_is_what_it_is_said_to_be() -> None:
    pairs = read_short_pairs()
    assert set(Counter(pair.kind for pair in pairs).values()) == {50}
    for pair in pairs:
        shares = bool(content_stems(pair.first) & content_stems(pair.second))
        assert shares is ("no word" not in pair.kind), pair
    assert sum(pair.follows for pair in pairs) == 100
    assert len({(pair.first, pair.second) for pair in pairs}) == 200


def test_endings_do_not_hide_a_word_that_both_share() -> None:
    assert content_stems("She planted trees in both cities.") & content_stems("The tree is in the city.") == {
        "tre",
        "cit",
    }
    assert not content_stems("He was there with her.") & content_stems("He is not there.")


def test_what_comes_near_an_asked_pair_is_never_drawn() -> None:
    assert is_near_copy(*COPIED.steps)
    assert is_near_copy(*README_EXAMPLE)
    written, random = PassagePairs(passages=PASSAGES), np.random.default_rng(0)
    drawn = [written.draw(random) for _ in range(200)]
    assert not any(pair.follows and "bill" in pair.first for pair in drawn)
    assert not any(is_near_copy(pair.first, pair.second) for pair in drawn)


def test_no_step_of_a_passage_is_followed_as_in_an_asked_pair() -> None:
    near = [
        (before, after)
        for passage in read_passages()
        for before, after in transitions(passage)
        if is_near_copy(" ".join(before), " ".join(after))
    ]
    assert not near


def test_a_hero_may_be_anybody() -> None:
    random, steps = np.random.default_rng(0), ("He told his wife that he was ill.", "It hurt him, and he hid himself.")
    assert told_of(Hero(pronoun="I"), steps, random, is_first=True) == (
        "I told my wife that I was ill. It hurt me, and I hid myself."
    )
    assert told_of(Hero(pronoun="we"), steps[:1], random, is_first=True) == "We told our wife that we were ill."
    woman = Hero(pronoun="she", name="Anna")
    assert told_of(woman, steps[:1], random, is_first=True) == "Anna told her husband that she was ill."
    assert FollowUp(steps=("He keeps bees.",)).is_present
    assert not FollowUp(steps=("He was late.",)).is_present


def test_written_pairs_follow_or_come_from_elsewhere_half_of_the_time() -> None:
    written, random = PassagePairs(others=["The lamp was made in Rome."]), np.random.default_rng(3)
    drawn = [written.draw(random) for _ in range(600)]
    assert np.mean([pair.follows for pair in drawn]) == pytest.approx(0.5, abs=0.08)

    def shares(follows: bool) -> float:
        asked = [pair for pair in drawn if pair.follows is follows]
        return float(np.mean([bool(content_stems(pair.first) & content_stems(pair.second)) for pair in asked]))

    assert shares(True) == pytest.approx(SHARING_OF_NEXT, abs=0.09)
    assert shares(False) == pytest.approx(SHARING, abs=0.09)


def test_short_pairs_of_a_corpus_follow_or_are_far_away(data: tuple[TrainingData, Path]) -> None:
    corpus, random = data[0].learned, np.random.default_rng(1)
    pairs = ShortPairs(corpus, content_pieces(data[0].tokenizer))
    drawn = [pairs.draw(random) for _ in range(200)]
    assert 60 < sum(label == IS_NEXT for *_, label in drawn) < 140
    for first, second, label in drawn:
        at = corpus.ids.tobytes().find(np.concatenate((first, second)).tobytes())
        assert (at >= 0) is (label == IS_NEXT)


CONFIG = ShortPairsConfig(
    written_rows=3,
    book_rows=2,
    web_rows=1,
    long_tokens=64,
    lengths=(32,),
    everyday_rows=2,
    passage_rows=1,
    sentence_rows=1,
    parts=2,
    n_still=1,
    warmup_steps=1,
    looking=1.0,
)


def new_trainer(data: tuple[TrainingData, Path], config: ShortPairsConfig = CONFIG) -> ShortPairsTrainer:
    text, folder = data
    sizes = TransformerConfig(
        d_vocab=text.tokenizer.get_vocab_size(), d_model=24, n_layers=3, n_heads=2, d_ff=32, max_tokens=128, dropout=0.0
    )
    model, start = PretrainingModel(sizes), PretrainingModel(sizes)
    initialise(model, 1)
    start.load_state_dict(model.state_dict())
    return ShortPairsTrainer(config, model, text, start=start, folder=folder, others=["The lamp was made in Rome."])


def test_the_lower_layers_and_the_words_stay_as_they_are(data: tuple[TrainingData, Path]) -> None:
    trainer = new_trainer(data)
    logged = [trainer.iterate() for _ in range(2)]
    assert [each["step"] for each in logged] == [1, 2]
    moved = {
        name
        for (name, one), other in zip(trainer.model.named_parameters(), trainer.start.parameters(), strict=True)
        if not torch.equal(one, other)
    }
    assert moved
    assert all(name.startswith(("encoder.layers.1", "encoder.layers.2", "nsp")) for name in moved)


def test_the_answer_for_cls_alone_is_that_of_the_whole_layer(data: tuple[TrainingData, Path]) -> None:
    trainer = new_trainer(data)
    short, *_ = trainer.sources(0)
    whole = [trainer._kept([batch])[0] * len(batch.input_ids) for batch in short]
    n_rows = sum(len(batch.input_ids) for batch in short)
    assert_close(trainer._asked(short).detach(), (sum(whole) / n_rows).detach())


def test_a_resumed_run_goes_on_as_if_it_had_not_stopped(data: tuple[TrainingData, Path], tmp_path: Path) -> None:
    whole, first = new_trainer(data), new_trainer(data)
    for trainer in (whole, first):
        trainer.iterate()
    first.save(tmp_path)
    second = new_trainer(data)
    second.resume(tmp_path)
    for trainer in (whole, second):
        trainer.iterate()
    for one, other in zip(whole.model.parameters(), second.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_the_score_counts_the_halves_and_the_kinds(data: tuple[TrainingData, Path], tmp_path: Path) -> None:
    trainer = new_trainer(data, replace(CONFIG, n_still=0))
    save_checkpoint(trainer.model, tmp_path, torch.float32)
    found = score_short_pairs(trainer.model.eval(), data[0].tokenizer)
    shares = found.shares
    assert_close(shares["all"], (shares[CHOOSING] + shares[REPORTING]) / 2)
    assert len(found.wrong) == round(200 * (1 - shares["all"]))
    assert area_under_curve(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False])) == 0.875
