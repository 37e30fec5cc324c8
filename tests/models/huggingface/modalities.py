"""Folders of a tiny ViT and a tiny Whisper with random weights, and a picture and a sound made of formulas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import (
    ViTConfig,
    ViTImageProcessorPil,
    ViTModel,
    WhisperConfig,
    WhisperFeatureExtractor,
    WhisperForConditionalGeneration,
)

from models.values.places import Image, Waveform
from tests.models.huggingface.families import byte_level

SIDE, PATCH = 96, 16
"""Pixels a side of the picture, and of a patch of it."""
RATE, SECONDS, N_FRAMES = 16_000, 2, 100
SPREAD = 0.4
"""How far weights are from 0. transformers begins with 0.02, which makes every head look everywhere alike."""
TEXT = "a tone that rises"


def save_vit(folder: Path) -> Path:
    """A vision transformer of two layers with four heads each, and its image processor."""
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
        torch.manual_seed(1)
        ViTModel(config).save_pretrained(folder)
    ViTImageProcessorPil(size={"height": SIDE, "width": SIDE}).save_pretrained(folder)
    return folder


def save_whisper(folder: Path) -> Path:
    """A Whisper of two layers in each stack, with four heads each, its feature extractor and a tokenizer."""
    tokenizer: Any = byte_level()
    config = WhisperConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_source_positions=N_FRAMES,
        max_target_positions=32,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        decoder_start_token_id=0,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        init_std=SPREAD,
    )
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(1)
        WhisperForConditionalGeneration(config).save_pretrained(folder)
    WhisperFeatureExtractor(chunk_length=SECONDS).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


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
