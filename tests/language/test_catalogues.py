"""Every sentence of the code is translated, with the same gaps, and what is compiled is what is written."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from babel.messages.catalog import Catalog, Message

from tests.language.catalogues import BROWSER, compiled, of_browser, read
from viz.kit.language import DOMAIN, ENGLISH, FOLDER, LANGUAGES

OTHERS = [name for name in LANGUAGES if name != ENGLISH]


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (text,)


def gaps(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{(\w*)\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_the_code_is_translated_and_none_is_left_over(language: str, code: Catalog) -> None:
    kept = read(language)
    ids = [{each.id for each in catalogue if each.id} for catalogue in (code, kept)]
    assert ids[0] - ids[1] == set(), "run python -m tests.language.catalogues, and translate what is new"
    assert ids[1] - ids[0] == set(), "run python -m tests.language.catalogues"
    assert [each.id for each in kept if each.id and not (each.string and all(forms(each.string)))] == []
    assert [each.id for each in kept if each.id and each.fuzzy] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_gaps_of_its_sentence(language: str) -> None:
    def differs(each: Message) -> bool:
        wanted = {name for text in forms(each.id) for name in gaps(text)}
        return any(set(gaps(text)) - wanted or wanted - set(gaps(text)) - {"n"} for text in forms(each.string))

    assert [each.id for each in read(language) if each.id and differs(each)] == []


BOLD = re.compile(r"\*\*")
SIGN, LETTER = re.compile(r"[^\w\s}]"), re.compile(r"\w")


def fails_to_close(text: str) -> bool:
    """Whether bold words end in a sign directly before a letter, as before a particle of Korean: Markdown (CommonMark,
    section 6.2) does not close them there."""
    for number, found in enumerate(BOLD.finditer(text)):
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        outside, inside = (after, before) if number % 2 else (before, after)
        if LETTER.match(outside) and SIGN.match(inside):
            return True
    return False


@pytest.mark.parametrize("language", OTHERS)
def test_bold_words_end_where_they_should(language: str) -> None:
    assert fails_to_close("**25%**의")
    assert not fails_to_close("**25%** 가운데 **모두**를")
    assert [text for each in read(language) if each.id for text in forms(each.string) if fails_to_close(text)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_compiled_is_what_is_written(language: str, code: Catalog) -> None:
    kept = read(language)
    assert (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").read_bytes() == compiled(kept)
    sent = json.loads((FOLDER / language / BROWSER).read_text(encoding="utf-8"))
    assert sent == of_browser(kept, code)
