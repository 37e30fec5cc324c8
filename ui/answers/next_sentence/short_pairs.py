"""How often a model is right on short pairs written by hand, where its training was on long ones.

Half of the pairs belong together. What guessing reaches by chance is the binomial distribution with one half.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

import streamlit as st

from models.opening.registry import Model, languages_of
from models.values.wording import to_say
from ui.answers.next_sentence.second_sentences import EVEN
from ui.desk.ask import taking_turns
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress
from viz.kit.language import tr

BY_CHANCE = 0.01
"""A result that guessing reaches at least so often is not to be relied on."""
PAIRS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "ko": (
        ("배가 고팠다.", "그래서 빵을 사 먹었다.", "고래는 바다에 산다."),
        ("비가 오기 시작했다.", "우리는 우산을 폈다.", "회의는 세 시에 시작한다."),
        ("어제 친구를 만났다.", "같이 영화를 봤다.", "서울의 인구는 많다."),
        ("아침에 늦게 일어났다.", "그래서 학교에 지각했다.", "기타 줄이 끊어졌다."),
        ("할머니가 시장에 가셨다.", "생선과 채소를 사 오셨다.", "그 나라의 왕은 늙었다."),
        ("동생이 감기에 걸렸다.", "엄마가 약을 먹였다.", "주식 값이 크게 내렸다."),
        ("버스가 오지 않았다.", "우리는 그냥 걸어가기로 했다.", "달에는 공기가 없다."),
        ("책을 잃어버렸다.", "도서관에 가서 찾아보았다.", "축구 경기가 취소되었다."),
        ("방이 너무 어두웠다.", "그래서 불을 켰다.", "법원은 판결을 미뤘다."),
        ("강아지가 밖에서 짖었다.", "누가 왔는지 나가 보았다.", "김치는 발효 음식이다."),
        ("시험이 끝났다.", "학생들은 모두 기뻐했다.", "화가는 산을 그렸다."),
        ("커피를 쏟았다.", "얼른 휴지로 닦았다.", "엔진에서 연기가 났다."),
    ),
}
"""By language: a sentence, one that follows, and one from somewhere else; written before any model was asked."""


def say_short_pairs(name: str, device: str) -> None:
    """Say where a model's answers on short pairs are hardly better than guessing; nothing where that is not known."""
    languages = languages_of(name)
    language = languages[0] if len(languages) == 1 else ""
    if language not in PAIRS:
        return
    n_right, n_pairs = count_right(name, device, language), 2 * len(PAIRS[language])
    if n_right is not None and (chance := reached_by_chance(n_right, n_pairs)) >= BY_CHANCE:
        st.warning(
            tr(
                "Do not rely on this answer. Of {n} short pairs written by hand, {model} is right on {right}: guessing "
                "is right on {half}, and one time in {times} on as many as that.",
                model=name,
                n=n_pairs,
                right=n_right,
                half=n_pairs // 2,
                times=round(1 / chance),
            ),
            icon=":material/casino:",
        )


@long_question(to_say("Asking about short pairs"))
def count_right(model: Model, progress: WorkProgress, language: str) -> int:
    """Return on how many pairs of a language a model is right."""
    asked, n_right = taking_turns(model), 0
    for done, (text, follows, does_not) in enumerate(PAIRS[language]):
        progress.tell(done, len(PAIRS[language]))
        n_right += (asked.next_sentence(text, follows) >= EVEN) + (asked.next_sentence(text, does_not) < EVEN)
    return n_right


def reached_by_chance(n_right: int, n: int) -> float:
    """Return the probability that guessing is right at least so often."""
    return float(sum(comb(n, k) for k in range(n_right, n + 1)) / 2**n)
