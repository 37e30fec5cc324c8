"""The attention of public models in numbers, each from the config.json of its repository on the Hugging Face hub."""

from __future__ import annotations

from dataclasses import replace

from models.values.results.costs import CacheShape


def _shape(
    name: str,
    config: str,
    sizes: tuple[int, int, int, int],
    *,
    latent: tuple[int, int] = (0, 0),
    window: int = 0,
    n_windowed: int = 0,
) -> CacheShape:
    n_layers, n_heads, n_kv_heads, d_head = sizes
    return CacheShape(
        name=name,
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        d_head=d_head,
        d_latent=latent[0],
        d_rotary=latent[1],
        window=window,
        n_windowed=n_windowed,
        source=f"https://huggingface.co/{config}/blob/main/config.json",
    )


PUBLIC_SHAPES = (
    # layers, heads, key/value heads, d_head
    _shape("GPT-2", "openai-community/gpt2", (12, 12, 12, 64)),
    _shape("Llama-2-7B", "meta-llama/Llama-2-7b-hf", (32, 32, 32, 128)),
    _shape("Llama-3-8B", "meta-llama/Meta-Llama-3-8B", (32, 32, 8, 128)),
    _shape("Mistral-7B", "mistralai/Mistral-7B-v0.1", (32, 32, 8, 128), window=4096, n_windowed=32),
    _shape("Gemma-2-9B", "google/gemma-2-9b", (42, 16, 8, 256), window=4096, n_windowed=21),
    _shape("Gemma-3-27B", "google/gemma-3-27b-pt", (62, 32, 16, 128), window=1024, n_windowed=52),
    _shape("Falcon-7B", "tiiuae/falcon-7b", (32, 71, 1, 64)),
    _shape("DeepSeek-V2", "deepseek-ai/DeepSeek-V2", (60, 128, 128, 128), latent=(512, 64)),
    _shape("DeepSeek-V3", "deepseek-ai/DeepSeek-V3", (61, 128, 128, 128), latent=(512, 64)),
)
"""Their n_windowed follows `layer_types`, or the pattern of sliding windows, of the configuration."""
WITH_SINKS = replace(PUBLIC_SHAPES[1], name="Llama-2-7B, sinks", window=4092, n_windowed=32, n_sinks=4)
"""Llama-2-7B as StreamingLLM runs it: the first 4 tokens and the last 4,092 (Xiao et al. 2023, table 2)."""
GROUPS, LATENT = 4, (512, 64)
"""Heads that share a key in Llama-3-8B, and the latent and rotary widths of DeepSeek-V2."""


def other_sharing(shape: CacheShape) -> tuple[CacheShape, ...]:
    """Return the same layers and heads with a key each, with keys shared by groups of four, with one key for all, and
    with DeepSeek-V2's latent vector; without windows."""
    plain = replace(shape, d_latent=0, d_rotary=0, window=0, n_windowed=0)
    n_grouped = shape.n_heads // GROUPS if shape.n_heads % GROUPS == 0 else 1
    shared = (replace(plain, n_kv_heads=n) for n in dict.fromkeys((shape.n_heads, n_grouped, 1)))
    return *shared, replace(plain, n_kv_heads=shape.n_heads, d_latent=LATENT[0], d_rotary=LATENT[1])
