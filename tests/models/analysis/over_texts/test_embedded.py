"""The atlases that lie beside the embedded models are those of their weights and of the sample."""

from __future__ import annotations

import re

import pytest

from models.analysis.heads.measuring import HeadSums
from models.analysis.over_texts.atlas_file import FILE, read_atlas
from models.analysis.over_texts.corpus import SAMPLE, SAMPLE_KOREAN, sample_for, sample_texts
from models.analysis.over_texts.sums import atlas_sums
from models.opening.registry import embedded_folder, languages_of
from recipes.atlases import with_an_atlas
from tests.closeness import assert_close
from tests.loaded import load


@pytest.mark.parametrize("name", with_an_atlas())
def test_the_atlas_of_an_embedded_model_is_that_of_its_weights(name: str) -> None:
    """The texts that are said to show a head best show it so: for a model of other weights they would not."""
    folder, model = embedded_folder(name), load(name, device="cpu")
    assert folder is not None
    for found in read_atlas((folder / FILE).read_text(encoding="utf-8")):
        assert (found.model, found.n_layers, found.n_heads) == (
            model.info.name,
            model.info.n_layers,
            model.info.n_heads,
        )
        assert found.n_texts == len(sample_texts(languages_of(name)))
        for layer in range(found.n_layers):
            examples = found.examples_of(layer, layer % found.n_heads)
            for text in examples.strongest[:1]:
                sums = atlas_sums(model.record(text.text).of(found.kind), text.text).shares
                assert_close(
                    _share(sums, examples.measure, layer, layer % found.n_heads),
                    text.share,
                    magnitude=1,
                )


def _share(sums: tuple[HeadSums, HeadSums], name: str, layer: int, head: int) -> float:
    for each in sums:
        for row, measure in enumerate(each.measures):
            if measure.name == name:
                return float(each.totals[row, layer, head] / each.counts[row])
    raise AssertionError(name)


def test_the_sample_is_public_and_plain() -> None:
    texts = sample_texts()
    assert len(texts) == len(set(texts)) == 1000
    assert all(6 <= len(text.split()) <= 30 and text == text.strip() for text in texts)
    assert "public domain" in SAMPLE.with_name("LICENCE.md").read_text(encoding="utf-8")


def test_the_korean_sample_is_plain_and_mixed() -> None:
    texts = sample_texts(("ko",))
    assert len(texts) == len(set(texts)) == 300
    assert all(5 <= len(text.split()) <= 25 and text == text.strip() for text in texts)
    assert all(re.search("[가-힣]", text) and not re.search("[A-Za-z]", text) for text in texts)
    for kind, least in {
        r"안 |않|못": 60,  # negation
        r"(시|셨|세|십|드)[ㄱ-ㅎ가-힣]*(다|요|까|니다)[.?]": 25,  # honorifics
        r"[?]": 10,  # questions
        r"지만|는데": 40,  # contrast
        r"[“\"]": 4,  # quotes
    }.items():
        assert sum(bool(re.search(kind, text)) for text in texts) >= least, kind
    assert "korean.txt" in SAMPLE_KOREAN.with_name("LICENCE.md").read_text(encoding="utf-8")


def test_a_model_is_shown_the_sample_that_it_reads() -> None:
    chosen = {name: sample_for(languages_of(name)) for name in ("headlight-bert", "headlight-ko", "sentiment-ko", "?")}
    assert chosen == {
        "headlight-bert": SAMPLE,
        "headlight-ko": SAMPLE_KOREAN,
        "sentiment-ko": SAMPLE_KOREAN,
        "?": SAMPLE,
    }
    assert sample_for(languages_of("google-bert/bert-base-multilingual-cased")) == SAMPLE
