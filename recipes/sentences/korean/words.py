"""The tables as words to draw from: who, what is done, what somebody is, and what stands around it; bilingual."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from recipes.sentences.korean import adjectives, adverbs, nouns, verbs
from recipes.sentences.korean.endings import Kind, Predicate
from recipes.sentences.korean.english import EnglishSubject, Forms, being, forms
from recipes.sentences.parallel.entries import CHANGES


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What somebody does, or is. A deed that lasts by itself ("know") is never just being done; `takes` are the kinds
    of nouns that it needs behind it, with their Korean `particle`."""

    forms: Forms
    korean: Predicate
    particle: str = ""
    takes: tuple[str, ...] = ()

    @property
    def is_of_being(self) -> bool:
        """Whether it says what somebody is."""
        return self.forms.base == "be"

    @property
    def is_lasting(self) -> bool:
        """Whether nobody says that it is just being done."""
        return self.is_of_being or self.forms.base in LASTING


@dataclass(frozen=True, slots=True, kw_only=True)
class NounWord:
    """A noun; one without an article stands alone."""

    english: str
    korean: str
    has_article: bool


Words = tuple[tuple[str, str], ...]
"""English, Korean."""
LASTING = frozenset(
    {
        "want",
        "need",
        "like",
        "love",
        "hate",
        "know",
        "understand",
        "remember",
        "believe",
        "trust",
        "agree",
        "see",
        "hear",
        "forget",
        "have",
        "respect",
        "depend",
        "die",
        "arrive",
        "find",
        "lose",
        "fall",
        "succeed",
        "quit",
    }
)


def _pairs(table: str, mark: str = ";") -> Iterator[tuple[str, str]]:
    """ "in the park 공원": the Korean begins at the first syllable."""
    for cell in " ".join(table.split()).split(mark):
        words = cell.split()
        at = next(place for place, word in enumerate(words) if _is_korean(word) or word[0].isdigit())
        yield " ".join(words[:at]).rstrip(" |"), " ".join(words[at:])


def _is_korean(word: str) -> bool:
    return any("가" <= letter <= "힣" for letter in word)


def read_predicate(text: str, kind: Kind = "verb") -> Predicate:
    """The predicate of "듣 ㄷ"."""
    stem, _, last = text.rpartition(" ")
    for change in CHANGES:
        if last == change:
            return Predicate(text=stem, change=change, kind=kind)
    return Predicate(text=text, kind=kind)


def _deeds(table: str) -> Iterator[Deed]:
    """A row has the English verb, the Korean stem, and the particle of the object before its kinds."""
    for line in filter(None, map(str.strip, table.splitlines())):
        english, korean, *rest = (cell.strip() for cell in line.split("|"))
        particle, *takes = rest[0].split() if rest else [""]
        kind: Kind = "adjective" if english == "need" else "being" if korean.endswith("있") else "verb"
        yield Deed(forms=forms(english), korean=read_predicate(korean, kind), particle=particle, takes=tuple(takes))


def _states(tables: dict[str, str]) -> Iterator[Deed]:
    for kind, table in tables.items():
        for english, korean in _pairs(table):
            yield Deed(forms=being(english), korean=_state(kind, korean))


def _state(kind: str, korean: str) -> Predicate:
    if kind == "state":
        return Predicate(text=read_predicate(korean).text, kind="state")
    found: dict[str, Kind] = {"adjective": "adjective", "copula": "copula", "verb": "verb"}
    if korean.endswith(("있", "없")):
        return Predicate(text=korean, kind="being")
    return read_predicate(korean, found[kind])


def _nouns(table: str) -> tuple[NounWord, ...]:
    return tuple(
        NounWord(english=english.removeprefix("-"), korean=korean, has_article=not english.startswith("-"))
        for english, korean in _pairs(table)
    )


DEEDS = tuple(_deeds(verbs.VERBS + verbs.PHRASES))
PERSONAL, NEUTRAL, TASTY = (
    tuple(_states(tables)) for tables in (adjectives.PERSONAL, adjectives.NEUTRAL, adjectives.TASTY)
)
NOUNS = {kind: _nouns(table) for kind, table in nouns.NOUNS.items()}
TIMES: dict[str, Words] = {when: tuple(_pairs(table)) for when, table in adverbs.TIMES.items()}
BEFORE_VERB, COMPANY, WHERE, PLACED = (
    tuple(_pairs(table)) for table in (adverbs.BEFORE_VERB, adverbs.COMPANY, adverbs.WHERE, adverbs.PLACED)
)
COMPARED: dict[str, Words] = {of: tuple(_pairs(table)) for of, table in adjectives.COMPARED.items()}
GIVING = tuple(_deeds(verbs.GIVING))
WEATHER = tuple(_pairs(adjectives.WEATHER))
SAID_WHOLE: Words = tuple(
    (english.strip(), korean.strip())
    for english, korean in (line.split("|") for line in adverbs.SAID_WHOLE.strip().splitlines())
)


def _who(english: str, other: str, possessive: str, korean: str, *, is_bare: bool = False) -> EnglishSubject:
    return EnglishSubject(english=english, object=other, possessive=possessive, korean=korean, is_bare=is_bare)


ME, YOU, HE, SHE, WE, THEY = (
    _who("I", "me", "my", "나", is_bare=True),
    _who("you", "you", "your", "너", is_bare=True),
    _who("he", "him", "his", "그"),
    _who("she", "her", "her", "그녀"),
    _who("we", "us", "our", "우리", is_bare=True),
    _who("they", "them", "their", "그들", is_bare=True),
)
TOM, MARY = _who("Tom", "Tom", "his", "톰"), _who("Mary", "Mary", "her", "메리")
BOTH = _who("Tom and Mary", "Tom and Mary", "their", "톰과 메리", is_bare=True)


def _several(table: str, possessive: str) -> tuple[EnglishSubject, ...]:
    """Subjects by their names; "*" marks those that are several."""
    return tuple(
        _who(name, name, possessive, korean, is_bare=english.endswith("*"))
        for english, korean in _pairs(table)
        for name in [english.removesuffix("*")]
    )


WOMEN = {"mother", "sister", "daughter", "wife", "aunt", "grandmother", "girlfriend"}
RELATIVES = tuple(
    _who(f"my {noun.english}", f"my {noun.english}", "her" if noun.english in WOMEN else "his", f"내 {noun.korean}")
    for noun in NOUNS["relative"]
)
OTHERS = _several(
    """
    everyone 모두; that man 저 남자; the boy 그 소년; people* 사람들; the girl 그 소녀; the teacher 선생님;
    the children* 아이들; that woman 저 여자; this man 이 남자; the students* 학생들; children* 아이들;
    the old man 그 노인; somebody 누군가
    """,
    "their",
)
THINGS = _several(
    """
    this 이것; that 그것; it 그것; this book 이 책; the movie 그 영화; this question 이 질문; the room 그 방;
    this house 이 집; your plan 네 계획; the box 그 상자; my car 내 차; the problem 그 문제; the test 그 시험;
    the story 그 이야기; this sentence 이 문장; the water 물; his house 그의 집; French 프랑스어; life 인생;
    this river 이 강; that dog 저 개; my dog 내 개; the cat 그 고양이; the dog 그 개; your idea 네 생각;
    this song 이 노래; the world 세상; her dress 그녀의 드레스; my job 내 일; these books* 이 책들;
    those apples* 저 사과들; Tom's car 톰의 차; Tom's house 톰의 집; the city 그 도시; this computer 이 컴퓨터;
    money 돈
    """,
    "its",
)
TASTED = _several(
    """
    this soup 이 수프; the coffee 그 커피; this cake 이 케이크; this bread 이 빵; the food 음식; this tea 이 차;
    this apple 이 사과; the meat 그 고기; this wine 이 와인; it 그것
    """,
    "its",
)
