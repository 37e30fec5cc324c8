"""A content in Korean: particles by final consonant, the verb last, polite endings in -아요/어요."""

from __future__ import annotations

from recipes.sentences.parallel.content import (
    Both,
    Clause,
    Content,
    Description,
    Existence,
    Modal,
    Phrase,
    Pronoun,
    Question,
    Subject,
    Tense,
)
from recipes.sentences.parallel.entries import LIVING, Adjective, Noun, StemChange

FIRST, FINALS, VOWELS = 0xAC00, 28, 21
"""A syllable is FIRST + (start * VOWELS + vowel) * FINALS + final."""
A, AE, YA, YAE, EO, E, YEO, OH, WA, WAE, OE, U, WO, EU, IH = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 18, 20)
NIEUN, LIEUL, SSANG_SIOT = 4, 8, 20
NUMBERS = {"two": "두", "three": "세", "four": "네", "five": "다섯"}
OWNERS = {"this": "이", "that": "그", "my": "제", "our": "우리"}
PRONOUNS = {
    Pronoun.ME: "저",
    Pronoun.YOU: "",
    Pronoun.HE: "그",
    Pronoun.SHE: "그녀",
    Pronoun.WE: "우리",
    Pronoun.THEY: "그들",
}
CONTRACTED = {A: A, AE: AE, EO: EO, E: E, YEO: YEO, OH: WA, U: WO, IH: YEO, OE: WAE}
"""What the last vowel of a stem becomes together with -아/어."""


def korean(content: Content) -> str:
    """The sentence in Korean."""
    if isinstance(content, Clause):
        words = _clause(content)
    elif isinstance(content, Description):
        words = _description(content)
    else:
        words = _existence(content)
    return " ".join(word for word in words if word) + ("?" if content.question else ".")


def parts(syllable: str) -> tuple[int, int, int]:
    """The numbers of the start, the vowel and the final of a syllable."""
    code = ord(syllable) - FIRST
    return code // FINALS // VOWELS, code // FINALS % VOWELS, code % FINALS


def syllable(start: int, vowel: int, final: int = 0) -> str:
    return chr(FIRST + (start * VOWELS + vowel) * FINALS + final)


def with_final(word: str, final: int) -> str:
    """The word with another final consonant in its last syllable; 0 takes it away."""
    start, vowel, _ = parts(word[-1])
    return word[:-1] + syllable(start, vowel, final)


def topic(word: str) -> str:
    return word + ("은" if parts(word[-1])[2] else "는")


def nominative(word: str) -> str:
    return word + ("이" if parts(word[-1])[2] else "가")


def accusative(word: str) -> str:
    return word + ("을" if parts(word[-1])[2] else "를")


def together(word: str) -> str:
    return word + ("과" if parts(word[-1])[2] else "와")


def means(word: str) -> str:
    return word + ("으로" if parts(word[-1])[2] not in {0, LIEUL} else "로")


def joined(stem: str, change: StemChange) -> str:
    """The stem with -아/어, contracted: 가, 마셔, 봐, 해, 들어, 몰라, 예뻐, 빨개, 더러워."""
    if change:
        return _changed(stem, change)
    start, vowel, final = parts(stem[-1])
    if stem.endswith("하"):
        return stem[:-1] + "해"
    if not final and vowel == EU:
        is_bright = len(stem) > 1 and stem[-2] != " " and parts(stem[-2])[1] in {A, OH}
        return stem[:-1] + syllable(start, A if is_bright else EO)
    if not final and vowel in CONTRACTED:
        return stem[:-1] + syllable(start, CONTRACTED[vowel])
    return stem + _harmonic(vowel)


def _harmonic(vowel: int) -> str:
    """아 after a bright vowel, 어 after the others."""
    return "아" if vowel in {A, OH} else "어"


def _changed(stem: str, change: StemChange) -> str:
    """A stem that is irregular before a vowel, with -아/어."""
    start, vowel, _ = parts(stem[-1])
    if change == "ㅂ":
        return with_final(stem, 0) + ("와" if stem == "돕" else "워")
    if change == "ㅎ":
        return stem[:-1] + syllable(start, {A: AE, YA: YAE}[vowel])
    if change == "르":
        return with_final(stem[:-1], LIEUL) + ("라" if parts(stem[-2])[1] in {A, OH} else "러")
    return with_final(stem, LIEUL if change == "ㄷ" else 0) + _harmonic(vowel)


def open_stem(stem: str, change: StemChange) -> str:
    """The stem as it stands before -(으)ㄴ and -(으)ㄹ."""
    if change == "ㅂ":
        return with_final(stem, 0) + "우"
    if change == "ㄷ":
        return with_final(stem, LIEUL) + "으"
    if change == "ㅅ":
        return with_final(stem, 0) + "으"
    final = parts(stem[-1])[2]
    if change == "ㅎ" or final == LIEUL:
        return with_final(stem, 0)
    return stem + "으" if final else stem


def prospective(stem: str, change: StemChange) -> str:
    """읽을, 갈, 들을, 도울, 만들."""
    return with_final(open_stem(stem, change), LIEUL)


def attributive(word: Adjective) -> str:
    """An adjective before its noun: 큰, 작은, 빨간, 더러운, 맛있는."""
    if word.korean.endswith("있"):
        return word.korean + "는"
    return with_final(open_stem(word.korean, word.change), NIEUN)


def polite(stem: str, change: StemChange, tense: Tense) -> str:
    """읽어요, 읽었어요, 읽을 거예요, 읽고 있어요."""
    if tense is Tense.PAST:
        return with_final(joined(stem, change), SSANG_SIOT) + "어요"
    if tense is Tense.FUTURE:
        return prospective(stem, change) + " 거예요"
    if tense is Tense.PROGRESSIVE:
        return stem + "고 있어요"
    return joined(stem, change) + "요"


def phrase(said: Phrase) -> str:
    """빨간 책, 제 개, 소년들, 사과 세 개. Only people and animals are marked for the plural, if they are known ones."""
    noun = said.noun.korean
    if said.determiner in NUMBERS:
        noun = f"{noun} {NUMBERS[said.determiner]} {said.noun.counter}"
    elif said.is_plural and said.determiner and said.noun.kind in LIVING:
        noun += "들"
    words = [OWNERS.get(said.determiner, ""), attributive(said.adjective) if said.adjective else "", noun]
    return " ".join(word for word in words if word)


def subject(said: Subject) -> str:
    if isinstance(said, Both):
        return f"{together(phrase(said.first))} {phrase(said.second)}"
    return phrase(said) if isinstance(said, Phrase) else PRONOUNS[said]


def _topic(said: Subject | None) -> str:
    named = subject(said) if said is not None else ""
    return topic(named) if named else ""


def _verb(clause: Clause) -> str:
    stem, change, tense = clause.verb.korean, clause.verb.change, clause.tense
    negation = "지 않"
    if clause.modal is Modal.CAN:
        return prospective(stem, change) + " 수 " + polite("없" if clause.is_negative else "있", "", tense)
    if clause.modal is Modal.WANT:
        is_own = clause.subject in {Pronoun.ME, Pronoun.YOU, Pronoun.WE}
        stem, change = stem + ("고 싶" if is_own else "고 싶어 하"), ""
    elif clause.modal is Modal.MUST:
        stem, change = joined(stem, change) + "야 하", ""
    elif tense is Tense.PROGRESSIVE and clause.is_negative:
        stem, change, tense = stem + "고 있", "", Tense.PRESENT
    elif stem == "있" and clause.is_negative:
        return polite("없", "", tense)
    return polite(stem + negation, "", tense) if clause.is_negative else polite(stem, change, tense)


def _clause(clause: Clause) -> list[str]:
    asked = clause.question
    who = "누가" if asked is Question.WHO else _topic(clause.subject)
    thing = "무엇을" if asked is Question.WHAT else _object(clause)
    place = ""
    if clause.place or asked is Question.WHERE:
        place = (clause.place.korean if clause.place else "어디") + ("에서" if clause.verb.place == "in" else "에")
    when = "언제" if asked is Question.WHEN else clause.time.korean if clause.time else ""
    return [
        who,
        when,
        "왜" if asked is Question.WHY else "",
        f"{together(phrase(clause.companion))} 함께" if clause.companion else "",
        place if clause.verb.place != "to" else "",
        f"{phrase(clause.recipient)}에게" if clause.recipient else "",
        means(clause.tool.korean) if clause.tool else "",
        place if clause.verb.place == "to" else "",
        thing,
        _verb(clause),
    ]


def _object(clause: Clause) -> str:
    if clause.object is None:
        return ""
    named = phrase(clause.object)
    return nominative(named) if clause.verb.korean == "있" else accusative(named)


def _description(content: Description) -> list[str]:
    stem, change = content.adjective.korean, content.adjective.change
    if content.is_negative:
        stem, change = stem + "지 않", ""
    return [_topic(content.subject), polite(stem, change, content.tense)]


def _existence(content: Existence) -> list[str]:
    return [at(content.place), nominative(phrase(content.thing)), polite("있", "", content.tense)]


def at(place: Noun) -> str:
    return place.korean + "에"
