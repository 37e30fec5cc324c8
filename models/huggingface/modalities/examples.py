"""A picture and a sound made of formulas, read by tiny models whose weights are random: they have learned nothing, and
their attention means nothing. They show that a recording carries patches and frames.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from transformers import ViTConfig, ViTModel, WhisperConfig, WhisperFeatureExtractor, WhisperForConditionalGeneration

from models.huggingface.modalities.pictures import PictureModel
from models.huggingface.modalities.sounds import SoundModel
from models.values.places import Image, Waveform
from models.values.record import Array, Recording, Token

SIDE, PATCH = 96, 16
"""Pixels a side of the picture, and of a patch of it."""
RATE, SECONDS = 16_000, 2
N_FRAMES = 100
"""Of 20 ms each."""
WORDS = ("<|start|>", "a", "tone", "that", "rises", "and", "one", "that", "falls")
"""What the decoder of the example is given: nobody has written it by listening."""
SPREAD = 0.4
"""How far weights are from 0. transformers begins with 0.02, which makes every head look everywhere alike."""


def random_vision_model(seed: int = 0) -> PictureModel:
    """A vision transformer of two layers with four heads each."""
    config = ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        image_size=SIDE,
        patch_size=PATCH,
        initializer_range=SPREAD,
    )
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        model = ViTModel(config, add_pooling_layer=False)
    return PictureModel(model, name="tiny ViT with random weights")


def random_speech_model(seed: int = 0) -> SoundModel:
    """A Whisper of two layers in each stack, with four heads each."""
    config = WhisperConfig(
        vocab_size=len(set(WORDS)) + 1,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_source_positions=N_FRAMES,
        max_target_positions=32,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=0,
        decoder_start_token_id=1,
        init_std=SPREAD,
    )
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        model = WhisperForConditionalGeneration(config)
    return SoundModel(model, name="tiny Whisper with random weights")


def example_picture() -> Image:
    """A disc of light before stripes that get darker downwards."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE  # [SIDE, SIDE] each
    stripes = 0.5 + 0.5 * np.sin(2 * np.pi * (4 * x + 2 * y))
    ground = np.stack([0.15 + 0.3 * stripes, 0.35 + 0.3 * (1 - y), 0.75 - 0.45 * y], axis=-1)  # [SIDE, SIDE, 3]
    disc = np.clip(12 * (0.25 - np.hypot(x - 0.62, y - 0.38)), 0, 1)[..., None]
    pixels = ground * (1 - disc) + np.array([0.98, 0.83, 0.3]) * disc
    return Image(pixels=np.round(255 * pixels).astype(np.uint8))


def example_sound() -> Waveform:
    """A tone that rises, silence, and one that falls, 1.7 s in all."""
    time = np.arange(int(0.7 * RATE)) / RATE
    swell = np.sin(np.pi * time / time[-1]) ** 2
    rising = swell * np.sin(2 * np.pi * (220 * time + 300 * time**2))
    falling = 0.6 * swell[::-1] * np.sin(2 * np.pi * (640 * time - 300 * time**2))
    samples = np.concatenate([rising, np.zeros(int(0.3 * RATE)), falling])
    return Waveform(samples=samples.astype(np.float32), rate=RATE)


def recorded_picture() -> Recording:
    """The example picture, read by a model with random weights."""
    image = example_picture()
    pixel_values = image.pixels.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1  # [3, SIDE, SIDE]
    return random_vision_model().record(pixel_values, image)


def recorded_sound() -> Recording:
    """The example sound, heard by a model with random weights."""
    waveform, known = example_sound(), sorted(set(WORDS))
    return random_speech_model().record(
        spectra(waveform),
        waveform,
        decoder_ids=[1 + known.index(word) for word in WORDS],
        decoder_tokens=[Token(text=word, is_special=word.startswith("<|")) for word in WORDS],
    )


def spectra(waveform: Waveform) -> Array:
    """What Whisper's feature extractor makes of a sound of at most SECONDS [n_mels, n_columns]."""
    extractor: Any = WhisperFeatureExtractor
    made = extractor(chunk_length=SECONDS)(np.array(waveform.samples), sampling_rate=waveform.rate, return_tensors="np")
    features: Array = np.asarray(made["input_features"][0], dtype=np.float32)
    return features
