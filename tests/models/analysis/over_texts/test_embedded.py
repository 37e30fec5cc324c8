"""The atlases that lie beside the embedded models are those of their weights and of the sample."""

from __future__ import annotations

import pytest

from models import load
from models.analysis.heads.measuring import HeadSums
from models.analysis.over_texts.atlas_file import FILE, read_atlas
from models.analysis.over_texts.corpus import SAMPLE, sample_texts
from models.analysis.over_texts.sums import atlas_sums
from models.opening.registry import embedded_folder
from recipes.atlases import with_an_atlas
from tests.closeness import assert_close


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
        assert found.n_texts == len(sample_texts())
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
