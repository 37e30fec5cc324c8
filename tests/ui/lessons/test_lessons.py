"""The lessons of the app: they can be read, and every claim is true for every model that a lesson allows."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lessons import KINDS, Lesson, facts_of, fill_template, in_words, untrue
from lessons.claims import FACT
from lessons.verdicts import verdict
from models.model import Model
from models.values.errors import LessonError
from tests.loaded import answer, load
from ui.lessons.library import (
    DAMAGED,
    FOLDER,
    NamedLesson,
    first_lesson,
    fits_a_link,
    lesson_of,
    own_lessons,
    pack_lesson,
    step_in_language,
    text_of_file,
    unpack_lesson,
)
from ui.lessons.views import PAGES_BY_NAME, read_view
from ui.state.choices import CHOICES
from viz.kit.language import ENGLISH, LANGUAGES, read_in, said, shown

OTHERS = [name for name in LANGUAGES if name != ENGLISH]


def lessons_in(language: str) -> dict[str, NamedLesson]:
    with read_in(language):
        return own_lessons()


TRANSLATED = [
    (language, name)
    for language in OTHERS
    for name, found in lessons_in(language).items()
    if found.lesson.models == own_lessons()[name].lesson.models
]
"""The lessons that other models read than the English one of that name are no translations but lessons of their own."""
OF_THEIR_OWN = {
    (language, name): found
    for language in OTHERS
    for name, found in lessons_in(language).items()
    if (language, name) not in TRANSLATED
}
BEGIN = first_lesson()


def begin_in(language: str) -> str:
    with read_in(language):
        return first_lesson()


GUIDE = (FOLDER.parent / "docs" / "write-a-lesson.md").read_text(encoding="utf-8")
GUIDES_LESSONS = re.findall(r"^```yaml\n(title:.*?|#.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
KOREAN = [
    "vectors",
    "attention",
    "heads",
    "encoder-decoder",
    "what-bert-learned",
    "what-a-head-does",
    "explanation",
]
TRANSLATING = "encoder-decoder"
HANGUL = re.compile("[가-힣]")
TEXTS = ("text", "question", "claim")


def without_words(lesson: Lesson) -> Lesson:
    """What a lesson is beside its words and its lines."""
    steps = tuple(
        replace(
            step,
            title="",
            line=0,
            holds=tuple(replace(each, line=0) for each in step.holds),
            **{name: " ".join(sorted({match[0] for match in FACT.finditer(getattr(step, name))})) for name in TEXTS},
        )
        for step in lesson.steps
    )
    return replace(lesson, title="", about="", steps=steps)


@pytest.mark.parametrize(("language", "name"), TRANSLATED)
def test_a_translated_lesson_asks_the_same_with_the_same_gaps(language: str, name: str) -> None:
    translated = lessons_in(language)[name]
    assert without_words(translated.lesson) == without_words(own_lessons()[name].lesson)
    assert fits_a_link(translated.text)
    for step, other in zip(own_lessons()[name].lesson.steps, translated.lesson.steps, strict=True):
        assert step.title != other.title
        assert all(getattr(step, text) != getattr(other, text) for text in TEXTS)


def test_the_korean_lesson_on_translation_asks_about_korean_words() -> None:
    asks = [each for step in OF_THEIR_OWN["ko", TRANSLATING].lesson.steps for each in step.asks.values()]
    assert OF_THEIR_OWN["ko", TRANSLATING].lesson.models == ("translator-ko",)
    assert any(HANGUL.search(each.text("query")) for each in asks)


def test_lessons_in_korean_ask_korean_models_about_korean_sentences() -> None:
    assert list(OF_THEIR_OWN) == [("ko", name) for name in KOREAN]
    for (_, name), found in OF_THEIR_OWN.items():
        if name == TRANSLATING:  # it reads English
            continue
        for step in found.lesson.steps:
            asks = [each for each in step.asks.values() if each.text("text")]
            assert asks
            assert all(HANGUL.search(text) for each in asks for text in each.words("text") + each.words("text_b"))
            assert not {each.text("text") for each in asks} & texts_asked(own_lessons()[name].lesson)
            assert not any(each.model for each in asks)
        assert set(found.lesson.models) <= {"headlight-ko", "sentiment-ko"}
        assert all(has_vocabulary_of(load(model), "가나다라마바사") for model in found.lesson.models)


def texts_asked(lesson: Lesson) -> set[str]:
    return {each.text("text") for step in lesson.steps for each in step.asks.values()}


def has_vocabulary_of(model: Model, letters: str) -> bool:
    return all("[UNK]" not in token.text for token in model.record(letters).tokens)


@pytest.mark.parametrize("language", OTHERS)
def test_the_one_to_begin_with_asks_the_same_kind_in_another_language(language: str) -> None:
    (step,), (own,) = lesson_of(BEGIN).steps, lesson_of(begin_in(language)).steps
    assert own.title != step.title
    assert (own.ask.what, own.view, [name for name, _ in own.ask.given]) == (
        step.ask.what,
        step.view,
        [name for name, _ in step.ask.given],
    )


def test_what_the_model_has_found_is_said_in_the_language_of_the_lesson() -> None:
    step = OF_THEIR_OWN["ko", "what-a-head-does"].lesson.steps[1]
    outcomes = {name: answer(load("headlight-ko"), asked) for name, asked in step.asks.items()}
    with read_in("ko"):
        told = fill_template(step.claim, facts_of(outcomes), shown)
        judged = said(verdict(1.0, outcomes[""]))
    assert told.startswith("확률은 거의 그대로입니다. 전에는 ")
    assert "%, 레이어 " in told
    assert judged == "예측: “거의 그대로입니다”. 맞았습니다!"


def test_the_lessons_stand_in_their_order() -> None:
    assert list(own_lessons()) == [
        "vectors",
        "attention",
        "heads",
        "queries-keys-values",
        "residual-stream",
        "next-word",
        "masks",
        "positions",
        "encoder-decoder",
        "how-it-learns",
        "what-bert-learned",
        "what-a-head-does",
        "explanation",
        "finding-again",
        "cost",
        "by-hand",
        "blur-to-diagonal",
    ]
    assert list(own_lessons()) == list(lessons_in("ko"))
    for found in [*own_lessons().values(), *OF_THEIR_OWN.values()]:
        assert 5 <= len(found.lesson.steps) <= 7
        assert 5 <= found.lesson.minutes <= 10
        assert all(step.holds for step in found.lesson.steps)
        assert found.lesson.steps[-1].own or any(step.own for step in found.lesson.steps)
        assert CHOICES["lesson"].parse(found.name) == found.name


def test_a_step_is_read_in_another_language_only_where_it_asks_the_same() -> None:
    english = own_lessons()
    for name, found in english.items():
        for number, step in enumerate(found.lesson.steps):
            with read_in("ko"):
                told = step_in_language(found, number)
            assert (told is step) is (("ko", name) in OF_THEIR_OWN)
            assert told.asks == step.asks
    for found in OF_THEIR_OWN.values():
        assert all(step_in_language(found, number) is step for number, step in enumerate(found.lesson.steps))


def test_a_claim_that_is_untrue_is_found() -> None:
    step = lesson_of(BEGIN.replace("answer is dog", "answer is cat")).steps[0]
    facts = facts_of({"": answer(load("headlight-bert"), step.ask)})
    (wrong,) = untrue(step.holds, facts)
    assert "answer is dog, expected: is cat" in in_words(wrong, facts)


def test_every_lesson_fits_a_link_and_comes_back() -> None:
    for found in [*own_lessons().values(), *OF_THEIR_OWN.values()]:
        assert fits_a_link(found.text)
        assert unpack_lesson(CHOICES["lesson_text"].parse(pack_lesson(found.text))) == found.text


@pytest.mark.parametrize("damaged", ["", "AAAA", "eJw", pack_lesson("x" * 10_000_000)[:50], "é"])
def test_a_damaged_link_is_said(damaged: str) -> None:
    with pytest.raises(LessonError, match=DAMAGED[:30]):
        unpack_lesson(damaged)


def test_a_file_in_another_encoding_is_refused_with_its_line() -> None:
    text = BEGIN.replace("title: ", "title: Schüler, ", 1)
    assert text_of_file(text.encode()) == text_of_file(text.encode("utf-8-sig")) == text
    line = 1 + text[: text.index("ü")].count("\n")
    for encoding in ("cp1252", "utf-16"):
        with pytest.raises(LessonError, match=f"Line {line if encoding == 'cp1252' else 1}: the file is not UTF-8"):
            text_of_file(text.encode(encoding))


def test_a_link_that_would_grow_is_cut_off() -> None:
    with pytest.raises(LessonError, match=DAMAGED[:30]):
        unpack_lesson(pack_lesson("x" * 100_000_000))


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("nowhere", "no page"),
        ("attention?colour=red", "has no choice 'colour'"),
        ("attention?board=sum", "has no choice 'board'"),
        ("attention?layer=-1", "does not fit"),
        ("attention?layer", "bad query"),
        ("https://example.org/attention", "no page"),
        ("javascript:alert(1)", "no page"),
    ],
)
def test_a_wrong_link_is_said(link: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_view(link)


def test_a_link_is_read_by_the_schema_of_the_addresses() -> None:
    view = read_view("attention?layer=3&head=mean&words=yes")
    assert view.page is PAGES_BY_NAME["attention"]
    assert view.choices == {"layer": 3, "head": "mean", "words": True}


def test_the_guide_names_every_kind_with_all_its_facts() -> None:
    assert GUIDES_LESSONS
    for kind in KINDS.values():
        row = next(line for line in GUIDE.splitlines() if line.startswith(f"| `{kind.name}` |"))
        assert all(f"`{each.name}`" in row for each in kind.parameters)
        assert all(f"`{fact}`" in row for fact in kind.facts)
