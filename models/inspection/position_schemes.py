"""Which scheme tells a model its positions, and the numbers of it: found by structure, not by the model's name.

What is looked for, in this order: a bias by distance (T5), angles (rotary), slopes (ALiBi), a table that is added to
the tokens. The papers stand in `models.values.positions`.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from models.scratch.encoder import Embeddings
from models.scratch.positions import sinusoidal_encoding
from models.values.positions import ModelPositions, PositionScheme
from models.values.record import Array, ModelInfo
from models.values.wording import worded

if TYPE_CHECKING:
    from transformers import PreTrainedModel  # brings what trains and runs all models: a model of ours does without

TABLE_NAMES = ("position_embeddings", "position_embedding", "embed_positions", "positions_embed", "wpe")
"""The name in transformers of the module whose rows are added to the tokens."""
ALIBI_BUILDERS: dict[str, dict[str, Any]] = {
    "build_alibi_tensor": {"attention_mask": torch.ones(1, 2), "dtype": torch.float32},
    "build_mpt_alibi_tensor": {"sequence_length": 2},
}
"""The methods with which BLOOM and MPT build their bias, and how to ask them for two keys."""
ANGLES = "inv_freq"
"""How the buffers of a rotary model end, "inv_freq" or "full_attention_inv_freq"."""
SAME = 4e-3
"""How far a table may be from the sinusoids and still be them: bfloat16 rounds the numbers next to 1 by so much."""


def scratch_positions(embeddings: Embeddings, info: ModelInfo) -> ModelPositions:
    """Return the positions of a scratch model: its learned table, its sinusoids, or the angles of its heads."""
    if embeddings.config.positions == "learned":
        return ModelPositions(info=info, scheme="learned", table=_as_array(embeddings.position.weight))
    frequencies = scratch_frequencies(embeddings)
    if frequencies:
        return ModelPositions(info=info, scheme="rotary", frequencies=frequencies[0])
    return ModelPositions(info=info, scheme="sinusoidal", table=_as_array(embeddings.sinusoids))


def scratch_frequencies(embeddings: Embeddings) -> tuple[Array, ...]:
    """Return the angles per position of a rotary scratch model [d_head / 2]; () for others."""
    return (_as_array(embeddings.frequencies),) if embeddings.config.positions == "rotary" else ()


def huggingface_positions(model: PreTrainedModel, info: ModelInfo) -> ModelPositions:
    """Return the positions of a transformers model; of an encoder-decoder model those of its encoder.

    The scheme is "unknown", with a sentence that says why, if nothing is found that this model could use.
    """
    for find in (_relative_buckets, _rotary, _alibi, _table):
        positions = find(model, info)
        if positions is not None:
            return positions
    return ModelPositions(
        info=info,
        scheme="unknown",
        why=worded(
            "Headlight cannot find how {model} (family {family}) tells positions apart: it has no table of positions, "
            "rotary angles, ALiBi slopes or T5's relative buckets. Models with an unusual form of attention, such as "
            "XLNet or DeBERTa, mix positions into it in their own way.",
            model=info.name,
            family=repr(info.family),
        ),
    )


def _relative_buckets(model: PreTrainedModel, info: ModelInfo) -> ModelPositions | None:
    """Return T5's bias for every distance that its buckets tell apart, of the first self-attention with a table."""
    for module in model.modules():
        attention: Any = module
        if isinstance(getattr(module, "relative_attention_bias", None), nn.Embedding) and _gives_bias(module):
            reach = int(attention.relative_attention_max_distance)
            with torch.inference_mode():
                bias = _as_array(attention.compute_bias(reach + 1, reach + 1)[0])  # [n_heads, n_query, n_key]
            return ModelPositions(
                info=info,
                scheme="relative_buckets",
                distances=tuple(range(-reach, reach + 1)),
                bias_by_distance=np.concatenate((bias[:, :0:-1, 0], bias[:, 0, :]), axis=1),
            )
    return None


def _gives_bias(module: nn.Module) -> bool:
    """Return whether a module computes its bias for so many queries and keys; LongT5's local attention cannot."""
    compute = getattr(module, "compute_bias", None)
    return compute is not None and {"query_length", "key_length"} <= set(signature(compute).parameters)


def _rotary(model: PreTrainedModel, info: ModelInfo) -> ModelPositions | None:
    frequencies = huggingface_frequencies(model)
    return ModelPositions(info=info, scheme="rotary", frequencies=frequencies[0]) if frequencies else None


def huggingface_frequencies(model: PreTrainedModel) -> tuple[Array, ...]:
    """Return the angles per position of every kind of layer, those of the first layer first; () without rotation."""
    angles = {
        name.rpartition(".")[2]: buffer
        for name, buffer in model.named_buffers()
        if name.endswith(ANGLES) and "original" not in name.rpartition(".")[2]
    }
    kinds_of_layers = getattr(model.config.get_text_config(), "layer_types", None) or ("",)
    first = f"{kinds_of_layers[0]}_{ANGLES}"
    return tuple(_as_array(angles[name]) for name in sorted(angles, key=lambda name: name != first))


def _alibi(model: PreTrainedModel, info: ModelInfo) -> ModelPositions | None:
    """The slopes of ALiBi: how much the bias that the model itself builds grows from one key to the next."""
    body: Any = model.base_model
    for name, arguments in ALIBI_BUILDERS.items():
        if hasattr(body, name):
            bias = _as_array(getattr(body, name)(**{**arguments, "num_heads": info.n_heads}))  # [n_heads, 1, 2]
            return ModelPositions(info=info, scheme="alibi", slopes=bias[:, 0, 1] - bias[:, 0, 0])
    return None


def _table(model: PreTrainedModel, info: ModelInfo) -> ModelPositions | None:
    """The rows added to the tokens, the first for position 0; as wide as the tokens, else it is no such table."""
    tokens: Any = model.get_input_embeddings()
    token_width = int(tokens.weight.shape[-1])
    for name, module in model.named_modules():
        if name.rpartition(".")[2] not in TABLE_NAMES:
            continue
        rows = _rows(module)
        if rows is not None and rows.shape[-1] in {token_width, info.d_model}:
            table = _as_array(rows[_first_row(module) :])
            return ModelPositions(info=info, scheme=_kind_of_table(module, table), table=table)
    return None


def _rows(module: nn.Module) -> Tensor | None:
    """The rows of a module [n_rows, d_model], if it holds some: learned ones, or computed ones in a buffer."""
    for name in ("weight", "weights"):
        rows = getattr(module, name, None)
        if isinstance(rows, Tensor) and rows.dim() == 2:
            return rows
    return None


def _first_row(module: nn.Module) -> int:
    """BART and OPT read from their `offset` on; RoBERTa counts its positions from the padding index + 1."""
    offset = getattr(module, "offset", None)
    if isinstance(offset, int):
        return offset
    padding = getattr(module, "padding_idx", None)
    return padding + 1 if isinstance(padding, int) else 0


def _kind_of_table(module: nn.Module, table: Array) -> PositionScheme:
    """Sinusoidal by the name of its class, or because its numbers are: DistilBERT may keep sinusoids as weights."""
    return "sinusoidal" if "sinusoidal" in type(module).__name__.lower() or _is_sinusoidal(table) else "learned"


def _is_sinusoidal(table: Array) -> bool:
    """Whether the rows are the paper's sinusoids, sines and cosines interleaved or one half each."""
    n_positions, d_model = table.shape
    if d_model % 2:
        return False
    interleaved = sinusoidal_encoding(n_positions, d_model).numpy()
    halves = np.concatenate((interleaved[:, 0::2], interleaved[:, 1::2]), axis=1)
    return any(np.allclose(table, known, rtol=0, atol=SAME) for known in (interleaved, halves))


def _as_array(values: Tensor) -> Array:
    array: Array = values.detach().float().cpu().numpy().copy()
    return array
