"""The vocabulary of headlight-ko, its masks, its packed rows and its questions."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from torch.nn import functional

import recipes.korean
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.batches import NO_LABEL
from models.training.corpora.corpus import Corpus, Document
from models.training.corpora.vocabulary import SPECIAL_TOKENS
from recipes.korean.batches import (
    OTHER_RATE,
    PARTICLE_RATE,
    WHOLE_WORDS,
    Masking,
    choose_masked,
    draw_rows,
    mask,
    pack_rows,
)
from recipes.korean.data import SOURCES, beginnings_of_words, cut_documents, kinds_of_pieces, starts_of_words
from recipes.korean.measures import encode_masked
from recipes.korean.packed import losses
from recipes.korean.questions import read_particle_questions, read_word_questions
from recipes.korean.sentiment import read_feelings
from recipes.korean.texts import clean, split_sentences
from recipes.korean.vocabulary import D_VOCAB, Text, choose_pieces, cut_greedily
from recipes.korean.words.splitting import Splitter
from recipes.korean.words.treebanks import WordPart, cut_word
from tests.closeness import assert_close

HERE = Path(recipes.korean.__file__).parent
CUTS = (HERE / "word_cuts.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def model() -> PretrainingModel:
    torch.manual_seed(0)
    return PretrainingModel(TransformerConfig(d_vocab=D_VOCAB, d_model=16, n_layers=2, n_heads=2, d_ff=32))


def cut(tokenizer: Tokenizer, text: str) -> list[str]:
    return tokenizer.encode(text, add_special_tokens=False).tokens


def test_at_least_two_hundred_words_are_cut_by_hand():
    assert len(set(CUTS)) == len(CUTS) >= 200


@pytest.mark.parametrize("parts", CUTS)
def test_a_word_is_cut_as_by_hand(tokenizer: Tokenizer, parts: str):
    assert [piece.removeprefix("##") for piece in cut(tokenizer, parts.replace(" ", ""))] == parts.lower().split()


def test_the_vocabulary_has_its_size_and_special_tokens_first(tokenizer: Tokenizer):
    assert sorted(tokenizer.get_vocab().values()) == list(range(D_VOCAB))
    assert [tokenizer.id_to_token(number) for number in range(len(SPECIAL_TOKENS))] == list(SPECIAL_TOKENS)


def test_decomposed_hangul_and_lone_letters_are_read_like_composed_ones(tokenizer: Tokenizer):
    text = "한국어를 배웁니다"
    assert cut(tokenizer, unicodedata.normalize("NFD", text)) == cut(tokenizer, text)
    assert cut(tokenizer, "\u110f\u110f") == cut(tokenizer, "ㅋㅋ")
    assert "[UNK]" not in cut(tokenizer, "ㅋㅋㅋ ㅠㅠ ㅎㅎ TV 2024 Kiwi café")[:-3]


def test_clean_text_is_cut_alike_with_the_quick_normaliser(tokenizer: Tokenizer):
    text = clean("“그래…” 하고 KBS가 말했다 ㅋㅋ")
    corpus = cut_documents([Document(title="", sentences=(text,))], tokenizer)
    assert corpus.ids.tolist() == tokenizer.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    ("word", "lemma", "tags", "parts"),
    [
        ("학교에서는", "학교+에서+는", "NNG+JKB+JX", ["학교", "에서", "는"]),
        ("갔다", "가+았+다", "VV+EP+EF", ["갔", "다"]),
        ("마셨다", "마시+었+다", "VV+EP+EF", ["마셨", "다"]),
        ("좋은", "좋+ㄴ", "paa+etm", ["좋", "은"]),
        ("도와서", "돕+아서", "VV+EC", ["도와", "서"]),
        ("공부했다", "공부+하+았+다", "NNG+XSV+EP+EF", ["공부", "했다"]),
        ("사람들이", "사람+들+이", "NNG+XSN+JKS", ["사람", "들", "이"]),
        ("해주었다", "하+아+주+었+다", "VV+EC+VX+EP+EF", ["해", "주", "었다"]),
        ("서울입니다", "서울+이+ㅂ니다", "nq+jp+ef", ["서울", "입니다"]),
    ],
)
def test_words_of_the_treebanks_are_cut_as_written(word: str, lemma: str, tags: str, parts: list[str]):
    cut_parts = cut_word(word, lemma, tags)
    assert cut_parts is not None
    assert [part.text for part in cut_parts] == parts


def test_words_that_do_not_fit_their_lemma_are_left_out():
    assert cut_word("않아도", "않", "px+ecs") is None
    assert cut_word("e-mail을", "e-mail+을", "SL+JKO") is None


def test_the_splitter_finds_stems_that_no_treebank_has():
    seen = [
        ((WordPart("책", "noun"), WordPart(particle, "particle")), 9) for particle in ("이", "을", "은", "에", "의")
    ]
    seen += [((WordPart("먹", "verb"), WordPart(ending, "verb ending")), 9) for ending in ("고", "는", "었다")]
    words = {f"뱀{particle}": 20 for particle in ("이", "을", "은", "에", "의")} | {"뱀": 5}
    splitter = Splitter()
    splitter.learn(seen, words, rounds=2)
    assert [part.text for part in splitter.split("뱀을")] == ["뱀", "을"]


def test_a_frequent_word_is_no_piece_of_its_own():
    words = {("영화", particle): 1000 for particle in ("는", "가", "를")} | {("영", "어"): 30}
    text = Text(words=words, splits={"".join(parts): parts for parts in words})
    pieces = set(choose_pieces(text, d_vocab=60))
    assert [piece for *_, piece in cut_greedily("영화는", pieces)] == ["영화", "##는"]


def test_a_sentence_ends_with_the_quote_it_stands_in():
    assert split_sentences('그는 말했다. "가자!" 그래서 3.5점이다.') == ["그는 말했다.", '"가자!"', "그래서 3.5점이다."]


def test_masks_take_whole_words_or_single_pieces(tokenizer: Tokenizer):
    masking = Masking(rate=0.15, starts=starts_of_words(tokenizer))
    row = tokenizer.encode("학교에서는 아이들이 고양이를 보았다").ids
    chosen = choose_masked(np.array([row] * 4000), np.random.default_rng(0), masking, len(SPECIAL_TOKENS))
    assert not chosen[:, [0, -1]].any()
    assert abs(chosen[:, 1:-1].mean() - 0.15) < 0.01
    first, second = chosen[:, 1], chosen[:, 2]  # 학교, ##에서
    together = (first & second).mean() / first.mean()
    assert abs(together - (WHOLE_WORDS + (1 - WHOLE_WORDS) * 0.15)) < 0.1


def test_what_continues_a_hidden_word_is_read_as_a_beginning_now_and_then(
    texts: dict[str, Corpus], tokenizer: Tokenizer
):
    corpus, beginnings = texts[SOURCES[0]], beginnings_of_words(tokenizer)
    piece, beginning = (tokenizer.token_to_id(text) for text in ("##를", "를"))
    assert beginnings[[piece, beginning]].tolist() == [beginning, beginning]
    ids = np.tile(corpus.ids[:40].astype(np.int64), (200, 1))
    strict, loose = (
        mask(ids, np.random.default_rng(0), masking, corpus.special)
        for masking in (
            Masking(rate=0.3, starts=starts_of_words(tokenizer)),
            Masking(rate=0.3, starts=starts_of_words(tokenizer), beginnings=beginnings),
        )
    )
    assert np.array_equal(strict[2], loose[2])
    changed = np.argwhere(strict[0] != loose[0])
    assert len(changed)
    for row, column in changed.tolist():
        assert strict[0][row, column - 1] == tokenizer.token_to_id("[MASK]")
        assert loose[0][row, column] == beginnings[strict[0][row, column]]


@pytest.mark.parametrize("particle_lines", [0.0, 0.5, 1.0])
def test_in_some_lines_mostly_particles_are_hidden(tokenizer: Tokenizer, particle_lines: float):
    row, rate, particles = tokenizer.encode("고양이가 밥을 먹었다").ids, 0.2, kinds_of_pieces(tokenizer) >= 0
    starts = starts_of_words(tokenizer)
    masking = Masking(rate=rate, starts=starts, particle_lines=particle_lines, particles=particles)
    chosen = choose_masked(np.array([row] * 4000), np.random.default_rng(0), masking, len(SPECIAL_TOKENS))
    pieces = [tokenizer.id_to_token(number) for number in row]
    for place, share in enumerate(chosen.mean(axis=0)):
        of_particles = PARTICLE_RATE if pieces[place] in {"##가", "##을"} else OTHER_RATE
        expected = 0 if pieces[place].startswith("[") else rate + particle_lines * (of_particles - rate)
        assert abs(share - expected) < 0.05, pieces[place]


def test_texts_that_share_a_line_have_the_losses_that_they_have_alone(
    texts: dict[str, Corpus], tokenizer: Tokenizer, model: PretrainingModel
):
    random, masking = np.random.default_rng(0), Masking(rate=0.15, starts=starts_of_words(tokenizer))
    rows = draw_rows(texts, random, window=32, tokens=500)
    batch = pack_rows(rows, random, special=texts[SOURCES[0]].special, masking=masking, b=5)
    assert batch.texts.max() > 2 * len(batch.texts)
    alone = [batch.texts == number for number in range(1, int(batch.texts.max()) + 1)]
    is_asked = batch.targets != NO_LABEL
    masked = torch.zeros_like(batch.texts).flatten().index_fill(0, batch.masked[is_asked], 1)
    targets = torch.zeros_like(masked).index_put((batch.masked[is_asked],), batch.targets[is_asked])
    logits, wanted, follows, labels = [], [], [], []
    for places in alone:
        out = model(batch.input_ids[places][None], batch.segment_ids[places][None])
        asked = masked.view_as(batch.texts)[places] == 1
        logits.append(out.mlm[0, asked])
        wanted.append(targets.view_as(batch.texts)[places][asked])
        first = int(places.flatten().nonzero()[0])
        if first in batch.firsts[batch.next_labels != NO_LABEL].tolist():
            follows.append(out.nsp[0])
            labels.append(batch.next_labels[batch.firsts.tolist().index(first)])
    expected = (
        functional.cross_entropy(torch.cat(logits), torch.cat(wanted)),
        functional.cross_entropy(torch.stack(follows), torch.stack(labels)),
    )
    assert_close(torch.stack(losses(model, batch)), torch.stack(expected), tolerance=1e-5)
    assert batch.n_pieces == sum(first.size + second.size for first, second, _ in rows)


def test_a_mask_before_letters_is_the_beginning_of_a_word(tokenizer: Tokenizer):
    tokens = [tokenizer.id_to_token(number) for number in encode_masked(tokenizer, "저는 [MASK]을 먹었어요.")]
    assert tokens == ["[CLS]", "저", "##는", "[MASK]", "##을", "먹", "##었어요", ".", "[SEP]"]
    assert encode_masked(tokenizer, "학교[MASK] 갔다.") == tokenizer.encode("학교[MASK] 갔다.").ids


def test_feelings_are_as_often_good_as_bad():
    texts, labels = read_feelings()
    assert (len(set(texts)), sum(labels)) == (60, 30)


def test_the_questions_can_be_answered_with_one_piece(tokenizer: Tokenizer):
    particles, words = read_particle_questions(), read_word_questions()
    assert (len(particles), len(words)) == (200, 60)
    vocabulary = tokenizer.get_vocab().keys()
    assert all(question.text.count("[MASK]") == 1 for question in (*particles, *words))
    assert [question.text for question in (*particles, *words) if not question.accepted & vocabulary] == []
