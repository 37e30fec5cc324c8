"""Activations of one text put into another: all of them bring the answer back, none brings nothing."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.analysis.contrasts import contrast_of
from models.analysis.effects.patching import patch, shares
from models.huggingface import load_huggingface
from models.opening.registry import PRETRAINED, ROOT, load
from models.recording.recorder import intervening
from models.values.errors import TextError
from models.values.results.effects import PatchedWhat

CLEAN, CORRUPTED = "The dog [MASK] at the cat.", "The man [MASK] at the cat."
CHANGED, MASK = 2, 3
PAIRS = {
    "mini-bert": ((CLEAN, None), (CORRUPTED, None)),
    "mini-gpt": (("The dog looked at the", None), ("The man looked at the", None)),
    "translator-es": (("the cat sleeps", "El"), ("the dog sleeps", "El")),
}
WHATS: tuple[PatchedWhat, ...] = ("states", "outputs", "weights")


def test_all_of_the_clean_text_is_1_and_nothing_is_0() -> None:
    model = load("mini-bert", device="cpu")
    whole = patch(model, CLEAN, CORRUPTED, by_position=False)
    np.testing.assert_allclose(whole.effects, 1, atol=1e-4)  # all states of a layer, whichever
    differences = np.array([whole.corrupted, whole.clean], np.float32)
    np.testing.assert_allclose(shares(differences, clean=whole.clean, corrupted=whole.corrupted), [0, 1], atol=1e-6)


def test_before_the_first_layer_only_the_changed_word_carries_anything() -> None:
    found = patch(load("mini-bert", device="cpu"), CLEAN, CORRUPTED)
    assert found.axes == ("layer", "position")
    assert found.clean_tokens[CHANGED].text == "dog"
    expected = np.zeros(len(found.clean_tokens))
    expected[CHANGED] = 1
    np.testing.assert_allclose(found.effects[0], expected, atol=1e-4)
    assert (found.contrast.answer_text, found.contrast.rival_text) != ("", "")


def test_in_a_decoder_nothing_before_the_change_carries_it_and_at_last_only_the_end_is_read() -> None:
    (clean, _), (corrupted, _) = PAIRS["mini-gpt"]
    found = patch(load("mini-gpt", device="cpu"), clean, corrupted)
    changed = next(at for at, token in enumerate(found.clean_tokens) if token.text.endswith("dog"))
    np.testing.assert_allclose(found.effects[:, :changed], 0, atol=1e-4)
    assert abs(found.effects[-1, -1]) > 0.5
    by_head = patch(load("mini-gpt", device="cpu"), clean, corrupted, what="outputs", by_position=True)
    assert by_head.axes == ("layer", "head", "position")
    np.testing.assert_allclose(by_head.effects[:, :, :changed], 0, atol=1e-4)
    np.testing.assert_allclose(by_head.effects[-1, :, changed:-1], 0, atol=1e-4)  # nobody reads them after this


@pytest.mark.parametrize("what", WHATS)
@pytest.mark.parametrize("name", PAIRS)
def test_scratch_and_hugging_face_give_the_same_effects(name: str, what: PatchedWhat) -> None:
    (clean, clean_b), (corrupted, corrupted_b) = PAIRS[name]
    kinds = ("encoder", "decoder", "cross") if name == "translator-es" else (None,)
    ours, theirs = load(name, device="cpu"), load_huggingface(str(ROOT / PRETRAINED / name), name=name)
    for kind in kinds:
        if kind == "cross" and what == "states":
            continue
        one, other = (
            patch(model, clean, corrupted, what=what, kind=kind, clean_b=clean_b, corrupted_b=corrupted_b)
            for model in (ours, theirs)
        )
        assert one.contrast == other.contrast
        scale = abs(one.clean - one.corrupted)  # effects are shares of this: what is compared are logits
        np.testing.assert_allclose(one.effects * scale, other.effects * scale, atol=8e-5)


def test_weights_are_patched_as_by_hand() -> None:
    model = load("mini-bert", device="cpu")
    found = patch(model, CLEAN, CORRUPTED, what="weights")
    weights = torch.from_numpy(model.record(CLEAN).of("encoder").weights(1, 3))
    ids = torch.tensor([model._prepare(CORRUPTED).input_ids])
    with torch.no_grad(), intervening({("encoder", 1, 3): weights}):
        logits = model.model(ids).mlm[0, MASK]
    difference = float(logits[found.contrast.answer] - logits[found.contrast.rival])
    expected = (difference - found.corrupted) / (found.clean - found.corrupted)
    assert found.effects[1, 3] == pytest.approx(expected, abs=1e-4)


def test_heads_by_position_and_the_answers_can_be_chosen() -> None:
    model = load("mini-bert", device="cpu")
    contrast = contrast_of(model, CLEAN, answer="looked", rival="stared")
    found = patch(model, CLEAN, CORRUPTED, what="outputs", by_position=True, contrast=contrast)
    assert found.contrast is contrast
    assert found.effects.shape == (4, 8, len(found.clean_tokens))
    others = [at for at in range(len(found.clean_tokens)) if at != MASK]
    np.testing.assert_allclose(found.effects[-1][:, others], 0, atol=1e-4)  # nobody reads them after the last layer


def test_what_cannot_be_patched_is_said() -> None:
    model = load("mini-bert", device="cpu")
    with pytest.raises(TextError, match="The texts have 8 and 9 tokens"):
        patch(model, "The dog [MASK] at me.", "The old dog [MASK] at me.")
    with pytest.raises(TextError, match="nothing can come back"):
        patch(model, CLEAN, CLEAN)
