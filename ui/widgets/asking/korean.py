"""Korean example sentences, for models that read Korean: each shows what its label says, which tests hold."""

from __future__ import annotations

from ui.state.first_visit import FIRST_VISITS
from ui.widgets.asking.opening import Examples
from viz.kit.language import to_say

FIRST = FIRST_VISITS["ko"].text

KOREAN_EXAMPLES: Examples = {
    to_say("who chased whom"): (FIRST, ""),
    to_say("honorific"): ("아버지께서 어머니를 부르신다.", ""),
    to_say("object first"): ("고양이를 쥐가 잡았다.", ""),
    to_say("a far subject"): ("아버지는 하루 종일 방에 혼자 있다.", ""),
    "고팠다. 그래서": ("나는 배가 고팠다.", "그래서 밥을 먹었다."),
    to_say("a hidden particle"): ("고양이가 쥐[MASK] 잡았다.", ""),
}

KOREAN_MASKED: Examples = {
    to_say("what a puppy bites"): ("강아지가 [MASK]를 물었다.", ""),
    to_say("acting"): ("배우들의 [MASK]가 정말 좋았다.", ""),
    to_say("marks the object"): ("고양이가 쥐[MASK] 잡았다.", ""),
    to_say("marks the place"): ("나는 학교[MASK] 갔다.", ""),
    to_say("at sea"): ("바다에서 [MASK]를 타고 고기를 잡았다.", ""),
    to_say("what one reads"): ("아침에 책을 [MASK]고 학교에 갔다.", ""),
    to_say("summer"): ("여름에 [MASK]가 많이 내렸다.", ""),
    to_say("a walk"): ("나는 공원에서 [MASK]와 산책했다.", ""),
}
"""Masks for a noun, a particle and a verb; the page "Masked words" opens with the first in Korean, an undecided one."""

AGAINST_EXPECTATIONS = to_say("against all expectations")
KOREAN_OPINIONS: Examples = {
    "-지만": ("연기는 좋았지만 이야기는 지루했다.", ""),
    "재미있다": ("이 영화는 정말 재미있었다.", ""),
    "재미없다": ("이 영화는 정말 재미없었다.", ""),
    "-지 않은": ("지루하지 않은 영화였다.", ""),
    AGAINST_EXPECTATIONS: ("기대하지 않았는데 정말 좋았다.", ""),
    to_say("a waste of time"): ("시간이 아까웠다.", ""),
}
"""Examples for the classifier of Korean reviews."""
PRAISED = frozenset({"재미있다", "-지 않은", AGAINST_EXPECTATIONS})
"""The labels of the examples that it calls praise; it calls the others complaint."""

KOREAN_PAIRS: dict[str, tuple[str, str]] = {
    to_say("doctor or teacher"): ("의사는 [MASK]에서 일한다.", "선생님은 [MASK]에서 일한다."),
    to_say("to bite or to ride"): ("강아지가 [MASK]를 물었다.", "강아지가 [MASK]를 탔다."),
    to_say("book or meal"): ("아침에 책을 [MASK]고 학교에 갔다.", "아침에 밥을 [MASK]고 학교에 갔다."),
    to_say("to or from school"): ("나는 학교[MASK] 갔다.", "나는 학교[MASK] 놀았다."),
}
"""Pairs of equal length for the Switchboard, each answered with one word and with another; it opens with the first in
Korean, whose answer changes without one head."""
KOREAN_BITES: Examples = {to_say("who catches whom"): ("고양이가 쥐를 잡는다.", "")}
"""The example of the page "Positions"."""
