"""Pictures and sound are recorded as text is: weights are the model's own, a token is made of what its place shows."""

from __future__ import annotations

import io
import pickle
import shutil
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import ViTModel, WhisperForConditionalGeneration

from models import load
from models.huggingface.modalities.pictures import PictureModel, patch_tokens
from models.huggingface.modalities.sounds import SoundModel
from models.model import QUESTIONS
from models.opening.guest_answers import read_frame, write_frame
from models.values.errors import (
    ArgumentError,
    MissingCapabilityError,
    ModelLoadError,
    RecordError,
    UnsupportedModelError,
)
from models.values.places import AudioFrame, Image, Patch, Waveform
from models.values.record import Recording
from tests.closeness import assert_close
from tests.models.huggingface.eager import OF_BOTH, TOLERANCE
from tests.models.huggingface.modalities import (
    SECONDS,
    SIDE,
    TEXT,
    example_picture,
    example_sound,
    save_vit,
    save_whisper,
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    saved = {"vit": save_vit, "whisper": save_whisper}
    return {name: save(tmp_path_factory.mktemp(name)) for name, save in saved.items()}


@pytest.fixture(scope="module")
def vision(folders: dict[str, Path]) -> PictureModel:
    model = load(folders["vit"], device="cpu")
    assert isinstance(model, PictureModel)
    return model


@pytest.fixture(scope="module")
def speech(folders: dict[str, Path]) -> SoundModel:
    model = load(folders["whisper"], device="cpu")
    assert isinstance(model, SoundModel)
    return model


def own_output(opened: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the model's output with its own eager attention."""
    with torch.inference_mode():
        output: Mapping[str, Any] = opened.eval()(**given, output_attentions=True, output_hidden_states=True)
    return output


def expect_weights(recording: Recording, theirs: Mapping[str, tuple[Tensor, ...]]) -> None:
    for record in recording.attention:
        own = theirs[OF_BOTH[record.kind] if len(recording.kinds) > 1 else "attentions"]
        assert len(own) == record.n_layers
        for layer, given in enumerate(own):
            weights = record.layer_weights(layer)
            assert_close(weights, given[0].numpy(), tolerance=TOLERANCE, magnitude=1)
            assert_close(weights.sum(axis=-1), 1, tolerance=TOLERANCE, magnitude=1)


def test_a_picture_is_recorded_as_its_model_looks_at_it(vision: PictureModel, folders: dict[str, Path]) -> None:
    picture = example_picture()
    recording = vision.record(picture)
    pixels = torch.tensor(picture.pixels.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1)[None]
    own = own_output(ViTModel.from_pretrained(folders["vit"], attn_implementation="eager"), {"pixel_values": pixels})
    expect_weights(recording, own)
    assert_close(recording.final_state, own["last_hidden_state"][0])
    last = vision.network.body.get_submodule("layernorm")(torch.tensor(recording.hidden_states[-1])).detach()
    assert_close(last, recording.final_state)
    assert recording.of("encoder").output_norms is not None
    assert recording.source is picture


def test_a_sound_is_recorded_as_its_model_hears_it(speech: SoundModel, folders: dict[str, Path]) -> None:
    sound = example_sound()
    recording = speech.record(sound, TEXT)
    features = speech.processor(np.array(sound.samples), sampling_rate=sound.rate, return_tensors="pt")
    read = speech._reading(features["input_features"], recording.tokens, TEXT)
    given = {"input_features": features["input_features"], "decoder_input_ids": torch.tensor([read.decoder_ids])}
    eager = WhisperForConditionalGeneration.from_pretrained(folders["whisper"], attn_implementation="eager")
    own = own_output(eager, given)
    expect_weights(recording, own)
    assert recording.kinds == ("encoder", "decoder", "cross")
    assert_close(recording.final_state, own["encoder_last_hidden_state"][0])
    cross = recording.of("cross")
    assert "".join(token.text for token in cross.query_tokens[1:]).replace("Ġ", " ") == TEXT
    assert cross.query_tokens[0].is_special
    assert cross.key_tokens == recording.tokens
    assert len({record.scale for record in recording.attention}) == 1
    assert_close(recording.attention[0].scale[0], recording.info.d_head**-0.5)


def test_a_decoder_that_is_given_no_text_reads_what_the_model_writes(
    speech: SoundModel, folders: dict[str, Path]
) -> None:
    sound = example_sound()
    recording = speech.record(sound)
    features = speech.processor(np.array(sound.samples), sampling_rate=sound.rate, return_tensors="pt")
    eager: Any = WhisperForConditionalGeneration.from_pretrained(folders["whisper"], attn_implementation="eager")
    ids = [0]
    with torch.inference_mode():
        while len(ids) < speech.config.max_target_positions and ids[-1] != 2:
            logits = eager(**features, decoder_input_ids=torch.tensor([ids])).logits
            ids.append(int(logits[0, -1].argmax()))
    own = own_output(eager, {**features, "decoder_input_ids": torch.tensor([ids[:-1] if ids[-1] == 2 else ids])})
    expect_weights(recording, own)
    assert recording.note.startswith("The model itself wrote")


def test_a_token_is_made_of_the_pixels_of_its_patch(vision: PictureModel) -> None:
    """The picture to look at is larger than what the model reads, and no square."""
    pixels = np.zeros((2 * SIDE, 3 * SIDE, 3), np.uint8)
    recording = vision.record(Image(pixels=pixels))
    for position in (1, 2, 17, len(recording.tokens) - 1):
        place = recording.tokens[position].place
        assert isinstance(place, Patch)
        changed = pixels.copy()
        changed[int(place.top) + 8 : int(place.bottom) - 8, int(place.left) + 8 : int(place.right) - 8] = 255
        other = vision.record(Image(pixels=changed))
        moved = np.abs(other.hidden_states[0] - recording.hidden_states[0]).max(axis=-1)
        assert moved[position] > 0
        assert np.delete(moved, position).max() == 0


def test_patches_tile_a_picture_row_by_row() -> None:
    tokens = patch_tokens(Image(pixels=np.zeros((50, 70, 3), np.uint8)), 3, 4)
    places = [token.place for token in tokens if isinstance(token.place, Patch)]
    assert [(place.row, place.column) for place in places] == [divmod(index, 4) for index in range(12)]
    area = sum((place.right - place.left) * (place.bottom - place.top) for place in places)
    assert_close(area, 50 * 70)
    expected = [(column * 70 / 4, row * 50 / 3) for row in range(3) for column in range(4)]
    assert_close([(place.left, place.top) for place in places], expected)


def test_cls_stands_nowhere_in_the_picture(vision: PictureModel) -> None:
    first, *others = vision.record(example_picture()).tokens
    assert (first.text, first.is_special, first.place) == ("[CLS]", True, None)
    assert all(isinstance(token.place, Patch) and not token.is_special for token in others)


def test_a_token_is_made_of_the_sound_of_its_frame(speech: SoundModel) -> None:
    """A click reaches the frame in which it is, and by the windows of the spectrum and of both convolutions the ones
    beside it."""
    waveform = example_sound()
    plain = speech.record(waveform, TEXT).hidden_states[0]
    for second in (0.21, 0.9, 1.55):
        samples = waveform.samples.copy()
        samples[int(second * waveform.rate)] += 0.5
        recording = speech.record(Waveform(samples=samples, rate=waveform.rate), TEXT)
        moved = np.abs(recording.hidden_states[0] - plain).max(axis=-1)
        place = recording.tokens[int(moved.argmax())].place
        assert isinstance(place, AudioFrame)
        assert place.start - 0.02 <= second <= place.end + 0.02


def test_frames_follow_each_other_to_the_end(speech: SoundModel) -> None:
    tokens = speech.record(example_sound(), TEXT).tokens
    places = [token.place for token in tokens if isinstance(token.place, AudioFrame)]
    assert len(places) == len(tokens)
    assert (places[0].start, places[-1].end) == (0, SECONDS)
    assert all(one.end == other.start for one, other in pairwise(places))


@pytest.mark.parametrize("name", ["picture", "sound"])
def test_places_go_between_processes(name: str, vision: PictureModel, speech: SoundModel) -> None:
    recording = vision.record(example_picture()) if name == "picture" else speech.record(example_sound(), TEXT)
    file = io.BytesIO()
    write_frame(file, recording)
    file.seek(0)
    for other in (read_frame(file), pickle.loads(pickle.dumps(recording))):
        assert other.tokens == recording.tokens
        assert type(other.source) is type(recording.source)
        for field in ("pixels", "samples", "rate"):
            assert np.array_equal(getattr(other.source, field, ()), getattr(recording.source, field, ()))


def test_what_does_not_fit_is_named(vision: PictureModel, speech: SoundModel) -> None:
    sound: Any = example_sound()
    with pytest.raises(RecordError, match="has 8000 samples a second, expected 16000"):
        speech.record(Waveform(samples=sound.samples.copy(), rate=8000))
    with pytest.raises(ArgumentError, match=r"source is .*Waveform"):
        vision.record(sound)
    with pytest.raises(RecordError, match="pixels has shape"):
        Image(pixels=np.zeros((4, 4), np.uint8))
    with pytest.raises(RecordError, match=r"samples is ndarray \[4\] float64, expected .* float32"):
        Waveform(samples=np.zeros(4), rate=16_000)
    with pytest.raises(RecordError, match="start < end"):
        AudioFrame(start=1.0, end=1.0)


@pytest.mark.parametrize(("name", "reads"), [("vit", "pictures"), ("whisper", "sounds")])
def test_a_text_and_every_other_question_are_refused(
    name: str, reads: str, vision: PictureModel, speech: SoundModel
) -> None:
    model = vision if name == "vit" else speech
    with pytest.raises(UnsupportedModelError, match=f"family '{name}', which reads {reads}, not text"):
        model.record("The dog barked.")
    asked: dict[str, dict[str, Any]] = {
        "fill_mask": {"text": "The [MASK] barked."},
        "walk": {"text": "The dog", "layer": 0, "head": 0},
        "positions": {},
        "continue_text": {"text": "The dog"},
        "translate": {"text": "The dog"},
    }
    assert asked.keys() <= set(QUESTIONS)
    for question, arguments in asked.items():
        with pytest.raises(MissingCapabilityError, match=f"reads {reads}, not text"):
            getattr(model, question)(**arguments)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_records_nearly_the_same(dtype: str, vision: PictureModel, folders: dict[str, Path]) -> None:
    half: Any = load(folders["vit"], device="cpu", dtype=dtype)
    assert half.info.dtype == dtype
    weights = half.record(example_picture()).of("encoder").layer_weights(0)
    exact = vision.record(example_picture()).of("encoder").layer_weights(0)
    assert_close(weights, exact, tolerance=0.05, magnitude=1)


def test_a_folder_without_its_processor_says_so(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["vit"], tmp_path / "vit")
    (folder / "preprocessor_config.json").unlink()
    with pytest.raises(ModelLoadError, match=r"has no preprocessor_config\.json"):
        load(folder)
