"""Korean as the field and its print have it: the words of the table in docs/translate.md, particles and typography."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.language.catalogues import read
from tests.language.test_catalogues import forms
from viz.kit.glossary import rows

ROOT = Path(__file__).resolve().parents[2]
SPOKEN = ("title", "about", "text", "question", "claim")
"""What a lesson says; the rest of its file is for programs."""
WORD_ROW = re.compile(r"^\| (?P<avoid>[^|]*[가-힣][^|]*) \| (?P<use>[^|]+) \| (?P<except>[^|]*)\|$", re.MULTILINE)
PLAIN_NOUNS = "토큰|키|헤드|단어|레이어|밸류|쿼리|점수|조각|차원|위치|수"
RULES = {
    "a noun stands only before a particle that changes with the sound": (
        r"” (단어|토큰|문장)(?=입니다|이고|이며|이었|(?:의|에|에서|도|만|까지|부터)(?![가-힣]))",
        "“{answer}” 단어입니다",
    ),
    "no particle that changes with the sound stands behind a gap; a percentage takes 가, 를, 로": (
        r"\}”(?:은|는|이|가|을|를|과|와|으로|로)(?![가-힣])|\}(?:은|는|이|을|과|와|으로)(?![가-힣])",
        "“{query}”는 바로",
    ),
    "a noun that ends in a vowel takes 는, 를, 가, 와, 로": (
        r"(?<![가-힣])(?:단어|헤드|레이어|쿼리|글자|점수)(?:(?:은|을|과|으로)(?![가-힣])|이(?=[ ,.]))",
        "네 글자로 된 단어을 읽습니다",
    ),
    "no particle in two forms": (r"은\(는\)|을\(를\)|이\(가\)|과\(와\)|와\(과\)|\(으\)로", "{model}은(는) 없습니다"),
    "5%, without a space": (r"(?<=[\d}])[ \u00a0]%", "{share} %"),
    "1~10, without a dash": (r"(?<=[\d}])–(?=[\d{])", "{first}–{last}"),
    "한글(abc), without a space; a formula keeps it": (r"[가-힣}”] \((?!\(|m −)", "내려받기 (CSV)"),
    "no semicolon but that of a formula, and its own name": (r"(?<!\\)(?<!\();(?!\)| −)", "순전파 1번; 시간"),
    "a question ends politely": (r"(?:는가|은가|인가|까|있나|하나)[?]|[을일볼]까$", "바뀐 단어가 있나?"),
    "no plural of a plain noun": (
        rf"(?<!이 )(?<!그 )(?<!다른 )(?<![가-힣])(?:{PLAIN_NOUNS})들(?=[을은의로과에도]|이 |$)",
        "키들의 평균",
    ),
    "a whole sentence, not one behind a colon": (r"\}: (?:[^:.]* )?(?:없습니다|아닙니다)\.", "{model}: 없습니다."),
    "a training step is 스텝": (r"반복 \{", "반복 {iteration}"),
}


def words_to_avoid() -> list[tuple[str, str, str]]:
    """Return the rows of the table: a word to avoid, the word to use, and phrases in which the first may stand."""
    table = (ROOT / "docs" / "translate.md").read_text(encoding="utf-8")
    return [(row["avoid"], row["use"], row["except"].strip()) for row in WORD_ROW.finditer(table)]


def spoken_of_lessons() -> list[str]:
    texts = []
    for path in (ROOT / "lessons" / "ko").rglob("*.yaml"):
        lesson = yaml.safe_load(path.read_text(encoding="utf-8"))
        texts += [str(part[name]) for part in (lesson, *lesson["steps"]) for name in SPOKEN if name in part]
    return texts


@cache
def prose() -> tuple[str, ...]:
    """Return everything that is written in Korean."""
    said = [form for each in read("ko") if each.id for form in forms(each.string)]
    told = [text for row in rows("ko") for text in (row.word, row.meaning)]
    readme = re.sub(r"```.*?```", "", (ROOT / "README.ko.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    return (*said, *told, *spoken_of_lessons(), *readme.splitlines())


def uses(text: str, avoid: str, allowed: str) -> bool:
    """Return whether a text uses a word outside the phrases in which it may stand."""
    if avoid not in text:
        return False
    for phrase in filter(None, allowed.split(", ")):
        text = text.replace(phrase, "")
    return bool(re.search(rf"(?<![가-힣]){re.escape(avoid)}", text))


def test_the_words_of_the_field_are_used() -> None:
    assert uses("작은 지도를 봅니다", "지도", "지도 학습")
    assert not uses("지도 학습", "지도", "지도 학습")
    table = words_to_avoid()
    assert len(table) > 30
    assert [(avoid, text) for avoid, _, allowed in table for text in prose() if uses(text, avoid, allowed)] == []


@pytest.mark.parametrize("rule", RULES)
def test_the_rules_of_korean_are_kept(rule: str) -> None:
    pattern, broken = RULES[rule]
    assert re.search(pattern, broken)
    assert [text for text in prose() if re.search(pattern, text)] == []
