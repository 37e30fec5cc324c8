"""A tokenizer that reads Korean, and a little text in its pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer

import recipes.korean
from models.training.corpora.corpus import Corpus, Document
from recipes.korean.data import (
    SOURCES,
    cut_documents,
)

LINES = (
    "고양이가 밥을 먹었다.",
    "영화는 정말 재미있었다!",
    "학교에서 친구를 만났어요.",
    "아이들이 운동장에서 공을 찬다.",
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(Path(recipes.korean.__file__).parent / "tokenizer.json"))


@pytest.fixture(scope="module")
def texts(tokenizer: Tokenizer) -> dict[str, Corpus]:
    documents = [Document(title="", sentences=LINES * 8), Document(title="", sentences=LINES[::-1] * 8)]
    corpus = cut_documents(documents, tokenizer)
    return dict.fromkeys(SOURCES, corpus)
