"""What the core says is read in the reader's language, whole: sentences after each other, sentences in sentences."""

from __future__ import annotations

from models.model import TRANSLATION, missing
from models.opening.registry import REGISTRY
from models.tasks.missing import why_it_does_not_write
from models.values.errors import LessonError
from models.values.wording import join_sentences, worded
from viz.kit.demos.records import random_recording
from viz.kit.language import read_in, said


def in_korean(message: str) -> str:
    with read_in("ko"):
        return said(message)


def test_sentences_after_each_other_are_each_said() -> None:
    cut = worded("This model reads at most {most} tokens, including special tokens.", most="512")
    assert in_korean(join_sentences("", cut, "“as typed {so}”")) == f"{in_korean(cut)} “as typed {{so}}”"
    assert join_sentences("", "") == ""
    assert join_sentences("", cut) is cut


def test_every_mistake_of_a_lesson_is_said_with_its_line() -> None:
    error = LessonError((3, worded("The text")), (12, "as it is"))
    assert str(error) == "Line 3: The text\nLine 12: as it is"
    assert in_korean(str(error)) == "3번째 줄: 글\n12번째 줄: as it is"


def test_why_a_model_does_not_answer_is_said_in_all_its_parts() -> None:
    info = random_recording().info
    error = missing(info, TRANSLATION, why_it_does_not_write(info, TRANSLATION))
    korean = in_korean(str(error))
    assert korean.startswith(f"{info.name} 모델은 번역할 수 없습니다. 글을 양쪽에서")
    assert not {"is", "an", "cannot", "Choose"} & set(korean.split())


def test_what_the_list_of_models_says_of_them_is_said() -> None:
    for entry in REGISTRY.values():
        for text in filter(None, (entry.about, entry.made_for, *(label for label, _ in entry.examples))):
            assert in_korean(text) != text
