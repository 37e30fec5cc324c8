"""Activations of one text put into another: all of them bring the answer back, none brings nothing."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.analysis.contrasts import contrast_of
from models.analysis.effects.patching import patch, shares
from models.opening.entries import PRETRAINED
from models.opening.registry import load
from models.recording.recorder import intervening
from models.values.errors import TextError
from models.values.results.effects import PatchedWhat
from tests.closeness import PARITY, assert_close
from tests.models.probed import size_of_effects

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
    assert_close(whole.effects, 1, magnitude=size_of_effects(model, whole, CLEAN))  # all states of any layer
    differences = np.array([whole.corrupted, whole.clean], np.float32)
    assert_close(shares(differences, clean=whole.clean, corrupted=whole.corrupted), [0, 1])


def test_before_the_first_layer_only_the_changed_word_carries_anything() -> None:
    model = load("mini-bert", device="cpu")
    found = patch(model, CLEAN, CORRUPTED)
    assert found.axes == ("layer", "position")
    assert found.clean_tokens[CHANGED].text == "dog"
    expected = np.zeros(len(found.clean_tokens))
    expected[CHANGED] = 1
    assert_close(found.effects[0], expected, magnitude=size_of_effects(model, found, CLEAN))
    assert (found.contrast.answer_text, found.contrast.rival_text) != ("", "")


def test_in_a_decoder_nothing_before_the_change_carries_it_and_at_last_only_the_end_is_read() -> None:
    (clean, _), (corrupted, _) = PAIRS["mini-gpt"]
    model = load("mini-gpt", device="cpu")
    found = patch(model, clean, corrupted)
    size = size_of_effects(model, found, clean)
    changed = next(at for at, token in enumerate(found.clean_tokens) if token.text.endswith("dog"))
    assert_close(found.effects[:, :changed], 0, magnitude=size)
    assert abs(found.effects[-1, -1]) > 0.5
    by_head = patch(model, clean, corrupted, what="outputs", by_position=True)
    assert by_head.axes == ("layer", "head", "position")
    assert_close(by_head.effects[:, :, :changed], 0, magnitude=size)
    assert_close(by_head.effects[-1, :, changed:-1], 0, magnitude=size)  # nobody reads them after this


@pytest.mark.parametrize("what", WHATS)
@pytest.mark.parametrize("name", PAIRS)
def test_scratch_and_hugging_face_give_the_same_effects(name: str, what: PatchedWhat) -> None:
    (clean, clean_b), (corrupted, corrupted_b) = PAIRS[name]
    kinds = ("encoder", "decoder", "cross") if name == "translator-es" else (None,)
    ours, theirs = load(name, device="cpu"), load(f"{PRETRAINED.as_posix()}/{name}", device="cpu")
    for kind in kinds:
        if kind == "cross" and what == "states":
            continue
        one, other = (
            patch(model, clean, corrupted, what=what, kind=kind, clean_b=clean_b, corrupted_b=corrupted_b)
            for model in (ours, theirs)
        )
        assert one.contrast == other.contrast
        assert_close(one.effects, other.effects, tolerance=PARITY, magnitude=size_of_effects(ours, one, clean, clean_b))


def test_weights_are_patched_as_by_hand() -> None:
    model = load("mini-bert", device="cpu")
    found = patch(model, CLEAN, CORRUPTED, what="weights")
    weights = torch.from_numpy(model.record(CLEAN).of("encoder").weights(1, 3))
    ids = torch.tensor([model.prepare(CORRUPTED).input_ids])
    with torch.no_grad(), intervening({("encoder", 1, 3): weights}):
        logits = model.model(ids).mlm[0, MASK]
    difference = float(logits[found.contrast.answer] - logits[found.contrast.rival])
    expected = (difference - found.corrupted) / (found.clean - found.corrupted)
    assert_close(found.effects[1, 3], expected, magnitude=size_of_effects(model, found, CLEAN))


def test_heads_by_position_and_the_answers_can_be_chosen() -> None:
    model = load("mini-bert", device="cpu")
    contrast = contrast_of(model, CLEAN, answer="looked", rival="stared")
    found = patch(model, CLEAN, CORRUPTED, what="outputs", by_position=True, contrast=contrast)
    assert found.contrast is contrast
    assert found.effects.shape == (4, 8, len(found.clean_tokens))
    others = [at for at in range(len(found.clean_tokens)) if at != MASK]
    size = size_of_effects(model, found, CLEAN)
    assert_close(found.effects[-1][:, others], 0, magnitude=size)  # nobody reads them after the last layer


def test_what_cannot_be_patched_is_said() -> None:
    model = load("mini-bert", device="cpu")
    with pytest.raises(TextError, match="The texts have 8 and 9 tokens"):
        patch(model, "The dog [MASK] at me.", "The old dog [MASK] at me.")
    with pytest.raises(TextError, match="nothing can come back"):
        patch(model, CLEAN, CLEAN)
