"""The names over the columns of a table, as people write them: what each column means."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KNOWN = {
    "text": "text texts sentence review comment message content document tweet 문장 리뷰 본문 내용",
    "word": "word words token form 단어 낱말",
    "label": "label labels class category sentiment target tag topic pos upos ner 라벨 레이블 정답 품사",
    "source": "source src input from 원문",
    "target": "target tgt trg output to translation 번역 번역문",
}
_LANGUAGES = """
english en eng spanish es spa español korean ko kor 한국어 german de deu deutsch french fr fra français italian it ita
portuguese pt por japanese ja jpn 日本語 chinese zh zho 中文 russian ru rus 영어 스페인어 독일어 프랑스어 일본어 중국어
"""
KNOWN = {column: frozenset(names.split()) for column, names in _KNOWN.items()}
"""Known names of columns in a header, by the column they mean."""
LANGUAGES = frozenset(_LANGUAGES.split())
"""Names of columns of pairs: the first one is read, the second one written."""
_OF_TEXT = re.compile(r"[\s_-]+(text|texts|sentence|sentences|segment|문장)$")


def named_columns(first: Sequence[str], wanted: tuple[str, str]) -> tuple[int, int] | None:
    """Return the indices of the wanted columns by the names of a header; None if the row is not a header."""
    names = [_OF_TEXT.sub("", cell.strip().lower()) for cell in first]
    places = [[place for place, name in enumerate(names) if name in KNOWN[one]] for one in wanted]
    if wanted[0] == "source" and not any(map(str.isdigit, names)):
        languages = [place for place, name in enumerate(names) if name in LANGUAGES]
        sources, targets = places
        sources = sources or [place for place in languages if place not in targets]
        places = [sources, targets or [place for place in languages if place != sources[0]]]
    if not all(places):
        return None
    columns = places[0][0], places[1][-1 if wanted[0] == "word" else 0]  # in a table of words the label stands last
    return None if columns[0] == columns[1] else columns
