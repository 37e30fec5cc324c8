"""The everyday sentences in English and Korean: endings as a grammar book has them, and whole sentences."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
import pytest

from recipes.sentences.korean import everyday_pairs
from recipes.sentences.korean import words as known
from recipes.sentences.korean.clauses import ClauseDrawer
from recipes.sentences.korean.endings import (
    Kind,
    Predicate,
    able,
    asked_for,
    at_the_time,
    because,
    before_noun,
    conditional,
    contrasted,
    ending,
    experienced,
    forbidden,
    free,
    giving,
    lasting,
    liking,
    negative,
    object_of,
    obliged,
    ordered,
    prohibited,
    proposed,
    quoted,
    seeming,
    skilled,
    wanting,
    whether,
    with_ending,
)
from recipes.sentences.korean.english import being, forms, gerund, regular_past
from recipes.sentences.korean.frames import FRAMES
from recipes.sentences.parallel.korean import parts

GO, EAT, MAKE, HEAR, HELP, CALL, DO, DRINK = (
    known.read_predicate(stem) for stem in ("가", "먹", "만들", "듣 ㄷ", "돕 ㅂ", "부르 르", "하", "마시")
)
BIG, BUSY, LONELY, RED = (known.read_predicate(stem, "adjective") for stem in ("크", "바쁘", "외롭 ㅂ", "빨갛 ㅎ"))
STUDENT, DOCTOR = (Predicate(text=noun, kind="copula") for noun in ("학생", "의사"))
THERE = Predicate(text="있", kind="being")
MARRIED = Predicate(text="결혼하", kind="state")
KNOW = Predicate(text="알")


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (GO, "가 간다 가요 갔어 갔다 갔어요 갈 거야 갈 것이다 갈 거예요"),
        (EAT, "먹어 먹는다 먹어요 먹었어 먹었다 먹었어요 먹을 거야 먹을 것이다 먹을 거예요"),
        (MAKE, "만들어 만든다 만들어요 만들었어 만들었다 만들었어요 만들 거야 만들 것이다 만들 거예요"),
        (HEAR, "들어 듣는다 들어요 들었어 들었다 들었어요 들을 거야 들을 것이다 들을 거예요"),
        (HELP, "도와 돕는다 도와요 도왔어 도왔다 도왔어요 도울 거야 도울 것이다 도울 거예요"),
        (CALL, "불러 부른다 불러요 불렀어 불렀다 불렀어요 부를 거야 부를 것이다 부를 거예요"),
        (BIG, "커 크다 커요 컸어 컸다 컸어요 클 거야 클 것이다 클 거예요"),
        (LONELY, "외로워 외롭다 외로워요 외로웠어 외로웠다 외로웠어요 외로울 거야 외로울 것이다 외로울 거예요"),
        (RED, "빨개 빨갛다 빨개요 빨갰어 빨갰다 빨갰어요 빨갈 거야 빨갈 것이다 빨갈 거예요"),
        (
            STUDENT,
            "학생이야 학생이다 학생이에요 학생이었어 학생이었다 학생이었어요 학생일 거야 학생일 것이다 학생일 거예요",
        ),
        (DOCTOR, "의사야 의사다 의사예요 의사였어 의사였다 의사였어요 의사일 거야 의사일 것이다 의사일 거예요"),
        (
            negative(DOCTOR),
            "의사가 아니야 의사가 아니다 의사가 아니에요 의사가 아니었어 의사가 아니었다 의사가 아니었어요",
        ),
        (MARRIED, "결혼했어 결혼했다 결혼했어요 결혼했어 결혼했다 결혼했어요 결혼할 거야 결혼할 것이다 결혼할 거예요"),
    ],
    ids=lambda value: value.text if isinstance(value, Predicate) else "",
)
def test_sentences_end_in_three_levels_and_times(of: Predicate, expected: str) -> None:
    found = " ".join(
        ending(of, when, level) for when in ("present", "past", "future") for level in ("intimate", "plain", "polite")
    )
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (ending(negative(GO), "present", "plain"), "가지 않는다"),
        (ending(negative(BIG), "present", "plain"), "크지 않다"),
        (ending(negative(THERE), "present", "intimate"), "없어"),
        (ending(negative(KNOW), "present", "intimate"), "몰라"),
        (ending(negative(lasting(EAT)), "present", "plain"), "먹고 있지 않다"),
        (ending(wanting(GO, own=True), "present", "plain"), "가고 싶다"),
        (ending(wanting(GO, own=False), "present", "plain"), "가고 싶어한다"),
        (ending(negative(able(MAKE)), "past", "intimate"), "만들 수 없었어"),
        (ending(obliged(HEAR), "present", "plain"), "들어야 한다"),
        (ending(free(GO), "present", "intimate"), "가지 않아도 돼"),
        (ending(forbidden(EAT), "present", "plain"), "먹으면 안 된다"),
        (ending(liking(MAKE), "present", "intimate"), "만드는 것을 좋아해"),
        (ending(negative(skilled(CALL)), "present", "plain"), "부를 줄 모른다"),
        (ending(experienced(DRINK), "present", "intimate"), "마셔 본 적 있어"),
        (ending(with_ending(EAT, "려고", "노력하"), "past", "intimate"), "먹으려고 노력했어"),
        (ending(with_ending(MAKE, "려고", "노력하"), "past", "intimate"), "만들려고 노력했어"),
        (ending(with_ending(DO, "기", "시작하"), "past", "plain"), "하기 시작했다"),
        (ending(seeming(GO, "past"), "present", "intimate"), "간 것 같아"),
        (ending(seeming(BUSY), "present", "plain"), "바쁜 것 같다"),
        (because(giving(HELP)), "도와줘서"),
        (because(DOCTOR), "의사라서"),
        (because(negative(STUDENT)), "학생이 아니라서"),
        (before_noun(MARRIED, "present"), "결혼한"),
        (before_noun(THERE, "present"), "있는"),
        (before_noun(MAKE, "past"), "만든"),
        (before_noun(BUSY, "past"), "바빴던"),
        (quoted(EAT, "present"), "먹는다고"),
        (quoted(DOCTOR, "present"), "의사라고"),
        (quoted(negative(DOCTOR), "present"), "의사가 아니라고"),
        (quoted(GO, "future"), "갈 거라고"),
        (whether(BUSY, "present"), "바쁜지"),
        (whether(GO, "past"), "갔는지"),
        (conditional(HEAR), "들으면"),
        (conditional(MAKE), "만들면"),
        (contrasted(STUDENT, "present"), "학생이지만"),
        (at_the_time(GO, "past"), "갔을 때"),
        (proposed(GO), "가자"),
        (prohibited(CALL, "polite"), "부르지 마세요"),
        (asked_for(MAKE), "만드세요"),
        (asked_for(HEAR), "들으세요"),
        (ordered(EAT), "먹으라고"),
        (object_of("친구", "과"), "친구와"),
        (object_of("책", "을"), "책을"),
    ],
)
def test_what_a_predicate_takes_on_is_what_a_grammar_book_has(found: str, expected: str) -> None:
    assert found == expected


def test_english_verbs_have_their_forms() -> None:
    assert [gerund(verb) for verb in ("take", "run", "lie", "see", "wait", "forget", "play", "be")] == [
        "taking",
        "running",
        "lying",
        "seeing",
        "waiting",
        "forgetting",
        "playing",
        "being",
    ]
    assert [regular_past(verb) for verb in ("work", "stop", "study", "love", "play", "visit")] == [
        "worked",
        "stopped",
        "studied",
        "loved",
        "played",
        "visited",
    ]
    home, tired = forms("go home"), being("tired")
    assert home.finite(known.TOM, "present") == "goes home"
    assert home.finite(known.ME, "past", negative=True) == "did not go home"
    assert home.asked(known.TOM, "past") == "did Tom go home"
    assert home.backshifted(known.TOM, "past") == "had gone home"
    assert tired.finite(known.THEY, "present", negative=True) == "are not tired"
    assert tired.finite(known.ME, "future") == "will be tired"
    assert tired.asked(known.ME, "present") == "am I tired"
    assert forms("do one's best").by(known.MARY).infinitive == "do her best"


# -- whole sentences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.__name__)
def test_every_form_gives_whole_sentences(frame) -> None:
    draw = ClauseDrawer(np.random.default_rng(2))
    for _ in range(60):
        english, korean, mark = frame(draw)
        for text in (english, korean):
            assert text == " ".join(text.split())
            assert "one's" not in text
        assert mark in {"", ".", "?"}
        assert re.fullmatch(r"[가-힣TV\d ,.?!]+", korean), korean
        assert re.fullmatch(r"[A-Za-z\d ',.?!-]+", english), english


def test_particles_follow_the_last_syllable_and_i_and_you_change_before_ga() -> None:
    pairs = dict(islice(everyday_pairs(4), 8000))
    for korean in pairs.values():
        assert "너가" not in korean
        for word in korean.rstrip(".?!").split():
            if len(word) > 2 and word[-1] in "을를" and "가" <= word[-2] <= "힣" and word not in {"가을", "마을"}:
                is_closed = bool(parts(word[-2])[2])
                assert is_closed == (word[-1] == "을"), word


def test_a_seed_gives_the_same_sentences_most_of_them_different() -> None:
    one, other, third = (list(islice(everyday_pairs(seed), 3000)) for seed in (1, 1, 2))
    assert one == other
    assert one != third
    assert len(dict(one)) > 0.9 * len(one)
    assert all(english[0] == english[0].upper() for english, _ in one)


@pytest.mark.parametrize("who", [*known.RELATIVES[:3], *known.OTHERS, known.ME, known.YOU, known.HE, known.BOTH])
def test_verbs_agree_with_whoever_does_something(who) -> None:
    for verb, third in (("go home", "goes home"), ("do it", "does it"), ("have a dog", "has a dog")):
        assert forms(verb).finite(who, "present") == (verb if who.is_bare else third)
        assert forms(verb).asked(who, "present").startswith("do " if who.is_bare else "does ")


def test_every_kind_of_predicate_is_drawn() -> None:
    kinds: set[Kind] = {deed.korean.kind for deed in (*known.PERSONAL, *known.NEUTRAL, *known.DEEDS)}
    assert kinds == {"verb", "adjective", "being", "copula", "state"}
