"""Korean predicates: a stem that takes on wishes, duties and negation one after the other, and then one ending.

Sohn 1999, "The Korean Language", chapter 9: the order of suffixes, the speech levels (here the intimate 해체, the plain
해라체 and the polite 해요체), clauses before a noun. How a stem changes before a vowel: `parallel/korean.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from recipes.sentences.parallel.entries import StemChange
from recipes.sentences.parallel.korean import (
    LIEUL,
    NIEUN,
    SSANG_SIOT,
    accusative,
    joined,
    nominative,
    open_stem,
    parts,
    prospective,
    with_final,
)

Kind = Literal["verb", "adjective", "being", "copula", "state"]
""""being" is 있 and 없: like an adjective at the end of a sentence, like a verb before a noun. The text of a copula is
its noun. A "state" is a verb whose past says how somebody is now: 결혼했어, is married."""
When = Literal["present", "past", "future"]
Level = Literal["intimate", "plain", "polite"]
NOT = "아니"
"""The negative copula, which has contractions of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """What is said of somebody: all that stands before the ending, and how its last syllable behaves."""

    text: str
    change: StemChange = ""
    kind: Kind = "verb"

    def after(self, words: str) -> Predicate:
        """The same with words before it."""
        return replace(self, text=f"{words} {self.text}" if words else self.text)


# -- what a predicate takes on ---------------------------------------------------------------------------------------


def negative(of: Predicate) -> Predicate:
    """가지 않, 크지 않, 없, 모르, 학생이 아니."""
    if of.kind == "copula":
        return Predicate(text=f"{nominative(of.text)} {NOT}", kind="adjective")
    if of.text.endswith("있") and not of.text.endswith(("고 있", "맛있", "재미있")):
        return Predicate(text=of.text[:-1] + "없", kind="being")
    if of.text.split()[-1] == "알":
        return Predicate(text=of.text[:-1] + "모르", change="르")
    kind: Kind = "adjective" if of.kind in {"adjective", "being"} else "verb"
    return Predicate(text=f"{of.text}지 않", kind=kind)


def lasting(of: Predicate) -> Predicate:
    """읽고 있."""
    return Predicate(text=f"{of.text}고 있", kind="being")


def wanting(of: Predicate, *, own: bool) -> Predicate:
    """가고 싶 of oneself, 가고 싶어하 of others."""
    return Predicate(text=f"{of.text}고 싶", kind="adjective") if own else Predicate(text=f"{of.text}고 싶어하")


def able(of: Predicate) -> Predicate:
    """갈 수 있."""
    return Predicate(text=f"{prospective(of.text, of.change)} 수 있", kind="being")


def obliged(of: Predicate) -> Predicate:
    """가야 하."""
    return Predicate(text=f"{_joined(of)}야 하")


def free(of: Predicate) -> Predicate:
    """가지 않아도 되: does not have to."""
    return Predicate(text=f"{of.text}지 않아도 되")


def forbidden(of: Predicate) -> Predicate:
    """가면 안 되: must not."""
    return Predicate(text=f"{conditional(of)} 안 되")


def liking(of: Predicate, verb: str = "좋아하") -> Predicate:
    """가는 것을 좋아하."""
    return Predicate(text=f"{before_noun(of, 'present')} 것을 {verb}")


def skilled(of: Predicate) -> Predicate:
    """갈 줄 알: knows how to."""
    return Predicate(text=f"{prospective(of.text, of.change)} 줄 알")


def experienced(of: Predicate) -> Predicate:
    """가 본 적 있: has done it at some time."""
    return Predicate(text=f"{_joined(of)} 본 적 있", kind="being")


def with_ending(of: Predicate, ending: str, then: str) -> Predicate:
    """가 + 기 시작하, 가 + 려고 노력하; "려고" takes 으 after a consonant."""
    if not ending.startswith("려"):
        return Predicate(text=f"{of.text}{ending} {then}")
    opened = of.text if parts(of.text[-1])[2] == LIEUL and not of.change else open_stem(of.text, of.change)
    return Predicate(text=f"{opened}{ending} {then}")


def giving(of: Predicate) -> Predicate:
    """도와주: does it for somebody."""
    return Predicate(text=f"{_joined(of)}주")


def seeming(of: Predicate, when: When = "present") -> Predicate:
    """가는 것 같, 간 것 같, 갈 것 같."""
    return Predicate(text=f"{before_noun(of, when)} 것 같", kind="adjective")


# -- endings ---------------------------------------------------------------------------------------------------------


def ending(of: Predicate, when: When, level: Level) -> str:
    """The predicate at the end of its sentence: 가, 간다, 가요, 갔어, 갈 거야."""
    return ENDINGS[level](of, _time(of, when))


def _time(of: Predicate, when: When) -> When:
    return "past" if of.kind == "state" and when == "present" else when


def _intimate(of: Predicate, when: When) -> str:
    if when == "past":
        return f"{_past(of)}어"
    if when == "future":
        return f"{before_noun(of, 'future')} 거야"
    if of.kind == "copula":
        return of.text + ("이야" if _is_closed(of.text) else "야")
    return f"{of.text}야" if of.text.endswith(NOT) else _joined(of)


def _plain(of: Predicate, when: When) -> str:
    if when == "past":
        return f"{_past(of)}다"
    if when == "future":
        return f"{before_noun(of, 'future')} 것이다"
    if of.kind == "copula":
        return of.text + ("이다" if _is_closed(of.text) else "다")
    if of.kind != "verb":
        return f"{of.text}다"
    final = parts(of.text[-1])[2]
    return f"{of.text}는다" if final not in {0, LIEUL} else f"{with_final(of.text, NIEUN)}다"


def _polite(of: Predicate, when: When) -> str:
    if when == "future":
        return f"{before_noun(of, 'future')} 거예요"
    if when == "present" and of.kind == "copula":
        return of.text + ("이에요" if _is_closed(of.text) else "예요")
    if when == "present" and of.text.endswith(NOT):
        return f"{of.text}에요"
    return f"{_intimate(of, when)}요"


ENDINGS: dict[Level, Callable[[Predicate, When], str]] = {"intimate": _intimate, "plain": _plain, "polite": _polite}


def before_noun(of: Predicate, when: When) -> str:
    """가는, 큰, 있는, 학생인; 간, 컸던; 갈, 클, 학생일."""
    if of.kind == "copula":
        return of.text + {"present": "인", "past": "이었던" if _is_closed(of.text) else "였던", "future": "일"}[when]
    if when == "future":
        return prospective(of.text, of.change)
    if (when == "past" and of.kind == "verb") or (when == "present" and of.kind == "state"):
        return with_final(open_stem(of.text, of.change), NIEUN)
    if when == "past":
        return f"{_past(of)}던"
    if of.kind == "adjective" and not of.text.endswith(("맛있", "재미있")):
        return with_final(open_stem(of.text, of.change), NIEUN)
    return f"{_before_n(of)}는"


def quoted(of: Predicate, when: When) -> str:
    """간다고, 크다고, 학생이라고, 갔다고, 갈 거라고."""
    when = _time(of, when)
    if when == "future":
        return f"{before_noun(of, 'future')} 거라고"
    if when == "present" and of.kind == "copula":
        return of.text + ("이라고" if _is_closed(of.text) else "라고")
    return f"{of.text}라고" if when == "present" and of.text.endswith(NOT) else f"{_plain(of, when)}고"


def whether(of: Predicate, when: When) -> str:
    """가는지, 큰지, 학생인지, 갔는지, 갈지."""
    return f"{_past(of)}는지" if _time(of, when) == "past" else f"{before_noun(of, when)}지"


def conditional(of: Predicate) -> str:
    """가면, 먹으면, 알면, 들으면, 학생이면."""
    if of.kind == "copula":
        return of.text + ("이면" if _is_closed(of.text) else "면")
    is_lieul = not of.change and parts(of.text[-1])[2] == LIEUL
    return f"{of.text if is_lieul else open_stem(of.text, of.change)}면"


def because(of: Predicate) -> str:
    """가서, 커서, 학생이라서."""
    if of.kind == "copula":
        return of.text + ("이라서" if _is_closed(of.text) else "라서")
    return f"{of.text}라서" if of.text.endswith(NOT) else f"{connected(of)}서"


def connected(of: Predicate) -> str:
    """가, 커, 도와: before 보이, 주 and 도."""
    return _joined(of)


def contrasted(of: Predicate, when: When) -> str:
    """가지만, 갔지만, 학생이지만."""
    when = _time(of, when)
    if when == "past":
        return f"{_past(of)}지만"
    return f"{of.text}{'이' if of.kind == 'copula' and _is_closed(of.text) else ''}지만"


def at_the_time(of: Predicate, when: When) -> str:
    """갈 때, 갔을 때."""
    return f"{_past(of)}을 때" if when == "past" else f"{before_noun(of, 'future')} 때"


def proposed(of: Predicate) -> str:
    """가자."""
    return f"{of.text}자"


def prohibited(of: Predicate, level: Level) -> str:
    """가지 마, 가지 마세요."""
    return f"{of.text}지 마{'세요' if level == 'polite' else ''}"


def asked_for(of: Predicate) -> str:
    """가세요, 앉으세요, 만드세요, 들으세요."""
    return f"{open_stem(of.text, of.change)}세요"


def ordered(of: Predicate) -> str:
    """가라고, 먹으라고: what somebody is told to do."""
    is_lieul = not of.change and parts(of.text[-1])[2] == LIEUL
    return f"{of.text if is_lieul else open_stem(of.text, of.change)}라고"


def as_thing(of: Predicate) -> str:
    """가는 것."""
    return f"{before_noun(of, 'present')} 것"


def object_of(noun: str, particle: str) -> str:
    """A noun with 을, 이, 과, 에게, 에 or 에서, as its last syllable asks."""
    if particle == "을":
        return accusative(noun)
    if particle == "이":
        return nominative(noun)
    if particle == "과":
        return noun + ("과" if _is_closed(noun) else "와")
    return noun + particle


def _joined(of: Predicate) -> str:
    if of.kind == "copula":
        return of.text + ("이어" if _is_closed(of.text) else "여")
    return f"{of.text}어" if of.text.endswith(NOT) else joined(of.text, of.change)


def _past(of: Predicate) -> str:
    """갔, 컸, 학생이었, 아니었."""
    return with_final(_joined(of), SSANG_SIOT)


def _before_n(of: Predicate) -> str:
    """The stem before ㄴ: a final ㄹ falls."""
    return with_final(of.text, 0) if not of.change and parts(of.text[-1])[2] == LIEUL else of.text


def _is_closed(noun: str) -> bool:
    """Whether a noun ends in a consonant."""
    return bool(parts(noun[-1])[2])
