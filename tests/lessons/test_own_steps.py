"""Steps that ask no model, pictures of an author's own, and the lesson that follows."""

from __future__ import annotations

import base64
from io import BytesIO

import pytest
from PIL import Image

from lessons import Lesson
from lessons.picture_files import LONGEST_PICTURE, MOST_BYTES_OF_PICTURE, read_picture, write_picture
from models.values.errors import LessonError, SelectionError
from tests.lessons.asking import CAT, of, value
from ui.lessons.library import lesson_of, pack_lesson

WORDS = """
title: Words
about: A lesson.
minutes: 1
models: [mini-bert]
steps:
  - title: Read this
    text: No question here.
    ask:
      what: nothing
"""


def file_of(format_: str, size: tuple[int, int] = (1600, 1200), *, is_noise: bool = False) -> bytes:
    picture, file = Image.effect_noise(size, 90) if is_noise else Image.new("RGB", size, "navy"), BytesIO()
    picture.save(file, format_)
    return file.getvalue()


def test_of_answers_that_an_author_has_written_several_may_be_right() -> None:
    found = of("written", options=("a cat", "a dog", "a map"), right=("a cat", "a dog"))
    assert (found.right, value(found, "answer"), value(found, "right")) == ({0, 1}, "a cat, a dog", 2)
    with pytest.raises(SelectionError, match="a bird"):
        of("written", options=("a cat", "a dog"), right=("a bird",))


def test_a_step_without_a_question_needs_no_words_for_one_and_may_show_a_row() -> None:
    (step,) = lesson_of(WORDS).steps
    assert (step.question, step.claim, step.own) == ("", "", False)
    found = of("nothing", text=CAT, query="sat", head="previous")
    assert (found.position, found.options) == (3, ())
    assert of("nothing").layer is None
    with pytest.raises(LessonError):
        lesson_of(WORDS.replace("      what: nothing", "      what: follows\n      text: A.\n      text_b: B."))


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("is_noise", [False, True])
def test_a_picture_is_made_small_enough_for_a_lesson(format_: str, is_noise: bool) -> None:
    text = write_picture(file_of(format_, is_noise=is_noise))
    assert len(text) <= LONGEST_PICTURE
    assert len(read_picture(text)) <= MOST_BYTES_OF_PICTURE
    assert lesson_of(f"{WORDS}    picture: {text}\n").steps[0].picture == text


@pytest.mark.parametrize(
    "raw", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", file_of("GIF", (3, 3)), file_of("PNG")[:80]]
)
def test_nothing_else_is_a_picture(raw: bytes) -> None:
    with pytest.raises(ValueError, match="picture"):
        write_picture(raw)
    with pytest.raises(LessonError):
        lesson_of(f"{WORDS}    picture: data:image/png;base64,{base64.b64encode(raw).decode()}\n")


@pytest.mark.parametrize(
    "text", ["https://example.org/cat.png", "data:image/svg+xml;base64,PHN2Zz4=", "data:text/html,x"]
)
def test_no_picture_is_fetched_or_run(text: str) -> None:
    with pytest.raises(ValueError, match="expected a picture"):
        read_picture(text)


def then(value_: str) -> Lesson:
    return lesson_of(f"{WORDS}then: {value_}\n")


def test_a_lesson_leads_to_one_of_the_app_or_to_one_in_a_link() -> None:
    link = f"https://hall.example.edu/lessons?lesson=given&lesson_text={pack_lesson(WORDS)}"
    assert (then("heads").then, then(link).then) == ("heads", link)
    for wrong in ("no-such-lesson", "https://example.org/", f"{link[:-20]}"):
        with pytest.raises(LessonError):
            then(wrong)
