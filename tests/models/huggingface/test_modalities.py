"""Pictures and sound are recorded as text is: weights are the model's own, a token is made of what its place shows."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel, SwinConfig, SwinModel

from models.huggingface.modalities.examples import (
    SECONDS,
    SIDE,
    example_picture,
    example_sound,
    random_speech_model,
    random_vision_model,
    spectra,
)
from models.huggingface.modalities.pictures import PictureModel, patch_tokens
from models.huggingface.modalities.sounds import SoundModel
from models.opening.guest_answers import read_frame, write_frame
from models.values.errors import RecordError, UnsupportedModelError
from models.values.places import AudioFrame, Image, Patch, Waveform
from models.values.record import Array, Recording, Token
from tests.closeness import assert_close
from tests.models.huggingface.eager import OF_BOTH, TOLERANCE

IDS = (1, 3, 2, 3, 4)
TEXTS = tuple(Token(text=str(each)) for each in IDS)


@pytest.fixture(scope="module")
def vision() -> PictureModel:
    return random_vision_model(seed=1)


@pytest.fixture(scope="module")
def speech() -> SoundModel:
    return random_speech_model(seed=1)


@pytest.fixture(scope="module")
def pixels() -> Array:
    return np.random.default_rng(2).normal(size=(3, SIDE, SIDE)).astype(np.float32)


def heard(speech: SoundModel, features: Array) -> Recording:
    return speech.record(features, example_sound(), decoder_ids=IDS, decoder_tokens=TEXTS)


def own_output(model: PreTrainedModel, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a copy of the model gives with its own, plainly written attention."""
    own = copy.deepcopy(model)
    own.set_attn_implementation("eager")
    with torch.inference_mode():
        output: Mapping[str, Any] = own(**given, output_attentions=True, output_hidden_states=True)
    return output


def expect_weights(recording: Recording, theirs: Mapping[str, tuple[Tensor, ...]]) -> None:
    for record in recording.attention:
        own = theirs[OF_BOTH[record.kind] if len(recording.kinds) > 1 else "attentions"]
        assert len(own) == record.n_layers
        for layer, given in enumerate(own):
            weights = record.layer_weights(layer)
            assert_close(weights, given[0].numpy(), tolerance=TOLERANCE, magnitude=1)
            assert_close(weights.sum(axis=-1), 1, tolerance=TOLERANCE, magnitude=1)


def test_a_picture_is_recorded_as_its_model_looks_at_it(vision: PictureModel, pixels: Array) -> None:
    recording = vision.record(pixels, example_picture())
    own = own_output(vision.model, {"pixel_values": torch.tensor(pixels)[None]})
    expect_weights(recording, own)
    assert_close(recording.final_state, own["last_hidden_state"][0])
    last = vision.model.get_submodule("layernorm")(torch.tensor(recording.hidden_states[-1])).detach()
    assert_close(last, recording.final_state)
    assert recording.of("encoder").output_norms is not None


def test_a_sound_is_recorded_as_its_model_hears_it(speech: SoundModel) -> None:
    features = spectra(example_sound())
    recording = heard(speech, features)
    given = {"input_features": torch.tensor(features)[None], "decoder_input_ids": torch.tensor([IDS])}
    own = own_output(speech.model, given)
    expect_weights(recording, own)
    assert recording.kinds == ("encoder", "decoder", "cross")
    assert_close(recording.final_state, own["encoder_last_hidden_state"][0])
    cross = recording.of("cross")
    assert cross.query_tokens == TEXTS
    assert cross.key_tokens == recording.tokens
    assert len({record.scale for record in recording.attention}) == 1
    assert_close(recording.attention[0].scale[0], recording.info.d_head**-0.5)


def test_a_token_is_made_of_the_pixels_of_its_patch(vision: PictureModel, pixels: Array) -> None:
    """The picture to look at is larger than what the model reads, and no square."""
    recording = vision.record(pixels, Image(pixels=np.zeros((2 * SIDE, 3 * SIDE, 3), np.uint8)))
    for position in (1, 2, 17, len(recording.tokens) - 1):
        place = recording.tokens[position].place
        assert isinstance(place, Patch)
        changed = pixels.copy()
        rows = slice(int(place.top / 2), int(place.bottom / 2))
        changed[:, rows, int(place.left / 3) : int(place.right / 3)] += 1
        other = vision.record(changed, example_picture())
        moved = np.abs(other.hidden_states[0] - recording.hidden_states[0]).max(axis=-1)
        assert moved[position] > 0
        assert np.delete(moved, position).max() == 0


def test_patches_tile_a_picture_row_by_row() -> None:
    tokens = patch_tokens(Image(pixels=np.zeros((50, 70, 3), np.uint8)), 3, 4)
    places = [token.place for token in tokens if isinstance(token.place, Patch)]
    assert [(place.row, place.column) for place in places] == [divmod(index, 4) for index in range(12)]
    area = sum((place.right - place.left) * (place.bottom - place.top) for place in places)
    assert_close(area, 50 * 70)
    assert {(place.left, place.top) for place in places} == {
        (column * 70 / 4, row * 50 / 3) for row in range(3) for column in range(4)
    }


def test_cls_stands_nowhere_in_the_picture(vision: PictureModel, pixels: Array) -> None:
    first, *others = vision.record(pixels, example_picture()).tokens
    assert (first.text, first.is_special, first.place) == ("[CLS]", True, None)
    assert all(isinstance(token.place, Patch) and not token.is_special for token in others)


def test_a_token_is_made_of_the_sound_of_its_frame(speech: SoundModel) -> None:
    """A click reaches the frame in which it is, and by the windows of the spectrum and of both convolutions the ones
    beside it."""
    waveform = example_sound()
    plain = heard(speech, spectra(waveform)).hidden_states[0]
    for second in (0.21, 0.9, 1.55):
        samples = waveform.samples.copy()
        samples[int(second * waveform.rate)] += 0.5
        recording = heard(speech, spectra(Waveform(samples=samples, rate=waveform.rate)))
        moved = np.abs(recording.hidden_states[0] - plain).max(axis=-1)
        frame = int(moved.argmax())
        place = recording.tokens[frame].place
        assert isinstance(place, AudioFrame)
        assert place.start - 0.02 <= second <= place.end + 0.02


def test_frames_follow_each_other_to_the_end(speech: SoundModel) -> None:
    tokens = heard(speech, spectra(example_sound())).tokens
    places = [token.place for token in tokens if isinstance(token.place, AudioFrame)]
    assert len(places) == len(tokens)
    assert (places[0].start, places[-1].end) == (0, SECONDS)
    assert all(one.end == other.start for one, other in pairwise(places))


@pytest.mark.parametrize("name", ["picture", "sound"])
def test_places_go_between_processes(name: str, vision: PictureModel, speech: SoundModel, pixels: Array) -> None:
    picture, features = example_picture(), spectra(example_sound())
    recording = vision.record(pixels, picture) if name == "picture" else heard(speech, features)
    file = io.BytesIO()
    write_frame(file, recording)
    file.seek(0)
    for other in (read_frame(file), pickle.loads(pickle.dumps(recording))):
        assert other.tokens == recording.tokens
        assert type(other.source) is type(recording.source)
        for field in ("pixels", "samples", "rate"):
            assert np.array_equal(getattr(other.source, field, ()), getattr(recording.source, field, ()))


def test_what_does_not_fit_is_named(vision: PictureModel, speech: SoundModel, pixels: Array) -> None:
    features = spectra(example_sound())
    with pytest.raises(RecordError, match=r"pixel_values has shape \(3, 96, 80\), expected \(3, 96, 96\)"):
        vision.record(pixels[:, :, :80], example_picture())
    with pytest.raises(RecordError, match=r"input_features has shape \(80, 150\), expected \(80, 200\)"):
        heard(speech, features[:, :150])
    with pytest.raises(RecordError, match="are 5 decoder_ids and 4 decoder_tokens"):
        speech.record(features, example_sound(), decoder_ids=IDS, decoder_tokens=TEXTS[1:])
    with pytest.raises(RecordError, match="pixels has shape"):
        Image(pixels=np.zeros((4, 4), np.uint8))
    with pytest.raises(RecordError, match=r"samples is ndarray \[4\] float64, expected .* float32"):
        Waveform(samples=np.zeros(4), rate=16_000)
    with pytest.raises(RecordError, match="start < end"):
        AudioFrame(start=1.0, end=1.0)


def test_attention_in_windows_is_refused() -> None:
    config = SwinConfig(embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4, image_size=32, patch_size=4)
    with pytest.raises(UnsupportedModelError, match="runs over 16 by 16 positions, expected 65 by 65"):
        PictureModel(SwinModel(config), name="swin")
