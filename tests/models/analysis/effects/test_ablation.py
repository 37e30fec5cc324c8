"""Heads taken away: the same effects in our models and in transformers', and nothing where nothing is changed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate, aligned_positions, every_head, every_layer
from models.analysis.effects.mean_outputs import OutputSums, mean_outputs
from models.huggingface import load_huggingface
from models.model import Model
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import load
from models.recording.recorder import intervening
from models.values.errors import SelectionError
from models.values.results.effects import AblatedBy, map_of
from tests.closeness import PARITY, assert_close
from tests.models.probed import size_of_logits

ASKED = {
    "mini-bert": ("The old [MASK] barked at the cat.", None),
    "mini-gpt": ("The old dog barked at the", None),
    "translator-es": ("the old cat sleeps in the house", "El gato"),
    "sentiment": ("a really good film", None),
}
OTHER = "A red door stood open, and nobody came in."
NAMES = list(ASKED)


@pytest.fixture(scope="module")
def models() -> dict[str, tuple[Model, Model]]:
    """The embedded models, each opened in our code and in transformers."""
    return {
        name: (load(name, device="cpu"), load_huggingface(str(ROOT / PRETRAINED / name), name=name)) for name in ASKED
    }


@pytest.mark.parametrize("by", ["zero", "uniform", "mean", "resample"])
@pytest.mark.parametrize("name", NAMES)
def test_scratch_and_hugging_face_give_the_same_effects(
    name: str, by: AblatedBy, models: dict[str, tuple[Model, Model]]
) -> None:
    text, text_b = ASKED[name]
    found = []
    for model in models[name]:
        means = mean_outputs([model.record(text, text_b)]) if by == "mean" else ()
        other = "" if by != "resample" else text if text_b else OTHER
        found.append(ablate(model, text, text_b=text_b, by=by, means=means, other=other))
    ours, theirs = found
    assert ours.contrast == theirs.contrast
    assert ours.groups == theirs.groups
    size = size_of_logits(models[name][0], text, text_b, contrast=ours.contrast)
    assert_close(ours.differences, theirs.differences, tolerance=PARITY, magnitude=size)
    assert_close(ours.log_probabilities, theirs.log_probabilities, tolerance=PARITY)
    assert (text_b and by == "resample") or np.abs(ours.effects).max() > 0.1


@pytest.mark.parametrize("name", ["mini-bert", "mini-gpt", "sentiment"])
def test_resampling_from_the_text_itself_changes_nothing(name: str, models: dict[str, tuple[Model, Model]]) -> None:
    text, _ = ASKED[name]
    same = ablate(models[name][0], text, by="resample", other=text)
    size = size_of_logits(models[name][0], text, contrast=same.contrast)
    assert_close(same.differences, same.whole, magnitude=size)
    everything = [tuple(place for layer in every_layer(models[name][0].record(text)) for place in layer)]
    same = ablate(models[name][0], text, everything, by="resample", other=text)
    assert_close(same.differences, same.whole, tolerance=PARITY, magnitude=size)


def test_equally_long_texts_are_aligned_one_to_one_and_others_from_end_to_end() -> None:
    assert aligned_positions(5, 5) == [0, 1, 2, 3, 4]
    assert aligned_positions(1, 7) == [0]
    for n_wanted, n_given in ((9, 4), (4, 9), (2, 50)):
        positions = aligned_positions(n_wanted, n_given)
        assert (positions[0], positions[-1], len(positions)) == (0, n_given - 1, n_wanted)
        assert positions == sorted(positions)


def test_a_layer_is_taken_away_as_by_hand(models: dict[str, tuple[Model, Model]]) -> None:
    text, target = ASKED["translator-es"]
    model = models["translator-es"][0]
    contrast = contrast_of(model, text, target)
    groups = every_layer(model.record(text, target))
    found = ablate(model, text, groups, text_b=target, by="uniform", contrast=contrast)
    assert [len(group) for group in groups] == [model.info.n_heads] * (3 * model.info.n_layers)
    for group, difference in zip(groups, found.differences, strict=True):
        reading = model.read(text, target)
        with torch.no_grad(), intervening(dict.fromkeys(group, "uniform")):
            ids = torch.tensor([reading.prepared.input_ids]), torch.tensor([reading.decoder_ids])
            logits = model.model(*ids).logits[0, contrast.position]
        assert_close(difference, float(logits[contrast.answer] - logits[contrast.rival]), magnitude=logits.abs().max())
    assert all(np.isnan(each.values).all() for each in found.maps())  # no head was taken away by itself


def test_a_map_has_the_effect_of_every_head_at_its_place(models: dict[str, tuple[Model, Model]]) -> None:
    model = models["mini-gpt"][0]
    text, _ = ASKED["mini-gpt"]
    whole = ablate(model, text)
    some = ablate(model, text, [(("decoder", 2, 5),), (("decoder", 0, 1), ("decoder", 3, 0)), (("decoder", 1, 7),)])
    expected = map_of(whole.maps(), "decoder")
    found = map_of(some.maps(), "decoder")
    assert_close(
        found[[2, 1], [5, 7]], expected[[2, 1], [5, 7]], magnitude=size_of_logits(model, text, contrast=whole.contrast)
    )
    assert np.isnan(found).sum() == found.size - 2
    assert len(every_head(model.record(text))) == len(whole.groups) == found.size
    with pytest.raises(SelectionError, match="cross"):
        map_of(whole.maps(), "cross")


def test_means_of_a_corpus_merge_and_are_those_of_all_its_tokens(models: dict[str, tuple[Model, Model]]) -> None:
    model = models["mini-bert"][0]
    texts = ["The cat sat.", OTHER, "It rained all day long in the old town."]
    recordings = [model.record(text) for text in texts]
    parts = [mean_outputs([recording]) for recording in recordings]
    (whole,) = mean_outputs(recordings)
    first, second, third = (part for (part,) in parts)
    for found in (first + second + third, third + (second + first), second + (third + first)):
        assert_close(found.means, whole.means)
        assert found.count == sum(len(recording.tokens) for recording in recordings)
    outputs = np.concatenate([recording.of("encoder").head_output(2, 3) for recording in recordings])
    assert_close(whole.means[2, 3], outputs.mean(axis=0))
    with pytest.raises(ValueError, match="different models"):
        _ = first + OutputSums(kind="encoder", totals=np.zeros((1, 1, 2)), count=1)


def test_heads_are_named_one_by_one_or_in_groups(models: dict[str, tuple[Model, Model]]) -> None:
    model, (text, _) = models["mini-gpt"][0], ASKED["mini-gpt"]
    one, other = ("decoder", 0, 1), ("decoder", 2, 3)
    alone = ablate(model, text, [one, other])
    assert alone.groups == ((one,), (other,))
    again = ablate(model, text, [(one,), (other,)])
    size = size_of_logits(model, text, contrast=again.contrast)
    assert_close(alone.differences, again.differences, magnitude=size)
    assert ablate(model, text, [(one, other), one]).groups == ((one, other), (one,))


def test_what_is_missing_is_said(models: dict[str, tuple[Model, Model]]) -> None:
    model = models["sentiment"][0]
    with pytest.raises(ValueError, match="no means"):
        ablate(model, "a good film", by="mean")
    with pytest.raises(ValueError, match="no other text"):
        ablate(model, "a good film", by="resample")
    with pytest.raises(ValueError, match="no recording"):
        mean_outputs([])


@pytest.mark.network
def test_a_published_effect_on_a_known_model() -> None:
    """Headlight's issue 18: logit(sun) is 14.52, and 15.03 without Layer 0 Head 5."""
    model = load("google-bert/bert-base-cased", device="cpu")
    text = "The [MASK] is bright today."
    alone = contrast_of(model, text, answer="sun", alone=True)
    found = ablate(model, text, [(("encoder", 0, 5),)], contrast=alone)
    assert_close(found.whole, 14.52, step=0.01)
    assert_close(found.differences[0], 15.03, step=0.01)
